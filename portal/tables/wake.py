"""Tells others that a table has moved on. Everything here may fail: the reconciler finds what was missed."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from portal.common.later import enqueue, later
from portal.live.publish import publish_version
from portal.tables.models import Table

PLAY_BOT: Final = "portal.tables.tasks.play_bot"
SCORE: Final = "portal.tables.tasks.score"
RATE: Final = "portal.ratings.tasks.apply_results"


def wake(table: Table) -> None:
    """After the commit of the running transaction: publish the version and enqueue the bot or scoring task that is due."""
    table_id, version, due, waits_for, finished = table.pk, table.version, list(table.due), table.waits_for, table.finish_number
    transaction.on_commit(lambda: _send(table_id, version, due, waits_for, finished), robust=True)


def _send(table_id: int, version: int, due: list[int], waits_for: str, finished: int | None) -> None:
    if not publish_version(table_id, version):
        return  # the broker is the same server: one attempt is enough for a request
    enqueue_due(table_id, version, due, waits_for)
    if finished is not None:
        enqueue(RATE)


def wake_ratings() -> None:
    """After the commit of the running transaction: enqueue the rating of games that have been numbered."""
    later(RATE)


def enqueue_due(table_id: int, version: int, due: list[int], waits_for: str, *, substitute: bool = False) -> None:
    """Enqueue the task that a table waits for. A lost broker is not an error: the reconciler comes back to it.

    When several seats decide at once, a task for a person's seat notices that and does nothing.
    """
    if waits_for == Table.Waits.SCORER:
        enqueue(SCORE, table_id, version)
    elif waits_for == Table.Waits.BOT:
        for seat in due:
            enqueue(PLAY_BOT, table_id, version, seat, substitute)
