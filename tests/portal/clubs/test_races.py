"""Two requests to a club at the same moment run one after the other, and the club stays consistent."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connections, transaction

from portal.clubs import members, refusals, services, ways_in
from portal.clubs.models import Ban, Club, Membership
from portal.common.refusals import Refusal, WrongMoment
from portal.contests import duplicates
from portal.tables import services as tables
from portal.tables.loading import Loaded, load
from portal.tables.models import Seat, Table
from tests.portal.clubs.conftest import person
from tests.portal.faults.test_races import at_once, behind, waiters

pytestmark = pytest.mark.django_db(transaction=True)


def roles(club):
    return sorted(Membership.objects.filter(club=club).values_list("role", flat=True))


def test_one_name_is_given_once_and_alike_addresses_are_told_apart(alice, bob):
    results = at_once(*[lambda user=user: services.create_club(owner=user, name="Enlil") for user in (alice, bob)])
    assert {type(result) for result in results} == {refusals.NameTaken, Club}
    results = at_once(*[lambda: services.create_club(owner=alice, name="Nabu", is_private=True)] * 3)
    assert sorted(type(result).__name__ for result in results) == ["Club", "NameTaken", "NameTaken"]
    results = at_once(
        *[lambda user=user, name=name: services.create_club(owner=user, name=name) for user, name in ((alice, "Kő"), (bob, "Ko"))]
    )
    assert {result.slug for result in results} == {"ko", "ko-2"}


def test_joining_twice_makes_one_member_and_all_are_counted(club, charlie):
    results = at_once(*[lambda: ways_in.join_by_link(code=club.link_code, user=charlie)] * 2)
    assert {type(result) for result in results} == {Membership, refusals.YouAreMember}
    others = [person(f"p{number}") for number in range(4)]
    at_once(*[lambda user=user: ways_in.join_by_link(code=club.link_code, user=user) for user in others])
    assert Club.objects.get().member_count == Membership.objects.filter(club=club).count() == 8


def test_asking_twice_makes_one_request_and_deciding_twice_one_member(club, alice, olga, charlie):
    results = at_once(*[lambda: ways_in.ask(club=club, user=charlie)] * 2)
    asked = [result for result in results if not isinstance(result, Exception)]
    assert len(asked) == 1 and {type(r) for r in results} == {type(asked[0]), refusals.AlreadyAsking}
    results = at_once(
        *[lambda actor=actor: ways_in.decide(club=club, actor=actor, request_id=asked[0].pk, granted=True) for actor in (alice, olga)]
    )
    assert {type(result) for result in results} == {Membership, refusals.RequestGone}


def test_a_club_has_one_owner_whatever_happens_at_once(club, alice, olga, bob):
    at_once(
        lambda: services.hand_over(club=club, actor=alice, member=olga),
        lambda: services.hand_over(club=club, actor=alice, member=bob),
        lambda: members.leave(club=club, user=bob),
        lambda: members.remove(club=club, actor=olga, member=bob),
    )
    assert roles(club).count("owner") == 1 and Membership.objects.filter(club=club, user=alice, role="officer").exists()
    assert Club.objects.get().member_count == len(roles(club))


def test_nobody_is_banned_and_a_member(club, olga, charlie):
    at_once(
        lambda: members.ban(club=club, actor=olga, person=charlie),
        lambda: ways_in.join_by_link(code=club.link_code, user=charlie),
        lambda: ways_in.ask(club=club, user=charlie),
    )
    assert Ban.objects.filter(user=charlie).exists()
    assert not Membership.objects.filter(user=charlie).exists() and not club.requests.exists()


def test_nobody_comes_into_a_club_that_closes(club, alice, charlie):
    joined, closed = at_once(
        lambda: ways_in.join_by_link(code=club.link_code, user=charlie), lambda: services.close_club(club=club, actor=alice)
    )
    assert isinstance(closed, Club)
    assert isinstance(joined, Membership) != (Club.objects.get().member_count == 3)


def test_who_leaves_sits_at_no_open_table(club, alice, bob):
    opened = [tables.create_table(owner=alice, game_key="history_of_the_world", seats=6, club=club).table.pk for _ in range(3)]
    results = at_once(
        lambda: members.leave(club=club, user=bob), *[lambda pk=pk: tables.join_table(table_id=pk, user=bob) for pk in opened]
    )
    assert not any(isinstance(result, Exception) and "deadlock" in str(result) for result in results), results
    assert not Membership.objects.filter(user=bob).exists()
    assert not Seat.objects.filter(user=bob, table__status=Table.Status.OPEN).exists()


def test_new_links_are_made_one_after_the_other(club, alice):
    old = club.link_code
    results = at_once(*[lambda: services.renew_link(club=club, actor=alice)] * 3)
    codes = {result.link_code for result in results if not isinstance(result, Refusal)}
    assert len(codes) == 3 and old not in codes and Club.objects.get().link_code in codes


def while_the_table_is_held(table_id, waiting, then):
    """Hold a table until `waiting`, in a thread, waits for it; then do the second thing to it. Return what both returned or raised."""
    results = []

    def run(call):
        try:
            results.append(call())
        except Exception as error:
            results.append(error)

    def run_apart():
        run(waiting)
        connections.close_all()

    thread = threading.Thread(target=run_apart)
    try:
        with transaction.atomic():
            load(table_id, lock=True)
            thread.start()
            until(waiters)
            then()
    except Exception as error:
        results.append(error)
    thread.join(30)
    return results


def until(is_so):
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.01)
    assert is_so()


def test_whose_game_begins_while_they_are_removed_keeps_it(club, olga, bob):
    """They keep seats in play, and neither request waits for the other for ever."""
    pk = tables.create_table(owner=bob, game_key="ra", seats=2, club=club).table.pk
    results = while_the_table_is_held(
        pk, lambda: members.remove(club=club, actor=olga, member=bob), lambda: tables.start_table(table_id=pk, user=bob)
    )
    assert results == [None]
    assert not Membership.objects.filter(user=bob).exists()
    loaded = load(pk)
    assert loaded.table.status == "playing" and loaded.seat_of(bob) == 0


def test_who_seats_a_bot_while_being_removed_has_no_open_table(club, olga, bob):
    pk = tables.create_table(owner=bob, game_key="ra", seats=3, club=club).table.pk
    results = while_the_table_is_held(
        pk, lambda: members.remove(club=club, actor=olga, member=bob), lambda: tables.add_bot(table_id=pk, user=bob, level="scribe")
    )
    assert results == [None]
    assert load(pk).table.status == "abandoned"


def test_who_is_removed_while_opening_a_table_has_none(club, olga, bob):
    """Whichever comes first: the table is refused, or it is closed with the removal."""
    results = at_once(
        *[lambda: tables.create_table(owner=bob, game_key="ra", seats=3, club=club)] * 3,
        lambda: members.remove(club=club, actor=olga, member=bob),
    )
    assert results[3] is None and {type(result) for result in results[:3]} <= {Loaded, refusals.MembersOnly}, results
    assert not Table.objects.filter(club=club, status="open").exists()


def test_a_table_that_waited_for_its_club_to_close_is_not_opened(club, alice, bob, olga):
    opened = behind(
        lambda: services.close_club(club=club, actor=alice), lambda: tables.create_table(owner=bob, game_key="ra", seats=3, club=club)
    )
    assert isinstance(opened, WrongMoment)
    assert not Table.objects.exists()


def test_a_set_that_waited_for_its_club_to_close_is_not_opened(club, alice, olga):
    opened = behind(
        lambda: services.close_club(club=club, actor=alice),
        lambda: duplicates.create_set(club=club, actor=olga, name="Week 1", game="ra", seats=2, n_tables=2),
    )
    assert isinstance(opened, WrongMoment)
    assert not Table.objects.exists()


def test_a_club_is_handed_over_while_its_owner_opens_a_table(club, alice, bob):
    results = at_once(
        lambda: tables.create_table(owner=alice, game_key="ra", seats=3, club=club),
        lambda: services.hand_over(club=club, actor=alice, member=bob),
    )
    assert isinstance(results[0], Loaded) and results[1] is None
