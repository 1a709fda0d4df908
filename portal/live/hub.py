"""The event streams of one web process: one subscription, any number of readers.

`GET /events/tables/<id>/?token=...` is a raw ASGI application beside Django. A stream starts with the table's current version and continues
with each new one. 0 means "not known": the page then fetches once and is up to date. Besides, it says when something was said in the chat,
how many people watch, and when operators have something to say to everybody. `/events/studies/<id>/` is the same for a study.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import cast
from urllib.parse import parse_qs

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from portal.live.keep_alive import NEWS, PULSE, TALK, WATCHING, KeepAlive
from portal.live.places import Strikes
from portal.live.presence import STREAM_KEPT_S, Present
from portal.live.protocol import Receive, Scope, Send, network
from portal.live.spectators import KEPT_S, Note, Spectators, heads, key_of
from portal.live.tokens import BadToken, ExpiredToken, Pass, read_token
from portal.live.turned_away import TOO_MANY_TOKENS
from portal.live.wire import channel_prefix, place_of_study, version_key
from portal.metrics.definitions import STREAMS, STREAMS_OPENED, WATCHERS

log = logging.getLogger(__name__)

KEEP_ALIVE_S = 15.0
QUEUE_SIZE = 8
RETRY_MS = 1000
LONGEST_PAUSE_S = 2.0
TIMEOUT_S = 0.5
SILENCE_S = 20.0
NOTE_STEP_S = 1.0
NOTES_AT_ONCE = 500
CROWDS_AT_ONCE = 50
CHECK_S = 30.0
WRONG_TOKENS = 60  # of one address in a minute, in one web process
_PATH = re.compile(r"/events/(tables|studies)/(\d{1,18})/")
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]
ALIVE = b": keep-alive\n\n"
RELOAD = b"event: reload\ndata: expired\n\n"
SAID = b"event: talk\ndata: 1\n\n"
TOLD = b"event: news\ndata: 1\n\n"
_WITHOUT_VERSION = {PULSE: ALIVE, TALK: SAID, NEWS: TOLD}


def message(version: int) -> bytes:
    """Return the event for a table's version."""
    return b"event: version\ndata: %d\n\n" % version


def crowd(spectators: int) -> bytes:
    """Return the event for the number of a table's spectators."""
    return b"event: watching\ndata: %d\n\n" % spectators


def _offer(queue: asyncio.Queue[int | None], item: int | None) -> None:
    """Put into a bounded queue; a reader that is too slow loses the oldest items, never the newest."""
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(item)


class Hub:
    """Readers by table or study (`place`). Tasks and connection belong to the event loop that serves the first stream."""

    def __init__(self, url: str, *, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        self._url = url
        self._alive = KeepAlive(keep_alive_s)
        self._pulse: asyncio.Task[None] | None = None
        self._present = Present()
        self._spectators = Spectators()
        self._watching: dict[int, int] = {}  # of tables with readers here: how many people watch, as was told last
        self._unchecked: list[int] = []
        self._check_at = 0.0
        self._noting: asyncio.Task[None] | None = None
        self._readers: defaultdict[int, set[asyncio.Queue[int | None]]] = defaultdict(set)
        self._viewers: Counter[int] = Counter()  # people who are signed in, with the streams of each
        self._listening: asyncio.Task[None] | None = None
        self._client: redis.asyncio.Redis | None = None
        self._closing = False
        self._strikes = Strikes(WRONG_TOKENS, 60.0)
        self.on_version: Callable[[int, int], None] | None = None  # what else hears of the tables' versions, in the event loop
        self.on_return: Callable[[], None] | None = None  # what is called after a break, in which versions may have gone unheard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"])
        if not found:
            return await _plain(send, 404, b"There is no such stream.")
        if scope["method"] != "GET":
            return await _plain(send, 405, b"Streams are read with GET.")
        if self._strikes.are_out(network(scope)):
            return await TOO_MANY_TOKENS.answer(scope, send)
        place = int(found[2]) if found[1] == "tables" else place_of_study(int(found[2]))
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]
        try:
            reader = read_token(token, place)
        except BadToken:
            self._strikes.add(network(scope))
            return await _plain(send, 403, b"This token does not open this stream. Load the page again.")
        except ExpiredToken:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            return await send({"type": "http.response.body", "body": RELOAD})
        is_present = self._present.counted(reader.viewer, place) if reader.is_shown else contextlib.nullcontext()
        with self._counted(reader.viewer), is_present, self._spectators.counted(place, reader):
            await self._stream(place, reader.left_s, receive, send)

    def spectator(self, table: int, reader: Pass) -> contextlib.AbstractContextManager[None]:
        """Count the reader of another stream of this process among a table's spectators, within the block."""
        return self._spectators.counted(table, reader)

    @contextlib.contextmanager
    def _counted(self, viewer: int) -> Iterator[None]:
        """Count a stream, and its viewer (0: a visitor, who isn't counted), while it is open."""
        STREAMS_OPENED.inc()
        STREAMS.inc()
        self._viewers[viewer] += 1
        self._tell_watchers()
        try:
            yield
        finally:
            STREAMS.dec()
            self._viewers[viewer] -= 1
            if not self._viewers[viewer]:
                del self._viewers[viewer]
            self._tell_watchers()

    def _tell_watchers(self) -> None:
        WATCHERS.set(len(self._viewers) - (0 in self._viewers))

    async def _stream(self, place: int, left_s: float, receive: Receive, send: Send) -> None:
        queue: asyncio.Queue[int | None] = asyncio.Queue(QUEUE_SIZE)
        self._readers[place].add(queue)  # before the version is read, so that none is missed in between
        self._alive.add(queue)
        gone = asyncio.ensure_future(_until_gone(receive, queue))
        loop = asyncio.get_running_loop()
        end = loop.time() + left_s
        at_end = loop.call_at(end, _offer, queue, PULSE)
        try:
            self.listen()
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            first = b"retry: %d\n\n" % RETRY_MS + message(await self._version(place))
            if spectators := await self._spectators_of(place):
                first += crowd(spectators)
            await send({"type": "http.response.body", "body": first, "more_body": True})
            await self._forward(place, queue, end, gone, send)
        finally:
            gone.cancel()
            at_end.cancel()
            self._alive.discard(queue)
            self._readers[place].discard(queue)
            if not self._readers[place]:
                del self._readers[place]
                self._watching.pop(place, None)

    async def _forward(self, place: int, queue: asyncio.Queue[int | None], end: float, gone: asyncio.Future[None], send: Send) -> None:
        loop = asyncio.get_running_loop()
        while not self._closing:
            version = await queue.get()
            if version is None or gone.done():
                break
            if loop.time() >= end:
                return await send({"type": "http.response.body", "body": RELOAD})
            if version == WATCHING and place not in self._watching:
                continue
            body = crowd(self._watching[place]) if version == WATCHING else _WITHOUT_VERSION.get(version) or message(version)
            await send({"type": "http.response.body", "body": body, "more_body": True})
        with contextlib.suppress(Exception):  # the reader may be gone already
            await send({"type": "http.response.body", "body": b""})

    async def _version(self, place: int) -> int:
        return (await self._versions([place]))[0]

    async def _versions(self, places: list[int]) -> list[int]:
        try:
            found = await self.connection().mget([version_key(place) for place in places])
        except (RedisError, OSError):
            return [0] * len(places)
        return [int(version or 0) for version in found]

    async def _spectators_of(self, place: int) -> int:
        """Return how many people watch a table: as was told last, or as Valkey says, which tells the others nothing."""
        if place < 0:
            return 0
        if place not in self._watching:
            try:
                found = cast("list[bytes]", await self.connection().zrangebyscore(key_of(place), time.time(), "+inf"))
            except (RedisError, OSError):
                return 0
            self._watching.setdefault(place, len(heads(found)))  # what was told meanwhile is newer
        return self._watching[place]

    def connection(self) -> redis.asyncio.Redis:
        """Return the client of what is asked of Valkey now and then: at most two connections, half a second for each answer."""
        if self._client is None:
            pool = redis.asyncio.BlockingConnectionPool.from_url(
                self._url,
                max_connections=2,
                timeout=TIMEOUT_S,
                socket_timeout=TIMEOUT_S,
                socket_connect_timeout=TIMEOUT_S,
                retry=Retry(NoBackoff(), 1),
            )
            self._client = redis.asyncio.Redis.from_pool(pool)
        return self._client

    def listen(self) -> None:
        """Hear what is published, from now on."""
        if self._listening is None or self._listening.done():
            self._listening = asyncio.ensure_future(self._listen_forever())
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.ensure_future(self._alive.run())
        if self._noting is None or self._noting.done():
            self._noting = asyncio.ensure_future(self._note_forever())

    async def _note_forever(self) -> None:
        """Note who is here, of those who show it, and who watches, a moment after they have come and then now and then."""
        while True:
            await asyncio.sleep(NOTE_STEP_S)
            now = asyncio.get_running_loop().time()
            crowds = self._spectators.due(now)
            for first in range(0, len(crowds), CROWDS_AT_ONCE):
                with contextlib.suppress(RedisError, OSError):  # the next time, in a while
                    await self._note_crowds(crowds[first : first + CROWDS_AT_ONCE])
            with contextlib.suppress(RedisError, OSError):
                await self._check_crowds(now)
            notes = list(self._present.due(now).items())
            for first in range(0, len(notes), NOTES_AT_ONCE):
                pipeline = self.connection().pipeline(transaction=False)
                for key, tables in notes[first : first + NOTES_AT_ONCE]:
                    pipeline.set(key, tables, ex=STREAM_KEPT_S)
                with contextlib.suppress(RedisError, OSError):  # the next time, in a while
                    await pipeline.execute()

    async def _note_crowds(self, notes: list[Note]) -> None:
        """Note the spectators of some tables, and tell all processes how many there are where that has changed."""
        now = time.time()
        pipeline = self.connection().pipeline(transaction=False)
        for note in notes:
            key = key_of(note.table)
            pipeline.zremrangebyscore(key, "-inf", f"({now}")
            if note.gone:
                pipeline.zrem(key, *note.gone)
            if note.here:
                pipeline.zadd(key, dict.fromkeys(note.here, now + KEPT_S))
            pipeline.expire(key, KEPT_S)
            pipeline.zrange(key, 0, -1)
        members = [answer for answer in await pipeline.execute() if isinstance(answer, list)]
        telling = self.connection().pipeline(transaction=False)
        for note, found in zip(notes, members, strict=True):
            if (many := len(heads(found))) != self._watching.get(note.table):
                telling.publish(f"{channel_prefix('watch')}{note.table}", many)
        await telling.execute()

    async def _check_crowds(self, now: float) -> None:
        """Count again, now and then, where somebody is said to watch: a process that is gone tells nobody that its spectators are."""
        if not self._unchecked and now >= self._check_at:
            self._check_at = now + CHECK_S
            self._unchecked = [place for place, many in self._watching.items() if many]
        places, self._unchecked = self._unchecked[:CROWDS_AT_ONCE], self._unchecked[CROWDS_AT_ONCE:]
        if not places:
            return
        pipeline, since = self.connection().pipeline(transaction=False), time.time()
        for place in places:
            pipeline.zrangebyscore(key_of(place), since, "+inf")
        for place, found in zip(places, await pipeline.execute(), strict=True):
            self._tell_crowd(place, len(heads(found)))

    async def _listen_forever(self) -> None:
        """Hold the one subscription; after a break every reader gets its table's version again."""
        pause_s = 0.05
        while not self._closing:
            client = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=1.0, retry=Retry(NoBackoff(), 0))
            try:
                async with client, client.pubsub() as subscription:
                    talk, study, news, watch = (channel_prefix(of) for of in ("talk", "study", "news", "watch"))
                    patterns = tuple(f"{prefix}*" for prefix in (channel_prefix(), talk, study, news, watch))
                    await subscription.psubscribe(*patterns)
                    answered = True
                    while not self._closing:
                        item = await subscription.get_message(timeout=SILENCE_S)
                        if item is None:  # silent for a while: is the other end still there?
                            if not answered:
                                raise redis.exceptions.ConnectionError("no answer to a ping")
                            answered = False
                            await subscription.ping()
                            continue
                        answered = True
                        if item["type"] == "psubscribe":
                            pause_s = 0.05
                            if item["data"] == len(patterns):  # each is confirmed, with how many there are by then
                                await self._catch_up()
                        elif item["type"] == "pmessage":
                            number = int(item["channel"].rpartition(b":")[2])
                            if item["channel"].startswith(talk.encode()):
                                self._tell_talk(number)
                            elif item["channel"].startswith(study.encode()):
                                self._tell(place_of_study(number), int(item["data"]))
                            elif item["channel"].startswith(news.encode()):
                                self._tell_news()
                            elif item["channel"].startswith(watch.encode()):
                                self._tell_crowd(number, int(item["data"]))
                            else:
                                self._tell(number, int(item["data"]))
            except (RedisError, OSError, ValueError) as error:
                log.warning("live updates are away: %s", error)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    async def _catch_up(self) -> None:
        places = list(self._readers)
        self._check_at = 0.0  # what was told meanwhile went unheard
        if self.on_return:
            self.on_return()
        for place, version in zip(places, await self._versions(places) if places else [], strict=True):
            if version:
                self._tell(place, version)

    def _tell(self, place: int, version: int) -> None:
        if self.on_version and place > 0:
            self.on_version(place, version)
        for queue in self._readers.get(place, ()):
            _offer(queue, version)

    def _tell_talk(self, table_id: int) -> None:
        for queue in self._readers.get(table_id, ()):
            if not queue.full():  # a version that waits there matters more; an open chat asks by itself
                _offer(queue, TALK)

    def _tell_crowd(self, table_id: int, spectators: int) -> None:
        if (readers := self._readers.get(table_id)) and self._watching.get(table_id) != spectators:
            self._watching[table_id] = spectators
            for queue in readers:
                if not queue.full():
                    _offer(queue, WATCHING)

    def _tell_news(self) -> None:
        for queues in self._readers.values():
            for queue in queues:
                if not queue.full():  # its page has more urgent things to read
                    _offer(queue, NEWS)

    async def close(self) -> None:
        """End all streams, so that the server can stop; pages connect again by themselves."""
        self._closing = True
        for queues in list(self._readers.values()):
            for queue in queues:
                _offer(queue, None)
        for task in (self._pulse, self._noting):
            if task:
                task.cancel()
        while self._listening and not self._listening.done():
            self._listening.cancel()  # again, in case the library swallowed it
            await asyncio.wait([self._listening], timeout=0.1)
        if self._client:
            await self._client.aclose()


async def _until_gone(receive: Receive, queue: asyncio.Queue[int | None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    _offer(queue, None)


async def _plain(send: Send, status: int, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), (b"content-length", b"%d" % len(text))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
