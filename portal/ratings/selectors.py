"""Leaderboards: rows written when games ended; a page takes two statements, however many rows there are.

A rank is the number of ratings of the ladder that are strictly higher, plus one: equal ratings share it. It counts everybody on the ladder,
including those that a list does not show (guests, closed accounts, anyone filtered out). So it is the same on every page, and anybody's own
rank is a short sum over `RankBucket` and a count inside one bucket.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.clubs.models import Club, Season
from portal.common.prepared import prepared_cursor
from portal.ratings.books import ALL_GAMES, ladder_key
from portal.ratings.charts import Sparkline, sparkline
from portal.ratings.formula import POINTS_A_UNIT, shown
from portal.ratings.models import Pool, Rating
from portal.ratings.results import microseconds_of, moment

PAGE_SIZE = 50
MAX_PAGE: Final = 100  # lines beyond are found by name, or in the download
PROVISIONAL: Final = 500  # a rating with a larger ± is called provisional
PERIODS: Final = (30, 90, 365)  # days
NAME_CHARS: Final = 60


class Players:
    """Whom a list shows. None shows closed accounts."""

    ALL = "all"  # without guests
    ESTABLISHED = "established"  # of them, those whose rating is no longer provisional
    GUESTS = "guests"  # guests too
    CHOICES = (ALL, ESTABLISHED, GUESTS)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which lines of a ladder are listed; they keep the ranks of the whole ladder."""

    players: str = Players.ALL
    name: str = ""  # part of a name, in any case
    days: int = 0  # played within this many days; 0 = at any time

    @property
    def are_set(self) -> bool:
        return self != Filters()


NO_FILTERS: Final = Filters()
Edge = tuple[float, int]  # where a line is in the order of its ladder: the order value, and the row


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a leaderboard. Equal ratings have equal ranks; `wins_percent` counts shared wins in part."""

    rank: int
    username: str  # "" for a bot
    bot_level: str
    is_guest: bool
    is_me: bool
    points: int
    plus_minus: int
    games: int
    wins_percent: int
    mean_place: float | None  # None for a bot level, which may hold several seats of one table
    mean_seats: float | None  # at the tables of those games
    trend: Sequence[int]
    last_at: datetime | None
    is_bot: bool  # somebody's bot account

    @property
    def is_provisional(self) -> bool:
        return self.plus_minus > PROVISIONAL

    @property
    def sparkline(self) -> Sparkline | None:
        return sparkline(self.trend)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """One page of a leaderboard, and the viewer's own line, wherever it is."""

    lines: list[Standing]
    page: int
    has_next: bool
    mine: Standing | None
    players: int  # ratings on the ladder, including those not listed
    is_own_listed: bool  # among `lines`
    asks_mine: bool  # there is a viewer who might have a line
    edge: Edge | None = None  # of the last line

    @property
    def own_elsewhere(self) -> Standing | None:
        """The viewer's own line, if it is not among the lines shown."""
        return None if self.is_own_listed else self.mine

    @property
    def is_unrated(self) -> bool:
        """Whether there is a viewer who has no rating on this ladder."""
        return self.asks_mine and self.mine is None

    @property
    def is_last_page(self) -> bool:
        return self.page >= MAX_PAGE


_COLUMNS = f"r.user_id, r.bot_level, r.mu, r.sigma, r.games, r.wins, r.place_sum, r.seat_sum, r.trend, {microseconds_of('r.last_at')}, EXISTS (SELECT FROM accounts_user b WHERE b.id = r.user_id AND b.is_bot) AS is_bot"

# The ladder, and the row of one person on it. A bucket holds the order values in [bucket, bucket + 1) / 4, exactly: both are
# multiplied by a power of two.
_OWN = f"""
SELECT l.id, l.players, r.id, {_COLUMNS},
  1 + coalesce((SELECT sum(b.ratings) FROM ratings_rankbucket b WHERE b.ladder_id = l.id AND b.bucket > floor(r.order_value * 4)::int), 0)
    + (SELECT count(*) FROM ratings_rating x
       WHERE x.ladder_id = l.id AND x.order_value > r.order_value AND x.order_value < (floor(r.order_value * 4) + 1) / 4)
FROM ratings_ladder l LEFT JOIN ratings_rating r ON r.ladder_id = l.id AND r.user_id = %(user)s
WHERE l.key = %(key)s
"""  # noqa: S608

# All lines of a list, with ranks among everybody on the ladder.
_LINES = f"""
SELECT u.username, u.is_guest, r.rank, {_COLUMNS}
FROM (SELECT *, rank() OVER (ORDER BY order_value DESC) AS rank FROM ratings_rating WHERE ladder_id = %(ladder)s) r
LEFT JOIN accounts_user u ON u.id = r.user_id
WHERE {{where}}
ORDER BY r.order_value DESC, r.id
"""  # noqa: S608

# One page of them. The lines before it are passed over, and those above it counted, inside the index `rating_order`; only those of
# the page are read. OFFSET 0 and the upper bound keep PostgreSQL from reading ladders of some thousand lines as a whole.
_PAGE = f"""
WITH page AS MATERIALIZED (
  SELECT r.id, r.order_value, u.username, u.is_guest, {_COLUMNS}
  FROM (SELECT r.id FROM ratings_rating r{{join}} WHERE r.ladder_id = %(ladder)s AND {{where}}
        ORDER BY r.order_value DESC, r.id LIMIT %(limit)s OFFSET %(first)s) listed
  CROSS JOIN LATERAL (SELECT * FROM ratings_rating WHERE id = listed.id OFFSET 0) r
  LEFT JOIN LATERAL (SELECT username, is_guest FROM accounts_user WHERE id = r.user_id OFFSET 0) u ON true
), edge AS MATERIALIZED (SELECT max(order_value) AS best, min(order_value) AS last FROM page)
SELECT page.*, ranked.rank
  + (SELECT count(*) FROM ratings_rating x
     WHERE x.ladder_id = %(ladder)s AND x.order_value > (SELECT best FROM edge) AND x.order_value < 'Infinity')
FROM page JOIN (
  SELECT x.id, rank() OVER (ORDER BY x.order_value DESC) AS rank FROM ratings_rating x
  WHERE x.ladder_id = %(ladder)s AND x.order_value BETWEEN (SELECT last FROM edge) AND (SELECT best FROM edge)
) ranked ON ranked.id = page.id
ORDER BY page.order_value DESC, page.id
"""  # noqa: S608
_JOIN = " LEFT JOIN accounts_user u ON u.id = r.user_id"


def _conditions(filters: Filters) -> tuple[str, dict[str, Any], bool]:
    """Return the condition of a list, its values, and whether it asks for the accounts, as `u`."""
    values: dict[str, Any] = {}
    with_guests = filters.players == Players.GUESTS
    where = "(r.user_id IS NULL OR u.is_active)" if with_guests else "r.is_listed"
    if filters.players == Players.ESTABLISHED:
        where += " AND r.sigma <= %(sigma)s"
        values["sigma"] = (PROVISIONAL + 0.5) / POINTS_A_UNIT / 2  # what is shown is rounded
    if filters.name:
        where += " AND strpos(lower(u.username), lower(%(name)s)) > 0"
        values["name"] = filters.name
    if filters.days:
        where += " AND r.last_at >= %(since)s"
        values["since"] = timezone.now() - timedelta(days=filters.days)
    return where, values, with_guests or bool(filters.name)


def _standing(row: Sequence[Any], *, rank: int, username: str, is_guest: bool, viewer: User | None) -> Standing:
    user_id, bot_level, mu, sigma, games, wins, place_sum, seat_sum, trend, last_at, is_bot = row
    points, plus_minus = shown(mu, sigma)
    is_person = user_id is not None and games > 0
    return Standing(
        rank=rank,
        username=username,
        bot_level=bot_level,
        is_guest=is_guest,
        is_me=viewer is not None and user_id is not None and user_id == viewer.pk,
        points=points,
        plus_minus=plus_minus,
        games=games,
        wins_percent=round(100 * wins / games) if games else 0,
        mean_place=place_sum / games if is_person else None,
        mean_seats=seat_sum / games if is_person else None,
        trend=trend,
        last_at=moment(last_at) if last_at is not None else None,
        is_bot=is_bot,
    )


def _line(row: Sequence[Any], viewer: User | None) -> Standing:
    return _standing(row[3:], rank=row[2], username=row[0] or "", is_guest=bool(row[1]), viewer=viewer)


def _page(ladder: int, filters: Filters, first: int, limit: int, viewer: User | None, after: Edge | None) -> list[tuple[Edge, Standing]]:
    where, values, with_accounts = _conditions(filters)
    if after is not None:
        where += " AND r.order_value <= %(value)s AND (r.order_value < %(value)s OR r.id > %(row)s)"
        values |= {"value": after[0], "row": after[1]}
    with prepared_cursor() as cursor:
        cursor.execute(
            _PAGE.format(where=where, join=_JOIN if with_accounts else ""), {**values, "ladder": ladder, "first": first, "limit": limit}
        )
        return [
            ((row[1], row[0]), _standing(row[4:-1], rank=row[-1], username=row[2] or "", is_guest=bool(row[3]), viewer=viewer))
            for row in cursor.fetchall()
        ]


def leaderboard(
    *,
    pool: str,
    game: str,
    club: Club | None = None,
    season: Season | None = None,
    page: int = 1,
    filters: Filters = NO_FILTERS,
    viewer: User | None = None,
    limit: int | None = None,
    after: Edge | None = None,
) -> Leaderboard:
    """Return page `page` of a ladder, ordered by the lower bound of the strength; two statements. `game` "" is all games.

    With `after`, pages are counted from there instead of from the best line.
    """
    key = ladder_key(pool, game, club_id=club.pk if club else None, season_id=season.pk if season else None)
    size = limit or PAGE_SIZE
    person = viewer if viewer is not None and viewer.pk else None
    with prepared_cursor() as cursor:
        cursor.execute(_OWN, {"key": key, "user": person.pk if person is not None else None})
        own = cursor.fetchone()
        if own is None:
            return Leaderboard([], page, False, None, 0, False, person is not None)
    found = _page(own[0], filters, (page - 1) * size, size + 1, person, after)
    lines = [line for _edge, line in found[:size]]
    mine = None
    if person is not None and own[2] is not None:
        mine = _standing(own[3:-1], rank=int(own[-1]), username=person.username, is_guest=person.is_guest, viewer=person)
    edge = found[:size][-1][0] if found else None
    return Leaderboard(lines, page, len(found) > size, mine, own[1], any(line.is_me for line in lines), person is not None, edge)


def ladder_lines(
    *, pool: str, game: str, club: Club | None = None, season: Season | None = None, limit: int = PAGE_SIZE, viewer: User | None = None
) -> Leaderboard:
    """Return the first `limit` lines of a ladder and the viewer's own one, for `ratings/_board.html`; two statements."""
    return leaderboard(pool=pool, game=game, club=club, season=season, limit=limit, viewer=viewer)


def all_lines(
    *,
    pool: str,
    game: str,
    club: Club | None = None,
    season: Season | None = None,
    filters: Filters = NO_FILTERS,
    viewer: User | None = None,
    chunk: int = 2000,
) -> Iterator[Standing]:
    """Yield every line of a list, best first, as one snapshot of the ladder, read from the server in pieces."""
    key = ladder_key(pool, game, club_id=club.pk if club else None, season_id=season.pk if season else None)
    with transaction.atomic(), connection.chunked_cursor() as cursor:  # the cursor lives as long as the transaction
        where, values, _ = _conditions(filters)
        sql = _LINES.format(where=where).replace("%(ladder)s", "(SELECT id FROM ratings_ladder WHERE key = %(key)s)")
        cursor.execute(sql, {**values, "key": key})
        while rows := cursor.fetchmany(chunk):
            for row in rows:
                yield _line(row, viewer)


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """One rating on a profile; `entry` is None for all games together."""

    entry: Entry | None
    title: str
    pool: str
    points: int
    plus_minus: int
    games: int
    wins_percent: int
    mean_place: float
    mean_seats: float
    trend: Sequence[int]

    @property
    def is_provisional(self) -> bool:
        return self.plus_minus > PROVISIONAL

    @property
    def sparkline(self) -> Sparkline | None:
        return sparkline(self.trend)


def ratings_of(user: User) -> list[PlayerRating]:
    """Return a person's ratings on the ladders of the site: all games together, then game by game, the pool of people first."""
    keys = [ladder_key(pool, game) for game in (ALL_GAMES, *GAMES) for pool in Pool.values]
    rows = Rating.objects.filter(user=user, ladder__key__in=keys, games__gt=0).select_related("ladder")
    found = []
    for rating in sorted(rows, key=lambda row: keys.index(row.ladder.key)):
        points, plus_minus = shown(rating.mu, rating.sigma)
        entry = GAMES.get(rating.ladder.game)
        found.append(
            PlayerRating(
                entry=entry,
                title=gettext(entry.game.meta.title) if entry else "",
                pool=rating.ladder.pool,
                points=points,
                plus_minus=plus_minus,
                games=rating.games,
                wins_percent=round(100 * rating.wins / rating.games),
                mean_place=rating.place_sum / rating.games,
                mean_seats=rating.seat_sum / rating.games,
                trend=rating.trend,
            )
        )
    return found
