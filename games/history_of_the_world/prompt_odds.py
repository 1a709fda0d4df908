"""The odds of a battle, without rerolls, and of rolling the lower die again (history_of_the_world#battle-1, #battle-6)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final

DIE: Final = range(1, 7)
ATTACK_DICE: Final = 2

Odds = tuple[Fraction, Fraction, Fraction]  # won, tied, lost by the attacker


@lru_cache(maxsize=8)
def highest(dice: int) -> tuple[tuple[int, Fraction], ...]:
    """Return the chance of each value of the highest of some dice.

    >>> highest(2)[-1]
    (6, Fraction(11, 36))
    """
    counted = Counter(max(roll) for roll in product(DIE, repeat=dice))
    return tuple((value, Fraction(counted[value], 6**dice)) for value in DIE)


@lru_cache(maxsize=1024)
def battle(bonus: int, dice: int, defence: int, ties_won: bool = False) -> Odds:
    """Return the odds of two dice with a bonus against some dice with a bonus.

    >>> battle(0, 1, 0)
    (Fraction(125, 216), Fraction(1, 6), Fraction(55, 216))
    """
    return _summed(
        [(mine + bonus, theirs + defence, chance * other) for mine, chance in highest(ATTACK_DICE) for theirs, other in highest(dice)],
        ties_won,
    )


@lru_cache(maxsize=4096)
def reroll(dice: tuple[int, ...], is_attacker: bool, bonus: int, defence: int, ties_won: bool = False) -> Odds:
    """Return the odds when a side rolls its lower die again and nobody rolls after that."""
    mine, theirs = dice[:ATTACK_DICE], dice[ATTACK_DICE:]
    kept = sorted(mine if is_attacker else theirs)[1:]
    outcomes = []
    for die in DIE:
        new = max((*kept, die))
        attack, other = (new, max(theirs)) if is_attacker else (max(mine), new)
        outcomes.append((attack + bonus, other + defence, Fraction(1, 6)))
    return _summed(outcomes, ties_won)


def _summed(outcomes: list[tuple[int, int, Fraction]], ties_won: bool) -> Odds:
    won = sum((chance for attack, defence, chance in outcomes if attack > defence), Fraction(0))
    tied = sum((chance for attack, defence, chance in outcomes if attack == defence), Fraction(0))
    return (won + tied, Fraction(0), 1 - won - tied) if ties_won else (won, tied, 1 - won - tied)


def percents(odds: Odds) -> tuple[int, int, int]:
    """Return odds in per cent that add up to 100; what is possible has at least 1.

    >>> percents(battle(0, 1, 0)), percents(battle(0, 2, 1)), percents(battle(4, 1, 0))
    ((58, 17, 25), (22, 17, 61), (97, 2, 1))
    """
    shown = [0 if not chance else max(1, round(chance * 100)) for chance in odds]
    largest = max(range(3), key=lambda index: odds[index])
    shown[largest] += 100 - sum(shown)
    won, tied, lost = shown
    return won, tied, lost
