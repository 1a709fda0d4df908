"""The cache of the site: it reads as empty while Valkey is down or doesn't answer, so that pages, sessions and sign-in still work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

from portal.live.breaker import Breaker, LeftAlone

log = logging.getLogger(__name__)

MOST_STALE = 10_000


class Shared:
    """What all threads of a process know about one cache server: whether to ask it, and the keys whose new values it missed."""

    def __init__(self) -> None:
        self.breaker = Breaker()
        self._lock = threading.Lock()
        self._stale: set[str] | None = set()  # None: all

    def missed(self, keys: Iterable[str] | None) -> None:
        """Remember keys that hold an old value; None stands for all keys."""
        with self._lock:
            if keys is not None and self._stale is not None:
                self._stale.update(keys)
            if keys is None or self._stale is None or len(self._stale) > MOST_STALE:
                self._stale = None

    def tidy(self, client: RedisCacheClient) -> None:
        """Delete the old values from the server."""
        if self._stale == set():
            return
        with self._lock:  # nobody reads before they are gone
            if self._stale is None:
                client.clear()
            elif self._stale:
                client.delete_many(self._stale)
            self._stale = set()


@cache
def shared(server: str) -> Shared:
    return Shared()


class OneClient(RedisCacheClient):
    """Makes one client for each server, not one for each question: that took as long as the answer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._clients: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]
        client = self._clients.get(id(pool))
        if client is None:
            client = self._clients[id(pool)] = super().get_client(key, write=write)
        return client


class TolerantRedisCache(RedisCache):
    """Reads miss and writes are dropped while the server can't be reached; `incr` raises ValueError as for a lost key.

    Keys whose writes were dropped are deleted before the server is asked again: it shows no session that was closed meanwhile.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    @property
    def _known(self) -> Shared:
        return shared(";".join(self._servers))  # type: ignore[attr-defined]  # the stubs lack it

    def _ask(self, call: Callable[[], Any]) -> Any:
        def ask() -> Any:
            self._known.tidy(self._cache)
            return call()

        return self._known.breaker.call(ask)

    def _try(self, call: Callable[[], Any], otherwise: Any, writes: Iterable[Any] | None = (), version: int | None = None) -> Any:
        """Call the server. If it is away, return `otherwise` and remember the keys that would have been written (None: all)."""
        try:
            return self._ask(call)
        except (RedisError, OSError) as error:
            if not isinstance(error, LeftAlone):
                log.warning("cache is away: %s", error)
            self._known.missed(None if writes is None else [self.make_key(key, version=version) for key in writes])
            return otherwise

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).add(*args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._try(lambda: super(TolerantRedisCache, self).set(key, value, timeout, version), None, [key], version)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).touch(*args, **kwargs), False)

    def delete(self, key: Any, version: int | None = None) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).delete(key, version), False, [key], version)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).get_many(*args, **kwargs), {})

    def set_many(self, data: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).set_many(data, timeout, version), [], data, version)

    def delete_many(self, keys: Any, version: int | None = None) -> None:
        keys = list(keys)  # read twice
        self._try(lambda: super(TolerantRedisCache, self).delete_many(keys, version), None, keys, version)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).has_key(*args, **kwargs), False)

    def incr(self, key: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._ask(lambda: super(TolerantRedisCache, self).incr(key, *args, **kwargs))
        except (RedisError, OSError) as error:
            raise ValueError(f"cannot count {key!r} now") from error

    def clear(self) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).clear(), False, None)
