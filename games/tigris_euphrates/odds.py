"""How likely a hidden hand holds enough tiles of a kind: exact hypergeometric odds over the tiles that a seat cannot see.

What a seat cannot see is in the bag, in other hands, or was swapped away; each of these tiles is equally likely to be anywhere.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final

from games.tigris_euphrates.components import HAND_SIZE

NEEDS: Final = HAND_SIZE + 1  # from zero to six tiles


@lru_cache(maxsize=4096)
def at_least(pool: int, of_kind: int, hand: int) -> tuple[float, ...]:
    """Return P(at least n tiles of the kind among `hand` tiles of the pool) for n = 0 .. 6, and 0 for seven.

    >>> [round(p, 3) for p in at_least(10, 4, 2)][:4]
    [1.0, 0.667, 0.133, 0.0]
    """
    hand = min(hand, pool)
    ways = comb(pool, hand)
    exact = [comb(of_kind, n) * comb(pool - of_kind, hand - n) / ways if n <= hand else 0.0 for n in range(NEEDS)]
    chances = [1.0] * (NEEDS + 1)
    for n in range(1, NEEDS + 1):
        chances[n] = max(0.0, chances[n - 1] - exact[n - 1])
    return tuple(chances)


def chance(odds: tuple[float, ...], need: float) -> float:
    """Return the chance of at least `need` tiles; for a fractional need, interpolate."""
    if need <= 0:
        return 1.0
    if need >= NEEDS:
        return 0.0
    low = int(need)
    part = need - low
    return odds[low] if not part else odds[low] * (1 - part) + odds[low + 1] * part
