"""Two people at the same moment: one reveal, one seat per person, no deadlock."""

from __future__ import annotations

from collections import Counter

import pytest

from portal.clubs import members
from portal.clubs.models import Club, DuplicateSet
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import WrongMoment
from portal.contests import duplicates
from portal.tables import services, tasks
from portal.tables.loading import load
from portal.tables.models import FinishCounter, Seat
from tests.portal.clubs.conftest import person
from tests.portal.faults.test_races import at_once, behind
from tests.portal.tables.ending import end, nearly_end

from .test_duplicates import ids, sit

pytestmark = pytest.mark.django_db(transaction=True)


def is_revealed(duplicate):
    return DuplicateSet.objects.get(pk=duplicate.pk).revealed_at is not None


def score(table_id):
    tasks.score(table_id, load(table_id).table.version)


def test_of_two_last_tables_that_end_at_once_exactly_one_reveals(made, alice, bob):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    for table_id in (one, two):
        nearly_end(table_id)
    at_once(lambda: score(one), lambda: score(two))
    assert is_revealed(made)
    assert sorted(load(table_id).table.finish_number for table_id in (one, two)) == [1, 2]
    assert FinishCounter.objects.get().last == 2


def test_the_second_to_end_waits_for_the_first_and_reveals(made, alice, bob):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    for table_id in (one, two):
        nearly_end(table_id)
    behind(lambda: score(one), lambda: score(two))
    assert is_revealed(made)
    assert [load(table_id).table.finish_number for table_id in (one, two)] == [1, 2]


def test_a_table_that_ends_while_the_set_is_ended_keeps_its_result_or_is_broken_off(made, alice, bob, olga):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(two)
    nearly_end(one)
    results = at_once(lambda: score(one), lambda: duplicates.end_set(duplicate=made, actor=olga))
    status = load(one).table.status
    assert (status == "finished") == isinstance(results[1], WrongMoment)
    assert is_revealed(made)
    assert FinishCounter.objects.get().last == (2 if status == "finished" else 1)


def test_who_joins_two_tables_of_a_set_at_once_sits_at_one(pair, alice):
    results = at_once(lambda: sit(pair, 0, alice), lambda: sit(pair, 1, alice), lambda: sit(pair, 0, alice, 1))
    assert Counter(type(result).__name__ for result in results) == {"Loaded": 1, "SeatedInSet": 2}
    assert Seat.objects.filter(table__duplicate=pair, user=alice).count() == 1


def test_of_two_for_one_seat_one_gets_it(made, alice, bob):
    results = at_once(lambda: sit(made, 0, alice), lambda: sit(made, 0, bob))
    assert Counter(type(result).__name__ for result in results) == {"Loaded": 1, "TableNoLongerOpen": 1}, "the last seat starts the game"


def test_who_is_removed_while_sitting_down_has_no_seat_at_an_open_table(pair, club, olga, bob):
    result = behind(lambda: members.remove(club=club, actor=olga, member=bob), lambda: sit(pair, 0, bob))
    assert isinstance(result, ClubNotFound)
    assert load(ids(pair)[0]).seat_of(bob) is None


def test_who_sits_down_while_being_removed_gets_up_again(pair, club, olga, bob):
    behind(lambda: sit(pair, 0, bob), lambda: members.remove(club=club, actor=olga, member=bob))
    assert load(ids(pair)[0]).seat_of(bob) is None


def test_who_joins_a_club_table_while_being_removed_gets_up_again(club, alice, olga, bob):
    table_id = services.create_table(owner=alice, game_key="ra", seats=3, club=club).table.pk
    behind(lambda: services.join_table(table_id=table_id, user=bob), lambda: members.remove(club=club, actor=olga, member=bob))
    assert load(table_id).seat_of(bob) is None


def test_closing_and_taking_the_last_seat_at_once_do_not_block_each_other(pair, alice, bob, olga):
    sit(pair, 0, alice, 0)
    results = at_once(lambda: sit(pair, 0, bob, 1), lambda: duplicates.close_open_tables(duplicate=pair, actor=olga))
    status = load(ids(pair)[0]).table.status
    assert (status == "playing") == (not isinstance(results[0], Exception))
    assert results[1] == (1 if status == "playing" else 2)
    assert is_revealed(pair) == (status == "abandoned")
    assert Club.objects.get().closed_at is None


def test_many_seats_of_many_tables_at_once(club, olga, alice, bob, dora):
    from portal.clubs import ways_in

    people = [alice, bob, dora, olga, *(person(f"guest{n}") for n in range(4))]
    for user in people[4:]:
        ways_in.join_by_link(code=club.link_code, user=user)
    made = duplicates.create_set(club=club, actor=olga, name="Many", game="ra", seats=2, n_tables=4)
    results = at_once(*(lambda n=n, user=user: sit(made, n // 2, user, n % 2) for n, user in enumerate(people)))
    assert not [result for result in results if isinstance(result, Exception)]
    assert {load(table_id).table.status for table_id in ids(made)} == {"playing"}
