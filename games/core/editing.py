"""Putting pieces on a board by hand: what a position editor offers, and how a position changes.

A game that offers it names its pieces and places and says which fields of a position (`Game.state_to_json`) a piece on a place means. What it
says may be impossible: whoever asks has the whole position read afterwards, which names every fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import PositionError

Fields = dict[str, Any]  # of a position, as JSON; null for a field that the position is to leave out, so that it is worked out
LEFT_OUT: Final = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that can be put somewhere. `noun` is its glossary id; `seat` whose it is, None for nobody's; `number` what is printed on it."""

    key: str
    noun: str
    seat: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece can be: `noun` is its glossary id, or its own name ("D4"); `target` the id of what a board shows of it ("cell-D4")."""

    key: str
    noun: str
    seat: int | None = None
    target: str = ""


@dataclass(frozen=True, slots=True)
class Editing:
    """How a game's positions are changed by hand. `put` and `take` get all fields of a position as JSON, which they may change, the keys of a
    piece and of a place, and return the fields that are different afterwards. Both raise Misplaced.
    """

    pieces: Callable[[int], Sequence[Piece]]  # of a number of seats
    places: Callable[[int], Sequence[Place]]
    put: Callable[[Fields, str, str], Fields]
    take: Callable[[Fields, str, str], Fields]


def change(editing: Editing, position: Mapping[str, Any], *, piece: str, place: str, is_put: bool) -> Fields:
    """Return the fields that differ once a piece has been put on a place, or taken from it.

    `position` has all fields and stays as it is. Raises PositionError for an unknown piece or place, and Misplaced.
    """
    seats = int(position["seats"])
    if piece not in {known.key for known in editing.pieces(seats)}:
        raise PositionError(f"piece: {piece[:40]!r} is none of the game")
    if place not in {known.key for known in editing.places(seats)}:
        raise PositionError(f"place: {place[:40]!r} is none of the game")
    return (editing.put if is_put else editing.take)(deepcopy(dict(position)), piece, place)


class Misplaced(PositionError):
    """A piece that never goes to a place, or (`is_missing`) isn't there to be taken away. Pieces and places are keys."""

    def __init__(self, piece: str, place: str, *, is_missing: bool = False) -> None:
        what = f"there is no {piece} at {place}" if is_missing else f"{piece} can't be put at {place}"
        super().__init__(f"place: {what}")
        self.piece = piece
        self.place = place
        self.is_missing = is_missing


def add(counts: Mapping[str, int], key: str, n: int) -> dict[str, int]:
    """Return counts with `n` more of a key, without zeros; less than none is none.

    >>> add({"farm": 1}, "farm", -1)
    {}
    """
    new = dict(counts) | {key: max(0, counts.get(key, 0) + n)}
    return {name: count for name, count in new.items() if count}


def seat_of(key: str) -> tuple[int, str]:
    """Return seat and rest of a key such as "1.hand".

    >>> seat_of("1.hand")
    (1, 'hand')
    """
    seat, _, rest = key.partition(".")
    return int(seat), rest
