"""Measures archives of many synthetic games, in a database created and dropped here: memory, time, and whether everything agrees with the tables."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection

from archives.selfplay import Plan, play
from games.registry import game as rules_of
from portal.accounts.models import User
from portal.archives import oracle
from portal.archives.making import COUNTS
from portal.archives.models import Archive, Figures, OpeningMove
from portal.common.benches import own_database, vacuum
from portal.tables.models import ActionRecord, Seat, Table

PLAYED: Final = 40  # different games; the others are copies of their moves, with other people and times
PEOPLE: Final = 1000
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
SPAN: Final = timedelta(days=366)
SLICE: Final = 5000
FEW_PART: Final = 100  # the first run has this part of the games
Say = Callable[[str], None]
Bars = Callable[[str, int], Any]


@dataclass(frozen=True, slots=True)
class Run:
    """A command in a process of its own: seconds, and the most memory it took, in MB."""

    seconds: float
    peak_mb: float


def measure(game: str, games: int, say: Say, bars: Bars) -> dict[str, Any]:
    """Return the figures for so many games, beside the memory for a hundredth of them. Raises RuntimeError when a command fails."""
    found: dict[str, Any] = {"game": game, "games": games}
    with own_database(say), tempfile.TemporaryDirectory(prefix="ziggurat-archives-") as folder:
        say(f"playing {PLAYED} games")
        _play(game)
        few = max(games // FEW_PART, PLAYED)
        _fill(PLAYED + 1, few, games, bars)
        found["few"], found["few_games"] = _run(folder, "archive"), few
        say(f"{few:,} games archived: {found['few']}")
        _fill(few + 1, games, games, bars)
        vacuum()
        found["records"] = ActionRecord.objects.count()
        found["write"] = _run(folder, "archive")
        say(f"{games:,} games archived: {found['write']}")
        found["check"] = _run(folder, "archive", "--check")
        say(f"{games:,} games read back from both files and played again: {found['check']}")
        found["rows"] = sum(Archive.objects.values_list("rows", flat=True))
        found["bytes"] = {
            kind: sum(file["bytes"] for each in Archive.objects.all() for file in each.manifest["files"] if file["kind"] == kind)
            for kind in ("jsonl.zst", "parquet")
        }
        found["compared"], found["differences"] = compare(game)
    return found


def compare(game: str) -> tuple[int, list[str]]:
    """Compare the figures with plain SQL over the tables; return how many numbers were compared, and what differs."""
    compared, differences = 0, []
    for row in Figures.objects.filter(game=game):
        group = (game, row.seats, row.company)
        expected = oracle.totals(*group)
        given = {"games": row.games, "seats": row.totals["seats"], **{name: row.totals[name] for name in COUNTS}}
        for name, value in expected.items():
            compared += len(value) if isinstance(value, list) else 1
            if given[name] != value:
                differences.append(f"{group}: {name}")
        lines = oracle.openings(*group)
        for move in OpeningMove.objects.filter(game=game, seats=row.seats, company=row.company):
            compared += 1
            if lines.get(f"{move.after}{move.move}\n") != (move.games, move.wins, move.places, move.squares):
                differences.append(f"{group}: {move.after!r} {move.move!r}")
    return compared, differences


def _play(game: str) -> None:
    """Store the games that the others copy, as games of people, every fourth with a bot."""
    User.objects.bulk_create([User(username=f"player{n}", password="!") for n in range(PEOPLE)])  # noqa: S106
    rules = rules_of(game)
    plan = Plan(game, ("apprentice",) * rules.meta.seats[0], 1, strays=20)
    for number in range(PLAYED):
        row = play(rules, plan, number)
        table = Table.objects.create(
            game=game, seat_count=row["seats"], rules_version=row["rules_version"], options=row["options"], status=Table.Status.FINISHED,
            finish_number=number + 1, started_at=START, finished_at=START, outcome=row["result"],
            secret=bytes.fromhex(row["chance"]["secret"]), commitment=row["chance"]["commitment"],
        )  # fmt: skip
        Seat.objects.bulk_create(
            Seat(table=table, index=index, bot_level="apprentice", bot_name=f"bot{index}", place=place, score=score)
            for index, (place, score) in enumerate(zip(row["result"]["places"], row["result"]["scores"], strict=True))
        )
        ActionRecord.objects.bulk_create(
            ActionRecord(table=table, seq=seq, version=seq, actor=actor, text=text, by="bot", at=START)
            for seq, (actor, text) in enumerate(row["actions"], 1)
        )


def _fill(first: int, last: int, games: int, bars: Bars) -> None:
    """Add the games with these finish numbers, spread evenly over a year; every fourth of them keeps its bots."""
    person = User.objects.order_by("pk").values_list("pk", flat=True)[0]
    span = SPAN.total_seconds() / (games + 1)
    with bars("games made", last - first + 1) as bar, connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no foreign keys are checked: all of them are of rows made here
        for begin in range(first, last + 1, SLICE):
            end = min(begin + SLICE - 1, last)
            given: dict[str, Any] = {
                "begin": begin,
                "end": end,
                "played": PLAYED,
                "start": START,
                "span": span,
                "person": person,
                "people": PEOPLE,
            }
            for statement in (_TABLES, _SEATS, _RECORDS):
                cursor.execute(statement, given)
            bar.at(end - first + 1)
        cursor.execute("SET session_replication_role = DEFAULT")


def _columns(model: Any, **other: str) -> str:
    """Return "INSERT INTO table (columns) SELECT values": those of the row `made`, with other ones (SQL by column)."""
    columns = [str(field.column) for field in model._meta.local_fields if not field.primary_key]
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(other.get(column, f'made."{column}"') for column in columns)
    return f'INSERT INTO "{model._meta.db_table}" ({names}) SELECT {values}'


_NEW: Final = (
    "FROM generate_series(%(begin)s::bigint, %(end)s) n "
    "JOIN tables_table old ON old.finish_number = 1 + n %% %(played)s JOIN tables_table new ON new.finish_number = n "
)
_MOMENT: Final = "%(start)s + n * %(span)s * interval '1 second'"
_IS_OF_BOTS: Final = "n %% 4 = 0"
_TABLES: Final = (
    _columns(Table, finish_number="n", started_at=_MOMENT, finished_at=_MOMENT)
    + " FROM generate_series(%(begin)s::bigint, %(end)s) n JOIN tables_table made ON made.finish_number = 1 + n %% %(played)s"
)
_SEATS: Final = (
    _columns(
        Seat,
        table_id="new.id",
        user_id=f'CASE WHEN {_IS_OF_BOTS} THEN NULL ELSE %(person)s + (n * 7 + made."index") %% %(people)s END',
        bot_level=f"CASE WHEN {_IS_OF_BOTS} THEN made.bot_level ELSE '' END",
        bot_name=f"CASE WHEN {_IS_OF_BOTS} THEN made.bot_name ELSE '' END",
    )
    + f" {_NEW} JOIN tables_seat made ON made.table_id = old.id"
)
_RECORDS: Final = _columns(ActionRecord, table_id="new.id") + f" {_NEW} JOIN tables_actionrecord made ON made.table_id = old.id"


def _run(folder: str, *command: str) -> Run:
    """Run a command of the portal on the measurement's database, with archives in a folder. Raises RuntimeError when it fails."""
    url = urlsplit(os.environ.get("DATABASE_URL") or settings.STATE.database_url())
    database = urlunsplit(url._replace(path=f"/{connection.settings_dict['NAME']}"))
    environment = {**os.environ, "DATABASE_URL": database, "REDIS_URL": settings.REDIS_URL, "ZIGGURAT_STATE": folder}
    begin = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "manage.py", *command], cwd=Path(settings.BASE_DIR), env=environment, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")
    return Run(time.perf_counter() - begin, used.ru_maxrss / 1024)
