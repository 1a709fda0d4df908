"""Who may do what in a club: one table, asked by every service and every page."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from portal.accounts.models import User
from portal.clubs import refusals
from portal.clubs.models import Club, Membership

Role = Membership.Role


class Verb(StrEnum):
    """Something a person may want to do in a club."""

    VIEW = "view"  # pages, tables, ladders, seasons
    OPEN_TABLE = "open_table"
    SIT_DOWN = "sit_down"  # play at a table of the club
    ANSWER = "answer"  # whether one is coming to a club night
    READ_LOG = "read_log"
    LEAVE = "leave"
    EDIT = "edit"  # the texts
    INVITE = "invite"
    DECIDE = "decide"  # requests
    REMOVE = "remove"  # somebody of a lower role
    BAN = "ban"  # ban somebody of a lower role or an outsider, and lift the ban
    ANNOUNCE = "announce"
    CALENDAR = "calendar"
    SEASONS = "seasons"  # seasons, leagues, deadlines
    DUPLICATES = "duplicates"
    SETTINGS = "settings"  # private or public, how people join, a new link
    ROLES = "roles"  # make and unmake officers
    HAND_OVER = "hand_over"
    CLOSE = "close"


_MEMBER: Final = frozenset({Verb.VIEW, Verb.OPEN_TABLE, Verb.SIT_DOWN, Verb.ANSWER, Verb.READ_LOG, Verb.LEAVE})
_OFFICER: Final = _MEMBER | {
    Verb.EDIT, Verb.INVITE, Verb.DECIDE, Verb.REMOVE, Verb.BAN, Verb.ANNOUNCE, Verb.CALENDAR, Verb.SEASONS, Verb.DUPLICATES,
}  # fmt: skip
_OWNER: Final = (_OFFICER - {Verb.LEAVE}) | {Verb.SETTINGS, Verb.ROLES, Verb.HAND_OVER, Verb.CLOSE}
MAY: Final[Mapping[str, frozenset[Verb]]] = {Role.OWNER: _OWNER, Role.OFFICER: _OFFICER, Role.MEMBER: _MEMBER}
RANK: Final[Mapping[str, int]] = {Role.OWNER: 3, Role.OFFICER: 2, Role.MEMBER: 1}
STILL: Final = frozenset({Verb.VIEW, Verb.READ_LOG, Verb.LEAVE})  # what is still possible in a closed club


def role_of(club: Club, user: User | None) -> str | None:
    """Return the role of a person in a club; None for outsiders and visitors."""
    if user is None or not user.pk:
        return None
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def may(verb: Verb, club: Club, role: str | None) -> bool:
    """Say whether a role allows a deed; outsiders may look at a public club, and nothing changes in a closed one."""
    if club.closed_at is not None and verb not in STILL:
        return False
    if role is None:
        return verb is Verb.VIEW and not club.is_private
    return verb in MAY[role]


def require(verb: Verb, club: Club, user: User | None) -> str | None:
    """Return the role of `user` if it allows the deed.

    Raises ClubNotFound to outsiders of a private club, WrongMoment in a closed one, else NotAllowed.
    """
    role = role_of(club, user)
    if may(verb, club, role):
        return role
    if role is None and club.is_private:
        raise refusals.ClubNotFound
    if club.closed_at is not None:
        raise refusals.ClosedForGood
    if role is None:
        raise refusals.MembersOnly
    raise refusals.RoleTooLow


def require_over(verb: Verb, club: Club, user: User | None, subject: User) -> str | None:
    """Like `require`, for a deed against somebody: your role must be above theirs. Raises NotAllowed."""
    role = require(verb, club, user)
    theirs = role_of(club, subject)
    if theirs is not None and RANK[role or ""] <= RANK[theirs]:
        raise refusals.NotBelowYou
    return role
