"""Bit boards as lists: what belongs to the squares of a board, sixteen squares at a time (boards are ints, see `state`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

Entry = TypeVar("Entry")
PIECE: Final = 16  # squares
PIECES: Final = 12  # of a board
BOARD_BITS: Final = PIECE * PIECES
BYTES: Final = BOARD_BITS // 8
MOST_KEPT: Final = 1024  # lists for each piece: a game sees some hundred, and memory stays below 0.3 MB


class _Piece(dict[int, list[Entry]]):
    """The entries of sixteen squares, by the number that says which of them count; a list is built when first needed."""

    def __init__(self, entries: Sequence[Entry | None]) -> None:
        super().__init__()
        self._entries = entries

    def __missing__(self, bits: int) -> list[Entry]:
        if len(self) >= MOST_KEPT:
            self.clear()
        found = self[bits] = [entry for at, entry in enumerate(self._entries) if entry is not None and bits >> at & 1]
        return found


class Lister(Generic[Entry]):
    """Lists the entries of a board's squares, ascending; `entries` has one for each square, or None where there can be none."""

    def __init__(self, entries: Sequence[Entry | None]) -> None:
        self._pieces = [_Piece(entries[first : first + PIECE]) for first in range(0, BOARD_BITS, PIECE)]

    def add(self, board: int, into: list[Any]) -> None:
        """Add the entries of the squares of `board`."""
        for piece, bits in zip(self._pieces, memoryview(board.to_bytes(BYTES, "little")).cast("H"), strict=False):
            into += piece[bits]

    def of(self, board: int) -> list[Entry]:
        """Return the entries of the squares of `board`."""
        found: list[Entry] = []
        self.add(board, found)
        return found
