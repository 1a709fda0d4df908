"""How a running portal carries programs: `python -m tools.load.programs http://127.0.0.1:8000 --bots 100 --tables 200`.

Bots play against each other, two at a table and each with one stream for all its tables. Whoever is told "your move" thinks for `--think`
seconds, give or take half, and plays at random. Prints how long it takes from the moment a move is sent until the next "your move" of that
table arrives (at either bot), in milliseconds; the same up to the answer of the request; and whether any table stood still.

The bots are guests of the portal (names begin with "load"): use a portal that you can throw away.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import time
from collections.abc import Coroutine, Sequence
from typing import Any
from urllib.parse import urlsplit

from tools.load.__main__ import _tell_usage, _usage
from tools.load.client import Answer, Client, Lost, connection
from tools.load.figures import Figures, quantile
from tools.load.people import sign_up

GAMES = ("ra", "tigris_euphrates", "babel")
STILL_S = 10.0  # a table from which nothing has come for so long, with a thinking time of less, stands still
SET_UP_WITHIN_S = 120.0


class Table:
    """What is known of a table: when its last move was sent, and how long the next "your move" took."""

    def __init__(self) -> None:
        self.sent: dict[int, float] = {}  # by the version that was answered
        self.heard_at = time.perf_counter()
        self.is_over = False


class Programs:
    """Bots, tables, and what was measured since `begin`."""

    def __init__(self, site: str, options: argparse.Namespace) -> None:
        self.site = site
        self.options = options
        self.rng = random.Random(options.seed)
        self.figures = Figures()
        self.clients: list[Client] = []
        self.tables: dict[int, Table] = {}
        self.begin = float("inf")
        self.lags: list[float] = []
        self.lines = 0
        self.tasks: set[asyncio.Task[None]] = set()

    async def enter(self, number: int) -> None:
        """Let a bot come, and follow its tables."""
        client = Client(self.site, 60_000 + number, self.figures)
        await sign_up(client)
        self.clients.append(client)
        self._start(self._follow(number, client))

    async def open(self, first: Client, second: Client) -> None:
        """Let two bots sit down at a new table."""
        game = GAMES[len(self.tables) % len(GAMES)]
        opened = (await self._post(first, "/api/v1/tables/", "open", {"game": game, "seats": 2, "is_rated": False})).json()
        if "id" not in opened:
            raise Lost(f"no table: {opened}")
        table = int(str(opened["id"]))
        self.tables[table] = Table()
        await self._post(second, f"/api/v1/tables/{table}/join/", "open", {})

    async def _post(self, client: Client, path: str, kind: str, values: dict[str, object]) -> Answer:
        """Send a request of a bot, by a connection of its own if the usual one waits for an answer."""
        if not client.is_busy:
            return await client.post_json(path, kind, values)
        other = Client(self.site, client.number, self.figures, headers=client.headers)
        try:
            return await other.post_json(path, kind, values)
        finally:
            other.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _follow(self, number: int, client: Client) -> None:
        reader, writer = await connection(self.site, 60_000 + number)
        head = [
            "GET /api/v1/stream/ HTTP/1.1",
            f"Host: {urlsplit(self.site).netloc}",
            *(f"{name}: {value}" for name, value in client.headers.items()),
        ]
        writer.write("\r\n".join([*head, "", ""]).encode())
        status = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1]
        if status != b"200":
            self.figures.failed("stream", status.decode())
            return
        rest = b""
        while size := int(await reader.readline(), 16):
            *lines, rest = (rest + (await reader.readexactly(size + 2))[:-2]).split(b"\n")
            for line in lines:
                self._hear(client, json.loads(line))
        self.figures.failed("stream", "ended")

    def _hear(self, client: Client, line: dict[str, object]) -> None:
        now = time.perf_counter()
        self.lines += now >= self.begin
        number = line.get("table")
        if not isinstance(number, int):
            return
        table = self.tables.setdefault(number, Table())
        table.heard_at = now
        if line["type"] == "over":
            table.is_over = True
        if line["type"] != "your_move":
            return
        version = int(str(line["version"]))
        for answered in [one for one in table.sent if one < version]:  # whoever is told "your move" first ends the measurement
            if (sent := table.sent.pop(answered)) >= self.begin:
                self.lags.append(now - sent)
        legal = line["legal"]
        assert isinstance(legal, list)
        self._start(self._answer(client, number, table, version, self.rng.choice(legal)))

    async def _answer(self, client: Client, number: int, table: Table, version: int, action: str) -> None:
        await asyncio.sleep(self.options.think * (0.5 + self.rng.random()))
        table.sent[version] = time.perf_counter()
        body: dict[str, object] = {"action": action, "expected_version": version}
        try:
            answer = await self._post(client, f"/api/v1/tables/{number}/actions/", "act", body)
        except Lost:  # noted as a failure; the server may have closed the idle connection at this moment
            answer = await self._post(client, f"/api/v1/tables/{number}/actions/", "act", body)
            if answer.status == 409:  # the first one had arrived
                return
        if answer.status != 200:
            table.sent.pop(version, None)
            self.figures.failed("act", str(answer.status))

    def still(self) -> list[int]:
        """Return the running tables that nobody has heard from for long."""
        now = time.perf_counter()
        return [
            number for number, table in self.tables.items() if not table.is_over and now - table.heard_at > STILL_S + self.options.think
        ]


async def measure(site: str, options: argparse.Namespace) -> int:
    """Let the bots play, print what was measured, and return how many tables stood still or requests failed."""
    programs = Programs(site, options)
    for number in range(options.bots):
        await asyncio.wait_for(programs.enter(number), SET_UP_WITHIN_S)
    for number in range(options.tables):
        first = number % options.bots
        second = (first + 1 + number // options.bots) % options.bots
        await programs.open(programs.clients[first], programs.clients[second])
    await asyncio.sleep(options.warm_up)
    programs.figures.begin()
    programs.begin = begin = time.perf_counter()
    before = _usage(site)
    await asyncio.sleep(options.seconds)
    after, spent = _usage(site), time.perf_counter() - begin
    lags = sorted(programs.lags)
    running = sum(not table.is_over for table in programs.tables.values())
    print(f"{options.bots} bots, {len(programs.tables)} tables, {running} still running after {spent:.0f} s; {programs.lines} lines")
    if lags:
        quantiles = ", ".join(f"p{100 * part:g} {1000 * quantile(lags, part):.0f}" for part in (0.5, 0.95, 0.99))
        print(
            f'from a move to the next "your move": {len(lags)} ({len(lags) / spent:.1f} a second), {quantiles}, worst {1000 * lags[-1]:.0f} ms'
        )
    print("\n".join(programs.figures.lines()))
    _tell_usage(before, after, spent, len(lags))
    still = programs.still()
    print(f"tables that stood still: {len(still)}")
    while left := [task for task in programs.tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=1)
    return len(still) + sum(programs.figures.failures.values())


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.load.programs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", nargs="?", default="http://127.0.0.1:8000", help="address of a running portal (default: %(default)s)")
    parser.add_argument("--bots", type=int, default=100, help="programs, each with one stream (%(default)s)")
    parser.add_argument("--tables", type=int, default=200, help="tables for two (%(default)s)")
    parser.add_argument("--think", type=float, default=4.0, help="seconds before a move, on average (%(default)s)")
    parser.add_argument("--warm-up", type=float, default=10.0, help="seconds before measuring (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of measuring (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        return 1 if asyncio.run(measure(options.site.rstrip("/"), options)) else 0
    except (OSError, Lost) as error:
        sys.exit(f"{options.site} does not answer: {error}. Start a portal first: make run")


if __name__ == "__main__":
    sys.exit(main())
