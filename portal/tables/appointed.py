"""What the alarm of a table does that starts at an agreed time (`appointment.py`)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.seating import is_ready
from portal.tables.telling import tell_soon


def ring(table_id: int) -> bool:
    """Remind the people at an open table that it starts soon, or start it; return whether the table is open. Running twice does no harm.

    If a seat is free at the time, the game starts when it is taken.
    """
    with transaction.atomic():
        loaded = load(table_id, lock=True)
        table = loaded.table
        if table.status != Table.Status.OPEN:
            return False
        now = timezone.now()
        if table.alarm_at is None or table.alarm_at > now:
            return True  # somebody has looked already
        if table.starts_at is not None and now < table.starts_at:
            tell_soon(loaded, table.starts_at)
            table.alarm_at = table.starts_at
        else:
            table.alarm_at = None
        table.save(update_fields=["alarm_at"])
        if table.alarm_at is None and is_ready(loaded):
            services.fill_and_start(loaded)
    return True
