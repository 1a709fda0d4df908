"""The measurement of the standings, at small scale: it completes, leaves nothing behind, and refuses what it must."""

from __future__ import annotations

import json
import os
from io import StringIO

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from portal.configuration import redis_database
from portal.ratings import bench, recount
from portal.ratings.models import Rating, RatingClock
from portal.ratings.services import apply_pending
from portal.tables.models import Table
from tests.portal.ratings.games import finished


@pytest.fixture
def broker(monkeypatch):
    """The Valkey database that the measurement uses: one of the server's last, a different one for each process of the suite."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    with redis.Redis.from_url(redis_database(settings.REDIS_URL, 0)) as client:
        own = client.connection_pool.connection_kwargs.get("db", 0)
        count = int(client.config_get("databases")["databases"])
    offset = count - 3 * (process + 1) - own  # two more are the cache and the versions of its worker
    monkeypatch.setattr(bench, "BROKER_DATABASE", offset)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "portal.settings")  # of its worker
    with redis.Redis.from_url(redis_database(settings.REDIS_URL, offset)) as client:
        yield client
        client.flushdb()


@pytest.fixture
def small(monkeypatch):
    for name, value in {"READS": 20, "WARM": 2, "VIEWERS": 3, "FINISHES": 3, "SLICE": 400}.items():
        monkeypatch.setattr(bench, name, value)


def databases():
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname IN (current_database(), current_database() || '_bench')")
        return [name for (name,) in cursor.fetchall()]


def measured(*args):
    out = StringIO()
    call_command("bench_standings", *args, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_small_measurement_runs_to_its_end_and_leaves_the_portal_as_it_was(broker, small):
    finished(1, [("ann", 1), ("ben", 2)])
    apply_pending()
    own, before, rows = connection.settings_dict["NAME"], databases(), list(Rating.objects.order_by("pk").values_list())
    found = json.loads(measured("--games", "1000", "--all", "--json"))
    assert (found["games"], found["players"], found["differences"]) == (1000, 50, 0)
    assert {"read_few_ms", "read_many_ms", "finish_ms", "rebuild_s", "rebuild_all_s", "check_all_s"} <= set(found)
    for name in ("read_few_ms", "read_many_ms", "finish_ms"):
        assert 0 < found[name]["p50"] <= found[name]["p99"]
    assert connection.settings_dict["NAME"] == own
    assert databases() == before == [own]
    assert list(Rating.objects.order_by("pk").values_list()) == rows
    assert (Table.objects.count(), RatingClock.objects.get().applied_up_to) == (1, 1)
    assert broker.dbsize() == 0


@pytest.mark.django_db(transaction=True)
def test_a_measurement_that_fails_leaves_the_portal_as_it_was(broker, small, monkeypatch):
    def broken(*_args):
        raise RuntimeError("the power is off")

    monkeypatch.setattr(bench, "_reads", broken)
    own, before = connection.settings_dict["NAME"], databases()
    with pytest.raises(RuntimeError, match="power"):
        measured("--games", "1000")
    assert connection.settings_dict["NAME"] == own
    assert databases() == before
    assert Table.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_recount_closes_the_connection_that_reads_ahead(monkeypatch):
    """Otherwise the database of the measurement could not be dropped."""
    finished(1, [("ann", 1), ("ben", 2)])
    closed = []
    real = BaseDatabaseWrapper.close

    def close(self):
        closed.append(self)
        real(self)

    monkeypatch.setattr(BaseDatabaseWrapper, "close", close)
    recount.rebuild()
    assert len(closed) == 1
    assert closed[0] is not connections[DEFAULT_DB_ALIAS]


@pytest.mark.parametrize("games", ["0", "-5", "999", "10000001"])
def test_an_impossible_number_of_games_is_refused(games, monkeypatch):
    monkeypatch.setattr(bench, "measure", lambda *args, **kwargs: pytest.fail("it has begun"))
    with pytest.raises(CommandError, match="from 1,000 to 10,000,000"):
        measured("--games", games)


def test_keys_of_somebody_else_are_not_thrown_away(broker, monkeypatch):
    monkeypatch.setattr(bench, "own_database", lambda *args: pytest.fail("it has begun"))
    broker.set("somebody", "needs this")
    with pytest.raises(CommandError, match=r"has to be empty .* 1 keys"):
        measured("--games", "1000")
    assert broker.get("somebody") == b"needs this"


def test_a_server_with_too_few_databases_is_named(monkeypatch):
    monkeypatch.setattr(bench, "own_database", lambda *args: pytest.fail("it has begun"))
    monkeypatch.setattr(bench, "BROKER_DATABASE", 100_000)
    with pytest.raises(CommandError, match="cannot be used"):
        measured("--games", "1000")
