"""What the people at the tables sent and what was answered; what probes saw. Everything that is checked afterwards starts here.

All times are seconds since 1970, so that they can be compared with the times of records in the database.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["accepted", "refused", "busy", "unknown"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request to act. `version` is the one that it expected, `counted` the one that an accepting answer names; `by` is as in its record.

    "busy": somebody holds the table, nothing was changed. "unknown": no answer, or one that doesn't tell whether the action counts.
    """

    table: int
    version: int
    seat: int
    text: str
    by: str
    outcome: Outcome
    status: int
    sent: float
    done: float
    counted: int = 0

    @property
    def key(self) -> tuple[int, int, int, str, str]:
        """Return what makes two attempts the same request."""
        return self.table, self.version, self.seat, self.text, self.by


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a table's log in the database."""

    table: int
    seq: int
    version: int
    actor: int
    text: str
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class Hold:
    """A span in which a fault was kept up; `table` is the only table concerned, if there is one."""

    begin: float
    end: float
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """One look at something that should work."""

    sent: float
    done: float
    worked: bool


@dataclass
class Journal:
    """What several threads write down."""

    attempts: list[Attempt] = field(default_factory=list)
    looks: dict[str, list[Look]] = field(default_factory=dict)  # by the name of the probe
    broken: list[str] = field(default_factory=list)  # answers that no fault excuses
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def attempt(self, attempt: Attempt) -> None:
        with self._lock:
            self.attempts.append(attempt)

    def look(self, probe: str, sent: float, worked: bool) -> None:
        """Write down a look that ends now."""
        with self._lock:
            self.looks.setdefault(probe, []).append(Look(sent, time.time(), worked))

    def breach(self, what: str) -> None:
        """Write down an answer that is wrong whatever happens to the portal."""
        with self._lock:
            self.broken.append(what)

    def looks_of(self, probe: str) -> list[Look]:
        with self._lock:
            return list(self.looks.get(probe, ()))

    def actions(self, since: float) -> list[Look]:
        """Return the attempts since then as looks: did somebody get an answer? Busy tables are told so on purpose."""
        with self._lock:
            recent = [attempt for attempt in self.attempts if attempt.done > since and attempt.outcome != "busy"]
        return [Look(attempt.sent, attempt.done, attempt.outcome != "unknown") for attempt in recent]

    def accepted(self) -> int:
        with self._lock:
            return sum(attempt.outcome == "accepted" for attempt in self.attempts)


def recovered(looks: Iterable[Look], since: float) -> float | None:
    """Return the seconds from `since` until the first look that worked after the last one that did not; None while nothing works.

    0.0 means that every look since then worked: there was no interruption.
    """
    seen = [look for look in looks if look.done > since]
    return 0.0 if seen and all(look.worked for look in seen) else heard_again(seen, since)


def heard_again(looks: Iterable[Look], since: float) -> float | None:
    """Return the seconds as `recovered` does, but also if nothing failed: for what nobody asks for, as the next event of a stream."""
    seen = sorted((look for look in looks if look.done > since), key=lambda look: look.sent)
    failed = [look.sent for look in seen if not look.worked]
    good = [look for look in seen if look.worked and (not failed or look.sent > failed[-1])]
    return max(0.0, good[0].done - since) if good else None
