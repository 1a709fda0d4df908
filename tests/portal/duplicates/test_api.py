"""Duplicate sets by the API: nothing of how the tables stand is told before the reveal."""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache

from portal.clubs.models import DuplicateSet
from portal.contests import duplicates
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.api.asking import Person, code_of
from tests.portal.duplicates.test_duplicates import ids, sit
from tests.portal.tables.ending import end
from tests.portal.tables.telling import play

pytestmark = pytest.mark.django_db
AT = "clubs/enlil/duplicates/"
SET = {"name": "Week 3", "game": "ra", "seats": 3, "tables": 3, "bots": ["", "scribe", ""]}


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


@pytest.fixture
def officers(olga):
    return Person(olga)


@pytest.fixture
def his(bob):
    return Person(bob)


def test_an_officer_opens_starts_closes_and_ends(club, officers, his):
    assert his.post(AT, SET).status_code == 403
    made = officers.post(AT, SET)
    told = made.json()
    assert (made.status_code, told["name"], told["game"], told["seats"], told["is_revealed"]) == (201, "Week 3", "ra", 3, False)
    assert [[seat["bot_level"] for seat in table["seats"]] for table in told["tables"]] == [["", "scribe", ""]] * 3
    at, first = f"{AT}{told['id']}/", told["tables"][0]["id"]
    sat = his.post(f"{at}sit/", {"table": first, "seat": 2}).json()
    assert sat["has_sat"] and [table["is_mine"] for table in sat["tables"]] == [True, False, False]
    assert his.post(f"{at}sit/", {"table": told["tables"][1]["id"], "seat": 0}).status_code == 409, "one table of a set"
    assert officers.post(f"{at}sit/", {"table": first, "seat": 2}).status_code == 409, "it is taken"
    assert officers.post(f"{at}sit/", {"table": first, "seat": 5}).status_code == 422
    for part, body in (("start/", {"table": first}), ("close/", {}), ("end/", {})):
        assert his.post(f"{at}{part}", body).status_code == 403
    assert officers.post(f"{at}start/", {"table": told["tables"][1]["id"]}).status_code == 409, "nobody sits there"
    assert officers.post(f"{at}start/", {"table": first}).json()["tables"][0]["status"] == "playing"
    assert [table["status"] for table in officers.post(f"{at}close/").json()["tables"]] == ["playing", "abandoned", "abandoned"]
    ended = officers.post(f"{at}end/").json()
    assert ended["is_revealed"] and ended["secret"] == bytes(DuplicateSet.objects.get().secret).hex()
    assert officers.post(f"{at}end/").status_code == 409


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"name": "a\u202eb"},
        {"game": "chess"},
        {"seats": 9},
        {"seats": 2},  # three bots
        {"tables": 1},
        {"tables": 13},
        {"bots": ["scribe"] * 3},
        {"bots": ["", "grandmaster", ""]},
        {"options": {"nothing": 1}},
        {"options": {"nothing": [1, {}]}},
    ],
)
def test_a_set_that_cannot_be(club, officers, changed):
    assert officers.post(AT, SET | changed).status_code in (400, 422)
    assert not DuplicateSet.objects.exists() and not Table.objects.exists()


def test_before_the_reveal_nothing_of_the_tables_is_told(public, made, alice, bob, olga, charlie):
    sit(made, 0, alice)
    sit(made, 1, bob)
    first, second = ids(made)
    askers = [Person(), Person(charlie), Person(alice), Person(olga)]
    play(first, records=40)

    def answers():
        return [asker.get(path).content for asker in askers for path in (AT, f"{AT}{made.pk}/")]

    before = answers()
    play(first, records=80)
    assert answers() == before, "not a byte tells how a game stands"
    Table.objects.filter(pk=first).update(secret=bytes(32))
    assert answers() == before
    end(first, seed=1)
    told = Person(alice).get(f"{AT}{made.pk}/").json()
    assert (told["secret"], told["comparison"], told["ranking"], told["is_revealed"]) == (None, [], [], False)
    outside = Person(charlie).get(f"{AT}{made.pk}/").json()
    assert [table["id"] for table in outside["tables"]] == [None, None]
    assert bytes(made.secret).hex() not in json.dumps([told, outside])
    end(second, seed=2)
    shown = Person(charlie).get(f"{AT}{made.pk}/").json()
    assert [table["id"] for table in shown["tables"]] == [first, second]
    assert shown["secret"] == bytes(made.secret).hex()
    seats = shown["comparison"][0]
    assert {(one["table"], one["score"]) for one in seats} == {(pk, load(pk).seats[0].score) for pk in (first, second)}
    assert sum(one["beaten"] for one in seats) == 1
    assert {line["name"] for line in shown["ranking"]} == {"alice", "bob"}


def test_sets_have_pages_and_fixed_costs(club, olga, officers, django_assert_num_queries):
    made = [duplicates.create_set(club=club, actor=olga, name=f"No. {number}", game="ra", seats=2, n_tables=2).pk for number in range(3)]
    with django_assert_num_queries(3):  # the token, the club, the sets
        page = officers.get(f"{AT}?limit=2").json()
    rest = officers.client.get(page["next"]).json()
    assert [one["id"] for one in (*page["results"], *rest["results"])] == made[::-1]
    assert all((one["tables"], one["tables_open"], one["tables_ended"]) == (2, 2, 0) for one in page["results"])
    with django_assert_num_queries(5):  # the token, the club, the set, its tables, their seats
        officers.get(f"{AT}{made[0]}/")
    assert code_of(officers.get(f"{AT}99999/")) == "club_not_found"
