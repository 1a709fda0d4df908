"""The table of a league: pure arithmetic over the games that were played.

Points first; then wins (shared first places count in part); then points gained against those still level; then the sum of the opponents'
points; otherwise the place is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from portal.ratings.formula import shared_win

Played = Sequence[tuple[int, int]]  # one game: (entrant, place) by seat


@dataclass(slots=True)
class Line:
    """One entrant's line. `direct` is None if nobody else is level in points and wins."""

    entrant: int
    rank: int = 1
    games: int = 0
    points: float = 0.0
    wins: float = 0.0
    direct: float | None = None
    opponents: float = 0.0
    against: dict[int, float] = field(default_factory=dict)  # entrant met -> gained against them in all meetings
    met: dict[int, int] = field(default_factory=dict)  # entrant met -> meetings


def gained(own: int, other: int) -> float:
    """Return what one place gains against another: 1 ahead, 0.5 level, 0 behind."""
    return 1.0 if own < other else 0.5 if own == other else 0.0


def game_points(places: Sequence[int]) -> list[float]:
    """Return the points of each seat: what it gains against all others, so at a table of n it is n minus the place.

    Two who share a place share its points, and so do several who left and are therefore last.

    >>> game_points([2, 1, 3, 3])
    [2.0, 3.0, 0.5, 0.5]
    >>> game_points([1, 4, 3, 4])
    [3.0, 0.5, 2.0, 0.5]
    """
    return [sum(gained(own, other) for other in places) - 0.5 for own in places]


def table_of(entrants: Iterable[int], games: Iterable[Played]) -> list[Line]:
    """Return the lines of all entrants, best first; entrants level in everything share the rank and keep the given order."""
    lines = {entrant: Line(entrant) for entrant in entrants}
    for game in games:
        places = [place for _, place in game]
        for (entrant, place), points in zip(game, game_points(places), strict=True):
            line = lines[entrant]
            line.games += 1
            line.points += points
            line.wins += shared_win(place, places)
            for other, their_place in game:
                if other != entrant:
                    line.against[other] = line.against.get(other, 0.0) + gained(place, their_place)
                    line.met[other] = line.met.get(other, 0) + 1
    for line in lines.values():
        line.opponents = sum(lines[other].points * count for other, count in line.met.items())
    for level in _groups(lines.values(), lambda line: (line.points, line.wins)):
        if len(level) > 1:
            for line in level:
                line.direct = sum(line.against.get(other.entrant, 0.0) for other in level)
    ordered: list[Line] = []
    for level in _groups(lines.values(), lambda line: (line.points, line.wins, line.direct or 0.0, line.opponents)):
        for line in level:
            line.rank = len(ordered) + 1
        ordered += level
    return ordered


def _groups(lines: Iterable[Line], key: Callable[[Line], tuple[float, ...]]) -> list[list[Line]]:
    """Group lines with equal keys, the largest key first. Shared thirds are rounded, so that equal sums compare equal."""

    def rounded(line: Line) -> tuple[float, ...]:
        return tuple(round(value, 6) for value in key(line))

    return [list(group) for _, group in groupby(sorted(lines, key=rounded, reverse=True), rounded)]
