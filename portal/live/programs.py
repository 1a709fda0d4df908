"""Streams for programs: newline-delimited JSON, one connection for all of a person's tables, beside the hub and without a thread for each.

Django answers the request that opens a stream like any other: it reads the token, counts the request, refuses what it must. If it allows the
stream, it hands over who reads, and this module holds the connection. From then on a few threads of their own make the lines: one for each
reader and version, and for a table with several readers all at once from one reading of its row. A reader that is slower than its tables gets
their newest state when it reads again; nothing is queued but the numbers of tables.

The hub hears of new versions. Every few seconds one look at the database, for all readers together, finds what was not heard.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from portal.live.hub import Hub
from portal.live.leases import Leases
from portal.live.pages import Pages
from portal.live.places import NoPlace, Places
from portal.live.protocol import Receive, Scope, Send, network
from portal.live.tokens import Pass
from portal.live.turned_away import TOO_MANY_STREAMS
from portal.metrics.definitions import PROGRAM_LINES, PROGRAM_WAIT, PROGRAMS, PROGRAMS_OPENED

log = logging.getLogger(__name__)

POSSIBLE: Final = "ziggurat.stream_possible"  # in the environment of a request: whoever answers it may hand over an Opening
OPENED: Final = "ziggurat.stream_opened"  # the Opening
ALIVE_S: Final = 15.0
CHECK_S: Final = 15.0  # how soon a token that was revoked ends its streams
LOOK_S: Final = 5.0  # how soon what Valkey lost is found
GATHER_S: Final = 0.05  # versions of tables that nobody here is known to play at are looked up together
MOST_UNCHECKED: Final = 8  # in sequence, each after CHECK_S
RETRY_S: Final = 1.0  # after a look at the database that failed
MOST_TRIES: Final = 30  # in sequence, or of one table in sequence; then the stream ends, and its program connects again
ANY: Final = 0  # instead of the number of a table
EACH: Final = 10  # streams of one person, in all web processes
Result = TypeVar("Result")


class Line(NamedTuple):
    """A line of a stream. `is_last`: the table has nothing more to tell this reader."""

    body: bytes
    kind: str
    version: int
    is_last: bool = False


@dataclass(eq=False, slots=True)
class Opening:
    """A stream that Django has allowed.

    `person` is the reader's id, 0 for a visitor. `table` is the one table of the stream; None: all at which the person sits. `had` has the version
    of each table that the reader knows. `reader` is for the source alone. `watches`: as whom the reader of a single table is counted among its
    spectators, as the source found last; None: not at all.
    """

    person: int
    table: int | None
    had: dict[int, int]
    reader: Any
    watches: Pass | None = None


class Source(Protocol):
    """What the streams ask, in threads. Every method may raise whatever the database raises: it is asked again."""

    def look(self, people: Sequence[int], tables: Sequence[int]) -> tuple[Mapping[int, Mapping[int, int]], Mapping[int, int]]:
        """Return the open and running tables of each of these people with their versions, and the versions of these tables."""

    def seated(self, tables: Sequence[int], people: Sequence[int]) -> tuple[Mapping[int, Sequence[int]], Sequence[int]]:
        """Return which of these people sit at which of these tables, and the tables at which nobody new can sit down."""

    def lines(self, table: int, asked: Sequence[tuple[Opening, int | None]]) -> Sequence[Line | None]:
        """Return what is new to each of these readers of a table, who had that version (None: not known, and not to be told how it came about).

        A line that can't be made for one of them is that reader's alone: it says so. Only what concerns all raises an error.
        """

    def may_read(self, opening: Opening) -> bool:
        """Ask again, as at the opening, whether the reader may read the stream, and whether they watch."""

    def alive(self) -> bytes:
        """Return the line that says that the stream is alive."""

    def fault(self) -> bytes:
        """Return the line that ends a stream whose tables can't be read."""

    def gone(self, opening: Opening) -> bytes:
        """Return the line that ends a stream whose reader may no longer read it."""


@dataclass(eq=False, slots=True)
class _Reader:
    opening: Opening
    tables: dict[int, int | None]  # that are followed, with the version that was told
    wanted: dict[int, tuple[int | None, float]] = field(default_factory=dict)  # that have moved on: the version, if known, and since when
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False  # the reader has gone, or the server stops
    unchecked: int = 0  # checks in sequence that nobody could answer
    failed: Counter[int] = field(default_factory=Counter)  # tries in sequence to tell of a table, and of ANY
    over: set[int] = field(default_factory=set)  # tables whose end was told: nothing that was read or heard earlier brings them back
    counted: Pass | None = None  # as whom among the spectators
    counting: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def want(self, table: int, version: int | None) -> None:
        """Note that a table has moved on. It keeps its place if it waits already."""
        if table in self.tables:
            waiting, since = self.wanted.get(table, (version, asyncio.get_running_loop().time()))
            self.wanted[table] = (None if version is None or waiting is None else max(version, waiting), since)
            self.news.set()

    def end(self) -> None:
        """Let the stream end as soon as it can."""
        self.is_over = True
        self.news.set()

    def fails(self, table: int) -> bool:
        """Note a try that failed, and say whether it is one too many."""
        self.failed.update({table, ANY})
        return max(self.failed.values()) >= MOST_TRIES

    def succeeds(self, table: int) -> None:
        """Note a try that worked."""
        del self.failed[table], self.failed[ANY]


@dataclass(eq=False, slots=True)
class _Job:
    """The readers for whom one reading of a table makes their lines."""

    asked: list[tuple[Opening, int | None]] = field(default_factory=list)
    waiting: list[asyncio.Future[Line | None]] = field(default_factory=list)


class Programs:
    """All streams for programs of one web process. Tasks belong to the event loop that serves the first stream."""

    def __init__(self, hub: Hub, pages: Pages, source: Source, *, threads: int = 2, each: int = EACH, alive_s: float = ALIVE_S) -> None:
        self._hub = hub
        self._pages = pages
        self._source = source
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="program")
        self._places = Places(1_000_000, each)  # those of this process; the front counts them all
        self._leases = Leases(hub.connection, each)  # those of all processes
        self._alive_s = alive_s
        self._readers: set[_Reader] = set()
        self._by_table: defaultdict[int, set[_Reader]] = defaultdict(set)
        self._jobs: dict[int, _Job] = {}
        self._unknown: set[int] = set()
        self._elsewhere: set[int] = set()  # running tables at which none of our readers sits
        self._gathering: asyncio.Task[None] | None = None
        self._look_now = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._closing = False
        hub.on_version, hub.on_return = self.heard, self._look_now.set

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Django answer; hold the stream if it hands one over."""
        environ = await self._pages.environ(scope, _no_body)
        environ[POSSIBLE] = not self._closing
        status, headers, body = await self._pages.answer(environ, scope)
        opening: Opening | None = environ.get(OPENED)
        if opening is None:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            return await send({"type": "http.response.body", "body": body})
        try:
            holder = f"person {opening.person}" if opening.person else network(scope)
            with self._places.take(holder):
                async with self._leases.take(holder):
                    head = [*((name, value) for name, value in headers if name != b"content-length"), (b"x-accel-buffering", b"no")]
                    await send({"type": "http.response.start", "status": status, "headers": head})
                    await self._hold(opening, receive, send)
        except NoPlace:
            await TOO_MANY_STREAMS.answer(scope, send)

    async def close(self) -> None:
        """End all streams, so that the server can stop; programs connect again and say what they know."""
        self._closing = True
        self._leases.close()
        for reader in self._readers:
            reader.end()
        for task in (self._looking, self._gathering):
            if task:
                task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # What is heard

    def heard(self, table: int, version: int) -> None:
        """Note that a table is at a version. Called in the event loop."""
        if table in self._by_table:
            for reader in self._by_table[table]:
                reader.want(table, version)
        elif self._readers and table not in self._elsewhere:
            self._unknown.add(table)
            if self._gathering is None or self._gathering.done():
                self._gathering = asyncio.ensure_future(self._gather())

    async def _gather(self) -> None:
        """Find who of the readers sits at tables of which nobody here has heard before."""
        while self._unknown and not self._closing:
            await asyncio.sleep(GATHER_S)
            tables, self._unknown = list(self._unknown), set()
            people = list({reader.opening.person for reader in self._readers if reader.opening.table is None})
            try:
                seats, fixed = await self._ask(self._source.seated, tables, people)
            except Exception as error:  # the next look at the database finds them
                log.warning("players of %d tables not read: %s", len(tables), error)
                return
            self._elsewhere.update(table for table in fixed if table not in seats)
            for reader in self._readers:
                for table, seated in seats.items():
                    if reader.opening.table is None and reader.opening.person in seated:
                        self._follow(reader, table, 0)
                        reader.want(table, None)

    def _follow(self, reader: _Reader, table: int, version: int | None) -> None:
        if table not in reader.over:
            reader.tables.setdefault(table, version)
            self._by_table[table].add(reader)

    def _leave(self, reader: _Reader, table: int) -> None:
        del reader.tables[table]
        self._by_table[table].discard(reader)
        if not self._by_table[table]:
            del self._by_table[table]

    async def _look_forever(self) -> None:
        """Compare what all readers were told with the database, now and then, and when something may have gone unheard."""
        pause_s = LOOK_S
        while not self._closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look_now.wait(), pause_s)
            self._look_now.clear()
            try:
                await self._look(list(self._readers))
                self._elsewhere.clear()
                pause_s = LOOK_S
            except Exception as error:
                log.warning("tables of programs not read: %s", error)
                pause_s = RETRY_S

    async def _look(self, readers: Sequence[_Reader], *, new_since: int | None = 0) -> None:
        """Note what has moved on by the database. A table that is new to a reader is told as if version `new_since` were known."""
        if not readers:
            return
        known = [dict(reader.tables) for reader in readers]  # what is told meanwhile is newer than what is read
        people = {reader.opening.person for reader in readers if reader.opening.table is None}
        single = {reader.opening.table for reader in readers if reader.opening.table is not None}
        theirs, versions = await self._ask(self._source.look, list(people), list(single))
        for reader, told in zip(readers, known, strict=True):
            if reader not in self._readers:
                continue
            table = reader.opening.table
            now = theirs.get(reader.opening.person, {}) if table is None else {table: versions[table]} if table in versions else {}
            for number, version in now.items():
                if number in told and number not in reader.tables:  # the reader heard meanwhile that they are gone
                    continue
                self._follow(reader, number, new_since)
                had = told.get(number)
                if version != had:  # smaller: an older copy of the database is in use
                    reader.want(number, version)
            for number in told.keys() - now.keys():
                reader.want(number, None)  # the game is over, or the reader no longer sits there

    # One stream

    async def _hold(self, opening: Opening, receive: Receive, send: Send) -> None:
        reader = _Reader(opening, {})
        self._readers.add(reader)
        for table, version in opening.had.items():
            self._follow(reader, table, version)
        if opening.table is not None:
            self._follow(reader, opening.table, None)
        PROGRAMS.inc()
        PROGRAMS_OPENED.inc()
        gone = asyncio.ensure_future(_until_gone(receive, reader))
        try:
            self._hub.listen()
            self._count(reader)
            if self._looking is None or self._looking.done():
                self._looking = asyncio.ensure_future(self._look_forever())
            await self._tell(reader, send)
            with contextlib.suppress(Exception):  # the reader may be gone already
                await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            reader.counting.close()
            PROGRAMS.dec()
            self._readers.discard(reader)
            for table in list(reader.tables):
                self._leave(reader, table)

    def _count(self, reader: _Reader) -> None:
        """Count the reader among the spectators of the stream's table, if and as the source says so."""
        table, watches = reader.opening.table, reader.opening.watches
        if table is not None and watches != reader.counted:
            reader.counting.close()
            reader.counted = watches
            if watches is not None:
                reader.counting.enter_context(self._hub.spectator(table, watches))

    async def _tell(self, reader: _Reader, send: Send) -> None:
        """Send a line for each table, then for each that moves on, and signs of life, until one side ends the stream."""
        clock = asyncio.get_running_loop().time
        check_at = clock() + CHECK_S
        alive_at = 0.0  # as soon as all tables have been told
        while not reader.is_over:
            try:
                await self._look([reader], new_since=None)
                break
            except Exception as error:
                log.warning("tables of a program not read: %s", error)
                if reader.fails(ANY):
                    return await self._give_up(send)
                await asyncio.sleep(RETRY_S)
        reader.succeeds(ANY)
        while not reader.is_over:
            now = clock()
            if now >= check_at:
                if not await self._may_read(reader):
                    return await self._send(send, "gone", self._source.gone(reader.opening))
                self._count(reader)
                check_at = now + CHECK_S
            elif reader.wanted:
                if not await self._tell_next(reader, send):
                    return None
                alive_at = alive_at and clock() + self._alive_s
            elif now >= alive_at:
                await self._send(send, "alive", self._source.alive())
                alive_at = clock() + self._alive_s
            else:
                reader.news.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.news.wait(), max(0.001, min(alive_at, check_at) - now))

    async def _tell_next(self, reader: _Reader, send: Send) -> bool:
        """Tell of the table that has waited longest; say whether the stream goes on."""
        table = next(iter(reader.wanted))
        version, since = reader.wanted.pop(table)
        had = reader.tables.get(table)
        if table not in reader.tables or (version is not None and version == had):
            return True
        try:
            line = await self._line(table, reader.opening, had)
        except Exception as error:
            log.warning("table %d not told to a program: %s", table, error)
            if reader.fails(table):
                await self._give_up(send)
                return False
            reader.want(table, None)
            await asyncio.sleep(RETRY_S)
            return True
        reader.succeeds(table)
        self._count(reader)
        if line is None:
            return True
        reader.tables[table] = line.version
        if line.body:
            await self._send(send, line.kind, line.body)
            PROGRAM_WAIT.observe(asyncio.get_running_loop().time() - since)
        if line.is_last:
            self._leave(reader, table)
            if line.kind != "gone":  # who is gone may come back
                reader.over.add(table)
        return not line.is_last or reader.opening.table is None

    async def _give_up(self, send: Send) -> None:
        """End a stream whose tables can't be read: its program hears why, and connects again after a while."""
        log.error("stream of a program ended: its tables were not read %d times in sequence", MOST_TRIES)
        await self._send(send, "fault", self._source.fault())

    async def _send(self, send: Send, kind: str, body: bytes) -> None:
        PROGRAM_LINES.labels(kind).inc()
        await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _line(self, table: int, opening: Opening, had: int | None) -> Line | None:
        """Return a line. Whoever wants one of the same table in the same turn of the loop shares the reading of it."""
        loop = asyncio.get_running_loop()
        waits: asyncio.Future[Line | None] = loop.create_future()
        if table not in self._jobs:
            self._jobs[table] = _Job()
            loop.call_soon(self._start, table)
        job = self._jobs[table]
        job.asked.append((opening, had))
        job.waiting.append(waits)
        return await waits

    def _start(self, table: int) -> None:
        job = self._jobs.pop(table)
        made = asyncio.ensure_future(self._ask(self._source.lines, table, job.asked))

        def hand_out(made: asyncio.Future[Sequence[Line | None]]) -> None:
            error = asyncio.CancelledError() if made.cancelled() else made.exception()
            for at, waits in enumerate(job.waiting):
                if waits.done():  # its reader is gone
                    continue
                if error is not None:
                    waits.set_exception(ConnectionError(str(error)))
                else:
                    waits.set_result(made.result()[at])

        made.add_done_callback(hand_out)

    async def _may_read(self, reader: _Reader) -> bool:
        """Say whether somebody may go on reading. While nobody can say (the database is away), they may, for some two minutes."""
        try:
            may_read = await self._ask(self._source.may_read, reader.opening)
        except Exception as error:
            log.warning("reader of a program's stream not checked: %s", error)
            reader.unchecked += 1
            return reader.unchecked < MOST_UNCHECKED
        reader.unchecked = 0
        return may_read

    async def _ask(self, call: Callable[..., Result], *values: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(call, *values))


async def _no_body() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _until_gone(receive: Receive, reader: _Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.end()
