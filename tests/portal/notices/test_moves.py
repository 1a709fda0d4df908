"""Moves by webhook: the table as its player sees it, once for each version, the newest only, until the receiver has it."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.notices.models import Hook, PostedMove
from portal.tables import feed, posted, tasks
from tests.portal.api.asking import Person
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 11, 27, 12, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def moves(hook, alice):
    """Alice's webhook, which takes moves."""
    Hook.objects.update(takes_moves=True)
    return hook


def wait_for(table, seat):
    """Play on until another version waits for a seat; return the table."""
    return play_on(table.pk, until=lambda now: now.table.due == [seat] and now.table.version > table.version).table


@pytest.fixture
def turn(duel):
    return wait_for(duel, 0)


def test_nothing_is_posted_unless_that_was_chosen(turn, hook):
    assert posted.post_due() == 0
    assert hook.posts == []


def test_a_turn_is_posted_once_signed_as_the_stream_tells_it(turn, moves, alice, bob, clock):
    assert [tasks.post_moves() for _ in range(3)] == [1, 0, 0]
    ((body, headers),) = moves.posts
    assert headers["ziggurat-signature"] == "sha256=" + hmac.new(moves.secret.encode(), body, hashlib.sha256).hexdigest()
    said = json.loads(body)
    assert said.pop("id") == f"move-{turn.pk}-{turn.version}"
    line = json.loads(Person(alice).get("stream/").content.splitlines()[0])
    assert said | {"at": ""} == line | {"at": ""}
    assert (said["type"], said["my_seat"], said["version"]) == ("your_move", 0, turn.version)
    assert said["legal"]


def test_what_the_other_player_holds_is_not_in_it(turn, moves, alice, bob, clock):
    assert posted.post_due() == 1
    (said,) = moves.said
    seen = [Person(person).get(f"tables/{turn.pk}/").json()["view"] for person in (alice, bob)]
    assert said["view"] == seen[0] != seen[1]


def test_the_newest_version_comes_with_what_happened_since_the_last(turn, moves, clock):
    assert posted.post_due() == 1
    later = wait_for(wait_for(turn, 0), 0)
    assert posted.post_due() == 1
    first, second = moves.said
    assert (first["version"], second["version"], first["events"]) == (turn.version, later.version, [])
    assert {event["version"] for event in second["events"]} <= set(range(turn.version + 1, later.version + 1))
    assert second["events"]


def test_a_turn_that_is_over_is_not_posted(turn, moves, clock):
    wait_for(turn, 1)
    assert posted.post_due() == 0
    end(turn.pk)
    assert posted.post_due() == 0
    assert moves.posts == []


def test_what_was_not_taken_comes_again_with_the_same_id_and_a_new_version_at_once(turn, moves, clock):
    moves.status = 500
    assert posted.post_due() == 0
    assert posted.post_due() == 0
    assert len(moves.posts) == 1
    clock.shift(timedelta(seconds=11))
    assert posted.post_due() == 0
    assert len(moves.posts) == 2
    assert moves.said[0]["id"] == moves.said[1]["id"]
    later = wait_for(turn, 0)
    moves.status = 204
    assert posted.post_due() == 1
    assert moves.said[-1]["id"] == f"move-{turn.pk}-{later.version}"
    assert Hook.objects.get().failures == 0


def test_a_receiver_that_fails_ten_times_is_left_alone(turn, moves, clock):
    moves.status = 500
    for _ in range(12):
        posted.post_due()
        clock.shift(timedelta(hours=3))
    assert len(moves.posts) == 10
    assert Hook.objects.get().off_at is not None


def test_what_another_worker_has_in_hand_is_left_to_it_for_a_minute(turn, moves, alice, clock):
    PostedMove.objects.create(
        user=alice, table_id=turn.pk, version=turn.version, attempts=1, due_at=datetime(2026, 11, 27, 12, 1, tzinfo=UTC)
    )
    assert posted.post_due() == 0
    clock.shift(timedelta(seconds=61))
    assert posted.post_due() == 1


def test_a_line_that_cannot_be_made_is_told_as_a_fault(turn, moves, monkeypatch, clock):
    monkeypatch.setattr(feed, "page_of", lambda _loaded, _user: {}["no such piece"])
    assert posted.post_due() == 1
    (said,) = moves.said
    assert (said["type"], said["table"], said["version"]) == ("fault", turn.pk, turn.version)


def test_nobody_s_webhook_costs_one_statement(turn, hook, django_assert_num_queries):
    with django_assert_num_queries(1):
        posted.post_due()


def test_a_closed_account_gets_nothing(turn, moves, alice, clock):
    alice.is_active = False
    alice.save()
    assert posted.post_due() == 0
    assert moves.posts == []


def test_the_settings_turn_it_on_and_off(hook, alice, browser):
    client = browser(alice)
    for do, takes in (("moves", True), ("no_moves", False)):
        client.post(reverse("notices-hook"), {"do": do})
        assert Hook.objects.get().takes_moves is takes
        page = client.get(reverse("notices-settings")).content.decode()
        assert ("Stop posting my turns" in page) is takes
