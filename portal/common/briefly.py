"""A value from the database that every request asks for, read once in a while by each process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

from django.db import Error

log = logging.getLogger(__name__)

V = TypeVar("V")


class Briefly(Generic[V]):
    """Holds what `read` returned, for `seconds`. One thread reads; others take what there is meanwhile.

    While the database is away the last value stays, at first `otherwise`, so that whoever asks never fails.

    >>> numbers = iter(range(10))
    >>> kept = Briefly(lambda: next(numbers), 60, otherwise=-1)
    >>> kept.get(), kept.get(), kept.forget(), kept.get()
    (0, 0, None, 1)
    """

    def __init__(self, read: Callable[[], V], seconds: float, *, otherwise: V) -> None:
        self._read, self._seconds = read, seconds
        self._value = otherwise
        self._until = 0.0
        self._reading = threading.Lock()

    def get(self) -> V:
        if monotonic() >= self._until and self._reading.acquire(blocking=self._until == 0.0):
            try:
                if monotonic() >= self._until:
                    self._renew()
            finally:
                self._reading.release()
        return self._value

    def _renew(self) -> None:
        try:
            self._value = self._read()
        except Error as error:
            log.warning("not read, the last value stays: %s", type(error).__name__)
        self._until = monotonic() + self._seconds

    def put(self, value: V, seconds: float) -> None:
        """Hold a value without reading it."""
        self._value, self._until = value, monotonic() + seconds

    def forget(self) -> None:
        """Let the next one who asks read again, and everybody wait for it."""
        self._until = 0.0
