"""Pure arithmetic of ratings: OpenSkill (Plackett-Luce, Weng & Lin 2011) over places with ties.

A rating is (mu, sigma). People see `shown` points with the uncertainty beside them; lists are ordered by a lower bound of the rating,
`order_value`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = 25.0 / 3.0
BETA: Final = 25.0 / 6.0
POINTS_AT_START: Final = 1500
POINTS_A_UNIT: Final = 40
BUCKETS_A_UNIT: Final = 4  # of order values, for ranks

_reused = threading.local()
_MODEL = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
Strength = tuple[float, float]


def rated(strengths: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """Return mu and sigma after one game; both lists are indexed by seat, place 1 is best, equal places are ties.

    The arithmetic is OpenSkill's. Its `rate` deep-copies its arguments and draws a random name for each copy, which takes three quarters of
    its time, too much for a recount of a million games. So the seats are laid out here as `rate` does it, in reused objects, and its
    underlying method is called. A test compares the two.
    """
    if not hasattr(_reused, "teams"):
        _reused.teams = [[_MODEL.rating()] for _ in range(16)]
    order = sorted(range(len(places)), key=places.__getitem__)
    teams = _reused.teams[: len(order)]
    for (player,), seat in zip(teams, order, strict=True):
        mu, sigma = strengths[seat]
        player.mu, player.sigma = mu, math.sqrt(sigma * sigma + _MODEL.tau * _MODEL.tau)
    _MODEL._compute(teams, [float(places[seat]) for seat in order])
    after: list[Strength] = [(0.0, 0.0)] * len(order)
    for (player,), seat in zip(teams, order, strict=True):
        after[seat] = (player.mu, player.sigma)
    if len(set(places)) < len(places):  # sums in another order differ in the last bit: keep equal what was equal before a tie
        same: dict[tuple[Strength, int], Strength] = {}
        for seat in order:
            after[seat] = same.setdefault((strengths[seat], places[seat]), after[seat])
    return after


def order_value(mu: float, sigma: float) -> float:
    """Return the lower bound of the strength with 97.5 % confidence: mu - 2 sigma."""
    return mu - 2 * sigma


def points(mu: float) -> int:
    """Return the points that people see; a newcomer has 1500."""
    return round(POINTS_AT_START + POINTS_A_UNIT * (mu - MU))


def shown(mu: float, sigma: float) -> tuple[int, int]:
    """Return the points and their ± (two standard deviations) as people see them; a newcomer has 1500 ± 667."""
    return points(mu), round(POINTS_A_UNIT * 2 * sigma)


def shared_win(place: int, places: Sequence[int]) -> float:
    """Return the share of the win that a place is worth: 1 for a sole winner, 1/n for n winners, else 0."""
    return 1 / list(places).count(1) if place == 1 else 0.0


def bucket_of(value: float) -> int:
    """Return the bucket of an order value (`RankBucket`)."""
    return math.floor(value * BUCKETS_A_UNIT)


def weights(strengths: Sequence[Strength]) -> list[float]:
    """Return the Plackett-Luce weight of each seat: the chance to finish before another seat is its share of both weights.

    exp(mu / c) with c^2 the sum of sigma^2 + beta^2 over the table: the model with which a game moves the ratings.
    """
    c = math.sqrt(sum(sigma * sigma + BETA * BETA for _, sigma in strengths))
    return [math.exp(mu / c) for mu, _ in strengths]


def chances(strengths: Sequence[Strength]) -> list[float]:
    """Return each seat's predicted chance to win alone."""
    each = weights(strengths)
    total = sum(each)
    return [weight / total for weight in each]


def expected_places(strengths: Sequence[Strength]) -> list[float]:
    """Return each seat's predicted mean place, from 1 to the number of seats."""
    each = weights(strengths)
    return [1 + sum(other / (other + weight) for j, other in enumerate(each) if j != i) for i, weight in enumerate(each)]
