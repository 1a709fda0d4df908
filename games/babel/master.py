"""The master of Babel: the scribe's value with learned corrections, a search four times as wide, and playouts (`playouts`).

The corrections are found by logistic regression of results on the positions at the ends of turns (`learner`, `features`). They start from
the scribe's value, so that what the games do not tell stays as it is. They are in points, like the scribe's terms, and part of its groups;
so the reasons given are those that counted.

Rules: babel#build-2, #build-3, #settle-1, #score-1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.babel.components import LANDS, PEOPLES, TOO_FEW, TOP_LEVEL
from games.babel.evaluation import ATTACKS, POINTS, RIVAL_HAND, ROWS, THREATS, Outlook, distance
from games.babel.features import FIRST_CARDS, HELD, MANY_CARDS, STANDINGS, held, settled, standing
from games.babel.search import Breadth
from games.babel.state import State
from games.babel.view import View
from games.core.net import Net

WIDE: Final = Breadth(width=128, children=8000)
QUICK: Final = Breadth(width=8)  # of the games that are learned from

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Lands:
    """Points for the lands of one side, as `features` counts them."""

    standing: Row
    ready: Row
    settlers: Row
    heights: Row  # [0] unused
    runs: Row


@dataclass(frozen=True, slots=True)
class Corrections:
    """Points for each thing that `features` counts, beside the scribe's worth; `base` and `slope` turn them into log odds of winning."""

    base: float
    slope: float
    attacks: float
    threats: float
    score: Row  # own, other, late lead, own and other's nearness to the goal, own and other's safety
    hand: Row
    other_hand: Row
    own: Lands
    other: Lands


def corrections(net: Net) -> Corrections:
    """Return what a net of one layer adds to each point of the scribe's worth. Raises ValueError if it does not count on that worth."""
    mean = [float(value) for value in net.mean]
    slopes = dict(zip(net.names, [float(slope) for slope in net.slopes(mean)], strict=True))
    if len(net.layers) != 1 or slopes["worth"] <= 0:
        raise ValueError("these weights do not correct the scribe's value")
    points = {name: slope / slopes["worth"] for name, slope in slopes.items()}

    def lands(side: str) -> Lands:
        return Lands(
            standing=tuple([points[f"{side}_{name}"] for name in STANDINGS]),
            ready=tuple([points[f"{side}_ready_{name}"] for name in STANDINGS]),
            settlers=tuple([points[f"{side}_{name}"] for name in ("settlers", "spare", "idle")]),
            heights=(0.0, *[points[f"{side}_height_{level}"] for level in range(1, TOP_LEVEL + 1)]),
            runs=tuple([points[f"{side}_runs_{people}"] for people in PEOPLES]),
        )

    score = ("own_score", "other_score", "late_lead", "own_near", "other_near", "own_safe", "other_safe")
    return Corrections(
        base=net.value(mean) - sum([slope * value for slope, value in zip(slopes.values(), mean, strict=True)]),
        slope=slopes["worth"],
        attacks=points["attacks"],
        threats=points["threats"],
        score=tuple([points[name] for name in score]),
        hand=tuple([points[f"own_{name}"] for name in HELD]),
        other_hand=tuple([points[f"other_{name}"] for name in ("cards", "first_cards", "many_cards")]),
        own=lands("own"),
        other=lands("other"),
    )


_of_net: dict[int, tuple[Net, Corrections]] = {}


def known_corrections(net: Net) -> Corrections:
    """Return the corrections of a net, worked out once."""
    found = _of_net.get(id(net))
    if found is None:
        found = _of_net[id(net)] = (net, corrections(net))  # the net is kept, so no other one gets its id
    return found[1]


class Experience(Outlook):
    """Judges positions as the scribe does, corrected by what games have taught."""

    def __init__(self, view: View, state: State, seat: int, learned: Corrections) -> None:
        super().__init__(view, state, seat)
        self.learned = learned

    def terms(self, state: State) -> list[float]:
        """Return the worth group by group."""
        learned = self.learned
        groups = super().terms(state)
        own, other = state.scores[self.seat], state.scores[self.rival]
        score = learned.score
        groups[POINTS] += (
            score[0] * own
            + score[1] * other
            + score[2] * self.late * (own - other)
            + score[3] / (1 + distance(own, other))
            + score[4] / (1 + distance(other, own))
            + score[5] * (own > TOO_FEW)
            + score[6] * (other > TOO_FEW)
        )
        groups[ATTACKS] *= 1 + learned.attacks
        groups[THREATS] *= 1 + learned.threats
        cards = sum(state.hands[self.facing : self.facing + LANDS])
        hand = learned.other_hand
        groups[RIVAL_HAND] += hand[0] * cards + hand[1] * min(cards, FIRST_CARDS) + hand[2] * max(0, cards - MANY_CARDS)
        return groups

    def hand(self, hand: tuple[int, ...]) -> float:
        """Return what the seat's own hand is worth."""
        return super().hand(hand) + sum([weight * count for weight, count in zip(self.learned.hand, held(hand), strict=True)])

    def _own_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, here: bool, hand: tuple[int, ...], outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        ready, worth, attack = super()._own_land(land, column, temple, m, other, here, hand, outer)
        learned = self.learned.own
        height = temple[-1] if temple else 0
        worth += _known(learned, column, height)
        if height < TOP_LEVEL:
            reach = 1.0 if here else 0.9 if hand[land] else 0.5
            ready += reach * learned.ready[standing(len(column), height)] / self.weights.ready
        return ready, worth, attack

    def _other_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, held: int, outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        ready, worth, threat = super()._other_land(land, column, temple, m, other, held, outer)
        learned = self.learned.other
        height = temple[-1] if temple else 0
        worth -= _known(learned, column, height)
        if height < TOP_LEVEL:
            reach = 1.0 if self.rival_pawn == land else self.odds(held)[land][1]
            ready -= reach * learned.ready[standing(len(column), height)] / self.weights.rival_ready
        return ready, worth, threat


def _known(learned: Lands, column: bytes, height: int) -> float:
    """Return what a side's column and temple are worth beyond the scribe's terms, without the next level."""
    useful, spare, idle = settled(len(column), height)
    worth = learned.settlers[0] * useful + learned.settlers[1] * spare + learned.settlers[2] * idle + learned.heights[height]
    if height < TOP_LEVEL:
        worth += learned.standing[standing(len(column), height)]
    runs = ROWS[column][0]
    if runs:
        for people in range(LANDS):
            if runs >> people & 1:
                worth += learned.runs[people]
    return worth
