"""A table with its seats as one value, read or locked with a single statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from games.core.contract import CHANCE, SCORER, Event, Game
from games.registry import Entry, entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.common.prepared import Columns, prepared_cursor
from portal.tables.models import Seat, Table
from portal.tables.refusals import NoSeatHere, TableBusy, TableNotFound
from portal.tables.rest import Rest

MAX_ID = 2**63 - 1


@dataclass(slots=True)
class Loaded:
    """A table, its seats in order, and the state (loaded at first use)."""

    table: Table
    seats: list[Seat]
    _state: Any = field(default=None)
    circles: dict[int, Any] = field(default_factory=dict)  # by viewer: what `access.circle_of` has read
    rests: dict[int, Rest] | None = None  # by seat: when the clocks of its people stand still, once `clocks` has read it

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
        """Return the index of the person's seat, or None. A player of all seats sits where the next decision is due."""
        if user is None or not user.pk:
            return None
        own = next((seat.index for seat in self.seats if seat.user_id == user.pk), None)
        if own is not None and self.table.by_hand:
            return next((seat for seat in self.table.due if seat >= 0), own)
        return own

    def require_seat(self, user: User | None) -> int:
        seat = self.seat_of(user)
        if seat is None:
            raise NoSeatHere
        return seat

    def name_of(self, index: int) -> str:
        seat = self.seats[index]
        return name_of(seat.user) if seat.user is not None else seat.bot_name

    @property
    def names(self) -> list[str]:
        return [self.name_of(seat.index) for seat in self.seats]

    @property
    def has_company(self) -> bool:
        """Whether at least two people play or played here, or others may still sit down."""
        if self.table.by_hand or self.table.lesson:
            return False
        is_open = self.table.status == Table.Status.OPEN
        return is_open or sum(bool(seat.user_id or seat.left_user_id) for seat in self.seats) > 1


def load(table_id: Any, *, lock: bool = False) -> Loaded:
    """Read a table with seats and people with one statement; with `lock`, lock their rows until the end of the transaction.

    The seats are locked as well; otherwise whoever waited for the table would get its new row with the seats' old ones.
    Raises TableNotFound, and TableBusy if somebody else holds the lock for longer than this process waits (`DATABASE_LIMITS`).
    """
    if not isinstance(table_id, int) or not 0 < table_id <= MAX_ID:
        raise TableNotFound
    read, read_and_lock = _statements()
    try:
        with prepared_cursor() as cursor:
            cursor.execute(read_and_lock if lock else read, [table_id])
            rows = cursor.fetchall()
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise TableBusy from None
        raise
    if not rows:
        raise TableNotFound
    return Loaded(*_made(rows))


@cache
def _columns() -> tuple[Columns[Seat], Columns[Table], Columns[User], Columns[User]]:
    """Return the columns of a seat, its table (the JSON with the first seat only), its player and who left it."""
    return Columns(Seat, "s"), Columns(Table, "t", json_if='s."index" = 0'), Columns(User, "u"), Columns(User, "l")


@cache
def _statements() -> tuple[str, str]:
    """Return the statements that read a table's seats, without and with locks."""
    seat, table, user, left = _columns()
    read = (  # nothing in it comes from outside
        f"SELECT {seat.sql}, {table.sql}, {user.sql}, {left.sql} FROM {seat.table} s "  # noqa: S608
        f"JOIN {table.table} t ON t.id = s.table_id "
        f'LEFT JOIN {user.table} u ON u.id = s.user_id LEFT JOIN {left.table} l ON l.id = s.left_user_id WHERE s.table_id = %s ORDER BY s."index"'
    )
    return read, f"{read} FOR UPDATE OF s, t"  # everybody locks rows in the same order


def _made(rows: Sequence[Sequence[Any]]) -> tuple[Table, list[Seat]]:
    """Return the table and its seats, each with its people."""
    of_seat, of_table, of_user, of_left = _columns()
    table_at = of_seat.size
    user_at = table_at + of_table.size
    left_at = user_at + of_user.size
    table = of_table.make(rows[0][table_at:user_at])
    seats = []
    for row in rows:
        seat = of_seat.make(row[:table_at])
        seat.table = table
        # A seat that was taken while this statement waited for its lock has a person who is not in its row: Django reads them when asked.
        if row[user_at + of_user.key_at] == seat.user_id:
            seat.user = of_user.make(row[user_at:left_at]) if seat.user_id is not None else None
        if row[left_at + of_left.key_at] == seat.left_user_id:
            seat.left_user = of_left.make(row[left_at:]) if seat.left_user_id is not None else None
        seats.append(seat)
    return table, seats


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
    is_bots = not seats[0].table.by_hand and any(seats[index].user_id is None for index in due)
    return Table.Waits.BOT if is_bots else Table.Waits.PERSON
