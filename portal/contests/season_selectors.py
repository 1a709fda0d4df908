"""What pages may read of seasons and leagues. Each function makes a fixed number of statements, however much there is to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from math import ceil
from typing import Final

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.clubs.models import Club, Season
from portal.common.templatetags.site import level_name
from portal.contests.league_table import Line, game_points, table_of
from portal.contests.models import Entrant, Honour, League, Pairing, PairingSeat
from portal.contests.refusals import NoSuchLeague, NoSuchPairing, NoSuchSeason
from portal.contests.seasons import BOT
from portal.ratings.books import ALL_GAMES
from portal.ratings.models import Ladder, Pool
from portal.tables.models import Table

LISTED_SEASONS: Final = 100
OPEN_ROUNDS: Final = 2  # shown unfolded
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HonourGroup:
    """The first places of one ladder or league."""

    title: str
    entry: Entry | None
    league: League | None
    pool: str
    lines: list[Honour]

    @property
    def best(self) -> list[Honour]:
        return [line for line in self.lines if line.rank == 1]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season as a page shows it."""

    season: Season
    entry: Entry | None  # None: all games
    leagues: list[League]
    honours: list[HonourGroup]
    now: datetime

    @property
    def state(self) -> str:
        """Return planned, running, over (not frozen yet) or frozen."""
        if self.season.frozen_at is not None:
            return "frozen"
        if self.season.starts_at > self.now:
            return "planned"
        return "running" if self.season.ends_at > self.now else "over"

    @property
    def unit(self) -> str:
        """Return the unit for its length: weeks, or days when it is short."""
        return "week" if self.season.ends_at - self.season.starts_at > 14 * DAY else "day"

    @property
    def parts(self) -> int:
        """Return its length in weeks (rounded) or days (rounded up), at least one."""
        parts = (self.season.ends_at - self.season.starts_at) / self._part
        return max(1, round(parts) if self.unit == "week" else ceil(parts))

    @property
    def part(self) -> int:
        """Return the current week or day, from 1."""
        return min(self.parts, 1 + max(0, (self.now - self.season.starts_at) // self._part))

    @property
    def _part(self) -> timedelta:
        return 7 * DAY if self.unit == "week" else DAY


def honour_name(honour: Honour) -> str:
    """Return the name in an honour; a bot level in the reader's language."""
    if honour.name.startswith(BOT):
        return _("Bot, %(level)s") % {"level": level_name(honour.name.removeprefix(BOT))}
    return shown(honour.name)


def _groups(honours: Iterable[Honour], leagues: dict[int, League]) -> list[HonourGroup]:
    """Return honours by ladder and league: leagues first, then the ladders of all games, then game by game, people before bots."""
    order = {key: number for number, key in enumerate((ALL_GAMES, *GAMES))}

    def key(honour: Honour) -> tuple[int, int, int, int]:
        return (honour.league_id is None, honour.league_id or 0, order.get(honour.game, len(order)), honour.pool != Pool.PEOPLE)

    found = []
    for _key, group in groupby(sorted(honours, key=lambda one: (*key(one), one.rank, one.pk)), key):
        lines = list(group)
        first = lines[0]
        entry = GAMES.get(first.game)
        league = leagues.get(first.league_id) if first.league_id is not None else None
        title = league.name if league is not None else _(entry.game.meta.title) if entry is not None else _("All games")
        found.append(HonourGroup(title, entry, league, first.pool, lines))
    return found


def with_parts(club: Club) -> QuerySet[Season]:
    """Return the seasons of a club with their leagues and honours, in no order."""
    return club.seasons.prefetch_related(
        Prefetch("leagues", League.objects.order_by("id")), Prefetch("honours", Honour.objects.select_related("user"))
    )


def rows_of(seasons: Iterable[Season]) -> list[SeasonRow]:
    """Return seasons as pages show them; leagues and honours are loaded."""
    now = timezone.now()
    rows = []
    for season in seasons:
        leagues = list(season.leagues.all())
        honours = _groups(season.honours.all(), {league.pk: league for league in leagues})
        rows.append(SeasonRow(season, GAMES.get(season.game), leagues, honours, now))
    return rows


def seasons_of(club: Club) -> list[SeasonRow]:
    """Return the seasons of a club, the newest first; three statements."""
    return rows_of(with_parts(club).order_by("-starts_at", "-id")[:LISTED_SEASONS])


def season_of(club: Club, season_id: int) -> SeasonRow:
    """Return a season of a club. Raises ClubNotFound."""
    found = rows_of(with_parts(club).filter(pk=season_id))
    if not found:
        raise NoSuchSeason
    return found[0]


def ladders_of(season: Season) -> set[tuple[str, str]]:
    """Return the ladders (pool, game) that have anybody on them in a season; the one of all games only if all games count."""
    found = Ladder.objects.filter(season=season, players__gt=0).values_list("pool", "game")
    return {(pool, game) for pool, game in found if not (season.game and game == ALL_GAMES)}


# Leagues


@dataclass(frozen=True, slots=True)
class TableLine:
    """One line of the table of a league."""

    entrant: Entrant
    line: Line
    is_me: bool


@dataclass(frozen=True, slots=True)
class SeatOf:
    """An entrant in a pairing, with the result."""

    entrant: Entrant
    place: int | None
    points: float | None
    score: int | None
    is_me: bool


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One pairing as a reader sees it."""

    pairing: Pairing
    seats: list[SeatOf]
    state: str  # open, late, playing, counting, played, void
    is_mine: bool
    can_play: bool
    can_change: bool  # by an officer: it has no result

    @property
    def table_id(self) -> int | None:
        return self.pairing.table_id

    @property
    def is_of_bots(self) -> bool:
        return all(seat.entrant.bot_level for seat in self.seats)


@dataclass(frozen=True, slots=True)
class RoundRows:
    """One round of a league."""

    number: int
    deadline: datetime  # the latest one
    pairings: list[PairingRow]
    resting: list[str]  # names
    is_done: bool
    is_now: bool  # one of the first that are not finished


@dataclass(frozen=True, slots=True)
class Cell:
    """What one entrant gained against another, and in how many meetings; empty on the diagonal."""

    is_self: bool
    gained: float = 0.0
    met: int = 0


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A league as a reader sees it."""

    league: League
    season: Season
    entry: Entry
    table: list[TableLine]
    cross: list[tuple[TableLine, list[Cell]]]
    rounds: list[RoundRows]
    mine: list[PairingRow]  # of the reader, without a result
    entrants: list[Entrant]
    is_running: bool
    played: int
    to_play: int


def league_of(club: Club, league_id: int, viewer: User | None) -> LeagueView:
    """Return a league of a club with its table and pairings; four statements. Raises ClubNotFound."""
    league = League.objects.select_related("season").filter(season__club=club, pk=league_id).first()
    if league is None:
        raise NoSuchLeague
    now = timezone.now()
    season = league.season
    is_running = league.ended_at is None and season.frozen_at is None and season.ends_at > now
    may_play = is_running and season.starts_at <= now and club.closed_at is None
    entrants = {entrant.pk: entrant for entrant in league.entrants.select_related("user").order_by("number")}
    seats = PairingSeat.objects.order_by("seat")
    tables = Table.objects.only("id", "status")
    pairings = list(league.pairings.order_by("round", "number").prefetch_related(Prefetch("seats", seats), Prefetch("table", tables)))
    me = viewer.pk if viewer is not None and viewer.pk else None
    rows = [_pairing_row(pairing, entrants, me, now, may_play=may_play, is_running=is_running) for pairing in pairings]
    games = [[(seat.entrant.pk, seat.place or 0) for seat in row.seats] for row in rows if row.state == "played"]
    lines = [
        TableLine(entrants[line.entrant], line, entrants[line.entrant].user_id == me is not None) for line in table_of(entrants, games)
    ]
    rounds: list[RoundRows] = []
    for number, group in groupby(rows, lambda row: row.pairing.round):
        found = list(group)
        busy = {seat.entrant.pk for row in found for seat in row.seats}
        resting = [shown(entrant.name) for entrant in entrants.values() if entrant.pk not in busy]
        is_done = all(row.state in ("played", "void") for row in found)
        is_now = is_running and not is_done and sum(one.is_now for one in rounds) < OPEN_ROUNDS
        rounds.append(RoundRows(number, max(row.pairing.deadline for row in found), found, resting, is_done, is_now))
    return LeagueView(
        league=league,
        season=season,
        entry=GAMES[league.game],
        table=lines,
        cross=[(line, _cells(line, lines)) for line in lines],
        rounds=rounds,
        mine=[row for row in rows if row.is_mine and row.state not in ("played", "void")],
        entrants=list(entrants.values()),
        is_running=is_running,
        played=len(games),
        to_play=sum(row.state not in ("played", "void") for row in rows),
    )


def pairing_in(view: LeagueView, pairing_id: int) -> PairingRow:
    """Return one pairing of a league. Raises ClubNotFound."""
    for found in view.rounds:
        for row in found.pairings:
            if row.pairing.pk == pairing_id:
                return row
    raise NoSuchPairing


def _pairing_row(
    pairing: Pairing, entrants: dict[int, Entrant], me: int | None, now: datetime, *, may_play: bool, is_running: bool
) -> PairingRow:
    rows = list(pairing.seats.all())
    places = [row.place for row in rows]
    points: Sequence[float | None] = [None] * len(rows)
    if None not in places:
        points = game_points([place or 0 for place in places])
    seats = [
        SeatOf(entrants[row.entrant_id], row.place, gained, row.score, entrants[row.entrant_id].user_id == me is not None)
        for row, gained in zip(rows, points, strict=True)
    ]
    state = _state(pairing, places, now)
    is_mine = any(seat.is_me for seat in seats)
    return PairingRow(
        pairing=pairing,
        seats=seats,
        state=state,
        is_mine=is_mine,
        can_play=may_play and is_mine and state == "open",
        can_change=is_running and (state in ("open", "late", "playing") or (state == "void" and pairing.table_id is None)),
    )


def _state(pairing: Pairing, places: Sequence[int | None], now: datetime) -> str:
    if pairing.void_at is not None:
        return "void"
    if None not in places:
        return "played"
    if pairing.table is not None:
        return "counting" if pairing.table.status == Table.Status.FINISHED else "playing"
    return "late" if pairing.deadline <= now else "open"


def _cells(line: TableLine, lines: Iterable[TableLine]) -> list[Cell]:
    """Return what a line gained against each of the others, in the order of the table."""
    found = []
    for other in lines:
        key = other.entrant.pk
        if key == line.entrant.pk:
            found.append(Cell(is_self=True))
        else:
            found.append(Cell(False, line.line.against.get(key, 0.0), line.line.met.get(key, 0)))
    return found
