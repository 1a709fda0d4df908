"""Everything that is done to the portal. Each fault is a context: its block is the time for which it is kept up."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import psycopg

from tools.chaos import crowd, parts
from tools.chaos.disk import SmallDisk
from tools.chaos.driver import Players
from tools.chaos.elsewhere import NAME, Elsewhere
from tools.chaos.host import Host

GOAL_S = 10.0
RESTART_GOAL_S = 30.0
Since = Literal["begin", "end"]


@dataclass
class Scene:
    """What a fault may touch. `touched` is the one table that it stops, if it stops one."""

    host: Host
    players: Players
    rng: random.Random
    disk: SmallDisk | None = None
    touched: int | None = None
    version: int = 0

    def a_table(self) -> int:
        """Return a table in play, and remember it and its version."""
        versions = self.host.versions(self.players.in_play())
        self.touched = self.rng.choice(sorted(versions))
        self.version = versions[self.touched]
        return self.touched


Act = Callable[[Scene], AbstractContextManager[object]]
Works = Callable[[Scene, float], bool]  # does the part work again, `float` seconds since 1970 later?


@dataclass(frozen=True)
class Fault:
    """One thing that happens. `since` tells from when the recovery of pages, actions, bots and streams counts, `part_since` that of the part (`works`) itself.

    The time for which a fault stops the whole site, every bot or the one table on purpose (`stops`) is no silence.
    """

    name: str
    says: str
    act: Act
    hold_s: float = 0.0
    since: Since = "begin"
    works: Works | None = None
    part_since: Since = "begin"
    goal_s: float = GOAL_S
    stops: Literal["nothing", "all", "table"] = "nothing"


def kill(part: str) -> Act:
    """Return what kills every process of a service at the same moment."""
    return _at_once(lambda scene: scene.host.kill(parts.all_of(scene.host.portal, part)))


def kill_first(part: str) -> Act:
    """Return what kills the parent alone, as the kernel does when memory runs out."""
    return _at_once(lambda scene: scene.host.kill(scene.host.pids(part)[:1]))


def kill_child(part: str) -> Act:
    return _at_once(lambda scene: scene.host.kill(parts.children(scene.host.portal, part)))


def freeze(part: str) -> Act:
    return lambda scene: scene.host.frozen(parts.all_of(scene.host.portal, part))


def _at_once(do: Callable[[Scene], object]) -> Act:
    @contextlib.contextmanager
    def act(scene: Scene) -> Iterator[None]:
        do(scene)
        yield

    return act


def _disconnect(scene: Scene) -> None:
    scene.host.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'chaos'"
    )


def _kill_session(scene: Scene) -> None:
    """Kill one session of the database; PostgreSQL then ends all others and recovers."""
    found = scene.host.rows("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'chaos'")
    ours = set(parts.children(scene.host.portal, "postgres"))
    scene.host.kill([scene.rng.choice(sorted({row[0] for row in found} & ours))])


def _restart_supervisor(scene: Scene) -> None:
    process = scene.host.portal.process
    process.kill()
    process.wait()
    scene.host.portal.start()


@contextlib.contextmanager
def _full_disk(scene: Scene) -> Iterator[None]:
    assert scene.disk
    with scene.disk.full():
        yield


@contextlib.contextmanager
def _locked_table(scene: Scene) -> Iterator[None]:
    """Hold all rows of a table in play."""
    table = scene.a_table()
    with scene.host.connect() as connection, connection.transaction():
        connection.execute("SELECT 1 FROM tables_table t JOIN tables_seat s ON s.table_id = t.id WHERE t.id = %s FOR UPDATE", [table])
        yield


@contextlib.contextmanager
def _cut_off(scene: Scene) -> Iterator[None]:
    with Elsewhere(scene.host) as far:
        far.start_worker()
        with far.cut():
            yield
        back = time.time()
        while not _seen(NAME)(scene, back) and time.time() < back + 3 * GOAL_S:
            time.sleep(0.05)


@contextlib.contextmanager
def _cut_off_with_a_lock(scene: Scene) -> Iterator[None]:
    """A worker loses its network while it holds a table: nobody tells the database that it is gone."""
    with Elsewhere(scene.host) as far, contextlib.suppress(psycopg.Error):
        connection = far.connect_as_worker()
        connection.execute(
            "SELECT 1 FROM tables_table t JOIN tables_seat s ON s.table_id = t.id WHERE t.id = %s FOR UPDATE", [scene.a_table()]
        )
        with far.cut():
            yield
        connection.close()


@contextlib.contextmanager
def _slow_files(scene: Scene) -> Iterator[None]:
    with crowd.holding(scene.host.portal.port, [20 * crowd.get(crowd.largest_file(scene.host))] * 60):
        yield


@contextlib.contextmanager
def _half_heads(scene: Scene) -> Iterator[None]:
    with crowd.holding(scene.host.portal.port, [crowd.HALF_HEAD] * 1500):
        yield


@contextlib.contextmanager
def _half_bodies(scene: Scene) -> Iterator[None]:
    with crowd.holding(scene.host.portal.port, [crowd.HALF_BODY] * 100, each=50):
        yield


@contextlib.contextmanager
def _streams(scene: Scene) -> Iterator[None]:
    paths = crowd.stream_paths(scene.players.people[0], scene.players.in_play())
    with crowd.holding(scene.host.portal.port, [crowd.get(paths[number % len(paths)]) for number in range(1100)]):
        yield


def _seen(worker: str) -> Works:
    """Return whether a worker has said since then that it works."""
    return lambda scene, since: scene.host.pulses.seen_at(worker) > since


def _beat_asks(scene: Scene, since: float) -> bool:
    """Beat asks for the reconciler every five seconds: the queue of scoring takes it."""
    return bool(scene.host.pids("beat")) and scene.host.pulses.taken_at("scoring") > since


def _valkey(scene: Scene, _since: float) -> bool:
    return scene.host.pulses.answers()


def _database(scene: Scene, _since: float) -> bool:
    return bool(scene.host.rows("SELECT 1"))


def _moves_on(scene: Scene, _since: float) -> bool:
    assert scene.touched is not None
    return scene.host.versions([scene.touched])[scene.touched] > scene.version


def _ready(scene: Scene, _since: float) -> bool:
    return all(scene.host.pids(part) for part in parts.WORDS)


FAULTS = (
    Fault("web-kill", "the web server is killed", kill("web")),
    Fault("web-child-kill", "the web process behind it is killed", kill_child("web")),
    Fault("web-freeze", "the web server is frozen for 6 s", freeze("web"), 6.0, "end", stops="all"),
    Fault("worker-bots-kill", "the worker for bots is killed", kill_first("worker-bots"), works=_seen("bots")),
    Fault("worker-bots-child-kill", "the process of it that plays is killed", kill_child("worker-bots"), works=_seen("bots")),
    Fault("worker-bots-freeze", "the worker for bots is frozen, for 25 s", freeze("worker-bots"), 25.0, works=_seen("bots")),
    Fault("worker-scoring-kill", "the worker for scoring is killed", kill("worker-scoring"), works=_seen("scoring")),
    Fault("worker-scoring-freeze", "the worker for scoring is frozen, for 25 s", freeze("worker-scoring"), 25.0, works=_seen("scoring")),
    Fault("worker-mail-kill", "the worker for mail is killed", kill("worker-mail"), works=_seen("mail")),
    Fault("worker-mail-freeze", "the worker for mail is frozen, for 25 s", freeze("worker-mail"), 25.0, works=_seen("mail")),
    Fault("beat-kill", "the clock (beat) is killed", kill("beat"), works=_beat_asks),
    Fault("beat-freeze", "the clock is frozen for 12 s", freeze("beat"), 12.0, works=_beat_asks, part_since="end"),
    Fault("valkey-kill", "Valkey is killed", kill("valkey"), works=_valkey),
    Fault("valkey-stall", "Valkey is frozen for 7 s", freeze("valkey"), 7.0, "end", _valkey, "end", stops="all"),
    Fault("valkey-stall-8", "Valkey is frozen for 8 s", freeze("valkey"), 8.0, "end", _valkey, "end", stops="all"),
    Fault("valkey-stall-30", "Valkey is frozen for 30 s", freeze("valkey"), 30.0, "end", _valkey, "end", stops="all"),
    Fault("postgres-disconnect", "all database sessions are ended", _at_once(_disconnect), works=_database),
    Fault("postgres-session-kill", "a database session is killed", _at_once(_kill_session), works=_database),
    Fault("postgres-kill", "PostgreSQL is killed", kill_first("postgres"), works=_database),
    Fault("postgres-freeze", "PostgreSQL is frozen for 6 s", freeze("postgres"), 6.0, "end", _database, "end", stops="all"),
    Fault(
        "supervisor-kill", "the supervisor is killed, and started again", _at_once(_restart_supervisor), works=_ready, goal_s=RESTART_GOAL_S
    ),
    Fault("disk-full", "the disk is full for 12 s", _full_disk, 12.0, "end", _database, "end", stops="all"),
    Fault("slow-readers", "60 clients ask for the largest file and don't read", _slow_files, 8.0),
    Fault("half-heads", "1,500 clients send half a head", _half_heads, 8.0),
    Fault("half-bodies", "100 clients send half a body", _half_bodies, 8.0),
    Fault("streams", "1,100 clients open event streams", _streams, 8.0),
    Fault("locked-table", "a transaction holds a table for 20 s", _locked_table, 20.0, works=_moves_on, part_since="end", stops="table"),
    Fault("worker-cut-off", "a worker elsewhere has no network for 20 s", _cut_off, 20.0, works=_seen(NAME), part_since="end"),
    Fault(
        "worker-cut-off-holding",
        "a worker loses its network while it holds a table",
        _cut_off_with_a_lock,
        35.0,
        works=_moves_on,
        goal_s=30.0,
    ),
)
BY_NAME = {fault.name: fault for fault in FAULTS}
