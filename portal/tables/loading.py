"""A table with its seats as one value, read or locked with a single statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from games.core.contract import CHANCE, SCORER, Event, Game
from games.registry import Entry, entry
from portal.accounts.models import User
from portal.tables.models import Seat, Table
from portal.tables.refusals import NoSeatHere, TableBusy, TableNotFound

MAX_ID = 2**63 - 1


@dataclass(slots=True)
class Loaded:
    """A table, its seats in order, and the state (loaded at first use)."""

    table: Table
    seats: list[Seat]
    _state: Any = field(default=None)
    circles: dict[int, Any] = field(default_factory=dict)  # by viewer: what `access.circle_of` has read

    @property
    def entry(self) -> Entry:
        return entry(self.table.game)

    @property
    def game(self) -> Game:
        return self.entry.game

    @property
    def state(self) -> Any:
        if self._state is None and self.table.state is not None:
            self._state = self.game.state_from_json(self.table.state)
        return self._state

    @state.setter
    def state(self, value: Any) -> None:
        self._state = value

    @property
    def words(self) -> list[str]:
        return [seat.word for seat in self.seats]

    def seat_of(self, user: User | AnonymousUser | None) -> int | None:
        """Return the index of the person's seat, or None."""
        if user is None or not user.pk:
            return None
        return next((seat.index for seat in self.seats if seat.user_id == user.pk), None)

    def require_seat(self, user: User | None) -> int:
        seat = self.seat_of(user)
        if seat is None:
            raise NoSeatHere
        return seat

    def name_of(self, index: int) -> str:
        seat = self.seats[index]
        return seat.user.username if seat.user is not None else seat.bot_name

    @property
    def names(self) -> list[str]:
        return [self.name_of(seat.index) for seat in self.seats]


def load(table_id: Any, *, lock: bool = False) -> Loaded:
    """Read a table with seats and people with one statement; with `lock`, lock their rows until the end of the transaction.

    The seats are locked as well; otherwise whoever waited for the table would get its new row with the seats' old ones.
    Raises TableNotFound, and TableBusy if somebody else holds the lock for longer than this process waits (`DATABASE_LIMITS`).
    """
    if not isinstance(table_id, int) or not 0 < table_id <= MAX_ID:
        raise TableNotFound
    rows = Seat.objects.filter(table_id=table_id).select_related("table", "user", "left_user").order_by()
    if lock:
        rows = rows.order_by("index").select_for_update(of=("self", "table"))  # everybody locks rows in the same order
    try:
        seats = sorted(rows, key=lambda seat: seat.index)  # an ORDER BY over so many columns costs more to build than to run
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise TableBusy from None
        raise
    if not seats:
        raise TableNotFound
    table = seats[0].table
    for seat in seats:
        seat.table = table
    return Loaded(table, seats)


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event in its stored form: short keys, empty parts left out."""
    data: dict[str, Any] = {"k": event.key}
    if event.params:
        data["p"] = dict(event.params)
    if event.rule:
        data["r"] = event.rule
    if event.secret:
        data["s"] = {str(seat): dict(values) for seat, values in event.secret.items()}
    if event.reveals:
        data["v"] = True
    return data


def event_for(data: Mapping[str, Any], seat: int | None) -> Event:
    """Return a stored event as `seat` may read it: its own secret values merged into the others, nobody else's at all.

    They stay in `secret` as well, which selects the sentence for those who know them.
    """
    own = {} if seat is None else data.get("s", {}).get(str(seat), {})
    return Event(data["k"], {**data.get("p", {}), **own}, data.get("r"), {seat: own} if seat is not None and own else {})


def kind_due(due: Sequence[int], seats: Sequence[Seat]) -> Table.Waits:
    """Return what a table is waiting for, given the seats due."""
    if not due:
        return Table.Waits.NOBODY
    if due[0] == SCORER:
        return Table.Waits.SCORER
    assert due[0] != CHANCE, "chance is played inside the transaction"
    return Table.Waits.BOT if any(seats[index].user_id is None for index in due) else Table.Waits.PERSON
