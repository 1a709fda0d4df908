"""Who is noted as a spectator, for how long, and how the number reaches the pages."""

from __future__ import annotations

import asyncio
import time

import pytest
import redis
from django.conf import settings

from portal.live import spectators
from portal.live.breaker import Breaker
from portal.live.hub import CHECK_S, CROWDS_AT_ONCE, Hub, crowd
from portal.live.spectators import AT_ONCE, CROWD, EVERY_S, KEPT_S, QUIET_S, Spectators, Watching, key_of, watching
from portal.live.tokens import Pass, make_token, read_token
from tests.portal.live.test_hub import Reader, reading, with_hub

ANN, BOB = Pass(1, 60.0, watches=True, is_named=True), Pass(2, 60.0, watches=True)
VISITOR, PLAYER = Pass(0, 60.0, watches=True), Pass(3, 60.0)


@pytest.fixture(autouse=True)
def valkey(monkeypatch) -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    monkeypatch.setattr(spectators, "_breaker", Breaker(pause_s=1.0))
    return client


def by_kind(notes: list[spectators.Note]) -> list[tuple[int, list[str], list[str]]]:
    """What is noted, without the process."""
    return [(note.table, sorted(m.split("@")[0] for m in note.here), sorted(m.split("@")[0] for m in note.gone)) for note in notes]


@pytest.mark.parametrize(("watches", "is_named", "is_shown"), [(w, n, s) for w in (0, 1) for n in (0, 1) for s in (0, 1)])
def test_a_token_says_who_watches_and_what_others_may_know(watches, is_named, is_shown) -> None:
    token = make_token(7, 1, 60.0, watches=bool(watches), is_named=bool(is_named), is_shown=bool(is_shown))
    found = read_token(token, 7)
    assert (found.viewer, found.watches, found.is_named, found.is_shown) == (1, watches, is_named, is_shown)


def test_spectators_are_noted_soon_after_they_come_now_and_then_and_when_they_go() -> None:
    here = Spectators()
    with here.counted(7, ANN), here.counted(7, PLAYER), here.counted(8, PLAYER):
        assert by_kind(here.due(0.0)) == [(7, ["n1"], [])]
        assert here.due(EVERY_S - 1) == []
        with here.counted(7, ANN), here.counted(7, BOB), here.counted(7, VISITOR), here.counted(9, VISITOR):
            assert by_kind(here.due(EVERY_S - 1)) == [(7, ["n1", "u2", "v0"], []), (9, ["v1"], [])]
        assert by_kind(here.due(EVERY_S - 1)) == [(7, ["n1"], ["u2", "v0"]), (9, [], ["v1"])]
        assert by_kind(here.due(2 * EVERY_S - 1)) == [(7, ["n1"], [])]
    assert by_kind(here.due(2 * EVERY_S - 1)) == [(7, [], ["n1"])]
    assert here.due(1e9) == []


def test_changes_of_a_crowd_wait_a_while() -> None:
    here = Spectators()
    streams = [here.counted(7, Pass(number, 60.0, watches=True)) for number in range(1, CROWD + 2)]
    for stream in streams:
        stream.__enter__()
    assert len(here.due(0.0)[0].here) == CROWD + 1
    streams.pop().__exit__(None, None, None)
    with here.counted(7, ANN):
        assert here.due(QUIET_S - 1) == []
        assert len(here.due(QUIET_S)) == 1


def test_many_tables_take_turns() -> None:
    here = Spectators()
    streams = [here.counted(table, ANN) for table in range(1, AT_ONCE + 11)]
    for stream in streams:
        stream.__enter__()
    first, second = here.due(0.0), here.due(1.0)
    assert (len(first), len(second), here.due(2.0)) == (AT_ONCE, 10, [])
    assert {note.table for note in first + second} == set(range(1, AT_ONCE + 11))
    assert [len(here.due(EVERY_S + step)) for step in range(3)] == [AT_ONCE, 10, 0]


def test_each_person_counts_once_whatever_process_holds_the_stream(valkey) -> None:
    now = time.time()
    members = ("n1@a", "n1@b", "u1@b", "u2@a", "u2@b", "v0@a", "v0@b")
    valkey.zadd(key_of(7), dict.fromkeys(members, now + 9) | {"n5@a": now - 1})
    assert watching(7, now) == Watching(frozenset({1}), frozenset({2}), 2)
    assert watching(7, now + 10) == Watching()


async def told(reader: Reader, spectators: int) -> None:
    """Wait until a stream says how many there are; what one process missed of another, it hears when it next looks."""
    async with asyncio.timeout(CHECK_S + 10):
        while (await reader.sent.get())["body"] != crowd(spectators):
            pass


def test_the_pages_of_a_table_learn_how_many_watch(valkey) -> None:
    async def scenario(hub: Hub) -> None:
        async with reading(hub, 7, make_token(7, 3)) as player, reading(hub, 8, make_token(8, 3)) as elsewhere:
            async with reading(hub, 7, make_token(7, 1, watches=True, is_named=True)) as first:
                await told(player, 1)
                async with reading(hub, 7, make_token(7, 0, watches=True)):
                    await told(player, 2)
                    await told(first, 2)
                    async with reading(hub, 7, make_token(7, 4)) as late:
                        assert (await late.next()).endswith(crowd(2))
                    assert await asyncio.to_thread(watching, 7, time.time()) == Watching(frozenset({1}), visitors=1)
                    assert 0 < valkey.ttl(key_of(7)) <= KEPT_S
            await told(player, 0)
            assert await asyncio.to_thread(watching, 7, time.time()) == Watching()
            heard = await elsewhere.next()
            while not elsewhere.sent.empty():
                heard += await elsewhere.next()
            assert b"watching" not in heard
        assert hub._watching == {}

    with_hub(scenario)


def test_two_processes_tell_each_other(valkey) -> None:
    async def scenario(hub: Hub) -> None:
        other = Hub(settings.LIVE_REDIS_URL)
        try:
            async with reading(hub, 7, make_token(7, 3)) as player:
                async with reading(other, 7, make_token(7, 1, watches=True)), reading(hub, 7, make_token(7, 2, watches=True)):
                    await told(player, 2)
                    async with reading(hub, 7, make_token(7, 1, watches=True)):  # the same person again
                        await asyncio.sleep(0)
                await told(player, 0)
        finally:
            await other.close()

    with_hub(scenario)


def test_many_tables_are_noted_in_parts(valkey) -> None:
    hub = Hub(settings.LIVE_REDIS_URL)
    tables = range(1, CROWDS_AT_ONCE + 3)
    notes = [spectators.Note(table, (f"n{table}@a",), ()) for table in tables]

    async def note() -> None:
        await hub._note_crowds(notes)
        await hub.close()

    asyncio.run(note())
    assert [watching(table, time.time()).named for table in tables] == [{table} for table in tables]


def test_without_valkey_nobody_is_known_to_watch(monkeypatch) -> None:
    monkeypatch.setattr(spectators, "_client", lambda: redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.1))
    assert watching(7, time.time()) == Watching()


def test_a_process_that_is_gone_leaves_no_number_behind(valkey, monkeypatch) -> None:
    monkeypatch.setattr("portal.live.hub.CHECK_S", 0.2)

    async def scenario(hub: Hub) -> None:
        await asyncio.to_thread(valkey.zadd, key_of(7), {"n1@gone": time.time() + 60, "u1@other": time.time() + 60})
        async with reading(hub, 7, make_token(7, 3)) as player:
            assert (await player.next()).endswith(crowd(2))
            await asyncio.to_thread(valkey.delete, key_of(7))  # as it is when a minute has passed
            await told(player, 0)

    with_hub(scenario)
