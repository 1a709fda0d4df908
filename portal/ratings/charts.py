"""Coordinates of charts: pure arithmetic, numbers in, places in a viewBox out. Templates draw them.

All coordinates are rounded to a tenth; y grows downwards, as in SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SPARK_WIDTH: Final = 90
SPARK_HEIGHT: Final = 24
SPARK_EDGE: Final = 3


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A small line without axes. `first` and `last` are its values."""

    points: str  # of a polyline
    end_x: float
    end_y: float
    first: int
    last: int
    count: int


def sparkline(values: Sequence[int]) -> Sparkline | None:
    """Return the line through some values, oldest first; None for fewer than two, which show no direction."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    step = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(values) - 1)
    scale = (SPARK_HEIGHT - 2 * SPARK_EDGE) / (high - low) if high > low else 0.0
    middle = 0.0 if high > low else SPARK_HEIGHT / 2 - SPARK_EDGE
    spots = [
        (round(SPARK_EDGE + n * step, 1), round(SPARK_HEIGHT - SPARK_EDGE - (value - low) * scale - middle, 1))
        for n, value in enumerate(values)
    ]
    return Sparkline(" ".join(f"{x},{y}" for x, y in spots), *spots[-1], values[0], values[-1], len(values))
