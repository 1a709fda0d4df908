"""Restores into a database of one's own (DATABASE_URL): what is refused, what is replaced, and what stays when one fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
import pytest
import redis
from django.conf import settings

from portal.common import backups
from portal.configuration import redis_database
from portal.supervisor import dumps
from portal.supervisor.state import Problem
from tests.portal.backups.conftest import Alter
from tests.running import ROOT, clean_environment, wait_until

pytestmark = pytest.mark.django_db  # the fixture `good` saves the suite's own database, which is made for tests that say so
ROLE, PASSWORD = "nile_clerk", "papyrus"
FIRST_VALKEY = 200  # databases that no process of the suite uses


class Host:
    """A database of our own on the suite's server, with one table of somebody's data."""

    def __init__(self, folder: Path) -> None:
        self.name = f"host_{os.getpid()}"
        self.folder = folder
        self.server = backups.database_params() | {"dbname": "postgres"}
        offset = 3 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        self.redis_url = redis_database(settings.STATE.redis_url(), FIRST_VALKEY + offset)

    def run(self, *argv: str, user: str = "", password: str = "") -> subprocess.CompletedProcess[str]:
        place = urlencode({name: self.server[name] for name in ("host", "port") if name in self.server})
        who = f"{user or self.server['user']}:{quote(password or self.server.get('password', ''))}"
        environment = clean_environment(
            DATABASE_URL=f"postgres://{who}@/{self.name}?{place}", REDIS_URL=self.redis_url, ZIGGURAT_STATE=str(self.folder)
        )
        return subprocess.run([sys.executable, "manage.py", *argv], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)

    def rows(self, query: str, dbname: str = "") -> list[tuple[Any, ...]]:
        with dumps.connect(self.server, dbname=dbname or self.name) as session:
            return session.execute(query.encode()).fetchall()

    def outside(self, *statements: str) -> None:
        with psycopg.connect(**self.server, autocommit=True) as session:
            for statement in statements:
                session.execute(statement.encode())

    def databases(self) -> set[str]:
        return {row[0] for row in self.rows(f"SELECT datname FROM pg_database WHERE datname LIKE '{self.name}%'", "postgres")}

    def is_alone(self) -> bool:
        return not self.rows(f"SELECT FROM pg_stat_activity WHERE datname = '{self.name}'", "postgres")

    def remove(self) -> None:
        self.outside(*(f'DROP DATABASE IF EXISTS "{self.name}{end}" WITH (FORCE)' for end in ("", dumps.NEW, dumps.OLD)))


@pytest.fixture
def host(django_db_setup: None, django_db_blocker: Any, tmp_path: Path) -> Iterator[Host]:
    if os.environ.get("REDIS_URL"):
        pytest.skip("a restore empties three Valkey databases that nobody else may use; only the suite's own server surely has them")
    with django_db_blocker.unblock():
        host = Host(tmp_path / "state")
    host.remove()
    host.outside(f'CREATE DATABASE "{host.name}"')
    with dumps.connect(host.server, dbname=host.name) as session:
        session.execute("CREATE TABLE mine (word text)")
        session.execute("INSERT INTO mine VALUES ('amber')")
    wait_until(host.is_alone)  # the server ends a session a moment after it was closed
    yield host
    host.remove()


def still_as_before(host: Host) -> bool:
    return host.rows("SELECT word FROM mine") == [("amber",)] and host.databases() == {host.name}


def test_a_backup_takes_the_place_of_everything(host: Host, good: Path) -> None:
    """Also of a table that the backup does not know, and of what Valkey knew of the other data."""
    clients = [redis.Redis.from_url(redis_database(host.redis_url, number)) for number in range(3)]
    for client in clients:
        client.set("old", 1)
        client.close()
    done = host.run("restore", str(good))
    assert done.returncode == 0, done.stderr
    told = backups.Backup(good).manifest
    assert host.rows("SELECT count(*) FROM django_migrations") == [(len(told.migrations),)]
    assert host.rows("SELECT to_regclass('mine')") == [(None,)]
    assert host.databases() == {host.name}
    assert f"{sum(told.records.values()):,} records" in done.stdout
    for client in clients:
        assert client.dbsize() == 0
        client.close()

    key = host.folder / "secret_key"
    assert key.read_text().strip() == backups.Backup(good).secret, "people stay signed in on a new machine"
    assert key.stat().st_mode & 0o777 == 0o600
    key.write_text("another key, perhaps because the first one leaked\n")
    again = host.run("restore", str(good))  # and now there are present data to save
    assert again.returncode == 0, again.stderr
    (saved,) = (host.folder / "backups").glob("before-restore-*.zip")
    assert str(saved) in again.stdout
    assert "leaked" in key.read_text(), "a portal that has data keeps its own key"
    # The first restore compared the standings, which starts their clock.
    assert backups.Backup(saved).manifest.records == told.records | {"ratings_ratingclock": 1}


def test_a_backup_of_an_older_release_is_brought_to_this_one(host: Host, tmp_path: Path) -> None:
    file = str(tmp_path / "older.zip")
    assert host.run("migrate", "ratings", "0003", "-v", "0").returncode == 0
    assert host.run("backup", file).returncode == 0
    older = len(backups.Backup(Path(file)).manifest.migrations)
    assert host.run("migrate", "-v", "0").returncode == 0
    newer = host.rows("SELECT count(*) FROM django_migrations")[0][0]
    assert newer > older
    done = host.run("restore", file)
    assert done.returncode == 0, done.stderr
    assert f"Brought to this release: {newer - older} database changes" in done.stdout
    assert host.rows("SELECT count(*) FROM django_migrations") == [(newer,)]


def test_a_backup_under_traffic_is_of_one_moment(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that come between the count and the dump are in neither."""
    with dumps.connect(host.server, dbname=host.name) as session:
        session.execute("CREATE TABLE django_migrations (id int, app text, name text)")
    monkeypatch.setattr(backups, "database_params", lambda: host.server | {"dbname": host.name})
    count = dumps.count_rows

    def count_and_let_one_in(*args: Any) -> dict[str, int]:
        counts = count(*args)
        with dumps.connect(host.server, dbname=host.name) as session:
            session.execute("INSERT INTO mine VALUES ('late')")
        return counts

    monkeypatch.setattr(dumps, "count_rows", count_and_let_one_in)
    backups.write(tmp_path / "x.zip")
    exchange = dumps.Exchange(host.server | {"dbname": host.name})
    exchange.create()
    dumps.load(dumps.find_tools(exchange.major), exchange.new, backups.Backup(tmp_path / "x.zip").pieces("kB"))
    assert host.rows("SELECT word FROM mine", host.name + dumps.NEW) == [("amber",)]
    assert len(host.rows("SELECT word FROM mine")) == 2
    exchange.discard()
    exchange.close()


def test_a_restore_that_fails_half_way_changes_nothing(host: Host, altered: Alter) -> None:
    done = host.run("restore", str(altered(lambda dump: dump[: len(dump) * 3 // 4])))
    assert done.returncode == 1
    assert "pg_restore failed" in done.stderr
    assert "Traceback" not in done.stderr
    assert still_as_before(host)


def test_a_backup_that_holds_less_than_it_tells_changes_nothing(host: Host, good: Path, altered: Alter) -> None:
    records = backups.Backup(good).manifest.records
    done = host.run("restore", str(altered(records=records | {"accounts_user": records["accounts_user"] + 1})))
    assert done.returncode == 1
    assert "accounts_user has" in done.stderr
    assert still_as_before(host)


def test_a_restore_refuses_while_somebody_is_connected(host: Host, good: Path) -> None:
    with dumps.connect(host.server, dbname=host.name):
        done = host.run("restore", str(good))
    assert done.returncode == 1
    assert "(sessions: 1). Stop the web server, the workers and beat" in done.stderr
    assert still_as_before(host)


def test_a_restore_refuses_while_an_idle_worker_is_connected(host: Host, good: Path) -> None:
    client = redis.Redis.from_url(host.redis_url)
    client.ping()
    done = host.run("restore", str(good))
    client.close()
    assert done.returncode == 1
    assert "still uses Valkey (connections: 1)" in done.stderr
    assert still_as_before(host)


def test_a_user_that_may_not_create_databases_is_told(host: Host, good: Path) -> None:
    host.outside(f"DROP ROLE IF EXISTS {ROLE}", f"CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'")
    try:
        done = host.run("restore", str(good), user=ROLE, password=PASSWORD)
    finally:
        host.outside(f"DROP ROLE {ROLE}")
    assert done.returncode == 1
    assert f'ALTER ROLE "{ROLE}" CREATEDB' in done.stderr
    assert still_as_before(host)


def test_whoever_connects_at_the_last_moment_keeps_the_old_data(host: Host) -> None:
    exchange = dumps.Exchange(host.server | {"dbname": host.name})
    exchange.check_alone()
    exchange.create()
    with dumps.connect(host.server, dbname=host.name), pytest.raises(Problem, match="has not been changed"):
        exchange.swap()
    exchange.discard()
    exchange.close()
    assert still_as_before(host)


def test_leftovers_of_an_interrupted_restore_go(host: Host) -> None:
    host.outside(f'CREATE DATABASE "{host.name}{dumps.NEW}"', f'CREATE DATABASE "{host.name}{dumps.OLD}"')
    exchange = dumps.Exchange(host.server | {"dbname": host.name})
    exchange.create()
    assert host.databases() == {host.name, host.name + dumps.NEW}
    exchange.discard()
    exchange.close()
    assert still_as_before(host)


def test_a_name_without_room_for_two_more_is_refused(host: Host) -> None:
    with pytest.raises(Problem, match="too long"):
        dumps.Exchange(host.server | {"dbname": "n" * 55})
