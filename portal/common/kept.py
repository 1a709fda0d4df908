"""Answers that are alike for many readers, kept in the process for as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by key, up to `most_bytes` of what `size` says of each; those that were asked for longest ago go first.

    >>> kept = Kept(6, len)
    >>> kept.put("a", "abc"), kept.put("b", "de"), kept.get("a"), kept.put("c", "fg")
    (None, None, 'abc', None)
    >>> kept.get("b"), kept.get("a"), kept.get("c")
    (None, 'abc', 'fg')
    """

    def __init__(self, most_bytes: int, size: Callable[[V], int]) -> None:
        self._most_bytes, self._size = most_bytes, size
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: V) -> None:
        with self._lock:
            before = self._values.pop(key, None)
            self._bytes += self._size(value) - (0 if before is None else self._size(before))
            self._values[key] = value
            while self._bytes > self._most_bytes:
                self._bytes -= self._size(self._values.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._bytes = 0
