"""What pages may read of duplicate sets: seats and progress of the tables; places and scores only after the reveal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.clubs.models import Club, DuplicateSet
from portal.contests.refusals import NoSuchSet
from portal.tables.models import Seat, Table

SETS_LISTED = 20
ENDED = Q(tables__status__in=(Table.Status.FINISHED, Table.Status.ABANDONED))


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set in the list of a club."""

    id: int
    name: str
    entry: Entry
    n_tables: int
    n_open: int
    n_ended: int
    created_at: datetime
    is_revealed: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The person or bot in a seat, as at the start of the game: only after the reveal does it say that a bot took over."""

    index: int
    name: str  # "" for a free seat
    username: str | None
    bot_level: str
    is_me: bool
    took_over: str = ""  # the bot, after the reveal

    @property
    def is_free(self) -> bool:
        return not self.name

    @property
    def number(self) -> int:
        return self.index + 1


@dataclass(frozen=True, slots=True)
class TableState:
    """One table of a set, with only what the viewer may know."""

    id: int
    number: int  # in the set, from 1
    status: str
    seats: list[SeatRow]
    is_mine: bool

    @property
    def n_free(self) -> int:
        return sum(seat.is_free for seat in self.seats)

    @property
    def has_people(self) -> bool:
        return any(seat.username for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Result:
    """How one seat of one finished table did, compared with the same seat at the others."""

    table: TableState
    seat: SeatRow
    score: int
    place: int
    beaten: Fraction  # other tables where the same seat did worse; equal ones count half
    others: int  # finished tables besides this one

    @property
    def share(self) -> Fraction:
        """Duplicate points, 0 to 1."""
        return self.beaten / self.others if self.others else Fraction(0)

    @property
    def percent(self) -> int:
        return round(100 * self.share)

    @property
    def beaten_text(self) -> str:
        """Format a whole or half number: "2", "2½", "½"."""
        whole, half = divmod(int(2 * self.beaten), 2)
        return f"{whole}½" if half and whole else "½" if half else str(whole)


@dataclass(frozen=True, slots=True)
class SeatComparison:
    """One seat at all finished tables, best first."""

    number: int
    results: list[Result]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person's line in the order of duplicate points; equal points share the place."""

    rank: int
    result: Result


@dataclass(frozen=True, slots=True)
class SetPage:
    """A set as one viewer may see it."""

    duplicate: DuplicateSet
    entry: Entry
    tables: list[TableState]
    is_revealed: bool
    secret: str | None  # hex
    my_table: TableState | None
    has_sat: bool  # also at a table they have left
    comparison: list[SeatComparison]
    ranking: list[Ranked]

    @property
    def n_ended(self) -> int:
        return sum(table.status in ("finished", "abandoned") for table in self.tables)

    @property
    def n_open(self) -> int:
        return sum(table.status == "open" for table in self.tables)


def sets_of(club: Club, *, page: int = 1, size: int = SETS_LISTED) -> tuple[list[SetRow], bool]:
    """Return a page of the sets of a club, newest first, and whether more follow."""
    first = (page - 1) * size
    rows = [row_of(row) for row in counted(club).order_by("-created_at", "-id")[first : first + size + 1]]
    return rows[:size], len(rows) > size


def counted(club: Club) -> QuerySet[DuplicateSet]:
    """Return the sets of a club in no order, each with the numbers of its tables."""
    return (
        DuplicateSet.objects.filter(club=club)
        .defer("secret")
        .annotate(
            n_tables=Count("tables"),
            n_open=Count("tables", filter=Q(tables__status=Table.Status.OPEN)),
            n_ended=Count("tables", filter=ENDED),
        )
    )


def row_of(row: Any) -> SetRow:
    """Return a set with its numbers as a list shows it."""
    return SetRow(row.pk, row.name, GAMES[row.game], row.n_tables, row.n_open, row.n_ended, row.created_at, row.revealed_at is not None)


def set_of(club: Club, pk: int) -> DuplicateSet:
    """Return a set of the club. Raises ClubNotFound."""
    found = DuplicateSet.objects.filter(club=club, pk=pk).first() if pk < 2**63 else None
    if found is None:
        raise NoSuchSet
    found.club = club
    return found


def set_page(duplicate: DuplicateSet, viewer: User | None) -> SetPage:
    """Return what `viewer` may know of a set, with two statements."""
    is_revealed = duplicate.revealed_at is not None
    people = Seat.objects.select_related("user", "left_user").order_by("index")
    rows = list(
        Table.objects.filter(duplicate=duplicate)
        .only("status", "finished_at", "duplicate_id")
        .prefetch_related(Prefetch("seats", queryset=people))
        .order_by("pk")
    )
    me = viewer.pk if viewer is not None and viewer.pk else 0
    tables = [_table_state(row, number, me, is_revealed) for number, row in enumerate(rows, start=1)]
    comparison = _compared(rows, tables) if is_revealed else []
    return SetPage(
        duplicate=duplicate,
        entry=GAMES[duplicate.game],
        tables=tables,
        is_revealed=is_revealed,
        secret=bytes(duplicate.secret).hex() if is_revealed else None,
        my_table=next((table for table in tables if table.is_mine), None),
        has_sat=bool(me) and any(me in (seat.user_id, seat.left_user_id) for row in rows for seat in row.seats.all()),
        comparison=comparison,
        ranking=_ranked(comparison),
    )


def _table_state(row: Table, number: int, me: int, is_revealed: bool) -> TableState:
    seats = []
    for seat in row.seats.all():
        person = seat.user or seat.left_user
        seats.append(
            SeatRow(
                index=seat.index,
                name=shown(person.username) if person is not None else seat.bot_name,
                username=person.username if person is not None else None,
                bot_level=seat.bot_level if person is None else "",
                is_me=bool(me) and seat.user_id == me,
                took_over=seat.bot_name if is_revealed and seat.user is None and seat.left_user is not None else "",
            )
        )
    return TableState(row.pk, number, row.status, seats, any(seat.is_me for seat in seats))


def _compared(rows: list[Table], tables: list[TableState]) -> list[SeatComparison]:
    """Compare each seat across the finished tables: the higher score is better, then the better place; otherwise both count half."""
    finished = [(row, state) for row, state in zip(rows, tables, strict=True) if row.status == Table.Status.FINISHED]
    if not finished:
        return []
    comparison = []
    for index in range(len(finished[0][1].seats)):
        keys = {}
        for row, _state in finished:
            seat = row.seats.all()[index]
            keys[row.pk] = (seat.score or 0, -(seat.place or 0))
        results = []
        for row, state in finished:
            key = keys[row.pk]
            others = [other for pk, other in keys.items() if pk != row.pk]
            beaten = sum((Fraction(2 * (other < key) + (other == key), 2) for other in others), Fraction(0))
            results.append(Result(state, state.seats[index], key[0], -key[1], beaten, len(others)))
        results.sort(key=lambda result: (-result.score, result.place, result.table.number))
        comparison.append(SeatComparison(index + 1, results))
    return comparison


def _ranked(comparison: list[SeatComparison]) -> list[Ranked]:
    """Order the people who played to the end by their duplicate points; there are none without a second table."""
    results = [
        result
        for seat in comparison
        for result in seat.results
        if result.others and result.seat.username is not None and not result.seat.took_over
    ]
    results.sort(key=lambda result: (-result.share, (result.seat.username or "").lower()))
    return [Ranked(1 + sum(other.share > result.share for other in results), result) for result in results]
