"""The rules by which bots take challenges."""

import pytest

from portal.accounts.blocks import block
from portal.bots import refusals
from portal.bots.services import change_bot, make_bot, why_not
from portal.friends.models import Friendship
from portal.tables import services


def refusal_for(bot, by, **asked):
    return type(why_not(bot, by=by, **{"game": "ra", "pace": "relaxed", "seats": 2, **asked}))


OPEN = type(None)


def befriend(one, other):
    Friendship.objects.create(asker=one, asked=other, state="friends", made_at="2026-01-01T00:00Z")


def test_a_new_bot_takes_everything(bob, gilga):
    assert refusal_for(gilga, bob, rated=True) is OPEN


@pytest.mark.parametrize(
    ("rules", "asked", "expected"),
    [
        ({"games": ["babel"]}, {}, refusals.BotDoesNotPlay),
        ({}, {"game": "chess"}, refusals.BotDoesNotPlay),
        ({}, {"seats": 6}, refusals.BotSeatCount),
        ({"paces": ["live"]}, {}, refusals.BotNotAtPace),
        ({"rated": False}, {"rated": True}, refusals.BotUnrated),
        ({"paused": True}, {}, refusals.BotNotTaking),
        ({"from_whom": "nobody"}, {}, refusals.BotNotTaking),
        ({"from_whom": "friends"}, {}, refusals.BotOnlyForFriends),
    ],
)
def test_each_rule_has_its_refusal(bob, gilga, rules, asked, expected):
    change_bot(gilga, **rules)
    found = why_not(gilga, by=bob, **{"game": "ra", "pace": "relaxed", "seats": 2, **asked})
    assert type(found) is expected
    assert str(found)


@pytest.mark.parametrize("rules", [{"paused": True}, {"from_whom": "nobody"}, {"from_whom": "friends"}])
def test_the_owner_and_the_owners_bots_can_always_challenge(alice, gilga, rules):
    change_bot(gilga, **rules)
    assert refusal_for(gilga, alice) is OPEN
    assert refusal_for(gilga, make_bot(owner=alice, username="enkidu").user) is OPEN


def test_friends_and_their_bots_can_challenge_a_bot_for_friends(alice, bob, gilga):
    change_bot(gilga, from_whom="friends")
    befriend(bob, alice)
    assert refusal_for(gilga, bob) is OPEN
    assert refusal_for(gilga, make_bot(owner=bob, username="enkidu").user) is OPEN


def test_a_blocked_person_is_told_what_a_paused_bot_tells(alice, bob, charlie, gilga):
    block(user=alice, person=bob)
    found = why_not(gilga, by=bob, game="ra", pace="relaxed", seats=2)
    assert refusal_for(gilga, make_bot(owner=bob, username="enkidu").user) is refusals.BotNotTaking
    change_bot(gilga, paused=True)
    assert str(found) == str(why_not(gilga, by=charlie, game="ra", pace="relaxed", seats=2))


def test_open_and_running_tables_count_together(bob, charlie, gilga):
    change_bot(gilga, at_once=2)
    running = services.open_table(game_key="ra", sitters=[bob, gilga.user], owner=bob)
    assert refusal_for(gilga, bob) is OPEN
    services.open_table(game_key="ra", sitters=[gilga.user, None], owner=gilga.user)
    assert refusal_for(gilga, bob) is refusals.BotIsFull
    services.leave_table(table_id=running.table.pk, user=gilga.user)
    assert refusal_for(gilga, bob) is OPEN


def test_the_rules_cost_the_same_with_many_games(bob, gilga, django_assert_max_num_queries):
    change_bot(gilga, from_whom="friends", at_once=20)
    befriend(bob, gilga.owner)
    for _ in range(5):
        services.open_table(game_key="ra", sitters=[bob, gilga.user], owner=bob)
    with django_assert_max_num_queries(3):
        assert refusal_for(gilga, bob) is OPEN
