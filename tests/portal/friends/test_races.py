"""Two people who ask, answer, part or block at the same moment: one after the other, with one row and one outcome."""

from __future__ import annotations

import pytest

from portal.accounts import blocks
from portal.friends import refusals, services
from portal.friends.models import Friendship
from portal.friends.selectors import Tie, tie
from portal.notices.models import Kind, Notice
from tests.portal.faults.test_races import at_once, behind

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_who_ask_at_once_are_friends(alice, bob):
    results = at_once(lambda: services.ask(user=alice, person=bob), lambda: services.ask(user=bob, person=alice))
    assert {type(result) for result in results} == {Friendship}
    assert Friendship.objects.get().state == Friendship.State.FRIENDS
    assert sorted(Notice.objects.filter(kind=Kind.FRIEND, withdrawn_at=None).values_list("key", flat=True)) == ["accepted"]


def test_a_request_that_is_withdrawn_and_accepted_at_once_ends_in_one_way(alice, bob):
    services.ask(user=alice, person=bob)
    withdrawn, accepted = at_once(lambda: services.withdraw(user=alice, person=bob), lambda: services.accept(user=bob, person=alice))
    assert [withdrawn, accepted].count(None) + isinstance(accepted, Friendship) == 1
    assert {type(withdrawn), type(accepted)} & {refusals.NoSuchRequest}
    assert tie(alice, bob) == tie(bob, alice) == (Tie.FRIENDS if isinstance(accepted, Friendship) else Tie.NONE)


def test_a_request_behind_a_block_is_not_heard(alice, bob):
    behind(lambda: blocks.block(user=bob, person=alice), lambda: services.ask(user=alice, person=bob))
    assert (tie(alice, bob), tie(bob, alice)) == (Tie.ASKED, Tie.NONE)
    assert not Notice.objects.filter(kind=Kind.FRIEND).exists()


def test_a_block_behind_an_answer_ends_the_friendship(alice, bob):
    services.ask(user=alice, person=bob)
    behind(lambda: services.accept(user=bob, person=alice), lambda: blocks.block(user=alice, person=bob))
    assert not Friendship.objects.exists()
    assert not Notice.objects.filter(kind=Kind.FRIEND, withdrawn_at=None).exists()
