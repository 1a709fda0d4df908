"""Names as readers see them: what stands in for that of a deleted account, stored alike in all languages, and the mark of bot accounts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from portal.accounts.models import User

DELETED_PREFIX: Final = "deleted-"  # no account may take a name that starts like this
_DELETED: Final = re.compile(rf"{DELETED_PREFIX}([0-9]+)")


def is_pseudonym(username: str) -> bool:
    """Say whether a stored name is that of a deleted account, which has no page of its own."""
    return _DELETED.fullmatch(username) is not None


def shown(username: str) -> str:
    """Return a stored name as readers see it, in the active language."""
    found = _DELETED.fullmatch(username)
    return _("Deleted player %(n)s") % {"n": found[1]} if found else username


def name_of(user: User) -> str:
    """Return the name of somebody as readers see it, in the active language. A bot account is marked, in words that are read aloud as well."""
    return named(user.username, user.is_bot)


def named(username: str, is_bot: object) -> str:
    """Return the same where only the stored name is at hand, and whether it is that of a bot account."""
    name = shown(username)
    return marked(name) if is_bot else name


def marked(name: str) -> str:
    """Return the name of a bot account with its mark."""
    return _("%(name)s (bot)") % {"name": name}
