"""Figures of players, pairs and clubs: correct sums, and nothing from a game that the reader may not see."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from games.core import figures
from portal.accounts.models import User
from portal.ratings import bots, statistics
from portal.ratings.models import Rating
from portal.ratings.rules import example
from tests.portal.ratings.games import person

pytestmark = pytest.mark.django_db


def body(response) -> str:
    assert response.status_code == 200
    return response.content.decode().partition("<main")[2]


def scores(page: str) -> set[str]:
    """Return the numbers that a page says to a reader or a screen reader: not those of addresses, and of points in drawings."""
    labels = re.findall(r'\b(?:aria-label|title|alt|data-[\w-]+)="([^"]*)"', page)
    return set(re.findall(r"\d+", " ".join([strip_tags(page), *labels])))


def of(user, game="ra", pool=None, viewer=None):
    return statistics.player_game(user, game, pool=pool, viewer=viewer)


# One player


def test_places_wins_and_means_are_those_of_the_games(alice, bob, play):
    play(("alice", 1), ("bob", 2))
    play(("bob", 1), ("alice", 1), ("cat", 3))
    play(("cat", 1), ("alice", 3), ("bob", 2))
    page = of(alice)
    assert (page.games, page.wins, page.left) == (3, 1.5, 0)
    assert page.places == [2, 0, 1]
    assert [bar.value for bar in page.place_chart.bars] == [2, 0, 1]
    assert (page.mean_place, page.mean_seats) == (pytest.approx(5 / 3), pytest.approx(8 / 3))
    assert [(line.seats, line.share.games, line.share.wins, line.share.even) for line in page.sizes] == [
        (2, 1, 1.0, 50.0),
        (3, 2, 0.5, pytest.approx(100 / 3)),
    ]
    seats = {line.number: line for line in page.seats}
    assert {number: line.share.games for number, line in seats.items()} == {1: 1, 2: 2, 3: 0, 4: 0, 5: 0}
    assert [number for number, line in seats.items() if line.is_favourite] == [2]
    assert seats[1].colour == "lapis, circle"
    assert of(person("nobody")) is None
    assert of(alice, "babel") is None


def test_curves_run_from_the_first_game_to_the_last(alice, bob, play):
    tables = [play(("alice", 1), ("bob", 2), scores=[40, 10]), play(("bob", 1), ("alice", 2), scores=[50, 20])]
    page = of(alice)
    assert [(past.table_id, past.place, past.score, past.seats) for past in page.history] == [
        (tables[1].pk, 2, 20, 2),
        (tables[0].pk, 1, 40, 2),
    ]
    rating = Rating.objects.get(ladder__key="people/ra", user=alice)
    assert [past.points for past in page.history] == rating.trend[::-1]
    assert page.history[0].points == page.points
    assert page.rating_chart.line.count(",") == 2
    assert [dot.is_hollow for dot in page.score_chart.dots] == [False, True]
    first, last = page.score_chart.dots
    assert first.x < last.x
    assert first.y < last.y  # 40 is above 20
    assert (page.best_score, page.best_table, page.mean_score) == (40, tables[0].pk, 30)


def test_the_pools_are_apart_and_the_one_with_games_is_shown_first(client, alice, bob, play):
    play(("alice", 1), ("scribe", 2), scores=[33, 1])
    assert of(alice).pool == "bots"
    assert of(alice, pool="people") is None
    play(("alice", 1), ("bob", 2), scores=[22, 1])
    assert (of(alice).pool, of(alice).best_score) == ("people", 22)
    assert of(alice, pool="bots").best_score == 33
    page = body(client.get("/people/alice/ra/?pool=bots"))
    assert ">33<" in page
    assert ">22<" not in page


def test_a_game_that_was_left_is_a_last_place_without_a_score(client, alice, bob, play):
    play(("alice", 1), ("bob", 2), left=[0], scores=[77, 5])
    page = of(alice)
    assert (page.places, page.left, page.best_score, page.mean_score) == ([0, 1], 1, None, None)
    assert page.history[0].left
    assert page.history[0].score is None
    assert "77" not in re.sub(r'"[^"]*"', "", body(client.get("/people/alice/ra/")))


def test_the_interval_of_a_share_is_wilsons():
    low, high = statistics.wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)  # Wilson 1927, 8 of 10
    assert statistics.wilson(0, 0) == (0, 1)
    assert statistics.wilson(0, 4)[0] == 0
    assert statistics.wilson(4, 4)[1] == pytest.approx(1)


def test_the_page_shows_charts_with_their_numbers(client, alice, bob, play):
    for number in range(3):
        play(("alice", 1 + number % 2), ("bob", 2 - number % 2))
    page = body(client.get("/people/alice/ra/"))
    assert page.count('role="img"') == 3
    assert page.count("<details") == 2
    assert 'data-seat="1"' in page
    assert "#zg-seat-1" in page
    assert "Rating with its uncertainty after each of the last 3 games" in page
    assert "2 of 2" in page
    profile = body(client.get("/people/alice/"))
    assert "3 rated games" in profile
    assert "/people/alice/ra/?pool=people" in profile
    assert 'action="/people/alice/against/"' in profile


# Two players


def test_head_to_head_counts_who_was_ahead(client, alice, bob, play):
    play(("alice", 1), ("bob", 2))
    play(("alice", 1), ("bob", 3), ("scribe", 2))
    play(("alice", 2), ("bob", 2), ("cat", 1))
    play(("bob", 1), ("alice", 2), game="babel")
    lines = statistics.head_to_head(alice, bob)
    assert [(line.entry.key if line.entry else "all", line.games, line.ahead, line.behind, line.level) for line in lines] == [
        ("all", 4, 2, 1, 1),
        ("ra", 3, 2, 0, 1),
        ("babel", 1, 0, 1, 0),
    ]
    assert lines[0].share.percent == 62.5
    turned = statistics.head_to_head(bob, alice)
    assert [(line.games, line.ahead, line.behind) for line in turned] == [(4, 1, 2), (3, 0, 2), (1, 1, 0)]
    page = body(client.get("/people/alice/against/bob/"))
    assert "alice ahead" in page
    assert page.count('class="row"') == 4
    person("zoe")
    assert "These two players have not met" in body(client.get("/people/alice/against/zoe/"))


def test_the_form_names_whom_one_has_met_most_often(client, alice, bob, play):
    assert "has not met anyone" in body(client.get("/people/alice/against/"))
    for _ in range(2):
        play(("alice", 1), ("bob", 2), ("cat", 3))
    play(("alice", 1), ("cat", 2), game="babel")
    play(("scribe", 1), ("alice", 2), ("gone", 3))
    User.objects.filter(username="gone").update(is_active=False)
    assert statistics.rivals_of(alice) == [("cat", 3, False), ("bob", 2, False)]
    assert statistics.rivals_of(person("cat")) == [("alice", 3, False), ("bob", 2, False)]
    assert 'href="/people/alice/against/cat/"' in body(client.get("/people/alice/against/"))


def test_games_together_are_those_of_both_also_where_one_left(alice, bob, play):
    both = play(("alice", 1), ("bob", 2), left=[1])
    play(("alice", 1), ("cat", 2))
    assert [table.pk for table in statistics.common_games(alice, bob, None)] == [both.pk]


# What the reader may not see


@pytest.fixture
def secret_games(alice, bob, club, sealed, play):
    """An open game, one of the private club, one of a sealed set that is Bob's and Dora's."""
    return {
        "open": play(("alice", 1), ("bob", 2), scores=[18, 10]),
        "club": play(("alice", 1), ("bob", 2), scores=[222, 203], club=club),
        "sealed": play(("bob", 1), ("dora", 2), scores=[333, 304], club=club, duplicate=sealed),
        "later": play(("bob", 1), ("alice", 2), scores=[15, 14]),
    }


PUBLIC = [
    "/people/alice/",
    "/people/bob/",
    "/people/alice/ra/",
    "/people/bob/ra/",
    "/people/alice/against/bob/",
    "/people/bob/against/dora/",
    "/leaderboards/ra/",
    "/leaderboards/ra/seats/",
    "/leaderboards/ra/calibration/",
]


@pytest.mark.parametrize("reader", ["", "charlie"])
@pytest.mark.parametrize("address", PUBLIC)
def test_strangers_see_nothing_of_a_private_or_sealed_game(client, charlie, secret_games, reader, address):
    if reader:
        client.force_login(User.objects.get(username=reader))
    page = body(client.get(address))
    for name in ("club", "sealed"):
        assert f"/tables/{secret_games[name].pk}/" not in page
        assert "Enlil" not in page
    for score in ("222", "203", "333", "304"):
        assert not re.search(rf">[^<]*\b{score}\b", page)


def test_members_see_the_games_of_their_club_but_not_sealed_ones(client, alice, bob, secret_games):
    private, shut = (f"/tables/{secret_games[name].pk}/" for name in ("club", "sealed"))
    client.force_login(alice)
    for address in ("/people/bob/ra/", "/people/bob/"):
        page = body(client.get(address))
        assert private in page
        assert "203" in scores(page)
        assert shut not in page
        assert "333" not in scores(page)
    client.force_login(bob)
    page = body(client.get("/people/bob/ra/"))
    assert shut in page
    assert "333" in scores(page)


def test_a_best_score_that_is_hidden_gives_way_to_the_next_and_the_curve_keeps_its_points(alice, charlie, secret_games):
    page = of(alice, viewer=charlie)
    assert (page.best_score, page.best_table) == (18, secret_games["open"].pk)  # from the seat of the private 222
    assert [past.table_id for past in page.history] == [secret_games["later"].pk, None, secret_games["open"].pk]
    assert page.history[1].score is page.history[1].place is page.history[1].finished_at is None
    assert page.rating_chart.line.count(",") == 3
    assert page.score_games == 2
    assert page.mean_score == pytest.approx(16)
    assert of(alice, viewer=alice).best_score == 222


def test_the_sealed_game_shows_when_the_set_is_revealed(client, alice, sealed, secret_games):
    client.force_login(alice)
    assert "333" not in scores(body(client.get("/people/bob/ra/")))
    records = body(client.get("/clubs/enlil/records/"))
    assert "333" not in scores(records)
    assert "sealed until the last table in its set is over" in records
    sealed.revealed_at = timezone.now()
    sealed.save()
    assert "333" in scores(body(client.get("/people/bob/ra/")))
    assert "333" in scores(body(client.get("/clubs/enlil/records/")))


# A club


def test_records_name_the_best_the_closest_and_the_widest_game(client, alice, bob, club, play):
    client.force_login(alice)
    close = play(("alice", 1), ("bob", 2), scores=[20, 19], club=club)
    wide = play(("bob", 1), ("alice", 2), scores=[60, 9], club=club)
    play(("bob", 1), ("alice", 2), scores=[90, 1])  # not of the club
    (game,) = statistics.club_records(club, alice)
    (size,) = game.sizes
    assert (game.entry.key, size.seats) == ("ra", 2)
    assert [(line.kind, line.value, line.username, line.table_id) for line in size.lines] == [
        ("highest", 60, "bob", wide.pk),
        ("closest", 1, "alice", close.pk),
        ("widest", 51, "bob", wide.pk),
    ]
    page = body(client.get("/clubs/enlil/records/"))
    assert "Closest game" in page
    assert f"/tables/{close.pk}/" in page


# The ratings themselves


def test_mean_scores_wait_until_no_single_game_shows_through(client, alice, bob, play):
    for number in range(statistics.LEAST_FOR_SCORES):
        assert all(line.mean_score is None for size in statistics.seat_effects("ra", "people") for line in size.lines)
        play(("alice", 1), ("bob", 2), scores=[30 + number, 20])
    (size,) = statistics.seat_effects("ra", "people")
    assert [line.mean_score for line in size.lines] == [39.5, 20]
    assert size.mean_score == pytest.approx(29.75)


def test_games_that_somebody_left_say_nothing_of_seats(alice, bob, play):
    play(("alice", 1), ("bob", 2), left=[1])
    assert statistics.seat_effects("ra", "people") == []
    assert statistics.calibration("ra", "people") == []


def test_the_interval_of_a_seat_is_the_scatter_of_the_wins(play):
    """Four games of newcomers, three won from the first seat: 3 - 4 * 0.5 wins above the expected, ± 1.96 * sqrt(4 * 0.25), of 4 games."""
    for number, (first, second) in enumerate([(1, 2), (1, 2), (1, 2), (2, 1)]):
        play((f"one{number}", first), (f"two{number}", second))
    (size,) = statistics.seat_effects("ra", "people")
    found = [(line.difference, line.low, line.high) for line in size.lines]
    assert found == [pytest.approx((25, 25 - 49, 25 + 49)), pytest.approx((-25, -25 - 49, -25 + 49))]
    assert [line.verdict for line in size.lines] == ["none", "none"]
    assert size.hidden_below == pytest.approx(49)


def test_few_games_allow_no_conclusion(client, alice, bob, play):
    play(("alice", 1), ("bob", 2))
    page = body(client.get("/leaderboards/ra/seats/"))
    assert "All these differences could be due to chance" in page
    assert "2 predictions" in body(client.get("/leaderboards/ra/calibration/"))


def test_what_the_order_of_play_is_worth_to_equal_bots_is_told_beside_the_seats(client, alice, bob, play, monkeypatch):
    source = figures.Source("", "2026-01-02", 2, "", 1, "")
    plain = figures.OrderFigures("scribe", 2, 1000, (532.0, 468.0), (0.501, 0.437), (0.563, 0.499), (41.0, 40.0), source)
    clear = replace(plain, level="master", wins=(551.6, 448.4), low=(0.521, 0.417), high=(0.583, 0.479))
    play(("alice", 1), ("bob", 2))
    for rows, told in (
        ((), ""),
        ((plain,), "the order of play made no clear difference."),  # of two intervals, one misses the share more often than one
        ((clear, plain), "the order of play matters. Share of the wins: first 55.2%, second 44.8%."),
    ):
        monkeypatch.setattr(bots, "figures_of", lambda entry, rows=rows: figures.Figures(balance=rows))
        page = " ".join(body(client.get("/leaderboards/ra/seats/")).split())
        assert ("Among equal bots with this many players" in page) == bool(told)
        assert told in page
    assert "The player with the highest one starts" in page


def test_the_example_is_reckoned_by_the_formula(client):
    lines = example()
    assert sum(line.chance for line in lines) == pytest.approx(100)
    assert sum(line.expected_place for line in lines) == pytest.approx(10)
    winner = min(lines, key=lambda line: line.place)
    last = max(lines, key=lambda line: line.place)
    assert winner.change > 0 > last.change
    assert all(line.new_plus_minus <= line.plus_minus for line in lines)
    assert all(abs(line.least - (line.new_points - line.new_plus_minus)) <= 1 for line in lines)
    page = body(client.get("/ratings/"))
    assert f">{last.new_points} <" in page
    assert "± 500 a rating is provisional" in page


def test_old_games_fall_off_the_curve(alice, bob, play, monkeypatch):
    monkeypatch.setattr(statistics, "LAST_GAMES", 2)
    tables = [play(("alice", 1), ("bob", 2), at=timezone.now() + timedelta(minutes=number)) for number in range(3)]
    assert [past.table_id for past in of(alice).history] == [tables[2].pk, tables[1].pk]
    assert of(alice).games == 3
