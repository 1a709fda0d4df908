"""Seats that change hands while a game runs: a bot takes over from somebody who leaves or runs out of time, who may come back.

`ring` is what the alarm of a table's clocks calls (`Table.alarm_at`).
"""

from __future__ import annotations

from typing import Final

from django.db import transaction

from games.core.contract import SCORER
from portal.accounts.models import User
from portal.tables import clocks, refusals
from portal.tables.access import load_for
from portal.tables.loading import Loaded, kind_due, load
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.pace import Out, pace_of
from portal.tables.phrases import who
from portal.tables.play import PLAYED_FIELDS, Turn, mark_decided
from portal.tables.seating import name_bots
from portal.tables.telling import tell_left, tell_time_short, tell_timed_out
from portal.tables.wake import wake

_SEAT_FIELDS: Final = ("user", "left_user", "is_away", "bot_level", "bot_name", "order")


def hand_to_bot(loaded: Loaded, seat: Seat, user: User) -> None:
    """Let a bot play on for somebody who leaves a locked running table for good."""
    turn = Turn(loaded)
    loaded.table.version += 1
    _give_up(turn, seat, user, "table.left")
    _save(turn)
    tell_left(loaded, user)


def ring(table_id: int) -> None:
    """Look at the clocks of a table: warn who has little time left, and let bots take over from those who have none.

    Running twice does no harm. A duplicate table asks for no clock, and neither does one that has ended meanwhile.
    """
    with transaction.atomic():
        loaded = load(table_id, lock=True)
        table = loaded.table
        turn = Turn(loaded)
        if table.status != Table.Status.PLAYING or not table.clocks:
            Table.objects.filter(pk=table.pk).update(alarm_at=None)
            return
        out = clocks.out_of_time(loaded)
        for index in clocks.to_warn(loaded):
            tell_time_short(loaded, index)
        if not out:
            clocks.set_alarm(loaded)
            table.save(update_fields=["clocks", "alarm_at"])
            return
        may_return = pace_of(table.pace).out == Out.BOT
        table.version += 1
        people = []
        for index in out:
            seat = loaded.seats[index]
            person = seat.user
            assert person is not None, "only people have clocks that run"
            people.append(person)
            _give_up(turn, seat, person, "table.timed_out" if may_return else "table.timed_out_for_good", is_away=may_return)
        _save(turn)
        for person in people:
            tell_timed_out(loaded, person, may_return=may_return)


def come_back(*, table_id: int, user: User) -> Loaded:
    """Give a seat back to the person who ran out of time there. Somebody who sits there already stays.

    Raises NoSeatToReturnTo when a bot didn't take over from them, or has done so for good, and WrongStatus when the game is over.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table = loaded.table
        if loaded.seat_of(user) is not None:
            return loaded
        seat = next((seat for seat in loaded.seats if seat.is_away and seat.left_user_id == user.pk), None)
        if seat is None:
            raise refusals.NoSeatToReturnTo
        if table.status != Table.Status.PLAYING:
            raise refusals.GameOver
        turn = Turn(loaded)
        table.version += 1
        seat_again(seat, user)
        turn.note(seat.index, "return", "leave", [{"k": "table.returned", "p": {"seat": seat.index}}])
        clocks.welcome_back(loaded, seat.index)
        _save(turn)
    return loaded


def seat_again(seat: Seat, user: User) -> None:
    """Store that the person for whom a bot kept a seat plays there again."""
    seat.user, seat.left_user, seat.is_away, seat.bot_level, seat.bot_name = user, None, False, "", ""
    seat.save(update_fields=_SEAT_FIELDS)


def _give_up(turn: Turn, seat: Seat, user: User, said: str, *, is_away: bool = False) -> None:
    """Put a bot into a person's seat; what they could undo, and their answer in advance, goes with them."""
    table = turn.loaded.table
    table.vote = {}  # they no longer have a say; anyone who still wants it asks again
    seat.left_user, seat.user, seat.bot_level, seat.order, seat.is_away = user, None, table.bot_fill, "", is_away
    name_bots(turn.loaded.seats)
    seat.save(update_fields=_SEAT_FIELDS)
    turn.note(seat.index, "leave", "leave", [{"k": said, "p": {"seat": seat.index, **who(user)}}])
    if table.line and table.line[-1][1] == seat.index:
        table.line, table.undone = [], []


def _save(turn: Turn) -> None:
    """Store the change of hands, and wake whoever has to decide now."""
    loaded = turn.loaded
    table = loaded.table
    if table.due and table.due[0] != SCORER:
        waits_for = kind_due(table.due, loaded.seats)
        if waits_for != table.waits_for or waits_for == Table.Waits.BOT:
            table.waits_for, table.due_since, table.nudges = waits_for, turn.now, 0
    clocks.settle(loaded, turn.ran)
    mark_decided(loaded, None)
    ActionRecord.objects.bulk_create(turn.records)
    table.save(update_fields=PLAYED_FIELDS)
    wake(table, loaded.seats)
