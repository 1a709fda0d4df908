"""What a position promises: the expected place of each seat, from games that bots of a quick level play on from it.

A number of playouts is the measure, never a clock, so that the same position, level and generator give the same prospects; whoever has little
time asks for few at once and adds them up. What a view does not show is dealt again in each playout, so prospects tell nothing that the view hides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, AnyGame, Rng

MOST_ACTIONS: Final = 5_000  # of a playout: a bound, which no game comes near
SURE: Final = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True, slots=True)
class Prospect:
    """The place that a seat can expect, from 1 to the number of seats, with the ends of its 95 % interval."""

    place: float
    low: float
    high: float


def playout(game: AnyGame, state: Any, level: str, rng: Rng) -> Sequence[int]:
    """Return the places by seat after bots of a level have played a position to its end. Raises RuntimeError if there is none."""
    for _ in range(MOST_ACTIONS):
        due = game.actors(state)
        if not due:
            outcome = game.outcome(state)
            assert outcome is not None, "nobody is due, so the game has an outcome"
            return outcome.places
        actor = due[0]
        if actor == CHANCE:
            action = game.sample_chance(state, rng)
        elif actor == SCORER:
            action = game.legal_actions(state, actor)[0]
        else:
            action = game.choose_action(game.view_for(state, actor), level, rng).action
        state, _ = game.apply(state, actor, action)
    raise RuntimeError(f"no end after {MOST_ACTIONS} actions")


def places_from(game: AnyGame, deal: Callable[[Rng], Any], level: str, rng: Rng, count: int) -> list[list[int]]:
    """Return the places by seat of `count` playouts; `deal` gives the position of each, as `sample_state` of a view does."""
    return [list(playout(game, deal(rng), level, rng)) for _ in range(count)]


def prospects(places: Sequence[Sequence[int]]) -> list[Prospect]:
    """Return the prospects of each seat from the places of playouts. Raises ValueError without any.

    The interval is at least that of one game in which the seat came one place higher or lower than in all others, so that a few equal games
    do not look certain.

    >>> prospects([[1, 2], [1, 2], [2, 1], [1, 2]])[0]
    Prospect(place=1.25, low=1.0, high=1.74)
    """
    n = len(places)
    if not n:
        raise ValueError("no playouts")
    seats = len(places[0])
    found = []
    for seat in range(seats):
        own = [row[seat] for row in places]
        mean = sum(own) / n
        spread = sum((place - mean) ** 2 for place in own) / max(1, n - 1)
        half = SURE * sqrt(max(spread, 1 / (n + 1)) / n)
        found.append(Prospect(round(mean, 2), round(max(1.0, mean - half), 2), round(min(float(seats), mean + half), 2)))
    return found
