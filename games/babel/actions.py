"""What can be done in Babel, each with its text form: `parse_action(str(action)) == action`.

Seats: move medes · settle medes · build own · build other · migrate medes persians · end
       destroy · steal · expel persians · switch · skip own · skip other · halve medes
       discard medes medes persians (the half of its hand that the other seat discards)
A column can hold two runs of one people; a number at the end names the second one: destroy 2, halve medes 2.
CHANCE: start 1 · draw medes medes persians (people cards for the due seat; "draw" if none are left) · reveal 4 2 (temple cards, the
       higher first)
SCORER: score
Several people cards are in the order of `components.PEOPLES`; in code a people or land is its index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.babel.components import LANDS, PEOPLE_CARDS, PEOPLE_OF, PEOPLES, POWER_PEOPLE, REVEAL, TOP_LEVEL
from games.core.contract import ActionFormatError

OWN: Final = 0  # the seat's own stock
OTHER: Final = 1
STOCKS: Final = ("own", "other")
NO_ARGUMENT: Final = -1


@dataclass(frozen=True, slots=True)
class Move:
    """Discard a card of a people and move the pawn into its land (move-1)."""

    land: int

    def __str__(self) -> str:
        return f"move {PEOPLES[self.land]}"


@dataclass(frozen=True, slots=True)
class Settle:
    """Place a people card on your own column in the pawn's land (settle-1)."""

    people: int

    def __str__(self) -> str:
        return f"settle {PEOPLES[self.people]}"


@dataclass(frozen=True, slots=True)
class Build:
    """Build the next level from the top of a stock (build-1)."""

    stock: int

    def __str__(self) -> str:
        return f"build {STOCKS[self.stock]}"


@dataclass(frozen=True, slots=True)
class Migrate:
    """Move the three outermost cards of one column onto another (migration-1)."""

    source: int
    target: int

    def __str__(self) -> str:
        return f"migrate {PEOPLES[self.source]} {PEOPLES[self.target]}"


@dataclass(frozen=True, slots=True)
class Power:
    """Use a power and discard a card of its run (powers-1).

    `argument` is the people to expel, the people of the run for halve, the stock for skip; `run` numbers the
    runs of that people in the column from the inside, starting at 1.
    """

    verb: str
    argument: int = NO_ARGUMENT
    run: int = 1

    def __str__(self) -> str:
        words = [self.verb]
        if self.verb == "skip":
            words.append(STOCKS[self.argument])
        elif self.argument != NO_ARGUMENT:
            words.append(PEOPLES[self.argument])
        if self.run != 1:
            words.append(str(self.run))
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class End:
    """End the turn's actions (turn-4)."""

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard half of the hand (halving-2)."""

    peoples: tuple[int, ...]

    def __str__(self) -> str:
        return "discard " + " ".join([PEOPLES[people] for people in self.peoples])


@dataclass(frozen=True, slots=True)
class Start:
    """Chance: which seat starts (setup-6)."""

    seat: int

    def __str__(self) -> str:
        return f"start {self.seat}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the people cards that the due seat draws (people-1)."""

    peoples: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(["draw", *[PEOPLES[people] for people in self.peoples]])


@dataclass(frozen=True, slots=True)
class Reveal:
    """Chance: the temple cards that are turned up, the higher first (temples-1)."""

    levels: tuple[int, ...]

    def __str__(self) -> str:
        return "reveal " + " ".join(map(str, self.levels))


@dataclass(frozen=True, slots=True)
class Score:
    """Scorer: close the game (end-1)."""

    def __str__(self) -> str:
        return "score"


Action = Move | Settle | Build | Migrate | Power | End | Discard | Start | Draw | Reveal | Score

# One object for each simple action, so that the fast path creates none.
END: Final = End()
SCORE: Final = Score()
MOVES: Final = tuple(Move(land) for land in range(LANDS))
SETTLES: Final = tuple(Settle(people) for people in range(LANDS))
BUILDS: Final = (Build(OWN), Build(OTHER))
MIGRATIONS: Final = tuple(tuple(Migrate(source, target) for target in range(LANDS)) for source in range(LANDS))
STARTS: Final = (Start(0), Start(1))

_POWERS: Final = (*POWER_PEOPLE, "halve")
_ARGUMENT_IS: Final = {"destroy": "", "steal": "", "switch": "", "expel": "people", "halve": "people", "skip": "stock"}
_PLAIN: Final[dict[str, Action]] = {"end": END, "score": SCORE}
# The paragraph that explains an action, for anyone who gets its text wrong. Chance has none.
_RULES: Final = {
    "move": "babel#move-1",
    "settle": "babel#settle-1",
    "build": "babel#build-4",
    "migrate": "babel#migration-1",
    **dict.fromkeys(_POWERS, "babel#powers-1"),
    "discard": "babel#halving-2",
    "end": "babel#turn-4",
}
_LONGEST: Final = 700  # characters; half of all people cards stay below it


@lru_cache(maxsize=512)
def power(verb: str, argument: int = NO_ARGUMENT, run: int = 1) -> Power:
    """Return the action of a power; equal actions are one object."""
    return Power(verb, argument, run)


def parse_action(text: str) -> Action:
    """Return the action that the text names.

    Raises ActionFormatError. Only the canonical form is accepted: single spaces, cards in order, no run number for the first run.
    """
    action = _PLAIN.get(text) if isinstance(text, str) else None
    return action if action is not None else _parse(text)


def _parse(text: str) -> Action:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ActionFormatError("an action of Babel is a short text")
    verb, *words = text.split(" ")
    if verb in _PLAIN:
        raise _fault(verb, f"expected nothing after {verb!r}")
    if verb in ("move", "settle"):
        people = _one(verb, words, "a people")
        return MOVES[people] if verb == "move" else SETTLES[people]
    if verb == "build":
        return BUILDS[_stock(verb, words)]
    if verb == "migrate":
        if len(words) != 2 or words[0] == words[1]:
            raise _fault(verb, "expected two different lands after 'migrate'")
        return MIGRATIONS[_one(verb, words[:1], "a land")][_one(verb, words[1:], "a land")]
    if verb in _POWERS:
        return _parse_power(verb, words)
    if verb in ("discard", "draw"):
        peoples = _peoples(verb, tuple(words))
        return Discard(peoples) if verb == "discard" else Draw(peoples)
    if verb == "reveal":
        return Reveal(_levels(words))
    if verb == "start":
        if len(words) != 1 or words[0] not in ("0", "1"):
            raise _fault(verb, "expected a seat, 0 or 1, after 'start'")
        return STARTS[int(words[0])]
    raise ActionFormatError(f"expected move, settle, build, migrate, a power or end, found {verb[:20]!r}")


def _fault(verb: str, text: str) -> ActionFormatError:
    return ActionFormatError(text, _RULES.get(verb))


def _parse_power(verb: str, words: list[str]) -> Power:
    what = _ARGUMENT_IS[verb]
    argument = NO_ARGUMENT
    if what:
        argument = _one(verb, words[:1], "a people") if what == "people" else _stock(verb, words[:1])
        words = words[1:]
    if not words:
        return power(verb, argument)
    if len(words) > 1 or len(words[0]) != 1 or words[0] not in "23456789":
        raise _fault(verb, f"expected nothing more after {verb!r}, or the number of the run from 2 on")
    return power(verb, argument, int(words[0]))


def _one(verb: str, words: list[str], what: str) -> int:
    if len(words) != 1 or words[0] not in PEOPLE_OF:
        raise _fault(verb, f"expected {what} ({', '.join(PEOPLES)}) after {verb!r}")
    return PEOPLE_OF[words[0]]


def _stock(verb: str, words: list[str]) -> int:
    if len(words) != 1 or words[0] not in STOCKS:
        raise _fault(verb, f"expected own or other after {verb!r}")
    return STOCKS.index(words[0])


@lru_cache(maxsize=4096)
def _peoples(verb: str, words: tuple[str, ...]) -> tuple[int, ...]:
    least = 0 if verb == "draw" else 1  # none when deck and discard pile are empty
    if not least <= len(words) <= PEOPLE_CARDS or any(word not in PEOPLE_OF for word in words):
        raise _fault(verb, f"expected people cards ({', '.join(PEOPLES)}) after {verb!r}")
    peoples = [PEOPLE_OF[word] for word in words]
    if peoples != sorted(peoples):
        raise _fault(verb, f"expected the cards after {verb!r} in the order {', '.join(PEOPLES)}")
    return tuple(peoples)


def _levels(words: list[str]) -> tuple[int, ...]:
    if not 1 <= len(words) <= REVEAL or any(len(word) != 1 or word not in "123456" for word in words):
        raise ActionFormatError(f"expected one or two levels from 1 to {TOP_LEVEL} after 'reveal'")
    levels = tuple(map(int, words))
    if list(levels) != sorted(levels, reverse=True):
        raise ActionFormatError("expected the higher level first after 'reveal'")
    return levels
