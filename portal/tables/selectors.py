"""What pages, API and the hub may read of tables. Everything of a game is built from its view, never from its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db.models import F, Prefetch, Q, QuerySet

from games.core.contract import Ask, Event, Option, Outcome
from games.core.records import RECORD_FORMAT
from games.core.sealed import SCHEME
from games.registry import Entry
from portal.accounts.models import User
from portal.clubs.models import Membership
from portal.live.tokens import CLUB_LIFETIME_S, LIFETIME_S, make_token
from portal.tables import errors
from portal.tables.access import Circle, circle_of, load_for, visible
from portal.tables.loading import Loaded, event_for
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.recent import RECENT_LINES, Line


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits where, as anybody may know it. `has_order` is never shown to others, so it is not here."""

    index: int
    name: str  # "" while the seat is free
    username: str | None
    user_id: int | None
    bot_level: str | None
    is_me: bool
    is_due: bool
    word: str
    left_name: str | None  # the person whose seat a bot has taken over

    @property
    def is_free(self) -> bool:
        return self.user_id is None and self.bot_level is None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event of the log as the viewer may read it."""

    seq: int
    version: int
    at: datetime
    actor: int
    event: Event
    by: str  # player, bot, substitute, auto, order, undo, redo, leave, chance, scorer


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything a page or an API answer may say about a table to one viewer."""

    id: int
    entry: Entry
    status: str
    version: int
    options: dict[str, Any]
    seat_count: int
    seats: list[SeatInfo]
    my_seat: int | None
    view: Any | None
    ask: Ask | None
    legal: list[str]
    due: tuple[int, ...]
    due_since: datetime | None
    log: list[LogLine]  # newest first, the last records
    told: list[LogLine]  # newest first, the last records and all of a turn that is told as a chain
    missed: list[LogLine]  # oldest first: what others did since my seat last looked
    can_undo: bool
    can_redo: bool
    orders: list[tuple[Option, bool]]
    my_order: str
    commitment: str
    secret: str | None  # hex, when the game is over and the set, if it is of one, revealed
    words: list[str]
    outcome: Outcome | None
    stream_url: str | None
    stream_s: int  # how long the address is good
    can_join: bool
    can_leave: bool
    can_start: bool
    is_owner: bool
    bot_fill: str
    waiting_for: list[str]  # names of due seats; ["scoring"] while points are counted
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seen_version: int = 0
    names: list[str] = field(default_factory=list)
    circle: Circle | None = None
    is_rated: bool = True
    is_sealed: bool = False  # of a duplicate set that is not revealed


def table_page(table_id: int, user: User | None, *, chosen: str = "") -> TablePage:
    """Return what `user` may see of a table, by one statement, and one more at a table of a club. Raises TableNotFound."""
    return page_of(load_for(table_id, user), user, chosen=chosen)


def page_of(loaded: Loaded, user: User | None, *, chosen: str = "") -> TablePage:
    """Return the same from a table that is loaded already (the answer to an action needs no further statement).

    The caller has asked `access.may_see`.
    """
    table, game = loaded.table, loaded.game
    circle = circle_of(loaded, user)
    is_sealed = circle is not None and circle.is_sealed
    me = loaded.seat_of(user)
    due = tuple(table.due)
    playing = table.status == Table.Status.PLAYING
    finished = table.status == Table.Status.FINISHED
    view = game.view_for(loaded.state, me) if loaded.state is not None else None
    is_due = playing and me is not None and me in due
    row = loaded.seats[me] if me is not None else None
    log = _log_lines(table.recent[-RECENT_LINES:], me)
    told = _log_lines(table.recent, me) if len(table.recent) > RECENT_LINES else log
    is_owner = user is not None and user.pk is not None and table.owner_id == user.pk
    is_open = table.status == Table.Status.OPEN
    seats = _seats(loaded, me, due if playing else ())
    stream_s = LIFETIME_S if circle is None else CLUB_LIFETIME_S
    orders: list[tuple[Option, bool]] = []
    if playing and row is not None and not is_due:
        orders = [(option, option.text == row.order) for option in game.orders(view)]
    waiting = ["scoring"] if table.waits_for == Table.Waits.SCORER else [seats[index].name for index in due if index >= 0]
    return TablePage(
        id=table.pk,
        entry=loaded.entry,
        status=table.status,
        version=table.version,
        options=table.options,
        seat_count=table.seat_count,
        seats=seats,
        my_seat=me,
        view=view,
        ask=game.ask(view, chosen) if is_due else None,
        legal=[str(action) for action in game.legal_for_view(view)] if is_due else [],
        due=due if playing else (),
        due_since=table.due_since,
        log=log,
        told=told,
        missed=_missed(log, row, me) if playing or finished else [],
        can_undo=bool(playing and me is not None and table.line and table.line[-1][1] == me),
        can_redo=bool(is_due and table.undone and table.undone[-1][0] == me),
        orders=orders,
        my_order=row.order if row is not None else "",
        commitment=table.commitment,
        secret=bytes(table.secret).hex() if finished and not is_sealed else None,
        words=[seat.word for seat in seats],
        outcome=game.outcome(loaded.state) if finished else None,
        stream_url=_stream_url(table, user, stream_s) if table.status in (Table.Status.OPEN, Table.Status.PLAYING) else None,
        stream_s=stream_s,
        can_join=is_open and me is None and any(seat.is_free for seat in seats) and _lets_in(circle),
        can_leave=me is not None and (is_open or playing),
        can_start=is_open and is_owner,
        is_owner=is_owner,
        bot_fill=table.bot_fill,
        waiting_for=waiting if playing else [],
        created_at=table.created_at,
        started_at=table.started_at,
        finished_at=table.finished_at,
        seen_version=row.seen_version if row is not None else 0,
        names=[seat.name for seat in seats],
        circle=circle,
        is_rated=table.is_rated and table.position is None,
        is_sealed=is_sealed,
    )


def _lets_in(circle: Circle | None) -> bool:
    """Say whether the viewer may sit down at an open table of this club."""
    return circle is None or (circle.role is not None and not circle.is_closed and circle.set_id is None)


def full_log(table_id: int, user: User | None) -> list[LogLine]:
    """Return the whole log of a table, newest first, as `user` may read it. Raises TableNotFound."""
    loaded = load_for(table_id, user)
    me = loaded.seat_of(user)
    return [
        LogLine(record.seq, record.version, record.at, record.actor, event_for(data, me), record.by)
        for record in ActionRecord.objects.filter(table_id=table_id).order_by("-seq")
        for data in reversed(record.events)
    ]


def record_of(table_id: int, user: User | None = None, *, full: bool = False) -> dict[str, Any]:
    """Return the record of a finished game: the effective line, or with `full` every entry of the log with the undone ones.

    Raises TableNotFound, WrongStatus while the game, or another one of its duplicate set, is not over.
    """
    loaded = load_for(table_id, user)
    table = loaded.table
    if table.status != Table.Status.FINISHED:
        raise errors.WrongStatus("the record is given when the game is over")
    circle = circle_of(loaded, user)
    if circle is not None and circle.is_sealed:
        raise errors.Sealed("the record is given when all tables of the set are over")
    entries = list(ActionRecord.objects.filter(table_id=table_id).order_by("seq").values_list("seq", "actor", "text", "by", "at"))
    data: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "game": table.game,
        "rules_version": table.rules_version,
        "options": table.options,
        "seats": table.seat_count,
        "table": table.pk,
        "players": [seat.username or f"{seat.name} ({seat.bot_level})" for seat in _seats(loaded, None, ())],
        "finished_at": table.finished_at.isoformat() if table.finished_at else None,
        "position": table.position,
        "actions": [[actor, text] for _, actor, text in effective_line([(seq, actor, text, by) for seq, actor, text, by, _ in entries])],
        "result": table.outcome,
        "chance": {
            "scheme": SCHEME,
            "commitment": table.commitment,
            "secret": bytes(table.secret).hex(),
            "words": loaded.words,
        },
    }
    if full:
        data["log"] = [[seq, actor, text, by, at.isoformat()] for seq, actor, text, by, at in entries]
    return data


def effective_line(entries: Sequence[tuple[int, int, str, str]]) -> list[tuple[int, int, str]]:
    """Return the entries (seq, actor, text) that stand: what was undone and what is no action is left out."""
    line: list[tuple[int, int, str]] = []
    for seq, actor, text, by in entries:
        if by == "undo":
            kept = int(text.split()[1])
            while line and line[-1][0] > kept:
                line.pop()
        elif by != "leave":
            line.append((seq, actor, text))
    return line


# Lists


def listed(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return the tables with what a line of a list says: seats (`table.seats.all()`), people, owner and club."""
    seats = Seat.objects.select_related("user").order_by("index")
    return (
        tables.select_related("owner", "club")
        .prefetch_related(Prefetch("seats", queryset=seats))
        .defer("state", "recent", "line", "barrier", "club__about_en", "club__about_hu", "club__about_ru")
    )


def open_tables(user: User | None, game: str | None = None) -> QuerySet[Table]:
    """Return tables at which `user` could sit down, newest first. Seats of duplicate sets are taken on the page of the set."""
    tables = Table.objects.filter(status=Table.Status.OPEN, duplicate=None)
    if game:
        tables = tables.filter(game=game)
    mine = Q(club=None)
    if user is not None and user.pk:
        mine |= Q(club__in=Membership.objects.filter(user=user, club__closed_at=None).values("club_id"))
    return listed(tables.filter(mine)).order_by("-created_at")


def my_tables(user: User) -> QuerySet[Table]:
    """Return one's open and running tables, running ones first; which of them wait for oneself, `table.due` tells."""
    live = [Table.Status.OPEN, Table.Status.PLAYING]
    return listed(Table.objects.filter(status__in=live, seats__user=user)).order_by(F("due_since").desc(nulls_last=True), "-created_at")


def recent_finished(game: str | None = None, user: User | None = None, *, viewer: User | None = None) -> QuerySet[Table]:
    """Return finished tables that `viewer` may see, newest first; of one person (also where a bot took over) with `user`."""
    tables = visible(Table.objects.filter(status=Table.Status.FINISHED), viewer)
    if game:
        tables = tables.filter(game=game)
    if user is not None:
        tables = tables.filter(Q(seats__user=user) | Q(seats__left_user=user)).distinct()
    return listed(tables).order_by("-finished_at")


# Parts


def _seats(loaded: Loaded, me: int | None, due: Sequence[int]) -> list[SeatInfo]:
    return [
        SeatInfo(
            index=seat.index,
            name=seat.user.username if seat.user is not None else seat.bot_name,
            username=seat.user.username if seat.user is not None else None,
            user_id=seat.user_id,
            bot_level=seat.bot_level or None if seat.user_id is None else None,
            is_me=seat.index == me,
            is_due=seat.index in due,
            word=seat.word if loaded.table.status != Table.Status.OPEN or seat.index == me else "",
            left_name=seat.left_user.username if seat.left_user_id and seat.left_user else None,
        )
        for seat in loaded.seats
    ]


def _log_lines(records: Sequence[Line], me: int | None) -> list[LogLine]:
    return [
        LogLine(record["q"], record["n"], datetime.fromtimestamp(record["t"], tz=UTC), record["a"], event_for(data, me), record["b"])
        for record in reversed(records)
        for data in reversed(record["e"])
    ]


def _missed(log: Sequence[LogLine], row: Seat | None, me: int | None) -> list[LogLine]:
    """Return what happened after one last looked and after one's own last action, oldest first."""
    if row is None:
        return []
    own = max((line.version for line in log if line.actor == me), default=0)
    since = max(row.seen_version, own)
    return [line for line in reversed(log) if line.version > since]


def _stream_url(table: Table, user: User | None, lifetime_s: int) -> str:
    viewer = user.pk if user is not None and user.pk else 0
    return f"/events/tables/{table.pk}/?token={make_token(table.pk, viewer, lifetime_s)}"
