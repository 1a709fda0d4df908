"""Finish numbers, and the end of a duplicate set: its secret is revealed and its games are numbered with its last table.

Until then a finished table of the set has no number, so no rating, season or record tells how it ended. Locks are taken in
one order: the table, the set, the counter.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.clubs.models import DuplicateSet
from portal.tables.models import FinishCounter, Table
from portal.tables.wake import wake, wake_ratings

ENDED = (Table.Status.FINISHED, Table.Status.ABANDONED)


def next_number() -> int:
    """Return the next finish number, under the lock of the counter, so that numbers have no gap."""
    FinishCounter.objects.get_or_create(pk=1)
    counter = FinishCounter.objects.select_for_update().get(pk=1)
    counter.last += 1
    counter.save(update_fields=["last"])
    return counter.last


def number(table: Table) -> None:
    """Give a table that has just finished its number; one of a duplicate set gets it when the last of the set has ended."""
    if table.duplicate_id is None:
        table.finish_number = next_number()
    else:
        reveal_when_over(table.duplicate_id, ending=table)


def abandon(tables: QuerySet[Table]) -> int:
    """End these open or running tables without a result, and reveal what sets are over with that; return how many there were."""
    with transaction.atomic():
        live = [Table.Status.OPEN, Table.Status.PLAYING]
        found = list(tables.filter(status__in=live).select_for_update().order_by("pk"))
        for table in found:
            table.status, table.waits_for, table.due = Table.Status.ABANDONED, Table.Waits.NOBODY, []
            table.version += 1
            table.save(update_fields=["status", "waits_for", "due", "version"])
            wake(table)
        for set_id in sorted({table.duplicate_id for table in found if table.duplicate_id is not None}):
            if reveal_when_over(set_id):
                wake_ratings()
    return len(found)


def reveal_when_over(set_id: int, *, ending: Table | None = None) -> bool:
    """Reveal a set whose tables have all ended, once; return whether that was now.

    `ending` is the finishing table of this transaction, whose row is not stored yet. The lock of the set's row lets the
    last one of several that end at once see the others.
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
