"""The odds of a fight: of one roll, and of fighting on to the end (combat-1, combat-3)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

ROLLS = 36


@lru_cache(maxsize=16)
def hit_chance(need: int) -> Fraction:
    """Return the chance that two dice show at least `need`.

    >>> hit_chance(5), hit_chance(7)
    (Fraction(5, 6), Fraction(7, 12))
    """
    return Fraction(sum(1 for first in range(1, 7) for second in range(1, 7) if first + second >= need), ROLLS)


@lru_cache(maxsize=1024)
def fight(armies: int, defenders: int, need: int) -> tuple[Fraction, Fraction]:
    """Return the chance of beating all defenders before the last army is lost, and the average number of armies lost.

    >>> fight(1, 1, 5)
    (Fraction(5, 6), Fraction(1, 6))
    """
    if not defenders:
        return Fraction(1), Fraction(0)
    if not armies:
        return Fraction(0), Fraction(0)
    hit = hit_chance(need)
    won, lost = fight(armies, defenders - 1, need)
    won_after_miss, lost_after_miss = fight(armies - 1, defenders, need)
    return hit * won + (1 - hit) * won_after_miss, hit * lost + (1 - hit) * (1 + lost_after_miss)


def percent(chance: Fraction) -> int:
    """Return a chance in per cent, rounded; only certainty gives 100.

    >>> percent(Fraction(5, 6)), percent(Fraction(999, 1000))
    (83, 99)
    """
    return 100 if chance == 1 else min(99, round(chance * 100))
