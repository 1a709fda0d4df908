"""Changing only what a seat may not know: the others' fame where it is hidden, and which unseen tiles are in the bag or in the box."""

from __future__ import annotations

from typing import Any

from games.core.contract import Rng
from games.ra.components import COUNTS, N_KINDS
from games.ra.state import NO_TILE, State


def vary(state: State, seat: int | None, rng: Rng) -> State:
    """Return a state that differs from `state` only in what `seat` may not know."""
    other = state.copy()
    if not state.open_fame:
        for rival in range(state.seats):
            if rival != seat and state.epoch > 1:
                other.fame[rival] = rng.below(60, "vary")
        other.history = tuple(
            scored._replace(
                fame_before=tuple(f if s == seat or scored.epoch == 1 else rng.below(60, "vary") for s, f in enumerate(scored.fame_before))
            )
            for scored in state.history
        )
    box = list(COUNTS)
    box[0] -= state.ra_count
    for at, count in enumerate(state.tiles):
        box[at % N_KINDS] -= count
    for kind in (*state.bag, *(kind for kind in state.track if kind != NO_TILE)):
        box[kind] -= 1
    removed = [kind for kind, count in enumerate(box) for _ in range(count)]
    for _ in range(min(5, len(removed), len(other.bag))):
        inside, outside = rng.below(len(other.bag), "vary"), rng.below(len(removed), "vary")
        other.bag[inside], removed[outside] = removed[outside], other.bag[inside]
    other.bag = bytearray(sorted(other.bag))
    return other


def differs(a: Any, b: Any) -> bool:
    """Return whether the two states differ at all."""
    return bool(a != b)
