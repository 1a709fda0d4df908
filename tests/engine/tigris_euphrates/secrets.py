"""Changing only what a seat may not know: other hands, tiles swapped away by others, the bag, and others' points and treasures."""

from __future__ import annotations

from games.core.contract import Rng
from games.tigris_euphrates.components import N_COLOURS, RED
from games.tigris_euphrates.state import END, FROM_REVOLTS, N_SOURCES, State


def vary(state: State, seat: int | None, rng: Rng) -> State:
    """Return a state that differs from `state` only in what `seat` may not know."""
    other = state.copy()
    rivals = [rival for rival in range(state.seats) if rival != seat]
    rows = [(other.hands, rival) for rival in rivals] + [(other.swapped, rival) for rival in rivals] + [(other.bag, 0)]
    pool = []
    for flat, row in rows:
        pool += [kind for kind in range(N_COLOURS) for _ in range(flat[row * N_COLOURS + kind])]
    for flat, row in rows:
        base = row * N_COLOURS
        count = sum(flat[base : base + N_COLOURS])
        flat[base : base + N_COLOURS] = [0] * N_COLOURS
        for _ in range(count):
            flat[base + pool.pop(rng.below(len(pool), "vary"))] += 1
    if not state.open_totals and state.phase != END and state.turn:
        vary_totals(other, rivals, rng)
    return other


def vary_totals(state: State, rivals: list[int], rng: Rng) -> None:
    """Give these seats other points, and redistribute the treasures that they have taken."""
    jokers = sum(state.jokers[rival] for rival in rivals)
    for rival in rivals:
        state.jokers[rival] = 0
        for at in range(N_COLOURS * N_SOURCES):
            colour, source = divmod(at, N_SOURCES)
            if source != FROM_REVOLTS or colour == RED:
                state.sources[rival * N_COLOURS * N_SOURCES + at] = rng.below(9, "vary")
    for _ in range(jokers):
        state.jokers[rivals[rng.below(len(rivals), "vary")]] += 1
