"""`manage.py up`: the whole portal, or the parts of it that this machine runs, until Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import sys
import textwrap
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from portal.common import loaded, static_files, weights
from portal.common.progress import step
from portal.metrics import folder
from portal.supervisor import parts, portal_services, postgres, ready, valkey
from portal.supervisor.backup_clock import BackupClock
from portal.supervisor.forks import Fork
from portal.supervisor.moving import Moving
from portal.supervisor.ports import check_free, local_name
from portal.supervisor.services import Supervisor
from portal.supervisor.state import Lock, Problem, State

WEB_WITHIN_S = 60.0
START_LOCK = 0x5A69_6767  # of PostgreSQL; any number that nobody else uses
LOOK_AGAIN_S = 0.2


class Failed(Exception):
    """A fork of the start ended with this exit code, and has said why."""


class Stop(Exception):
    """Somebody asked us to end: Ctrl-C, SIGTERM, or a closed terminal."""


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Start the portal: embedded PostgreSQL and Valkey (unless DATABASE_URL and REDIS_URL name servers), migrations, rule books,
        static files, web server, workers and beat. Prints the address when ready. Ctrl-C stops everything in order.

        With --only, several machines share the work, and one PostgreSQL and one Valkey:

          manage.py up --only web              pages, event streams and static files, on HOST and PORT
          manage.py up --only scoring          counts points and rates finished games
          manage.py up --only mail             sends mail
          manage.py up --only bots             plays bots, in BOT_PROCESSES processes
          manage.py up --only beat             asks for what is due at a time; run it on two machines, and one at a time works
          manage.py up --only workers,beat     several of them; workers is short for scoring,mail,bots

        It needs DATABASE_URL, REDIS_URL and SECRET_KEY, the same on every machine. Each may start at any time: the first one brings the
        database up to date while the others wait. See docs/deployment.md.
        """
    )
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", default="", metavar="PARTS", help=f"the parts that this machine runs, of {','.join(parts.PARTS)} (default: all)"
        )
        parser.epilog = "Settings come from the environment: docs/configuration.md"

    def handle(self, *args: Any, **options: Any) -> None:
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sig, _stop)
        state: State = settings.STATE
        lock = supervisor = None
        try:
            try:
                ours = parts.chosen(options["only"], os.environ)
                state.prepare()
                machine = parts.machine_name(state) if os.environ.get("REDIS_URL") else ""
                lock = Lock(state, settings.BASE_URL)
                supervisor = Supervisor(self._note, inherit=(lock.fileno(),), settle=loaded.settle)
                if "web" in ours:
                    check_free(settings.HOST, settings.PORT)
                folder.clean()
                self._start(state, supervisor, ours, machine)
                self.stdout.write(f"Ziggurat is ready: {f'{settings.BASE_URL}/' if 'web' in ours else ', '.join(ours)}")
                self.stdout.flush()
                ready.tell_service_manager()
                pulses = portal_services.pulses(ours, machine, small=settings.SMALL)
                moving = Moving(settings.LIVE_REDIS_URL, pulses, supervisor.restart, supervisor.age_of)
                backup = portal_services.backup(state, Path(settings.BASE_DIR), settings.BACKUP_KEEP)
                every_h = settings.BACKUP_EVERY_H if "beat" in ours else 0  # once is enough
                supervisor.run(moving.tick, BackupClock(supervisor, backup, state.backups, every_h).look)
            except Problem as problem:
                self.stderr.write(str(problem), self.style.ERROR)
                sys.exit(1)
            except Failed:
                sys.exit(1)
            except Stop:
                self._note("Stopping ...")
        finally:
            for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(sig, signal.SIG_IGN)
            if supervisor:
                supervisor.stop()
            if lock:
                state.tidy()
                lock.release()

    def _start(self, state: State, supervisor: Supervisor, ours: Sequence[str], machine: str) -> None:
        root = Path(settings.BASE_DIR)
        if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
            state.prepare_servers()
        with step(self.stdout, "PostgreSQL and Valkey"):
            self._start_servers(state, supervisor)
        self._in_fork(self._prepare_database)
        loaded.keep()
        for service in portal_services.workers(state, root, ours, machine, settings.BOT_PROCESSES, small=settings.SMALL):
            supervisor.start(service)
        if "beat" in ours:
            supervisor.start(portal_services.beat(state, root, machine))
        if "web" in ours:
            self._in_fork(self._prepare_pages)
            with step(self.stdout, "Web server"):
                web = portal_services.web(state, root, settings.HOST, settings.PORT, settings.WEB_PROCESSES, small=settings.SMALL)
                supervisor.start(web)
                self._wait_for_web(supervisor, web.log)

    def _start_servers(self, state: State, supervisor: Supervisor) -> None:
        """Start both servers, or look for those of the environment, and load the portal while they start."""
        waits: list[Callable[[], None]] = []
        if url := os.environ.get("DATABASE_URL"):
            postgres.check_reachable(url)
        else:
            server = postgres.Postgres(state, postgres.SMALL_SETTINGS if settings.SMALL else ())
            server.prepare()
            waits.append(partial(server.wait_ready, supervisor.start(server.service())))
        if url := os.environ.get("REDIS_URL"):
            valkey.check_reachable(url)
        else:
            broker = valkey.Valkey(state)
            waits.append(partial(broker.wait_ready, supervisor.start(broker.service())))
        loaded.load()
        for wait in waits:
            wait()

    def _in_fork(self, work: Callable[[], None]) -> None:
        """Do the work in a fork, so that this process stays small and without connections. Its failure ends the start."""

        def all_of_it() -> int:
            try:
                work()
            except Problem as problem:
                self.stderr.write(str(problem), self.style.ERROR)
                return 1
            return 0

        if code := Fork(all_of_it).wait():
            raise Failed(code)

    def _prepare_database(self) -> None:
        with step(self.stdout, "Database tables"), alone():
            call_command("migrate", verbosity=0, interactive=False)
        with step(self.stdout, "Languages"):
            call_command("messages", compile=True, verbosity=0, stdout=io.StringIO(), stderr=io.StringIO())
        for line in weights.look(settings.STATE_DIR):
            self._note(f"  ! {line}")

    def _prepare_pages(self) -> None:
        with step(self.stdout, "Rule books"), alone():
            call_command("load_rules", verbosity=0, stdout=io.StringIO())
        with step(self.stdout, "Static files"):
            static_files.collect()

    def _wait_for_web(self, supervisor: Supervisor, log: Path) -> None:
        url = f"http://{local_name(settings.HOST)}:{settings.PORT}/healthz"
        request = urllib.request.Request(url, headers={"Host": f"localhost:{settings.PORT}", "X-Forwarded-Proto": "https"})
        open_here = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
        end = time.monotonic() + WEB_WITHIN_S
        while time.monotonic() < end:
            supervisor.tick()
            try:
                with open_here(request, timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (OSError, urllib.error.URLError):
                time.sleep(0.05)
        raise Problem(f"The web server does not answer at {url}. Its log: {log}")

    def _note(self, text: str) -> None:
        """Print to stderr, so that the address remains the last line of stdout."""
        self.stderr.write(text, lambda plain: plain)
        self.stderr.flush()


@contextmanager
def alone() -> Iterator[None]:
    """Hold the lock of the start while this machine changes what all of them share; wait until no other machine has it.

    It is tried again and again: an index that the other machine builds concurrently would wait for a statement that waits for the lock.
    """
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [START_LOCK])
            if cursor.fetchone() == (True,):
                break
            time.sleep(LOOK_AGAIN_S)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [START_LOCK])


def _stop(*_: object) -> NoReturn:
    raise Stop
