"""Changing only what a seat may not know: which unseen people cards are in the opponent's hand and which are in the deck."""

from __future__ import annotations

from games.babel.components import LANDS
from games.babel.state import State
from games.core.contract import Rng


def vary(state: State, seat: int | None, rng: Rng) -> State:
    """Return a state that differs from `state` only in what `seat` may not know."""
    other = state.copy()
    hidden = [rival for rival in (0, 1) if rival != seat]
    places = [(other.hands, rival * LANDS) for rival in hidden] + [(other.people_deck, 0)]
    for _ in range(6):
        (one, base), (two, start) = (places[rng.below(len(places), "vary")] for _ in range(2))
        here = [people for people in range(LANDS) if one[base + people]]
        there = [people for people in range(LANDS) if two[start + people]]
        if here and there:
            given, taken = here[rng.below(len(here), "vary")], there[rng.below(len(there), "vary")]
            if one is two and base == start:
                continue
            one[base + given] -= 1
            two[start + given] += 1
            two[start + taken] -= 1
            one[base + taken] += 1
    return other
