"""How a running portal carries its people: `make load`, or `python -m tools.load http://127.0.0.1:8000`.

People play at tables with bots, half of them through pages, half through the API; each thinks some seconds, reads the table twice and acts.
Listeners watch those tables. Prints for each kind of request its number, p50, p95, p99 and worst time in milliseconds and its size, how late
listeners hear of a move (from the moment it is sent), and, if the portal runs on this machine, processor time for each part, its memory, and
how long its bots thought.

With --bot-tables it measures twice: first without, then while bots of --bot-level play so many more tables among themselves.

With --readers it asks instead for the front page, the lobby, a table and a chapter, each as fast as that many visitors at once can, and prints
requests a second.

The people are guests and new accounts of the portal (names begin with "load"): use a portal that you can throw away.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from tools.load.client import Client, Lost
from tools.load.figures import Figures, Usage, quantile
from tools.load.people import Absent, ApiPlayer, Moves, PagePlayer, Player, listen
from tools.load.thinking import Thinking

OPEN_EACH_S = 0.1  # so long after one another people arrive
SEATED_WITHIN_S = 120.0  # before the warm-up begins
CHAPTERS = ("/en/rules/ra/gods/", "/hu/rules/tigris_euphrates/", "/ru/rules/babel/")


async def play(site: str, options: argparse.Namespace) -> Figures:
    """Let people play until all sit, the warm-up and the given time are over; return what was measured in that time."""
    figures, moves = Figures(), Moves()
    games = _games(site, options.games)
    clock = asyncio.get_running_loop().time
    players: list[Player] = []
    playing: list[asyncio.Task[None]] = []
    for number in range(options.tables):
        kind = PagePlayer if number % 2 else ApiPlayer
        game, most = games[number // 2 % len(games)]
        client = Client(site, number, figures)
        player = kind(client, game, most, options.think, moves, random.Random(options.seed + number))
        players.append(player)
        playing.append(asyncio.create_task(player.play()))
        _show(f"{number + 1} of {options.tables} people")
        await asyncio.sleep(OPEN_EACH_S)
    latest = clock() + SEATED_WITHIN_S
    while clock() < latest and not all(player.table for player in players):  # a slow machine takes long over a hundred new tables
        _show(f"{sum(bool(player.table) for player in players)} of {len(players)} people sit at a table")
        await asyncio.sleep(0.1)
    if not any(player.table for player in players):
        raise Lost(f"nobody could open a table within {SEATED_WITHIN_S:.0f} s")
    seated = [player for player in players if player.table]
    for number in range(options.listeners):
        table = seated[number % len(seated)].table
        playing.append(asyncio.create_task(listen(site, 20_000 + number, table, moves, figures)))
    await _measure(site, options, figures, moves)
    if options.bot_tables:
        failures = figures.failures.copy()
        bots = [
            Absent(Client(site, 40_000 + at, Figures()), *games[at % len(games)], 10.0, moves, random.Random(at), level=options.bot_level)
            for at in range(options.bot_tables)
        ]
        for bot in bots:
            playing.append(asyncio.create_task(bot.play()))
            await asyncio.sleep(OPEN_EACH_S)
        latest = clock() + SEATED_WITHIN_S
        while clock() < latest and not all(bot.table for bot in bots):
            await asyncio.sleep(0.1)
        print(f"\nwith {sum(bool(bot.table) for bot in bots)} tables of bots, {options.bot_level} in all seats but one:")
        await _measure(site, options, figures, moves)
        print(f"{sum(bot.opened for bot in bots)} tables of bots were opened")
        figures.failures.update(failures)
    while left := [task for task in playing if not task.done()]:
        for task in left:
            task.cancel()  # `wait_for` of Python 3.11 swallows it if the answer comes at the same moment, so again
        await asyncio.wait(left, timeout=1)
    return figures


async def _measure(site: str, options: argparse.Namespace, figures: Figures, moves: Moves) -> None:
    """Warm up, measure for the given time, and print what was found."""
    await _sleep(options.warm_up, "warm-up")
    figures.begin()
    moves.heard.clear()
    thought, before, begin = Thinking.of(site), _usage(site), time.perf_counter()
    await _sleep(options.seconds, "measuring")
    after, spent = _usage(site), time.perf_counter() - begin
    thinks = Thinking.of(site)
    for lag in moves.lags():
        figures.add("event at a listener", lag)
    print("\n".join(figures.lines()))
    _tell_usage(before, after, spent, sum(len(took) for kind, took in figures.seconds.items() if not kind.startswith("event")))
    if thought is not None and thinks is not None:
        print("\n".join(thinks.lines(thought)))


async def read(site: str, options: argparse.Namespace) -> Figures:
    """Ask for pages as fast as some visitors at once can."""
    figures = Figures()
    table = _any_table(site)
    for path in ("/", "/lobby/", *([f"/tables/{table}/"] if table else []), *CHAPTERS):
        figures.begin()
        clients = [Client(site, number, figures) for number in range(options.readers)]
        before, begin = _usage(site), time.perf_counter()
        end = begin + options.seconds

        async def ask(client: Client, path: str = path, end: float = end) -> None:
            while time.perf_counter() < end:
                await client.get(path, "page")

        await asyncio.gather(*map(ask, clients))
        spent = time.perf_counter() - begin
        took = sorted(figures.seconds["page"])
        after = _usage(site)
        used = f", {1000 * sum(after.since(before).values()) / len(took):.2f} ms of processor time each" if before and after else ""
        print(
            f"{path:<32}{len(took) / spent:7.0f} a second, p50 {1000 * quantile(took, 0.5):.1f}, p99 {1000 * quantile(took, 0.99):.1f} ms, "
            f"{figures.sizes['page'] / len(took) / 1000:.1f} kB{used}"
        )
        for (kind, why), number in figures.failures.items():
            print(f"{number} times {kind}: {why}")
        for client in clients:
            client.close()
    return figures


def _games(site: str, wanted: str) -> list[tuple[str, int]]:
    """Return the games to play, each with the most seats that it has up to three. Exits when one is unknown."""
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{site}/api/v1/games/", timeout=30) as answer:
        known = {row["key"]: max(n for n in row["seats"] if n <= 3) for row in json.load(answer)}
    names = wanted.split(",") if wanted else list(known)
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"There is no game {unknown[0]}. There are: {', '.join(known)}")
    return [(name, known[name]) for name in names]


def _any_table(site: str) -> int:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{site}/api/v1/tables/?list=open", timeout=30) as answer:
        rows = json.load(answer)["results"]
    return int(rows[0]["id"]) if rows else 0


def _usage(site: str) -> Usage | None:
    """Return what the portal at this address has used, if its processes are on this machine."""
    port = site.rpartition(":")[2]
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                line = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
                if b"up" in line and any(part.endswith(b"manage.py") for part in line) and _port_of(int(name)) == port:
                    return Usage.of(int(name))
            except OSError:
                continue
    return None


def _port_of(pid: int) -> str:
    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return next((entry[5:].decode() for entry in entries if entry.startswith(b"PORT=")), "8000")


def _tell_usage(before: Usage | None, after: Usage | None, spent: float, requests: int) -> None:
    if before is None or after is None:
        return
    used = after.since(before)
    parts = ", ".join(
        f"{part} {100 * cpu / spent:.0f} %" for part, cpu in sorted(used.items(), key=lambda one: -one[1]) if cpu > 0.005 * spent
    )
    print(f"processor time: {parts} of one core; {1000 * sum(used.values()) / max(1, requests):.1f} ms for each request")
    print(f"memory: {after.memory_mb:.0f} MB")


async def _sleep(seconds: float, what: str) -> None:
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    while (left := end - clock()) > 0:
        _show(f"{what}: {left:.0f} s left")
        await asyncio.sleep(min(1.0, left))
    _show("")


def _show(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<60}\r", end="", file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m tools.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", nargs="?", default="http://127.0.0.1:8000", help="address of a running portal (default: %(default)s)")
    parser.add_argument("--tables", type=int, default=100, help="people, each at a table of their own (default: %(default)s)")
    parser.add_argument("--listeners", type=int, default=200, help="event streams at these tables (default: %(default)s)")
    parser.add_argument("--think", type=float, default=4.0, help="seconds a person thinks before an action (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to measure (default: %(default)s)")
    parser.add_argument("--warm-up", type=float, default=20.0, help="how long to play before that (default: %(default)s)")
    parser.add_argument("--games", default="", help="only these, with commas between them (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="what people choose (default: %(default)s)")
    parser.add_argument(
        "--bot-tables", type=int, default=0, help="then measure again with so many tables of bots beside (default: %(default)s)"
    )
    parser.add_argument("--bot-level", default="scribe", help="of these bots (default: %(default)s)")
    parser.add_argument("--readers", type=int, default=0, help="instead of playing, so many visitors ask for pages")
    options = parser.parse_args(argv)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        figures = asyncio.run((read if options.readers else play)(options.site.rstrip("/"), options))
    except (OSError, Lost) as error:
        sys.exit(f"{options.site} does not answer: {error}. Start a portal first: make run")
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
