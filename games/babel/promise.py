"""What the turn being planned can still bring: the best single thing, less the cards that it takes to get there.

A turn of Babel costs cards first and pays later: a move and two settlers, then a power. The search ranks positions by their worth
and by this promise, so that it does not drop a line before it pays off. The promise is a guess, never part of the worth.

Rules: babel#build-3, #powers-1, #powers-6, #migration-1
"""

from __future__ import annotations

from typing import Final

from games.babel.components import ASSYRIANS, HITTITES, LANDS, MEDES, MIGRANTS, PERSIANS, RUN, SUMERIANS
from games.babel.evaluation import ROWS, Outlook
from games.babel.legality import top_of
from games.babel.state import State

MOVE: Final = 0.6  # what a card for a move costs, in points
SETTLE: Final = 0.35  # a settler
LEVEL: Final = 1.6  # what the next level of a temple brings
SKIP: Final = 2.2
DESTROYED: Final = 1.1  # a point of the other temple
DRIVEN: Final = 0.3  # an opposing settler expelled or brought over
HALVED: Final = 0.4  # a card from the opponent's hand

Hopes = tuple[tuple[int, ...], tuple[int, ...], int, int, int]  # hand, longest rows that could migrate, tops of stocks, cards to halve
Lands = list[dict[tuple[bytes, bytes, int, bytes, bool], float]]
NO_MIGRATION: Final = (0,) * (LANDS + 1)


class Promises:
    """Guesses for one turn of one seat, land by land, each worked out once."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.seat = outlook.seat
        self._lands: dict[Hopes, Lands] = {}

    def best(self, state: State) -> float:
        """Return what the best land promises."""
        outlook, seat = self.outlook, self.seat
        base, facing = outlook.base, outlook.facing
        columns, temples = state.columns, state.temples
        hand = tuple(state.hands[base : base + LANDS])
        halves = sum(state.hands[facing : facing + LANDS]) // 2
        outer = NO_MIGRATION if state.migrated else outlook.outer(tuple(columns[base : base + LANDS]))
        hopes = (hand, outer, top_of(state, seat, 0), top_of(state, seat, 1), halves)
        lands = self._lands.get(hopes)
        if lands is None:
            lands = self._lands[hopes] = [{} for _ in range(LANDS)]
        pawn = state.pawns[seat]
        best = 0.0
        for land in range(LANDS):
            here = pawn == land
            if not here and not hand[land]:
                continue
            key = (columns[base + land], temples[base + land], len(columns[facing + land]), temples[facing + land], here)
            found = lands[land].get(key)
            if found is None:
                found = lands[land][key] = _promise(land, *key, *hopes)
            if found > best:
                best = found
        return best


def _promise(
    land: int,
    column: bytes,
    temple: bytes,
    m: int,
    other: bytes,
    here: bool,
    hand: tuple[int, ...],
    outer: tuple[int, ...],
    own_top: int,
    other_top: int,
    halves: int,
) -> float:
    """Return what a land promises: the most that a level or a power there brings, with settlers from the hand or three migrants."""
    cost = 0.0
    if not here:
        cost = MOVE
        hand = tuple([count - (people == land) for people, count in enumerate(hand)])
    migrants = MIGRANTS if any(outer) else 0
    height = temple[-1] if temple else 0
    rival = other[-1] if other else 0
    n = len(column)
    most = n + sum(hand) + migrants  # settlers available here
    level = height + 1
    best = 0.0
    if level in (own_top, other_top) and level <= most:
        best = LEVEL - SETTLE * (0 if level <= n else max(0, level - n - migrants))
    gains = [HALVED * halves] * LANDS
    if rival:
        gains[ASSYRIANS] = max(gains[ASSYRIANS], DESTROYED * rival)
        if height < rival <= most:
            gains[HITTITES] = max(gains[HITTITES], 2 * rival - height - (other[-2] if len(other) > 1 else 0))
    gains[MEDES] = max(gains[MEDES], DRIVEN * m)
    gains[SUMERIANS] = max(gains[SUMERIANS], DRIVEN * m)
    if level + 1 in (own_top, other_top) and level + 1 <= most:
        gains[PERSIANS] = max(gains[PERSIANS], SKIP)
    runs, tail, length = ROWS[column]
    for people, gain in enumerate(gains):
        if gain > best:
            need = 0 if runs >> people & 1 else RUN - max(length if tail == people else 0, outer[people])
            if need <= hand[people]:
                best = max(best, gain - SETTLE * need)
    return best - cost
