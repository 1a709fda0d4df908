"""Tokens of event streams: bound to one table or study and one viewer, valid for 12 hours, or for minutes if not everybody can see the table.

The hub does not check whether the viewer may still see the table: that is checked when the page gets its next token.
"""

from __future__ import annotations

import time

from django.core import signing

SALT = "portal.live"
LIFETIME_S = 12 * 3600
CLUB_LIFETIME_S = 5 * 60  # for a table of a club: a membership can end, a club can become private


class BadToken(Exception):
    """The token is forged, broken, or meant for another table."""


class ExpiredToken(Exception):
    """The token has expired; the page has to fetch a new one."""


def make_token(place: int, viewer: int, lifetime_s: float = LIFETIME_S, *, is_shown: bool = False) -> str:
    """Return a token for `viewer` (the id of a user, 0 for a visitor) at one table, or at one study (`wire.place_of_study`).

    `is_shown` says that friends may see that the viewer is there (`presence.py`).
    """
    return signing.dumps([place, viewer, int(time.time() + lifetime_s), *([1] if is_shown else [])], salt=SALT)


def read_token(token: str, place: int) -> tuple[int, float]:
    """Return the viewer and the seconds for which the token is valid. Raises BadToken or ExpiredToken."""
    try:
        bound, viewer, until, *_ = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise BadToken from None
    if bound != place:
        raise BadToken
    left = until - time.time()
    if left <= 0:
        raise ExpiredToken
    return viewer, left


def is_shown(token: str) -> bool:
    """Say whether friends may see that the viewer of a token that has been read is there."""
    return len(signing.loads(token, salt=SALT)) > 3
