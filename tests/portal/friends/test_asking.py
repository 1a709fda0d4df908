"""People ask each other to be friends, answer, and part; nobody learns that they were declined or are blocked."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts import blocks
from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.accounts.services import create_guest
from portal.friends import refusals, services
from portal.friends.models import Friendship
from portal.friends.selectors import Tie, circle_of, friend_ids, tie
from portal.notices.models import Kind, Notice
from portal.site.moderating import deactivate, rename
from portal.tables.naming import names_like

pytestmark = pytest.mark.django_db


def befriend(one: User, other: User) -> Friendship:
    services.ask(user=one, person=other)
    return services.accept(user=other, person=one)


def ties(one: User, other: User) -> tuple[Tie, Tie]:
    return tie(one, other), tie(other, one)


def names(user: User) -> tuple[list[str], list[str], list[str]]:
    """Friends, people who ask, people who were asked."""
    circle = circle_of(user)
    friends, asking, asked = ([person.name for person in people] for people in (circle.friends, circle.asking, circle.asked))
    return friends, asking, asked


def found(user: User, start: str) -> list[str]:
    return [one.name for one in names_like(user, start)]


def told() -> list[tuple[str, str, str]]:
    """What is told now: to whom, what, of whom."""
    found = Notice.objects.filter(kind=Kind.FRIEND, withdrawn_at=None).order_by("pk").select_related("user")
    return [(notice.user.username, notice.key, notice.facts["who"]) for notice in found]


def test_somebody_asks_and_the_other_accepts(alice, bob, charlie):
    row = services.ask(user=alice, person=bob)
    assert ties(alice, bob) == (Tie.ASKED, Tie.ASKS)
    assert (names(alice), names(bob), names(charlie)) == (([], [], ["bob"]), ([], ["alice"], []), ([], [], []))
    assert told() == [("bob", "asked", "alice")]
    assert Notice.objects.get().path == f"/friends/#friend-{row.pk}"
    services.accept(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.FRIENDS, Tie.FRIENDS)
    assert (names(alice), names(bob)) == ((["bob"], [], []), (["alice"], [], []))
    assert [list(friend_ids(one)) for one in (alice, bob, charlie)] == [[bob.pk], [alice.pk], []]
    assert told() == [("alice", "accepted", "bob")]


def test_asking_twice_is_asking_once(alice, bob):
    assert services.ask(user=alice, person=bob) == services.ask(user=alice, person=bob)
    assert told() == [("bob", "asked", "alice")]
    services.accept(user=bob, person=alice)
    assert services.accept(user=bob, person=alice) == services.ask(user=bob, person=alice)
    assert told() == [("alice", "accepted", "bob")]


def test_two_who_ask_each_other_are_friends(alice, bob):
    services.ask(user=alice, person=bob)
    services.ask(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.FRIENDS, Tie.FRIENDS)
    assert Friendship.objects.count() == 1
    assert told() == [("alice", "accepted", "bob")]


def test_there_is_one_row_for_two_people(alice, bob):
    services.ask(user=alice, person=bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendship.objects.create(asker=bob, asked=alice, made_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendship.objects.create(asker=bob, asked=bob, made_at=timezone.now())


def test_a_declined_request_seems_to_wait_and_nobody_is_told(alice, bob):
    services.ask(user=alice, person=bob)
    services.decline(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.ASKED, Tie.NONE)
    assert (names(alice), names(bob)) == (([], [], ["bob"]), ([], [], []))
    assert told() == []
    services.ask(user=alice, person=bob)
    assert (ties(alice, bob), told()) == ((Tie.ASKED, Tie.NONE), [])
    for refused in (services.accept, services.decline):
        with pytest.raises(refusals.NoSuchRequest):
            refused(user=bob, person=alice)


def test_asking_again_after_withdrawing_is_not_heard_for_a_while(alice, bob):
    services.ask(user=alice, person=bob)
    services.decline(user=bob, person=alice)
    for days, is_heard in ((0, False), (15, False), (31, True)):
        with time_machine.travel(timezone.now() + timedelta(days=days), tick=False):
            services.withdraw(user=alice, person=bob)
            assert (ties(alice, bob), names(alice)[2]) == ((Tie.NONE, Tie.NONE), [])
            services.ask(user=alice, person=bob)
            assert ties(alice, bob) == (Tie.ASKED, Tie.ASKS if is_heard else Tie.NONE)
            assert bool(told()) == is_heard


def test_who_declined_can_ask_later(alice, bob):
    services.ask(user=alice, person=bob)
    services.decline(user=bob, person=alice)
    services.ask(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.FRIENDS, Tie.FRIENDS)
    assert told() == [("alice", "accepted", "bob")]
    services.end(user=alice, person=bob)
    services.ask(user=alice, person=bob)
    services.decline(user=bob, person=alice)
    services.withdraw(user=alice, person=bob)
    services.ask(user=bob, person=alice)  # of Alice's request, nothing is left
    assert ties(alice, bob) == (Tie.ASKS, Tie.ASKED)


def test_a_withdrawn_request_is_gone(alice, bob):
    services.ask(user=alice, person=bob)
    services.withdraw(user=alice, person=bob)
    assert not Friendship.objects.exists()
    assert told() == []
    for verb in (services.withdraw, services.accept, services.decline):
        with pytest.raises(refusals.NoSuchRequest):
            verb(user=alice, person=bob)


@pytest.mark.parametrize("is_asker", [True, False])
def test_either_ends_it_and_the_other_is_not_told(alice, bob, is_asker):
    befriend(alice, bob)
    one, other = (alice, bob) if is_asker else (bob, alice)
    services.end(user=one, person=other)
    assert ties(alice, bob) == (Tie.NONE, Tie.NONE)
    assert told() == []
    with pytest.raises(refusals.NotFriends):
        services.end(user=one, person=other)


def test_nobody_answers_for_others(alice, bob, charlie):
    services.ask(user=alice, person=bob)
    for verb in (services.accept, services.decline):
        with pytest.raises(refusals.NoSuchRequest):
            verb(user=alice, person=bob)
        with pytest.raises(refusals.NoSuchRequest):
            verb(user=charlie, person=alice)
    with pytest.raises(refusals.NoSuchRequest):
        services.withdraw(user=bob, person=alice)
    with pytest.raises(refusals.NotFriends):
        services.end(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.ASKED, Tie.ASKS)


def test_guests_ask_nobody_and_are_not_asked(alice):
    guest = create_guest(address="192.0.2.1")
    with pytest.raises(refusals.GuestsHaveNone):
        services.ask(user=guest, person=alice)
    with pytest.raises(refusals.IsAGuest):
        services.ask(user=alice, person=guest)
    with pytest.raises(refusals.AsksSelf):
        services.ask(user=alice, person=alice)
    assert not Friendship.objects.exists()


# Blocked people


def test_to_a_blocked_person_their_request_seems_to_wait(alice, bob, charlie):
    blocks.block(user=bob, person=alice)
    services.ask(user=alice, person=bob)
    services.ask(user=alice, person=charlie)
    assert tie(alice, bob) == tie(alice, charlie) == Tie.ASKED
    assert names(alice) == ([], [], ["bob", "charlie"])
    assert (names(bob), told()) == (([], [], []), [("charlie", "asked", "alice")])
    for person in (bob, charlie):
        services.withdraw(user=alice, person=person)
    assert names(alice) == ([], [], [])
    services.ask(user=alice, person=bob)
    assert (tie(alice, bob), tie(bob, alice)) == (Tie.ASKED, Tie.NONE)


def test_whoever_blocks_a_person_does_not_ask_them(alice, bob):
    blocks.block(user=alice, person=bob)
    with pytest.raises(refusals.YouBlockThem):
        services.ask(user=alice, person=bob)
    services.ask(user=bob, person=alice)
    with pytest.raises(refusals.YouBlockThem):
        services.ask(user=alice, person=bob)
    blocks.unblock(user=alice, person_id=bob.pk)
    services.ask(user=alice, person=bob)
    assert ties(alice, bob) == (Tie.FRIENDS, Tie.FRIENDS)


@pytest.mark.parametrize("is_asker", [True, False])
def test_blocking_ends_a_friendship(alice, bob, is_asker):
    befriend(*((alice, bob) if is_asker else (bob, alice)))
    blocks.block(user=alice, person=bob)
    assert ties(alice, bob) == (Tie.NONE, Tie.NONE)
    assert told() == []
    services.ask(user=bob, person=alice)
    assert ties(alice, bob) == (Tie.NONE, Tie.ASKED)


def test_blocking_withdraws_ones_own_request(alice, bob):
    services.ask(user=alice, person=bob)
    blocks.block(user=alice, person=bob)
    assert not Friendship.objects.exists()
    assert told() == []


def test_blocking_leaves_the_others_request_as_if_it_waited(alice, bob):
    services.ask(user=bob, person=alice)
    blocks.block(user=alice, person=bob)
    assert ties(alice, bob) == (Tie.NONE, Tie.ASKED)
    assert told() == []


# Limits


def test_a_person_has_so_many_friends_and_requests_and_no_more(alice, bob, charlie, monkeypatch):
    monkeypatch.setattr(services, "MOST", 1)
    services.ask(user=alice, person=bob)
    with pytest.raises(refusals.TooManyFriends):
        services.ask(user=alice, person=charlie)
    services.ask(user=charlie, person=alice)
    with pytest.raises(refusals.TooManyFriends):
        services.accept(user=alice, person=charlie)
    services.decline(user=bob, person=alice)  # seems to wait, so it counts as well
    with pytest.raises(refusals.TooManyFriends):
        services.accept(user=alice, person=charlie)
    services.withdraw(user=alice, person=bob)
    services.accept(user=alice, person=charlie)
    assert names(alice) == (["charlie"], [], [])


def test_a_person_asks_so_many_people_a_day(alice, bob, charlie, monkeypatch):
    monkeypatch.setattr(services, "PER_DAY", 2)
    services.ask(user=alice, person=bob)
    services.withdraw(user=alice, person=bob)
    services.ask(user=alice, person=bob)
    with pytest.raises(refusals.TooManyRequests):
        services.ask(user=alice, person=charlie)
    services.ask(user=bob, person=charlie)
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False):
        services.ask(user=alice, person=charlie)


# Accounts that change


@pytest.mark.parametrize("has_games", [True, False])
def test_the_names_of_deleted_accounts_are_in_no_list(alice, bob, charlie, duel, has_games):
    person = bob if has_games else charlie
    befriend(alice, person)
    services.ask(user=person, person=User.objects.create_user("dora"))
    delete_person(user=person)
    assert not Friendship.objects.exists()
    assert names(alice) == ([], [], [])
    assert told() == []


def test_closed_accounts_are_left_out_and_renamed_people_have_their_new_name(alice, bob, charlie):
    befriend(alice, bob)
    services.ask(user=charlie, person=alice)
    deactivate(bob)
    assert names(alice) == ([], ["charlie"], [])
    rename(charlie)
    charlie.refresh_from_db()
    assert names(alice)[1] == [charlie.username]
    assert told()[-1] == ("alice", "asked", charlie.username)


def test_friends_come_first_when_a_name_is_begun(alice, bob, duel, django_assert_num_queries):
    for name in ("bea", "ben"):
        User.objects.create_user(name)
    assert found(alice, "be") == ["bea", "ben"]
    befriend(User.objects.get(username="ben"), alice)
    with django_assert_num_queries(1):
        assert found(alice, "be") == ["ben", "bea"]
    assert found(bob, "be") == ["bea", "ben"]
