"""The operations of the API on a private club: whoever is no member gets 404, and visitors who want to change something are asked to sign in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from tests.portal.clubs.test_hostile import number_of
from tests.portal.permissions.clubs import OFFICERS
from tests.portal.permissions.elsewhere import MEMBERS
from tests.portal.permissions.verbs import ACCOUNTS, ALL, OWNER, SIGNED_IN, Maker, Verb

NOBODY: Final[frozenset[str]] = frozenset()
UNSIGNED: Final = {"visitor": 401}
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


def _code(world: Any, _place: Any) -> list[Any]:
    return [world.club.link_code]


def _invitation(world: Any, _place: Any) -> list[Any]:
    return [world.club_invitation]


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
)
