"""Changing only what a seat may not know. In After the Flood nothing in a position is hidden, only future dice."""

from __future__ import annotations

from games.after_the_flood.state import State
from games.core.contract import Rng

NOTHING_IS_HIDDEN = True


def vary(state: State, seat: int | None, rng: Rng) -> State:
    """Return a state that differs from `state` only in what `seat` may not know: here an equal one."""
    return state.copy()
