"""Times in which no clock of the site runs: while it is down, and while its operators stop the clocks; and people who change their rest.

The reconciler leaves a sign every few seconds. If the last one is old, nobody could rely on the site in between, so that time counts for nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.accounts.models import User
from portal.common.models import Maintenance
from portal.tables import clocks
from portal.tables.loading import Loaded, load
from portal.tables.models import Heartbeat, Standstill, Table
from portal.tables.pace import Kind

DOWN_AFTER: Final = timedelta(seconds=30)  # without a sign of the reconciler, which runs every five


def beat(now: datetime | None = None) -> bool:
    """Leave a sign that the site runs; return whether it had been down, which is then noted as a standstill."""
    now = now or timezone.now()
    with transaction.atomic():
        sign = Heartbeat.objects.select_for_update().first()
        if sign is None:
            Heartbeat.objects.create(pk=1, at=now)
            return False
        was_down = now - sign.at > DOWN_AFTER
        if was_down:
            Standstill.objects.create(since=sign.at, until=now)
        if now > sign.at:
            sign.at = now
            sign.save(update_fields=["at"])
    if was_down:
        set_alarms(ticking())
    return was_down


def stop_clocks() -> None:
    """Let all clocks stand still until `start_clocks`. Clocks that stand still already do so on."""
    with transaction.atomic():
        if by_hand().exists():
            return
        Standstill.objects.create(since=timezone.now(), is_planned=True)
    set_alarms(ticking())


def start_clocks() -> None:
    """Let all clocks run again."""
    by_hand().update(until=timezone.now())
    set_alarms(ticking())


def by_hand() -> QuerySet[Standstill]:
    """Return the standstill that goes on because operators stopped the clocks: not the one of maintenance (`upkeep.py`)."""
    return Standstill.objects.filter(until=None).exclude(since__in=Maintenance.objects.filter(since__isnull=False).values("since"))


def set_alarms(tables: QuerySet[Table]) -> None:
    """Work out when the running clocks of some tables will have nothing left."""
    for table_id in list(tables.order_by("pk").values_list("pk", flat=True)):
        change(table_id, clocks.set_alarm)


def charge_all(*, user: User, **_signal: object) -> None:
    """Take off a person's clocks by correspondence what has counted until now, before it is counted otherwise.

    Holds the person's tables until the end of the transaction.
    """
    now = timezone.now()
    for table_id in _by_correspondence(user):
        change(table_id, lambda loaded: clocks.charge(loaded, now))


def set_alarms_of(*, user: User, **_signal: object) -> None:
    """Work out when a person's clocks by correspondence will have nothing left."""
    for table_id in _by_correspondence(user):
        change(table_id, clocks.set_alarm)


def _by_correspondence(user: User) -> list[int]:
    tables = Table.objects.filter(status=Table.Status.PLAYING, seats__user=user, pace__kind=Kind.DAYS)
    return list(tables.order_by("pk").values_list("pk", flat=True))


def ticking() -> QuerySet[Table]:
    """Return the tables at which a clock runs."""
    return Table.objects.filter(status=Table.Status.PLAYING, alarm_at__isnull=False)


def change(table_id: int, work: Callable[[Loaded], None]) -> None:
    """Change the clocks of a table. Raises TableNotFound and TableBusy as `load` does."""
    with transaction.atomic():
        loaded = load(table_id, lock=True)
        work(loaded)
        loaded.table.save(update_fields=["clocks", "alarm_at"])
