"""One timer for all streams of a process: each gets a sign of life now and then, a few at a time, never all at once."""

from __future__ import annotations

import asyncio
from collections import deque
from math import ceil
from typing import Final

PULSE: Final = -1  # in a reader's queue: nothing new, but say that the stream is alive
TALK: Final = -2  # likewise: something was said in the chat
NEWS: Final = -3  # likewise: operators have something to say to everybody
WATCHING: Final = -4  # likewise: the number of spectators has changed
STEP_S: Final = 0.05
HASTE: Final = 2  # streams that were opened together are told so many times faster than evenly, at most

Queue = asyncio.Queue[int | None]


class KeepAlive:
    """The queues of the open streams, each told `every_s` seconds after the last time.

    A timer for each stream, set and cancelled again with each message, cost several times as much, and streams that had been opened
    together were told together, while pages waited.
    """

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._step_s = min(STEP_S, every_s / 2)
        self._due: deque[tuple[float, Queue]] = deque()
        self._open: set[Queue] = set()

    def add(self, queue: Queue) -> None:
        self._open.add(queue)
        self._due.append((asyncio.get_running_loop().time() + self._every_s, queue))

    def discard(self, queue: Queue) -> None:
        self._open.discard(queue)

    async def run(self) -> None:
        """Tell those whose time has come, for as long as the task lives."""
        while True:
            await asyncio.sleep(self._step_s)
            self.tell(asyncio.get_running_loop().time())

    def tell(self, now: float) -> None:
        """Tell one step's share of those who are due at `now`."""
        for _ in range(ceil(HASTE * len(self._due) * self._step_s / self._every_s)):
            if not self._due or self._due[0][0] > now:
                return
            _, queue = self._due.popleft()
            if queue not in self._open:
                continue
            if queue.empty():  # else there is something to tell anyway
                queue.put_nowait(PULSE)
            self._due.append((now + self._every_s, queue))
