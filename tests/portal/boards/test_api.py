"""Standings by the API: the numbers of the pages, for the same readers, each with a fixed number of statements."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.ratings import formula, statistics
from portal.ratings.rules import example
from portal.ratings.selectors import Filters, leaderboard
from tests.portal.api.asking import Person, code_of
from tests.portal.boards.test_ladders import crowd
from tests.portal.boards.test_statistics import secret_games

pytestmark = pytest.mark.django_db
__all__ = ["crowd", "secret_games"]
READS = {  # statements, that of the token among them
    "ratings/": 1,
    "leaderboards/all/": 3,
    "leaderboards/ra/?players=guests&days=30&name=a": 3,
    "leaderboards/ra/seats/": 2,
    "leaderboards/ra/calibration/": 2,
    "clubs/enlil/leaderboards/ra/": 4,  # the club
    "clubs/enlil/records/": 4,
    "people/alice/ratings/ra/": 7,  # the person, and five of theirs
}


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


def statements(asker, path) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert asker.get(path).status_code == 200
    return len(queries)


@pytest.mark.parametrize("path", READS)
def test_the_cost_is_the_same_with_many_games(alice, bob, club, play, path):
    hers = Person(alice)
    play(("alice", 1), ("bob", 2), club=club)
    assert statements(hers, path) == READS[path]
    for number in range(12):
        play(("alice", 1 + number % 3), ("bob", 1 + (number + 1) % 3), (f"p{number}", 1 + (number + 2) % 3), club=club, apply=False)
    play(("alice", 1), ("bob", 2), club=club)
    assert statements(hers, path) == READS[path]


@pytest.mark.parametrize("query", ["", "players=established", "players=guests", "name=g1", "days=90"])
def test_pages_of_a_leaderboard_are_the_whole_list_with_its_ranks(crowd, query):
    values = dict(pair.split("=") for pair in query.split("&") if pair)
    filters = Filters(values.get("players", "all"), values.get("name", ""), int(values.get("days", 0)))
    whole = leaderboard(pool="people", game="ra", filters=filters, limit=1000).lines
    page = Person().get(f"leaderboards/ra/?limit=3&{query}").json()
    found = page["results"]
    while page["next"]:
        page = Person().client.get(page["next"]).json()
        assert page["results"]
        found += page["results"]
    assert len(whole) > 3
    assert [(one["username"], one["rank"], one["points"]) for one in found] == [(one.username, one.rank, one.points) for one in whole]


def test_ones_own_line_is_there_whatever_the_page_shows(crowd):
    last = leaderboard(pool="people", game="ra", limit=1000).lines[-1]
    person = next(user for user in crowd if user.username == last.username)
    told = Person(person).get("leaderboards/ra/?limit=1").json()
    assert told["mine"]["username"] == person.username != told["results"][0]["username"]
    assert (told["mine"]["rank"], told["mine"]["is_me"], told["players"]) == (last.rank, True, 50)
    assert Person().get("leaderboards/ra/").json()["mine"] is None


def test_bots_have_their_pool(play):
    play(("ann", 2), ("scribe", 1))
    assert Person().get("leaderboards/ra/").json() == {"players": 0, "mine": None, "next": None, "results": []}
    lines = Person().get("leaderboards/ra/?pool=bots").json()["results"]
    assert [(one["username"], one["bot_level"], one["mean_place"]) for one in lines] == [("", "scribe", None), ("ann", "", 2.0)]


@pytest.mark.parametrize(
    "query", ["pool=dogs", "players=some", "days=7", "days=x", "name=a%0Ab", f"name={'x' * 61}", "cursor=x", "limit=0"]
)
def test_a_filter_that_is_none(play, query):
    play(("ann", 1), ("ben", 2))
    assert code_of(Person().get(f"leaderboards/ra/?{query}")) == "invalid"


def test_a_cursor_fits_its_own_ladder(crowd):
    following = Person().get("leaderboards/ra/?limit=1").json()["next"]
    cursor = following.split("cursor=")[1].split("&")[0]
    assert code_of(Person().get(f"leaderboards/all/?cursor={cursor}")) == "invalid"


@pytest.mark.parametrize(
    "path", ["leaderboards/chess/", "leaderboards/all/seats/", "people/alice/ratings/ra/", "people/nobody/ratings/ra/"]
)
def test_what_is_not_there(alice, path):
    assert code_of(Person().get(path)) == "not_found"


def test_how_somebody_did_in_a_game(alice, bob, play):
    played = [play(("alice", 1), ("bob", 2), scores=[40, 30]).pk, play(("bob", 1), ("alice", 2), scores=[50, 20]).pk]
    play(("alice", 2), ("scribe", 1))
    told = Person().get("people/Alice/ratings/ra/").json()
    found = statistics.player_game(alice, "ra", pool=None, viewer=None)
    assert (told["pool"], told["pools"], told["games"], told["wins"], told["places"]) == ("people", ["people", "bots"], 2, 1, [1, 1])
    assert (told["points"], told["plus_minus"]) == (found.points, found.plus_minus)
    assert [(one["table"], one["place"], one["score"]) for one in told["history"]] == [(played[1], 2, 20), (played[0], 1, 40)]
    assert next(one["points"] for one in told["history"]) == told["points"]
    assert [(one["seats"], one["games"], one["percent"]) for one in told["sizes"]] == [(2, 2, 50.0)]
    assert [(one["seat"], one["games"], one["percent"]) for one in told["seats"]][:2] == [(0, 1, 100.0), (1, 1, 0.0)]
    assert (told["best_score"], told["best_table"], told["mean_score"]) == (40, played[0], 30)
    assert Person().get("people/alice/ratings/ra/?pool=bots").json()["games"] == 1
    assert code_of(Person().get("people/alice/ratings/ra/?pool=cats")) == "invalid"


def test_nothing_of_a_private_or_sealed_game_is_told_to_strangers(alice, bob, charlie, secret_games, club):
    paths = (
        "people/alice/ratings/ra/",
        "people/bob/ratings/ra/",
        "leaderboards/ra/",
        "leaderboards/ra/seats/",
        "leaderboards/ra/calibration/",
    )
    hidden = {secret_games["club"].pk, secret_games["sealed"].pk, 222, 203, 333, 304, "Enlil", "enlil"}
    for asker in (Person(), Person(charlie)):
        for path in paths:
            assert not hidden & set(values(asker.get(path).json())), path
        for path in ("clubs/enlil/leaderboards/ra/", "clubs/enlil/records/"):
            assert code_of(asker.get(path)) == "club_not_found"
    seen = set(values(Person(alice).get("people/bob/ratings/ra/").json()))
    assert {secret_games["club"].pk, 203} <= seen
    assert not {secret_games["sealed"].pk, 333} & seen, "a member sees the club's games, but no sealed one"


def values(told):
    """Yield all values of an answer."""
    for one in told.values() if isinstance(told, dict) else told:
        if isinstance(one, dict | list):
            yield from values(one)
        else:
            yield one


def test_records_of_a_club_wait_for_the_reveal(alice, secret_games, sealed):
    records = Person(alice).get("clubs/enlil/records/").json()["results"]
    assert [(one["game"], one["seats"]) for one in records] == [("ra", 2)]
    highest = records[0]["records"][0]
    assert highest == {"kind": "highest", "value": None, "username": "", "table": None, "at": None}, "it is from a sealed game"
    sealed.revealed_at = secret_games["sealed"].finished_at
    sealed.save()
    shown = Person(alice).get("clubs/enlil/records/").json()["results"][0]["records"][0]
    assert (shown["value"], shown["username"], shown["table"]) == (333, "bob", secret_games["sealed"].pk)


def test_seats_and_predictions_are_those_of_the_pages(play):
    for number in range(21):
        play(("ann", 1 + number % 2), ("ben", 2 - number % 2), apply=number == 20)
    (size,) = Person().get("leaderboards/ra/seats/").json()["results"]
    (found,) = statistics.seat_effects("ra", "people")
    assert (size["seats"], size["games"], size["hidden_below"]) == (2, 21, found.hidden_below)
    assert [(one["seat"], one["wins"], one["difference"], one["verdict"]) for one in size["lines"]] == [
        (one.number - 1, one.wins, one.difference, one.verdict) for one in found.lines
    ]
    curves = Person().get("leaderboards/ra/calibration/").json()["results"]
    assert [(one["kind"], one["error"], one["chance_error"]) for one in curves] == [
        (one.kind, one.error, one.chance_error) for one in statistics.calibration("ra", "people")
    ]
    assert {one["kind"] for one in curves} == {"win", "ahead", "place"}
    assert all(line["real_low"] <= line["real"] <= line["real_high"] for curve in curves for line in curve["lines"])


def test_the_numbers_of_the_ratings():
    told = Person().get("ratings/").json()
    assert (told["points_at_start"], told["plus_minus_at_start"], told["points_a_unit"]) == (1500, 667, 40)
    assert (told["mu_at_start"], told["sigma_at_start"], told["beta"]) == (formula.MU, formula.SIGMA, formula.BETA)
    assert [(one["name"], one["points"], one["new_points"]) for one in told["example"]] == [
        (one.name, one.points, one.new_points) for one in example()
    ]
