"""What long commands show: the steps they have done on stdout, and a progress bar on stderr if that is a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from types import TracebackType

from django.core.management.base import OutputWrapper


class Bar:
    """`with Bar("games", 400) as bar: bar.at(n)`. Draws at most ten times a second, and only on a terminal."""

    WIDTH = 30

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total = what, total
        self.done = 0
        self._shown = 0.0
        self._start = time.monotonic()
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._live and self.done:
            self._draw()
            sys.stderr.write("\n")

    def at(self, done: int) -> None:
        """Say that `done` of the total are done."""
        self.done = done
        now = time.monotonic()
        if self._live and now - self._shown > 0.1:
            self._shown = now
            self._draw()

    def _draw(self) -> None:
        part = min(1.0, self.done / self.total) if self.total else 1.0
        full = round(part * self.WIDTH)
        spent = time.monotonic() - self._start
        left = f", {spent / part - spent:.0f} s left" if 0 < part < 1 else f", {spent:.1f} s"
        sys.stderr.write(f"\r{'█' * full}{'·' * (self.WIDTH - full)} {self.done}/{self.total} {self.what}{left}   ")
        sys.stderr.flush()


@contextlib.contextmanager
def step(out: OutputWrapper, name: str) -> Iterator[None]:
    """Show the current step, then a tick and the seconds it took."""
    start = time.monotonic()
    live = out.isatty()
    if live:
        out.write(f"  … {name}", ending="")
        out.flush()
    try:
        yield
    except BaseException:
        if live:
            out.write("")
        raise
    back = "\r" if live else ""
    out.write(f"{back}  ✓ {name:<24}{time.monotonic() - start:5.1f} s")
    out.flush()
