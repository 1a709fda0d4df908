"""How bots vary: among moves of nearly equal worth the table's generator decides, so that no two games open alike."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Rng


def near(values: Sequence[float], margin: float, rng: Rng) -> int:
    """Return the place of one of the values at most `margin` below the best, each as likely; no draw is made if there is only one.

    Raises ValueError if there is no value.

    >>> from games.core.rng import SeededRng
    >>> {near([1.0, 3.0, 2.95, 0.0], 0.1, SeededRng(seed)) for seed in range(20)}
    {1, 2}
    """
    least = max(values) - margin
    close = [at for at, value in enumerate(values) if value >= least]
    return close[0] if len(close) == 1 else close[rng.below(len(close), "bot")]
