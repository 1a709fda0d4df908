"""What every game gives and what the portal, the bots and the tests may call: the one authority on names and signatures.

Seats are 0-based; CHANCE and SCORER are actors like seats. A "move" in any figure is one applied action of a seat;
chance outcomes are counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

CHANCE: Final = -1  # dice, draws, shuffles
SCORER: Final = -2  # points at the end of a round, turn, epoch or game; exactly one legal action, "score"


class Rng(Protocol):
    """A source of chance. In play the table's sealed stream, in tests and bots a seeded one."""

    def below(self, n: int, label: str) -> int:
        """Return a uniform integer in 0..n-1. `label` names the purpose ("setup", "bag", "dice", "deck:2")."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence that is still to be said in the reader's language.

    `text` is the English message id with typed fields: `{seat:name}` a seat's player, `{tile:noun}` one glossary id,
    `{tiles:nouns}` a list of them, `{points:signed}` a number with its sign, `{n}` anything else as it is.
    """

    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None  # "ra#auction-3"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as a key and values; the sentence is made in the reader's language.

    `secret` maps a seat to the values that only it may read. `reveals` is true when any seat learned something it could
    not know before: such an event is a barrier for undo.
    """

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None  # "ra#auction-3"
    secret: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    reveals: bool = False


class IllegalAction(ValueError):
    """The action is well formed but not allowed now: reason key, values for the sentence, and the paragraph that says so."""

    def __init__(self, reason: str, rule: str, **params: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule
        self.params = params


class ActionFormatError(ValueError):
    """The text is no action of this game: says what was expected at which place, and which paragraph tells of it."""

    def __init__(self, text: str, rule: str | None = None) -> None:
        super().__init__(text)
        self.rule = rule


class PositionError(ValueError):
    """A position or record cannot be read or cannot be: one line that names the field."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's answer: the action and the terms of the evaluation that led to it, best first (key, value, rule)."""

    action: Any
    reasons: Sequence[tuple[str, float, str | None]] = ()


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a table: what may be set in the lobby before the game is set up."""

    key: str
    default: Any
    choices: Sequence[Any]
    label: str  # message id
    help: str = ""  # message id
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Meta:
    """What is printed on the box, and what the portal must know of a game before a table exists."""

    key: str
    title: str
    designers: Sequence[str]
    publisher: str
    edition: str
    year: int
    seats: Sequence[int]  # seat counts that can be chosen, ascending
    options: Sequence[OptionSpec]
    stage: str  # draft, alpha, beta, stable
    rules_version: int
    automatic: frozenset[str] = frozenset()  # verbs that the service plays when they are the lone legal action
    bot_levels: Sequence[str] = ("apprentice", "scribe")
    quiet: frozenset[str] = frozenset()  # keys of events that a log for people leaves out: the next event says it all
    seats_note: Phrase | None = None  # what one should know when choosing the number of seats
    turn_starts: frozenset[str] = frozenset()  # keys of events that begin a turn (of their `seat`), where turns are told as chains


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One entry of a derivation: points, the paragraph that gives them, and the pieces that earned them."""

    key: str  # "pharaoh_most"; its sentence stands in the game's phrases under "score." + key
    points: int
    rule: str
    pieces: Mapping[str, int] = field(default_factory=dict)  # glossary id -> count


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. Lists are indexed by seat; places start at 1 and tied seats share the better one."""

    places: Sequence[int]
    scores: Sequence[int]
    reason: str  # key of the phrase "end." + reason
    derivation: Sequence[Sequence[tuple[str, Sequence[ScoreLine]]]]  # per seat: (round name key, lines), in play order
    total: str = "sum"  # what a score is: "sum" of all lines, or "least" of the sums of the rounds


def score_of(outcome: Outcome, seat: int) -> int:
    """Return the score that the derivation of a seat adds up to, by `outcome.total`."""
    sums = [sum(line.points for line in lines) for _, lines in outcome.derivation[seat]]
    return min(sums) if outcome.total == "least" else sum(sums)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question. `text` is a prefix of an action's text (or the whole of it)."""

    text: str
    label: Phrase
    picture: str | None = None  # symbol id in the game's sprite
    number: int | None = None  # a number that stands on the picture (a sun)
    selected: bool = False
    target: str | None = None  # id of the piece or cell on the board that is the same control
    irreversible: bool = False  # is confirmed even by who has switched confirming off (a last sun, a turn ended early)
    group: Phrase | None = None  # heading under which a list of many options shows it


@dataclass(frozen=True, slots=True)
class Ask:
    """What a due seat is asked, given the prefix it has chosen so far (a bookmarkable GET value, seen by nobody else)."""

    title: Phrase
    options: Sequence[Option]
    chosen: str = ""  # the prefix this question belongs to
    action: str | None = None  # a whole legal action: the confirm bar shows and POSTs it
    confirm: Phrase | None = None  # the button
    consequence: Phrase | None = None  # what it will do, in one sentence
    hint: Phrase | None = None
    back: str | None = None  # prefix one step back; None at the start
    why_not: Sequence[tuple[Phrase, Phrase]] = ()  # (question, answer with its rule)
    then: Sequence[Option] = ()  # orders that may be given in one go with `action`
    then_label: Phrase | None = None  # what these orders are
    also: Sequence[Phrase] = ()  # what `action` will do besides `consequence`, a sentence each
    refusal: Phrase | None = None  # why the last word of an unusable prefix is not possible; the prefix was cut back
    on_board: bool = False  # the options are places on the board: a list of them may be folded
    closed: Mapping[str, Phrase] = field(default_factory=dict)  # target id -> why this place is not possible now
    held: Sequence[str] = ()  # targets chosen by an earlier word of the prefix that are no options now: marked on the board
    entry: Phrase | None = None  # label of a field in which the next word may be typed (a square, "D2")


class Game(Protocol):
    """All games look like this to everybody else. Actions are values with `str(action)` as their text form.

    A game may give two more, for the figures: `check_invariants(after, before)`, a fault in one line or None (`fuzz`), and
    `round_ending(state)`, how the round that waits for its scoring ended or None (`simulate`).
    """

    meta: Meta

    # positions
    def setup(self, seats: int, options: Mapping[str, Any]) -> Any: ...
    def state_to_json(self, state: Any) -> dict[str, Any]: ...
    def state_from_json(self, data: Mapping[str, Any]) -> Any: ...
    def complete(self, partial: Mapping[str, Any], rng: Rng) -> Any:
        """Return a full state for a position file that names only part of one; refuses what cannot be (PositionError)."""

    # play
    def actors(self, state: Any) -> tuple[int, ...]:
        """Who is due: one seat, several at once, (CHANCE,), (SCORER,), or () at the end."""

    def legal_actions(self, state: Any, actor: int) -> list[Any]:
        """All legal actions of a due seat, in a fixed order, forced ones included; ["score"] for SCORER; not for CHANCE."""

    def sample_action(self, state: Any, actor: int, rng: Rng) -> Any:
        """A legal action without building the list (bots' fast path); every legal action has a positive chance."""

    def sample_chance(self, state: Any, rng: Rng) -> Any: ...

    def apply(self, state: Any, actor: int, action: Any) -> tuple[Any, list[Event]]:
        """The new state and what happened. Never changes `state`. Raises IllegalAction."""

    def outcome(self, state: Any) -> Outcome | None:
        """Places with ties per seat, scores with derivation, reason of the end; None before the end."""

    def playout_moves(self, state: Any, rng: Rng) -> int:
        """Play `state` in place to its end on the fast path and return the moves made (bench and search)."""

    # text
    def parse_action(self, text: str) -> Any: ...  # str(action) is its inverse

    # what others see
    def view_for(self, state: Any, seat: int | None) -> Any: ...
    def sample_state(self, view: Any, rng: Rng) -> Any: ...
    def scene(self, view: Any) -> dict[str, Any]:
        """The drawing of a position for the game's board template; arithmetic here, markup there.

        The page itself reads: `parts` {partial of the template: names of the values it shows} in the order of the board; a part
        with parts of its own is a frame with a hole `<i data-held></i>` for them, and parts that are alike (`row-3`) are drawn by
        the partial before their number, which gets the value of that name as `row`;
        `held` the same of what lies before a player; `players` in seat order, each with `number` (from 1), `is_out`,
        `notes` (phrases) and the values that `held` names; `targets` {id: piece}, to which the page adds `href`, `label` (what
        choosing it does), `picture` and `is_chosen` where an `Option.target` names it, `is_chosen` alone where `Ask.held` does, and
        `closed` (the reason) and `is_refused` where the `Ask` says so. A target that is a place has the `word` that names it in actions and events; the page lists those
        that the latest events name as `recent`. A partial may use nothing but these values, `names` and `lang`.
        """

    def legal_for_view(self, view: Any) -> list[Any]:
        """The legal actions of the viewing seat, from what it knows alone; [] when it is not due."""

    # questions and words
    # Message ids (see Phrase) by key: an event's key as it is (".me" where the reader is the event's `seat`, ".known" where the
    # reader may read its secret), IllegalAction.reason, "score." + ScoreLine.key, "round." + round name, "end." + Outcome.reason, and
    # "step." + an event's key: the same in a few words, for the chain of a turn (Meta.turn_starts).
    phrases: Mapping[str, str]

    def ask(self, view: Any, chosen: str = "") -> Ask | None:
        """The question for the viewing seat; None when it is not due. An unusable prefix is cut back to the usable part."""

    # answers in advance (private to a seat, kept outside the state)
    def orders(self, view: Any) -> Sequence[Option]:
        """Orders that the viewing seat could give now for a moment at which it is not yet due; `text` is the order."""

    def answer_by_order(self, view: Any, order: str) -> Any | None:
        """The action that a due seat's order gives; None when the situation it was given for has gone."""

    def order_stands(self, view: Any, order: str) -> bool:
        """Whether the order can still be used at some later moment of this situation."""

    # bots
    def choose_action(self, view: Any, level: str, rng: Rng, budget_s: float | None = None) -> Choice: ...
