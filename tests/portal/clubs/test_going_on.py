"""What the home page of a club says about current seasons, leagues and duplicate sets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.contests import duplicates, leagues, seasons
from portal.site.going_on import going_on
from tests.portal.seasons.builders import finish, make_season, start

pytestmark = pytest.mark.django_db
HOME = "/clubs/enlil/"


def test_a_running_season_and_its_leagues_stand_there_until_they_are_over(client, club, alice, olga, bob):
    make_season(club, alice, name="Winter", starts_at=timezone.now() + timedelta(days=1))
    assert "In progress now" not in client.get(HOME).content.decode()
    season = make_season(club, alice)
    league = start(club, alice, season, members=["alice", "bob", "olga"])
    html = client.get(HOME).content.decode()
    assert f'href="/clubs/enlil/seasons/{season.pk}/"' in html and "Week 1 of 13" in html
    assert f'href="/clubs/enlil/leagues/{league.pk}/"' in html and "Winter" not in html
    seasons.end_season(club=club, actor=alice, season_id=season.pk)
    assert not going_on(club, alice)


def test_a_league_game_stands_there_for_those_who_play_it_until_it_is_played(client, club, alice, olga, bob, charlie):
    league = start(club, alice, make_season(club, alice), members=["alice", "bob"], form="once")
    pairing = league.pairings.get()
    for user, names in ((alice, ["bob"]), (bob, ["alice"]), (olga, None), (charlie, None), (None, None)):
        assert [game.opponents for game in going_on(club, user).games] == ([names] if names else [])
    client.force_login(bob)
    html = client.get(HOME).content.decode()
    assert "Your league game with alice" in html and f'href="/clubs/enlil/leagues/{league.pk}/#mine"' in html
    table_id = leagues.play(club=club, user=bob, league_id=league.pk, pairing_id=pairing.pk)
    assert f'href="/tables/{table_id}/">Your league game' in client.get(HOME).content.decode()
    finish(table_id, [1, 2])
    assert not going_on(club, bob).games


def test_a_league_game_that_cannot_be_begun_any_more_is_not_offered(club, alice, bob):
    league = start(club, alice, make_season(club, alice), members=["alice", "bob"], form="once")
    league.pairings.update(deadline=timezone.now() - timedelta(minutes=1))
    assert not going_on(club, bob).games
    league.pairings.update(deadline=timezone.now() + timedelta(days=1), void_at=timezone.now())
    assert not going_on(club, bob).games


def test_the_games_that_are_due_first_stand_there_and_the_others_are_mentioned(client, club, alice, olga, bob):
    league = start(club, alice, make_season(club, alice), members=["alice", "bob"], form="twice")
    for number in range(1, 4):
        start(club, alice, league.season, name=f"League {number}", members=["alice", "bob"], form="once")
    found = going_on(club, bob)
    assert len(found.games) == 3 and found.more_games
    assert [game.pairing.deadline for game in found.games] == sorted(game.pairing.deadline for game in found.games)
    client.force_login(bob)
    assert "Your other league games" in client.get(HOME).content.decode()


def test_a_set_stands_there_while_a_seat_of_it_is_free(club, alice, olga, bob):
    found = duplicates.create_set(club=club, actor=alice, name="Twins", game="ra", seats=2, n_tables=2)
    assert [one.name for one in going_on(club, None).sets] == ["Twins"]
    for table in found.tables.all():
        table.seats.update(bot_level="apprentice")
    assert not going_on(club, alice).sets


def test_it_costs_the_same_however_much_is_on(club, alice, bob, django_assert_num_queries):
    season = make_season(club, alice)
    start(club, alice, season, members=["alice", "bob"], form="once")
    for time in range(2):
        with django_assert_num_queries(5):
            assert going_on(club, bob).games
        with django_assert_num_queries(3):
            going_on(club, None)
        for number in range(3):
            start(club, alice, season, name=f"More {time} {number}", members=["alice", "bob"], form="once")
            duplicates.create_set(club=club, actor=alice, name="Twins", game="ra", seats=2, n_tables=2)
