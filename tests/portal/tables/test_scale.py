"""The measurement with many tables, at small scale: it completes, tells nobody, and finds a statement that reads everything."""

from __future__ import annotations

import contextlib
import json
from io import StringIO

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from games.registry import GAMES
from portal.common import benches
from portal.configuration import redis_database
from portal.tables import scale
from portal.tables.management.commands import bench_clocks
from portal.tables.models import ActionRecord, Seat, Table


@pytest.fixture
def small(monkeypatch, transactional_db):
    """Measure in the database of the tests, with two games."""
    settings_of = {"FEW": 60, "READS": 4, "WARM": 1, "WRITES": 5, "ACTIONS": 10, "MANY_ROWS": 0, "PLAYING": 0.2, "OPEN": 0.1}
    for name, value in settings_of.items():
        monkeypatch.setattr(scale, name, value)
    monkeypatch.setattr(scale, "GAMES", {key: GAMES[key] for key in ("ra", "babel")})
    monkeypatch.setattr(scale, "own_database", lambda _say: contextlib.nullcontext())
    monkeypatch.setattr(benches, "BROKER_DATABASE", 0)  # those of this process of the suite
    monkeypatch.setattr(benches, "LIVE_DATABASE", 2)
    for number in (0, 2):
        with redis.Redis.from_url(redis_database(settings.REDIS_URL, number)) as client:
            client.flushdb()


def test_a_small_measurement_counts_what_it_made(small):
    found = scale.measure(300, lambda _text: None, lambda _what, _total: contextlib.nullcontext(_Bar()))
    assert Table.objects.count() >= 300
    assert set(Table.objects.values_list("status", flat=True)) == {"open", "playing", "finished"}
    assert not Table.objects.filter(status="playing", seats=None).exists()
    copied = Table.objects.filter(status="playing").order_by("-pk")[0]
    assert ActionRecord.objects.filter(table=copied).count() == copied.seq
    assert Seat.objects.filter(table=copied).count() == copied.seat_count
    assert set(found["few"]) == set(found["many"]) == set(scale._kinds())
    assert all(times.p99 >= times.p50 > 0 for times in found["many"].values())
    assert found["writes"]["updates"] >= found["writes"]["actions"] == 5
    assert any("accounts_user" in line for line in found["whole_reads"]), (
        "with so few people it is right to read them all, and that is seen"
    )
    with redis.Redis.from_url(redis_database(settings.REDIS_URL, 2)) as live:
        assert live.dbsize() == 0


class _Bar:
    def at(self, done: int) -> None:
        pass


def test_databases_of_valkey_that_somebody_uses_are_refused(small):
    with redis.Redis.from_url(redis_database(settings.REDIS_URL, 2)) as live:
        live.set("somebody", "1")
        with pytest.raises(CommandError, match="hold 1 keys of somebody"):
            call_command("bench_tables", tables=2_000)
        assert live.get("somebody") == b"1"
        live.flushdb()


def test_the_figures_are_told_and_a_whole_read_is_a_failure(monkeypatch):
    times = benches.Times(1.0, 2.0, 3.0)
    writes = {"actions": 5.0, "updates": 5.0, "in_place": 0.5, "dead_rows": 2.0, "grown_mb": 0.1}
    found = {"tables": 9000, "few": {"an action": times}, "many": {"an action": times}, "sizes_mb": {}, "writes": writes, "whole_reads": []}
    monkeypatch.setattr(scale, "measure", lambda *_: found)
    out = StringIO()
    call_command("bench_tables", tables=9000, stdout=out)
    assert "an action" in out.getvalue()
    assert "1.00 x" in out.getvalue()
    out = StringIO()
    call_command("bench_tables", tables=9000, json=True, stdout=out)
    assert json.loads(out.getvalue())["many"]["an action"] == {"p50": 1.0, "p99": 2.0, "most": 3.0}
    found["whole_reads"] = ["an action: tables_table: SELECT 1"]
    with pytest.raises(CommandError, match="read a whole table"):
        call_command("bench_tables", tables=9000, stdout=StringIO())
    for wrong in (1999, 10_000_001):
        with pytest.raises(CommandError, match="from 2,000"):
            call_command("bench_tables", tables=wrong)


@pytest.fixture
def here(monkeypatch):
    """Let the measurement of clocks use the test's own database."""
    monkeypatch.setattr(bench_clocks, "own_database", lambda _say: contextlib.nullcontext())
    monkeypatch.setattr(bench_clocks, "vacuum", lambda: None)
    monkeypatch.setattr(bench_clocks, "own_queues", contextlib.nullcontext)
    monkeypatch.setattr(bench_clocks, "ROUNDS", 3)


@pytest.mark.django_db
def test_what_clocks_cost_is_measured_with_tables_whose_alarms_ring(here):
    out = StringIO()
    call_command("bench_clocks", tables=12, json=True, stdout=out)
    found = json.loads(out.getvalue())
    assert found["tables"] == 12
    assert 0 < found["share_of_a_core"] < 1
    assert found["alarm_ms"] > 0
    assert Table.objects.filter(status="playing", pace__kind="days").exclude(alarm_at=None).count() == 12
    for wrong in (9, 100_001):
        with pytest.raises(CommandError, match="from 10"):
            call_command("bench_clocks", tables=wrong)


@pytest.mark.django_db
def test_a_plan_that_reads_a_table_from_end_to_end_is_seen():
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) SELECT * FROM tables_table t WHERE t.nudges = 5")
        (plan,) = cursor.fetchone()
        assert "tables_table" in scale._scanned(plan if isinstance(plan, list) else json.loads(plan))
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("EXPLAIN (FORMAT JSON) SELECT * FROM tables_table WHERE id = 5")
        (plan,) = cursor.fetchone()
        cursor.execute("RESET enable_seqscan")
    assert scale._scanned(plan if isinstance(plan, list) else json.loads(plan)) == set()
