"""How many streams one holder has in several processes, and what becomes of those of a process that is gone."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import pytest
import redis
from django.conf import settings

from portal.live.hub import Hub
from portal.live.leases import EVERY_S, KEPT_S, Leases, key_of
from portal.live.places import NoPlace


@pytest.fixture(autouse=True)
def valkey() -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    return client


def in_processes(scenario: Callable[[Leases, Leases], Awaitable[None]], *urls: str, each: int = 2) -> None:
    """Run a scenario with the leases of two processes."""

    async def run() -> None:
        hubs = [Hub(url) for url in urls or (settings.LIVE_REDIS_URL,) * 2]
        here, there = (Leases(hub.connection, each) for hub in hubs)
        try:
            await scenario(here, there)
        finally:
            here.close()
            there.close()
            for hub in hubs:
                await hub.close()

    asyncio.run(run())


def test_two_processes_count_together_and_what_is_given_back_is_free(valkey) -> None:
    async def scenario(here: Leases, there: Leases) -> None:
        async with here.take("person 1"):
            async with there.take("person 1"):
                for leases in (here, there):
                    with pytest.raises(NoPlace):
                        async with leases.take("person 1"):
                            pass
                async with here.take("person 2"):
                    assert valkey.zcard(key_of("person 2")) == 1
                assert not valkey.exists(key_of("person 2"))
            async with here.take("person 1"):
                assert valkey.zcard(key_of("person 1")) == 2
                assert 0 < valkey.ttl(key_of("person 1")) <= KEPT_S
        assert not valkey.exists(key_of("person 1"))

    in_processes(scenario)


def test_many_at_once_get_no_more_than_there_are(valkey) -> None:
    async def scenario(here: Leases, there: Leases) -> None:
        async with contextlib.AsyncExitStack() as stack:
            taken = await asyncio.gather(
                *(stack.enter_async_context(leases.take("person 1")) for leases in (here, there) * 5), return_exceptions=True
            )
            assert [type(one) for one in taken].count(NoPlace) == 7

    in_processes(scenario, each=3)


def test_the_leases_of_a_process_that_is_gone_end_by_themselves(valkey) -> None:
    assert KEPT_S >= 2 * EVERY_S, "else a process that is slow once would lose its leases"

    async def scenario(here: Leases, there: Leases) -> None:
        now = time.time()
        valkey.zadd(key_of("person 1"), {"gone:1": now + KEPT_S, "gone:2": now + KEPT_S})
        with pytest.raises(NoPlace):
            async with here.take("person 1"):
                pass
        valkey.zadd(key_of("person 1"), {"gone:1": now - 1})
        async with here.take("person 1"):
            assert valkey.zscore(key_of("person 1"), "gone:1") is None

    in_processes(scenario)


def test_renewed_leases_are_noted_again_after_valkey_has_lost_them(valkey) -> None:
    async def scenario(here: Leases, there: Leases) -> None:
        async with here.take("person 1"):
            async with here.take("person 1"):
                held = list(here._held.items())
            valkey.flushdb()
            await here._renew(held)
            (lease,) = here._held
            assert [member.decode() for member in valkey.zrange(key_of("person 1"), 0, -1)] == [lease], "not the one that was given back"
            assert valkey.zscore(key_of("person 1"), lease) > time.time() + EVERY_S

    in_processes(scenario)


def test_without_valkey_nobody_is_refused_and_the_others_count_on(valkey) -> None:
    async def scenario(cut_off: Leases, there: Leases) -> None:
        async with cut_off.take("person 1"), cut_off.take("person 1"), cut_off.take("person 1"), there.take("person 1"):
            assert valkey.zcard(key_of("person 1")) == 1

    in_processes(scenario, "unix:///nowhere/valkey.sock?db=0", settings.LIVE_REDIS_URL)
