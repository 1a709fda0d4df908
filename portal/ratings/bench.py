"""Measures how fast the standings are, early and after a million games, in a database created and dropped here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import redis
from django.conf import settings
from django.db import connection

from games.core.rng import SeededRng
from portal.accounts.models import User
from portal.common.benches import Times, Unfit, copies, own_database, vacuum
from portal.configuration import broker_url, redis_database
from portal.ratings import recount
from portal.ratings.models import Ladder, RatingClock
from portal.ratings.selectors import leaderboard
from portal.tables.models import Seat, Table

GAME: Final = "ra"
LADDER: Final = f"people/{GAME}"
FEW: Final = 100
READS: Final = 2000
WARM: Final = 200
VIEWERS: Final = 100
FINISHES: Final = 200
SLICE: Final = 50_000
PATIENCE_S: Final = 180  # a worker starts slowly on a busy machine
BROKER_DATABASE: Final = 8  # not used by a portal that runs on the same server
START: Final = datetime(2020, 1, 1, tzinfo=UTC)
Say = Callable[[str], None]
Bars = Callable[[str, int], Any]


def measure(games: int, say: Say, bars: Bars, *, everything: bool) -> dict[str, Any]:
    """Return the figures for `games` finished games of one pool, beside those for a hundred.

    `everything` also times the recount of all standings and their comparison, which has no target and takes minutes.
    Raises Unfit when the database for the broker of the measurement is not free.
    """
    _require_free_broker()
    found: dict[str, Any] = {"games": games}
    with own_database(say):
        _people(_players(games))
        _fill(1, FEW, _players(FEW), bars)
        _recount()
        found["read_few_ms"] = _reads(_players(FEW))
        _fill(FEW + 1, games, _players(games), bars)
        vacuum()
        RatingClock.objects.update(applied_up_to=games)  # as if they had been applied one by one
        begin = time.perf_counter()
        with bars("games", games) as bar:
            recount.rebuild(bar.at, only=LADDER)
        found["rebuild_s"] = time.perf_counter() - begin
        say(f"one pool reckoned anew in {found['rebuild_s']:.1f} s")
        vacuum()
        found["players"] = Ladder.objects.get(key=LADDER).players
        found["read_many_ms"] = _reads(_players(games))
        say(f"leaderboard p99 {found['read_many_ms'].p99:.2f} ms, with {FEW} games {found['read_few_ms'].p99:.2f} ms")
        found["finish_ms"] = _finishes(games, say)
        if everything:
            begin = time.perf_counter()
            with bars("games", games) as bar:
                recount.rebuild(bar.at)
            found["rebuild_all_s"] = time.perf_counter() - begin
            begin = time.perf_counter()
            with bars("games", games) as bar:
                found["differences"] = len(recount.check(bar.at)[1])
            found["check_all_s"] = time.perf_counter() - begin
    return found


def _players(games: int) -> int:
    """Return how many people play this many games: fifty early on, ten thousand on a full site."""
    return min(10_000, max(50, games // 100))


def _broker() -> redis.Redis:
    """Return a client of the database that the broker of the measurement uses and empties."""
    return redis.Redis.from_url(redis_database(settings.REDIS_URL, BROKER_DATABASE))


def _require_free_broker() -> None:
    with _broker() as client:
        number = client.connection_pool.connection_kwargs.get("db", 0)
        try:
            keys = client.dbsize()
        except redis.RedisError as error:
            raise Unfit(f"database {number} of Valkey cannot be used for the measurement: {error}") from None
    if keys:
        raise Unfit(f"database {number} of Valkey has to be empty for the measurement; it holds {keys} keys of somebody")


def _people(count: int) -> None:
    first = User.objects.create(username="player")
    copies(User, first, {"username": "'player' || n"}, "generate_series(1, %(count)s) n WHERE true", {"count": count})


def _template() -> Table:
    """Return a table that never ended, as a template for the others."""
    found = Table.objects.filter(finish_number=None).first()
    if found is not None:
        return found
    table = Table.objects.create(
        game=GAME, seat_count=4, rules_version=1, status="finished", secret=b"0" * 32, commitment="0" * 64, started_at=START
    )
    Seat.objects.create(table=table, index=0)
    return table


def _fill(first: int, last: int, players: int, bars: Bars) -> None:
    """Create finished games of two to five people: some play a lot and some little, and stronger ones more often beat weaker ones."""
    table = _template()
    seat = Seat.objects.get(table=table)
    base = User.objects.get(username="player1").pk
    with bars("games made", last - first + 1) as bar:
        for begin in range(first, last + 1, SLICE):
            end = min(last, begin + SLICE - 1)
            span = {"begin": begin, "end": end, "start": START, "base": base, "groups": players // 5}
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = replica")  # the rows below refer to existing rows
            values = {"finish_number": "n", "finished_at": "%(start)s + n * interval '1 minute'", "seat_count": "2 + n %% 4"}
            copies(Table, table, values, "generate_series(%(begin)s::bigint, %(end)s) n WHERE true", span)
            who = "%(base)s + 5 * floor(power(random(), 2) * %(groups)s)::bigint + (i + t.finish_number) %% 5"
            seats = f"""(
                SELECT table_id, i, who, row_number() OVER (PARTITION BY table_id ORDER BY (who * 7919 %% 1000) * 0.006 + random() * 6 DESC) place
                FROM (SELECT t.id table_id, i, {who} who FROM tables_table t, generate_series(0, t.seat_count - 1) i
                      WHERE t.finish_number BETWEEN %(begin)s AND %(end)s OFFSET 0) drawn
            ) made WHERE true"""  # noqa: S608
            columns = {
                "table_id": "made.table_id",
                "index": "made.i",
                "user_id": "made.who",
                "place": "made.place",
                "score": "50 - 7 * made.place",
            }
            copies(Seat, seat, columns, seats, span)
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = DEFAULT")
            bar.at(end - first + 1)
    vacuum()


def _recount() -> None:
    recount.rebuild()
    vacuum()


def _reads(players: int) -> Times:
    """Time reading a leaderboard: mostly the first page, each time by somebody who is on it."""
    rng = SeededRng(1)
    base = User.objects.get(username="player1").pk
    pages = max(1, min(10, players // 50))
    # A small sample: with ten thousand people in memory, Python's garbage collection would become part of the measurement.
    viewers = [User.objects.get(pk=base + rng.below(players, "person")) for _ in range(VIEWERS)]
    seconds = []
    for n in range(WARM + READS):
        page = 1 if rng.below(10, "first") < 7 else 1 + rng.below(pages, "page")
        viewer = viewers[rng.below(len(viewers), "viewer")]
        begin = time.perf_counter()
        leaderboard(pool="people", game=GAME, page=page, viewer=viewer)
        if n >= WARM:
            seconds.append(time.perf_counter() - begin)
    return Times.of(seconds)


def _finishes(games: int, say: Say) -> Times:
    """Time from the end of a game until its ratings are on the board, through the broker and a scoring worker."""
    from portal.celery import app
    from portal.ratings.tasks import apply_results

    broker = redis_database(settings.REDIS_URL, BROKER_DATABASE)
    database = _address()
    say("starting a scoring worker")
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "portal.celery:app", "worker", "-Q", "scoring", "-P", "solo", "--loglevel", "ERROR"],
        env={**os.environ, "DATABASE_URL": database, "REDIS_URL": broker},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = User.objects.get(username="player1").pk
    template = _template()
    seconds = []
    try:
        with app.connection_for_write(broker_url(broker)) as line:
            for n in range(1, FINISHES + 6):  # the first ones wait for the worker to start
                number = games + n
                _finish(template, number, base, _players(games))
                begin = time.perf_counter()
                apply_results.apply_async(connection=line)
                while (RatingClock.objects.values_list("applied_up_to", flat=True).first() or 0) < number:
                    if worker.poll() is not None:
                        raise RuntimeError(f"the scoring worker has ended by itself, with code {worker.returncode}")
                    if time.perf_counter() - begin > PATIENCE_S:
                        raise RuntimeError(f"the scoring worker has written nothing for {PATIENCE_S} seconds")
                    time.sleep(0.001)
                if n > 5:
                    seconds.append(time.perf_counter() - begin)
    finally:
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(20)
        except subprocess.TimeoutExpired:  # it has nothing left to do, and must not outlive the measurement
            worker.kill()
            worker.wait()
        with _broker() as client:
            client.flushdb()
    return Times.of(seconds)


def _finish(template: Table, number: int, base: int, players: int) -> None:
    seated = [base + (number * 7 + 5 * k) % players for k in range(4)]
    at = START + timedelta(minutes=number)
    values = {field.attname: getattr(template, field.attname) for field in Table._meta.local_fields if not field.primary_key}
    table = Table.objects.create(**{**values, "finish_number": number, "finished_at": at, "link_code": ""})
    Seat.objects.bulk_create(
        Seat(table=table, index=i, user_id=player, place=1 + (i + number) % 4, score=40 - 5 * i) for i, player in enumerate(seated)
    )


def _address() -> str:
    """Return the URL of the measurement's database, for another process."""
    url = urlsplit(os.environ.get("DATABASE_URL") or settings.STATE.database_url())
    return urlunsplit(url._replace(path=f"/{connection.settings_dict['NAME']}"))
