"""Two requests at the same moment, in two threads with two connections: they run one after the other, and nothing is lost."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest
from django.db import connection, connections, transaction

from games.core.contract import SCORER
from portal.accounts.models import User
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import refusals, services, tasks
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Seat, Table
from tests.portal.tables.driver import play_on

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls):
    """Run the calls in threads of their own; return what each returned or raised, in order."""
    gate = threading.Barrier(len(calls))
    results = [None] * len(calls)

    def run(at, call):
        try:
            gate.wait(10)
            results[at] = call()
        except Exception as error:
            results[at] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    return results


def waiters():
    """How many sessions of this database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        return cursor.fetchone()[0]


def behind(first, second):
    """Run `second` in a thread while `first` holds the table, so that it must wait for the commit; return what it returned or raised."""
    result = []

    def run():
        try:
            result.append(second())
        except Exception as error:
            result.append(error)
        finally:
            connections.close_all()

    with transaction.atomic():
        first()
        thread = threading.Thread(target=run)
        thread.start()
        end = time.monotonic() + 10
        while not waiters() and time.monotonic() < end:
            time.sleep(0.01)
        assert waiters(), "the second request does not wait for the first"
    thread.join(30)
    return result[0]


def seated(table_id):
    return [user and user.username for user in (seat.user for seat in load(table_id).seats)]


def test_of_two_submissions_of_one_version_exactly_one_counts(duel):
    user = load(duel.pk).seats[duel.due[0]].user

    def submit():
        return services.submit_action(table_id=duel.pk, user=user, action="draw", expected_version=duel.version)

    results = at_once(submit, submit, submit)
    kinds = Counter(type(result).__name__ for result in results)
    assert kinds == {"Loaded": 1, "StaleTable": 2}, results
    assert list(ActionRecord.objects.filter(table_id=duel.pk, by="player").values_list("version", flat=True)) == [duel.version + 1]
    assert Table.objects.get(pk=duel.pk).version == duel.version + 1


def test_two_people_who_sit_down_at_once_get_two_seats(alice, bob, charlie):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    late = behind(lambda: services.join_table(table_id=table_id, user=bob), lambda: services.join_table(table_id=table_id, user=charlie))
    assert not isinstance(late, Exception), late
    assert seated(table_id) == ["alice", "bob", "charlie", None]


def test_the_last_seat_goes_to_one_of_two_people(alice, bob, charlie):
    table_id = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
    results = at_once(
        lambda: services.join_table(table_id=table_id, user=bob), lambda: services.join_table(table_id=table_id, user=charlie)
    )
    assert Counter(type(result).__name__ for result in results) == {"Loaded": 1, "AlreadyStarted": 1}, results
    winner = "bob" if isinstance(results[1], refusals.WrongStatus) else "charlie"
    assert seated(table_id) == ["alice", winner]
    assert ActionRecord.objects.filter(table_id=table_id, text__startswith="deal").count() == 1


def test_one_person_who_clicks_twice_sits_once(alice, bob):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    results = at_once(*[lambda: services.join_table(table_id=table_id, user=bob)] * 3)
    assert not any(isinstance(result, Exception) for result in results), results
    assert seated(table_id) == ["alice", "bob", None, None]


def test_who_leaves_while_another_acts_leaves_no_table_that_waits_for_nobody(alice, bob, fixed_secret):
    """Bob leaves at the moment when Alice's call makes it his turn: the table must wait for a bot, not for Bob."""
    table_id = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
    services.join_table(table_id=table_id, user=bob)
    loaded = play_on(table_id, until=lambda loaded: loaded.table.due == [0] and not loaded.table.line)
    late = behind(
        lambda: services.leave_table(table_id=table_id, user=bob),
        lambda: services.submit_action(table_id=table_id, actor=0, action="call", expected_version=loaded.table.version + 1),
    )
    assert not isinstance(late, Exception), late
    after = load(table_id)
    assert after.table.due == [1]
    assert after.seats[1].bot_level
    assert after.table.waits_for == Table.Waits.BOT


def test_an_answer_in_advance_given_in_the_last_moment_counts(alice, bob, fixed_secret):
    """Bob answers in advance while Alice's bid, which makes it his turn, waits for the table."""
    table_id = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"]).table.pk
    services.join_table(table_id=table_id, user=bob)

    def bob_can_answer(loaded):
        due = loaded.table.due
        if loaded.table.status != "playing" or due != [0]:
            return False
        view = loaded.game.view_for(loaded.state, 0)
        orders = [option.text for option in loaded.game.orders(loaded.game.view_for(loaded.state, 1))]
        return view.phase == "auction" and view.bids[1] is None and bool(orders)

    loaded = play_on(table_id, until=bob_can_answer)
    order = loaded.game.orders(loaded.game.view_for(loaded.state, 1))[0].text
    action = str(loaded.game.legal_actions(loaded.state, 0)[0])
    late = behind(
        lambda: services.set_order(table_id=table_id, user=bob, order=order),
        lambda: services.submit_action(table_id=table_id, actor=0, action=action, expected_version=loaded.table.version),
    )
    assert not isinstance(late, Exception), late
    used = ActionRecord.objects.filter(table_id=table_id, version=loaded.table.version + 1, actor=1).values_list("by", flat=True)
    assert list(used) == ["order"]
    assert Seat.objects.get(table_id=table_id, index=1).order == ""


def test_a_bot_task_that_runs_twice_and_the_reconciler_play_one_move(alice, fixed_secret):
    table_id = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    loaded = play_on(table_id, until=lambda loaded: loaded.table.due == [1])
    version = loaded.table.version
    Table.objects.filter(pk=table_id).update(due_since="2020-01-01T00:00Z")
    results = at_once(*[lambda: tasks.play_bot(table_id, version, 1)] * 2, tasks.reconcile)
    assert not any(isinstance(result, Exception) for result in results), results
    moves = ActionRecord.objects.filter(table_id=table_id, version=version + 1, by__in=["bot", "substitute"])
    assert moves.count() == 1
    assert load(table_id).table.version >= version + 1


def test_points_are_counted_once_by_two_scorers(duel):
    loaded = play_on(duel.pk, until=lambda loaded: loaded.table.due == [SCORER])
    results = at_once(*[lambda: tasks.score(duel.pk, loaded.table.version)] * 3)
    assert results == [None] * 3
    assert ActionRecord.objects.filter(table_id=duel.pk, by="scorer").count() == 1


def test_two_workers_rate_a_finished_game_once(alice, bob, charlie, fixed_secret):
    tables = []
    for other in (bob, charlie):
        table_id = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
        services.join_table(table_id=table_id, user=other)
        play_on(table_id)
        tables.append(table_id)
    results = at_once(*[apply_pending] * 3)
    assert sorted(results) == [0, 0, 2]
    changes = Counter(RatingChange.objects.values_list("table_id", "rating__user__username"))
    assert changes == {(tables[0], "alice"): 1, (tables[0], "bob"): 1, (tables[1], "alice"): 1, (tables[1], "charlie"): 1}


def test_games_that_end_at_once_get_numbers_without_a_gap(alice, bob, charlie, fixed_secret):
    ends = []
    for owner, other in ((alice, bob), (bob, charlie), (charlie, alice)):
        table_id = services.create_table(owner=owner, game_key="ra", seats=2).table.pk
        services.join_table(table_id=table_id, user=other)
        last = play_on(table_id, until=lambda loaded: loaded.table.due == [SCORER] and loaded.game.view_for(loaded.state, None).epoch == 3)
        ends.append((table_id, last.table.version))
    results = at_once(*[lambda end=end: tasks.score(*end) for end in ends])
    assert results == [None] * 3
    assert sorted(Table.objects.values_list("finish_number", flat=True)) == [1, 2, 3]
    assert User.objects.count() == 3
