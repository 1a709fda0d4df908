"""The cache of the site: an empty cache while Valkey is away, so that pages, sessions and sign-in go on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


class TolerantRedisCache(RedisCache):
    """Reads miss and writes are dropped while the server cannot be reached; `incr` raises ValueError as for a lost key."""

    def _try(self, call: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return call()
        except (RedisError, OSError) as error:
            log.warning("cache is away: %s", error)
            return otherwise

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).add(*args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).get(key, default, version), default)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._try(lambda: super(TolerantRedisCache, self).set(*args, **kwargs), None)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).touch(*args, **kwargs), False)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).delete(*args, **kwargs), False)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).get_many(*args, **kwargs), {})

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).set_many(*args, **kwargs), [])

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._try(lambda: super(TolerantRedisCache, self).delete_many(*args, **kwargs), None)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).has_key(*args, **kwargs), False)

    def incr(self, key: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().incr(key, *args, **kwargs)
        except (RedisError, OSError) as error:
            log.warning("cache is away: %s", error)
            raise ValueError(f"cannot count {key!r} now") from error

    def clear(self) -> Any:
        return self._try(lambda: super(TolerantRedisCache, self).clear(), False)
