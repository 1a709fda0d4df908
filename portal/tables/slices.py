"""Slices of a worker's time, so that a long answer lets others on."""

from __future__ import annotations

import time
from typing import Final

WAITED_S: Final = 3.0  # by the clock; a task that takes 8 s is interrupted, and its answer is lost (tasks.think)


class Slice:
    """A slice of `seconds` of processor time. Where the processor is shared with too many others it ends sooner, by the clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._spent, self._at = time.process_time(), time.monotonic()

    @property
    def spent(self) -> float:
        """Processor time since the slice began, in seconds."""
        return time.process_time() - self._spent

    @property
    def is_over(self) -> bool:
        return self.spent > self.seconds or time.monotonic() - self._at > WAITED_S
