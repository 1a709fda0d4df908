"""Two requests at the same moment, in threads with their own connections: everything happens once, and nobody waits for ever."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import close_old_connections, transaction
from django.utils import timezone

from portal.clubs.models import Season
from portal.common.refusals import WrongMoment
from portal.contests import leagues, seasons
from portal.contests.leagues import standings
from portal.contests.models import Honour, League
from portal.contests.tasks import freeze_due, tend_leagues
from portal.ratings import recount
from portal.ratings.models import Rating
from portal.ratings.services import apply_pending
from portal.tables.models import Table
from tests.portal.faults.test_races import at_once
from tests.portal.seasons.builders import WEEK, finish, game_of, make_season, play_out, start

pytestmark = pytest.mark.django_db(transaction=True)
DUEL = {"form": "once", "members": ["alice", "bob", "dora"]}


def over(season):
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() - WEEK, ends_at=timezone.now())


def test_a_season_is_frozen_once_however_many_workers_come(club, season):
    game_of(club, [("bob", 1), ("dora", 2)])
    over(season)
    assert sorted(at_once(*[freeze_due] * 4)) == [0, 0, 0, 1]
    assert Honour.objects.filter(season=season, game="ra").count() == 2


def test_games_that_are_counted_while_a_season_is_frozen_are_in_it_or_not_the_same_in_a_recount(club, season):
    for _ in range(6):
        game_of(club, [("bob", 1), ("dora", 2)])
        game_of(club, [("dora", 1), ("bob", 2), ("scribe", 3)])
    over(season)
    at_once(freeze_due, apply_pending, freeze_due, apply_pending)
    fields = ("ladder__key", "user_id", "mu", "sigma", "games")
    before = sorted(Rating.objects.filter(ladder__season=season).values_list(*fields), key=str)
    assert before
    recount.rebuild()
    assert sorted(Rating.objects.filter(ladder__season=season).values_list(*fields), key=str) == before


def test_two_who_press_play_at_once_come_to_one_table(club, olga, season, alice, bob):
    league = start(club, olga, season, **DUEL)
    pairing = league.pairings.filter(seats__entrant__user=alice).filter(seats__entrant__user=bob).get()
    calls = [lambda user=user: leagues.play(club=club, user=user, league_id=league.pk, pairing_id=pairing.pk) for user in (alice, bob)]
    first, second = at_once(*calls)
    assert first == second == Table.objects.get().pk


def test_a_league_starts_in_a_season_or_the_season_is_frozen_but_not_both_halfway(club, olga):
    for number in range(4):
        season = make_season(club, olga, f"Season {number}")
        over(season)
        Season.objects.filter(pk=season.pk).update(ends_at=timezone.now() + timedelta(milliseconds=30))
        at_once(lambda season=season: start(club, olga, season, **DUEL), freeze_due, freeze_due)
        Season.objects.filter(pk=season.pk, frozen_at=None).update(ends_at=timezone.now())
        freeze_due()
        assert not League.objects.filter(season=season, ended_at=None).exists()


def test_an_officer_who_ends_a_league_while_its_season_is_frozen_is_in_nobodys_way(club, olga, season):
    league = start(club, olga, season, **DUEL)
    play_out(league, club, ["alice", "bob", "dora"])
    last = start(club, olga, season, name="Second", **DUEL)
    pairings = list(last.pairings.all())
    for pairing in pairings[1:]:
        leagues.void_pairing(club=club, actor=olga, league_id=last.pk, pairing_id=pairing.pk, reason="x")
    gate = threading.Event()

    def void():
        close_old_connections()
        with transaction.atomic():
            leagues.void_pairing(club=club, actor=olga, league_id=last.pk, pairing_id=pairings[0].pk, reason="x")
            gate.set()
            threading.Event().wait(0.3)  # the season is being frozen meanwhile, and waits for this league

    def freeze():
        gate.wait(10)
        over(season)
        return freeze_due()

    done, frozen, tended = at_once(void, freeze, tend_leagues)
    assert not isinstance(done, Exception), done
    assert frozen == 1
    assert not isinstance(tended, Exception), tended
    assert not League.objects.filter(ended_at=None).exists()
    assert Honour.objects.filter(league=league).count() == 3, "each league is honoured once"
    assert [line.points for line in standings(league)] == [2, 1, 0]


def test_a_result_that_comes_while_its_pairing_is_declared_void_stands_or_does_not_count(club, olga, season, bob):
    league = start(club, olga, season, **DUEL)
    pairing = league.pairings.filter(seats__entrant__user=bob).first()
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    finish(table_id, [1, 2], count=False)

    def void():
        return leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="x")

    refused, _counted = at_once(void, apply_pending)
    assert isinstance(refused, WrongMoment)
    assert sum(line.games for line in standings(league)) == 2


def test_ending_a_season_twice_ends_it_once(club, olga, season):
    def end():
        return seasons.end_season(club=club, actor=olga, season_id=season.pk)

    results = at_once(end, end)
    assert sum(isinstance(result, WrongMoment) for result in results) == 1
    assert freeze_due() == 1
