"""What every game provides, and what the portal, the bots and the tests may call: the one authority on names and signatures.

Seats are 0-based; CHANCE and SCORER are actors like seats. A "move" in any figure is one applied action of a seat;
chance outcomes are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from games.core.editing import Editing
    from games.core.grammar import ActionForm
    from games.core.learner import AnyLearner
    from games.core.sense import Sense
    from games.core.svg import Sheet

CHANCE: Final = -1  # dice, draws, shuffles
SCORER: Final = -2  # points at the end of a round, turn, epoch or game; exactly one legal action, "score"
NO_SEAT: Final = -3  # nobody, in place of a seat; null in JSON positions

Weight = Literal["light", "medium", "heavy"]
Sound = Literal["bid", "war"]  # what an event sounds like at a table where sounds are on

State = TypeVar("State")
Action = TypeVar("Action")
View = TypeVar("View")
Action_ = TypeVar("Action_", covariant=True)
View_ = TypeVar("View_", contravariant=True)


class Rng(Protocol):
    """A source of chance. At a table it is the sealed stream; in tests and bots, a seeded one."""

    def below(self, n: int, label: str) -> int:
        """Return a uniform integer in 0..n-1. `label` names the purpose ("setup", "bag", "dice", "deck:2")."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence not yet put into the reader's language.

    `text` is the English message id with typed fields: `{seat:name}` a seat's player, `{tile:noun}` one glossary id,
    `{tiles:nouns}` a list of them, `{points:signed}` a number with its sign, `{n}` anything else, unchanged.
    """

    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None  # "ra#auction-3"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as a key and values; the sentence is built later, in the reader's language.

    `secret` maps a seat to the values that only it may read. `reveals` is true when any seat learned something it could
    not know before: such an event is a barrier for undo.
    """

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str | None = None  # "ra#auction-3"
    secret: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    reveals: bool = False


class IllegalAction(ValueError):
    """The action is well formed but not allowed now: the reason's key, the sentence's values, and the paragraph that says so."""

    def __init__(self, reason: str, rule: str, **params: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule
        self.params = params


class ActionFormatError(ValueError):
    """The text names no action of this game; says what was expected, at which place, and which paragraph explains it."""

    def __init__(self, text: str, rule: str | None = None) -> None:
        super().__init__(text)
        self.rule = rule


class PositionError(ValueError):
    """A position or record is unreadable or impossible: one line, in English, that names the field.

    `where` is that field, as the file has it, and `what` the fault as a sentence for readers of other languages; None where there is only the
    line. `game` is the key of the game whose nouns the sentence uses, if it uses any.
    """

    def __init__(self, line: str, *, where: str = "", what: Phrase | None = None, game: str = "") -> None:
        super().__init__(line)
        self.where = where
        self.what = what
        self.game = game


@dataclass(frozen=True, slots=True)
class Choice(Generic[Action_]):
    """A bot's answer: the action and the terms of the evaluation behind it, best first (key, value, rule).

    Values are floats, counts too: a compiled engine has nothing else where the source says float, and both forms answer alike.
    `ranked` holds the actions that were weighed against each other, each with its worth in the game's points, best first; () where a level
    weighs none, or where there is nothing to choose. `marks` are ids of targets of the scene at which to look.
    """

    action: Action_
    reasons: Sequence[tuple[str, float, str | None]] = ()
    ranked: Sequence[tuple[Action_, float]] = ()
    marks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a table, set in the lobby before the game is set up."""

    key: str
    default: Any
    choices: Sequence[Any]
    label: str  # message id
    help: str = ""  # message id
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Meta:
    """What is printed on the box, and what the portal must know about a game before a table exists."""

    key: str
    title: str  # message id
    designers: Sequence[str]
    publisher: str
    edition: str
    year: int
    seats: Sequence[int]  # player counts that can be chosen, ascending
    options: Sequence[OptionSpec]
    rules_version: int
    automatic: frozenset[str] = frozenset()  # verbs that the service plays when they are the only legal action
    bot_levels: Sequence[str] = ("apprentice", "scribe")
    quiet: frozenset[str] = frozenset()  # keys of events that the readable log leaves out, because the next event says it all
    leads: frozenset[str] = frozenset()  # keys of events that only lead to the next one (a cost); a turn told briefly tells them last
    seats_note: Phrase | None = None  # what to know when choosing the number of players
    turn_starts: frozenset[str] = frozenset()  # keys of events that start a turn (of their `seat`), where a turn is shown as a chain
    # What a replay marks besides scorings: keys of events that begin or end a turn (none: wherever another seat acts), and of conflicts.
    turn_marks: frozenset[str] = frozenset()
    conflicts: frozenset[str] = frozenset()
    clearings: frozenset[str] = frozenset()  # keys of events that empty the board before the final scoring
    # Keys of events that score a round of the derivation for their `seat`, in the order of its rounds (those before the first are not counted).
    round_scores: frozenset[str] = frozenset()
    # The column of the result ("round.red", "score.medes") to which an event added points of its `seat`, where points come all through the
    # game instead of by rounds; None for other events.
    scored_in: Callable[[Event], str | None] | None = None
    sounds: Mapping[str, Sound] = field(default_factory=dict)  # for keys of events; dice and points have theirs without being named
    # For keys of events: the symbols, in the game's sprite or `zg-` ones, of what was done besides the pieces that the sentence names.
    # A field is a value of the event ("ba-temple-{n}").
    pictures: Mapping[str, str] = field(default_factory=dict)
    # For the front page. `minutes` is the length of a game (shortest, longest); the game says where it comes from.
    theme: str = ""  # message id: what one does in this game, in one sentence
    minutes: tuple[int, int] | None = None
    starts: str = ""  # message id: who starts, and in which order the others follow, in one sentence
    bots_weigh: str = ""  # message id: what bots of this game weigh, in one sentence for players
    bots_lack: str = ""  # message id: what they can't do in it
    weight: Weight | None = None  # how much there is to learn and to weigh, on our own scale: a rule read in ten minutes is "light"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One entry of a score breakdown: the points, the paragraph that awards them, and the pieces that earned them."""

    key: str  # "pharaoh_most"; its sentence is in the game's phrases under "score." + key
    points: int
    rule: str
    pieces: Mapping[str, int] = field(default_factory=dict)  # glossary id -> count


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. Lists are indexed by seat; places start at 1 and tied seats share the better place."""

    places: Sequence[int]
    scores: Sequence[int]
    reason: str  # key of the phrase "end." + reason
    derivation: Sequence[Sequence[tuple[str, Sequence[ScoreLine]]]]  # per seat: (round name key, lines), in play order
    total: str = "sum"  # how the score is computed: the "sum" of all lines, or the "least" of the rounds' sums


def score_of(outcome: Outcome, seat: int) -> int:
    """Return the score that a seat's derivation gives under `outcome.total`."""
    sums = [sum(line.points for line in lines) for _, lines in outcome.derivation[seat]]
    return min(sums) if outcome.total == "least" else sum(sums)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question. `text` is a prefix of an action's text (or the whole of it)."""

    text: str
    label: Phrase
    picture: str | None = None  # symbol id in the game's sprite
    number: int | None = None  # a number shown on the picture (a sun)
    selected: bool = False
    target: str | None = None  # id of the piece or cell on the board that acts as the same control
    # A whole action is played by one click, unless the player wants to confirm all moves or the game says here that this one matters:
    irreversible: bool = False  # is confirmed: it can't be undone and weighs, or costs something (a last sun, a turn ended early)
    recall: bool = False  # can't be undone, but isn't worth a question (a drawn tile): for a moment, the button withdraws it
    group: Phrase | None = None  # heading for it in a long list of options
    gathers: bool = False  # a whole action that isn't played at once: more can be gathered with it (`Ask.plan`)
    is_place: bool | None = None  # whether it is a place on the board; None: its text says so (`Ask.stem`)
    aside: bool = False  # may be given with many questions, and rarely is: folded below the others, under its heading


@dataclass(frozen=True, slots=True)
class Lot:
    """One kind of piece in a basket: how many there are, and what each is worth. `text` is the action that spends one."""

    text: str
    label: Phrase
    picture: str | None
    have: int
    worth: int


@dataclass(frozen=True, slots=True)
class Basket:
    """Several actions of one kind, chosen together and played one after another: each lot as often as it was taken, then `last`."""

    lots: Sequence[Lot]
    label: Phrase  # of the total
    base: int  # what the total is before anything is taken
    last: str
    confirm: Phrase  # the button
    levels: Sequence[tuple[int, Phrase]] = ()  # what the total means from each of these values on, ascending


@dataclass(frozen=True, slots=True)
class Link:
    """An action that is chosen but not played yet, with the prefixes that change the plan it is in."""

    label: Phrase
    name: Phrase  # short, beside the pictures
    pictures: Sequence[str | None]  # what goes, what comes
    held: Sequence[tuple[str | None, Phrase, int]] = ()  # what one has after it: symbol, name, number
    without: str = ""  # the plan without it
    change: str = ""  # the plan, with another action to be chosen in its place
    count: int | None = None  # of pieces, if there is a choice: `less` may be the plan without it
    less: str = ""
    more: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions that are gathered one by one and played together, in this order, all or none.

    In a prefix and in `send` they stand with " then " between them.
    """

    links: Sequence[Link]
    asked: Ask | None = None  # what can be gathered next, in place of the question's own options; None: a link is being chosen
    send: str | None = None  # all of it, as it is played; None: not yet
    confirm: Phrase | None = None
    notes: Sequence[Phrase] = ()  # what else the last link does
    told: Sequence[Phrase] = ()  # what follows when it has been played
    go_on: tuple[str, Phrase] | None = None  # all of it as it is played without ending the turn, and the button for that
    full: Phrase | None = None  # why not everything that could follow is offered: the list is as long as it may be


@dataclass(frozen=True, slots=True)
class Ask:
    """What a due seat is asked, given the prefix it has chosen so far (a bookmarkable GET value, seen by nobody else)."""

    title: Phrase
    options: Sequence[Option]
    chosen: str = ""  # the prefix this question belongs to
    action: str | None = None  # a complete legal action, which the confirm bar shows and POSTs
    confirm: Phrase | None = None  # the button
    consequence: Phrase | None = None  # what the action will do, in one sentence
    hint: Phrase | None = None
    back: str | None = None  # the prefix one step back; None at the start
    why_not: Sequence[tuple[Phrase, Phrase]] = ()  # (question, answer with its rule)
    then: Sequence[Option] = ()  # orders that may be given together with `action`
    then_label: Phrase | None = None  # what these orders are
    also: Sequence[Phrase] = ()  # what else `action` will do, one sentence each
    odds: tuple[int, int, int] | None = None  # if `action` leads to dice: won, tied, lost, in per cent
    refusal: Phrase | None = None  # why the last word of an unusable prefix is impossible; the prefix was cut back
    on_board: bool = False  # the options are places on the board, so their list may be collapsed
    stem: str | None = None  # if only some of the options are places: the word that these start with ("conquer")
    closed: Mapping[str, Phrase] = field(default_factory=dict)  # target id -> why this place cannot be chosen now
    held: Sequence[str] = ()  # targets chosen earlier in the prefix and no longer options; marked on the board
    entry: Phrase | None = None  # label of a field for typing the next word (a square, "D2")
    basket: Basket | None = None  # the options that its lots name can also be taken together
    plan: Plan | None = None  # what has been gathered, and what can be added


class Asker(Protocol[View_]):
    """The question for the viewing seat; None if it is not due. An unusable prefix is cut back to its usable part."""

    def __call__(self, view: View_, /, chosen: str = "") -> Ask | None: ...


class Chooser(Protocol[View_, Action_]):
    """A bot of one level: answers from what its seat may know, within `budget_s` seconds if given."""

    def __call__(self, view: View_, /, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action_]: ...


def _no_orders(view: object) -> Sequence[Option]:
    return ()


def _no_answer(view: object, order: str) -> None:
    return None


def _never_stands(view: object, order: str) -> bool:
    return False


def _no_forms() -> Sequence[ActionForm]:
    return ()


def _no_fault(after: object, before: object) -> None:
    return None


def _no_ending(state: object) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Game(Generic[State, Action, View]):
    """One game as the rest of the project sees it: plain functions on its own states, actions and views.

    Actions are values with `str(action)` as their text form. Fields with a default are optional.
    """

    meta: Meta

    # Message ids (see Phrase) by key: an event's key (plus ".me" if the reader is the event's `seat`, ".known" if the
    # reader may read its secret), IllegalAction.reason, "score." + ScoreLine.key, "round." + round name, "end." + Outcome.reason, and
    # "step." + an event's key: the same in a few words, for a turn's chain (Meta.turn_starts).
    phrases: Mapping[str, str]

    # Positions. `complete` returns a full state from a position file that names only part of one, and refuses the impossible
    # (PositionError).
    setup: Callable[[int, Mapping[str, Any]], State]  # seats, options
    state_to_json: Callable[[State], dict[str, Any]]
    state_from_json: Callable[[Mapping[str, Any]], State]
    complete: Callable[[Mapping[str, Any], Rng], State]

    # Who is due: one seat, several at once, (CHANCE,), (SCORER,), or () at the end.
    actors: Callable[[State], tuple[int, ...]]
    # All legal actions of a due seat, in a fixed order, forced ones included; ["score"] for SCORER; not for CHANCE.
    legal_actions: Callable[[State, int], list[Action]]
    # A legal action, chosen without building the list (the bots' fast path); every legal action has a positive chance.
    sample_action: Callable[[State, int, Rng], Action]
    sample_chance: Callable[[State, Rng], Action]
    # The new state and what happened. Never changes its input. Raises IllegalAction.
    apply: Callable[[State, int, Action], tuple[State, list[Event]]]
    # Places (with ties), scores with their derivation, the reason the game ended; None before the end.
    outcome: Callable[[State], Outcome | None]
    parse_action: Callable[[str], Action]  # str(action) is its inverse; raises ActionFormatError

    # What a seat may see; None is a spectator. `sample_state` returns a full state that this view fits.
    view_for: Callable[[State, int | None], View]
    sample_state: Callable[[View, Rng], State]
    # The legal actions of the viewing seat, from what it knows alone; [] if it is not due.
    legal_for_view: Callable[[View], list[Action]]

    # How to draw a position in the game's board template: arithmetic here, markup there. The page itself reads:
    # `parts` {partial of the template: names of the values it shows} in board order; a part with parts of its own is a
    # frame with a hole `<i data-held></i>` for them, and numbered parts (`row-3`) are drawn by the partial named before the number,
    # which gets the value of that name as `row`;
    # `held`, the same for what is in front of a player; `players` in seat order, each with `number` (from 1), `is_out`, `notes` (phrases)
    # and the values that `held` names; `targets` {id: piece}, to which the page adds `href`, `label` (what choosing it does),
    # `picture` and `is_chosen` if an `Option.target` names it, `is_chosen` alone if `Ask.held` does, and `closed` (the reason)
    # and `is_refused` if the `Ask` says so. A target that is a place has the `word` that names it in actions and events; the page
    # lists the places in the latest events as `recent`. A partial may use only these values, `names` and `lang`.
    scene: Callable[[View], dict[str, Any]]
    ask: Asker[View]
    choose_action: Chooser[View, Action]
    # A position as one file of SVG that needs nothing else, in the words and looks of the sheet (`games/core/svg.py`); None: there are none.
    picture: Callable[[View, Sheet], str] | None = None
    # How the value that `master` plays by is learned (`train`); None: it is not. Only bots and training need what it imports.
    learner: Callable[[], AnyLearner] | None = None

    # Answers in advance, private to a seat and kept outside the state. `orders` lists those the viewing seat could give now for
    # a time when it is not yet due; `answer_by_order` is the action that a due seat's order gives, or None if the situation it
    # was given for has passed; `order_stands` tells whether it could still apply later in the same situation.
    orders: Callable[[View], Sequence[Option]] = _no_orders
    answer_by_order: Callable[[View, str], Action | None] = _no_answer
    order_stands: Callable[[View, str], bool] = _never_stands

    # The forms of the actions as text, for people and programs; together they describe exactly what `parse_action` takes. () tells nothing.
    grammar: Callable[[], Sequence[ActionForm]] = _no_forms

    # Pieces put on the board by hand, for the editor of positions; None: a position is edited as text alone.
    editing: Callable[[], Editing] | None = None

    # For measurements. Plays a state in place to its end on the fast path and returns the moves made (`bench`; None: use `apply`).
    playout_moves: Callable[[State, Rng], int] | None = None
    # What is broken, given the positions after and before an action, in one line, or None (`fuzz`).
    check_invariants: Callable[[State, State | None], str | None] = _no_fault
    # The seats in the order that chance gave them at the start (`ladder --seats-balance`); None: around the table from the first who is due.
    starting_order: Callable[[State], Sequence[int]] | None = None
    # How the round that is about to be scored ended, or None (`simulate`).
    round_ending: Callable[[State], str | None] = _no_ending
    # What is counted in whole games of bots to see whether they make sense (`sense`); None: nothing.
    sense: Callable[[], Sense] | None = None


AnyGame = Game[Any, Any, Any]  # any registered game, whatever its types
GameFinder = Callable[[str], AnyGame]  # by its key; raises KeyError
