"""Telling others that a table has moved on. Everything here may fail: the reconciler finds what was missed."""

from __future__ import annotations

import logging

from django.db import transaction

from portal.live.publish import publish_version
from portal.tables.models import Table

log = logging.getLogger(__name__)


def wake(table: Table) -> None:
    """After the commit of the running transaction: publish the version and enqueue the bot or scoring task that is due."""
    table_id, version, due, waits_for, finished = table.pk, table.version, list(table.due), table.waits_for, table.finish_number
    transaction.on_commit(lambda: _send(table_id, version, due, waits_for, finished), robust=True)


def _send(table_id: int, version: int, due: list[int], waits_for: str, finished: int | None) -> None:
    if not publish_version(table_id, version):
        return  # the broker is the same server: one try is enough for a request
    enqueue_due(table_id, version, due, waits_for)
    if finished is not None:
        _rate()


def wake_ratings() -> None:
    """After the commit of the running transaction: enqueue the rating of games that have got their numbers."""
    transaction.on_commit(_rate, robust=True)


def _rate() -> None:
    from portal.ratings.tasks import apply_results

    _quietly(apply_results)


def enqueue_due(table_id: int, version: int, due: list[int], waits_for: str, *, substitute: bool = False) -> None:
    """Enqueue the task that a table waits for. A lost broker is no error: the reconciler comes back to it.

    Where several seats decide at once, the task of a person's seat finds that out and does nothing.
    """
    from portal.tables.tasks import play_bot, score

    if waits_for == Table.Waits.SCORER:
        _quietly(score, table_id, version)
    elif waits_for == Table.Waits.BOT:
        for seat in due:
            _quietly(play_bot, table_id, version, seat, substitute)


def _quietly(task, *args) -> None:  # type: ignore[no-untyped-def]
    try:
        task.apply_async(args, retry=False)
    except Exception as error:  # the broker may be away in many ways
        log.warning("not enqueued: %s%r: %s", task.name, args, error)
