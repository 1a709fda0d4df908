"""The master of Babel: the scribe's value with learned corrections, and a search four times as wide.

The corrections were found by logistic regression of results on features of 78,499 ends of turns (3,300 games of the scribe's value and
a beam of 8 against itself, with errors of up to 0.4 points so that games differ). They start from the scribe's value, so that what the
games do not tell stays as it is; the target is half the result and half the chance that the value gives two rounds later.
In points, like the scribe's terms, and part of its groups; so the reasons given are those that counted.

Rules: babel#build-2, #build-3, #settle-1, #score-1
"""

from __future__ import annotations

from typing import Final

from games.babel.components import LANDS, TOO_FEW, TOP_LEVEL
from games.babel.evaluation import POINTS, RIVAL_HAND, Outlook, distance
from games.babel.search import Breadth
from games.babel.state import State

WIDE: Final = Breadth(width=128, children=8000)

# Points for each score, for the lead late in the game, for being near the goal, and for more than nine points; the opponent's follow the seat's.
SCORE: Final = (0.018, -0.041)
LATE_LEAD: Final = -0.162
NEAR_GOAL: Final = (-2.004, 1.211)
SAFE: Final = (-0.049, -0.217)

# By how many settlers a land has beyond those that its next level needs: two or more, one, none; or how many are missing: one, two, three or more.
STANDING: Final = (0.336, 0.062, 0.15, 0.038, -0.145, -0.219)
READY: Final = (0.189, 0.674, 0.173, -0.202, 0.179, 0.475)  # times the chance that the level can be taken
RIVAL_STANDING: Final = (-0.084, -0.24, -0.136, -0.003, 0.218, 0.143)
RIVAL_READY: Final = (-1.179, -0.613, -0.241, 0.216, -0.413, -0.236)

# Settlers up to two above the temple's height, three beyond, and more; temples by their height.
SETTLERS: Final = (0.061, 0.061, -0.231)
RIVAL_SETTLERS: Final = (-0.053, -0.228, 0.039)
HEIGHTS: Final = (0, 0.133, 0.507, 0.286, 0.12, -0.229, -0.48)
RIVAL_HEIGHTS: Final = (0, -0.179, -0.542, -0.242, -0.095, 0.271, 0.228)

# Cards, the first four of them, peoples, pairs, threes, fours, and cards beyond eight; for the opponent cards, the first four, and beyond eight.
FIRST_CARDS: Final = 4
MANY_CARDS: Final = 8
HAND: Final = (-0.064, 0.295, -0.077, -0.107, -0.248, -0.209, -0.965)
RIVAL_CARDS: Final = (-0.141, -0.182, -0.19)


class Experience(Outlook):
    """Judges positions as the scribe does, corrected by what games have taught."""

    def terms(self, state: State) -> list[float]:
        """Return the worth group by group."""
        groups = super().terms(state)
        own, other = state.scores[self.seat], state.scores[self.rival]
        groups[POINTS] += (
            SCORE[0] * own
            + SCORE[1] * other
            + LATE_LEAD * self.late * (own - other)
            + NEAR_GOAL[0] / (1 + distance(own, other))
            + NEAR_GOAL[1] / (1 + distance(other, own))
            + SAFE[0] * (own > TOO_FEW)
            + SAFE[1] * (other > TOO_FEW)
        )
        held = sum(state.hands[self.facing : self.facing + LANDS])
        groups[RIVAL_HAND] += RIVAL_CARDS[0] * held + RIVAL_CARDS[1] * min(held, FIRST_CARDS) + RIVAL_CARDS[2] * max(0, held - MANY_CARDS)
        return groups

    def hand(self, hand: tuple[int, ...]) -> float:
        """Return what the seat's own hand is worth."""
        held = sum(hand)
        counts = (held, min(held, FIRST_CARDS), *[sum([n >= least for n in hand]) for least in (1, 2, 3, 4)], max(0, held - MANY_CARDS))
        return super().hand(hand) + sum([weight * count for weight, count in zip(HAND, counts, strict=True)])

    def _own_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, here: bool, hand: tuple[int, ...], outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        ready, worth, attack = super()._own_land(land, column, temple, m, other, here, hand, outer)
        height = temple[-1] if temple else 0
        worth += _settled(len(column), height, SETTLERS) + HEIGHTS[height]
        if height < TOP_LEVEL:
            at = _standing(len(column), height)
            worth += STANDING[at]
            ready += (1.0 if here else 0.9 if hand[land] else 0.5) * READY[at] / self.weights.ready
        return ready, worth, attack

    def _other_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, held: int, outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        ready, worth, threat = super()._other_land(land, column, temple, m, other, held, outer)
        height = temple[-1] if temple else 0
        worth -= _settled(len(column), height, RIVAL_SETTLERS) + RIVAL_HEIGHTS[height]
        if height < TOP_LEVEL:
            at = _standing(len(column), height)
            worth -= RIVAL_STANDING[at]
            ready -= (1.0 if self.rival_pawn == land else self.odds(held)[land][1]) * RIVAL_READY[at] / self.weights.rival_ready
        return ready, worth, threat


def _standing(settlers: int, height: int) -> int:
    """Return the place in STANDING and READY."""
    return max(-2, min(3, height + 1 - settlers)) + 2


def _settled(settlers: int, height: int, weights: tuple[float, ...]) -> float:
    """Return what the settlers of a land are worth beyond the scribe's terms."""
    useful = min(settlers, height + 2, TOP_LEVEL)
    spare = settlers - useful
    return weights[0] * useful + weights[1] * min(spare, 3) + weights[2] * max(0, spare - 3)
