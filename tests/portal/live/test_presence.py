"""What is noted of open streams, and of whom."""

from __future__ import annotations

import asyncio

import pytest
import redis
from django.conf import settings

from portal.live import presence
from portal.live.breaker import Breaker
from portal.live.hub import Hub
from portal.live.tokens import make_token, read_token
from tests.portal.live.test_hub import reading, with_hub


@pytest.fixture(autouse=True)
def valkey(monkeypatch) -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    monkeypatch.setattr(presence, "_breaker", Breaker(pause_s=1.0))
    return client


def test_a_token_says_whether_its_viewer_is_shown() -> None:
    for shown in (True, False):
        token = make_token(7, 1, is_shown=shown)
        assert (read_token(token, 7).viewer, read_token(token, 7).is_shown) == (1, shown)


def test_the_hub_notes_open_streams_of_those_who_show_it(valkey) -> None:
    tokens = ((7, make_token(7, 1, is_shown=True)), (8, make_token(8, 1, is_shown=True)), (7, make_token(7, 2)))

    async def scenario(hub: Hub) -> None:
        async with reading(hub, *tokens[0]), reading(hub, *tokens[1]), reading(hub, *tokens[2]):
            for _ in range(50):
                await asyncio.sleep(0.1)
                if valkey.keys("here:*"):
                    break
            assert await asyncio.to_thread(presence.where_are, [1, 2, 3]) == {1: frozenset({7, 8})}
            assert 0 < valkey.ttl(presence.stream_key(1)) <= presence.STREAM_KEPT_S
        assert hub._present.due(1e9) == {}

    with_hub(scenario)


def test_each_person_is_noted_now_and_then_and_when_their_tables_change() -> None:
    present = presence.Present()
    with present.counted(1, 7):
        assert present.due(0.0) == {"here:1:tables": "7"}
        assert present.due(presence.EVERY_S - 1) == {}
        with present.counted(1, 7), present.counted(1, 9), present.counted(2, -4):
            assert present.due(presence.EVERY_S - 1) == {"here:1:tables": "9,7", "here:2:tables": ""}
        assert present.due(presence.EVERY_S - 1) == {"here:1:tables": "7"}
        assert present.due(2 * presence.EVERY_S) == {"here:1:tables": "7"}
    assert present.due(1e9) == {}


def test_a_page_is_noted_without_a_stream(valkey) -> None:
    presence.seen(4)
    valkey.set(presence.stream_key(5), "12,7")
    assert presence.where_are([4, 5, 6]) == {4: frozenset(), 5: frozenset({7, 12})}
    assert 0 < valkey.ttl(presence.page_key(4)) <= presence.PAGE_KEPT_S
    assert presence.where_are([]) == {}
