"""Beat on several machines: all of them keep the time, and one of them, which holds a lock in Valkey, sends what is due."""

from __future__ import annotations

import os
import socket
import time
from typing import Any

import redis
from celery.beat import PersistentScheduler
from django.conf import settings

KEY = "beat"  # in the database of live versions: the name of the one that works
HELD_S = 8.0  # how long it may say nothing before another takes its place
_CLAIM = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_LEAVE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class Place:
    """The place of the one beat that works. `name` says who asks; a beat that starts again under its name has its place at once."""

    def __init__(self, url: str, name: str, held_s: float = HELD_S) -> None:
        self._live = redis.Redis.from_url(url, **settings.REDIS_OPTIONS)
        self._name, self._held_s = name, held_s
        self._ours_until = 0.0

    def claim(self) -> bool:
        """Take or keep the place if nobody else has it; return whether it is ours."""
        asked_at = time.monotonic()
        try:
            ours = self._live.eval(_CLAIM, 1, KEY, self._name, int(self._held_s * 1000))
        except (redis.RedisError, OSError):
            return self.is_ours()
        self._ours_until = asked_at + self._held_s if ours else 0.0
        return bool(ours)

    def is_ours(self) -> bool:
        """Return whether the last claim still holds, without asking. The claim ends here no later than in Valkey."""
        return time.monotonic() < self._ours_until

    def leave(self) -> None:
        """Free the place for another at once."""
        self._ours_until = 0.0
        try:
            self._live.eval(_LEAVE, 1, KEY, self._name)
        except (redis.RedisError, OSError):
            pass  # it frees itself


class Clock(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler, which advances everywhere and sends only where the place is held. So nothing is sent twice when it changes hands."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = settings.WORKER_NAME or f"beat@{socket.gethostname()}:{os.getpid()}"
        self.place = Place(settings.LIVE_REDIS_URL, name)
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        self.place.claim()
        return float(super().tick(*args, **kwargs))

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        if self.place.is_ours():
            super().apply_entry(entry, producer=producer)

    def close(self) -> None:
        self.place.leave()
        super().close()
