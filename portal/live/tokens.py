"""Tokens of event streams: bound to one table or study and one viewer, valid for 12 hours, or for minutes if not everybody can see the table.

The hub does not check whether the viewer may still see the table: that is checked when the page gets its next token.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from django.core import signing

SALT = "portal.live"
LIFETIME_S = 12 * 3600
CLUB_LIFETIME_S = 5 * 60  # for a table of a club: a membership can end, a club can become private
_SHOWN: Final = 1
_WATCHES: Final = 2
_NAMED: Final = 4


@dataclass(frozen=True)
class Pass:
    """What a token says: the viewer (the id of a user, 0 for a visitor), the seconds for which it is valid, and what others may know.

    `is_shown`: friends may see that the viewer is there (`presence.py`). `watches`: a spectator of a table, with the name if `is_named`.
    """

    viewer: int
    left_s: float
    is_shown: bool = False
    watches: bool = False
    is_named: bool = False


class BadToken(Exception):
    """The token is forged, broken, or meant for another table."""


class ExpiredToken(Exception):
    """The token has expired; the page has to fetch a new one."""


def make_token(
    place: int, viewer: int, lifetime_s: float = LIFETIME_S, *, is_shown: bool = False, watches: bool = False, is_named: bool = False
) -> str:
    """Return a token for `viewer` (the id of a user, 0 for a visitor) at one table, or at one study (`wire.place_of_study`).

    The rest is told by `Pass`.
    """
    flags = _SHOWN * is_shown | _WATCHES * watches | _NAMED * is_named
    return signing.dumps([place, viewer, int(time.time() + lifetime_s), *([flags] if flags else [])], salt=SALT)


def read_token(token: str, place: int) -> Pass:
    """Return what a token says. Raises BadToken or ExpiredToken."""
    try:
        bound, viewer, until, *rest = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise BadToken from None
    if bound != place:
        raise BadToken
    left = until - time.time()
    if left <= 0:
        raise ExpiredToken
    flags = rest[0] if rest else 0
    return Pass(viewer, left, bool(flags & _SHOWN), bool(flags & _WATCHES), bool(flags & _NAMED))
