"""Bots, scoring and the reconciler: every task may run twice, late or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded, TimeLimitExceeded
from django.db import OperationalError
from django.utils import timezone

from games.core.contract import SCORER
from games.registry import game
from portal.common.later import FIRST, LATER
from portal.metrics.definitions import BOT_FAULTS
from portal.tables import services, tasks, wake
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table

from .driver import play_on, snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """What would go to the broker: (task name, arguments)."""
    out = []
    monkeypatch.setattr(wake, "enqueue", lambda task, *args, **_options: out.append((task.rsplit(".", 1)[1], *args)))
    return out


def until_bot(table):
    return play_on(table.pk, until=lambda loaded: loaded.table.waits_for == "bot")


def until_scorer(table):
    return play_on(table.pk, until=lambda loaded: loaded.table.waits_for == "scorer")


def test_a_bot_plays_one_action_and_a_second_run_does_nothing(table):
    loaded = until_bot(table)
    seat, version = loaded.table.due[0], loaded.table.version
    before = snapshot(table.pk)
    tasks.play_bot(table.pk, version - 1, seat)  # late: of an earlier move of the same bot
    assert snapshot(table.pk) == before
    tasks.play_bot(table.pk, version, seat)
    after = snapshot(table.pk)
    assert ActionRecord.objects.filter(table_id=table.pk, version=version + 1, actor=seat, by="bot").count() == 1
    tasks.play_bot(table.pk, version, seat)
    tasks.play_bot(table.pk, version + 5, seat)
    tasks.play_bot(999_999, 1, seat)
    assert snapshot(table.pk) == after


def test_a_repeated_task_would_play_the_same_action(table):
    loaded = until_bot(table)
    seat = loaded.table.due[0]
    chosen = {tasks._chosen(load(table.pk), seat, "apprentice") for _ in range(5)}
    assert len(chosen) == 1


def test_a_bot_does_not_play_for_a_person(table, alice):
    loaded = play_on(table.pk, until=lambda loaded: loaded.table.waits_for == "person")
    before = snapshot(table.pk)
    tasks.play_bot(table.pk, loaded.table.version, loaded.table.due[0])
    assert snapshot(table.pk) == before


@pytest.mark.parametrize(("fault", "reason"), [(RuntimeError("broken"), "failed"), (SoftTimeLimitExceeded(), "over_time")])
def test_a_bot_that_fails_is_replaced_by_the_apprentice_for_that_move(table, monkeypatch, fault, reason):
    loaded = until_bot(table)
    seat = loaded.table.due[0]
    rules = game("ra")
    real = rules.choose_action

    def choose(view, level, rng, budget_s=None):
        if level == "scribe":
            raise fault
        return real(view, level, rng, budget_s)

    monkeypatch.setitem(vars(rules), "choose_action", choose)
    load(table.pk).table.seats.filter(index=seat).update(bot_level="scribe")
    faults = BOT_FAULTS.labels("ra", "scribe", reason)._value
    before = faults.get()
    tasks.play_bot(table.pk, loaded.table.version, seat)
    record = ActionRecord.objects.get(table_id=table.pk, version=loaded.table.version + 1, actor=seat)
    assert record.by == "substitute"
    assert faults.get() == before + 1


def test_only_masters_are_given_a_budget_and_limits_leave_the_substitute_its_time(table, monkeypatch):
    loaded = until_bot(table)
    rules, seat = game("ra"), loaded.table.due[0]
    budgets, real = {}, rules.choose_action

    def choose(view, level, rng, budget_s=None):
        budgets[level] = budget_s
        return real(view, "apprentice", rng)

    monkeypatch.setitem(vars(rules), "choose_action", choose)
    for level in ("apprentice", "journeyman", "scribe", "master"):
        tasks._chosen(loaded, seat, level)
    assert budgets == {"apprentice": None, "journeyman": None, "scribe": None, "master": 0.8}
    assert budgets["master"] * 4 < tasks.BOT_SOFT_LIMIT_S < tasks.BOT_HARD_LIMIT_S < 5
    assert (tasks.play_bot.soft_time_limit, tasks.play_bot.time_limit) == (tasks.BOT_SOFT_LIMIT_S, tasks.BOT_HARD_LIMIT_S)


def test_a_bot_whose_process_was_ended_is_replaced_and_a_hanging_substitute_by_one_that_does_not_think(table, monkeypatch):
    asked = []
    monkeypatch.setattr(tasks, "enqueue", lambda task, *args, **options: asked.append((task, *args)))
    for args in ((7, 3, 1), (7, 3, 1, False), (7, 3, 1, True), (7, 3, 1, 2)):
        tasks.play_bot.on_failure(TimeLimitExceeded(4), "id", args, {}, None)
    assert asked == [(wake.PLAY_BOT, 7, 3, 1, substitute) for substitute in (1, 1, 2, 2)]
    tasks.play_bot.on_failure(RuntimeError("broken"), "id", (7, 3, 1), {}, None)
    assert len(asked) == 4
    loaded = until_bot(table)
    seat = loaded.table.due[0]
    monkeypatch.setitem(vars(game("ra")), "choose_action", lambda *args: pytest.fail("it thinks"))
    tasks.play_bot(table.pk, loaded.table.version, seat, tasks.WITHOUT_THOUGHT)
    record = ActionRecord.objects.get(table_id=table.pk, version=loaded.table.version + 1, actor=seat)
    assert (record.by, record.text) == ("substitute", str(loaded.game.legal_actions(loaded.state, seat)[0]))


def test_a_process_that_was_ended_after_its_move_leaves_no_table_waiting(table, monkeypatch):
    """The task that asks for a substitute finds the move made, and tells whoever is due now."""
    loaded = until_bot(table)
    version, seat = loaded.table.version, loaded.table.due[0]
    tasks.play_bot(table.pk, version, seat)
    now = until_bot(table).table
    assert now.version > version
    sent = []
    monkeypatch.setattr(wake, "enqueue", lambda task, *args, **options: sent.append((task, *args)))
    tasks.play_bot(table.pk, version, seat)
    assert not sent, "a task that only comes late says nothing"
    tasks.play_bot(table.pk, version, seat, 1)
    assert sent == [(wake.PLAY_BOT, table.pk, now.version, now.due[0], False)]
    assert load(table.pk).table.version == now.version


def test_even_a_broken_apprentice_leaves_no_table_stuck(table, monkeypatch):
    loaded = until_bot(table)
    rules = game("ra")

    def choose(*args, **kwargs):
        raise RuntimeError("broken")

    monkeypatch.setitem(vars(rules), "choose_action", choose)
    tasks.play_bot(table.pk, loaded.table.version, loaded.table.due[0])
    assert load(table.pk).table.version == loaded.table.version + 1


def test_points_are_applied_once(table):
    loaded = until_scorer(table)
    version = loaded.table.version
    tasks.score(table.pk, version)
    after = snapshot(table.pk)
    assert ActionRecord.objects.filter(table_id=table.pk, actor=SCORER).count() == 1
    tasks.score(table.pk, version)
    assert snapshot(table.pk) == after


def test_each_commit_enqueues_what_is_due(table, sent, django_capture_on_commit_callbacks):
    loaded = play_on(table.pk, until=lambda loaded: loaded.table.waits_for == "person")
    with django_capture_on_commit_callbacks(execute=True):
        user = loaded.seats[loaded.table.due[0]].user
        services.submit_action(table_id=table.pk, user=user, action="call", expected_version=loaded.table.version)
    now = load(table.pk).table
    expected = [("play_bot", table.pk, now.version, now.due[0], False)] if now.waits_for == "bot" else []
    assert sent == expected
    loaded = until_bot(table)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.play_bot(table.pk, loaded.table.version, loaded.table.due[0])
    now = load(table.pk).table
    if now.waits_for == "bot":
        assert sent[-1] == ("play_bot", table.pk, now.version, now.due[0], False)


def test_the_reconciler_wakes_what_is_due_and_silent(table, sent):
    loaded = until_bot(table)
    tasks.reconcile()
    assert sent == []  # not silent long enough
    old = timezone.now() - timedelta(seconds=60)
    for substitute in [False] * tasks.NUDGES_BEFORE_SUBSTITUTE + [True]:
        Table.objects.filter(pk=table.pk).update(due_since=old)
        assert tasks.reconcile() == 1
        assert sent.pop() == ("play_bot", table.pk, loaded.table.version, loaded.table.due[0], substitute)
    tasks.play_bot(table.pk, loaded.table.version, loaded.table.due[0], True)
    assert load(table.pk).table.nudges == 0
    assert ActionRecord.objects.filter(table_id=table.pk, by="substitute").count() == 1


def test_a_long_queue_replaces_no_bot_before_five_minutes(table, sent, monkeypatch):
    monkeypatch.setattr(tasks, "OVERDUE_AT_ONCE", 0)
    until_bot(table)
    for is_replaced in [False] * tasks.NUDGES_IN_A_LONG_QUEUE + [True]:
        Table.objects.filter(pk=table.pk).update(due_since=timezone.now() - timedelta(seconds=60))
        assert tasks.reconcile() == 1
        assert sent.pop()[-1] is is_replaced


def test_the_reconciler_wakes_the_scorer_but_no_person(table, sent):
    loaded = until_scorer(table)
    old = timezone.now() - timedelta(seconds=60)
    Table.objects.filter(pk=table.pk).update(due_since=old)
    assert tasks.reconcile() == 1
    assert sent == [("score", table.pk, loaded.table.version)]
    play_on(table.pk, until=lambda loaded: loaded.table.waits_for == "person")
    Table.objects.filter(pk=table.pk).update(due_since=old)
    assert tasks.reconcile() == 0


def test_without_a_broker_a_move_is_accepted_and_the_reconciler_goes_on(table, monkeypatch, django_capture_on_commit_callbacks):
    def refuse(*args, **kwargs):
        raise ConnectionError("no broker")

    monkeypatch.setattr(current_app, "send_task", refuse)
    loaded = until_bot(table)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        tasks.play_bot(table.pk, loaded.table.version, loaded.table.due[0])
    assert callbacks
    assert load(table.pk).table.version == loaded.table.version + 1


def test_a_finished_game_is_rated_by_the_reconciler_when_the_task_was_lost(table):
    from portal.ratings.models import Rating

    play_on(table.pk)
    assert not Rating.objects.exists()
    tasks.reconcile()
    assert Rating.objects.filter(ladder__key="bots/ra").count() == 3


def test_games_to_cite_are_asked_for_once_in_a_while_and_never_pile_up(table, monkeypatch):
    asked = []
    monkeypatch.setattr(tasks, "enqueue", lambda task, **options: asked.append((task, options)))
    play_on(table.pk)
    tasks.reconcile()
    tasks.reconcile()
    assert asked == [(wake.CITE, {"priority": LATER, "expires_s": tasks.SILENT_AFTER_S})] * 2


def test_one_person_has_only_so_many_prompt_moves_a_second_and_takes_none_from_others(alice, bob, monkeypatch):
    sent = []
    monkeypatch.setattr(wake, "enqueue", lambda _task, table_id, *_rest, priority: sent.append((table_id, priority)))
    with time_machine.travel("2026-11-20T12:00Z", tick=False) as clock:
        for table_id in range(wake.PROMPT_MOVES + 3):
            wake.enqueue_due(table_id, 1, [1], Table.Waits.BOT, alice.pk)
        wake.enqueue_due(90, 1, [1, 2], Table.Waits.BOT, bob.pk)
        wake.enqueue_due(91, 1, [1], Table.Waits.BOT, None)
        clock.shift(1)
        wake.enqueue_due(92, 1, [1], Table.Waits.BOT, alice.pk)
    assert [priority for _, priority in sent] == [FIRST] * wake.PROMPT_MOVES + [LATER] * 3 + [FIRST] * 2 + [LATER] + [FIRST]


def test_the_reconciler_knows_who_waits(alice, bob, monkeypatch):
    woken = {}
    monkeypatch.setattr(tasks, "enqueue_due", lambda table_id, _version, _due, _waits, person, **_options: woken.update({table_id: person}))
    mine, alone = (services.create_table(owner=alice, game_key="ra", seats=3, bots=("apprentice",) * 2).table for _ in range(2))
    services.leave_table(table_id=alone.pk, user=alice)
    Table.objects.update(due_since="2020-01-01T00:00Z", waits_for=Table.Waits.BOT)
    tasks.reconcile()
    assert woken == {mine.pk: alice.pk, alone.pk: None}


def test_a_table_that_was_woken_in_vain_comes_first_but_only_some_at_a_time(alice, monkeypatch):
    woken = []
    monkeypatch.setattr(wake, "enqueue", lambda _task, table_id, *_rest, priority: woken.append((table_id, priority)))
    monkeypatch.setattr(tasks, "OVERDUE_AT_ONCE", 1)
    longer, shorter = (services.create_table(owner=alice, game_key="ra", seats=2, bots=("apprentice",)).table.pk for _ in range(2))
    for table_id in (longer, shorter):
        services.leave_table(table_id=table_id, user=alice)
    found = []
    for _ in range(2):
        Table.objects.filter(pk=longer).update(due_since="2020-01-01T00:00Z", due=[0], waits_for=Table.Waits.BOT)
        Table.objects.filter(pk=shorter).update(due_since="2020-01-02T00:00Z", due=[0], waits_for=Table.Waits.BOT)
        tasks.reconcile()
        found.append(woken[:])
        woken.clear()
    assert found == [[(longer, LATER), (shorter, LATER)], [(longer, FIRST), (shorter, LATER)]]


def test_a_database_that_is_away_is_no_fault_of_the_bot(monkeypatch, caplog):
    def away(_table_id):
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks, "load", away)
    tasks.play_bot(1, 1, 0)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
