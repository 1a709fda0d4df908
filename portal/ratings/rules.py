"""The worked example on the page about the rules of the ratings, calculated with the formula in use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from portal.ratings.formula import MU, POINTS_A_UNIT, POINTS_AT_START, SIGMA, chances, expected_places, order_value, rated, shown


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """One player of the example: the prediction, the outcome and the rating before and after. Points as people see them."""

    name: str
    points: int
    plus_minus: int
    chance: float  # per cent to win
    expected_place: float
    place: int
    new_points: int
    new_plus_minus: int
    least: int  # the value that orders the list, in points

    @property
    def change(self) -> int:
        return self.new_points - self.points


_PLAYERS: Final = (("Anna", 1640, 200, 2), ("Béla", 1560, 240, 1), ("Csilla", 1500, 667, 4), ("Dani", 1460, 160, 2))


@cache
def example() -> list[ExampleLine]:
    """Return four players, one of them new, after a game in which two share second place."""
    names = [name for name, *_ in _PLAYERS]
    before = {
        name: (MU + (points - POINTS_AT_START) / POINTS_A_UNIT, min(SIGMA, plus_minus / POINTS_A_UNIT / 2))
        for name, points, plus_minus, _ in _PLAYERS
    }
    places = [place for *_, place in _PLAYERS]
    after = dict(zip(names, rated([before[name] for name in names], places), strict=True))
    strengths = [before[name] for name in names]
    return [
        ExampleLine(
            name,
            *shown(*before[name]),
            100 * chance,
            expected,
            place,
            *shown(*after[name]),
            round(POINTS_AT_START + POINTS_A_UNIT * (order_value(*after[name]) - MU)),
        )
        for name, place, chance, expected in zip(names, places, chances(strengths), expected_places(strengths), strict=True)
    ]
