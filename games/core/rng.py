"""A seeded source of chance for tests, bots and measurements. Tables never use it: see `sealed`."""

from __future__ import annotations

from random import Random

from games.core.contract import Rng


class SeededRng:
    """Repeatable chance: the same seed gives the same draws, whatever the labels.

    >>> a, b = SeededRng(7), SeededRng(7)
    >>> [a.below(6, "dice") for _ in range(5)] == [b.below(6, "bag") for _ in range(5)]
    True
    """

    __slots__ = ("random",)

    def __init__(self, seed: int | str) -> None:
        self.random = Random(seed).random

    def below(self, n: int, label: str) -> int:
        """Return a uniform integer in 0..n-1. Scaling 53 random bits is fair enough for n below a million."""
        return int(self.random() * n)


def shuffled(n: int, rng: Rng, label: str) -> list[int]:
    """Return 0..n-1 in random order (Fisher-Yates from the end, one draw per place)."""
    below = rng.below
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        at = below(last + 1, label)
        order[last], order[at] = order[at], order[last]
    return order
