"""Real Celery workers in separate processes, with the real broker and a committed database; some are killed in mid-move."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings
from django.db import connection

from games.core.contract import CHANCE, SCORER
from games.core.records import verify_record
from games.core.rng import SeededRng
from games.registry import game
from portal.ratings.models import RatingChange
from portal.supervisor.guard import descendants
from portal.tables import selectors, services, tasks
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from tests.portal.tables.driver import play_on

ROOT = Path(__file__).resolve().parents[3]
WITHIN_S = 60.0  # on a busy machine
pytestmark = pytest.mark.django_db(transaction=True)


def database_url():
    """Return the URL of this test's database."""
    name = connection.settings_dict["NAME"]
    given = os.environ.get("DATABASE_URL")
    return urlsplit(given)._replace(path=f"/{name}").geturl() if given else settings.STATE.database_url(name)


class Worker:
    """One `celery worker` process and its children."""

    def __init__(self, folder, name, queues, pool="solo", **environment) -> None:
        self.log = folder / f"{name}-{time.monotonic_ns()}.log"
        argv = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "tests.portal.workers.held:app",
            "worker",
            "-Q",
            queues,
            "-n",
            f"{name}@test",
            "-P",
            pool,
        ]
        argv += ["-c", "1", "--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO"]
        changes = {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": database_url(),
            "ZIGGURAT_WORKER": name,
            "HOLD": str(folder),
        }
        self.process = subprocess.Popen(
            argv,
            cwd=ROOT,
            env={**os.environ, **changes, **environment},
            stdout=self.log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def wait_ready(self) -> Worker:
        wait_until(lambda: "ready." in self.log.read_text(errors="replace") or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()
        return self

    def signal(self, number) -> None:
        for pid in (self.process.pid, *descendants(self.process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.process.wait(10)


def wait_until(condition, within_s=WITHIN_S):
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"not within {within_s} s"
        time.sleep(0.03)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("workers")


@pytest.fixture(autouse=True)
def _empty_broker(folder):
    """No task of an earlier test; the bindings of the queues are kept, because senders declare them only once."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.keys("*"):
            if not key.startswith(b"_kombu.binding"):
                client.delete(key)
    for file in folder.glob("*"):
        if file.suffix != ".log":
            file.unlink()


@pytest.fixture
def workers(folder, transactional_db):
    """Start workers with `workers(name, queues, ...)`; all have ended before the rows are deleted."""
    started = []

    def start(name, queues, **options):
        started.append(Worker(folder, name, queues, **options))
        return started[-1]

    yield start
    for worker in started:
        worker.signal(signal.SIGCONT)
        worker.kill()


class Hold:
    """Holds any worker that starts a task of this name (see `held`)."""

    def __init__(self, folder, name) -> None:
        self.file, self.mark = folder / name, folder / f"{name}.pid"
        self.file.touch()

    def wait(self) -> int:
        wait_until(lambda: self.mark.exists() and self.mark.read_text())
        return int(self.mark.read_text())

    def end(self) -> None:
        self.mark.unlink(missing_ok=True)
        self.file.unlink(missing_ok=True)


def bots_alone(owner, levels=("apprentice", "apprentice")):
    """A table that its only person has left: bots play it to the end on their own."""
    table_id = services.create_table(owner=owner, game_key="ra", seats=len(levels) + 1, bots=levels).table.pk
    services.leave_table(table_id=table_id, user=owner)
    return table_id


def finished(table_id):
    return Table.objects.filter(pk=table_id, status="finished").exists()


def rated(table_id):
    return RatingChange.objects.filter(table_id=table_id).exists()


def assert_whole(table_id):
    """One record for each seq, one move for each version, and a record that verifies draw by draw."""
    rows = list(ActionRecord.objects.filter(table_id=table_id).order_by("seq").values_list("seq", "version", "by"))
    assert [seq for seq, _, _ in rows] == list(range(1, len(rows) + 1))
    moves = Counter(version for _, version, by in rows if by in ("player", "bot", "substitute", "scorer"))
    assert set(moves.values()) == {1}, moves
    assert sorted({version for _, version, _ in rows}) == list(range(1, Table.objects.get(pk=table_id).version + 1))
    if finished(table_id):
        verdict = verify_record(selectors.record_of(table_id), game)
        assert verdict.is_good, verdict.problems


def silent_since_long(table_id):
    """Make the reconciler find the table at once instead of after five seconds."""
    Table.objects.filter(pk=table_id).update(due_since="2020-01-01T00:00Z")
    tasks.reconcile()


def test_a_person_and_two_bots_play_a_whole_game_over_the_broker(alice, folder, workers, fixed_secret):
    for worker in [workers("bots", "bots", pool="prefork"), workers("scoring", "scoring")]:
        worker.wait_ready()
    table_id = services.create_table(owner=alice, game_key="ra", seats=3, bots=["scribe", "apprentice"]).table.pk
    rng = SeededRng(4)
    end = time.monotonic() + 2 * WITHIN_S
    while not finished(table_id):
        assert time.monotonic() < end, Table.objects.filter(pk=table_id).values("version", "due", "waits_for")
        loaded = load(table_id)
        if loaded.table.due == [0]:
            action = loaded.game.sample_action(loaded.state, 0, rng)
            services.submit_action(table_id=table_id, user=alice, action=str(action), expected_version=loaded.table.version)
        else:
            time.sleep(0.02)
    assert_whole(table_id)
    by = Counter(ActionRecord.objects.filter(table_id=table_id).values_list("by", flat=True))
    assert by["scorer"] == 3
    assert by["bot"] > 20
    assert by["substitute"] == 0
    wait_until(lambda: rated(table_id))
    tasks.reconcile()
    changes = RatingChange.objects.filter(table_id=table_id)
    assert sorted(change.rating.bot_level or change.rating.user.username for change in changes.select_related("rating__user")) == [
        "alice", "apprentice", "scribe",
    ]  # fmt: skip


def epoch_4_of_six():
    """Return the file of the position where the draft of the fourth epoch starts."""
    rules, rng = game("history_of_the_world"), SeededRng(6)
    state = rules.setup(6, {})
    while state.epoch < 4:
        actor = rules.actors(state)[0]
        action = rules.sample_chance(state, rng) if actor == CHANCE else rules.sample_action(state, actor, rng)
        state, _ = rules.apply(state, actor, action)
    file = {"format": "ziggurat-position/1", "game": "history_of_the_world", "rules_version": rules.meta.rules_version, "options": {}}
    return file | {"seats": 6, "fill": "epoch 4", "state": rules.state_to_json(state)}


def test_six_bots_play_history_of_the_world_to_its_end(alice, folder, workers, fixed_secret):
    """A bot takes over the seat that its person left: six bots, two of them due at once in each draft of the last two epochs."""
    for worker in [workers("bots", "bots", pool="prefork"), workers("scoring", "scoring")]:
        worker.wait_ready()
    levels = ["scribe", "apprentice", "apprentice", "apprentice", "apprentice"]
    table_id = services.create_table(owner=alice, game_key="history_of_the_world", seats=6, bots=levels, position=epoch_4_of_six()).table.pk
    services.leave_table(table_id=table_id, user=alice)
    wait_until(lambda: finished(table_id), 3 * WITHIN_S)
    assert_whole(table_id)
    by = Counter(ActionRecord.objects.filter(table_id=table_id).values_list("by", flat=True))
    assert by["scorer"] == 12, "six turns in each of two epochs"
    assert not by["player"]


@pytest.mark.parametrize(("growth_kb", "is_kept"), [("40000", True), ("-60000", False)])
def test_a_process_of_bots_is_replaced_once_it_has_grown_so_much_and_not_before(alice, folder, workers, fixed_secret, growth_kb, is_kept):
    worker = workers("bots", "bots", pool="prefork", ZIGGURAT_GROWTH_KB=growth_kb).wait_ready()
    wait_until(lambda: descendants(worker.process.pid))
    before = descendants(worker.process.pid)
    table_id = bots_alone(alice)
    wait_until(lambda: ActionRecord.objects.filter(table_id=table_id, by="bot").count() > 10)
    assert (descendants(worker.process.pid) == before) == is_kept


def test_a_bot_worker_killed_in_mid_move_loses_nothing(alice, folder, workers, fixed_secret):
    """Once when the worker restarts and requeues its task, and once through another worker and the reconciler."""
    hold = Hold(folder, "bot")
    first = workers("bots", "bots", pool="prefork")
    table_id = bots_alone(alice)
    hold.wait()
    version = Table.objects.get(pk=table_id).version
    first.kill()
    hold.end()
    assert Table.objects.get(pk=table_id).version == version
    second = workers("bots", "bots", pool="prefork")  # the same name: it requeues what the dead one was processing
    wait_until(lambda: Table.objects.get(pk=table_id).version > version + 5)
    hold = Hold(folder, "bot")
    hold.wait()
    version = Table.objects.get(pk=table_id).version
    second.kill()
    hold.end()
    workers("other", "bots", pool="prefork").wait_ready()  # another name: what the dead one was processing stays unacknowledged
    time.sleep(0.3)
    assert Table.objects.get(pk=table_id).version == version
    silent_since_long(table_id)
    wait_until(lambda: Table.objects.get(pk=table_id).version > version + 5)
    assert_whole_so_far(table_id)


def test_a_frozen_worker_that_comes_back_too_late_changes_nothing(alice, folder, workers, fixed_secret):
    hold = Hold(folder, "bot")
    frozen = workers("frozen", "bots")
    table_id = bots_alone(alice)
    hold.wait()
    version = Table.objects.get(pk=table_id).version
    frozen.signal(signal.SIGSTOP)
    hold.end()
    workers("other", "bots,scoring").wait_ready()
    silent_since_long(table_id)
    wait_until(lambda: Table.objects.get(pk=table_id).version > version + 3)
    frozen.signal(signal.SIGCONT)
    wait_until(lambda: Table.objects.get(pk=table_id).version > version + 12)
    assert_whole_so_far(table_id)


def test_a_scoring_worker_killed_while_it_counts_leaves_no_half_counted_epoch(alice, folder, workers, fixed_secret):
    table_id = bots_alone(alice)
    play_on(table_id, until=lambda loaded: loaded.table.due == [SCORER])  # its task waits in the queue
    hold = Hold(folder, "scorer")
    first = workers("scoring", "scoring")
    assert hold.wait() == first.process.pid
    version = Table.objects.get(pk=table_id).version
    first.kill()
    hold.end()
    table = Table.objects.get(pk=table_id)
    assert (table.version, table.due, table.waits_for) == (version, [SCORER], "scorer")
    workers("scoring", "scoring")
    wait_until(lambda: Table.objects.get(pk=table_id).version > version)
    assert ActionRecord.objects.filter(table_id=table_id, by="scorer").count() == 1
    assert_whole_so_far(table_id)


def test_a_bot_over_its_time_is_replaced_for_that_move(alice, folder, workers, fixed_secret):
    """The soft limit of a real worker ends the thinking; the apprentice moves, and the log says so."""
    hold = Hold(folder, "bot-scribe")
    workers("bots", "bots", pool="prefork", LIMIT_S="1")
    table_id = bots_alone(alice, levels=("scribe", "scribe"))
    loaded = load(table_id)
    wait_until(
        lambda: (
            load(table_id).seats[load(table_id).table.due[0]].bot_level == "scribe"
            or Table.objects.get(pk=table_id).version > loaded.table.version
        )
    )
    wait_until(lambda: ActionRecord.objects.filter(table_id=table_id, by="substitute").exists())
    hold.end()
    move = ActionRecord.objects.filter(table_id=table_id, by="substitute").first()
    lines = [line for line in selectors.full_log(table_id, None) if line.seq == move.seq]
    assert lines
    assert {line.by for line in lines} == {"substitute"}
    count = ActionRecord.objects.filter(table_id=table_id, by="bot").count()
    wait_until(lambda: ActionRecord.objects.filter(table_id=table_id, by="bot").count() > count + 3)
    assert_whole_so_far(table_id)


@pytest.mark.parametrize("hung", [("bot-scribe",), ("bot-scribe", "bot-apprentice")])
def test_a_bot_that_cannot_be_interrupted_is_ended_and_replaced_at_once(alice, folder, workers, fixed_secret, hung):
    """It catches the soft limit. The process ends at the hard one, and a task asks for the apprentice, or for the first legal action."""
    (folder / "deaf").touch()
    holds = [Hold(folder, name) for name in hung]
    workers("bots", "bots", pool="prefork", LIMIT_S="0.5", HARD_S="1")
    table_id = bots_alone(alice, levels=("scribe", "scribe"))
    wait_until(lambda: ActionRecord.objects.filter(table_id=table_id, by="substitute").exists())  # no reconciler runs here
    for hold in holds:
        hold.end()
    count = ActionRecord.objects.filter(table_id=table_id, by="bot").count()
    wait_until(lambda: ActionRecord.objects.filter(table_id=table_id, by="bot").count() > count + 3)
    assert_whole_so_far(table_id)


def assert_whole_so_far(table_id):
    """As `assert_whole`, of a table that is still moving: read in one statement."""
    rows = list(ActionRecord.objects.filter(table_id=table_id).order_by("seq").values_list("seq", "version", "by"))
    assert [seq for seq, _, _ in rows] == list(range(1, len(rows) + 1))
    moves = Counter(version for _, version, by in rows if by in ("player", "bot", "substitute", "scorer"))
    assert set(moves.values()) == {1}


def test_a_broker_that_is_away_delays_no_move_and_bots_go_on_when_it_is_back(alice, folder, workers, fixed_secret, monkeypatch):
    """The broker's address is invalid: the move is accepted at once; the reconciler finds the table later."""
    from portal.live import publish

    table_id = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    loaded = load(table_id)
    away = redis.Redis.from_url("redis://127.0.0.1:1/0", **settings.REDIS_OPTIONS)
    monkeypatch.setattr(publish, "_client", lambda: away)
    if loaded.table.due != [0]:
        tasks.play_bot(table_id, loaded.table.version, 1)
        loaded = load(table_id)
    begin = time.monotonic()
    services.submit_action(table_id=table_id, user=alice, action="call", expected_version=loaded.table.version)
    seconds = time.monotonic() - begin
    assert Table.objects.get(pk=table_id).version == loaded.table.version + 1
    assert seconds < 5, "the request waited for the broker"
    monkeypatch.undo()
    version = Table.objects.get(pk=table_id).version
    workers("bots", "bots,scoring").wait_ready()
    assert Table.objects.get(pk=table_id).waits_for == "bot"
    silent_since_long(table_id)
    wait_until(lambda: Table.objects.get(pk=table_id).version > version)
    assert threading.active_count() < 20


def test_where_a_person_waits_the_bots_play_first(alice, folder, workers, fixed_secret):
    """However many tables with bots only were there before."""
    hold = Hold(folder, "bot")
    workers("bots", "bots")
    bots_alone(alice)
    hold.wait()
    before = [bots_alone(alice) for _ in range(5)]
    waited_for = services.create_table(owner=alice, game_key="ra", seats=3, bots=("apprentice", "apprentice")).table
    if waited_for.waits_for == Table.Waits.PERSON:
        services.submit_action(table_id=waited_for.pk, user=alice, action="draw", expected_version=waited_for.version)
    hold.end()

    def first_moves(table_ids):
        return ActionRecord.objects.filter(table_id__in=table_ids, by="bot").order_by("at").values_list("at", flat=True)

    wait_until(lambda: first_moves(before) and first_moves([waited_for.pk]))
    assert first_moves([waited_for.pk])[0] < first_moves(before)[0]
