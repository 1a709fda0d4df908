"""The supervisor's second look at the queues: a worker that says nothing, or says that it takes nothing, is started again.

A worker notices by itself that it is stuck (`pulse`), unless it is frozen or its interpreter hangs. Then only somebody else can.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import redis

from portal.supervisor import pulse

EVERY_S = 0.5
TIMEOUT_S = 0.3  # the supervisor waits for the answer
SILENT_S = 3.0  # a worker says something every second
PATIENCE_S = 8.0  # longer than a worker takes to notice by itself that it is stuck
START_WITHIN_S = 40.0  # on a busy machine a worker is this long silent before its first pulse


class Moving:
    """Watches the pulses of `workers` (service -> name of its pulse), and calls `restart(service, why)`.

    `age_of(service)` gives the seconds since it was started last.
    """

    def __init__(
        self, live_url: str, workers: Mapping[str, str], restart: Callable[[str, str], None], age_of: Callable[[str], float]
    ) -> None:
        self._workers = workers
        self._restart = restart
        self._age_of = age_of
        self._live = redis.Redis.from_url(live_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
        self._answers_since: float | None = None
        self._look_at = 0.0

    def tick(self) -> None:
        """Look twice a second, and less often at a Valkey that does not answer."""
        if time.monotonic() >= self._look_at:
            self.look()
            self._look_at = time.monotonic() + (EVERY_S if self._answers_since is not None else 3 * EVERY_S)

    def look(self, now: float | None = None) -> None:
        """Restart every worker that has been silent or stuck for too long while Valkey answered all the time.

        `now` is in seconds since 1970, by Valkey's clock if it is left out.
        """
        try:
            now = pulse.now(self._live) if now is None else now
            pulses = pulse.read(self._live)
        except (redis.RedisError, OSError):
            self._answers_since = None
            return
        if self._answers_since is None:
            self._answers_since = now
        answered_s = now - self._answers_since
        for service, worker in self._workers.items():
            last, age_s = pulses.get(worker), self._age_of(service)
            has_begun = last is not None and last.at > now - age_s
            if not has_begun and age_s < START_WITHIN_S:
                continue
            if why := _fault(last, now, answered_s):
                self._answers_since = now  # each gets some time to start again
                self._restart(service, why)


def _fault(last: pulse.Pulse | None, now: float, answered_s: float) -> str:
    """Return what is wrong with a worker, or nothing; `answered_s` is for how long Valkey has answered without a break."""
    if answered_s < SILENT_S:
        return ""
    if last is None:
        return "it never said that it works"
    if now - last.at > SILENT_S:
        return f"it has said nothing for {now - last.at:.0f} s"
    if answered_s >= PATIENCE_S and last.waiting and not last.is_busy and now - last.taken_at > PATIENCE_S + pulse.STUCK_AFTER_S:
        return f"work waits, and it has taken nothing for {now - last.taken_at:.0f} s"
    return ""
