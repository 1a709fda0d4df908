"""Switches maintenance on and off: pages can be read, nothing is changed, clocks stand still.

The clocks stand still by a `Standstill` with the same `since` as the maintenance, written in the same transaction. It ends apart from the one of
`manage.py clocks stop`: whoever stopped the clocks by hand finds them stopped afterwards.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.common import maintenance
from portal.common.models import Maintenance
from portal.live.publish import publish_news
from portal.tables import clocks, refusals
from portal.tables.loading import Loaded
from portal.tables.models import Standstill
from portal.tables.standstill import change, ticking

LONGEST: Final = timedelta(days=7)
MESSAGE_CHARS: Final = 300


def begin(*, minutes: int | None = None, message: str = "") -> Maintenance:
    """Switch maintenance on, a few seconds from now; if it is on already, only change how long it takes and the message.

    Raises ValueError for a time or a message that is too long: forms and command look before.
    """
    if minutes is not None and not 0 < minutes <= LONGEST.total_seconds() / 60:
        raise ValueError(f"maintenance takes from 1 minute to {LONGEST.days} days")
    if len(message) > MESSAGE_CHARS or not message.isprintable():
        raise ValueError(f"the message can have at most {MESSAGE_CHARS} printable characters, on one line")
    with transaction.atomic():
        row, _new = Maintenance.objects.select_for_update().get_or_create(pk=1)
        now = timezone.now()
        if not row.is_on(now):
            row.since = now + maintenance.AHEAD
            Standstill.objects.create(since=row.since, is_planned=True)
        elif row.until is not None:  # switched off a moment ago, and not everybody knows
            _standstill(row).update(until=None)
        row.until = None
        row.expected_until = None if minutes is None else now + timedelta(minutes=minutes)
        row.message = message.strip()
        row.is_followed = False
        row.save()
    maintenance.kept.forget()
    return row


def end() -> bool:
    """Switch maintenance off, a few seconds from now; return whether it was on."""
    with transaction.atomic():
        row, _new = Maintenance.objects.select_for_update().get_or_create(pk=1)
        now = timezone.now()
        if not row.is_on(now) or row.until is not None:
            return False
        row.until = now + maintenance.AHEAD
        row.is_followed = False
        row.save()
        _standstill(row).update(until=row.until)
    maintenance.kept.forget()
    return True


def follow() -> bool:
    """After a start or an end, bring the clocks of all tables and the open pages up to date; return whether there was something to do.

    Running twice does no harm. A table that somebody holds is left for the next time.
    """
    maintenance.kept.forget()
    row = maintenance.kept.get()
    if row is None or not maintenance.is_unfollowed():
        return False
    is_complete = True
    for table_id in list(ticking().order_by("pk").values_list("pk", flat=True)):
        try:
            change(table_id, _count)
        except refusals.TableBusy:
            is_complete = False
        except refusals.TableNotFound:
            continue
    if is_complete:  # unless it was switched meanwhile
        Maintenance.objects.filter(pk=row.pk, since=row.since, until=row.until).update(is_followed=True)
        maintenance.kept.forget()
    publish_news()
    return True


def _standstill(row: Maintenance) -> QuerySet[Standstill]:
    assert row.since is not None, "it was on"
    return Standstill.objects.filter(since=row.since, is_planned=True)


def _count(loaded: Loaded) -> None:
    """Take off what has counted until now, so that pages can show what is left, and work out when it will be gone."""
    clocks.charge(loaded, timezone.now())
    clocks.set_alarm(loaded)
