"""Matches in the API: what they answer, and what bad requests are told."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.matches.feeding import feed
from portal.matches.models import Match
from portal.matches.selectors import match_page
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db

BODY = {"game": "ra", "bots": ["gilga"], "levels": ["apprentice"], "games": 3, "pace": {"kind": "live", "bank_s": 300, "add_s": 5}}


def test_a_match_is_made_fed_and_seen_by_everybody(api, alice, gilga):
    made = api(alice, "post", "matches/", BODY)
    assert made.status_code == 201
    told = made.json()
    assert {key: told[key] for key in ("owner", "game", "state", "games", "played", "running", "is_paired", "is_rated", "reason")} == {
        "owner": "alice", "game": "ra", "state": "queued", "games": 4, "played": 0, "running": 0, "is_paired": True, "is_rated": False, "reason": "",
    }  # fmt: skip
    assert [(player["name"], player["username"], player["level"]) for player in told["players"]] == [
        ("gilga (bot)", "gilga", ""),
        ("apprentice", None, "apprentice"),
    ]
    assert [(player["win_rate"], player["low"], player["high"]) for player in told["players"]] == [(None, 0, 1)] * 2
    feed()
    path = f"matches/{told['id']}/"
    first, second, third, fourth = api(None, "get", path + "games/").json()["results"]
    assert [(game["number"], game["deal"], game["players"]) for game in (first, second, third, fourth)] == [
        (1, 1, [0, 1]), (2, 1, [1, 0]), (3, 2, [0, 1]), (4, 2, [1, 0]),
    ]  # fmt: skip
    assert all(game["table"] is None and game["is_sealed"] and game["places"] == [] for game in (first, second, third, fourth))
    for game in Match.objects.get().rows.filter(number__lt=2):
        end(game.table_id)
    feed()
    told = api(None, "get", path).json()
    assert (told["state"], told["played"], told["running"]) == ("running", 2, 2)
    assert sum(player["wins"] for player in told["players"]) == 2
    assert [[at["games"] for at in player["by_seat"]] for player in told["players"]] == [[1, 1], [1, 1]]
    first, second, third, _fourth = api(None, "get", path + "games/").json()["results"]
    assert (first["is_sealed"], first["is_over"], third["table"]) == (False, True, None)
    assert sorted(first["places"])[0] == 1
    assert api(None, "get", f"tables/{first['table']}/").status_code == 200


def test_too_many_games_are_refused_with_the_limit(api, alice, gilga):
    answer = api(alice, "post", "matches/", BODY | {"games": 10**6})
    assert (answer.status_code, answer.headers["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["errors"] == [
        {"field": "games", "reason": "A match has 1 to 1000 games. For more, start another match when this one is over."}
    ]
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"bots": []}, 400),
        ({"bots": ["nobody"]}, 404),
        ({"pace": {"kind": "relaxed"}}, 422),
        ({"at_once": 0}, 422),
        ({"games": "many"}, 400),
        ({"levels": ["king"]}, 400),
    ],
)
def test_a_bad_request_makes_nothing(api, alice, gilga, body, status):
    answer = api(alice, "post", "matches/", BODY | body)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert not Match.objects.exists()


def test_lists_pages_and_cancelling(api, alice, bob, gilga):
    ids = [api(alice, "post", "matches/", BODY).json()["id"] for _ in range(3)]
    assert [row["id"] for row in api(None, "get", "matches/").json()["results"]] == ids[::-1]
    page = api(None, "get", "matches/?limit=2&owner=alice").json()
    assert [row["id"] for row in page["results"]] == ids[:0:-1]
    assert page["next"]
    assert api(None, "get", "matches/?owner=bob").json()["results"] == []
    assert api(bob, "post", f"matches/{ids[0]}/cancel/").status_code == 403
    cancelled = api(alice, "post", f"matches/{ids[0]}/cancel/")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert api(alice, "post", f"matches/{ids[0]}/cancel/").status_code == 409
    assert api(None, "get", f"matches/{ids[2] + 1}/games/").status_code == 404


@pytest.mark.parametrize(("asked", "told"), [("", 10), ("?limit=100", 10), ("?limit=2", 2)])
def test_a_page_has_ten_matches_at_most(api, alice, asked, told):
    """Each is worked out from up to 1000 games."""
    made = [
        Match.objects.create(owner=alice, game="ra", pace=BODY["pace"] | {"out": "lost"}, seats=2, games=2, at_once=1) for _ in range(13)
    ]
    for match in made:
        match.players.create(index=0, bot_level="scribe")
        match.players.create(index=1, bot_level="apprentice")
    page = api(None, "get", f"matches/{asked}").json()
    assert [row["id"] for row in page["results"]] == [match.pk for match in made[::-1][:told]]
    address = page["next"].partition("/api/v1/")[2]
    assert [row["id"] for row in api(None, "get", address).json()["results"]] == [match.pk for match in made[::-1][told : 2 * told]]


def test_figures_read_only_the_columns_that_they_need(match_of, gilga, play_all):
    match, _opened = play_all(match_of("gilga", levels=["apprentice"], games=2))
    with CaptureQueriesContext(connection) as asked:
        page = match_page(match.pk)
        list(page.lines)
    assert page.played == 2
    assert len(asked) == 3
    games = next(one["sql"] for one in asked if 'FROM "matches_game"' in one["sql"])
    assert set(re.findall(r'"matches_game"\."(\w+)"', games)) == {"id", "match_id", "number", "ended_at", "places", "scores"}


def test_the_games_of_a_match_are_read_without_its_figures(api, match_of, gilga, django_assert_num_queries):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    with django_assert_num_queries(2):
        assert len(api(None, "get", f"matches/{match.pk}/games/").json()["results"]) == 2
    assert api(None, "get", f"matches/{match.pk + 1}/games/").status_code == 404


def test_a_page_of_matches_takes_as_many_statements_as_one(api, alice, gilga, django_assert_num_queries):
    match = api(alice, "post", "matches/", BODY).json()["id"]
    for path in ("matches/", f"matches/{match}/"):
        with django_assert_num_queries(3):
            api(None, "get", path)
    for _ in range(2):
        api(alice, "post", "matches/", BODY)
    with django_assert_num_queries(3):
        api(None, "get", "matches/")
