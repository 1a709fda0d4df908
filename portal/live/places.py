"""How much of the web server one address may hold at a time, and all of them together; and how often one may be wrong.

Counted in the event loop of one web process, so without locks. Whoever finds no place gets a 503 with `Retry-After` at once, because waiting
would cost what the limit protects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic


class NoPlace(Exception):
    """All places are taken, or this address already holds its share."""


class Places:
    """`in_all` places, at most `each` of them for one address. `tell` is called with the number of places taken whenever it changes."""

    def __init__(self, in_all: int, each: int) -> None:
        self.in_all = in_all
        self.each = each
        self.taken = 0
        self.tell: Callable[[int], None] = lambda taken: None
        self._by_address: Counter[str] = Counter()

    @contextmanager
    def take(self, address: str) -> Iterator[None]:
        """Hold a place within the block. Raises NoPlace."""
        if self.taken >= self.in_all or self._by_address[address] >= self.each:
            raise NoPlace
        self.taken += 1
        self.tell(self.taken)
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.taken -= 1
            self.tell(self.taken)
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


class Strikes:
    """Wrong guesses by address: `most` in `window_s` seconds."""

    def __init__(self, most: int, window_s: float) -> None:
        self.most = most
        self.window_s = window_s
        self._by_address: Counter[str] = Counter()
        self._until = 0.0

    def add(self, address: str) -> None:
        self._tidy()
        self._by_address[address] += 1

    def are_out(self, address: str) -> bool:
        """Say whether an address has no guesses left in this window."""
        self._tidy()
        return self._by_address.get(address, 0) >= self.most

    def _tidy(self) -> None:
        """All windows end together, so nothing is kept longer than one."""
        if (now := monotonic()) >= self._until:
            self._by_address.clear()
            self._until = now + self.window_s
