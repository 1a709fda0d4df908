"""Leaderboards: exact ranks, whom a list shows, the viewer's row, downloads."""

from __future__ import annotations

import csv
import io
import random
import re
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from portal.accounts import services as accounts
from portal.accounts.models import User
from portal.clubs.models import Season
from portal.ratings import recount, selectors, services
from portal.ratings.formula import order_value
from portal.ratings.models import Ladder, Rating
from portal.ratings.selectors import Filters, all_lines, ladder_lines, leaderboard
from tests.portal.boards.generator import people, with_seat_effect, write
from tests.portal.ratings.games import person

pytestmark = pytest.mark.django_db
BOARD = "/leaderboards/ra/"


def body(response) -> str:
    return response.content.decode().partition("<main")[2]


def names(response) -> list[str]:
    return re.findall(r'href="/people/([^/"]+)/"', body(response))


def downloaded(client, address) -> list[list[str]]:
    response = client.get(address)
    assert response.status_code == 200
    assert response.streaming
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def crowd():
    """Fifty players with some games each, guests and closed accounts among them, and some who tie exactly."""
    users = people(50)
    games = with_seat_effect(users[:40], 150, (0, 0, 0), seed=4)
    games += [[(users[n], 1, 9), (users[n + 1], 2, 8)] for n in range(40, 50, 2)]  # five equal winners, five equal losers
    write(games)
    services.apply_pending()
    User.objects.filter(pk__in=users[3:40:5]).update(is_guest=True)
    User.objects.filter(pk__in=users[4:45:7]).update(is_active=False)
    old = timezone.now() - timedelta(days=200)
    Rating.objects.filter(user__in=users[::4]).update(last_at=timezone.now())
    Rating.objects.filter(user__in=users[1::4]).update(last_at=old)
    return list(User.objects.filter(pk__in=users).order_by("id"))


def true_rank(rating) -> int:
    return 1 + sum(other.order_value > rating.order_value for other in Rating.objects.filter(ladder=rating.ladder))


def test_the_own_rank_is_exact_for_everybody(crowd):
    seen = []
    for user in crowd:
        rating = Rating.objects.get(ladder__key="people/ra", user=user)
        mine = leaderboard(pool="people", game="ra", viewer=user).mine
        assert mine.rank == true_rank(rating)
        seen.append(mine.rank)
    assert len(set(seen)) < len(seen)  # some share one


def test_the_own_rank_is_exact_at_the_edges_of_buckets(db):
    ladder = Ladder.objects.create(key="people/ra", pool="people", game="ra", players=9)
    values = [-3.0, -0.25, -0.2500000001, 0.0, 0.2499999999, 0.25, 0.25, 7.125, 31.75]
    users = [person(f"edge{n}") for n in range(len(values))]
    for user, value in zip(users, values, strict=True):
        Rating.objects.create(ladder=ladder, user=user, mu=value, sigma=0, order_value=order_value(value, 0), games=1)
    for value in {services.bucket_of(value) for value in values}:
        ladder.buckets.create(bucket=value, ratings=sum(services.bucket_of(other) == value for other in values))
    for user, value in zip(users, values, strict=True):
        assert leaderboard(pool="people", game="ra", viewer=user).mine.rank == 1 + sum(other > value for other in values)


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters("guests"),
        Filters("established"),
        Filters(days=30),
        Filters(days=365),
        Filters(name="G1"),
        Filters("guests", "g", 90),
        Filters(name="%"),
        Filters(name="nobody"),
    ],
)
def test_a_list_shows_exactly_those_it_names_with_the_ranks_of_the_ladder(crowd, filters, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 7)
    ladder = Ladder.objects.get(key="people/ra")
    wanted = []
    for rating in Rating.objects.filter(ladder=ladder).select_related("user").order_by("-order_value", "id"):
        user = rating.user
        is_in = user.is_active and (filters.players == "guests" or not user.is_guest)
        is_in = is_in and (filters.players != "established" or 80 * rating.sigma <= selectors.PROVISIONAL)
        is_in = is_in and filters.name.lower() in user.username.lower()
        is_in = is_in and (not filters.days or rating.last_at >= timezone.now() - timedelta(days=filters.days))
        if is_in:
            wanted.append((true_rank(rating), user.username))
    shown, page = [], 1
    while True:
        board = leaderboard(pool="people", game="ra", page=page, filters=filters)
        shown += [(line.rank, line.username) for line in board.lines]
        page += 1
        if not board.has_next:
            break
    assert shown == wanted
    assert [(line.rank, line.username) for line in all_lines(pool="people", game="ra", filters=filters, chunk=5)] == wanted
    assert board.players == 50


def test_the_filters_work_on_the_page(client, crowd):
    response = client.get(BOARD, {"name": "g1", "players": "guests", "days": "30"})
    found = names(response)
    assert found
    assert all(name.startswith("g1") for name in found)
    page = body(response)
    assert 'value="g1"' in page
    assert '<option value="guests" selected>' in page
    assert '<option value="30" selected>' in page
    assert "Nobody on this leaderboard matches these filters." in body(client.get(BOARD, {"name": "zzz"}))
    assert '?pool=bots&amp;players=guests&amp;days=30&amp;name=g1"' in page


def test_the_own_row_is_there_whatever_the_list_shows(client, crowd):
    me = next(user for user in crowd if user.is_active and user.is_guest)
    client.force_login(me)
    assert "Your place" in body(client.get(BOARD))  # a guest, whom this list leaves out
    assert f"{me.username}</a> (you)" in body(client.get(BOARD, {"players": "guests"}))
    assert "Your place" in body(client.get(BOARD, {"players": "guests", "name": "nobody at all"}))
    client.force_login(person("newcomer"))
    page = body(client.get(BOARD))
    assert "You have no rating here yet" in page
    assert "Your place" not in page
    client.logout()
    assert "You have no rating here yet" not in body(client.get(BOARD))


def test_equal_ratings_share_a_rank(play):
    play(("ann", 1), ("ben", 1), ("cat", 3))
    lines = leaderboard(pool="people", game="ra").lines
    assert [(line.rank, line.username) for line in lines] == [(1, "ann"), (1, "ben"), (3, "cat")]
    assert [line.wins_percent for line in lines] == [50, 50, 0]
    assert [(line.mean_place, line.mean_seats) for line in lines] == [(1, 3), (1, 3), (3, 3)]


def test_a_wide_rating_is_marked_as_provisional_until_it_is_settled(client, play):
    play(("ann", 1), ("ben", 2))
    assert '<span class="sr-only"> provisional</span>' in body(client.get(BOARD))
    Rating.objects.update(sigma=6.25)
    assert selectors.PROVISIONAL == 500 == 80 * 6.25
    assert "> provisional<" not in body(client.get(BOARD))
    assert names(client.get(BOARD, {"players": "established"})) == ["ann", "ben"]
    Rating.objects.update(sigma=6.26)
    assert "> provisional<" in body(client.get(BOARD))
    assert names(client.get(BOARD, {"players": "established"})) == []


def test_the_trend_is_drawn_with_words_beside_it(client, play):
    for _ in range(3):
        play(("ann", 1), ("ben", 2))
    first, *_, last = Rating.objects.get(ladder__key="people/ra", user=person("ann")).trend
    page = body(client.get(BOARD))
    assert f'aria-label="from {first} to {last} in the last 3 games"' in page
    assert first < last


def test_all_games_together_have_a_ladder(client, play):
    play(("ann", 1), ("ben", 2))
    play(("ann", 2), ("cat", 1), game="babel")
    assert names(client.get("/leaderboards/all/")) == ["cat", "ann", "ben"]
    assert names(client.get("/leaderboards/babel/")) == ["cat", "ann"]


def test_bot_levels_stand_in_their_pool_without_a_mean_place(client, play):
    play(("ann", 3), ("scribe", 1), ("scribe", 2))
    board = leaderboard(pool="bots", game="ra")
    assert [(line.bot_level, line.mean_place) for line in board.lines] == [("scribe", None), ("", 3.0)]
    assert "Bot, scribe" in body(client.get(BOARD + "?pool=bots"))
    assert downloaded(client, BOARD + "standings.csv?pool=bots")[1][:3] == ["1", "Bot, scribe", "bot"]


def test_ladders_of_clubs_and_seasons_count_their_own_games(client, alice, bob, charlie, club, play):
    season = Season.objects.create(
        club=club,
        name="Autumn",
        starts_at=timezone.now() - timedelta(days=1),
        ends_at=timezone.now() + timedelta(days=1),
        after_number=0,
    )
    play(("alice", 1), ("charlie", 2))
    play(("alice", 2), ("bob", 1), club=club)
    play(("alice", 2), ("bob", 1), club=club, at=timezone.now())
    assert leaderboard(pool="people", game="ra").players == 3
    own = ladder_lines(pool="people", game="ra", club=club, viewer=alice)
    assert [(line.username, line.games) for line in own.lines] == [("bob", 2), ("alice", 2)]
    board = ladder_lines(pool="people", game="", club=club, season=season, limit=1, viewer=alice)
    assert [(line.username, line.games) for line in board.lines] == [("bob", 1)]
    assert (board.own_elsewhere.rank, board.own_elsewhere.games, board.has_next) == (2, 1, True)
    part = render_to_string("ratings/_board.html", {"board": board, "caption": "Autumn"})
    assert "Your place" in part
    assert "Autumn" in part
    client.force_login(alice)
    assert names(client.get("/clubs/enlil/leaderboard/ra/")) == ["bob", "alice"]


def test_a_guest_whose_game_a_bot_ended_stays_behind_the_ratings_of_the_others(play):
    guest = User.objects.create(username="guest-leaver", is_guest=True)
    play(("ann", 1), ("ben", 2), ("guest-leaver", 3), left=[2])
    before = [(line.rank, line.points) for line in all_lines(pool="people", game="ra")]
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=400))
    assert accounts.remove_idle_guests() == 0
    accounts.delete_guest(user=guest)
    assert not User.objects.get(pk=guest.pk).is_active
    assert recount.check()[1] == []
    assert [(line.rank, line.points) for line in all_lines(pool="people", game="ra")] == before


# Downloads


def test_a_download_holds_exactly_the_lines_of_the_list(client, crowd, monkeypatch):
    query = {"players": "guests", "name": "g1"}
    rows = downloaded(client, BOARD + "standings.csv?players=guests&name=g1")
    assert rows[0][:4] == ["Rank", "Player", "Kind", "Rating"]
    assert [row[1] for row in rows[1:]] == names(client.get(BOARD, query))
    lines = leaderboard(pool="people", game="ra", filters=Filters("guests", "g1")).lines
    assert [int(row[0]) for row in rows[1:]] == [line.rank for line in lines]
    assert [int(row[3]) for row in rows[1:]] == [line.points for line in lines]
    monkeypatch.setattr(selectors, "PAGE_SIZE", 5)
    assert len(downloaded(client, BOARD + "standings.csv?players=guests&name=g1")) == len(rows)


def test_a_download_has_a_name_and_a_byte_order_mark(client, club, alice, bob, play):
    play(("alice", 1), ("bob", 2), club=club)
    response = client.get(BOARD + "standings.csv?pool=people")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="leaderboard-ra-people.csv"'
    assert b"".join(response.streaming_content).startswith(b"\xef\xbb\xbfRank,")
    client.force_login(alice)
    response = client.get("/clubs/enlil/leaderboard/all/standings.csv?pool=bots")
    assert response["Content-Disposition"] == 'attachment; filename="leaderboard-enlil-all-bots.csv"'
    assert len(list(response.streaming_content)) == 1  # only the header


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_no_name_becomes_a_formula(client, play, sign):
    play((f'{sign}HYPERLINK("x";"y"),1', 1), ("plain", 2))
    rows = downloaded(client, BOARD + "standings.csv")
    assert rows[1][1] == f'\'{sign}HYPERLINK("x";"y"),1'
    assert rows[2][1] == "plain"
    assert {len(row) for row in rows} == {11}


def test_downloads_are_counted(client, play, monkeypatch):
    monkeypatch.setattr("portal.ratings.views.DOWNLOADS_PER_HOUR", 2)
    assert [client.get(BOARD + "standings.csv").status_code for _ in range(3)] == [200, 200, 429]


def test_pages_end_where_reading_on_would_be_slow(client, crowd, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 3)
    monkeypatch.setattr(selectors, "MAX_PAGE", 2)
    page = body(client.get(BOARD + "?page=2"))
    assert "There are no more pages" in page
    assert "page=3" not in page
    assert client.get(BOARD + "?page=3").status_code == 404


def test_both_roads_to_a_rank_agree(crowd):
    """The window over the list, and the sum over the buckets."""
    by_list = {line.username: line.rank for line in all_lines(pool="people", game="ra", filters=Filters("guests"))}
    for user in random.Random(2).sample([user for user in crowd if user.is_active], 20):
        assert leaderboard(pool="people", game="ra", viewer=user).mine.rank == by_list[user.username]
