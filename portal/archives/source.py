"""The games that archives are made of, read from the tables a few at a time; and what tells whether those of a month are still the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

from django.db import transaction
from django.db.models import BigIntegerField, Count, F, Func, QuerySet, Sum, Value
from django.db.models.functions import Cast, Coalesce, TruncMonth

from archives import rows
from archives.manifest import FORMAT
from archives.rows import BOT, DELETED, DELETED_NAME, GUEST, PERSON, Row
from portal.accounts.pseudonyms import is_pseudonym
from portal.tables.access import visible
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.selectors import effective_line

AT_ONCE: Final = 100  # games that are read together
RECORDS_AT_ONCE: Final = 2000
_SEAT: Final = (
    "table_id",
    "index",
    "user_id",
    "user__username",
    "user__is_guest",
    "user__is_bot",
    "left_user_id",
    "bot_name",
    "bot_level",
    "word",
)
_TABLE: Final = (
    "pk", "game", "rules_version", "options", "seat_count", "is_rated", "started_at", "finished_at", "outcome", "commitment", "secret",
)  # fmt: skip
Key = tuple[str, date]  # a game and the first day of a month


@dataclass(frozen=True, slots=True)
class Source:
    """The games of a month: how many, and a checksum of everything about them that can still change."""

    rows: int
    text: str


def archived() -> QuerySet[Table]:
    """Return the tables whose games belong into archives: seen by visitors, without a club, played from the set-up, with a result."""
    finished = Table.objects.filter(
        status=Table.Status.FINISHED,
        finish_number__isnull=False,
        finished_at__isnull=False,
        outcome__isnull=False,
        club=None,
        duplicate=None,
        privacy=Table.Privacy.PUBLIC,
        position__isnull=True,
        by_hand=False,
        lesson="",
    )
    return visible(finished, None)


def following(month: date) -> date:
    """Return the first day of the next month."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _start(month: date) -> datetime:
    return datetime(month.year, month.month, 1, tzinfo=UTC)


def sources(before: date) -> dict[Key, Source]:
    """Return what there is to archive of the months before the one that starts on `before`, with one statement.

    Of a finished game only its names can change, and whether everybody may see it; so the checksum is of tables and who sits there.
    """
    line: Any = Func(
        Value("|"),
        F("table_id"),
        F("index"),
        Coalesce(F("user__username"), F("bot_name")),
        F("user__is_guest"),
        F("left_user_id"),
        function="concat_ws",
    )
    number = Cast(Func(line, Value(0), function="hashtextextended"), BigIntegerField())
    seats = (
        Seat.objects.filter(table__in=archived().filter(finished_at__lt=_start(before)))
        .annotate(month=TruncMonth("table__finished_at", tzinfo=UTC))
        .order_by()
        .values("table__game", "month")
        .annotate(tables=Count("table", distinct=True), sum=Sum(number))
    )
    return {
        (found["table__game"], found["month"].date()): Source(found["tables"], f"{FORMAT} {found['tables']} {found['sum']}")
        for found in seats.iterator()
    }


def rows_of(game: str, month: date) -> Iterator[Row]:
    """Yield the games of a month in the order in which they ended. Memory holds `AT_ONCE` of them, two cursors on the server the others."""
    span = archived().filter(game=game, finished_at__gte=_start(month), finished_at__lt=_start(following(month)))
    with transaction.atomic():
        tables = span.order_by("finish_number").values_list(*_TABLE).iterator(chunk_size=AT_ONCE)
        while some := list(islice(tables, AT_ONCE)):
            yield from _rows(some)


def _rows(tables: Sequence[tuple[Any, ...]]) -> list[Row]:
    keys = [table[0] for table in tables]
    seats: dict[int, list[tuple[Any, ...]]] = {key: [] for key in keys}
    for seat in Seat.objects.filter(table__in=keys).order_by("table_id", "index").values_list(*_SEAT):
        seats[seat[0]].append(seat)
    records = ActionRecord.objects.filter(table__in=keys).order_by("table_id", "seq").values_list("table_id", "seq", "actor", "text", "by")
    lines = {
        key: effective_line([record[1:] for record in of_table])
        for key, of_table in groupby(records.iterator(chunk_size=RECORDS_AT_ONCE), key=itemgetter(0))
    }
    return [_row(table, seats[table[0]], lines.get(table[0], [])) for table in tables]


def _row(table: tuple[Any, ...], seats: Sequence[tuple[Any, ...]], line: Sequence[tuple[int, int, str]]) -> Row:
    pk, game, rules_version, options, seat_count, is_rated, started_at, finished_at, outcome, commitment, secret = table
    sitting = [_player(*seat[2:9]) for seat in seats]
    return rows.row(
        table=pk,
        game=game,
        rules_version=rules_version,
        options=options,
        seats=seat_count,
        players=[name for name, _, _, _ in sitting],
        kinds=[kind for _, kind, _, _ in sitting],
        levels=[level for _, _, level, _ in sitting],
        left=[left for _, _, _, left in sitting],
        is_rated=is_rated,
        started_at=_moment(started_at),
        finished_at=_moment(finished_at),
        actors=[actor for _, actor, _ in line],
        actions=[text for _, _, text in line],
        places=outcome["places"],
        scores=outcome["scores"],
        reason=outcome["reason"],
        commitment=commitment,
        secret=bytes(secret).hex(),
        words=[seat[9] for seat in seats],
    )


def _player(
    user_id: int | None,
    name: str | None,
    is_guest: bool | None,
    is_bot: bool | None,
    left_id: int | None,
    bot_name: str,
    level: str,
) -> tuple[str, str, str, bool]:
    """Return name, kind, level, and whether a person left the seat. Whoever left is not named, as on the table's page."""
    if user_id is None:
        return (bot_name, BOT, level, left_id is not None) if bot_name else (DELETED_NAME, DELETED, "", left_id is not None)
    if name is None or is_pseudonym(name):
        return DELETED_NAME, DELETED, "", False
    return name, GUEST if is_guest else BOT if is_bot else PERSON, "", False


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()
