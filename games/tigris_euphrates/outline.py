"""The outline of a set of squares as an SVG path: thin, slightly inside the squares, with rounded corners."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Point = tuple[int, int]  # column and row of a grid line crossing, or a step between two

_INWARDS: Final = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}  # direction of an edge -> side of its squares


def outline(squares: Iterable[Point], *, cell: int, margin: int, inset: int, radius: int) -> str:
    """Return the path around squares given as (column, row); separate pieces and holes are subpaths.

    `cell` is the width of a square, `margin` where the first one starts, `inset` how far inside the edge the line runs.
    """
    edges = _edges(set(squares))
    paths = []
    while edges:
        paths.append(_loop(edges, cell, margin, inset, radius))
    return "".join(paths)


def _edges(squares: set[Point]) -> dict[Point, list[Point]]:
    """Return the edges as {start: directions}, each with the squares on its right."""
    edges: dict[Point, list[Point]] = {}
    for x, y in sorted(squares):
        for start, direction, beside in (
            ((x, y), (1, 0), (x, y - 1)),
            ((x + 1, y), (0, 1), (x + 1, y)),
            ((x + 1, y + 1), (-1, 0), (x, y + 1)),
            ((x, y + 1), (0, -1), (x - 1, y)),
        ):
            if beside not in squares:
                edges.setdefault(start, []).append(direction)
    return edges


def _loop(edges: dict[Point, list[Point]], cell: int, margin: int, inset: int, radius: int) -> str:
    """Take one closed line out of `edges` and return its path."""
    start = min(edges)
    at, heading = start, _take(edges, start, None)
    first = heading
    corners: list[tuple[Point, Point, Point]] = []  # crossing, direction before, direction after
    while True:
        at = (at[0] + heading[0], at[1] + heading[1])
        turned = first if at == start and not edges.get(at) else _take(edges, at, heading)
        if turned != heading:
            corners.append((at, heading, turned))
        if at == start and turned == first:
            break
        heading = turned
    return _path(corners, cell, margin, inset, radius)


def _path(corners: list[tuple[Point, Point, Point]], cell: int, margin: int, inset: int, radius: int) -> str:
    """Return the path through the corners, in steps from one to the next."""
    points = []
    for (x, y), before, after in corners:
        dx = _INWARDS[before][0] + _INWARDS[after][0]
        dy = _INWARDS[before][1] + _INWARDS[after][1]
        points.append((margin + x * cell + dx * inset, margin + y * cell + dy * inset))
    x, y = points[-1]
    dx, dy = corners[-1][2]
    path = [f"M{x + dx * radius} {y + dy * radius}"]
    for (px, py), (_, before, after) in zip(points, corners, strict=True):
        length = abs(px - x) + abs(py - y) - 2 * radius
        path.append(f"h{before[0] * length}" if before[0] else f"v{before[1] * length}")
        bx, by = before[0] * radius, before[1] * radius
        path.append(f"q{bx} {by} {bx + after[0] * radius} {by + after[1] * radius}")
        x, y = px, py
    return "".join(path) + "z"


def _take(edges: dict[Point, list[Point]], at: Point, heading: Point | None) -> Point:
    """Take the edge that leaves `at`; where two squares touch only at a corner, the one that stays with the same square."""
    directions = edges[at]
    if heading is None or len(directions) == 1:
        taken = directions.pop(0)
    else:
        right = (-heading[1], heading[0])
        taken = right if right in directions else directions[0]
        directions.remove(taken)
    if not directions:
        del edges[at]
    return taken
