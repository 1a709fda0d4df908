"""A restore: the backup is filled into a new database and tried there; only then does it take the place of the present one."""

from __future__ import annotations

import contextlib
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from portal.common import backups
from portal.common.progress import Bar
from portal.supervisor import dumps, postgres, valkey
from portal.supervisor.backup_clock import DATED
from portal.supervisor.services import Running, Service
from portal.supervisor.state import InUse, Lock, Problem, State

Step = Callable[[str], AbstractContextManager[None]]
FLUSH_WITHIN_S = 120.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # until the last step they end a restore


@dataclass
class Report:
    """What a restore has done."""

    records: int
    migrated: list[str]  # database changes that the backup did not have yet
    standings_differed: bool  # and were calculated again
    saved: Path | None  # the present data, before they were replaced


def restore(backup: backups.Backup, *, step: Step, save: bool = True, bars: backups.Bars = Bar) -> Report:
    """Put the data of a backup in the place of the present data, while the portal is stopped.

    Raises Problem; whenever this ends before its last step, the present data are as they were.
    """
    with _servers(step, backup) as exchange:
        with step("Nobody is connected"):
            exchange.check_alone()
            _check_broker_alone()
        is_fresh = _is_fresh(exchange)
        saved = None
        if save and not is_fresh:
            with step("Present data saved"):
                saved = backups.folder() / f"before-restore-{datetime.now(UTC):{DATED}}.zip"
                backups.write(saved, bars=bars)
        try:
            report = _fill(backup, exchange, step, bars)
            report.saved = saved
            with step("Queues and cache emptied"):
                _forget()
            if is_fresh and backup.secret and not os.environ.get("SECRET_KEY"):
                settings.STATE.replace_secret("secret_key", backup.secret)
            for sig in SIGNALS:
                signal.signal(sig, signal.SIG_IGN)
            with step("Database replaced"):
                exchange.swap()
        finally:
            with contextlib.suppress(psycopg.Error):  # left over, it is dropped by the next restore
                exchange.discard()
    return report


def _fill(backup: backups.Backup, exchange: dumps.Exchange, step: Step, bars: backups.Bars) -> Report:
    """Fill the new database, compare it with the manifest, and bring it to this release."""
    with step("Backup read"):
        exchange.create()
        dumps.load(dumps.find_tools(exchange.major), exchange.new, backup.pieces("kB restored", bars))
    with step("Records counted"):
        _compare(backup, exchange)
    with _django_on(str(exchange.new["dbname"])):
        with step("Database tables"):
            call_command("migrate", verbosity=0, interactive=False)
        with step("Standings"):
            agree = _standings_agree()
            if not agree:
                call_command("rebuild_standings", stdout=io.StringIO())
    with dumps.connect(exchange.new) as looking:
        looking.execute("ANALYZE")
        known = {tuple(row) for row in backup.manifest.migrations}
        applied = looking.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    migrated = [".".join(row) for row in applied if tuple(row) not in known]
    return Report(sum(backup.manifest.records.values()), migrated, not agree, None)


def _compare(backup: backups.Backup, exchange: dumps.Exchange) -> None:
    with dumps.connect(exchange.new) as looking:
        found = dumps.count_rows(looking)
    told = backup.manifest.records
    if wrong := sorted(name for name in found.keys() | told.keys() if found.get(name) != told.get(name)):
        name = wrong[0]
        raise Problem(
            f"The backup does not hold what it tells: {name} has {found.get(name, 0)} records instead of {told.get(name, 0)}. "
            "Nothing has been changed. Restore another backup."
        )


def _standings_agree() -> bool:
    try:
        call_command("check_standings", stdout=io.StringIO())
    except SystemExit:
        return False
    return True


def _is_fresh(exchange: dumps.Exchange) -> bool:
    with dumps.connect(exchange.params) as looking:
        row = looking.execute("SELECT to_regclass('public.django_migrations')").fetchone()
    return row == (None,)


@contextlib.contextmanager
def _django_on(name: str) -> Iterator[None]:
    """Let Django's own connection, and with it every command, work in another database of the server."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


# The servers


@contextlib.contextmanager
def _servers(step: Step, backup: backups.Backup) -> Iterator[dumps.Exchange]:
    """Keep the portal out, start the embedded servers for as long as this takes, and yield the place of the exchange."""
    state: State = settings.STATE
    state.prepare()
    try:
        lock = Lock(state, "a restore")
    except InUse as error:
        raise Problem(
            f"Ziggurat runs on the state folder {error.folder} ({error.who}). Stop it (Ctrl-C where `make run` was started), and run this again."
        ) from None
    own_database, own_broker = (not os.environ.get(name) for name in ("DATABASE_URL", "REDIS_URL"))
    running: list[Running] = []

    def start(service: Service) -> Running:
        running.append(Running(service, inherit=(lock.fileno(),)))
        return running[-1]

    try:
        if own_database or own_broker:
            state.prepare_servers()
        if own_database:
            server = postgres.Postgres(state)
            backup.check_server(int(server.major))
            with step("PostgreSQL"):
                server.prepare()
                server.wait_ready(start(server.service()))
        if own_broker:
            with step("Valkey"):
                broker = valkey.Valkey(state)
                broker.wait_ready(start(broker.service()))
        else:
            valkey.check_reachable(os.environ["REDIS_URL"])
        exchange = dumps.Exchange(backups.database_params())
        try:
            backup.check_server(exchange.major)
            yield exchange
        finally:
            exchange.close()
    finally:
        for one in reversed(running):
            one.stop()
        state.tidy()
        lock.release()


def _redis_urls() -> tuple[str, ...]:
    return settings.BROKER_REDIS_URL, str(settings.CACHES["default"]["LOCATION"]), settings.LIVE_REDIS_URL


def _check_broker_alone() -> None:
    """Raise Problem while workers, beat or web servers are connected to Valkey: an idle worker has no session in the database."""
    ours = set()
    for url in _redis_urls():
        with _redis(url) as client:
            ours.add(int(client.connection_pool.connection_kwargs.get("db", 0)))
    with _redis(_redis_urls()[0]) as client:
        try:
            me, clients = client.client_id(), client.client_list()
        except redis.ResponseError:  # not every host allows it
            return
    if count := sum(int(each["db"]) in ours and int(each["id"]) != me for each in clients):
        raise Problem(
            f"The portal still uses Valkey (connections: {count}). Stop the web server, the workers and beat on all machines, and run this again."
        )


def _forget() -> None:
    """Empty queues, cache and live versions: they speak of the data that are going.

    Nothing in them is needed. Bots and scoring are asked again by the reconciler, mail and sessions are in the database.
    """
    for url in _redis_urls():
        with _redis(url) as client:
            client.flushdb()


def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=FLUSH_WITHIN_S, socket_connect_timeout=10)
