"""Comparing actions by playouts: all meet the same deals of what is hidden, and one that falls clearly behind is left out early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final, TypeVar

BEHIND: Final = 2.0  # standard errors behind the best by which an action is left out

Deal = TypeVar("Deal")


def means(count: int, play: Callable[[int, Deal], float], deal: Callable[[], Deal], most: int, every: int) -> list[float]:
    """Return the mean result of each of `count` actions, from the playouts of `results`.

    Actions that were left out stay as far behind the best one as they were in the playouts of both.

    >>> means(3, lambda action, dealt: [6.0, 4.0, 1.0][action] + dealt, iter([0.0, 1.0, 2.0, 1.0]).__next__, 4, 2)
    [6.5, 4.5, 1.5]
    """
    rows = results(count, play, deal, most, every)
    longest = max([len(row) for row in rows])
    best = max([row for row in rows if len(row) == longest], key=sum)
    top = sum(best) / longest
    return [top - gap_of(row, best) for row in rows]


def results(count: int, play: Callable[[int, Deal], float], deal: Callable[[], Deal], most: int, every: int) -> list[list[float]]:
    """Return the results of up to `most` playouts of each of `count` actions, at least one, in the same deals.

    `play` plays an action out, by its number, in a deal, and returns the result; `deal` makes the next deal. After each `every` playouts
    those that are behind (`is_behind`) are left out, so their rows are shorter.

    >>> results(3, lambda action, dealt: [6.0, 4.0, 1.0][action] + dealt, iter([0.0, 1.0, 2.0, 1.0]).__next__, 4, 2)
    [[6.0, 7.0], [4.0, 5.0], [1.0, 2.0]]
    """
    left = list(range(count))
    rows: list[list[float]] = [[] for _ in left]
    done = 0
    while done < most and (len(left) > 1 or not done):
        for _ in range(min(every, most - done)):
            dealt = deal()
            for at in left:
                rows[at].append(play(at, dealt))
            done += 1
        best = max(left, key=lambda at: sum(rows[at]))
        left = [at for at in left if at == best or not is_behind(rows[at], rows[best])]
    return rows


def gap_of(values: Sequence[float], best: Sequence[float]) -> float:
    """Return by how much the best action was better in the playouts that both had: the first ones.

    >>> gap_of([1.0, 2.0], [2.0, 4.0, 9.0])
    1.5
    """
    return sum([other - value for value, other in zip(values, best, strict=False)]) / len(values)


def is_behind(values: Sequence[float], best: Sequence[float]) -> bool:
    """Return whether an action is worse than the best one by more than chance explains (`BEHIND`), after as many playouts of both.

    >>> is_behind([1.0, 2.0, 1.0], [3.0, 3.5, 3.0]), is_behind([1.0, 5.0, 1.0], [3.0, 3.5, 3.0]), is_behind([1.0], [3.0])
    (True, False, False)
    """
    n = len(values)
    if n < 2:
        return False
    mean = gap_of(values, best)
    spread = sum([(other - value - mean) ** 2 for value, other in zip(values, best, strict=True)]) / (n - 1)
    return mean > BEHIND * sqrt(spread / n)
