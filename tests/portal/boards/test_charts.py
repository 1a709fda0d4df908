"""Coordinates of charts: inside their drawing, in proportion, and sensible for one value, equal values and none."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from portal.ratings import charts

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 3))


def spots(points: str) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in points.split()]


@given(NUMBERS, NUMBERS)
def test_ticks_span_what_they_are_for_and_are_few(one, other):
    low, high = sorted((one, other))
    marks = charts.ticks(low, high)
    assert 1 <= len(marks) <= 5
    if low < high:
        step = marks[1] - marks[0]
        assert marks[0] <= low + 1e-6 * step
        assert marks[-1] >= high - 1e-6 * step
        assert marks == sorted(set(marks))


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 50, [0, 20, 40, 60]),
        (0, 1, [0, 0.25, 0.5, 0.75, 1]),
        (1231, 1702, [1200, 1400, 1600, 1800]),
        (3, 3, [3]),
        (-7, 12, [-10, 0, 10, 20]),
    ],
)
def test_ticks_are_round_numbers(low, high, marks):
    assert charts.ticks(low, high) == marks


@given(st.lists(st.integers(-2000, 4000), max_size=12))
def test_a_sparkline_stays_in_its_box(values):
    line = charts.sparkline(values)
    if len(values) < 2:
        assert line is None
        return
    places = spots(line.points)
    assert all(0 <= x <= charts.SPARK_WIDTH and 0 <= y <= charts.SPARK_HEIGHT for x, y in places)
    assert (line.end_x, line.end_y) == places[-1]
    for (_, one), (_, other), before, after in zip(places, places[1:], values, values[1:], strict=False):
        assert (other <= one) if after > before else (other >= one)


@given(st.lists(NUMBERS, max_size=200), st.booleans())
def test_a_line_stays_between_its_axes(values, with_band):
    chart = charts.line_chart(values, spread=[5.0] * len(values) if with_band else (), hollow=[False] * len(values))
    if len(values) < 2:
        assert chart is None
        return
    places = spots(chart.line) + spots(chart.band)
    assert len(places) == len(values) * (3 if with_band else 1)
    assert all(charts.LEFT <= x <= charts.RIGHT and charts.TOP - 0.1 <= y <= charts.BOTTOM + 0.1 for x, y in places)
    assert len(chart.dots) == len(values)
    assert len(chart.ticks) >= 2


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8))
def test_bars_are_as_high_as_their_values(values):
    chart = charts.bar_chart(values, [str(n) for n in range(len(values))])
    assert [bar.value for bar in chart.bars] == values
    top = max(values)
    highest = max(bar.height for bar in chart.bars)
    for bar in chart.bars:
        assert bar.y + bar.height == pytest.approx(charts.BOTTOM, abs=0.11)
        assert bar.y >= charts.TOP
        assert bar.x >= charts.LEFT
        assert bar.x + bar.width <= charts.RIGHT
        if top:
            assert bar.height == pytest.approx(highest * bar.value / top, abs=0.11)


def test_bars_of_whole_numbers_have_no_broken_marks():
    assert [tick.value for tick in charts.bar_chart([0, 1, 2, 0], "1234").ticks] == [0, 1, 2]
    assert [tick.value for tick in charts.bar_chart([3, 1], "12").ticks] == [0, 1, 2, 3]
    assert [tick.value for tick in charts.bar_chart([0.5, 1], "12").ticks] == [0, 0.25, 0.5, 0.75, 1]


def test_a_line_of_whole_numbers_has_no_broken_marks():
    assert [tick.value for tick in charts.line_chart([19, 20]).ticks] == [19, 20]
    assert [tick.value for tick in charts.line_chart([0.5, 1]).ticks] == [0.4, 0.6, 0.8, 1]


def test_a_whisker_is_cut_at_the_ends_of_its_column():
    drawn = charts.whisker(0.5, 0.25, 2, 0, scale=(0, 1))
    assert (drawn.mark, drawn.low, drawn.x, drawn.high) == (6, 43, 80, 154)
    assert charts.whisker(0, 0, 0, 0, scale=(0, 0)).x == 80


def test_the_diagram_puts_right_predictions_on_the_diagonal():
    drawn = charts.diagram([(0.5, 0.5, 0.1, 100), (0.2, 0.9, 0.3, 25)])
    right, high = drawn.spots
    assert right.x - charts.SQUARE_LEFT == pytest.approx(charts.SQUARE_BOTTOM - right.y)
    assert right.low - right.y == pytest.approx(right.y - right.high)
    assert high.high == charts.SQUARE_TOP  # an interval does not leave the scale
    assert (right.radius, high.radius) == (7, 5)
    assert charts.diagram([]).spots == []


def test_coordinates_are_written_with_a_point_in_every_language():
    chart = charts.line_chart([1.5, 2.25, 3], spread=[0.5, 0.5, 0.5], hollow=[True, False, True])
    with translation.override("hu"):
        part = render_to_string("ratings/_line_chart.html", {"chart": chart, "label": "x", "first": "a", "last": "b"})
        part += render_to_string("ratings/_whisker.html", {"drawn": charts.whisker(0.333, 0.1, 0.7, 0.5, scale=(0, 1))})
        part += render_to_string("ratings/_sparkline.html", {"spark": charts.sparkline([1500, 1512, 1507])})
    attributes = re.findall(r'\b(?:x|y|x1|x2|y1|y2|cx|cy|r)="([^"]*)"', part)
    assert len(attributes) > 20
    assert all(re.fullmatch(r"-?\d+(\.\d+)?", value) for value in attributes)
