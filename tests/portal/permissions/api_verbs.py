"""The operations of the API: what each sends when it is in order, and who may do it. Reading is one too: it changes nothing for anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils import timezone

from portal.accounts.models import User
from portal.bots.services import make_bot
from portal.matches.models import Match
from portal.matches.services import make_match
from portal.matching.models import Search
from portal.studies.models import Study
from portal.tables.pace import Pace
from rules_docs.models import Book, Chapter, Paragraph
from tests.portal.permissions.api_club_verbs import CLUBS
from tests.portal.permissions.verbs import (
    ACCOUNTS,
    ALL,
    OWNER,
    PLAYERS,
    SIGNED_IN,
    STUDY,
    Maker,
    Verb,
    _asked,
    _at,
    _bot,
    _code,
    _move,
    _move_of_study,
    _moved,
    _start_of_study,
    _studied,
    _studied_by_both,
    _study_asks,
    _terms,
    _undone,
    _version,
)

NOBODY: Final[frozenset[str]] = frozenset()
UNSIGNED: Final = {"visitor": 401}  # before anything else is looked at
JOINS: Final = SIGNED_IN - PLAYERS
PASSWORD: Final = "correct horse"


def _read(name: str, at: str = "", **more: Any) -> Verb:
    """Reading what everybody may read who sees the place."""
    return Verb(name, NOBODY, at=at, method="GET", **{"idle": ALL, **more})


def _do(method: str, name: str, by: frozenset[str], sent: Mapping[str, Any] | Maker | None = None, at: str = "", **more: Any) -> Verb:
    """A change, for which one has to be signed in."""
    more["answers"] = UNSIGNED | more.get("answers", {})
    return Verb(name, by, sent or {}, at, method=method, hidden=UNSIGNED, **more)


def _mine(name: str, at: str = "", by: frozenset[str] = SIGNED_IN, **more: Any) -> Verb:
    """Reading what is one's own."""
    return _read(name, at, **{"idle": by, "answers": UNSIGNED, "hidden": UNSIGNED, **more})


def _names(*names: str) -> Maker:
    return lambda _world, _place: list(names)


def _study_moves(_world: Any, place: Any) -> dict[str, Any]:
    asks = _study_asks(place)
    return {"after": 0, "seat": asks["seat"] - 1, "actions": [asks["action"]]}


def _study_bot(_world: Any, place: Any) -> dict[str, Any]:
    return {"after": 0, "seat": _study_asks(place)["seat"] - 1, "level": "apprentice"}


_MATCH: Final = {"game": "ra", "bots": ["lahmu"], "levels": ["scribe"], "games": 2}


def _bot_account(_world: Any, _place: Any) -> None:
    owner = User.objects.create_user("enheduanna", "enheduanna@example.org", PASSWORD)
    make_bot(owner=owner, username="lahmu")


def _started_match(world: Any, place: Any) -> None:
    _bot_account(world, place)
    make_match(owner=world.people["player"], pace=Pace("live", bank_s=300), **_MATCH)


def _in_match(_world: Any, _place: Any) -> list[Any]:
    return [Match.objects.get().pk]


def _vote(agrees: bool) -> dict[str, Any]:
    return {"sent": {"agrees": agrees}, "args": lambda _w, p: [p.playing, _at(p.playing).vote["at"]], "before": _asked}


def _book(_world: Any, _place: Any) -> None:
    """A book of one paragraph: to load a whole one for each reader would take too long."""
    book = Book.objects.create(game="babel", digest="1", changed_at=timezone.now())
    chapter = Chapter.objects.create(
        book=book, lang="en", slug="setup", number=1, title="Setup", source="", state="draft", is_missing=False, is_outdated=False
    )
    Paragraph.objects.create(
        chapter=chapter, game="babel", lang="en", anchor="setup-1", position=1, number=1, kind="text", text="Sit down.", text_lang="en"
    )


def _written(name: str, *rest: str) -> Verb:
    """Reading a rule book, open to everybody."""
    return _read(name, args=_names("babel", *rest), before=_book)


def _agree(_world: Any, place: Any) -> dict[str, Any]:
    return {"terms": _terms(_world, place)}


STUDIES: Final = PLAYERS | {"spectator"}  # who sees Alice's
INVITED: Final = frozenset({"invited"})
WISH: Final = {"seats": 6, "message": "Another day?"}
BY_LINK: Final[dict[str, Any]] = {"args": _code, "sees": ALL, "only_at": ("public", "link")}

AT_TABLES: Final = (
    *(_read(name, at) for name in ("api-table", "api-log", "api-moves") for at in ("open", "playing", "ended")),
    _read("api-stream", "playing"),
    _read("api-stream", "ended", idle=NOBODY, refused=409),
    _read("api-record", "ended"),
    _read("api-record", "playing", idle=NOBODY, refused=409),
    # Seats
    _do("POST", "api-join", JOINS, at="open", idle=PLAYERS),
    _do("POST", "api-leave", PLAYERS, at="open"),
    _do("POST", "api-leave", PLAYERS, at="playing"),
    _do("POST", "api-come-back", OWNER, at="kept", idle=frozenset({"opponent"})),
    _do("POST", "api-start", OWNER, at="open"),
    # Moves
    _do("POST", "api-act", OWNER, _move, "playing", answers={"opponent": 409}),
    _do("POST", "api-undo", OWNER, _version, "playing", answers={"opponent": 409}, before=_moved),
    _do("POST", "api-redo", OWNER, _version, "playing", answers={"opponent": 409}, before=_undone),
    _do("PUT", "api-order", NOBODY, {"order": "nonsense"}, "playing", answers={"player": 409, "opponent": 400}),
    _do("DELETE", "api-order", NOBODY, at="playing", idle=PLAYERS),
    # Replays
    _read("api-replay", "ended"),
    _read("api-replay", "playing"),
    _read("api-replay-step", args=lambda _w, p: [p.ended, 1]),
    _read("api-replay-step", args=lambda _w, p: [p.ended, 9999], idle=NOBODY, refused=404),
    # Seats of others
    _do("POST", "api-bots", OWNER, {"level": "apprentice"}, "open"),
    _do("DELETE", "api-bot", OWNER, args=lambda w, p: [p.open, _bot(w, p)["seat"]], at="open"),
    _do("POST", "api-rematch", PLAYERS, at="ended"),
    # Votes
    _read("api-votes", "playing"),
    _do("POST", "api-votes", PLAYERS, {"what": "call_off"}, "playing"),
    _do("POST", "api-vote", OWNER, idle=frozenset({"opponent"}), **_vote(agrees=True)),
    _do("POST", "api-vote", PLAYERS, **_vote(agrees=False)),
    # Invitations
    _mine("api-table-invitations", "open", OWNER),
    _do("POST", "api-table-invitations", OWNER, {"who": "olga"}, "open"),
    _do("DELETE", "api-table-invitation", OWNER, args=lambda _w, p: [p.open, p.invitation], at="open"),
    *(
        _do("POST", "api-answer-suggestion", OWNER, {"agrees": agrees}, "open", args=lambda _w, p: [p.open, p.countered])
        for agrees in (True, False)
    ),
    _do("POST", "api-table-link", OWNER, at="open", only_at=("public", "link")),
    _do("POST", "api-table-link", NOBODY, at="open", answers={"player": 422}, only_at=("club",)),
    _mine("api-invitation", "invitation", INVITED, refused=404),
    _do("POST", "api-accept", INVITED, _agree, "invitation", refused=404),
    _do("POST", "api-decline", INVITED, at="invitation", refused=404),
    _do("POST", "api-suggest", INVITED, WISH, "invitation", refused=404),
    _read("api-link", **BY_LINK),
    _do("POST", "api-link-accept", SIGNED_IN - PLAYERS, _agree, idle=PLAYERS, **BY_LINK),
    _do("POST", "api-link-suggest", SIGNED_IN - PLAYERS - INVITED - {"blocked"}, WISH, refused=422, **BY_LINK),
    _do("POST", "api-link-decline", NOBODY, refused=404, **BY_LINK),
    _do(
        "POST",
        "api-link-watch",
        SIGNED_IN - PLAYERS - INVITED - {"spectator", "blocked"},
        idle=PLAYERS | INVITED | {"spectator", "blocked"},
        **(BY_LINK | {"only_at": ("link",)}),
    ),
    # Chat and notes
    _read("api-chat", "playing"),
    _read("api-spectators", "playing"),
    _read("api-chat-room", args=lambda _w, p: [p.playing, "players"]),
    _read("api-chat-room", args=lambda _w, p: [p.playing, "watchers"], idle=SIGNED_IN - PLAYERS, refused=404),
    _do("PUT", "api-chat", SIGNED_IN, {"is_muted": True}, "playing"),
    _do("POST", "api-chat-room", PLAYERS, {"text": "Hello"}, args=lambda _w, p: [p.playing, "players"]),
    _do("POST", "api-chat-room", SIGNED_IN - PLAYERS, {"phrase": "hello"}, args=lambda _w, p: [p.playing, "watchers"]),
    _do("POST", "api-chat-read", SIGNED_IN, lambda _w, p: {"line": p.line}, "playing"),
    _do("POST", "api-chat-report", SIGNED_IN - OWNER, {"reason": "rude"}, args=lambda _w, p: [p.playing, p.line]),
    _mine("api-note", "playing"),
    _do("PUT", "api-note", SIGNED_IN, {"note": "Ask for time."}, "playing"),
    # Studies: the opponent may add to Alice's, the spectator may look
    _do("POST", "api-studies", SIGNED_IN, lambda _w, p: {"table": p.ended, "step": 0, "title": "Mine"}),
    _do("POST", "api-studies", NOBODY, lambda _w, p: {"table": p.playing, "step": 0, "title": "Mine"}, refused=409),
    _read("api-study", "study", idle=STUDIES, **STUDY),
    _read("api-study-position", args=_start_of_study, idle=STUDIES, **STUDY),
    _do("PATCH", "api-study", OWNER, {"title": "Ours", "visibility": "me"}, "study", **STUDY),
    _do("DELETE", "api-study", OWNER, at="study", **STUDY),
    _do("POST", "api-study-moves", PLAYERS, _study_moves, "study", **STUDY),
    _do("POST", "api-study-bots", PLAYERS, _study_bot, "study", **STUDY),
    _do("PATCH", "api-study-move", PLAYERS, {"comment": "Bold.", "mark": "!"}, args=_move_of_study, before=_studied, **STUDY),
    _do("DELETE", "api-study-move", OWNER, args=_move_of_study, before=_studied, **STUDY),
    _do("POST", "api-study-draw", PLAYERS, args=_move_of_study, before=_studied, **STUDY),
    _do("POST", "api-study-promote", OWNER, args=lambda _w, p: [p.study, 2], before=_studied_by_both, **STUDY),
    _mine("api-study-people", "study", OWNER, **STUDY),
    _do("POST", "api-study-people", OWNER, {"username": "dora"}, "study", **STUDY),
    _do("DELETE", "api-study-person", OWNER, args=lambda _w, p: [p.study, "bob"], **STUDY),
    _do("POST", "api-study-new-link", OWNER, at="study", **STUDY),
    _read("api-study-link", args=lambda _w, p: [Study.objects.get(pk=p.study).link_code], idle=STUDIES, **STUDY),
)

ELSEWHERE: Final = (
    _read("api-games"),
    _read("api-archives"),
    _read("api-archive-figures", args=_names("ra"), idle=NOBODY, refused=404),  # none have been made
    _read("api-archive-openings", args=_names("ra"), idle=NOBODY, refused=404),
    _read("api-matches"),
    _do("POST", "api-matches", ACCOUNTS, _MATCH | {"pace": {"kind": "live", "bank_s": 300}}, before=_bot_account),
    _read("api-match", args=_in_match, before=_started_match),
    _read("api-match-games", args=_in_match, before=_started_match),
    _do("POST", "api-match-cancel", OWNER, args=_in_match, before=_started_match),
    _read("api-tables"),
    Verb("api-token", ALL, {"username": "bob", "password": PASSWORD}, method="POST"),
    _do("POST", "api-tables", SIGNED_IN, {"game": "ra", "seats": 2}),
    _do("POST", "api-tables", SIGNED_IN - {"opponent"}, {"game": "ra", "seats": 2, "invite": ["bob"]}, refused=422),
    _mine("api-invitations"),
    _mine("api-my-stream"),
    # People
    _mine("api-me"),
    _do("PATCH", "api-me", SIGNED_IN, {"takes_invitations": False}),
    _do("PATCH", "api-me", ACCOUNTS, {"shows_presence": True}, idle=frozenset({"guest"})),
    _mine("api-people", path=lambda _w, _p: "/api/v1/people/?q=bo"),
    _read("api-person", args=_names("bob")),
    _read("api-person-games", args=_names("bob")),
    _read("api-against", args=_names("alice", "bob")),
    _mine("api-blocks"),
    _do("PUT", "api-block", SIGNED_IN, args=_names("arthur")),
    _do("DELETE", "api-block", OWNER, args=_names("zed"), idle=SIGNED_IN - OWNER),
    # Tokens
    _mine("api-tokens"),
    _do("POST", "api-tokens", ACCOUNTS, {"name": "A bot", "scopes": ["read"]}),
    _do("DELETE", "api-token-revoke", OWNER, args=lambda w, _p: [w.token], refused=404),
    # Applications
    _mine("api-applications"),
    _do("POST", "api-applications", ACCOUNTS, {"name": "Another", "redirects": ["https://example.org/"]}),
    _mine("api-application", args=lambda w, _p: [w.app], by=OWNER, refused=404),
    _do("PATCH", "api-application", OWNER, {"name": "Another"}, args=lambda w, _p: [w.app], refused=404),
    _do("DELETE", "api-application", OWNER, args=lambda w, _p: [w.app], refused=404),
    # Bots: gilga is Alice's
    _read("api-bot-accounts"),
    _read("api-bot-account", args=_names("gilga")),
    _do("POST", "api-challenges", SIGNED_IN - {"blocked"}, {"game": "ra", "seats": 2}, args=_names("gilga"), refused=409),
    _mine("api-my-bots"),
    _do("POST", "api-my-bots", ACCOUNTS, {"username": "enkidu"}),
    _mine("api-my-bot", args=_names("gilga"), by=OWNER, refused=404),
    _do("PATCH", "api-my-bot", OWNER, {"paused": True}, args=_names("gilga"), refused=404),
    _do("DELETE", "api-my-bot", OWNER, args=_names("gilga"), refused=404),
    _mine("api-bot-tokens", args=_names("gilga"), by=OWNER, refused=404),
    _do("POST", "api-bot-tokens", OWNER, {"name": "At home"}, args=_names("gilga"), refused=404),
    _do("DELETE", "api-bot-token", OWNER, args=lambda w, _p: ["gilga", w.bot_token], refused=404),
    # Friends: Alice and arthur; dan has asked her, and she eve
    _mine("api-friends"),
    _do("POST", "api-friend", ACCOUNTS, args=_names("farid")),
    _do("DELETE", "api-friend", OWNER, args=_names("arthur"), refused=404),
    _do("POST", "api-friend-accept", OWNER, args=_names("dan"), refused=404),
    _do("POST", "api-friend-decline", OWNER, args=_names("dan"), refused=404),
    _do("POST", "api-friend-withdraw", OWNER, args=_names("eve"), refused=404),
    # Alice looks for a table
    _mine("api-searches", before=lambda _w, _p: Search.objects.update(seen_at=timezone.now())),
    _do("PUT", "api-search", SIGNED_IN, {"pace": "live"}, args=_names("ra")),
    _do("PUT", "api-search", ACCOUNTS, {"pace": "days"}, args=_names("ra")),
    _do("DELETE", "api-search", OWNER, args=_names("babel"), idle=SIGNED_IN - OWNER),
    # Rule books
    _read("api-books"),
    _read("api-search-books", path=lambda _w, _p: "/api/v1/books/search/?q=temple"),
    _written("api-book"),
    _written("api-chapter", "setup"),
    _written("api-paragraph", "setup-1"),
    _written("api-examples"),
    _written("api-example", "building"),
    _written("api-glossary"),
    _written("api-glossary-entry", "medes"),
    _written("api-aid"),
    *(_read(name, args=_names("babel")) for name in ("api-grammar", "api-game-schema", "api-positions")),
    _read("api-position", args=_names("babel", "building")),
    # Notices
    _mine("api-notices"),
    _mine("api-unread"),
    _do("POST", "api-notices-read", OWNER, lambda w, _p: {"notice": w.notice}, idle=SIGNED_IN - OWNER),
    _mine("api-webhook", by=OWNER, refused=404),
    _do("PATCH", "api-webhook", OWNER, {"posts_moves": True}, refused=404),
    _do("DELETE", "api-webhook", OWNER, idle=SIGNED_IN - OWNER),
    _do("POST", "api-studies-set-up", SIGNED_IN, {"position": {"game": "ra", "seats": 3, "state": {}}, "title": "Mine"}),
    Verb("api-studies", NOBODY, method="GET", idle=SIGNED_IN, answers=UNSIGNED),
    _read("api-studies", path=lambda _w, _p: "/api/v1/studies/?list=public"),
    # Standings
    _read("api-rating-rules"),
    _read("api-leaderboard", args=_names("all")),
    _read("api-seat-effects", args=_names("ra")),
    _read("api-calibration", args=_names("ra")),
    _read("api-person-in-game", args=_names("alice", "ra")),
    *CLUBS,
)
