"""Streams of programs over a source without a database: what is told, when, to whom, and that nothing is lost or told twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from portal.live import programs
from portal.live.hub import Hub
from portal.live.mux import Mux
from portal.live.pages import Pages
from portal.live.places import Places
from portal.live.programs import OPENED, POSSIBLE, Line, Opening, Programs
from portal.live.tokens import Pass

ANNA, BELA = 1, 2


class Tables:
    """A source: tables with versions and players, whose changes only count once somebody looks or hears of them."""

    def __init__(self) -> None:
        self.versions: dict[int, int] = {}
        self.players: dict[int, set[int]] = {}
        self.over: set[int] = set()
        self.revoked: set[int] = set()
        self.read: list[tuple[int, int]] = []  # table, and for how many readers at once
        self.looks = 0
        self.fails = 0
        self.broken: set[int] = set()
        self.may_make = threading.Event()
        self.may_make.set()

    def opens(self, table: int, *players: int, version: int = 1) -> None:
        self.versions[table], self.players[table] = version, set(players)

    def _live(self) -> set[int]:
        return self.versions.keys() - self.over

    def look(self, people: Any, tables: Any) -> Any:
        self.looks += 1
        if self.fails:
            self.fails -= 1
            raise ConnectionError("away")
        theirs = {person: {table: self.versions[table] for table in self._live() if person in self.players[table]} for person in people}
        return theirs, {table: self.versions[table] for table in tables if table in self._live()}

    def seated(self, tables: Any, people: Any) -> Any:
        return {table: here for table in tables if (here := self.players.get(table, set()) & set(people))}, list(tables)

    def lines(self, table: int, asked: Any) -> Any:
        assert self.may_make.wait(5)
        if table in self.broken:
            raise ValueError("no state")
        if self.fails:
            self.fails -= 1
            raise ConnectionError("away")
        self.read.append((table, len(asked)))
        return [self._line(table, opening, had) for opening, had in asked]

    def _line(self, table: int, opening: Opening, had: int | None) -> Line | None:
        version = self.versions[table]
        if opening.table is None and opening.person not in self.players[table]:
            return Line(_json(type="gone", table=table), "gone", 0, is_last=True)
        if table in self.over:
            return Line(b"" if had == version else _json(type="over", table=table, version=version), "over", version, is_last=True)
        return (
            None
            if had is not None and version <= had
            else Line(_json(type="state", table=table, version=version, had=had), "state", version)
        )

    def may_read(self, opening: Opening) -> bool:
        return opening.person not in self.revoked

    def alive(self) -> bytes:
        return _json(type="alive")

    def fault(self) -> bytes:
        return _json(type="fault", table=None)

    def gone(self, opening: Opening) -> bytes:
        return _json(type="gone", table=None)


def _json(**told: Any) -> bytes:
    return json.dumps(told).encode() + b"\n"


class Stream:
    """One program's stream: `await stream.next()` is the next line; `stream.reads` cleared: it reads no more for now."""

    def __init__(self, mux: Mux, opening: Opening | None) -> None:
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        self.hung_up = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        scope = {
            "type": "http",
            "http_version": "1.1",
            "scheme": "http",
            "method": "GET",
            "path": "/api/v1/stream/",
            "query_string": b"%d" % mux.programs._pages.application.let_in(opening),  # type: ignore[union-attr]
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(b"authorization", b"Token x")],
        }
        self.task = asyncio.ensure_future(mux(scope, self._receive, self._send))

    async def _receive(self) -> Any:
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Any) -> None:
        await self.reads.wait()
        await self.sent.put(dict(event))

    async def head(self) -> Any:
        return await asyncio.wait_for(self.sent.get(), 5)

    async def next(self) -> Any:
        """Return the next line; None when the stream ends."""
        event = await asyncio.wait_for(self.sent.get(), 5)
        return json.loads(event["body"]) if event["body"] else None


class Django:
    """Hands over the opening whose number is in the query; None is refused."""

    def __init__(self) -> None:
        self.openings: list[Opening | None] = []

    def let_in(self, opening: Opening | None) -> int:
        self.openings.append(opening)
        return len(self.openings) - 1

    def __call__(self, environ: Any, start_response: Any) -> Any:
        opening = self.openings[int(environ["QUERY_STRING"])]
        if opening is None:
            start_response("401 Unauthorized", [("Content-Type", "application/problem+json")])
            return [b'{"status": 401}']
        assert environ[POSSIBLE]
        environ[OPENED] = opening
        start_response("200 OK", [("Content-Type", "application/x-ndjson"), ("Content-Length", "0")])
        return [b""]


def running(scenario: Callable[[Any], Awaitable[None]], **options: Any) -> Tables:
    """Run a scenario with `held`: `held.open(...)` opens a stream, `held.tables` is the source, `held.programs` and `held.mux` the rest."""
    tables = Tables()
    holds = options.pop("holds", None)

    async def run() -> None:
        hub = Hub(settings.LIVE_REDIS_URL)
        held = Programs(hub, Pages(Django(), 2), tables, **options)
        mux = Mux(hub, held._pages, programs=held, holds=holds)

        @contextlib.asynccontextmanager
        async def open_stream(person: int = ANNA, table: int | None = None, **had: int) -> AsyncIterator[Stream]:
            stream = Stream(mux, Opening(person, table, {int(key[1:]): version for key, version in had.items()}, None) if person else None)
            try:
                yield stream
            finally:
                stream.reads.set()
                stream.hung_up.set()
                await asyncio.wait_for(stream.task, 5)

        try:
            await scenario(SimpleNamespace(open=open_stream, tables=tables, programs=held, mux=mux))
        finally:
            await held.close()
            await hub.close()

    asyncio.run(run())
    return tables


async def beginning(stream: Stream) -> list[tuple[str, int, int]]:
    """Read up to the first sign of life; return type, table and version of each line."""
    assert (await stream.head())["status"] == 200
    found = []
    while (line := await stream.next())["type"] != "alive":
        found.append((line["type"], line["table"], line.get("version", 0)))
    return sorted(found)


def moved(held: Any, table: int) -> None:
    held.tables.versions[table] += 1
    held.programs.heard(table, held.tables.versions[table])


def test_first_all_tables_then_what_moves_on():
    async def scenario(held):
        held.tables.opens(7, ANNA, BELA, version=5)
        held.tables.opens(8, ANNA)
        held.tables.opens(9, BELA)
        async with held.open() as stream:
            assert await beginning(stream) == [("state", 7, 5), ("state", 8, 1)]
            moved(held, 7)
            assert await stream.next() == {"type": "state", "table": 7, "version": 6, "had": 5}
            moved(held, 9)
            held.programs.heard(7, 6)  # the same again
            moved(held, 8)
            assert (await stream.next())["table"] == 8

    running(scenario)


def test_a_program_that_says_what_it_knows_hears_only_what_is_newer():
    async def scenario(held):
        held.tables.opens(7, ANNA, version=5)
        held.tables.opens(8, ANNA, version=3)
        held.tables.opens(9, ANNA, version=9)
        held.tables.opens(10, ANNA, version=4)
        held.tables.opens(11, BELA)
        held.tables.over |= {9, 10}
        async with held.open(t7=5, t8=1, t9=8, t10=4, t11=1) as stream:
            assert await beginning(stream) == [("gone", 11, 0), ("over", 9, 9), ("state", 8, 3)]

    tables = running(scenario)
    assert sorted(table for table, _ in tables.read) == [8, 9, 10, 11]


def test_a_slow_reader_gets_the_newest_state_and_no_queue():
    async def scenario(held):
        held.tables.opens(7, ANNA)
        async with held.open() as stream:
            await beginning(stream)
            stream.reads.clear()
            for _ in range(200):
                moved(held, 7)
                await asyncio.sleep(0)
            (reader,) = held.programs._readers
            assert len(reader.wanted) <= 1
            stream.reads.set()
            heard = [await stream.next()]
            while heard[-1]["version"] < 201:
                heard.append(await stream.next())
            assert len(heard) <= 3
            assert [line["had"] for line in heard] == [1, *(line["version"] for line in heard[:-1])]

    running(scenario)


def test_all_readers_of_a_table_share_one_reading():
    async def scenario(held):
        held.tables.opens(7, ANNA, BELA)
        async with held.open(ANNA) as first, held.open(BELA) as second:
            await beginning(first)
            await beginning(second)
            held.tables.read.clear()
            moved(held, 7)
            assert (await first.next())["version"] == (await second.next())["version"] == 2
            assert held.tables.read == [(7, 2)]

    running(scenario)


def test_a_new_table_is_heard_of_from_its_beginning():
    async def scenario(held):
        async with held.open() as stream:
            assert await beginning(stream) == []
            held.tables.opens(7, ANNA, version=2)
            held.tables.opens(8, BELA, version=2)
            held.programs.heard(7, 2)
            held.programs.heard(8, 2)
            assert await stream.next() == {"type": "state", "table": 7, "version": 2, "had": 0}

    running(scenario)


def test_what_nobody_heard_of_is_found_by_looking(monkeypatch):
    monkeypatch.setattr(programs, "LOOK_S", 0.05)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        held.tables.opens(8, ANNA)
        async with held.open() as stream:
            await beginning(stream)
            held.tables.versions[7] = 4
            assert await stream.next() == {"type": "state", "table": 7, "version": 4, "had": 1}
            held.tables.opens(9, ANNA, version=3)
            assert await stream.next() == {"type": "state", "table": 9, "version": 3, "had": 0}
            held.tables.over.add(7)
            held.tables.versions[7] = 5
            assert await stream.next() == {"type": "over", "table": 7, "version": 5}
            held.tables.players[8].clear()
            assert await stream.next() == {"type": "gone", "table": 8}
            assert set(held.programs._by_table) == {9}

    running(scenario)


def test_a_break_of_the_subscription_is_followed_by_a_look():
    async def scenario(held):
        held.tables.opens(7, ANNA)
        async with held.open() as stream:
            await beginning(stream)
            held.tables.versions[7] = 2
            await held.programs._hub._catch_up()
            assert (await stream.next())["version"] == 2

    running(scenario)


def test_a_database_that_is_away_delays_lines_and_ends_no_stream(monkeypatch):
    monkeypatch.setattr(programs, "RETRY_S", 0.01)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        held.tables.fails = 2
        async with held.open() as stream:
            assert await beginning(stream) == [("state", 7, 1)]
            held.tables.fails = 3
            moved(held, 7)
            assert (await stream.next())["version"] == 2

    running(scenario)


def test_a_stream_whose_tables_cannot_be_read_ends_and_says_so(monkeypatch):
    monkeypatch.setattr(programs, "RETRY_S", 0.0)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        held.tables.fails = 10_000
        async with held.open() as stream:
            await stream.head()
            assert (await stream.next(), await stream.next()) == ({"type": "fault", "table": None}, None)
        held.tables.fails = 0
        async with held.open() as stream:
            assert await beginning(stream) == [("state", 7, 1)]
            held.tables.fails = 10_000
            moved(held, 7)
            assert (await stream.next(), await stream.next()) == ({"type": "fault", "table": None}, None)

    running(scenario)


def test_one_table_that_cannot_be_read_ends_the_stream_though_others_can(monkeypatch):
    monkeypatch.setattr(programs, "RETRY_S", 0.0)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        held.tables.opens(8, ANNA)
        async with held.open() as stream:
            await beginning(stream)
            held.tables.broken.add(7)
            moved(held, 7)
            heard = []
            while (line := await stream.next()) is not None:
                heard.append(line["type"])
                moved(held, 8)
            assert heard[-1] == "fault"
            assert set(heard[:-1]) <= {"state", "alive"}

    running(scenario)


def test_signs_of_life_and_the_end_of_a_token(monkeypatch):
    monkeypatch.setattr(programs, "CHECK_S", 0.2)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        async with held.open(ANNA) as stream, held.open(BELA) as other:
            await beginning(stream)
            await beginning(other)
            assert await stream.next() == {"type": "alive"}
            held.tables.revoked.add(ANNA)
            while (line := await stream.next()) == {"type": "alive"}:
                pass
            assert line == {"type": "gone", "table": None}
            assert await stream.next() is None
            assert await other.next() == {"type": "alive"}

    running(scenario, alive_s=0.05)


def test_a_stream_that_nobody_can_check_ends_after_a_while(monkeypatch):
    monkeypatch.setattr(programs, "CHECK_S", 0.02)

    async def scenario(held):
        held.tables.opens(7, ANNA)
        asked = []

        def cannot_say(opening):
            asked.append(opening)
            raise OSError("the database is away")

        async with held.open(ANNA) as stream:
            await beginning(stream)
            held.tables.may_read = cannot_say
            while (line := await stream.next()) == {"type": "alive"}:
                pass
            assert line == {"type": "gone", "table": None}
            assert len(asked) == programs.MOST_UNCHECKED

    running(scenario, alive_s=0.05)


def test_a_stream_of_one_table_ends_with_its_game():
    async def scenario(held):
        held.tables.opens(7, BELA)
        async with held.open(ANNA, 7) as stream:
            assert await beginning(stream) == [("state", 7, 1)]
            held.tables.over.add(7)
            moved(held, 7)
            assert (await stream.next())["type"] == "over"
            assert await stream.next() is None
        async with held.open(ANNA, 7, t7=2) as late:  # who knows that already
            await late.head()
            assert await late.next() is None

    running(scenario)


def test_an_end_is_told_once_whatever_was_read_before(monkeypatch):
    """A look at the database that began before the end, and a version that is heard after it, bring no table back."""

    async def scenario(held):
        held.tables.opens(7, ANNA)
        async with held.open() as stream:
            assert await beginning(stream) == [("state", 7, 1)]
            (reader,) = held.programs._readers
            look = held.tables.look

            def late(people, tables):
                held.tables.look = look  # another look, such as after the subscription, goes on as ever
                found = look(people, tables)
                held.tables.over.add(7)
                held.tables.versions[7] += 1
                asyncio.run_coroutine_threadsafe(told(), loop).result(5)
                return found

            async def told():
                held.programs.heard(7, 2)
                lines.append(await stream.next())

            lines: list[Any] = []
            loop = asyncio.get_running_loop()
            held.tables.look = late
            await held.programs._look([reader])
            assert [line["type"] for line in lines] == ["over"]
            held.programs.heard(7, 3)  # such as of a rating, after the end
            await held.programs._gathering
            assert not reader.wanted and not reader.tables
            held.tables.opens(8, ANNA)
            held.programs.heard(8, 1)
            assert (await stream.next())["table"] == 8

    running(scenario, threads=2)


def test_whoever_was_gone_and_sits_down_again_hears_of_the_table():
    async def scenario(held):
        held.tables.opens(7, ANNA)
        async with held.open() as stream:
            await beginning(stream)
            held.tables.players[7] = set()
            moved(held, 7)
            assert (await stream.next())["type"] == "gone"
            held.tables.players[7] = {ANNA}
            moved(held, 7)
            assert (await stream.next())["type"] == "state"

    running(scenario)


def test_whoever_watches_is_counted_while_the_stream_is_open(monkeypatch):
    monkeypatch.setattr(programs, "CHECK_S", 0.02)

    def noted(held):
        """Return the spectators that are noted as here and as gone since the last time, without the process."""
        notes = held.programs._hub._spectators.due(1e9)
        return [(note.table, [m.split("@")[0] for m in note.here], [m.split("@")[0] for m in note.gone]) for note in notes]

    async def scenario(held):
        held.tables.opens(7, BELA)
        async with held.open(ANNA, 7) as stream:
            await beginning(stream)
            held.programs._hub._noting.cancel()  # the test asks in its place
            assert noted(held) == []
            (reader,) = held.programs._readers
            reader.opening.watches = Pass(ANNA, 60.0, watches=True, is_named=True)
            moved(held, 7)
            await stream.next()
            assert noted(held) == [(7, [f"n{ANNA}"], [])]
            reader.opening.watches = Pass(ANNA, 60.0, watches=True)
            while reader.counted != reader.opening.watches:  # the next check
                await asyncio.sleep(0.01)
            assert noted(held) == [(7, [f"u{ANNA}"], [f"n{ANNA}"])]
        assert noted(held) == [(7, [], [f"u{ANNA}"])]

    running(scenario)


def test_what_django_refuses_is_passed_on():
    async def scenario(held):
        async with held.open(0) as stream:
            head = await stream.head()
            assert (head["status"], dict(head["headers"])[b"content-type"]) == (401, b"application/problem+json")
            assert await stream.next() == {"status": 401}
            assert not held.programs._readers

    running(scenario)


def test_one_person_has_a_few_streams_and_all_together_some():
    async def scenario(held):
        async with held.open() as first, held.open() as second:
            await beginning(first)
            await beginning(second)
            async with held.open() as third:
                head = await third.head()
                assert (head["status"], dict(head["headers"])[b"retry-after"]) == (429, b"15")
                assert (await third.next())["error"]["code"] == "too_many_streams"
            async with held.open(BELA) as other:
                await beginning(other)
                async with held.open(3) as fourth:
                    assert (await fourth.head())["status"] == 503
                    assert (await fourth.next())["error"]["code"] == "no_stream"
        async with held.open() as again:
            await beginning(again)

    running(scenario, each=2, holds=Places(3, 3))


def test_a_person_s_streams_in_all_processes_count_together():
    async def scenario(held):
        hub = Hub(settings.LIVE_REDIS_URL)
        other = Programs(hub, Pages(Django(), 2), held.tables, each=1)
        mux = Mux(hub, other._pages, programs=other)
        try:
            async with held.open() as first:
                await beginning(first)
                second = Stream(mux, Opening(ANNA, None, {}, None))
                head = await second.head()
                told = await second.next()
                assert (head["status"], dict(head["headers"])[b"content-type"]) == (429, b"application/problem+json")
                assert told["error"]["code"] == "too_many_streams"
                assert told["detail"] == "You have too many streams open. One stream covers all your tables, so close the others."
                await second.task
            third = Stream(mux, Opening(ANNA, None, {}, None))
            await beginning(third)
            third.hung_up.set()
            await asyncio.wait_for(third.task, 5)
        finally:
            await other.close()
            await hub.close()

    running(scenario, each=1)


def test_closing_ends_all_streams():
    async def scenario(held):
        async with held.open() as stream:
            await beginning(stream)
            await held.programs.close()
            assert await stream.next() is None
        assert not held.programs._readers
        assert not held.programs._by_table

    running(scenario)


@pytest.mark.parametrize("path", ["/api/v1/stream/", "/api/v1/tables/17/moves/"])
def test_only_reading_these_addresses_is_held(path):
    from portal.live.mux import PROGRAM_PATH

    assert PROGRAM_PATH.fullmatch(path)
    assert not PROGRAM_PATH.fullmatch(path + "x/")
