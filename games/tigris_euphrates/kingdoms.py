"""Regions and kingdoms on bit boards: flood fill, and updating the list of kingdoms with each change (kingdoms-1 .. kingdoms-4).

`State.kingdoms` holds one bit board for each region with a leader. `recomputed` builds the same from scratch; they must agree
after every ply.
"""

from __future__ import annotations

from typing import Final

from games.tigris_euphrates.components import ALL_SQUARES, SQUARES, STRIDE
from games.tigris_euphrates.state import State


def spread(board: int) -> int:
    """Return the squares orthogonally adjacent to those of `board`, including squares of `board` that are adjacent to each other."""
    return (board << 1 | board >> 1 | board << STRIDE | board >> STRIDE) & ALL_SQUARES


BESIDE: Final = tuple(spread(1 << square) if square in SQUARES else 0 for square in range(SQUARES[-1] + 1))


def occupied(state: State) -> int:
    """Return the squares that connect: face-up and face-down tiles, and leaders. Catastrophes do not."""
    black, red, blue, green = state.tiles
    king, priest, farmer, trader = state.leader_bits
    return black | red | blue | green | king | priest | farmer | trader | state.down


def flood(seed: int, among: int) -> int:
    """Return all squares of `among` that are connected to those of `seed`, which is part of `among`."""
    reached = seed
    edge = seed
    while edge:
        edge = (edge << 1 | edge >> 1 | edge << STRIDE | edge >> STRIDE) & among & ~reached
        reached |= edge
    return reached


def recomputed(state: State, without: int = 0) -> list[int]:
    """Return the kingdoms, found from scratch on the board, in the order of their first square; squares of `without` connect nothing."""
    king, priest, farmer, trader = state.leader_bits
    left = king | priest | farmer | trader
    among = occupied(state) & ~without
    kingdoms = []
    while left:
        kingdom = flood(left & -left, among)
        kingdoms.append(kingdom)
        left &= ~kingdom
    kingdoms.sort(key=lambda kingdom: kingdom & -kingdom)
    return kingdoms


def find_kingdoms(state: State) -> None:
    """Set all kingdom fields from the board."""
    state.occupied = occupied(state)
    state.kingdoms = recomputed(state)
    state.edges = [spread(kingdom) for kingdom in state.kingdoms]
    state.touched = None


def joined(state: State, square: int, is_leader: bool) -> list[int]:
    """Update the kingdoms after a piece was placed on the empty `square`; return the kingdoms that it touches.

    The piece must already be on the board.
    """
    bit = 1 << square
    state.occupied |= bit
    if not is_leader and state.touched is not None and not state.touched[0] & bit:
        return []  # beside no kingdom; regions without leaders are not tracked
    kingdoms, edges = state.kingdoms, state.edges
    touching = [at for at, edge in enumerate(edges) if edge & bit]
    if not touching and not is_leader:
        return []
    state.touched = None
    whole, edge = bit, BESIDE[square]
    before = []
    for at in reversed(touching):
        before.append(kingdoms.pop(at))
        whole |= before[-1]
        edge |= edges.pop(at)
    loose = BESIDE[square] & state.occupied & ~whole
    if loose:
        whole |= flood(loose, state.occupied & ~whole)
        edge = spread(whole)
    kingdoms.append(whole)
    edges.append(edge)
    return before


def parted(state: State, gone: int) -> None:
    """Update the kingdoms after the pieces on `gone` have left the board."""
    state.occupied &= ~gone
    king, priest, farmer, trader = state.leader_bits
    leaders = king | priest | farmer | trader
    kingdoms, edges = state.kingdoms, state.edges
    for at in range(len(kingdoms) - 1, -1, -1):
        if kingdoms[at] & gone:
            state.touched = None
            del edges[at]
            for part in parts_of(kingdoms.pop(at) & ~gone, gone, leaders):
                kingdoms.append(part)
                edges.append(spread(part))


def parts_of(left: int, gone: int, leaders: int) -> list[int]:
    """Return the kingdoms in what is `left` of one after it lost the pieces on `gone`; `leaders` are those on the board."""
    leaders &= left
    if not leaders:
        return []
    rim = left & spread(gone)
    if not rim & (rim - 1) or _are_linked(rim, left):
        return [left]
    parts = []
    while leaders:
        part = flood(leaders & -leaders, left)
        parts.append(part)
        leaders &= ~part
    return parts


def _are_linked(some: int, among: int) -> bool:
    """Return whether the squares of `some` are connected through squares of `among`; a few steps usually decide it."""
    reached = edge = some & -some
    while edge:
        edge = (edge << 1 | edge >> 1 | edge << STRIDE | edge >> STRIDE) & among & ~reached
        reached |= edge
        if not some & ~reached:
            return True
    return False


def kingdom_at(state: State, square: int) -> int:
    """Return the kingdom that contains `square`, or 0 if none does."""
    bit = 1 << square
    for kingdom in state.kingdoms:
        if kingdom & bit:
            return kingdom
    return 0


def touched(state: State) -> tuple[int, int, int]:
    """Return the squares beside at least one, two and three kingdoms."""
    if state.touched is None:
        one = two = three = 0
        for edge in state.edges:
            three |= two & edge
            two |= one & edge
            one |= edge
        state.touched = one, two, three
    return state.touched
