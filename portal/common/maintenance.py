"""Is the site being worked on? Then it can be read, and nothing else: `portal.site.middleware` refuses, workers rest, clocks stand still.

Every request and every task asks, so each process reads the row only once in `KEPT_S`. A start or an end is therefore set some seconds ahead
(`portal.tables.upkeep`): by then all processes know, and all of them change at the same moment.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from portal.common.briefly import Briefly
from portal.common.models import Maintenance

KEPT_S: Final = 2.0
AHEAD: Final = timedelta(seconds=3)  # more than KEPT_S
USUAL_WAIT_S: Final = 120  # after which programs may ask again, if nobody has said how long it takes
WAITS_S: Final = (10, 3600)  # never sooner nor later than that


def _read() -> Maintenance | None:
    return Maintenance.objects.first()


kept: Final[Briefly[Maintenance | None]] = Briefly(_read, KEPT_S, otherwise=None)


def current() -> Maintenance | None:
    """Return the maintenance that goes on now; None if there is none."""
    row = kept.get()
    now = timezone.now()
    return row if row is not None and row.since is not None and row.since <= now and row.is_on(now) else None


def is_on() -> bool:
    return current() is not None


def is_unfollowed() -> bool:
    """Whether it has begun or ended and clocks and open pages don't know yet. Says so for some seconds too long."""
    row = kept.get()
    return row is not None and row.since is not None and not row.is_followed and (row.until or row.since) <= timezone.now()


def retry_after_s(row: Maintenance) -> int:
    """Return the seconds after which whoever was refused may try again."""
    if row.expected_until is None:
        return USUAL_WAIT_S
    return round(min(max((row.expected_until - timezone.now()).total_seconds(), WAITS_S[0]), WAITS_S[1]))
