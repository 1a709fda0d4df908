"""Do the queues move? Each worker says every second what it takes; it ends itself when work waits and it takes none.

A worker can stop asking for work without an error: if Valkey stalls while a message is acknowledged, the client library keeps the message among
those delivered and never asks for the next one. The watch does not depend on the cause. Whoever started the worker starts it again, and what it
held goes back into the queue.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis

log = logging.getLogger(__name__)

PRIORITIES = ("", *(f"\x06\x16{step}" for step in (3, 6, 9)))  # kombu has a list for each priority of a queue
KEY = "pulses"  # a hash in the database of live versions: worker -> JSON
EVERY_S = 1.0
STUCK_AFTER_S = 5.0  # work waits, the worker does nothing and takes nothing
GONE_AFTER_S = 3.0  # the worker says nothing
TIMEOUT_S = 1.0


@dataclass(frozen=True)
class Pulse:
    """What a worker said last. Times are seconds since 1970 by the clock of Valkey, because machines may not agree about the time."""

    queues: Sequence[str]  # which it serves
    at: float
    waiting: int  # messages in its queues
    is_busy: bool
    taken_at: float  # the last message, or the worker's start

    def to_json(self) -> str:
        return json.dumps([self.queues, self.at, self.waiting, self.is_busy, self.taken_at])

    @classmethod
    def from_json(cls, text: bytes) -> Pulse:
        return cls(*json.loads(text))

    def is_gone(self, now: float) -> bool:
        return now - self.at > GONE_AFTER_S

    def is_stuck(self, now: float) -> bool:
        return self.waiting > 0 and not self.is_busy and now - self.taken_at > 2 * STUCK_AFTER_S


class Attention:
    """Decides from one sample after another whether the worker is stuck."""

    def __init__(self, patience_s: float = STUCK_AFTER_S) -> None:
        self._patience_s = patience_s
        self._since: float | None = None  # since when every sample had work waiting and nothing done

    def is_stuck(self, now: float, waiting: int, is_busy: bool, taken_at: float) -> bool:
        """Take a sample in; `now` and `taken_at` are seconds of the same clock."""
        if not waiting or is_busy:
            self._since = None
            return False
        if self._since is None or taken_at > self._since:
            self._since = now
        return now - self._since >= self._patience_s

    def forget(self) -> None:
        """The broker did not answer: what was seen before says nothing."""
        self._since = None


class Heart(threading.Thread):
    """Runs in a worker: tells its pulse, and calls `give_up` once if the worker is stuck."""

    def __init__(
        self,
        worker: str,
        queues: Sequence[str],
        *,
        broker_url: str,
        live_url: str,
        is_busy: Callable[[], bool],
        give_up: Callable[[], None],
    ) -> None:
        super().__init__(name="pulse", daemon=True)
        self.worker, self.queues = worker, queues
        self._is_busy, self._give_up = is_busy, give_up
        options = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S}
        self._broker = redis.Redis.from_url(broker_url, **options)
        self._live = redis.Redis.from_url(live_url, **options)
        self._taken_at = time.time()
        self._attention = Attention()

    def took(self) -> None:
        """Say that the worker has taken a message."""
        self._taken_at = time.time()

    def beat(self) -> bool:
        """Tell the pulse; return whether the worker is stuck. Raises redis.RedisError or OSError if the broker does not answer."""
        waiting = _waiting(self._broker, self.queues)
        at, is_busy = now(self._live), self._is_busy()
        here = time.time()
        self._live.hset(KEY, self.worker, Pulse(self.queues, at, waiting, is_busy, at - (here - self._taken_at)).to_json())
        return self._attention.is_stuck(here, waiting, is_busy, self._taken_at)

    def run(self) -> None:
        while True:
            time.sleep(EVERY_S)
            try:
                is_stuck = self.beat()
            except (redis.RedisError, OSError):
                self._attention.forget()
                continue
            if is_stuck:
                log.error(
                    "worker %s takes nothing although work waits in %s: it ends, to be started again", self.worker, ", ".join(self.queues)
                )
                self._give_up()
                return


def now(live: redis.Redis) -> float:
    """Return the time by Valkey's clock. Raises redis.RedisError or OSError."""
    seconds, microseconds = live.time()
    return float(seconds) + microseconds / 1e6


def read(live: redis.Redis) -> dict[str, Pulse]:
    """Return the last pulse of each worker. Raises redis.RedisError or OSError."""
    told: Mapping[Any, Any] = live.hgetall(KEY)
    return {worker.decode(): Pulse.from_json(text) for worker, text in told.items()}


def _waiting(broker: redis.Redis, queues: Sequence[str]) -> int:
    """Return how many messages wait in these queues, of every priority."""
    with broker.pipeline(transaction=False) as together:
        for queue in queues:
            for suffix in PRIORITIES:
                together.llen(queue + suffix)
        return sum(together.execute())


def health(live: redis.Redis, broker: redis.Redis, queues: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return for each queue: "state" (moving, stuck, no worker), "waiting" messages, "taken_s" and "seen_s" ago (None without a worker).

    Raises redis.RedisError or OSError.
    """
    at = now(live)
    pulses = read(live)
    found = {}
    for queue in queues:
        known = [pulse for pulse in pulses.values() if queue in pulse.queues]
        fresh = [pulse for pulse in known if not pulse.is_gone(at)]
        state = "no worker" if not fresh else "stuck" if all(pulse.is_stuck(at) for pulse in fresh) else "moving"
        found[queue] = {
            "state": state,
            "waiting": _waiting(broker, [queue]),
            "taken_s": round(at - max(pulse.taken_at for pulse in known), 1) if known else None,
            "seen_s": round(at - max(pulse.at for pulse in known), 1) if known else None,
        }
    return found
