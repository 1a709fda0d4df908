"""Edge cases: the last moment of a season, events between its end and its freeze, and the honours of a league."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from portal.accounts.models import User
from portal.clubs.models import Season
from portal.common.refusals import BadValue
from portal.contests import leagues, seasons
from portal.contests.league_draw import end_of_day
from portal.contests.models import Honour, PairingSeat
from portal.contests.tasks import freeze_due, tend_leagues
from portal.ratings import recount
from portal.ratings.models import Rating
from portal.ratings.services import apply_pending
from tests.portal.seasons.builders import WEEK, finish, game_of, make_season, play_out, start

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


def games(season):
    return Rating.objects.filter(ladder__season=season, ladder__game="ra", user__username="bob").values_list("games", flat=True).first()


def over(season):
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() - WEEK, ends_at=timezone.now())


def test_between_the_last_and_the_first_day_of_two_seasons_no_game_is_lost(club, olga):
    """The last day belongs to the first season until its last second, midnight to the second one."""
    last = timezone.localdate() + timedelta(days=9)
    end = end_of_day(last)
    assert timezone.localtime(end).date() == last
    begin = end + MICROSECOND
    assert timezone.localtime(begin).date() == last + DAY
    first = make_season(club, olga, "First", ends_at=end)
    second = make_season(club, olga, "Second", starts_at=begin)
    seats = [("bob", 1), ("dora", 2)]
    game_of(club, seats, at=end - timedelta(milliseconds=1))
    game_of(club, seats, at=begin - timedelta(milliseconds=900))
    game_of(club, seats, at=begin)
    apply_pending()
    assert (games(first), games(second)) == (2, 1)
    assert end_of_day(date(2026, 3, 1)) < end_of_day(date(2026, 3, 2))


def test_a_game_counts_from_the_very_begin_to_just_before_the_end(club, olga, season):
    for at in (season.starts_at - MICROSECOND, season.starts_at, season.ends_at - MICROSECOND, season.ends_at):
        game_of(club, [("bob", 1), ("dora", 2)], at=at)
    apply_pending()
    assert games(season) == 2
    assert recount.check()[1] == []


def test_a_season_moved_to_now_counts_no_game_that_has_ended(club, olga):
    """The form may be a few seconds old: games counted meanwhile are not counted again."""
    season = make_season(club, olga, starts_at=timezone.now() + DAY)
    game_of(club, [("bob", 1), ("dora", 2)], at=timezone.now() - timedelta(seconds=5))
    moment = timezone.now()
    edited = seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", starts_at=moment - timedelta(seconds=10))
    assert edited.starts_at >= moment
    assert games(season) is None
    assert recount.check()[1] == []


def test_seasons_that_overlap_count_the_same_game_each(club, olga, season):
    other = make_season(club, olga, "Other", ends_at=timezone.now() + DAY)
    game_of(club, [("bob", 1), ("dora", 2)])
    apply_pending()
    assert (games(season), games(other)) == (1, 1)


def test_a_season_that_was_given_more_time_is_not_frozen(club, olga, season):
    """The worker found it due, but an officer was faster."""
    seasons.edit_season(club=club, actor=olga, season_id=season.pk, name="Autumn", ends_at=timezone.now() + timedelta(minutes=5))
    assert not seasons.freeze(season.pk)
    season.refresh_from_db()
    assert (season.frozen_at, season.frozen_number) == (None, None)


def test_a_league_whose_last_game_ends_after_the_season_ends_without_it(club, olga, season, bob):
    """Even if leagues are tended before the season is frozen."""
    league = start(club, olga, season, form="once", members=["alice", "bob"])
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=league.pairings.get().pk)
    over(season)
    finish(table_id, [1, 2])
    assert tend_leagues() == 0
    league.refresh_from_db()
    assert (league.ended_at, Honour.objects.count()) == (None, 0)
    assert freeze_due() == 1
    league.refresh_from_db()
    assert league.ended_at is not None
    assert league.pairings.get().void_at is not None
    assert not Honour.objects.filter(league=league).exists()
    assert sum(line.games for line in leagues.standings(league)) == 0


def test_a_league_whose_last_game_ended_in_time_is_counted_by_the_freeze(club, olga, season, bob):
    league = start(club, olga, season, form="once", members=["alice", "bob"])
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=league.pairings.get().pk)
    finish(table_id, [1, 2], count=False)
    over(season)
    assert tend_leagues() == 0
    assert freeze_due() == 1
    assert league.pairings.get().void_at is None
    assert Honour.objects.filter(league=league).count() == 2


def test_a_league_game_that_is_stored_while_the_season_is_frozen_is_void(club, olga, season, bob, monkeypatch):
    """It ended in time, but its number comes after the freeze: neither the season nor its league counts it, then or later."""
    league = start(club, olga, season, form="once", members=["alice", "bob"])
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=league.pairings.get().pk)
    over(season)
    real = seasons.end_with_season

    def slowly(of, now):
        finish(table_id, [1, 2], at=of.ends_at - MICROSECOND, count=False)
        real(of, now)

    monkeypatch.setattr(seasons, "end_with_season", slowly)
    assert freeze_due() == 1
    apply_pending()
    assert league.pairings.get().void_at is not None
    assert (games(season), Honour.objects.count()) == (None, 0)
    assert sum(line.games for line in leagues.standings(league)) == 0
    assert recount.check()[1] == []


def test_a_deadline_before_the_begin_of_the_season_is_refused(club, olga):
    season = make_season(club, olga, starts_at=timezone.now() + 5 * DAY)
    pairing = start(club, olga, season).pairings.first()
    for deadline in (season.starts_at - DAY, season.starts_at):
        with pytest.raises(BadValue, match="after the season starts") as refused:
            leagues.move_deadline(club=club, actor=olga, league_id=pairing.league_id, pairing_id=pairing.pk, deadline=deadline)
        assert refused.value.field == "deadline"
    moved = season.starts_at + DAY
    leagues.move_deadline(club=club, actor=olga, league_id=pairing.league_id, pairing_id=pairing.pk, deadline=moved)
    pairing.refresh_from_db()
    assert pairing.deadline == moved


def test_closed_accounts_are_not_honoured_for_a_league(club, olga, season):
    league = start(club, olga, season, form="once", members=["alice", "bob", "dora"])
    play_out(league, club, ["dora", "bob", "alice"])
    User.objects.filter(username="dora").update(is_active=False)
    tend_leagues()
    assert list(Honour.objects.filter(league=league).values_list("rank", "name")) == [(2, "bob"), (3, "alice")]


def test_a_recount_takes_results_away_that_no_game_has(club, olga, season, bob):
    league = start(club, olga, season, form="once", members=["alice", "bob", "dora"])
    pairing = league.pairings.filter(seats__entrant__user=bob).first()
    leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    other = league.pairings.exclude(pk=pairing.pk).first()
    PairingSeat.objects.filter(pairing__in=[pairing, other]).update(place=1, points=1, score=5)
    assert len(recount.check()[1]) == 4
    recount.rebuild()
    assert recount.check()[1] == []
    assert not PairingSeat.objects.exclude(place=None, points=None, score=None).exists()
