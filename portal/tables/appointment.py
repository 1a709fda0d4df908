"""A game that starts at an agreed time: not before, and then as soon as all seats are taken.

Shortly before, those who sit there are reminded. Both is done by the table's alarm (`Table.alarm_at`), which no clock needs before the start.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from portal.tables import refusals

REMINDED: Final = timedelta(minutes=15)  # before the start
SOONEST: Final = timedelta(minutes=1)
LATEST: Final = timedelta(days=28)  # tables that have been open for longer are closed


def check(at: datetime) -> None:
    """Raise BadStart unless a game can start then."""
    if not timezone.now() + SOONEST <= at <= timezone.now() + LATEST:
        raise refusals.BadStart(days=LATEST.days)


def first_alarm(at: datetime) -> datetime:
    """Return when somebody has to look at a table that starts at `at`."""
    return max(at - REMINDED, timezone.now())


def read(text: str) -> datetime | None:
    """Return the moment that a form sends, in the reader's time zone; None for none. Raises BadStart.

    An hour that the clocks skip or repeat is read as Python does: the earlier of two, and what is skipped as if it were not.
    """
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise refusals.BadStart(days=LATEST.days) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=timezone.get_current_timezone())
