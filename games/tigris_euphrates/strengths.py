"""How strong leaders are in a conflict, before tiles are added (tigris_euphrates#revolts-3, #wars-4)."""

from __future__ import annotations

from games.core.contract import NO_SEAT
from games.tigris_euphrates.components import N_COLOURS, RED
from games.tigris_euphrates.kingdoms import BESIDE, flood, kingdom_at, occupied, spread
from games.tigris_euphrates.state import NOWHERE, REVOLT, State


def owner_at(state: State, role: int, square: int) -> int:
    """Return the seat whose leader of `role` is on `square`, or NO_SEAT if none is."""
    leaders = state.leaders
    for seat in range(state.seats):
        if leaders[seat * N_COLOURS + role] == square:
            return seat
    return NO_SEAT


def leader_in(state: State, role: int, kingdom: int) -> int:
    """Return the seat whose leader of `role` is in `kingdom` (of several, the one on the first square), or NO_SEAT if none is."""
    here = state.leader_bits[role] & kingdom
    return owner_at(state, role, (here & -here).bit_length() - 1) if here else NO_SEAT


def revolt_strength(state: State, square: int) -> int:
    """Return the face-up temples beside `square` (revolts-3)."""
    return (BESIDE[square] & state.tiles[RED]).bit_count()


def side_of(state: State, square: int) -> int:
    """Return the kingdom of the leader on `square` on its side of the union tile, which belongs to neither side (wars-4).

    Without a union tile, that is the whole kingdom.
    """
    if state.union == NOWHERE:
        return kingdom_at(state, square)
    return flood(1 << square, occupied(state) & ~(1 << state.union))


def war_strength(state: State, role: int, square: int) -> int:
    """Return the supporters of the leader on `square`: tiles of its colour in its own kingdom, on its side (wars-4)."""
    return (state.tiles[role] & side_of(state, square)).bit_count()


def war_sides(state: State, role: int) -> tuple[int, int]:
    """Return attacker and defender of the war of `role` over the union tile (wars-3)."""
    here = state.leader_bits[role] & kingdom_at(state, state.union)
    involved = [seat for seat in range(state.seats) if (square := state.leaders[seat * N_COLOURS + role]) != NOWHERE and here >> square & 1]
    involved.sort(key=lambda seat: (seat - state.active) % state.seats)
    return involved[0], involved[1]


def strength(state: State, role: int, square: int) -> int:
    """Return the strength of a leader in the current conflict, without tiles from the hand."""
    return revolt_strength(state, square) if state.conflict == REVOLT else war_strength(state, role, square)


def conflict_strengths(state: State) -> tuple[int, int]:
    """Return attacker's and defender's strengths on the board in the current conflict, without tiles from the hand."""
    role, leaders = state.colour, state.leaders
    return (
        strength(state, role, leaders[state.attacker * N_COLOURS + role]),
        strength(state, role, leaders[state.defender * N_COLOURS + role]),
    )


def lost_supporters(state: State, role: int, square: int) -> int:
    """Return the tiles that leave the board when the leader of `role` on `square` loses its war (wars-6, wars-8)."""
    supporters = state.tiles[role] & side_of(state, square)
    if role == RED:
        king, priest, farmer, trader = state.leader_bits
        others = (king | priest | farmer | trader) & ~(1 << square)
        supporters &= ~(state.treasures | spread(others))
    return supporters


def stripped(state: State, near: int) -> list[tuple[int, int]]:
    """Return (seat, role) of the leaders beside squares of `near` that have no face-up temple beside them (leaders-6)."""
    reach = spread(near)
    red = state.tiles[RED]
    found = []
    for at, square in enumerate(state.leaders):
        if square != NOWHERE and reach >> square & 1 and not BESIDE[square] & red:
            found.append(divmod(at, N_COLOURS))
    return found
