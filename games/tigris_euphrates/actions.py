"""What can be done in Tigris & Euphrates, each with its text form: `parse_action(str(action)) == action`.

Seats: tile temple D2 · leader priest D2 · withdraw priest · catastrophe D2 · swap temple temple farm · pass
       war trader · support 2 temple · build black_red C5 · decline · treasure B2
CHANCE: start 2 (the starting seat) · draw temple temple farm (what the due seat draws)
SCORER: score
Several tiles are in the order of `components.KINDS`; in code a kind, role, colour or square is its index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from games.core.contract import ActionFormatError
from games.tigris_euphrates.components import (
    HAND_SIZE,
    KIND_OF,
    KINDS,
    LABELS,
    MONUMENT_OF,
    MONUMENTS,
    N_COLOURS,
    ROLE_OF,
    ROLES,
    SEATS,
    SQUARE_OF,
    SQUARES,
)

SQUARE_SLOTS: Final = SQUARES[-1] + 1


@dataclass(frozen=True, slots=True)
class Tile:
    """Place a tile from the hand (tiles-1)."""

    kind: int
    square: int

    def __str__(self) -> str:
        return f"tile {KINDS[self.kind]} {LABELS[self.square]}"


@dataclass(frozen=True, slots=True)
class Leader:
    """Place your own leader, or move it there from another square (leaders-1)."""

    role: int
    square: int

    def __str__(self) -> str:
        return f"leader {ROLES[self.role]} {LABELS[self.square]}"


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Withdraw your own leader from the board (leaders-8)."""

    role: int

    def __str__(self) -> str:
        return f"withdraw {ROLES[self.role]}"


@dataclass(frozen=True, slots=True)
class Catastrophe:
    """Place a catastrophe tile (catastrophes-1)."""

    square: int

    def __str__(self) -> str:
        return f"catastrophe {LABELS[self.square]}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Discard tiles face down and draw as many (swap-1)."""

    kinds: tuple[int, ...]

    def __str__(self) -> str:
        return "swap " + " ".join([KINDS[kind] for kind in self.kinds])


@dataclass(frozen=True, slots=True)
class Pass:
    """Forgo the rest of the turn's actions (turn-3)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class War:
    """Choose which leaders' war is resolved next (wars-2)."""

    role: int

    def __str__(self) -> str:
        return f"war {ROLES[self.role]}"


@dataclass(frozen=True, slots=True)
class Support:
    """Add tiles from the hand to a conflict (conflicts-3)."""

    count: int
    kind: int

    def __str__(self) -> str:
        return f"support {self.count} {KINDS[self.kind]}"


@dataclass(frozen=True, slots=True)
class Build:
    """Flip four tiles and build a monument on them; `square` is the upper left of them (monuments-1)."""

    monument: int
    square: int

    def __str__(self) -> str:
        return f"build {MONUMENTS[self.monument][0]} {LABELS[self.square]}"


@dataclass(frozen=True, slots=True)
class Decline:
    """Build no monument now (monuments-4)."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Treasure:
    """Take the treasure from a square (treasures-3)."""

    square: int

    def __str__(self) -> str:
        return f"treasure {LABELS[self.square]}"


@dataclass(frozen=True, slots=True)
class Start:
    """Chance: which seat starts (setup-5)."""

    seat: int

    def __str__(self) -> str:
        return f"start {self.seat}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the tiles that the due seat draws."""

    kinds: tuple[int, ...]

    def __str__(self) -> str:
        return "draw " + " ".join([KINDS[kind] for kind in self.kinds])


@dataclass(frozen=True, slots=True)
class Score:
    """Scorer: distribute the treasures and rank the seats (scoring-1)."""

    def __str__(self) -> str:
        return "score"


Action = Tile | Leader | Withdraw | Catastrophe | Swap | Pass | War | Support | Build | Decline | Treasure | Start | Draw | Score

# One object for each action except monuments, so that lists of them are built by look-up.
PASS: Final = Pass()
DECLINE: Final = Decline()
SCORE: Final = Score()
TILES: Final = tuple(tuple(Tile(kind, square) if square in LABELS else None for square in range(SQUARE_SLOTS)) for kind in range(N_COLOURS))
LEADERS: Final = tuple(
    tuple(Leader(role, square) if square in LABELS else None for square in range(SQUARE_SLOTS)) for role in range(N_COLOURS)
)
CATASTROPHES: Final = tuple(Catastrophe(square) if square in LABELS else None for square in range(SQUARE_SLOTS))
TREASURES: Final = tuple(Treasure(square) if square in LABELS else None for square in range(SQUARE_SLOTS))
WITHDRAWALS: Final = tuple(Withdraw(role) for role in range(N_COLOURS))
WARS: Final = tuple(War(role) for role in range(N_COLOURS))
SUPPORTS: Final = tuple(tuple(Support(count, kind) for count in range(HAND_SIZE + 1)) for kind in range(N_COLOURS))
STARTS: Final = tuple(Start(seat) for seat in range(SEATS[-1]))
_HANDFULS: Final = tuple(
    kinds for count in range(1, HAND_SIZE + 1) for kinds in combinations_with_replacement(range(N_COLOURS), count)
)  # one to six tiles, in canonical order
SWAPS: Final = {kinds: Swap(kinds) for kinds in _HANDFULS}
DRAWS: Final = {kinds: Draw(kinds) for kinds in _HANDFULS}

_PLAIN: Final[dict[str, Action]] = {"pass": PASS, "decline": DECLINE, "score": SCORE}
_LONGEST: Final = 80  # characters; six long tile names stay below it

# The paragraphs on the pieces and squares that an action can name
TILE_NAMES: Final = "tigris_euphrates#components-1"
LEADER_NAMES: Final = "tigris_euphrates#components-3"
MONUMENT_NAMES: Final = "tigris_euphrates#components-4"
SQUARE_NAMES: Final = "tigris_euphrates#components-6"


def parse_action(text: str) -> Action:
    """Return the action that the text names.

    Raises ActionFormatError. Only the canonical form is accepted: single spaces, tiles in order, squares in capitals.
    """
    action = _PLAIN.get(text) if isinstance(text, str) else None
    return action if action is not None else _parse(text)


def _parse(text: str) -> Action:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ActionFormatError("an action of Tigris & Euphrates is a short text")
    verb, *words = text.split(" ")
    if verb in _PLAIN:
        raise ActionFormatError(f"expected nothing after {verb!r}")
    if verb in ("swap", "draw"):
        kinds = _kinds(verb, tuple(words))
        return SWAPS[kinds] if verb == "swap" else DRAWS[kinds]
    if verb == "tile":
        _count(verb, words, 2, "a tile and a square")
        return Tile(_one(verb, words[0], KIND_OF, "a tile", TILE_NAMES), _square(verb, words[1]))
    if verb == "leader":
        _count(verb, words, 2, "a leader and a square")
        return Leader(_one(verb, words[0], ROLE_OF, "a leader", LEADER_NAMES), _square(verb, words[1]))
    if verb in ("withdraw", "war"):
        _count(verb, words, 1, "a leader")
        role = _one(verb, words[0], ROLE_OF, "a leader", LEADER_NAMES)
        return WITHDRAWALS[role] if verb == "withdraw" else WARS[role]
    if verb in ("catastrophe", "treasure"):
        _count(verb, words, 1, "a square")
        square = _square(verb, words[0])
        return Catastrophe(square) if verb == "catastrophe" else Treasure(square)
    if verb == "support":
        _count(verb, words, 2, "a number and a tile")
        return SUPPORTS[_one(verb, words[1], KIND_OF, "a tile", TILE_NAMES)][_number(verb, words[0], HAND_SIZE)]
    if verb == "build":
        _count(verb, words, 2, "a monument and a square")
        return Build(_one(verb, words[0], MONUMENT_OF, "a monument", MONUMENT_NAMES), _square(verb, words[1]))
    if verb == "start":
        _count(verb, words, 1, "a seat")
        return STARTS[_number(verb, words[0], SEATS[-1] - 1)]
    raise ActionFormatError(f"expected tile, leader, withdraw, catastrophe, swap or pass, found {verb[:20]!r}")


def _count(verb: str, words: list[str], count: int, what: str) -> None:
    if len(words) != count:
        raise ActionFormatError(f"expected {what} after {verb!r}")


def _one(verb: str, word: str, known: dict[str, int], what: str, rule: str) -> int:
    if word not in known:
        raise ActionFormatError(f"expected {what} ({', '.join(known)}) after {verb!r}, found {word[:20]!r}", rule)
    return known[word]


def _square(verb: str, word: str) -> int:
    if word not in SQUARE_OF:
        raise ActionFormatError(f"expected a square from A1 to P11 after {verb!r}, found {word[:20]!r}", SQUARE_NAMES)
    return SQUARE_OF[word]


def _number(verb: str, word: str, high: int) -> int:
    if len(word) == 1 and word in "0123456789"[: high + 1]:
        return int(word)
    raise ActionFormatError(f"expected a number from 0 to {high} after {verb!r}, found {word[:20]!r}")


@lru_cache(maxsize=1024)
def _kinds(verb: str, words: tuple[str, ...]) -> tuple[int, ...]:
    if not 1 <= len(words) <= HAND_SIZE:
        raise ActionFormatError(f"expected one to {HAND_SIZE} tiles after {verb!r}")
    kinds = [_one(verb, word, KIND_OF, "a tile", TILE_NAMES) for word in words]
    if kinds != sorted(kinds):
        raise ActionFormatError(f"expected the tiles after {verb!r} in the order {', '.join(KINDS)}")
    return tuple(kinds)
