"""Event streams over a real Valkey: the version first, then each new one, and nothing but numbers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import quote

import pytest
import redis
import time_machine
from django.conf import settings
from django.core import signing

from portal.live import hub as hub_module
from portal.live.breaker import Breaker
from portal.live.hub import QUEUE_SIZE, RELOAD, Hub, message
from portal.live.keep_alive import TALK
from portal.live.places import Strikes
from portal.live.publish import publish_talk, publish_version
from portal.live.tokens import CLUB_LIFETIME_S, LIFETIME_S, SALT, ExpiredToken, Pass, make_token, read_token
from portal.live.wire import version_key

HELLO = b"retry: 1000\n\n"


@pytest.fixture(autouse=True)
def valkey() -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    return client


class Reader:
    """One open stream, read like a browser: `await reader.next()` is the next piece of the body."""

    def __init__(self, hub: Hub, table_id: int, token: str, method: str = "GET") -> None:
        self.scope = {
            "type": "http",
            "method": method,
            "path": f"/events/tables/{table_id}/",
            "query_string": f"token={quote(token)}".encode(),
            "headers": [],
        }
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.hung_up = asyncio.Event()
        self.reads = asyncio.Event()  # a reader that is too slow has it cleared
        self.reads.set()
        self.task = asyncio.ensure_future(hub(self.scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Any) -> None:
        await self.reads.wait()
        await self.sent.put(dict(event))

    async def head(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.sent.get(), 5)

    async def next(self) -> bytes:
        event = await asyncio.wait_for(self.sent.get(), 5)
        body: bytes = event["body"]
        return body


def with_hub(scenario: Callable[[Hub], Awaitable[None]], **options: Any) -> None:
    """Run a scenario on a hub that listens."""

    async def run() -> None:
        hub = Hub(settings.LIVE_REDIS_URL, **options)
        try:
            await scenario(hub)
        finally:
            await hub.close()

    asyncio.run(run())


@contextlib.asynccontextmanager
async def reading(hub: Hub, table_id: int, token: str | None = None) -> AsyncIterator[Reader]:
    """Open a stream that has sent its first version, with the subscription established."""
    reader = Reader(hub, table_id, token or make_token(table_id, 1))
    assert (await reader.head())["status"] == 200
    try:
        yield reader
    finally:
        reader.hung_up.set()
        await asyncio.wait_for(reader.task, 5)


async def published(table_id: int, version: int) -> None:
    assert await asyncio.to_thread(publish_version, table_id, version)


async def listening(hub: Hub, reader: Reader, table_id: int, version: int) -> None:
    """Wait until publications arrive: the subscription is established a moment after the first stream."""
    for _ in range(100):
        await published(table_id, version)
        heard = 0
        with contextlib.suppress(asyncio.TimeoutError):
            while await asyncio.wait_for(reader.sent.get(), 0.1):
                heard += 1
        if heard:
            return
    raise AssertionError("the hub does not listen")


def test_a_stream_begins_with_the_current_version_and_tells_each_new_one() -> None:
    async def scenario(hub: Hub) -> None:
        await published(7, 41)
        async with reading(hub, 7) as reader:
            assert await reader.next() == HELLO + b"event: version\ndata: 41\n\n"
            await published(7, 42)
            heard = await reader.next()
            while heard == message(41):  # the subscription was established after the first line, so its first message is already known
                heard = await reader.next()
            assert heard == b"event: version\ndata: 42\n\n"

    with_hub(scenario)


def test_what_was_said_is_announced_at_its_table_without_a_word_of_it() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as here, reading(hub, 8) as elsewhere:
            await listening(hub, here, 7, 1)
            await elsewhere.next()
            await asyncio.to_thread(publish_talk, 7)
            assert await here.next() == b"event: talk\ndata: 1\n\n"
            await published(8, 2)
            assert await elsewhere.next() == message(2)

    with_hub(scenario)


def test_talk_takes_no_version_from_a_slow_reader() -> None:
    hub = Hub(settings.LIVE_REDIS_URL)
    queue: asyncio.Queue[int | None] = asyncio.Queue(2)
    hub._readers[7].add(queue)
    hub._tell(7, 41)
    for _ in range(5):
        hub._tell_talk(7)
    hub._tell(7, 42)
    assert [queue.get_nowait(), queue.get_nowait()] == [TALK, 42]


def test_whoever_guesses_tokens_is_turned_away_and_others_are_not() -> None:
    async def scenario(hub: Hub) -> None:
        for _ in range(hub_module.WRONG_TOKENS):
            assert (await Reader(hub, 7, "guess").head())["status"] == 403
        head = await Reader(hub, 7, make_token(7, 1)).head()
        assert head["status"] == 429
        assert (b"retry-after", b"60") in head["headers"]
        hub._strikes._until = 0.0  # the minute is over
        async with reading(hub, 7):  # opens
            pass

    with_hub(scenario)


def test_strikes_are_counted_by_address() -> None:
    strikes = Strikes(2, 60.0)
    for _ in range(2):
        assert not strikes.are_out("192.0.2.1")
        strikes.add("192.0.2.1")
    assert strikes.are_out("192.0.2.1")
    assert not strikes.are_out("192.0.2.2")


def test_an_unknown_version_is_told_as_zero() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as reader:
            assert await reader.next() == HELLO + message(0)

    with_hub(scenario)


def test_streams_may_not_be_kept_by_anybody_on_the_way() -> None:
    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, make_token(7, 1))
        head = await reader.head()
        assert dict(head["headers"]) == {
            b"content-type": b"text/event-stream; charset=utf-8",
            b"cache-control": b"no-store",
            b"x-accel-buffering": b"no",
            b"x-content-type-options": b"nosniff",
            b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
        }
        reader.hung_up.set()
        await reader.task

    with_hub(scenario)


def test_readers_of_another_table_hear_nothing() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as seven, reading(hub, 8) as eight:
            await seven.next()
            await eight.next()
            await published(7, 1)
            await published(8, 5)
            assert await seven.next() == message(1)
            assert await eight.next() == message(5)
            assert seven.sent.empty()
            assert eight.sent.empty()

    with_hub(scenario)


def test_one_subscription_serves_all_streams(valkey: redis.Redis) -> None:
    async def scenario(hub: Hub) -> None:
        async with contextlib.AsyncExitStack() as stack:
            before = valkey.info("clients")["connected_clients"]
            readers = [await stack.enter_async_context(reading(hub, 7)) for _ in range(20)]
            for reader in readers:
                await reader.next()
            assert valkey.pubsub_numpat() >= 1
            # Other processes of the run connect as well; twenty subscriptions would be twenty more connections.
            assert valkey.info("clients")["connected_clients"] - before < len(readers)
            await published(7, 3)
            for reader in readers:
                assert await reader.next() == message(3)

    with_hub(scenario)


def test_an_expired_token_is_told_to_load_the_page_again() -> None:
    with time_machine.travel("2026-01-01 00:00", tick=False):
        token = make_token(7, 1)

    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, token)
        assert (await reader.head())["status"] == 200
        assert await reader.next() == RELOAD == b"event: reload\ndata: expired\n\n"
        await asyncio.wait_for(reader.task, 5)

    with_hub(scenario)


def test_a_token_that_expires_while_the_stream_is_open_ends_it_the_same_way() -> None:
    import time

    nearly = signing.dumps([7, 1, time.time() + 0.3], salt=SALT)

    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, nearly)
        assert (await reader.head())["status"] == 200
        assert await reader.next() == HELLO + message(0)
        assert await reader.next() == RELOAD
        await asyncio.wait_for(reader.task, 5)

    with_hub(scenario)


def test_a_token_is_good_for_the_time_that_it_was_made_for() -> None:
    with time_machine.travel("2026-01-01 00:00", tick=False) as clock:
        long, short = make_token(7, 1), make_token(7, 1, CLUB_LIFETIME_S)
        assert (read_token(long, 7), read_token(short, 7)) == (Pass(1, LIFETIME_S), Pass(1, CLUB_LIFETIME_S))
        clock.shift(CLUB_LIFETIME_S)
        assert read_token(long, 7) == Pass(1, LIFETIME_S - CLUB_LIFETIME_S)
        with pytest.raises(ExpiredToken):
            read_token(short, 7)


FORGED = {
    "none": lambda: "",
    "rubbish": lambda: "rubbish",
    "another table": lambda: make_token(8, 1),
    "changed": lambda: make_token(7, 1)[:-4] + "____",
    "another purpose": lambda: signing.dumps([7, 1, 9**12], salt="another"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_token_that_is_forged_or_for_another_table_is_refused(kind: str) -> None:
    token = FORGED[kind]()

    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, token)
        assert (await reader.head())["status"] == 403
        assert b"version" not in await reader.next()
        await asyncio.wait_for(reader.task, 5)

    with_hub(scenario)


@pytest.mark.parametrize(
    ("method", "path", "status"), [("POST", "/events/tables/7/", 405), ("GET", "/events/tables/x/", 404), ("GET", "/events/", 404)]
)
def test_other_requests_are_refused(method: str, path: str, status: int) -> None:
    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, make_token(7, 1), method)
        reader.scope["path"] = path
        assert (await reader.head())["status"] == status

    with_hub(scenario)


def test_a_slow_reader_loses_the_oldest_and_gets_the_newest() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as slow, reading(hub, 7) as quick:
            await slow.next()
            await quick.next()
            await listening(hub, quick, 7, 1)
            while not slow.sent.empty():
                slow.sent.get_nowait()
            slow.reads.clear()
            last = 100 + 3 * QUEUE_SIZE
            for version in range(100, last + 1):
                await published(7, version)
                assert await quick.next() == message(version)
            slow.reads.set()
            heard = [await slow.next()]
            while heard[-1] != message(last):
                heard.append(await slow.next())
            assert len(heard) <= QUEUE_SIZE + 1
            assert heard[-QUEUE_SIZE:] == [message(version) for version in range(last - QUEUE_SIZE + 1, last + 1)]

    with_hub(scenario)


def test_a_quiet_stream_is_kept_alive_by_comments() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as reader:
            await reader.next()
            assert await reader.next() == b": keep-alive\n\n"
            assert await reader.next() == b": keep-alive\n\n"

    with_hub(scenario, keep_alive_s=0.05)


def test_after_a_lost_connection_readers_hear_what_they_missed(valkey: redis.Redis) -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as reader:
            await reader.next()
            await listening(hub, reader, 7, 1)
            valkey.set(version_key(7), 9)  # sent to nobody, as if published while the connection was down
            for line in valkey.client_list(_type="pubsub"):
                valkey.client_kill_filter(_id=line["id"])
            assert await reader.next() == message(9)
            await published(7, 10)
            assert await reader.next() == message(10)

    with_hub(scenario)


def test_a_reader_that_hangs_up_is_forgotten() -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7) as reader:
            await reader.next()
            assert len(hub._readers[7]) == 1
        assert not hub._readers

    with_hub(scenario)


def test_without_a_broker_a_stream_opens_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "TIMEOUT_S", 0.1)

    async def scenario(_: Hub) -> None:
        hub = Hub("unix:///nowhere/valkey.sock?db=0")
        async with reading(hub, 7) as reader:
            assert await reader.next() == HELLO + message(0)
        await hub.close()

    with_hub(scenario)


def test_closing_the_hub_ends_all_streams() -> None:
    async def scenario(hub: Hub) -> None:
        reader = Reader(hub, 7, make_token(7, 1))
        await reader.head()
        await reader.next()
        await hub.close()
        await asyncio.wait_for(reader.task, 5)

    with_hub(scenario)


def test_the_kept_version_only_grows(valkey: redis.Redis) -> None:
    for version in (4, 6, 5):
        assert publish_version(7, version)
    assert valkey.get(version_key(7)) == b"6"


def test_publishing_without_a_broker_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from portal.live import publish

    away = redis.Redis.from_url("unix:///nowhere/valkey.sock", **settings.REDIS_OPTIONS)
    monkeypatch.setattr(publish, "_client", lambda: away)
    monkeypatch.setattr(publish, "_breaker", Breaker(pause_s=1.0))  # the tests that follow don't wait for it
    assert publish_version(7, 1) is False
    publish_talk(7)


def test_nothing_but_a_number_goes_over_the_wire(valkey: redis.Redis) -> None:
    with valkey.pubsub() as subscription:
        subscription.psubscribe("*")
        while subscription.get_message(timeout=1)["type"] != "psubscribe":
            pass
        publish_version(7, 12)
        heard = subscription.get_message(timeout=2)
    assert heard["data"] == b"12"
    assert heard["channel"].endswith(b":table:7")
    assert {key: valkey.get(key) for key in valkey.keys()} == {version_key(7).encode(): b"12"}  # noqa: SIM118 (a command)
