"""The leaderboard: pools, guests, the viewer's place, pages."""

from __future__ import annotations

import re

import pytest
from django.db.models import F
from django.urls import reverse

from portal.accounts.models import User
from portal.ratings import selectors
from portal.ratings.books import ladder_key
from portal.ratings.formula import bucket_of, order_value
from portal.ratings.models import Ladder, RankBucket, Rating

pytestmark = pytest.mark.django_db
BOARD = "/leaderboards/ra/"


def rate(user=None, level="", pool="people", mu=25.0, sigma=2.0, games=4, wins=1.0):
    value = order_value(mu, sigma)
    ladder, _ = Ladder.objects.get_or_create(key=ladder_key(pool, "ra"), defaults={"pool": pool, "game": "ra"})
    Ladder.objects.filter(pk=ladder.pk).update(players=F("players") + 1)
    bucket, _ = RankBucket.objects.get_or_create(ladder=ladder, bucket=bucket_of(value))
    RankBucket.objects.filter(pk=bucket.pk).update(ratings=F("ratings") + 1)
    return Rating.objects.create(
        ladder=ladder, user=user, bot_level=level, mu=mu, sigma=sigma, order_value=value, games=games, wins=wins, place_sum=8, seat_sum=14
    )


def names(response) -> list[str]:
    return re.findall(r'href="/people/([^/"]+)/"', response.content.decode().partition("<main")[2])


def test_places_go_by_rating_minus_the_spread(client, alice, bob, charlie):
    rate(alice, mu=27, sigma=4)
    rate(bob, mu=26, sigma=1)
    rate(charlie, mu=20, sigma=1)
    response = client.get(BOARD)
    assert names(response) == ["bob", "alice", "charlie"]
    page = response.content.decode()
    assert "1540" in page
    assert "± 80" in page
    assert "25 %" in page
    assert "19 times out of 20" in page


def test_the_pools_are_apart_and_bots_are_rated(client, alice, bob):
    rate(alice)
    rate(bob, pool="bots")
    rate(level="scribe", pool="bots", mu=30)
    assert names(client.get(BOARD)) == ["alice"]
    bots = client.get(BOARD + "?pool=bots")
    assert names(bots) == ["bob"]
    assert "Bot, scribe" in bots.content.decode()


def test_guests_are_shown_on_request_only(client, alice):
    guest = User.objects.create(username="guest-abcde", is_guest=True)
    rate(alice)
    rate(guest, mu=40)
    assert names(client.get(BOARD)) == ["alice"]
    assert names(client.get(BOARD + "?players=guests")) == ["guest-abcde", "alice"]


def test_closed_accounts_are_in_no_list(client, alice, bob):
    rate(alice)
    rate(bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert names(client.get(BOARD)) == ["alice"]


def test_my_place_is_marked_and_shown_when_it_lies_on_another_page(client, alice, bob, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_SIZE", 3)
    for number in range(5):
        rate(User.objects.create(username=f"player{number}"), mu=30 + number)
    rate(alice, mu=10)
    client.force_login(alice)
    first = client.get(BOARD)
    assert names(first) == ["player4", "player3", "player2", "alice"]
    assert "Your place" in first.content.decode()
    assert selectors.leaderboard(pool="people", game="ra", viewer=alice).mine.rank == 6
    second = client.get(BOARD + "?page=2")
    assert names(second) == ["player1", "player0", "alice"]
    assert "Your place" not in second.content.decode()
    assert 'class="table__row is-me"' in second.content.decode()
    client.force_login(bob)
    assert "Your place" not in client.get(BOARD).content.decode()


def test_an_empty_list_says_what_belongs_there(client):
    page = client.get(BOARD).content.decode()
    assert "No rated games without bots" in page
    assert reverse("lobby") in page


@pytest.mark.parametrize(
    "address",
    ["/leaderboards/chess/", BOARD + "?pool=x", BOARD + "?page=0", BOARD + "?page=9", BOARD + "?page=" + "9" * 50, BOARD + "?page=%00"],
)
def test_what_is_not_there(client, address):
    assert client.get(address).status_code in (400, 404)


def test_the_cost_is_the_same_with_more_players(client, alice, django_assert_num_queries):
    client.force_login(alice)
    rate(alice, mu=1)
    client.get(BOARD)
    for round_ in range(2):
        for number in range(1 + 30 * round_):
            rate(User.objects.create(username=f"p{round_}-{number}"), mu=30)
        with django_assert_num_queries(3):  # the person, the ladder with the viewer's line, the lines
            client.get(BOARD)
    for number in range(40):
        rate(User.objects.create(username=f"more-{number}"), mu=30)
    with django_assert_num_queries(3):
        client.get(BOARD)
