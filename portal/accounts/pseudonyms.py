"""What stands in for the name of a person whose account was deleted: stored alike in all languages, shown in the reader's."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

DELETED_PREFIX: Final = "deleted-"  # no account may take a name that starts like this
_DELETED: Final = re.compile(rf"{DELETED_PREFIX}([0-9]+)")


def is_pseudonym(username: str) -> bool:
    """Say whether a stored name is that of a deleted account, which has no page of its own."""
    return _DELETED.fullmatch(username) is not None


def shown(username: str) -> str:
    """Return a stored name as readers see it, in the active language."""
    found = _DELETED.fullmatch(username)
    return _("Deleted player %(n)s") % {"n": found[1]} if found else username
