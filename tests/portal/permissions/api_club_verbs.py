"""The operations of the API on a private club: whoever is no member gets 404, and visitors who want to change something are asked to sign in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from portal.contests.models import Entrant, Pairing
from tests.portal.clubs.test_hostile import number_of
from tests.portal.permissions.clubs import OFFICERS, _of_set, _sits
from tests.portal.permissions.elsewhere import MEMBERS
from tests.portal.permissions.verbs import ACCOUNTS, ALL, OWNER, SIGNED_IN, Maker, Verb

NOBODY: Final[frozenset[str]] = frozenset()
UNSIGNED: Final = {"visitor": 401}
WHY: Final = {"reason": "Ill."}
LEAGUE: Final = {"name": "More", "game": "ra", "form": "once", "members": ["alice", "bob", "olga"], "seed": "s"}
OUTSIDE: Final = dict.fromkeys(ALL - MEMBERS, 404)
SOON: Final = (timezone.now() + timedelta(days=9)).isoformat()


def args_of(*after: Any) -> Maker:
    """Return what fills an address of the club: a word, or a call with the world."""
    return lambda w, _p: [w.club.slug, *(one(w) if callable(one) else one for one in after)]


def in_club(kind: str) -> Any:
    """Return a call that finds the number of the club's one thing of a kind, as in the addresses of the pages."""
    return lambda w: number_of(f"{kind}/", w.club, w.people["opponent"])


def read(name: str, *after: Any, by: frozenset[str] = MEMBERS, visitor: int = 404, **more: Any) -> Verb:
    """Reading something of the club."""
    answers = OUTSIDE | {"visitor": visitor}
    return Verb(name, NOBODY, args=args_of(*after), method="GET", **{"idle": by, "answers": answers, **more})


def do(method: str, name: str, by: frozenset[str], sent: Mapping[str, Any] | Maker | None = None, *after: Any, **more: Any) -> Verb:
    """Changing something of the club."""
    more["answers"] = OUTSIDE | UNSIGNED | more.get("answers", {})
    return Verb(name, by, sent or {}, args=args_of(*after), method=method, **more)


def _pairing(_world: Any) -> int:
    return Pairing.objects.first().pk


def _code(world: Any, _place: Any) -> list[Any]:
    return [world.club.link_code]


def _invitation(world: Any, _place: Any) -> list[Any]:
    return [world.club_invitation]


CONTESTS: Final = (
    read("api-seasons"),
    do("POST", "api-seasons", OFFICERS, {"name": "Summer", "ends_at": SOON}),
    read("api-season", in_club("seasons")),
    do("PATCH", "api-season", OFFICERS, {"name": "Summer"}, in_club("seasons")),
    do("DELETE", "api-season", NOBODY, None, in_club("seasons"), answers=dict.fromkeys(OFFICERS, 409)),  # it is running
    do("POST", "api-season-end", OFFICERS, None, in_club("seasons")),
    read("api-season-leaderboard", in_club("seasons"), "all"),
    do("POST", "api-league-draw", NOBODY, LEAGUE, in_club("seasons"), idle=OFFICERS),
    do("POST", "api-leagues", OFFICERS, LEAGUE, in_club("seasons")),
    read("api-league", in_club("leagues")),
    do("POST", "api-pairing-play", frozenset({"officer", "opponent"}), None, in_club("leagues"), _pairing),  # they are paired
    do("PUT", "api-pairing-deadline", OFFICERS, {"deadline": SOON}, in_club("leagues"), _pairing),
    do("POST", "api-pairing-void", OFFICERS, WHY, in_club("leagues"), _pairing),
    do("POST", "api-entrant-withdraw", OFFICERS, WHY, in_club("leagues"), lambda _w: Entrant.objects.first().pk),
    read("api-duplicates"),
    do("POST", "api-duplicates", OFFICERS, {"name": "Week 2", "game": "ra", "seats": 2, "tables": 2}),
    read("api-duplicate", in_club("duplicates")),
    do("POST", "api-duplicate-sit", MEMBERS, lambda _w, _p: {"table": _of_set(), "seat": 0}, in_club("duplicates")),
    do("POST", "api-duplicate-start", OFFICERS, lambda _w, _p: {"table": _of_set()}, in_club("duplicates"), before=_sits),
    do("POST", "api-duplicate-close", OFFICERS, None, in_club("duplicates")),
    do("POST", "api-duplicate-end", OFFICERS, None, in_club("duplicates")),
)

CLUBS: Final = (
    Verb("api-clubs", NOBODY, method="GET", idle=ALL),
    Verb("api-clubs", NOBODY, method="GET", idle=SIGNED_IN, answers=UNSIGNED, path=lambda _w, _p: "/api/v1/clubs/?list=mine"),
    Verb("api-clubs", ACCOUNTS, {"name": "Ninlil"}, method="POST", answers=UNSIGNED),
    read("api-club"),
    do("PATCH", "api-club", OFFICERS, {"about_en": "On Fridays."}),
    do("PATCH", "api-club", OWNER, {"about_en": "On Fridays.", "joining": "invitation"}),
    do("POST", "api-club-close", OWNER, {"name": "Enlil"}),
    do("POST", "api-club-new-link", OWNER),
    # Ways in and out
    do("POST", "api-club-join", NOBODY, refused=409),
    do("POST", "api-club-ask", NOBODY, refused=409),
    do("POST", "api-club-withdraw", NOBODY, refused=409, answers=dict.fromkeys(SIGNED_IN, 409)),  # as in a club that isn't there
    do("POST", "api-club-leave", MEMBERS - OWNER),
    Verb("api-club-link", NOBODY, args=_code, method="GET", idle=ALL),
    Verb("api-club-link", ACCOUNTS - MEMBERS, args=_code, method="POST", refused=409, answers=UNSIGNED | {"guest": 403}),
    Verb("api-club-invitations", NOBODY, method="GET", idle=SIGNED_IN, answers=UNSIGNED),
    *(
        Verb(f"api-club-invitation-{what}", frozenset({"stranger"}), args=_invitation, method="POST", refused=409, answers=UNSIGNED)
        for what in ("accept", "decline")
    ),
    # People
    read("api-club-members"),
    do("PUT", "api-club-member", OWNER, {"role": "officer"}, "bob"),
    do("PUT", "api-club-member", OWNER, {"role": "owner"}, "bob"),
    do("DELETE", "api-club-member", OFFICERS, None, "bob"),
    read("api-club-requests", by=OFFICERS, visitor=401),
    do("POST", "api-club-request-accept", OFFICERS, None, in_club("requests")),
    do("POST", "api-club-request-decline", OFFICERS, None, in_club("requests")),
    read("api-club-invited", by=OFFICERS, visitor=401),
    do("POST", "api-club-invited", OFFICERS, {"username": "farid"}),
    do("DELETE", "api-club-invited-person", OFFICERS, None, in_club("invitations")),
    read("api-club-bans", by=OFFICERS, visitor=401),
    do("POST", "api-club-bans", OFFICERS, {"username": "farid", "reason": "Rude."}),
    do("DELETE", "api-club-ban", OFFICERS, None, in_club("bans")),
    # What the club tells
    read("api-club-announcements"),
    do("POST", "api-club-announcements", OFFICERS, {"title": "Two"}),
    do("PATCH", "api-club-announcement", OFFICERS, {"is_pinned": True}, in_club("announcements")),
    do("DELETE", "api-club-announcement", OFFICERS, None, in_club("announcements")),
    read("api-club-events"),
    do("POST", "api-club-events", OFFICERS, {"title": "Two", "starts_at": SOON}),
    do("PATCH", "api-club-event", OFFICERS, {"title": "Two"}, in_club("calendar")),
    do("POST", "api-club-event-cancel", OFFICERS, None, in_club("calendar")),
    do("PUT", "api-club-event-answer", MEMBERS, {"answer": "yes"}, in_club("calendar")),
    read("api-club-log", visitor=401),
    read("api-club-leaderboard", "all"),
    read("api-club-records"),
    *CONTESTS,
)
