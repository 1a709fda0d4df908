"""`manage.py up`: the whole portal on this machine, until Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from portal.common import loaded, static_files
from portal.common.progress import step
from portal.metrics import folder
from portal.supervisor import portal_services, postgres, valkey
from portal.supervisor.backup_clock import BackupClock
from portal.supervisor.forks import Fork
from portal.supervisor.moving import Moving
from portal.supervisor.ports import check_free, local_name
from portal.supervisor.services import Supervisor
from portal.supervisor.state import Lock, Problem, State

WEB_WITHIN_S = 60.0


class Failed(Exception):
    """A fork of the start ended with this exit code, and has said why."""


class Stop(Exception):
    """Somebody asked us to end: Ctrl-C, SIGTERM, or a closed terminal."""


class Command(BaseCommand):
    help = (
        "Start the portal: embedded PostgreSQL and Valkey (unless DATABASE_URL / REDIS_URL name servers), migrations, rule pages, "
        "static files, web server, workers and beat. Prints the address when ready. Ctrl-C stops everything in order."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Settings come from the environment: docs/configuration.md"

    def handle(self, *args: Any, **options: Any) -> None:
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sig, _stop)
        state: State = settings.STATE
        lock = supervisor = None
        try:
            try:
                state.prepare()
                lock = Lock(state, settings.BASE_URL)
                supervisor = Supervisor(self._note, inherit=(lock.fileno(),), settle=loaded.settle)
                check_free(settings.HOST, settings.PORT)
                folder.clean()
                self._start(state, supervisor)
                self.stdout.write(f"Ziggurat is ready: {settings.BASE_URL}/")
                self.stdout.flush()
                moving = Moving(settings.LIVE_REDIS_URL, portal_services.PULSES, supervisor.restart, supervisor.age_of)
                backup = portal_services.backup(state, Path(settings.BASE_DIR), settings.BACKUP_KEEP)
                backups = BackupClock(supervisor, backup, state.backups, settings.BACKUP_EVERY_H)
                supervisor.run(moving.tick, backups.look)
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

    def _start(self, state: State, supervisor: Supervisor) -> None:
        root = Path(settings.BASE_DIR)
        if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
            state.prepare_servers()
        with step(self.stdout, "PostgreSQL and Valkey"):
            self._start_servers(state, supervisor)
        self._in_fork(self._prepare_database)
        loaded.keep()
        for service in portal_services.workers(state, root, settings.BOT_PROCESSES):
            supervisor.start(service)
        supervisor.start(portal_services.beat(state, root))
        self._in_fork(self._prepare_pages)
        with step(self.stdout, "Web server"):
            web = portal_services.web(state, root, settings.HOST, settings.PORT, settings.WEB_PROCESSES)
            supervisor.start(web)
            self._wait_for_web(supervisor, web.log)

    def _start_servers(self, state: State, supervisor: Supervisor) -> None:
        """Start both servers, or look for those of the environment, and load the portal while they start."""
        waits: list[Callable[[], None]] = []
        if url := os.environ.get("DATABASE_URL"):
            postgres.check_reachable(url)
        else:
            server = postgres.Postgres(state)
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
        with step(self.stdout, "Database tables"):
            call_command("migrate", verbosity=0, interactive=False)
        with step(self.stdout, "Languages"):
            call_command("messages", compile=True, verbosity=0, stdout=io.StringIO(), stderr=io.StringIO())

    def _prepare_pages(self) -> None:
        with step(self.stdout, "Rule books"):
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


def _stop(*_: object) -> NoReturn:
    raise Stop
