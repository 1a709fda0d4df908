"""Finish numbers, and the end of a duplicate set: its secret is revealed and its games are numbered with its last table.

Until then a finished table of the set has no number, so no rating, season or record reveals how it ended. Locks are taken in
one order: the table, the set, the counter.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.clubs.models import DuplicateSet
from portal.tables import invited
from portal.tables.models import FinishCounter, Table
from portal.tables.wake import wake, wake_readers

ENDED = (Table.Status.FINISHED, Table.Status.ABANDONED)


def next_number() -> int:
    """Return the next finish number, under the lock of the counter, so that numbers have no gap."""
    FinishCounter.objects.get_or_create(pk=1)
    counter = FinishCounter.objects.select_for_update().get(pk=1)
    counter.last += 1
    counter.save(update_fields=["last"])
    return counter.last


def number(table: Table) -> None:
    """Number a table that has just finished; one of a duplicate set gets its number when the last of the set has ended."""
    if table.duplicate_id is None:
        table.finish_number = next_number()
    else:
        reveal_when_over(table.duplicate_id, ending=table)


def abandon(tables: QuerySet[Table]) -> int:
    """End these open or running tables without a result, and reveal sets that are then over; return how many were ended."""
    with transaction.atomic():
        live = [Table.Status.OPEN, Table.Status.PLAYING]
        found = list(tables.filter(status__in=live).select_for_update().order_by("pk"))
        for table in found:
            table.status, table.waits_for, table.due = Table.Status.ABANDONED, Table.Waits.NOBODY, []
            table.alarm_at = None
            table.version += 1
            table.save(update_fields=["status", "waits_for", "due", "version", "alarm_at"])
            invited.close(table)
            wake(table)
        for set_id in sorted({table.duplicate_id for table in found if table.duplicate_id is not None}):
            if reveal_when_over(set_id):
                wake_readers()
    return len(found)


def reveal_when_over(set_id: int, *, ending: Table | None = None) -> bool:
    """Reveal a set once all its tables have ended; return whether this call did.

    `ending` is the finishing table of this transaction, whose row is not stored yet. The lock on the set's row makes sure that the last of
    several tables ending at once sees the others.
    """
    duplicate = DuplicateSet.objects.select_for_update().get(pk=set_id)
    if duplicate.revealed_at is not None:
        return False
    others = Table.objects.filter(duplicate_id=set_id).exclude(pk=ending.pk if ending is not None else 0)
    if others.exclude(status__in=ENDED).exists():
        return False
    finished = list(others.filter(status=Table.Status.FINISHED).only("finished_at", "finish_number"))
    if ending is not None:
        finished.append(ending)
    for table in sorted(finished, key=lambda table: (table.finished_at, table.pk)):
        table.finish_number = next_number()
        if table is not ending:
            table.save(update_fields=["finish_number"])
    duplicate.revealed_at = timezone.now()
    duplicate.save(update_fields=["revealed_at"])
    return True
