"""Seasons and leagues by the API: the services and rights of the pages, with a fixed number of statements."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from portal.clubs.models import Season
from portal.contests import seasons
from portal.contests.models import League, Pairing
from portal.ratings.services import apply_pending
from portal.tables.models import Table
from tests.portal.api.asking import Person, code_of
from tests.portal.ratings.games import person
from tests.portal.seasons.builders import WEEK, finish, game_of, make_season, play_out, start

pytestmark = pytest.mark.django_db
AT = "clubs/enlil/"


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


@pytest.fixture
def officers(olga):
    return Person(olga)


@pytest.fixture
def his(bob):
    return Person(bob)


def test_a_season_from_its_plan_to_its_end(club, officers, his, django_assert_num_queries):
    soon = timezone.now() + WEEK
    asked = {"name": "Summer", "game": "ra", "starts_at": soon.isoformat(), "ends_at": (soon + 4 * WEEK).isoformat()}
    assert his.post(f"{AT}seasons/", asked).status_code == 403
    made = officers.post(f"{AT}seasons/", asked)
    told = made.json()
    assert (made.status_code, told["name"], told["game"], told["state"], told["leagues"], told["honours"]) == (
        201,
        "Summer",
        "ra",
        "planned",
        [],
        [],
    )
    at = f"{AT}seasons/{told['id']}/"
    changed = officers.post(at, {"game": ""}, "PATCH").json()
    assert (changed["name"], changed["game"], changed["ends_at"]) == ("Summer", "", told["ends_at"])
    assert officers.post(f"{at}end/").status_code == 409, "it hasn't started"
    assert officers.post(at, {"ends_at": (timezone.now() - WEEK).isoformat()}, "PATCH").status_code == 422
    assert officers.post(at, method="DELETE").status_code == 204
    assert code_of(officers.get(at)) == "club_not_found"
    running = officers.post(f"{AT}seasons/", {"name": "Now", "ends_at": (soon + WEEK).isoformat()}).json()
    assert running["state"] == "running"
    at = f"{AT}seasons/{running['id']}/"
    game_of(club, [("alice", 1), ("bob", 2)])
    apply_pending()
    assert officers.post(at, {"game": "babel"}, "PATCH").status_code == 409, "games count already"
    assert officers.post(f"{at}end/").json()["state"] == "over"
    assert seasons.freeze_due() == 1
    with django_assert_num_queries(4):  # the club, the season, its leagues, its honours
        told = Person().get(at).json()
    assert told["state"] == "frozen"
    assert {(one["game"], one["pool"], one["league"]) for one in told["honours"]} == {(None, "people", None), ("ra", "people", None)}
    assert [line["name"] for line in told["honours"][0]["lines"]] == ["alice", "bob"]
    assert officers.post(at, {"name": "Then"}, "PATCH").status_code == 409
    assert Season.objects.get().name == "Now"


def test_seasons_have_pages(club, olga, django_assert_num_queries):
    made = [make_season(club, olga, name=f"No. {number}", starts_at=timezone.now() + number * WEEK).pk for number in range(1, 6)]
    with django_assert_num_queries(4):  # the club, the seasons, their leagues, their honours
        page = Person().get(f"{AT}seasons/?limit=2").json()
    found = page["results"]
    while page["next"]:
        page = Person().client.get(page["next"]).json()
        found += page["results"]
    assert [one["id"] for one in found] == made[::-1]


def test_a_season_has_leaderboards(club, season, alice, django_assert_num_queries):
    game_of(club, [("alice", 1), ("bob", 2)])
    game_of(club, [("alice", 2), ("scribe", 1)])
    apply_pending()
    hers = Person(alice)
    with django_assert_num_queries(7):  # the token, the club, the season with its parts, the ladder, its lines
        told = hers.get(f"{AT}seasons/{season.pk}/leaderboards/all/").json()
    assert [(one["username"], one["rank"]) for one in told["results"]] == [("alice", 1), ("bob", 2)]
    assert told["mine"]["username"] == "alice"
    assert [one["bot_level"] for one in hers.get(f"{AT}seasons/{season.pk}/leaderboards/ra/?pool=bots").json()["results"]] == ["scribe", ""]
    assert hers.get(f"{AT}seasons/99999/leaderboards/ra/").status_code == 404
    assert hers.get(f"{AT}seasons/{season.pk}/leaderboards/chess/").status_code == 404


# Leagues

LEAGUE = {"name": "Ra league", "game": "ra", "form": "once", "members": ["alice", "bob", "dora"], "bots": {"scribe": 1}}


def test_a_draw_is_tried_and_then_started(club, season, officers, his):
    at = f"{AT}seasons/{season.pk}/"
    assert his.post(f"{at}draw/", LEAGUE).status_code == 403
    tried = officers.post(f"{at}draw/", LEAGUE).json()
    assert not League.objects.exists()
    assert (tried["seats"], tried["games_each"], len(tried["rounds"])) == (2, 3, 3)
    assert officers.post(f"{at}draw/", LEAGUE | {"seed": tried["seed"]}).json() == tried
    made = officers.post(f"{at}leagues/", LEAGUE | {"seed": tried["seed"]})
    told = made.json()
    assert (made.status_code, told["name"], told["season"], told["is_running"], told["to_play"]) == (201, "Ra league", season.pk, True, 6)
    assert [[[seat["name"] for seat in one["seats"]] for one in found["pairings"]] for found in told["rounds"]] == [
        found["tables"] for found in tried["rounds"]
    ]
    assert [one["id"] for one in officers.get(at).json()["leagues"]] == [told["id"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"game": "chess"},
        {"form": "thrice"},
        {"form": "rounds-9"},
        {"members": []},
        {"members": ["alice", "charlie"]},
        {"bots": {"scribe": -1}},
        {"bots": {"grandmaster": 1}},
        {"bots": {"scribe": 999}},
        {"form": "rounds-3", "rounds": 1000},
        {"days": 0},
        {"options": {"nothing": 1}},
        {"seed": "a b"},
    ],
)
def test_a_league_that_cannot_be(club, season, officers, charlie, changed):
    for part in ("draw/", "leagues/"):
        assert officers.post(f"{AT}seasons/{season.pk}/{part}", LEAGUE | changed).status_code in (400, 422)
    assert not League.objects.exists()


def test_a_league_is_played(club, season, olga, bob, officers, his, django_assert_num_queries):
    league = start(club, olga, season, form="once", members=["alice", "bob", "dora"])
    at = f"{AT}leagues/{league.pk}/"
    told = his.get(at).json()
    mine = [one for found in told["rounds"] for one in found["pairings"] if one["is_mine"]]
    assert len(mine) == 2 and all(one["can_play"] and one["state"] == "open" and one["table"] is None for one in mine)
    others = next(one for found in told["rounds"] for one in found["pairings"] if not one["is_mine"])
    assert his.post(f"{at}pairings/{others['id']}/play/").status_code == 403
    opened = his.post(f"{at}pairings/{mine[0]['id']}/play/").json()
    assert opened == his.post(f"{at}pairings/{mine[0]['id']}/play/").json(), "twice is once"
    assert Table.objects.get(pk=opened["table"]).status == "playing"
    places = [1 if seat["name"] == "bob" else 2 for seat in mine[0]["seats"]]
    finish(opened["table"], places)
    play_out(league, club, ["bob", "dora", "alice"])
    with django_assert_num_queries(7):  # the token, the club, the league, its entrants, pairings, seats and tables
        told = his.get(at).json()
    assert [(one["rank"], one["entrant"]["name"], one["points"], one["is_me"]) for one in told["table"]] == [
        (1, "bob", 2, True),
        (2, "dora", 1, False),
        (3, "alice", 0, False),
    ]
    assert (told["played"], told["to_play"]) == (3, 0)
    first = next(one for found in told["rounds"] for one in found["pairings"] if one["id"] == mine[0]["id"])
    assert (first["state"], first["table"], first["can_play"]) == ("played", opened["table"], False)
    assert [(seat["name"], seat["place"]) for seat in first["seats"]] == [
        (seat["name"], place) for seat, place in zip(first["seats"], places, strict=True)
    ]
    assert all(len(found["resting"]) == 1 for found in told["rounds"])


def test_officers_move_void_and_withdraw(club, season, olga, officers, his):
    league = start(club, olga, season, form="once", members=["alice", "bob", "dora"])
    at = f"{AT}leagues/{league.pk}/"
    pairing = Pairing.objects.filter(league=league).first()
    later = timezone.now() + timedelta(days=30)
    for who, status in ((his, 403), (officers, 200)):
        answer = who.post(f"{at}pairings/{pairing.pk}/deadline/", {"deadline": later.isoformat(), "reason": "Ill."}, "PUT")
        assert answer.status_code == status
    pairing.refresh_from_db()
    assert pairing.deadline == later
    assert officers.post(f"{at}pairings/{pairing.pk}/deadline/", {"deadline": (later + 99 * WEEK).isoformat()}, "PUT").status_code == 422
    assert officers.post(f"{at}pairings/{pairing.pk}/void/").status_code == 400, "it needs a reason"
    assert his.post(f"{at}pairings/{pairing.pk}/void/", {"reason": "Ill."}).status_code == 403
    told = officers.post(f"{at}pairings/{pairing.pk}/void/", {"reason": "Ill."}).json()
    assert told["to_play"] == 2
    assert officers.post(f"{at}pairings/{pairing.pk}/void/", {"reason": "Ill."}).status_code == 409
    entrant = league.entrants.get(user__username="dora")
    assert his.post(f"{at}entrants/{entrant.pk}/withdraw/", {"reason": "Left."}).status_code == 403
    told = officers.post(f"{at}entrants/{entrant.pk}/withdraw/", {"reason": "Left."}).json()
    assert next(one for one in told["table"] if one["entrant"]["name"] == "dora")["entrant"]["withdrawn_at"]
    assert officers.post(f"{at}entrants/{entrant.pk}/withdraw/", {"reason": "Left."}).status_code == 409
    assert officers.post(f"{at}pairings/99999/void/", {"reason": "x"}).status_code == 404
    log = str(officers.get(f"{AT}log/").json())
    assert "Ill." in log and "Left." in log


def test_nothing_of_a_private_clubs_contests_is_there_for_others(club, season, olga, charlie):
    league = start(club, olga, season)
    club.is_private = True
    club.save()
    stranger = Person(charlie)
    for part in ("seasons/", f"seasons/{season.pk}/", f"seasons/{season.pk}/leaderboards/all/", f"leagues/{league.pk}/", "duplicates/"):
        hidden, missing = (asker.get(f"clubs/{slug}/{part}") for asker, slug in ((stranger, "enlil"), (stranger, "nowhere")))
        assert (hidden.status_code, hidden.content) == (404, missing.content), part
        assert Person().get(f"{AT}{part}").content == missing.content


def test_a_league_of_another_club_is_not_found_here(club, season, olga):
    from portal.clubs import services as clubs

    league = start(club, olga, season)
    clubs.create_club(owner=olga, name="Nabu")
    assert Person(person("olga")).get(f"clubs/nabu/leagues/{league.pk}/").status_code == 404
    assert Person(person("olga")).get(f"clubs/nabu/seasons/{season.pk}/").status_code == 404
