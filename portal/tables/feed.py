"""What programs hear of tables on their streams: one line of JSON for each version, made from the reader's view alone."""

from __future__ import annotations

import functools
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import msgspec
from django.db import Error as DatabaseError
from django.db.models import Q
from django.utils import timezone, translation

from games.core.schemas import shown
from portal.accounts.models import User
from portal.live.programs import Line, Opening
from portal.live.tokens import Pass
from portal.tables.access import may_see, seat_kept_for
from portal.tables.api_base import line_json
from portal.tables.loading import Loaded, event_for, load
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.recent import RECENT_LINES
from portal.tables.refusals import TableNotFound
from portal.tables.selectors import LogLine, TablePage, page_of
from portal.tables.speaker import Speaker

log = logging.getLogger(__name__)
LIVE: Final = (Table.Status.OPEN, Table.Status.PLAYING)
MOST_EVENTS: Final = 500  # of one line; the log has the others
Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(slots=True)
class Reader:
    """The reader of a stream: `user` (None: a visitor), the language of the sentences, and how to ask again whether the reader may read."""

    user: User | None
    language: str
    again: Callable[[], bool]


def _between(ask: Callable[Concatenate[Feed, Given], Result]) -> Callable[Concatenate[Feed, Given], Result]:
    """Let the feed do first what is done between two uses of a thread."""

    @functools.wraps(ask)
    def asked(self: Feed, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        self.between()
        return ask(self, *args, **kwargs)

    return asked


class Feed:
    """What the streams of a web process ask of tables (`portal.live.programs.Source`).

    `between` is called before each question: threads that serve no requests drop connections that are too old or broken with
    `django.db.close_old_connections`, as each request does.
    """

    def __init__(self, between: Callable[[], None] = lambda: None) -> None:
        self.between = between

    @_between
    def look(self, people: Sequence[int], tables: Sequence[int]) -> tuple[Mapping[int, Mapping[int, int]], Mapping[int, int]]:
        """Return the open and running tables of people, and the versions of tables that are open or running. Two statements at most."""
        return tables_of(people), dict(Table.objects.filter(pk__in=tables, status__in=LIVE).values_list("pk", "version")) if tables else {}

    @_between
    def seated(self, tables: Sequence[int], people: Sequence[int]) -> tuple[Mapping[int, Sequence[int]], Sequence[int]]:
        """Return which of these people sit where, and at which tables nobody new sits down: those that aren't open. Two statements."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for table, person in Seat.objects.filter(table__in=tables, user__in=people).values_list("table_id", "user_id"):
            found[table].append(person or 0)
        return found, list(Table.objects.filter(pk__in=tables).exclude(status=Table.Status.OPEN).values_list("pk", flat=True))

    @_between
    def lines(self, table: int, asked: Sequence[tuple[Opening, int | None]]) -> Sequence[Line | None]:
        """Return what is new to each reader. One statement for all of them, more for a club's table and for what happened long ago.

        Whoever's line can't be made gets one that says so. Raises whatever the database raises; then all ask again.
        """
        try:
            loaded = load(table)
        except TableNotFound:
            return [_gone(table)] * len(asked)
        return [line_or_fault(loaded, opening, had) for opening, had in asked]

    @_between
    def may_read(self, opening: Opening) -> bool:
        """Ask for token and account again, and at a single table whether its reader may still see it."""
        reader: Reader = opening.reader
        if not reader.again():
            return False
        if opening.table is None:
            return True
        try:
            loaded = load(opening.table)
        except TableNotFound:
            return False
        opening.watches = watches_as(loaded, reader.user)
        return may_see(loaded, reader.user)

    def alive(self) -> bytes:
        return _encoded({"type": "alive", "at": timezone.now()})

    def fault(self) -> bytes:
        return _encoded({"type": "fault", "table": None, "at": timezone.now()})

    def gone(self, opening: Opening) -> bytes:
        return _encoded({"type": "gone", "table": None, "at": timezone.now()})


def tables_of(people: Sequence[int]) -> Mapping[int, Mapping[int, int]]:
    """Return the open and running tables of each person, with their versions; where a bot keeps the seat as well."""
    if not people:
        return {}
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    wanted = set(people)
    seats = Seat.objects.filter(Q(user__in=people) | Q(left_user__in=people, is_away=True), table__status__in=LIVE)
    for person, left, table, version in seats.values_list("user_id", "left_user_id", "table_id", "table__version"):
        owner = person if person in wanted else left
        if owner is not None:
            found[owner][table] = version
    return found


def line_of(loaded: Loaded, opening: Opening, had: int | None) -> Line | None:
    """Return what is new at a table since version `had`; None if there is nothing."""
    reader: Reader = opening.reader
    table = loaded.table
    if opening.table is not None:
        opening.watches = watches_as(loaded, reader.user)
    if not _may_hear(loaded, opening):
        return _gone(table.pk)
    if table.status in LIVE and had is not None and table.version == had:
        return None
    if had is not None and table.version < had:  # an older copy of the database is in use: what the reader has is of no use
        had = None
    if table.status == Table.Status.FINISHED and had is not None and table.version <= had:
        return Line(b"", "", table.version, is_last=True)  # the end of a game is a version of its own, so it was told
    with translation.override(reader.language):
        page = page_of(loaded, reader.user)
        kind = "over" if table.status not in LIVE else "your_move" if page.my_seat in page.turn.due else "state"
        body = _encoded(_told(page, kind, events_since(loaded, page.my_seat, had)))
    return Line(body, kind, page.version, is_last=kind == "over")


def watches_as(loaded: Loaded, user: User | None) -> Pass | None:
    """Return as whom the reader of a table's own stream is counted among its spectators; None: they sit there, may come back, or nothing goes on."""
    if loaded.table.status not in LIVE or loaded.seat_of(user) is not None or seat_kept_for(loaded, user) is not None:
        return None
    return Pass(user.pk if user is not None else 0, inf, watches=True, is_named=user is not None and user.shows_watching)


def _may_hear(loaded: Loaded, opening: Opening) -> bool:
    user: User | None = opening.reader.user
    if opening.table is not None:
        return may_see(loaded, user)
    return loaded.seat_of(user) is not None or seat_kept_for(loaded, user) is not None


def line_or_fault(loaded: Loaded, opening: Opening, had: int | None) -> Line | None:
    """Return a reader's line. If it can't be made, that is logged, and a reader who may see the table hears that it is so."""
    try:
        return line_of(loaded, opening, had)
    except DatabaseError:
        raise
    except Exception:
        table = loaded.table
        log.exception("line of table %d at version %d not made", table.pk, table.version)
        if not _may_hear(loaded, opening):
            return _gone(table.pk)
        if had == table.version:  # the reader has heard that already
            return None
        is_over = table.status not in LIVE
        told = {"type": "fault", "table": table.pk, "version": table.version, "at": timezone.now()}
        return Line(_encoded(told), "fault", table.version, is_last=is_over)


def _told(page: TablePage, kind: str, events: Sequence[LogLine]) -> dict[str, Any]:
    speaker = Speaker(page.entry.key, translation.get_language() or "en", page.names, page.my_seat)
    said, are_missing = _said(events, page.id, speaker)
    return {
        "type": kind,
        "table": page.id,
        "version": page.version,
        "game": page.entry.key,
        "status": page.status,
        "my_seat": page.my_seat,
        "view": shown(page.view) if page.view is not None else None,
        "question": speaker.say(page.turn.ask.title) if page.turn.ask is not None else None,
        "legal": page.turn.legal,
        "due": [seat for seat in page.turn.due if seat >= 0],
        "due_since": page.turn.due_since,
        "outcome": page.outcome,
        "can_come_back": page.may.come_back,
        "events": said,
        "events_missing": are_missing,
        "at": timezone.now(),
    }


def _said(events: Sequence[LogLine], table: int, speaker: Speaker) -> tuple[list[dict[str, Any]], bool]:
    """Return events with their sentences, and whether some are missing. One that nobody can put into words holds up no move: it is logged and left out."""
    said: list[dict[str, Any]] = []
    for line in events:
        try:
            said.append(line_json(line, speaker))
        except Exception:
            log.exception("event %s of step %d of table %d can't be said", line.event.key, line.seq, table)
    return said, len(said) < len(events) or len(events) == MOST_EVENTS


def events_since(loaded: Loaded, me: int | None, had: int | None) -> list[LogLine]:
    """Return what has happened since a version, oldest first, as a seat may read it; the newest 500. None: nothing is asked for.

    One statement, if that is longer ago than what is kept with the table.
    """
    if had is None:
        return []
    recent = loaded.table.recent[-RECENT_LINES:]
    if not recent or recent[0]["n"] <= had or recent[0]["q"] == 1:
        return [
            LogLine(row["q"], row["n"], datetime.fromtimestamp(row["t"], tz=UTC), row["a"], event_for(data, me), row["b"])
            for row in recent
            if row["n"] > had
            for data in row["e"]
        ]
    records = ActionRecord.objects.filter(table_id=loaded.table.pk, version__gt=had).order_by("-seq")[:MOST_EVENTS]
    lines = [
        LogLine(record.seq, record.version, record.at, record.actor, event_for(data, me), record.by)
        for record in reversed(records)
        for data in record.events
    ]
    return lines[-MOST_EVENTS:]


def _gone(table: int) -> Line:
    return Line(_encoded({"type": "gone", "table": table, "at": timezone.now()}), "gone", 0, is_last=True)


def _encoded(told: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(told) + b"\n"
