"""What a finished game means for the league it belongs to: points, written by the worker that writes the ratings."""

from __future__ import annotations

from collections.abc import Sequence

from portal.clubs.league_table import game_points
from portal.clubs.models import PairingSeat
from portal.ratings.results import Result


def write_points(results: Sequence[Result]) -> int:
    """Write place, points and score of every seat whose pairing was played at one of these tables; return how many games."""
    by_table = {result.table_id: result for result in results}
    seats = list(PairingSeat.objects.filter(pairing__table_id__in=by_table).select_related("pairing"))
    for seat in seats:
        result = by_table[seat.pairing.table_id or 0]
        seat.place = result.places[seat.seat]
        seat.points = game_points(result.places)[seat.seat]
        seat.score = result.scores[seat.seat]
    PairingSeat.objects.bulk_update(seats, ["place", "points", "score"])
    return len({seat.pairing_id for seat in seats})
