"""Tables as lines of a list: players, whose turn it is, the result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf

from django.utils.translation import gettext

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.clubs.models import Club
from portal.tables.models import Seat, Table
from portal.tables.pace import pace_of, said


@dataclass(frozen=True, slots=True)
class TableRow:
    """An open table or a game in progress."""

    id: int
    entry: Entry
    status: str
    names: list[str]  # the players, in seat order
    free: int
    is_mine: bool
    is_due: bool  # waits for the viewer
    waits_for: list[str]  # names; empty during scoring
    since: datetime
    club: Club | None = None
    is_rated: bool = True
    is_duplicate: bool = False
    by_link: bool = False
    can_join: bool = False
    pace: str = ""  # in words; "" for a relaxed table
    until: datetime | None = None  # when the viewer's running clock will have nothing left
    starts_at: datetime | None = None  # of an open table for which a time is agreed
    is_kept: bool = False  # a bot plays for the viewer, who may come back


@dataclass(frozen=True, slots=True)
class FinishedRow:
    """A finished table: (name, place, score) by place."""

    id: int
    entry: Entry
    results: list[tuple[str, int, int]]
    my_place: int | None
    my_score: int | None
    finished_at: datetime
    club: Club | None = None
    is_rated: bool = True
    is_duplicate: bool = False
    by_link: bool = False


def _name(seat: Seat) -> str:
    return name_of(seat.user) if seat.user is not None else seat.bot_name


def _is_rated(table: Table) -> bool:
    return table.is_rated and table.position is None


def table_rows(tables: Iterable[Table], user: User | None, *, can_join: bool = True) -> list[TableRow]:
    """Return lines for tables with seats and club loaded (`selectors.listed`); those that wait for `user` come first,
    and of these the ones whose time runs out first.

    `can_join`: whether `user` may join the open ones; only members may join a club's.
    """
    rows = []
    for table in tables:
        seats = list(table.seats.all())
        taken = [seat for seat in seats if _name(seat)]
        me = next((seat.index for seat in seats if user is not None and user.pk and seat.user_id == user.pk), None)
        playing = table.status == Table.Status.PLAYING
        free = len(seats) - len(taken)
        if me is None:
            free = max(0, free - table.kept)  # for others
        rows.append(
            TableRow(
                id=table.pk,
                entry=GAMES[table.game],
                status=table.status,
                names=[_name(seat) for seat in taken],
                free=free,
                is_mine=me is not None,
                is_due=playing and me is not None and (me in table.due or table.by_hand),
                waits_for=[_name(seats[index]) for index in table.due if index >= 0] if playing else [],
                since=(table.due_since if playing else None) or table.created_at,
                club=table.club,
                is_rated=_is_rated(table),
                is_duplicate=table.duplicate_id is not None,
                by_link=table.privacy == Table.Privacy.LINK,
                can_join=can_join and table.status == Table.Status.OPEN and me is None and free > 0,
                pace=gettext("Saved for another day") if table.saved else said(pace_of(table.pace)),
                until=_until(table, me) if playing else None,
                starts_at=table.starts_at if table.status == Table.Status.OPEN else None,
                is_kept=playing and any(seat.is_away and user is not None and seat.left_user_id == user.pk for seat in seats),
            )
        )
    # First what waits for the viewer, and of that first what waits no longer.
    return sorted(rows, key=lambda row: (not (row.is_due or row.is_kept), row.until.timestamp() if row.until else inf))


def _until(table: Table, me: int | None) -> datetime | None:
    at = table.clocks.get("until", {}).get(str(me))
    return None if at is None else datetime.fromtimestamp(at, UTC)


def finished_rows(tables: Iterable[Table], user: User | None) -> list[FinishedRow]:
    """Return lines for finished tables, with the place of `user` if they played."""
    rows = []
    for table in tables:
        seats = sorted(table.seats.all(), key=lambda seat: (seat.place or 99, seat.index))
        mine = next((seat for seat in seats if user is not None and user.pk and seat.user_id == user.pk), None)
        rows.append(
            FinishedRow(
                id=table.pk,
                entry=GAMES[table.game],
                results=[(_name(seat), seat.place or 0, seat.score or 0) for seat in seats],
                my_place=mine.place if mine else None,
                my_score=mine.score if mine else None,
                finished_at=table.finished_at or table.created_at,
                club=table.club,
                is_rated=_is_rated(table),
                is_duplicate=table.duplicate_id is not None,
                by_link=table.privacy == Table.Privacy.LINK,
            )
        )
    return rows
