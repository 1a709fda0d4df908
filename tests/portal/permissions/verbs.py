"""The verbs at a table and in a study: what the form of an address sends when it is in order, and who may send it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.registry import game
from portal.studies import lines
from portal.studies import services as studies
from portal.studies.models import Study
from portal.tables import inviting, services, voting
from portal.tables.loading import load

ROLES: Final = (
    "visitor",
    "guest",
    "stranger",
    "member",  # of the club
    "officer",
    "player",  # Alice
    "opponent",
    "spectator",
    "blocked",  # by Alice; watches too
    "invited",  # to the open table
    "moderator",
)
ALL: Final = frozenset(ROLES)
SIGNED_IN: Final = ALL - {"visitor"}
ACCOUNTS: Final = SIGNED_IN - {"guest"}
OWNER: Final = frozenset({"player"})
PLAYERS: Final = frozenset({"player", "opponent"})
LOGIN: Final = 1  # in place of a status: asked to sign in first
Maker = Callable[[Any, Any], Any]  # of the world and the place


@dataclass(frozen=True)
class Verb:
    """One thing that somebody can do by a POST, or by a request of the API.

    `by` are the roles that may. Who may not gets the answer for their role in `answers`, else `refused`; who may not see the place, 404, or what
    `hidden` has for them. For roles in `idle` the answer is as for those who may, and nothing changes: it is about something that isn't theirs, done
    already, or kept by the browser.
    """

    name: str  # of the address
    by: frozenset[str]
    sent: Mapping[str, Any] | Maker = field(default_factory=dict)
    at: str = ""  # which number of the place or the world is in the address
    args: Maker | None = None  # of the address, where it has others
    path: Maker | None = None  # the address itself, in place of its name
    refused: int = 403
    answers: Mapping[str, int] = field(default_factory=dict)
    hidden: Mapping[str, int] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    before: Maker | None = None  # what has to have happened
    sees: frozenset[str] | None = None  # who sees it, if not those who see the place
    only_at: tuple[str, ...] = ("public", "club", "link")
    method: str = ""  # of the API; "" for the form of a page

    def __str__(self) -> str:
        sent = "" if callable(self.sent) else " ".join(f"{name}={value}" for name, value in self.sent.items())
        return f"{self.method} {self.name} {sent}".strip()


def _at(pk: int) -> Any:
    return load(pk).table


def _move(world: Any, place: Any) -> dict[str, Any]:
    loaded = load(place.playing)
    action = str(loaded.game.legal_actions(loaded.state, loaded.table.due[0])[0])
    return {"action": action, "expected_version": loaded.table.version}


def _version(world: Any, place: Any) -> dict[str, Any]:
    return {"expected_version": _at(place.playing).version}


def _moved(world: Any, place: Any) -> None:
    services.submit_action(table_id=place.playing, user=world.people["player"], **_move(world, place))


def _undone(world: Any, place: Any) -> None:
    _moved(world, place)
    services.undo_action(table_id=place.playing, user=world.people["player"], **_version(world, place))


def _asked(world: Any, place: Any) -> None:
    voting.ask(table_id=place.playing, user=world.people["opponent"], what="call_off", about=None)


def _terms(world: Any, place: Any) -> str:
    return inviting.terms_of(_at(place.open))


def _bot(world: Any, place: Any) -> dict[str, Any]:
    return {"seat": next(seat.index for seat in load(place.open).seats if seat.bot_level)}


def _code(world: Any, place: Any) -> list[Any]:
    return [place.code]


def _study_asks(place: Any) -> dict[str, Any]:
    study = Study.objects.get(pk=place.study)
    state, rules = lines.state_after(study, studies.tree(study).path(0)), game(study.game)
    seat = rules.actors(state)[0]
    return {"seat": seat + 1, "action": str(rules.legal_actions(state, seat)[0])}


def _studied(world: Any, place: Any) -> None:
    asks = _study_asks(place)
    studies.play(study_id=place.study, user=world.people["player"], codes={}, after=0, seat=asks["seat"] - 1, actions=[asks["action"]])


def _commented(world: Any, place: Any) -> None:
    _studied(world, place)
    studies.comment(study_id=place.study, user=world.people["player"], codes={}, number=1, text="Bold.", mark="")


def _studied_by_both(world: Any, place: Any) -> None:
    _studied(world, place)
    studies.draw_again(study_id=place.study, user=world.people["opponent"], codes={}, number=1)


def _start_of_study(world: Any, place: Any) -> list[Any]:
    return [place.study, 0]


def _move_of_study(world: Any, place: Any) -> list[Any]:
    return [place.study, 1]


def _own(name: str, at: str, sent: Any = None) -> Verb:
    """A verb of the owner of an open table."""
    return Verb(name, OWNER, sent or {}, at)


ASKED: Final = {"visitor": LOGIN}
STUDY: Final[dict[str, Any]] = {"sees": PLAYERS | {"spectator"}}
COUNTER: Final = {"do": "counter", "seats": "6", "rated": "on", "message": "Another day?"}
JOINS: Final = SIGNED_IN - PLAYERS

VERBS: Final = (
    # Seats
    Verb("lobby-join", ALL - PLAYERS, at="open", idle=PLAYERS),
    Verb("table-join", JOINS, at="open", idle=PLAYERS, answers=ASKED, hidden=ASKED),
    Verb("table-leave", PLAYERS, at="open"),
    Verb("table-leave", PLAYERS, at="playing"),
    Verb("table-come-back", OWNER, at="kept", idle=frozenset({"opponent"})),
    _own("table-start", "open"),
    _own("table-add-bot", "open", {"level": "apprentice"}),
    _own("table-remove-bot", "open", _bot),
    # Moves
    Verb("table-act", OWNER, _move, "playing", answers={"opponent": 409}),
    Verb("table-undo", OWNER, _version, "playing", answers={"opponent": 409}, before=_moved),
    Verb("table-redo", OWNER, _version, "playing", answers={"opponent": 409}, before=_undone),
    Verb("table-order", frozenset(), {"order": ""}, "playing", idle=PLAYERS),
    # Votes
    Verb("table-ask", PLAYERS, {"what": "call_off"}, "playing"),
    Verb("table-ask", PLAYERS, {"what": "no_clocks"}, "playing"),
    Verb("table-ask", PLAYERS, lambda _w, p: {"what": f"time {_at(p.playing).due[0]}"}, "playing"),
    Verb("table-answer", OWNER, lambda _w, p: {"yes": _at(p.playing).vote["at"]}, "playing", idle=frozenset({"opponent"}), before=_asked),
    Verb("table-answer", PLAYERS, lambda _w, p: {"no": _at(p.playing).vote["at"]}, "playing", before=_asked),
    # Invitations
    Verb("table-invite", OWNER, {"who": "olga"}, "open", idle=SIGNED_IN - OWNER, answers={"visitor": 404}),  # the page says why not
    _own("table-take-back", "open", lambda _w, p: {"invitation": p.invitation}),
    _own("table-grant", "open", lambda _w, p: {"invitation": p.countered}),
    _own("table-insist", "open", lambda _w, p: {"invitation": p.countered}),
    Verb("table-link", OWNER, at="open", only_at=("public", "link")),
    Verb("table-link", frozenset(), at="open", answers={"player": 422}, only_at=("club",)),
    *(
        Verb("invitation", frozenset({"invited"}), sent, "invitation", refused=404)
        for sent in (lambda w, p: {"do": "accept", "terms": _terms(w, p)}, {"do": "decline"}, COUNTER)
    ),
    Verb(
        "invitation-by-code",
        ALL - PLAYERS - {"invited"},
        lambda w, p: {"terms": _terms(w, p)},
        args=_code,
        idle=PLAYERS | {"invited"},
        sees=ALL,
        only_at=("public", "link"),
    ),
    Verb(
        "invitation-by-code",
        ALL - PLAYERS - {"invited", "blocked"},
        COUNTER,
        args=_code,
        idle=PLAYERS | {"invited"},
        answers={"blocked": 422},
        sees=ALL,
        only_at=("public", "link"),
    ),
    Verb(
        "invitation-by-code",
        ALL - PLAYERS - {"invited", "spectator", "blocked"},
        {"do": "watch"},
        args=_code,
        idle=PLAYERS | {"invited", "spectator", "blocked"},
        sees=ALL,
        only_at=("link",),
    ),
    Verb("table-rematch", PLAYERS, at="ended", answers={"visitor": 404}),
    # What is made of a game
    Verb("table-report", ALL, at="ended"),
    Verb("table-report", frozenset(), at="playing", refused=409),
    Verb("table-study", ALL, {"step": "0", "seat": "1"}, "ended"),
    Verb("table-study", frozenset(), {"step": "0", "seat": "1"}, "playing", refused=409),
    Verb("study-new", ALL, {"step": "0", "title": "Mine"}, "ended"),
    Verb("study-new", frozenset(), {"step": "0", "title": "Mine"}, "playing", refused=409),
    # Chat, notes, reports
    Verb("table-talk-say", PLAYERS, {"room": "players", "text": "Hello"}, "playing", answers=ASKED),
    Verb("table-talk-say", PLAYERS, {"room": "players", "phrase": "hello"}, "playing", answers=ASKED),
    Verb("table-talk-say", SIGNED_IN - PLAYERS, {"room": "watchers", "text": "Hello"}, "playing", answers=ASKED),
    Verb("table-talk-mute", SIGNED_IN, {}, "playing", answers=ASKED),
    Verb("table-talk-note", SIGNED_IN, {"note": "Ask for time."}, "playing", answers=ASKED),
    Verb(
        "table-talk-line",
        SIGNED_IN - OWNER,
        {"reason": "rude"},
        args=lambda _w, p: [p.playing, p.line],
        answers=ASKED,
        hidden=ASKED,
    ),
    Verb("report-study", frozenset({"opponent", "spectator"}), {"reason": "rude"}, "study", hidden=ASKED, **STUDY),
    Verb(
        "report-comment",
        frozenset({"opponent", "spectator"}),
        {"reason": "rude"},
        args=lambda _w, p: [p.study, 1],
        before=_commented,
        hidden=ASKED,
        **STUDY,
    ),
    # Studies: the opponent may add to Alice's, the spectator may look
    Verb("study-play", PLAYERS, lambda _w, p: _study_asks(p), args=_start_of_study, **STUDY),
    Verb("study-bot", PLAYERS, lambda _w, p: _study_asks(p) | {"level": "apprentice"}, args=_start_of_study, **STUDY),
    Verb("study-comment", PLAYERS, {"comment": "Bold.", "mark": "!"}, args=_move_of_study, before=_studied, **STUDY),
    Verb("study-line", PLAYERS, {"do": "draw"}, args=_move_of_study, before=_studied, **STUDY),
    Verb("study-line", OWNER, {"do": "delete"}, args=_move_of_study, before=_studied, **STUDY),
    Verb("study-line", OWNER, {"do": "promote"}, args=lambda _w, p: [p.study, 2], before=_studied_by_both, **STUDY),
    *(
        Verb("study-settings", OWNER, sent, "study", refused=404, **STUDY)
        for sent in (
            {"do": "share", "title": "Ours", "visibility": "me"},
            {"do": "let_in", "who": "dora"},
            {"do": "renew"},
            {"do": "delete"},
        )
    ),
)
