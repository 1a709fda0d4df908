"""A server that doesn't answer is left alone for a while, so that each request loses time at most twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

Result = TypeVar("Result")
FAILURES = 2  # in a row


class LeftAlone(RedisConnectionError):
    """The server wasn't asked, because it has just failed."""


class Breaker:
    """Passes calls on to a server. After `FAILURES` failures in a row it refuses them for `pause_s`; then one call tries again.

    Threads share it; `clock` gives seconds.
    """

    def __init__(self, pause_s: float = 5.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._pause_s = pause_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._again_at = 0.0

    def call(self, ask: Callable[[], Result]) -> Result:
        """Return what `ask` returns. Raises LeftAlone without asking, and RedisError or OSError as `ask` does."""
        self._let_through()
        try:
            result = ask()
        except (RedisError, OSError):
            with self._lock:
                self._failures += 1
                self._again_at = self._clock() + self._pause_s
            raise
        self._failures = 0
        return result

    def _let_through(self) -> None:
        if self._failures < FAILURES:
            return
        with self._lock:
            if self._failures >= FAILURES:
                if self._clock() < self._again_at:
                    raise LeftAlone
                self._again_at = self._clock() + self._pause_s  # while this call tries, others wait for its result
