"""A game for the tests only: two players take one or two stones in turn; whoever takes the last one wins.

It has everything a game has (chance, scoring, a board, a question in steps) and shares nothing with the others.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from games.core.contract import (
    CHANCE,
    SCORER,
    ActionFormatError,
    Ask,
    Choice,
    Event,
    Game,
    IllegalAction,
    Meta,
    Option,
    OptionSpec,
    Outcome,
    Phrase,
    PositionError,
    ScoreLine,
)
from games.core.grammar import ActionForm, numbers, one

SMALLEST, SIZES, MOST = 5, 5, 2
META = Meta(
    key="nim",
    title="Nim",
    designers=("nobody",),
    publisher="nobody",
    edition="of the tests",
    year=1901,
    seats=(2,),
    options=(OptionSpec("pile", "short", ("short", "long"), "Pile"),),
    rules_version=1,
    automatic=frozenset({"take"}),
)
PHRASES = {
    "dealt": "{n} stones lie there.",
    "took": "{seat:name} took {n}.",
    "scored": "The stones were counted.",
    "refused.too_many": "There are only {n} stones left.",
    "refused.not_due": "It is not your turn.",
    "score.last": "the last stone",
    "round.game": "The game",
    "end.empty": "No stone is left.",
}
FORMS = (
    ActionForm("take", "Take stones.", "nim#turn-1", "take 1", ((one("count", numbers(1, 99)),),)),
    ActionForm("pile", "Stones are laid out.", "nim#setup-1", "pile 7", ((one("count", numbers(1, 99)),),), by="chance"),
    ActionForm("score", "The stones are counted.", "nim#end-1", "score", by="scorer"),
)


@dataclass(frozen=True, slots=True)
class State:
    long: bool
    pile: int = -1  # -1: not dealt
    due: int = 0
    is_scored: bool = False


@dataclass(frozen=True, slots=True)
class View:
    seat: int | None
    state: State


@dataclass(frozen=True, slots=True)
class Action:
    verb: str
    n: int = 0

    def __str__(self) -> str:
        return f"{self.verb} {self.n}" if self.n else self.verb


def parse_action(text: str) -> Action:
    verb, _, number = text.partition(" ")
    if verb == "score" and not number:
        return Action("score")
    if verb in ("take", "pile") and number.isdigit() and number.isascii() and len(number) < 3 and number[0] != "0":
        return Action(verb, int(number))
    raise ActionFormatError("expected: take N")


def state_from_json(data: Any) -> State:
    try:
        return State(**data)
    except TypeError as error:
        raise PositionError(f"state: {error}") from None


def actors(state: State) -> tuple[int, ...]:
    if state.pile < 0:
        return (CHANCE,)
    if state.pile:
        return (state.due,)
    return () if state.is_scored else (SCORER,)


def legal_actions(state: State, actor: int) -> list[Action]:
    if actor not in actors(state) or actor == CHANCE:
        return []
    return [Action("score")] if actor == SCORER else [Action("take", n) for n in range(1, min(MOST, state.pile) + 1)]


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    if actor not in actors(state):
        raise IllegalAction("refused.not_due", "nim#turn-1")
    if actor == CHANCE:
        return replace(state, pile=action.n), [Event("dealt", {"n": action.n}, "nim#setup-1", reveals=True)]
    if actor == SCORER:
        return replace(state, is_scored=True), [Event("scored", {}, "nim#end-1")]
    if action not in legal_actions(state, actor):
        raise IllegalAction("refused.too_many", "nim#turn-2", n=state.pile)
    return replace(state, pile=state.pile - action.n, due=1 - actor), [Event("took", {"seat": actor, "n": action.n}, "nim#turn-1")]


def outcome(state: State) -> Outcome | None:
    if not state.is_scored:
        return None
    scores = [int(seat != state.due) for seat in (0, 1)]
    derivation = [[("game", [ScoreLine("last", points, "nim#end-1")])] for points in scores]
    return Outcome([2 - points for points in scores], scores, "empty", derivation)


def ask(view: View, chosen: str = "") -> Ask | None:
    legal = [str(action) for action in legal_for_view(view)]
    if not legal:
        return None
    options = [Option(text, Phrase("Take {n}", {"n": text[5:]}), "nim-stone", selected=text == chosen, target="heap") for text in legal]
    action = chosen if chosen in legal else None
    return Ask(Phrase("How many stones?", rule="nim#turn-1"), options, action or "", action, back="" if action else None)


def legal_for_view(view: View) -> list[Action]:
    return legal_actions(view.state, view.seat) if view.seat is not None else []


def scene(view: View) -> dict[str, Any]:
    heap = {"id": "heap", "pile": view.state.pile}
    players = [{"number": seat + 1, "is_out": False, "notes": [], "turns": view.state.due == seat} for seat in (0, 1)]
    return {"parts": {"heap": ("heap",)}, "held": {"hand": ("turns",)}, "heap": heap, "players": players, "targets": {"heap": heap}}


def sample_action(state: State, actor: int, rng: Any) -> Action:
    legal = legal_actions(state, actor)
    return legal[rng.below(len(legal), "sample")]


game = Game(
    meta=META,
    phrases=PHRASES,
    setup=lambda seats, options: State(options["pile"] == "long"),
    state_to_json=asdict,
    state_from_json=state_from_json,
    complete=lambda partial, rng: state_from_json(partial),
    actors=actors,
    legal_actions=legal_actions,
    sample_action=sample_action,
    sample_chance=lambda state, rng: Action("pile", SMALLEST * (1 + state.long) + rng.below(SIZES, "pile")),
    apply=apply,
    outcome=outcome,
    parse_action=parse_action,
    view_for=lambda state, seat: View(seat, state),
    sample_state=lambda view, rng: view.state,
    scene=scene,
    legal_for_view=legal_for_view,
    ask=ask,
    grammar=lambda: FORMS,
    choose_action=lambda view, level, rng, budget_s=None: Choice(legal_for_view(view)[-1]),
)
