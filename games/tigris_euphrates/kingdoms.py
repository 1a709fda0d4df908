"""Regions and kingdoms on bit boards: flooding, and keeping the list of kingdoms with each change (kingdoms-1 .. kingdoms-4).

`State.kingdoms` holds one bit board for each region with a leader. `recomputed` builds the same from nothing; they must agree
after every ply.
"""

from __future__ import annotations

from typing import Final

from games.tigris_euphrates.components import ALL_SQUARES, SQUARES, STRIDE
from games.tigris_euphrates.state import State


def spread(board: int) -> int:
    """Return the squares orthogonally beside those of `board`, together with squares of `board` that are beside each other."""
    return (board << 1 | board >> 1 | board << STRIDE | board >> STRIDE) & ALL_SQUARES


BESIDE: Final = tuple(spread(1 << square) if square in SQUARES else 0 for square in range(SQUARES[-1] + 1))


def occupied(state: State) -> int:
    """Return the squares that connect: tiles face up and face down, and leaders. Catastrophes do not."""
    black, red, blue, green = state.tiles
    king, priest, farmer, trader = state.leader_bits
    return black | red | blue | green | king | priest | farmer | trader | state.down


def flood(seed: int, among: int) -> int:
    """Return all squares of `among` that are connected with those of `seed`, which lie in `among`."""
    reached = seed
    edge = seed
    while edge:
        edge = (edge << 1 | edge >> 1 | edge << STRIDE | edge >> STRIDE) & among & ~reached
        reached |= edge
    return reached


def recomputed(state: State) -> list[int]:
    """Return the kingdoms, found anew from the board, in the order of their first square."""
    king, priest, farmer, trader = state.leader_bits
    left = king | priest | farmer | trader
    among = occupied(state)
    kingdoms = []
    while left:
        kingdom = flood(left & -left, among)
        kingdoms.append(kingdom)
        left &= ~kingdom
    kingdoms.sort(key=lambda kingdom: kingdom & -kingdom)
    return kingdoms


def joined(state: State, square: int) -> None:
    """Keep the kingdoms after something was placed on the empty `square`. The piece is on the board already."""
    bit = 1 << square
    beside = BESIDE[square]
    whole = bit
    rest: list[int] = []
    for kingdom in state.kingdoms:
        if kingdom & beside:
            whole |= kingdom
        else:
            rest.append(kingdom)
    king, priest, farmer, trader = state.leader_bits
    leaders = king | priest | farmer | trader
    if whole == bit and not leaders & bit:
        return  # neither beside a kingdom nor a leader: regions without leaders are not kept
    among = occupied(state)
    loose = beside & among & ~whole
    if loose:
        whole = flood(whole | loose, among)
    rest.append(whole)
    state.kingdoms = rest


def parted(state: State, gone: int) -> None:
    """Keep the kingdoms after the pieces on `gone` have left the board (or no longer connect)."""
    king, priest, farmer, trader = state.leader_bits
    leaders = king | priest | farmer | trader
    kingdoms: list[int] = []
    for kingdom in state.kingdoms:
        if not kingdom & gone:
            kingdoms.append(kingdom)
            continue
        among = kingdom & ~gone
        left = among & leaders
        while left:
            part = flood(left & -left, among)
            kingdoms.append(part)
            left &= ~part
    state.kingdoms = kingdoms


def kingdom_at(state: State, square: int) -> int:
    """Return the kingdom that holds `square`; 0 when none does."""
    bit = 1 << square
    for kingdom in state.kingdoms:
        if kingdom & bit:
            return kingdom
    return 0


def touched(state: State) -> tuple[int, int, int]:
    """Return the squares beside at least one, two and three kingdoms."""
    one = two = three = 0
    for kingdom in state.kingdoms:
        edge = kingdom << 1 | kingdom >> 1 | kingdom << STRIDE | kingdom >> STRIDE
        three |= two & edge
        two |= one & edge
        one |= edge
    return one, two, three
