"""What pages, API and the hub may read of tables. Everything of a game is built from its view, never from its state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Case, Count, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, When

from games.core.contract import Ask, Event, Option, Outcome
from games.core.records import RECORD_FORMAT
from games.core.sealed import SCHEME
from games.registry import Entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.clubs.models import Membership
from portal.common import maintenance
from portal.live.tokens import CLUB_LIFETIME_S, LIFETIME_S, make_token
from portal.tables import clocks, refusals
from portal.tables.access import Circle, circle_of, is_sealed, load_for, seat_kept_for, visible
from portal.tables.invited import Invited, invited_to, own_invitation
from portal.tables.lesson import Place, place_of
from portal.tables.loading import Loaded, event_for
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.pace import RELAXED, Pace, pace_of
from portal.tables.recent import RECENT_LINES, Line
from portal.tables.votes import Question, Vote, questions, vote_of

HEAVY: Final = ("state", "recent", "line", "barrier")  # columns that no list needs


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The public part of a seat. `has_order` is never shown to others, so it is not here."""

    index: int
    name: str  # "" for a free seat
    username: str | None
    user_id: int | None
    bot_level: str | None
    is_me: bool
    is_due: bool
    word: str
    left_name: str | None  # the person whose seat a bot has taken over
    is_bot: bool = False  # a level, or somebody's bot account
    is_kept: bool = False  # the bot plays until that person comes back
    clock_ms: int | None = None  # what was left when the clock started to run, or stopped; None without a clock
    runs_out_at: datetime | None = None  # of a clock that runs

    @property
    def is_free(self) -> bool:
        return not self.name


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
class Turn:
    """Whom a table waits for, and what it asks of the viewer; all empty unless it is running."""

    due: tuple[int, ...] = ()
    due_since: datetime | None = None
    waiting_for: list[str] = field(default_factory=list)  # names of due seats; ["scoring"] during scoring
    ask: Ask | None = None
    legal: list[str] = field(default_factory=list)
    orders: list[tuple[Option, bool]] = field(default_factory=list)  # possible answers in advance, and whether each is the current one


@dataclass(frozen=True, slots=True)
class Log:
    """The log, as the viewer may read it."""

    lines: list[LogLine]  # newest first, the last records
    told: list[LogLine]  # newest first, the last records and all of a chained turn
    missed: list[LogLine]  # oldest first: what others did since the viewer last looked


@dataclass(frozen=True, slots=True)
class May:
    """What the viewer may do with the table."""

    join: bool
    leave: bool
    start: bool
    undo: bool
    redo: bool
    come_back: bool = False  # a bot keeps the viewer's seat


@dataclass(frozen=True, slots=True)
class Seal:
    """The sealed chance of a table."""

    commitment: str
    secret: str | None  # hex, once the game is over and its set, if any, is revealed
    words: list[str]


@dataclass(frozen=True, slots=True)
class Stream:
    """The address of a table's events, and for how many seconds it is valid."""

    url: str
    lifetime_s: int


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything a page or an API answer may say about a table to one viewer."""

    id: int
    entry: Entry
    status: str
    version: int
    options: dict[str, Any]
    seats: list[SeatInfo]
    my_seat: int | None
    is_owner: bool
    bot_fill: str
    is_rated: bool
    circle: Circle | None
    view: Any | None
    turn: Turn
    log: Log
    may: May
    seal: Seal
    stream: Stream | None
    outcome: Outcome | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    by_link: bool = False  # only invited people, and those with its link, see it
    kept: int = 0  # free seats that are kept for invited people
    link_code: str = ""  # for the owner of an open table
    invitations: Sequence[Invited] = ()  # likewise
    invited: int | None = None  # the invitation by which the viewer may take a seat
    by_hand: bool = False  # its person plays all seats
    lesson: Place | None = None  # where it is in a guided first game
    pace: Pace = RELAXED
    vote: Vote | None = None  # what the people at the table are deciding together
    questions: Sequence[Question] = ()  # what the viewer may ask them
    has_company: bool = False  # there may be somebody to talk to
    starts_at: datetime | None = None  # of an open table for which a time is agreed
    is_sealed: bool = False  # another game with the same deal is not over

    @property
    def seat_count(self) -> int:
        return len(self.seats)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]


def table_page(table_id: int, user: User | None, *, chosen: str = "") -> TablePage:
    """Return what `user` may see of a table. Raises TableNotFound.

    One statement, another for a table of a club, and another before the start for its owner and where people are invited.
    """
    return page_of(load_for(table_id, user), user, chosen=chosen)


def page_of(loaded: Loaded, user: User | None, *, chosen: str = "") -> TablePage:
    """Return the same from a loaded table (the answer to an action needs no further statement).

    The caller has asked `access.may_see`.
    """
    table, game = loaded.table, loaded.game
    circle = circle_of(loaded, user)
    sealed = is_sealed(loaded, user)
    me = loaded.seat_of(user)
    finished = table.status == Table.Status.FINISHED
    view = game.view_for(loaded.state, me) if loaded.state is not None else None
    seats = _seats(loaded, me, table.due if table.status == Table.Status.PLAYING else ())
    is_owner = user is not None and user.pk is not None and table.owner_id == user.pk
    is_inviting = is_owner and table.status == Table.Status.OPEN
    return TablePage(
        id=table.pk,
        entry=loaded.entry,
        status=table.status,
        version=table.version,
        options=table.options,
        seats=seats,
        my_seat=me,
        is_owner=is_owner,
        bot_fill=table.bot_fill,
        is_rated=table.is_rated and table.position is None,
        circle=circle,
        is_sealed=sealed,
        view=view,
        turn=_turn(loaded, seats, me, view, chosen),
        log=_log(loaded, me),
        may=_may(loaded, seats, user, me, circle, is_owner=is_owner),
        seal=_seal(table, seats, is_sealed=sealed),
        stream=_stream(table, user, circle, watches=me is None and seat_kept_for(loaded, user) is None),
        outcome=game.outcome(loaded.state) if finished else None,
        created_at=table.created_at,
        started_at=table.started_at,
        starts_at=table.starts_at if table.status == Table.Status.OPEN else None,
        finished_at=table.finished_at,
        by_link=table.privacy == Table.Privacy.LINK,
        kept=table.kept,
        link_code=table.link_code if is_inviting else "",
        invitations=invited_to(table) if is_inviting else (),
        invited=own_invitation(loaded, user),
        by_hand=table.by_hand,
        lesson=place_of(table),
        pace=pace_of(table.pace),
        vote=vote_of(loaded),
        questions=questions(loaded, user),
        has_company=loaded.has_company,
    )


def _turn(loaded: Loaded, seats: Sequence[SeatInfo], me: int | None, view: Any | None, chosen: str) -> Turn:
    table, game = loaded.table, loaded.game
    if table.status != Table.Status.PLAYING:
        return Turn(due_since=table.due_since)
    due = tuple(table.due)
    waiting = ["scoring"] if table.waits_for == Table.Waits.SCORER else [seats[index].name for index in due if index >= 0]
    if me is None:
        return Turn(due, table.due_since, waiting)
    place = place_of(table)
    if place is not None and (place.is_over or me not in due):
        return Turn(due, table.due_since, waiting)
    if me in due:
        return Turn(due, table.due_since, waiting, game.ask(view, chosen), [str(action) for action in game.legal_for_view(view)])
    given = loaded.seats[me].order
    orders = [(option, option.text == given) for option in game.orders(view)]
    return Turn(due, table.due_since, waiting, orders=orders)


def _log(loaded: Loaded, me: int | None) -> Log:
    table = loaded.table
    lines = _log_lines(table.recent[-RECENT_LINES:], me)
    told = _log_lines(table.recent, me) if len(table.recent) > RECENT_LINES else lines
    is_begun = table.status in (Table.Status.PLAYING, Table.Status.FINISHED)
    return Log(lines, told, _missed(lines, loaded.seats[me], me) if is_begun and me is not None and not table.by_hand else [])


def _may(loaded: Loaded, seats: Sequence[SeatInfo], user: User | None, me: int | None, circle: Circle | None, *, is_owner: bool) -> May:
    table = loaded.table
    is_open, playing = table.status == Table.Status.OPEN, table.status == Table.Status.PLAYING
    sits = playing and me is not None
    return May(
        join=is_open and me is None and sum(seat.is_free for seat in seats) > table.kept and _lets_in(circle),
        leave=me is not None and (is_open or playing),
        start=is_open and is_owner,
        undo=bool(sits and not table.lesson and table.line and table.line[-1][1] == me),
        redo=bool(sits and me in table.due and table.undone and table.undone[-1][0] == me),
        come_back=playing and me is None and seat_kept_for(loaded, user) is not None,
    )


def _seal(table: Table, seats: Sequence[SeatInfo], *, is_sealed: bool) -> Seal:
    is_shown = table.status == Table.Status.FINISHED and not is_sealed
    return Seal(table.commitment, bytes(table.secret).hex() if is_shown else None, [seat.word for seat in seats])


def _stream(table: Table, user: User | None, circle: Circle | None, *, watches: bool) -> Stream | None:
    if table.status not in (Table.Status.OPEN, Table.Status.PLAYING):
        return None
    lifetime_s = LIFETIME_S if circle is None and table.privacy == Table.Privacy.PUBLIC else CLUB_LIFETIME_S
    viewer = user.pk if user is not None and user.pk else 0
    token = make_token(
        table.pk,
        viewer,
        lifetime_s,
        is_shown=bool(viewer) and user is not None and user.shows_presence,
        watches=watches,
        is_named=bool(viewer) and user is not None and user.shows_watching,
    )
    return Stream(f"/events/tables/{table.pk}/?token={token}", lifetime_s)


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
    """Return the record of a finished game: the effective line, or with `full` every entry of the log, undone ones included.

    Raises TableNotFound, and WrongStatus while the game, or another one of its duplicate set, is not over.
    """
    loaded = load_for(table_id, user)
    table = loaded.table
    if table.status != Table.Status.FINISHED:
        raise refusals.RecordNotReady
    if is_sealed(loaded, user):
        raise refusals.Sealed
    entries = list(ActionRecord.objects.filter(table_id=table_id).order_by("seq").values_list("seq", "actor", "text", "by", "at"))
    data: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "game": table.game,
        "rules_version": table.rules_version,
        "options": table.options,
        "seats": table.seat_count,
        "table": table.pk,
        "players": [seat.username or f"{seat.name} ({seat.bot_level or 'by hand'})" for seat in _seats(loaded, None, ())],
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
    """Return the effective entries (seq, actor, text): undone ones and those that are not actions are left out."""
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
    """Return the tables with everything that a line of a list needs loaded: seats (`table.seats.all()`), people, owner and club."""
    seats = Seat.objects.select_related("user").order_by("index")
    return (
        tables.select_related("owner", "club")
        .prefetch_related(Prefetch("seats", queryset=seats))
        .defer(*HEAVY, "club__about_en", "club__about_hu", "club__about_ru")
    )


def free_seats() -> Subquery:
    """Return how many seats of a table are free, kept ones included, as a value for a query of tables."""
    free = Seat.objects.filter(table=OuterRef("pk"), user=None, bot_level="").order_by()
    return Subquery(free.values("table").annotate(n=Count("pk")).values("n"), output_field=IntegerField())


def open_tables(user: User | None, game: str | None = None) -> QuerySet[Table]:
    """Return tables at which `user` could sit down, newest first. Seats of duplicate sets are taken on the page of the set."""
    tables = Table.objects.filter(status=Table.Status.OPEN, duplicate=None, privacy=Table.Privacy.PUBLIC)
    if game:
        tables = tables.filter(game=game)
    tables = tables.filter(Q(kept=0) | Q(kept__lt=free_seats()))
    mine = Q(club=None)
    if user is not None and user.pk:
        mine |= Q(club__in=Membership.objects.filter(user=user, club__closed_at=None).values("club_id"))
    return listed(tables.filter(mine)).order_by("-created_at")


def my_tables(user: User) -> QuerySet[Table]:
    """Return a person's open and running tables, running ones first; `table.due` says which wait for them."""
    live = [Table.Status.OPEN, Table.Status.PLAYING]
    return listed(Table.objects.filter(Q(seats__user=user) | Q(seats__left_user=user, seats__is_away=True), status__in=live)).order_by(
        F("due_since").desc(nulls_last=True), "-created_at"
    )


def last_opened(user: User | None, game: str = "") -> Table | None:
    """Return the table that a person opened last, of a game if they opened one of it; not a practice table. Two statements with its seats."""
    if user is None or not user.pk:
        return None
    own = Table.objects.filter(owner=user, position__isnull=True, duplicate=None).prefetch_related("seats").defer(*HEAVY)
    order = [Case(When(game=game, then=0), default=1), "-pk"] if game else ["-pk"]
    return own.order_by(*order).first()


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
            name=name_of(seat.user) if seat.user is not None else seat.bot_name,
            username=seat.user.username if seat.user is not None else None,
            user_id=seat.user_id,
            bot_level=seat.bot_level or None if seat.user_id is None else None,
            is_me=seat.index == me,
            is_due=seat.index in due,
            word=seat.word if loaded.table.status != Table.Status.OPEN or seat.index == me else "",
            left_name=name_of(seat.left_user) if seat.left_user_id and seat.left_user else None,
            is_bot=bool(seat.bot_level) if seat.user is None else seat.user.is_bot,
            is_kept=seat.is_away and loaded.table.status == Table.Status.PLAYING,
            clock_ms=clocks.left_ms(loaded, seat),
            runs_out_at=None if maintenance.is_on() else clocks.run_out_at(loaded, seat.index),
        )
        for seat in loaded.seats
    ]


def _log_lines(records: Sequence[Line], me: int | None) -> list[LogLine]:
    return [
        LogLine(record["q"], record["n"], datetime.fromtimestamp(record["t"], tz=UTC), record["a"], event_for(data, me), record["b"])
        for record in reversed(records)
        for data in reversed(record["e"])
    ]


def _missed(log: Sequence[LogLine], row: Seat, me: int) -> list[LogLine]:
    """Return what happened since the viewer last looked and last acted, oldest first."""
    own = max((line.version for line in log if line.actor == me), default=0)
    since = max(row.seen_version, own)
    return [line for line in reversed(log) if line.version > since]
