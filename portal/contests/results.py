"""Results of leagues: places, points and scores of pairings, written along with the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from portal.contests.league_table import game_points
from portal.contests.models import Pairing, PairingSeat
from portal.ratings.results import Result

Written = tuple[int | None, float | None, int | None]  # place, points and score of a seat
NOTHING: Written = (None, None, None)


def write_points(results: Sequence[Result]) -> int:
    """Write place, points and score of every seat of the pairings played at these tables; return the number of games."""
    by_table = {result.table_id: result for result in results}
    seats = list(PairingSeat.objects.filter(pairing__table_id__in=by_table).select_related("pairing"))
    for seat in seats:
        seat.place, seat.points, seat.score = _written(by_table[seat.pairing.table_id or 0], seat.seat)
    PairingSeat.objects.bulk_update(seats, ["place", "points", "score"])
    return len({seat.pairing_id for seat in seats})


def clear_points() -> None:
    """Clear all places, points and scores, before they are written again."""
    PairingSeat.objects.exclude(place=None, points=None, score=None).update(place=None, points=None, score=None)


@dataclass(slots=True)
class PointsCheck:
    """Compares the stored result of every pairing with its game."""

    _games: dict[int, Result] = field(default_factory=dict)  # of leagues, by table

    def add(self, results: Sequence[Result]) -> None:
        by_table = {result.table_id: result for result in results}
        played = Pairing.objects.filter(table__in=by_table).values_list("table_id", flat=True)
        self._games.update({table_id: by_table[table_id] for table_id in played if table_id is not None})

    def differences(self) -> Iterator[str]:
        for seat in PairingSeat.objects.select_related("pairing").order_by("pk"):
            result = self._games.get(seat.pairing.table_id or 0)
            wanted = _written(result, seat.seat) if result is not None else NOTHING
            if (seat.place, seat.points, seat.score) != wanted:
                yield f"league seat {seat.pk}: stored {(seat.place, seat.points, seat.score)}, reckoned {wanted}"


def _written(result: Result, seat: int) -> Written:
    return result.places[seat], game_points(result.places)[seat], result.scores[seat]
