"""Tells others that a table has moved on. Everything here may fail: the reconciler finds what was missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog
from celery import current_task
from django.db import transaction

from portal.common.later import FIRST, LATER, enqueue, later
from portal.common.limits import allow
from portal.live.publish import publish_version
from portal.metrics.definitions import MOVES
from portal.tables.models import Seat, Table
from portal.tables.soon import post_soon

log = structlog.get_logger(__name__)

PLAY_BOT: Final = "portal.tables.tasks.play_bot"
SCORE: Final = "portal.tables.tasks.score"
PROMPT_MOVES: Final = 10  # a second and person; at one table, five bots play about as many
RATE: Final = "portal.ratings.tasks.apply_results"
CITE: Final = "portal.tables.tasks.cite"


def wake(table: Table, seats: Sequence[Seat] = ()) -> None:
    """After the commit of the running transaction: publish the version and enqueue the bot, scoring or webhook task that is due.

    `seats` are the table's, if anybody may be due: whoever sits there waits for the bots.
    """
    table_id, version, due, waits_for, finished = table.pk, table.version, list(table.due), table.waits_for, table.finish_number
    person = next((seat.user_id for seat in seats if seat.user_id is not None), None)
    game = table.game
    asked = [seats[index].user_id for index in due if 0 <= index < len(seats)]
    transaction.on_commit(lambda: _send(table_id, game, version, due, waits_for, finished, person, asked), robust=True)


def _send(
    table_id: int,
    game: str,
    version: int,
    due: list[int],
    waits_for: str,
    finished: int | None,
    person: int | None,
    asked: list[int | None],
) -> None:
    MOVES.labels(game).inc()
    is_told = publish_version(table_id, version)
    if person is not None or not current_task:  # bots among themselves would fill the logs
        log.info("moved", table=table_id, version=version, waits_for=waits_for, is_told=is_told)
    if not is_told:
        return  # the broker is the same server: one attempt is enough for a request
    enqueue_due(table_id, version, due, waits_for, person)
    post_soon(asked)
    if finished is not None:
        enqueue(RATE)
        enqueue(CITE, priority=LATER)


def wake_readers() -> None:
    """After the commit of the running transaction: enqueue what is done with games that have been numbered."""
    later(RATE)
    later(CITE)


def enqueue_due(
    table_id: int, version: int, due: list[int], waits_for: str, person: int | None, *, substitute: bool = False, is_overdue: bool = False
) -> None:
    """Enqueue the task that a table waits for. A lost broker is not an error: the reconciler comes back to it.

    `person` is somebody who sits there, if anybody does. Bots play first where a person waits, but for one person only `PROMPT_MOVES` a
    second: what many tables of one person need comes later, and so do tables with bots only, unless they are overdue. When several seats decide
    at once, a task for a person's seat notices that and does nothing.
    """
    if waits_for == Table.Waits.SCORER:
        enqueue(SCORE, table_id, version)
    elif waits_for == Table.Waits.BOT:
        for seat in due:
            enqueue(PLAY_BOT, table_id, version, seat, substitute, priority=FIRST if is_overdue else _priority(person))


def _priority(person: int | None) -> int:
    """Return how soon a bot's move is due, and count it."""
    if person is None or not allow("prompt-moves", str(person), limit=PROMPT_MOVES, window_s=1):
        return LATER
    return FIRST
