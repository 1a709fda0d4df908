"""Signs of life come in time, and never to all streams at once."""

from __future__ import annotations

import asyncio
from unittest import mock

from portal.live.keep_alive import HASTE, PULSE, STEP_S, KeepAlive

EVERY_S = 15.0
STREAMS = 3000


def test_streams_that_were_opened_together_are_told_a_few_at_a_time() -> None:
    async def scenario() -> None:
        alive = KeepAlive(EVERY_S)
        queues: list[asyncio.Queue[int | None]] = [asyncio.Queue(8) for _ in range(STREAMS)]
        loop = asyncio.get_running_loop()
        now = loop.time()
        with mock.patch.object(loop, "time", return_value=now):  # on a busy machine, it would take longer than a step
            for queue in queues:
                alive.add(queue)
        alive.tell(now + EVERY_S - STEP_S)
        assert all(queue.empty() for queue in queues), "none is told too early"
        told, steps = 0, 0
        while told < STREAMS:
            before, steps = told, steps + 1
            alive.tell(now + EVERY_S + steps * STEP_S)
            told = sum(not queue.empty() for queue in queues)
            assert 0 < told - before <= HASTE * STREAMS * STEP_S / EVERY_S
        assert steps * STEP_S <= EVERY_S / HASTE + STEP_S
        assert [queue.qsize() for queue in queues] == [1] * STREAMS

    asyncio.run(scenario())


def test_a_stream_that_is_closed_or_has_news_is_not_told() -> None:
    async def scenario() -> None:
        alive = KeepAlive(EVERY_S)
        closed, busy, quiet = (asyncio.Queue[int | None](8) for _ in range(3))
        for queue in (closed, busy, quiet):
            alive.add(queue)
        alive.discard(closed)
        busy.put_nowait(7)
        now = asyncio.get_running_loop().time()
        for step in range(3):
            alive.tell(now + EVERY_S + step)
        assert (closed.qsize(), busy.qsize()) == (0, 1)
        assert quiet.get_nowait() == PULSE
        for step in range(3):
            alive.tell(now + 2 * EVERY_S + 2 + step)
        assert quiet.get_nowait() == PULSE, "and again after the same time"

    asyncio.run(scenario())
