"""What can be done in Ra, each with its text form: `parse_action(str(action)) == action`.

Seats: draw · call · god pharaoh nile · bid 12 · pass · discard civ_art civ_writing
CHANCE: deal 2 0 1 (the sun set of each seat) · tile pharaoh (the tile drawn)
SCORER: score
Several tiles are in the order of the components list; in code a tile is its index in that list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.core.contract import ActionFormatError
from games.ra.components import KIND_OF, KINDS, N_KINDS, SUN_MAX


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a tile (ra#draw-1)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Call:
    """Call Ra (ra#ra-1)."""

    def __str__(self) -> str:
        return "call"


@dataclass(frozen=True, slots=True)
class UseGods:
    """Discard one god for each of `tiles` and take them from the auction track (ra#gods-1, ra#gods-3)."""

    tiles: tuple[int, ...]

    def __str__(self) -> str:
        return "god " + " ".join([KINDS[kind] for kind in self.tiles])


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid one face-up sun (ra#auction-3)."""

    sun: int

    def __str__(self) -> str:
        return f"bid {self.sun}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid nothing (ra#auction-3)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard `tiles` of one category to disasters (ra#disasters-4)."""

    tiles: tuple[int, ...]

    def __str__(self) -> str:
        return "discard " + " ".join([KINDS[kind] for kind in self.tiles])


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: each seat's sun set (ra#setup-5)."""

    sets: tuple[int, ...]

    def __str__(self) -> str:
        return "deal " + " ".join(map(str, self.sets))


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """Chance: the tile that was drawn."""

    kind: int

    def __str__(self) -> str:
        return "tile " + KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Score:
    """Scorer: score the epoch that has ended (ra#score-1)."""

    def __str__(self) -> str:
        return "score"


Action = Draw | Call | UseGods | Bid | Pass | Discard | Deal | DrawnTile | Score

# One object for each simple action, so that the fast path creates none.
DRAW: Final = Draw()
CALL: Final = Call()
PASS: Final = Pass()
SCORE: Final = Score()
BIDS: Final = tuple(Bid(sun) for sun in range(SUN_MAX + 1))
DRAWN: Final = tuple(DrawnTile(kind) for kind in range(N_KINDS))

_PLAIN: Final[dict[str, Action]] = {"draw": DRAW, "call": CALL, "pass": PASS, "score": SCORE}
_LONGEST: Final = 400  # characters; eight long tile names stay far below it


def parse_action(text: str) -> Action:
    """Return the action that the text names.

    Raises ActionFormatError. Only the canonical form is accepted: single spaces, tiles in order.
    """
    action = _PLAIN.get(text) if isinstance(text, str) else None
    return action if action is not None else _parse(text)


def _parse(text: str) -> Action:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ActionFormatError("an action of Ra is a short text")
    verb, *words = text.split(" ")
    if verb in ("god", "discard"):
        tiles = _tiles(verb, tuple(words))
        return UseGods(tiles) if verb == "god" else Discard(tiles)
    if verb == "bid":
        return BIDS[_number(verb, words, 1, SUN_MAX)]
    if verb == "tile":
        if len(words) != 1 or words[0] not in KIND_OF:
            raise ActionFormatError("expected one tile after 'tile'")
        return DRAWN[KIND_OF[words[0]]]
    if verb == "deal":
        if not 2 <= len(words) <= 5 or sorted(words) != [str(n) for n in range(len(words))]:
            raise ActionFormatError("expected the numbers of the sun sets after 'deal', each once")
        return Deal(tuple(map(int, words)))
    if verb in _PLAIN:
        raise ActionFormatError(f"expected nothing after {verb!r}")
    raise ActionFormatError(f"expected draw, call, god, bid, pass or discard, found {verb[:20]!r}")


@lru_cache(maxsize=4096)
def _tiles(verb: str, words: tuple[str, ...]) -> tuple[int, ...]:
    kinds = []
    for word in words:
        if word not in KIND_OF:
            raise ActionFormatError(f"expected a tile after {verb!r}, found {word[:20]!r}")
        kinds.append(KIND_OF[word])
    if not 1 <= len(kinds) <= 8:
        raise ActionFormatError(f"expected one to eight tiles after {verb!r}")
    if kinds != sorted(kinds):
        raise ActionFormatError(f"expected the tiles after {verb!r} in the order of the components")
    return tuple(kinds)


def _number(verb: str, words: list[str], low: int, high: int) -> int:
    if len(words) == 1 and words[0].isascii() and words[0].isdigit() and str(int(words[0])) == words[0]:
        number = int(words[0])
        if low <= number <= high:
            return number
    raise ActionFormatError(f"expected a number from {low} to {high} after {verb!r}")
