"""What is noted in passing at a table: it waits for nobody, and leaves out a row that somebody holds."""

from __future__ import annotations

from typing import Final

from django.db import connection
from django.utils import timezone

from portal.tables.models import Table

MAX_NUDGES: Final = 1000  # a worker that is down for days must not overflow the count and break the reconciler

_SEE: Final = """
UPDATE tables_seat SET seen_version = %(version)s WHERE id = (
    SELECT id FROM tables_seat WHERE table_id = %(table)s AND index = %(seat)s AND seen_version < %(version)s FOR UPDATE SKIP LOCKED
)
"""
_NUDGE: Final = """
UPDATE tables_table SET nudges = least(nudges + 1, %(most)s), due_since = %(now)s WHERE id = (
    SELECT id FROM tables_table WHERE id = %(table)s AND version = %(version)s AND status = %(playing)s FOR UPDATE SKIP LOCKED
) RETURNING nudges
"""


def mark_seen(*, table_id: int, seat: int, version: int) -> None:
    """Record that the person in a seat has seen the table at `version`; never goes back. If the seat is locked, the next look does it."""
    with connection.cursor() as cursor:
        cursor.execute(_SEE, {"table": table_id, "seat": seat, "version": version})


def nudge(table_id: int, version: int) -> int | None:
    """Count another wake-up of a silent table; None when it has moved on meanwhile, or somebody is at work on it."""
    playing, now = str(Table.Status.PLAYING), timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_NUDGE, {"table": table_id, "version": version, "playing": playing, "most": MAX_NUDGES, "now": now})
        counted = cursor.fetchone()
    return int(counted[0]) if counted else None
