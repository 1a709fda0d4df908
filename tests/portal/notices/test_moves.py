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
from portal.notices.posting import Failed
from portal.tables import feed, posted, services, soon, tasks
from portal.tables.models import Table
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


class Run:
    """A run of the task in which each receiver takes some seconds by a clock of its own, and 9 fails."""

    def __init__(self, monkeypatch, waiting, seconds):
        self.now, self.seconds, self.posts, self.again = 100.0, seconds, [], []
        monkeypatch.setattr(posted.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(posted, "_waiting", lambda: waiting)
        monkeypatch.setattr(posted, "_claim", lambda *_values: True)
        monkeypatch.setattr(posted, "_post", self.post)
        monkeypatch.setattr(posted, "_try_again", lambda *values: self.again.append(values))

    def post(self, person, table, _version):
        self.posts.append((person, table))
        self.now += self.seconds[person]
        if person == 9:
            raise Failed("500")
        return True


def test_one_slow_receiver_holds_nobody_up(monkeypatch):
    waiting = [(1, table, 1) for table in range(10, 15)] + [(2, 20, 1), (3, 30, 1), (3, 31, 1)]
    run = Run(monkeypatch, waiting, {1: 2.0, 2: 0.1, 3: 0.1})
    assert posted.post_due() == 4
    assert run.posts == [(1, 10), (2, 20), (3, 30), (3, 31)]


def test_everybody_has_a_first_message_before_anybody_has_a_second(monkeypatch):
    waiting = [(1, table, 1) for table in range(10, 15)] + [(2, 20, 1), (2, 21, 1)]
    run = Run(monkeypatch, waiting, {1: 0.375, 2: 0.25})
    assert posted.post_due() == 5
    assert run.posts == [(1, 10), (2, 20), (1, 11), (2, 21), (1, 12)], "the third one takes it over a second"


def test_a_receiver_that_fails_waits_for_the_next_run(monkeypatch):
    run = Run(monkeypatch, [(9, 90, 4), (9, 91, 1), (2, 20, 1)], {9: 0.0, 2: 0.0})
    assert posted.post_due() == 1
    assert run.posts == [(9, 90), (2, 20)]
    assert run.again == [(9, 90, 4)]


def test_a_run_ends_after_its_seconds(monkeypatch):
    run = Run(monkeypatch, [(person, 10, 1) for person in range(1, 6)], dict.fromkeys(range(1, 6), 2.0))
    assert posted.post_due() == 3
    assert [person for person, _table in run.posts] == [1, 2, 3]


def test_what_has_waited_longest_comes_first(turn, moves, alice, bob, clock):
    opened = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
    services.join_table(table_id=opened, user=bob)
    other = wait_for(Table.objects.get(pk=opened), 0)
    now = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)

    def order():
        return [table for _person, table, _version in posted._waiting()]

    Table.objects.filter(pk=turn.pk).update(due_since=now - timedelta(minutes=2))
    Table.objects.filter(pk=other.pk).update(due_since=now - timedelta(minutes=3))
    assert order() == [other.pk, turn.pk]
    tried = PostedMove.objects.create(user=alice, table_id=other.pk, version=other.version, attempts=1, due_at=now - timedelta(minutes=1))
    assert order() == [turn.pk, other.pk], "it has waited since it was due again"
    PostedMove.objects.filter(pk=tried.pk).update(version=other.version - 1)
    assert order() == [other.pk, turn.pk], "that was of an earlier version"


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


@pytest.fixture
def enqueued(moves, monkeypatch):
    """The tasks for webhooks that are enqueued from now on."""
    soon.takers.forget()
    tasks_sent: list[str] = []
    monkeypatch.setattr(soon, "enqueue", lambda task, **_more: tasks_sent.append(task))
    return tasks_sent


def test_a_run_is_enqueued_with_the_commit_that_makes_somebody_due(turn, enqueued, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        turn = wait_for(wait_for(turn, 0), 0)
        assert enqueued == []
    assert enqueued == ["portal.tables.tasks.post_moves"], "one for all moves that wait for the run"
    with django_capture_on_commit_callbacks(execute=True):
        turn = wait_for(turn, 0)
    assert len(enqueued) == 1, "that run hasn't begun"
    assert tasks.post_moves() == 1
    with django_capture_on_commit_callbacks(execute=True):
        wait_for(turn, 0)
    assert len(enqueued) == 2


@pytest.mark.parametrize("change", [{"takes_moves": False}, {"failures": 1}, {"off_at": datetime(2026, 11, 27, tzinfo=UTC)}])
def test_nobody_else_s_moves_enqueue_a_run(turn, enqueued, change, django_capture_on_commit_callbacks):
    Hook.objects.update(**change)
    soon.takers.forget()
    with django_capture_on_commit_callbacks(execute=True):
        wait_for(turn, 0)
    assert enqueued == []


def test_moves_that_make_others_due_enqueue_none(turn, enqueued, alice, bob):
    soon.post_soon([bob.pk, None])
    assert enqueued == []
    soon.post_soon([bob.pk, alice.pk])
    assert len(enqueued) == 1


def test_whose_webhooks_take_moves_is_read_once_in_a_while(turn, enqueued, django_assert_num_queries, alice):
    with django_assert_num_queries(1):
        for _ in range(3):
            soon.post_soon([alice.pk])
