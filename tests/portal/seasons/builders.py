"""Seasons, leagues and finished games for the tests, without playing them."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from portal.contests import leagues, seasons
from portal.contests.league_draw import Wish
from portal.ratings.services import apply_pending
from portal.tables.models import FinishCounter, Table
from tests.portal.ratings.games import finished

WEEK = timedelta(days=7)


def make_season(club, actor, name="Autumn", **values):
    values.setdefault("ends_at", timezone.now() + 13 * WEEK)
    return seasons.make_season(club=club, actor=actor, name=name, **values)


def next_number():
    counter, _ = FinishCounter.objects.get_or_create(pk=1)
    counter.last += 1
    counter.save()
    return counter.last


def game_of(club, seats, **values):
    """A finished club game, not yet in the standings; seats are (name or bot level, place)."""
    values.setdefault("at", timezone.now())
    return finished(next_number(), seats, club=club, **values)


def wish(**values):
    standard = {"name": "Ra league", "game": "ra", "form": "rounds-3", "members": ["alice", "bob", "dora"], "seed": "s1"}
    return Wish(**{**standard, **values})


def start(club, actor, season, **values):
    return leagues.start_league(club=club, actor=actor, season_id=season.pk, wish=wish(**values))


def finish(table_id, places, *, at=None, count=True):
    """End a running table with these places by seat, and run the scoring worker."""
    table = Table.objects.get(pk=table_id)
    for seat, place in zip(table.seats.order_by("index"), places, strict=True):
        seat.place, seat.score = place, 10 * (len(places) - place)
        seat.save()
    table.status, table.finished_at, table.finish_number = "finished", at or timezone.now(), next_number()
    table.due, table.waits_for = [], ""
    table.save()
    if count:
        apply_pending()


def play_out(league, club, ranking):
    """Play every pairing that has not started; the player earlier in `ranking` (names) wins."""
    for pairing in league.pairings.filter(table=None, void_at=None):
        seats = list(pairing.seats.select_related("entrant__user").order_by("seat"))
        somebody = next(seat.entrant.user for seat in seats if seat.entrant.user is not None)
        table_id = leagues.play(club=club, user=somebody, league_id=league.pk, pairing_id=pairing.pk)
        order = sorted(seat.entrant.name for seat in seats)
        order.sort(key=ranking.index)
        finish(table_id, [1 + order.index(seat.entrant.name) for seat in seats])
