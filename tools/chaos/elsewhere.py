"""A worker on "another machine": it reaches Valkey and PostgreSQL only through a wire that can be cut."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from urllib.parse import quote

import psycopg

from portal.configuration import database_session
from portal.supervisor.guard import descendants
from portal.supervisor.services import Running, Service
from portal.supervisor.state import DATABASE
from tools.chaos.host import Host

NAME = "elsewhere"
UP_WITHIN_S = 60.0


class Elsewhere:
    """`with Elsewhere(host) as far:` and then `with far.cut(): ...`. Everything it started ends with it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._started: list[Running] = []

    def __enter__(self) -> Elsewhere:
        sockets = self._host.portal.state.sockets
        self._wire = self._start("wire", [sys.executable, "-m", "tools.chaos.proxy", f"{sockets}/.s.PGSQL.5432", f"{sockets}/valkey.sock"])
        end = time.time() + UP_WITHIN_S
        while not (told := self._wire.service.log.read_text()).endswith("\n"):
            if time.time() > end:
                raise LookupError(f"the wire did not start: {told}")
            time.sleep(0.05)
        database, valkey = map(int, told.splitlines()[-1].split())
        password = quote(self._host.portal.state.secret("postgres_password"))
        self.database_url = f"postgres://{DATABASE}:{password}@127.0.0.1:{database}/{DATABASE}?sslmode=disable"
        self._redis_url = f"redis://127.0.0.1:{valkey}/0"
        return self

    def __exit__(self, *_: object) -> None:
        for running in reversed(self._started):
            running.stop()

    def _start(self, name: str, argv: list[str], **more: str) -> Running:
        portal = self._host.portal
        log = portal.state.logs / f"elsewhere-{name}.log"
        log.unlink(missing_ok=True)
        running = Running(Service(name, argv, log, 0, env={**portal.environment, **more}, cwd=portal.root))
        self._started.append(running)
        return running

    def start_worker(self) -> None:
        """Start a worker for bots, and wait until it works."""
        argv = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "portal.celery:app",
            "worker",
            "-Q",
            "bots",
            "-n",
            f"{NAME}@%h",
            "-P",
            "solo",
            "-c",
            "1",
        ]
        argv += ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "ERROR"]
        begin = time.time()
        work = {"ZIGGURAT_WORK": "tasks", "ZIGGURAT_WORKER": NAME}
        self._start("worker", argv, DATABASE_URL=self.database_url, REDIS_URL=self._redis_url, **work)
        while self._host.pulses.seen_at(NAME) < begin:
            if time.time() > begin + UP_WITHIN_S:
                raise LookupError("the worker elsewhere did not start")
            time.sleep(0.1)

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """Cut the wire."""
        with self._host.frozen(descendants(self._wire.process.pid)):
            yield

    def connect_as_worker(self) -> psycopg.Connection[tuple[object, ...]]:
        """Open a session of the database as a worker there has it."""
        return psycopg.connect(
            self.database_url,
            options=" ".join(f"-c {name}={value}" for name, value in database_session("tasks", remote=True).items()),
            connect_timeout=5,
        )
