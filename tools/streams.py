"""How pages answer while many tables are watched: `python -m tools.streams http://127.0.0.1:8000 --streams 10000`.

Opens event streams of the open tables at a running portal of this machine, each 250 from an address of their own (127.0.0.0/8), keeps them
open, and asks for some pages in the meantime. Prints the milliseconds of each page without and with the streams.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import re
import resource
import sys
import time
import urllib.request
from collections.abc import Sequence
from urllib.parse import urlsplit

EACH_ADDRESS = 250  # fewer than STREAMS_PER_ADDRESS
AT_ONCE = 200
PAGES = ("/", "/lobby/", "/en/rules/ra/gods/")
ASKED = 100  # times for each page
PAUSE_S = 0.02
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def get(url: str) -> str:
    """Return the text of a page."""
    with _open(url, timeout=30) as answer:
        return str(answer.read().decode())


def streams_of(site: str) -> list[str]:
    """Return the address of the stream of each open table. Exits if there is none."""
    tables = json.loads(get(f"{site}/api/v1/tables/"))
    numbers = [row["id"] for row in tables.get("results", tables)]
    found = [re.search(r'data-stream="([^"]+)"', get(f"{site}/tables/{number}/")) for number in numbers]
    streams = [html.unescape(one[1]) for one in found if one]
    if not streams:
        sys.exit("There is no open table to watch. Open one, then try again.")
    return streams


def figures(site: str, pages: Sequence[str]) -> dict[str, str]:
    """Return how long each page takes. They are asked in turn, with pauses, so that what else happens meets them all alike."""
    took: dict[str, list[float]] = {page: [] for page in pages}
    for _ in range(ASKED):
        for page in pages:
            begin = time.perf_counter()
            get(site + page)
            took[page].append(1000 * (time.perf_counter() - begin))
            time.sleep(PAUSE_S)
    return {page: _told(sorted(times)) for page, times in took.items()}


def _told(times: Sequence[float]) -> str:
    return f"p50 {times[ASKED // 2]:5.1f}   p95 {times[ASKED * 95 // 100]:5.1f}   worst {times[-1]:6.1f} ms"


async def watch(site: str, count: int) -> None:
    """Open `count` streams, and ask for the pages before and meanwhile."""
    parts = urlsplit(site)
    host, port = parts.hostname or "127.0.0.1", parts.port or 80
    paths = streams_of(site)
    pages = (*PAGES, f"/tables/{re.search(r'[0-9]+', paths[0])[0]}/")  # type: ignore[index]
    for page, told in figures(site, pages).items():
        print(f"without  {page:<24} {told}")
    kept = []

    async def one(number: int) -> None:
        group = number // EACH_ADDRESS
        reader, writer = await asyncio.open_connection(host, port, local_addr=(f"127.1.{group // 250}.{1 + group % 250}", 0))
        writer.write(f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        line = await reader.readline()
        if b" 200 " not in line:
            raise SystemExit(f"stream {number}: {line.decode().strip()}")
        kept.append((reader, writer))

    begin = time.monotonic()
    for first in range(0, count, AT_ONCE):
        await asyncio.gather(*(one(number) for number in range(first, min(count, first + AT_ONCE))))
        if sys.stdout.isatty():
            print(f"\r{len(kept):,} of {count:,} streams", end="", flush=True)
    print(f"\r{len(kept):,} streams open after {time.monotonic() - begin:.1f} s")
    for page, told in (await asyncio.get_running_loop().run_in_executor(None, figures, site, pages)).items():
        print(f"with     {page:<24} {told}")


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", help="the address that `make run` prints; there must be at least one open table")
    parser.add_argument("--streams", type=int, default=10_000, help="how many streams to open (default: %(default)s)")
    options = parser.parse_args(argv)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(watch(options.site.rstrip("/"), options.streams))


if __name__ == "__main__":
    main()
