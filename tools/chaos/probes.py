"""What looks again and again whether the site works: pages, event streams, the pulses of the workers."""

from __future__ import annotations

import http.client
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import redis

from portal.configuration import redis_database
from portal.supervisor import pulse
from tools.chaos.client import NoAnswer, Person, ask
from tools.chaos.journal import Journal

PAGES = ("/lobby/", "/en/rules/ra/gods/")
PAGE_WITHIN_S = 5.0
OWN_PAGE = {"Cookie": "probe=1"}  # a visitor with an unknown cookie gets no kept page, which would hide a fault for a second
EVERY_S = 0.25
RECONNECT_S = 1.0  # what the stream tells browsers
QUIET_S = 17.0  # a stream says something every 15 s


class Probe(threading.Thread, ABC):
    """Looks once more and once more until it is stopped."""

    def __init__(self, name: str, journal: Journal) -> None:
        super().__init__(name=f"probe-{name}", daemon=True)
        self.what, self.journal = name, journal
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set():
            self.look()

    @abstractmethod
    def look(self) -> None:
        """Look once, and note what was seen."""

    def stop(self) -> None:
        self.stopped.set()
        self.join(30)


class PageProbe(Probe):
    """Asks for a page that needs the database and one that does not."""

    def __init__(self, journal: Journal, port: int) -> None:
        super().__init__("pages", journal)
        self._port = port
        self._asked = 0

    def look(self) -> None:
        begin, path = time.time(), PAGES[self._asked % len(PAGES)]
        self._asked += 1
        try:
            status = ask(self._port, "GET", path, headers=OWN_PAGE, source="127.0.2.1", timeout_s=PAGE_WITHIN_S).status
        except NoAnswer:
            status = 0
        if status >= 400 and status != 503:
            self.journal.breach(f"{path} answered {status}")
        self.journal.look(self.what, begin, status == 200)
        self.stopped.wait(EVERY_S)


class StreamProbe(Probe):
    """Reads the event stream of a table in play like a browser: connects again after a second, and moves on when the game is over.

    Each version that it is told counts as a look that worked, each break as one that did not.
    """

    def __init__(self, journal: Journal, person: Person, in_play: Callable[[], Sequence[int]], first: int = 0) -> None:
        super().__init__("live", journal)
        self._person, self._in_play = person, in_play
        self._turn = first

    def look(self) -> None:
        tables = self._in_play()
        if not tables:
            self.stopped.wait(EVERY_S)
            return
        table = tables[self._turn % len(tables)]
        self._turn += 1
        begin = time.time()
        try:
            answer = self._person.api("GET", f"tables/{table}/stream/", timeout_s=5.0)
            if answer.status != 200:
                raise NoAnswer(str(answer.status))
            self._read(str(answer.json()["url"]), table)
            return
        except NoAnswer:
            if table in self._in_play():
                self.journal.look(self.what, begin, worked=False)
        self.stopped.wait(RECONNECT_S)

    def _read(self, url: str, table: int) -> None:
        """Read until the table is no longer in play. Raises NoAnswer when the stream breaks."""
        connection = http.client.HTTPConnection("127.0.0.1", self._person.port, timeout=QUIET_S, source_address=("127.0.2.2", 0))
        try:
            connection.request("GET", url)
            stream = connection.getresponse()
            if stream.status != 200:
                raise NoAnswer(str(stream.status))
            while line := stream.readline():
                if line.startswith(b"data: ") and line[6:].strip() not in (b"0", b"expired"):
                    self.journal.look(self.what, time.time(), worked=True)
                if self.stopped.is_set() or table not in self._in_play():
                    return
            raise NoAnswer("the stream ended")
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(str(error)) from None
        finally:
            connection.close()


class Pulses:
    """When each worker was last seen, and when it last took work."""

    def __init__(self, redis_url: str) -> None:
        options = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0}
        self._live = redis.Redis.from_url(redis_database(redis_url, 2), **options)
        self._broker = redis.Redis.from_url(redis_database(redis_url, 0), **options)

    def seen_at(self, worker: str) -> float:
        """Return when a worker said something, 0 if it never did or Valkey doesn't answer."""
        last = self._last(worker)
        return last.at if last else 0.0

    def taken_at(self, worker: str) -> float:
        last = self._last(worker)
        return last.taken_at if last else 0.0

    def _last(self, worker: str) -> pulse.Pulse | None:
        try:
            return pulse.read(self._live).get(worker)
        except (redis.RedisError, OSError):
            return None

    def answers(self) -> bool:
        try:
            return bool(self._live.ping())
        except (redis.RedisError, OSError):
            return False

    def left(self) -> dict[str, int]:
        """Return how many messages wait in each queue, and how many were taken and not acknowledged. Raises redis.RedisError or OSError."""
        ask: Any = self._broker  # its answers are typed for both kinds of client
        found = {queue: sum(ask.llen(queue + suffix) for suffix in pulse.PRIORITIES) for queue in ("bots", "scoring", "mail")}
        found |= {key.decode(): ask.hlen(key) for key in ask.keys("unacked*") if ask.type(key) == b"hash"}
        return {name: count for name, count in found.items() if count}
