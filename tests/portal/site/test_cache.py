"""The cache while its server doesn't answer: asked twice, then left alone; no old value afterwards."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from portal.common import cache as caching
from portal.common.cache import TolerantRedisCache
from portal.live import publish
from portal.live.breaker import Breaker, LeftAlone


class Server:
    """A cache server that can be frozen; it counts what it is asked."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.is_frozen = False
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        def ask(*args: Any) -> Any:
            self.asked += 1
            if self.is_frozen:
                raise RedisTimeoutError("Timeout reading from socket")
            return getattr(Server, f"do_{name}")(self, *args)

        return ask

    def do_get(self, key: str, default: Any) -> Any:
        return self.kept.get(key, default)

    def do_set(self, key: str, value: Any, timeout: int | None) -> None:
        self.kept[key] = value

    def do_set_many(self, data: dict[str, Any], timeout: int | None) -> None:
        self.kept.update(data)

    def do_delete(self, key: str) -> bool:
        return self.kept.pop(key, None) is not None

    def do_delete_many(self, keys: set[str]) -> None:
        for key in keys:
            self.kept.pop(key, None)

    def do_incr(self, key: str, delta: int) -> int:
        if key not in self.kept:
            raise ValueError(key)
        self.kept[key] += delta
        return int(self.kept[key])

    def do_clear(self) -> bool:
        self.kept.clear()
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(server: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> TolerantRedisCache:
    known = caching.Shared()
    known.breaker = Breaker(pause_s=5.0, clock=clock)
    monkeypatch.setattr(caching, "shared", lambda _name: known)
    made = TolerantRedisCache("redis://127.0.0.1:1/0", {})
    made.__dict__["_cache"] = server
    return made


def test_a_frozen_server_is_asked_twice_and_then_once_in_a_while(cache: TolerantRedisCache, server: Server, clock: Clock) -> None:
    server.is_frozen = True
    for _ in range(50):
        assert cache.get("session", "none") == "none"
    assert server.asked == 2
    clock.now += 5.0
    for _ in range(50):
        assert cache.get("session", "none") == "none"
    assert server.asked == 3
    server.is_frozen = False
    clock.now += 5.0
    cache.set("session", 1)
    assert cache.get("session") == 1
    assert cache.get("session") == 1


def test_failures_that_do_not_follow_each_other_leave_the_server_in_use(cache: TolerantRedisCache, server: Server) -> None:
    for _ in range(10):
        server.is_frozen = True
        assert cache.get("session") is None
        server.is_frozen = False
        assert cache.get("other", "none") == "none"
    assert server.asked == 20


@pytest.mark.parametrize(
    "write",
    [
        lambda cache: cache.delete("session"),
        lambda cache: cache.set("session", "new"),
        lambda cache: cache.set_many({"session": "new"}),
        lambda cache: cache.delete_many(["session"]),
        lambda cache: cache.clear(),
    ],
)
def test_a_value_whose_change_was_missed_is_never_read_again(cache: TolerantRedisCache, server: Server, clock: Clock, write: Any) -> None:
    cache.set("session", "old")
    server.is_frozen = True
    for _ in range(3):  # the third is not even tried
        write(cache)
    server.is_frozen = False
    clock.now += 5.0
    assert cache.get("session") is None
    cache.set("session", "newest")
    assert cache.get("session") == "newest"


def test_too_many_missed_changes_empty_the_cache(
    cache: TolerantRedisCache, server: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "MOST_STALE", 3)
    cache.set("untouched", 1)
    server.is_frozen = True
    for number in range(4):
        cache.set(f"session-{number}", 1)
    server.is_frozen = False
    clock.now += 5.0
    assert cache.get("untouched") is None


def test_counting_says_at_once_that_it_cannot(cache: TolerantRedisCache, server: Server) -> None:
    server.is_frozen = True
    for _ in range(5):
        with pytest.raises(ValueError, match="cannot count"):
            cache.incr("limit")
    assert server.asked == 2


def test_a_server_that_is_away_is_logged_when_it_was_asked(
    cache: TolerantRedisCache, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.is_frozen = True
    with caplog.at_level(logging.WARNING, "portal.common.cache"):
        for _ in range(20):
            cache.get("session")
    assert [record.getMessage() for record in caplog.records] == ["cache is away: Timeout reading from socket"] * 2


def test_a_breaker_passes_on_faults_of_the_server_alone(clock: Clock) -> None:
    breaker = Breaker(clock=clock)

    def fail(error: Exception) -> None:
        raise error

    for _ in range(5):
        with pytest.raises(KeyError):
            breaker.call(lambda: fail(KeyError("ours")))
    for _ in range(2):
        with pytest.raises(OSError, match="reset"):
            breaker.call(lambda: fail(OSError("reset")))
    with pytest.raises(LeftAlone):
        breaker.call(lambda: 1)
    clock.now += 5.0
    assert breaker.call(lambda: 1) == 1
    assert breaker.call(lambda: 2) == 2


def test_versions_are_published_to_a_frozen_server_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Frozen:
        def eval(self, *_args: object) -> None:
            asked.append(1)
            raise RedisConnectionError

    monkeypatch.setattr(publish, "_client", Frozen)
    monkeypatch.setattr(publish, "_breaker", Breaker(clock=Clock()))
    assert [publish.publish_version(1, number) for number in range(20)] == [False] * 20
    assert len(asked) == 2
