"""The numbers of the scribe's evaluation that cannot be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.after_the_flood.components import KINDS


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers that cannot be computed, in points."""

    width: int = 5  # actions that are followed up by another
    rivals: float = 0.28  # share of a rival's gains that counts against the seat
    step: float = 0.15  # an exchange still to be made
    step_paid: float = 0.6  # the same if actions must be paid for
    placing: float = 1.2  # a trader still to be placed
    kept: float = 0.72  # share of the price of goods kept for later turns
    slot: float = 5.0  # a city that can still grow, if a turn to come is left for it
    city: float = 2.0  # any city, grown or not: it takes a site from the others and can be moved
    slots: int = 3  # cities that a seat will have goods for
    slot_more: float = 2.0  # one more than that
    slot_spare: float = 0.4  # any further city
    grain: float = 0.9  # for each turn to come
    textile: float = 2.3
    scribe: float = 0.9
    maker: float = 0.9
    market: float = 0.7  # a trader, for each good sold there, next turn
    hand: float = 0.25  # a worker who can still be placed
    army: float = 1.6  # an army that can still take a free area
    army_better: float = 1.3  # one that must fight a worse equipped rival
    army_worse: float = 0.8
    army_spare: float = 0.25
    threat: float = 0.052  # share of exposed areas lost to each rival army
    founding: float = 0.8  # share of the armies of an empire that can be founded, if no other seat can take it
    founding_raced: float = 0.7  # the same while others can
    founding_later: float = 0.3  # the same if workers must go to its home first
    next_home: float = 0.4  # the same for next turn, if the seat alone is in front
    next_tie: float = 0.2


DEFAULT: Final = Weights()
#               grain wood metal textile tool oil gold lapis
KEPT: Final = ((0.0,) * KINDS, (0.8, 1.9, 1.4, 2.1, 2.4, 2.5, 2.8, 3.4), (0.9, 2.0, 1.5, 2.3, 2.6, 2.7, 3.0, 3.6))
LAST: Final = (0.6, 0.7, 0.9, 0.7, 1.1, 1.0, 1.2, 1.4)  # for workers and armies of the last turn
