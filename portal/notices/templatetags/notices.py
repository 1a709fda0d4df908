"""The number of unread notices, for the header of every page."""

from __future__ import annotations

from django import template

from portal.accounts.models import User
from portal.notices import unread

register = template.Library()


@register.simple_tag
def unread_notices(user: object) -> int | None:
    """Return how many notices the reader has not read, without a statement; None if only the database knows."""
    return unread.known(user.pk) if isinstance(user, User) and user.pk else None
