"""Coordinates of charts: pure arithmetic, from numbers to positions in a viewBox. Templates draw them.

All coordinates are rounded to a tenth; y grows downwards, as in SVG. Text in a chart is 12 units high, so that it stays
readable on a phone, where one unit is a little less than a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SPARK_WIDTH: Final = 90
SPARK_HEIGHT: Final = 24
SPARK_EDGE: Final = 3

WIDTH: Final = 360
HEIGHT: Final = 200
LEFT: Final = 40  # room for the numbers of the scale
RIGHT: Final = 352
TOP: Final = 14
BOTTOM: Final = 172

WHISKER_WIDTH: Final = 160

SQUARE_LEFT: Final = 36
SQUARE_RIGHT: Final = 312
SQUARE_TOP: Final = 8
SQUARE_BOTTOM: Final = 284


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
    """Return the line through some values, oldest first; None for fewer than two, since they show no direction."""
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
    return Sparkline(_points(spots), *spots[-1], values[0], values[-1], len(values))


def ticks(low: float, high: float, *, most: int = 5, least_step: float = 0) -> list[float]:
    """Return at most `most` round numbers, `least_step` or more apart, that span low to high; the outer ones are at or beyond them."""
    span = high - low
    if span <= 0:
        return [low]
    unit = 10.0 ** math.floor(math.log10(span / most))
    for factor in (1, 2, 2.5, 5, 10, 20, 25, 50):
        step = unit * factor
        first, last = math.floor(low / step), math.ceil(high / step)
        if step >= least_step and last - first + 1 <= most:
            return [round(n * step, 10) for n in range(first, last + 1)]
    raise AssertionError("a step of fifty units always fits")


def _are_whole(values: Sequence[float]) -> bool:
    return all(value == int(value) for value in values)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on a scale."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar with its value above and its label below."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars from zero."""

    bars: list[Bar]
    ticks: list[Tick]


def bar_chart(values: Sequence[float], labels: Sequence[str]) -> BarChart:
    """Return bars side by side, from zero upwards; values are not negative, and whole values get whole marks."""
    marks = ticks(0, max([*values, 1]), least_step=1 if _are_whole(values) else 0)
    top = marks[-1]
    step = (RIGHT - LEFT) / max(len(values), 1)
    width = min(step * 0.7, 48)
    bars = []
    for n, (value, label) in enumerate(zip(values, labels, strict=True)):
        middle = LEFT + (n + 0.5) * step
        height = (BOTTOM - TOP) * value / top
        bars.append(
            Bar(
                round(middle - width / 2, 1),
                round(BOTTOM - height, 1),
                round(width, 1),
                round(height, 1),
                round(middle, 1),
                value,
                label,
            )
        )
    return BarChart(bars, [Tick(_y(mark, 0, top), mark) for mark in marks])


@dataclass(frozen=True, slots=True)
class Dot:
    """One value of a line; `is_hollow` sets it apart by shape."""

    x: float
    y: float
    is_hollow: bool


@dataclass(frozen=True, slots=True)
class LineChart:
    """A line over equal steps, with the band of its uncertainty."""

    line: str
    band: str  # "" where there is none
    dots: list[Dot]
    ticks: list[Tick]
    first_x: float
    last_x: float


def line_chart(values: Sequence[float], *, spread: Sequence[float] = (), hollow: Sequence[bool] = ()) -> LineChart | None:
    """Return the line through values, oldest first, with `spread` on both sides of each; None for fewer than two.

    `hollow` says which dots are hollow; without it there are no dots.
    """
    if len(values) < 2:
        return None
    wide = spread or [0.0] * len(values)
    marks = ticks(
        min(value - by for value, by in zip(values, wide, strict=True)),
        max(value + by for value, by in zip(values, wide, strict=True)),
        least_step=1 if _are_whole(values) else 0,
    )
    if len(marks) == 1:
        marks = [marks[0] - 1, marks[0], marks[0] + 1]
    low, high = marks[0], marks[-1]
    step = (RIGHT - LEFT - 8) / (len(values) - 1)
    xs = [round(LEFT + 4 + n * step, 1) for n in range(len(values))]
    band = ""
    if spread:
        above = [(x, _y(value + by, low, high)) for x, value, by in zip(xs, values, wide, strict=True)]
        below = [(x, _y(value - by, low, high)) for x, value, by in zip(xs, values, wide, strict=True)]
        band = _points([*above, *reversed(below)])
    spots = [(x, _y(value, low, high)) for x, value in zip(xs, values, strict=True)]
    dots = [Dot(*spot, is_hollow) for spot, is_hollow in zip(spots, hollow, strict=True)] if hollow else []
    return LineChart(_points(spots), band, dots, [Tick(_y(mark, low, high), mark) for mark in marks], xs[0], xs[-1])


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval on the scale of a table's column, and the value to compare it with."""

    x: float
    low: float
    high: float
    mark: float


def whisker(value: float, low: float, high: float, mark: float, *, scale: tuple[float, float]) -> Whisker:
    """Return one row of a column of intervals; all rows of the column get the same scale. Anything beyond it is cut."""
    first, last = scale

    def place(number: float) -> float:
        part = (min(max(number, first), last) - first) / (last - first) if last > first else 0.5
        return round(6 + part * (WHISKER_WIDTH - 12), 1)

    return Whisker(place(value), place(low), place(high), place(mark))


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of the diagram with the interval of its height."""

    x: float
    y: float
    low: float  # the larger y
    high: float
    radius: float


@dataclass(frozen=True, slots=True)
class Diagram:
    """Predicted (to the right) against real (upwards), both from 0 to 1, with the diagonal where they agree."""

    spots: list[Spot]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def diagram(rows: Sequence[tuple[float, float, float, int]]) -> Diagram:
    """Return the diagram of rows (predicted, real, half of the interval, cases); a dot's area follows its cases."""
    most = max((cases for *_, cases in rows), default=1)
    spots = [
        Spot(
            _across(predicted),
            _up(real),
            _up(max(real - by, 0.0)),
            _up(min(real + by, 1.0)),
            round(3 + 4 * math.sqrt(cases / most), 1),
        )
        for predicted, real, by, cases in rows
    ]
    marks = [0.0, 0.25, 0.5, 0.75, 1.0]
    return Diagram(spots, [Tick(_across(mark), mark) for mark in marks], [Tick(_up(mark), mark) for mark in marks])


def _across(part: float) -> float:
    return round(SQUARE_LEFT + part * (SQUARE_RIGHT - SQUARE_LEFT), 1)


def _up(part: float) -> float:
    return round(SQUARE_BOTTOM - part * (SQUARE_BOTTOM - SQUARE_TOP), 1)


def _y(value: float, low: float, high: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low), 1)


def _points(spots: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in spots)
