"""How long an update holds what: `python -m tests.portal.upgrade.measure 100000`.

Starts a PostgreSQL server of its own with the stored site of release 0.2, multiplies its tables, seats, log, people and tokens, and runs the
migrations of this release one by one while readers and writers go on. Prints for each migration its time, each lock that stops others with the
longest time it was held, and the longest that a read and a write took meanwhile.
"""

from __future__ import annotations

import argparse
import lzma
import os
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from portal.supervisor.postgres import Postgres
from portal.supervisor.services import Running
from portal.supervisor.state import State

NEXT = "(SELECT id FROM tables_table WHERE id >= %(table)s ORDER BY id LIMIT 1)"
READ = f"SELECT t.state FROM tables_table t JOIN tables_seat s ON s.table_id = t.id WHERE t.id = {NEXT}"
WRITES = (
    f"UPDATE tables_table SET nudges = nudges WHERE id = {NEXT}",
    f"""INSERT INTO tables_actionrecord (table_id, seq, version, actor, text, by, events, at)
        SELECT {NEXT}, 1000000 + (random() * 1e9)::int, 1, 0, 'x', 'bot', '[]', now()""",
    "UPDATE accounts_user SET last_login = now() WHERE id = 1000 + %(person)s",
    "UPDATE ratings_rating SET games = games WHERE id = 1 + %(person)s %% 40",
)
FILL = """
    INSERT INTO accounts_user SELECT (jsonb_populate_record(u, jsonb_build_object('id', 1000 + n, 'username', 'reader' || n))).*
        FROM generate_series(1, %(people)s) n, accounts_user u WHERE u.id = 2;
    INSERT INTO authtoken_token SELECT md5(n::text) || substr(md5((-n)::text), 1, 8), now(), 1000 + n FROM generate_series(1, %(people)s) n;
    INSERT INTO tables_table SELECT (jsonb_populate_record(t, jsonb_build_object('id', 1000000 * n + t.id, 'finish_number', null))).*
        FROM generate_series(1, %(copies)s) n, tables_table t WHERE t.id < 1000000;
    INSERT INTO tables_seat SELECT (jsonb_populate_record(s, jsonb_build_object('id', 1000000 * n + s.id, 'table_id', 1000000 * n + s.table_id))).*
        FROM generate_series(1, %(copies)s) n, tables_seat s WHERE s.id < 1000000;
    INSERT INTO tables_actionrecord (table_id, seq, version, actor, text, by, events, at)
        SELECT 1000000 * n + r.table_id, r.seq, r.version, r.actor, r.text, r.by, r.events, r.at
        FROM generate_series(1, %(copies)s) n, tables_actionrecord r WHERE r.table_id < 1000000;
"""
LOCKS = """
    SELECT c.relname, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE l.pid = %s AND l.granted AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""


class Site:
    """The server, and sessions in it."""

    def __init__(self, url: str, tables: int) -> None:
        self.url = url
        self.people = tables // 2
        self.copies = 1
        self.stop = threading.Event()
        self.longest: defaultdict[str, float] = defaultdict(float)  # of reads and writes, in seconds
        self.held: defaultdict[tuple[str, str], float] = defaultdict(float)

    def session(self) -> psycopg.Connection:
        return psycopg.connect(self.url, autocommit=True)

    def fill(self) -> str:
        """Fill the empty database, and say with how much."""
        with psycopg.connect(self.url) as session:
            session.execute(lzma.decompress((Path(__file__).parent / "release_0_2.sql.xz").read_bytes()))
            session.execute("SET search_path = public; SET session_replication_role = replica; SET synchronous_commit = off")
            self.copies = 2 * self.people // _one(session, "SELECT count(*) FROM tables_table")
            for statement in FILL.split(";\n"):
                if statement.strip():
                    session.execute((statement % {"people": self.people, "copies": self.copies}).encode())
            names = ("accounts_user", "authtoken_token", "tables_table", "tables_seat", "tables_actionrecord")
            counts = [f"{_one(session, f'SELECT count(*) FROM {name}'):,} {name}" for name in names]
            size = _one(session, "SELECT pg_size_pretty(pg_database_size(current_database()))")
        with self.session() as session:
            session.execute("VACUUM ANALYZE")
        return f"{', '.join(counts)}; {size}"

    def use(self, kind: str, statements: tuple[str, ...]) -> None:
        """Read or write all the time, somewhere else each time."""
        with self.session() as session:
            at = 1
            while not self.stop.is_set():
                at = at * 48_271 % 2_147_483_647
                where = {"table": at % (1_000_000 * self.copies), "person": at % self.people}
                for statement in statements:
                    begin = time.perf_counter()
                    session.execute(statement.encode(), where)
                    self.longest[kind] = max(self.longest[kind], time.perf_counter() - begin)
                time.sleep(0.002)

    def watch(self, pid: int) -> None:
        """Note how long the migrating session holds what stops others; a lock shorter than one look (about 1 ms) is not seen."""
        since: dict[tuple[str, str], float] = {}
        with self.session() as session:
            while not self.stop.is_set():
                now = {tuple(row) for row in session.execute(LOCKS, [pid])}
                at = time.perf_counter()
                for lock in now:
                    self.held[lock] = max(self.held[lock], at - since.setdefault(lock, at))
                since = {lock: begin for lock, begin in since.items() if lock in now}


def _one(session: psycopg.Connection, query: str) -> Any:
    return session.execute(query.encode()).fetchone()[0]


def measure(site: Site, run: Callable[[], None], pid: int) -> float:
    """Return the seconds of `run()` while people go on."""
    site.stop.clear()
    site.longest.clear()
    site.held.clear()
    threads = [threading.Thread(target=site.use, args=("read", (READ,))) for _ in range(2)]
    threads += [threading.Thread(target=site.use, args=("write", WRITES)) for _ in range(2)]
    threads += [threading.Thread(target=site.watch, args=(pid,))]
    for thread in threads:
        thread.start()
    time.sleep(1)
    calm = dict(site.longest)
    begin = time.perf_counter()
    run()
    took = time.perf_counter() - begin
    site.stop.set()
    for thread in threads:
        thread.join()
    print(f"    longest before: {shown(calm)}; longest with it: {shown(site.longest)}")
    return took


def shown(seconds: dict[str, float]) -> str:
    return ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in sorted(seconds.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int, nargs="?", default=100_000)
    tables = parser.parse_args().tables
    with tempfile.TemporaryDirectory(prefix="ziggurat-update-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        state = State.of(Path(folder) / "state")
        state.prepare()
        state.prepare_servers()
        server = Postgres(state)
        server.prepare()
        running = Running(server.service())
        try:
            server.wait_ready(running)
            update(state, tables)
        finally:
            running.stop()


def update(state: State, tables: int) -> None:
    """Fill the database of the release and bring it to this one."""
    site = Site(state.database_url(), tables)
    print(site.fill())
    os.environ |= {"ZIGGURAT_STATE": str(state.folder), "DJANGO_SETTINGS_MODULE": "portal.settings", "ZIGGURAT_WORK": "update"}
    import django  # the settings read the environment set above

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
    for migration in plan:
        connection.ensure_connection()
        pid = connection.connection.info.backend_pid
        print(f"{migration.app_label} {migration.name}")
        took = measure(site, lambda m=migration: call_command("migrate", m.app_label, m.name, verbosity=0), pid)
        held = ", ".join(f"{name} {mode} {1000 * value:.0f} ms" for (name, mode), value in sorted(site.held.items()))
        print(f"    {took:.2f} s; held: {held or 'nothing that stops others, or for less than 1 ms'}")


if __name__ == "__main__":
    main()
