"""The page of a match and the API name whom each running game waits for, except in a deal that is sealed."""

import re

import pytest
from django.test import Client

from portal.matches.feeding import feed
from portal.matches.selectors import game_lines, games_of, version_of
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table

pytestmark = pytest.mark.django_db


def text_of(match, language="en"):
    answer = Client().get(f"/matches/{match.pk}/", headers={"accept-language": language})
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def wait_for(table_id, seat):
    Table.objects.filter(pk=table_id).update(due=[seat])


@pytest.fixture
def open_match(match_of, gilga, shamash):
    """Gilga against Bob's Shamash: each game has a deal of its own, and two run."""
    match = match_of("gilga", "shamash", games=2)
    feed()
    return match, list(match.rows.order_by("number").values_list("table_id", flat=True))


def test_the_player_who_is_due_is_named_with_the_mark(open_match):
    match, (first, second) = open_match
    wait_for(first, 0)
    wait_for(second, 0)  # there Shamash has the first seat
    assert [line.due for line in game_lines(games_of(match.pk).order_by("number"))] == [[0], [1]]
    text = text_of(match)
    assert text.count("Waiting for gilga (bot)") == text.count("Waiting for shamash (bot)") == 1
    assert "gilga (бот)" in text_of(match, "ru")
    wait_for(first, -2)  # the points are being counted
    assert "Waiting for gilga" not in text_of(match)


def test_levels_and_several_players_are_named(match_of, gilga):
    match = match_of("gilga", levels=["scribe", "apprentice"], games=3, is_rated=True)
    feed()
    (table_id,) = match.rows.filter(number=0).values_list("table_id", flat=True)
    Table.objects.filter(pk=table_id).update(due=[0, 1])
    assert "Waiting for gilga (bot), Scribe" in text_of(match)


def test_a_player_who_has_left_is_not_waited_for(open_match, gilga):
    match, (first, _second) = open_match
    services.leave_table(table_id=first, user=gilga.user)
    wait_for(first, 0)
    assert game_lines(games_of(match.pk).order_by("number"))[0].due == []


def test_the_api_tells_the_same(open_match, api):
    match, (first, second) = open_match
    wait_for(first, 1)
    wait_for(second, 1)
    told = api(None, "get", f"matches/{match.pk}/games/").json()["results"]
    assert {game["number"]: game["due"] for game in told} == {1: [1], 2: [0]}


def test_of_a_sealed_deal_nobody_learns_who_is_due_or_that_somebody_moved(match_of, gilga, api):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    before = version_of(match.pk), text_of(match)
    table_id = match.rows.order_by("number").values_list("table_id", flat=True)[0]
    wait_for(table_id, 0)
    Table.objects.filter(pk=table_id).update(version=load(table_id).table.version + 1)
    assert (version_of(match.pk), text_of(match)) == before
    assert "Waiting for" not in before[1]
    assert [game["due"] for game in api(gilga.user, "get", f"matches/{match.pk}/games/").json()["results"]] == [[], []]


def test_the_page_is_sent_again_when_somebody_else_is_due(open_match, django_assert_num_queries):
    match, (first, _second) = open_match
    client, address = Client(), f"/matches/{match.pk}/"
    asked = {"v": re.search(r"v=([a-z0-9-]+)\"", client.get(address).content.decode())[1]}
    with django_assert_num_queries(1):
        assert client.get(address, asked, headers={"HX-Request": "true"}).status_code == 204
    Table.objects.filter(pk=first).update(version=load(first).table.version + 1)
    with django_assert_num_queries(5):
        assert client.get(address, asked, headers={"HX-Request": "true"}).status_code == 200
