"""The verbs of a private club, its seasons, leagues and duplicate sets: for everybody who is no member each answers 404."""

from __future__ import annotations

from typing import Any, Final

from portal.clubs.models import DuplicateSet
from portal.contests import duplicates
from portal.tables.models import Table
from tests.portal.clubs.test_hostile import FORMS, filled
from tests.portal.permissions.elsewhere import MEMBERS
from tests.portal.permissions.verbs import ALL, OWNER, Verb

OFFICERS: Final = frozenset({"player", "officer"})
SENT: Final = FORMS | {"leave/": {"sure": "yes"}}


def _of_set() -> int:
    return Table.objects.filter(duplicate__isnull=False).earliest("pk").pk


def _sits(world: Any, _place: Any) -> None:
    duplicates.take_seat(duplicate=DuplicateSet.objects.get(), table_id=_of_set(), seat=0, user=world.people["opponent"])


def _verb(route: str, by: frozenset[str], sent: Any = None, **more: Any) -> Verb:
    return Verb(route, by, sent or SENT.get(route, {}), path=lambda w, _p: filled(route, w.club, w.people["opponent"]), **more)


VERBS: Final = (
    _verb("join/", frozenset(), refused=409),
    _verb("ask/", frozenset(), refused=409),
    _verb("withdraw/", frozenset(), refused=409, hidden=dict.fromkeys(ALL - MEMBERS, 409)),  # as in a club that isn't there
    _verb("leave/", MEMBERS - OWNER),
    _verb("members/invite/", OFFICERS),
    _verb("members/ban/", OFFICERS),
    _verb("members/<int:pk>/remove/", OFFICERS),
    _verb("members/<int:pk>/role/", OWNER),
    _verb("requests/<int:pk>/", OFFICERS),
    _verb("invitations/<int:pk>/withdraw/", OFFICERS),
    _verb("bans/<int:pk>/lift/", OFFICERS),
    _verb("announcements/new/", OFFICERS),
    _verb("announcements/<int:pk>/", OFFICERS),
    _verb("calendar/new/", OFFICERS),
    _verb("calendar/<int:pk>/", OFFICERS),
    _verb("calendar/<int:pk>/call-off/", OFFICERS),
    _verb("calendar/<int:pk>/answer/", MEMBERS),
    _verb("settings/texts/", OFFICERS),
    _verb("settings/rules/", OWNER),
    _verb("settings/link/", OWNER),
    _verb("settings/hand-over/", OWNER),
    _verb("settings/close/", OWNER),
    _verb("seasons/new/", OFFICERS),
    _verb("seasons/<int:pk>/edit/", OFFICERS),
    _verb("seasons/<int:pk>/end/", OFFICERS),
    _verb("seasons/<int:pk>/delete/", frozenset(), answers=dict.fromkeys(OFFICERS, 409)),  # it is running
    _verb("seasons/<int:pk>/leagues/draw/", OFFICERS),
    _verb("leagues/<int:pk>/pairings/<int:pairing>/play/", frozenset({"officer", "opponent"})),  # they are paired
    _verb("leagues/<int:pk>/pairings/<int:pairing>/deadline/", OFFICERS),
    _verb("leagues/<int:pk>/pairings/<int:pairing>/void/", OFFICERS),
    _verb("leagues/<int:pk>/entrants/<int:entrant>/", OFFICERS),
    _verb("duplicates/new/", OFFICERS),
    _verb("duplicates/<int:pk>/sit/", MEMBERS, sent=lambda w, _p: {"table": _of_set(), "seat": "0"}),
    _verb("duplicates/<int:pk>/start/", OFFICERS, sent=lambda w, _p: {"table": _of_set()}, before=_sits),
    _verb("duplicates/<int:pk>/close/", OFFICERS),
    _verb("duplicates/<int:pk>/end/", OFFICERS),
)
