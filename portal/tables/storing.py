"""What a table keeps of its turns: the first position, each transaction, the end. `services` decides what may be done."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.records import result_of, start_of_position
from games.registry import game
from portal.accounts.models import User
from portal.tables import clocks, invited
from portal.tables.loading import Loaded
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.play import PLAYED_FIELDS, Turn, mark_decided
from portal.tables.reveal import number
from portal.tables.telling import tell_end, tell_start, tell_turns
from portal.tables.wake import wake


def start(loaded: Loaded, by: User | None) -> None:
    """Set up the game and run to the first decision. The caller, who does it for `by`, saves the table."""
    table = loaded.table
    invited.close(table)
    if table.position is not None:
        _, loaded.state = start_of_position(table.position, game)
    else:
        loaded.state = loaded.game.setup(table.seat_count, table.options)
    table.status = Table.Status.PLAYING
    table.version += 1
    turn = Turn(loaded)
    table.started_at, table.alarm_at = turn.now, None
    clocks.begin(loaded, turn.now)
    turn.run()
    clocks.settle(loaded, turn.ran)
    mark_decided(loaded, None)
    table.state = loaded.game.state_to_json(loaded.state)
    ActionRecord.objects.bulk_create(turn.records)
    tell_turns(loaded, turn.due_before, by)
    tell_start(loaded, by)
    wake(table, loaded.seats)


def store(turn: Turn, orders_before: Sequence[str], by: User | None, *, is_undo: bool = False) -> None:
    """Write the transaction of `by`: records, snapshot, changed orders; finish the game when it is over; tell and wake the others."""
    loaded = turn.loaded
    table = loaded.table
    table.state = loaded.game.state_to_json(loaded.state)
    if not table.due and table.status == Table.Status.PLAYING:
        _finish(turn)
    clocks.settle(loaded, turn.ran, is_undo=is_undo)
    ActionRecord.objects.bulk_create(turn.records)
    table.save(update_fields=PLAYED_FIELDS)
    for seat, order in zip(loaded.seats, orders_before, strict=True):
        if seat.order != order:
            seat.save(update_fields=["order"])
    tell_turns(loaded, turn.due_before, by)
    if table.status == Table.Status.FINISHED:
        tell_end(loaded, by)
    wake(table, loaded.seats)


def _finish(turn: Turn) -> None:
    loaded = turn.loaded
    table = loaded.table
    result = result_of(loaded.game, loaded.state)
    assert result is not None, "nobody is due, so the game has an outcome"
    table.status = Table.Status.FINISHED
    table.finished_at = turn.now
    table.outcome = result
    table.line, table.barrier, table.undone = [], None, []
    number(table)
    loaded.circles.clear()  # the set may be revealed now
    for seat, place, points in zip(loaded.seats, result["places"], result["scores"], strict=True):
        seat.place, seat.score = place, points
    Seat.objects.bulk_update(loaded.seats, ["place", "score"])
