"""What the people at a running table decide together: more time for somebody, a game without clocks or with clocks that stand still until
another day, an end without result, an undone move.

It is decided when everybody who plays has agreed, and gone as soon as one of them says no. Bots have no say, nor does a person whose seat a
bot keeps, so somebody who has vanished holds nobody up.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction

from games.core.contract import Event
from portal.accounts.models import User
from portal.common.limits import count_use
from portal.tables import clocks, refusals
from portal.tables.access import load_for
from portal.tables.handing import seat_again
from portal.tables.loading import Loaded, event_to_json, kind_due, load
from portal.tables.models import ActionRecord, Table
from portal.tables.past import line_of, state_at
from portal.tables.phrases import who
from portal.tables.play import PLAYED_FIELDS, Turn, mark_decided
from portal.tables.reveal import abandon
from portal.tables.services import require_playing
from portal.tables.telling import tell_asked, tell_called_off, tell_turns
from portal.tables.votes import What, questions, vote_of
from portal.tables.wake import wake

PER_HOUR: Final = 12  # questions of one person at one table


def ask(*, table_id: int, user: User, what: str, about: int | None = None) -> Loaded:
    """Ask the others something; if nobody else has a say, it is decided at once.

    Raises TableNotFound, NoSeatHere, WrongStatus when the game is over, CannotAsk for what is not possible here and now, AlreadyAsking, and
    TooManyQuestions.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        seat = loaded.require_seat(user)
        require_playing(loaded.table)
        if vote_of(loaded) is not None:
            raise refusals.AlreadyAsking
        found = next((one for one in questions(loaded, user) if one.what == what and one.about == about), None)
        if found is None:
            raise refusals.CannotAsk
        count_use("vote", f"{table_id}:{user.pk}", limit=PER_HOUR, window_s=3600, refusal=refusals.TooManyQuestions)
        turn = Turn(loaded)
        table = loaded.table
        table.version += 1
        table.vote = {
            "what": found.what.value,
            "seat": seat,
            "agreed": [seat],
            "at": int(turn.now.timestamp() * 1000),
            "about": found.about,
            "kept": found.kept,
        }
        turn.note(seat, "ask", "leave", [_event(f"table.asked.{found.what}", loaded, seat, found.about)])
        return _decide(turn, user)


def answer(*, table_id: int, user: User, at: int, agrees: bool) -> Loaded:
    """Answer the question that was asked `at` that time; whoever asked it withdraws it by a no.

    Raises TableNotFound, NoSeatHere, WrongStatus, and QuestionGone if it is no longer asked.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        seat = loaded.require_seat(user)
        require_playing(loaded.table)
        vote = vote_of(loaded)
        if vote is None or vote.at != at:
            raise refusals.QuestionGone
        if agrees and seat in vote.agreed:
            return loaded
        table = loaded.table
        turn = Turn(loaded)
        table.version += 1
        if not agrees:
            table.vote = {}
            key = "table.withdrawn" if seat == vote.seat else "table.disagreed"
            turn.note(seat, "no", "leave", [_event(key, loaded, seat, None)])
            _save(turn, user)
            return loaded
        table.vote = table.vote | {"agreed": [*table.vote["agreed"], seat]}
        return _decide(turn, user)


def _decide(turn: Turn, user: User) -> Loaded:
    """Do what was asked if everybody has agreed; else store the question, which the others are told of."""
    loaded = turn.loaded
    vote = vote_of(loaded)
    assert vote is not None
    if vote.missing:
        _save(turn, user)
        if len(vote.agreed) == 1:
            tell_asked(loaded, vote.seat, vote.missing)
        return loaded
    kept = loaded.table.vote["kept"]
    loaded.table.vote = {}
    if vote.what == What.CALL_OFF:
        turn.note(vote.seat, "call off", "leave", [_event("table.called_off", loaded, vote.seat, None)])
        _save(turn, user)
        tell_called_off(loaded, user)
        abandon(Table.objects.filter(pk=loaded.table.pk))
        return load(loaded.table.pk)
    if vote.what == What.TAKE_BACK:
        _take_back(turn, vote.seat, kept, user)
        return loaded
    turn.note(vote.seat, "agree", "leave", [_event(f"table.agreed.{vote.what}", loaded, vote.seat, vote.about)])
    if vote.what == What.NO_CLOCKS:
        loaded.table.pace, loaded.table.clocks, loaded.table.alarm_at = {}, {}, None
    elif vote.what == What.SAVE:
        clocks.save(loaded)
    elif vote.what == What.RESUME:
        clocks.resume(loaded, turn.now)
        turn.ran = clocks.runs(loaded)  # nobody gets the time of a turn for it
    elif vote.about is not None:
        seat = loaded.seats[vote.about]
        if seat.is_away and seat.left_user is not None:
            seat_again(seat, seat.left_user)
        clocks.grant(loaded, seat.index)
    _save(turn, user)
    return loaded


def _take_back(turn: Turn, seat: int, kept: int, user: User) -> None:
    """Return to the position after the record `kept`: all that was played since no longer counts."""
    loaded = turn.loaded
    table = loaded.table
    line = line_of(loaded)
    loaded.state = state_at(loaded, line, sum(entry.seq <= kept for entry in line))
    turn.note(seat, f"undo {kept}", "undo", [event_to_json(Event("table.taken_back", {"seat": seat, "kept": kept}))])
    table.line, table.barrier, table.undone = [], None, []
    due = loaded.game.actors(loaded.state)
    table.due, table.waits_for, table.due_since, table.nudges = list(due), kind_due(due, loaded.seats), turn.now, 0
    for row in loaded.seats:
        if row.order:
            row.order = ""
            row.save(update_fields=["order"])
    table.state = loaded.game.state_to_json(loaded.state)
    _save(turn, user, moved=True)


def _save(turn: Turn, user: User, *, moved: bool = False) -> None:
    """Store the transaction. Unless a move was undone, what anybody was about to play still fits."""
    loaded = turn.loaded
    table = loaded.table
    if moved:
        mark_decided(loaded, None)
    else:
        waits_for = kind_due(table.due, loaded.seats)
        if waits_for != table.waits_for:
            table.waits_for, table.due_since, table.nudges = waits_for, turn.now, 0
    clocks.settle(loaded, turn.ran, is_undo=moved)
    ActionRecord.objects.bulk_create(turn.records)
    table.save(update_fields=[*PLAYED_FIELDS, "pace", "saved"])
    tell_turns(loaded, turn.due_before, user)
    wake(table, loaded.seats)


def _event(key: str, loaded: Loaded, seat: int, about: int | None) -> dict[str, Any]:
    if about is None:
        return {"k": key, "p": {"seat": seat}}
    person = loaded.seats[about].user or loaded.seats[about].left_user
    return {"k": key, "p": {"seat": seat, **(who(person) if person is not None else {"who": loaded.name_of(about)})}}
