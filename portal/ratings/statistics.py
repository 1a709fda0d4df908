"""Figures about players, clubs, games and the ratings themselves, from rows that were written when games ended.

Sums (places, wins, meetings, ratings) count every rated game. Anything that identifies one game, above all its score, is shown only to
those who may see its table: games of private clubs and sealed duplicates are in the sums and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.clubs.models import Club
from portal.ratings.books import ladder_key
from portal.ratings.charts import BarChart, Diagram, LineChart, Whisker, bar_chart, diagram, line_chart, whisker
from portal.ratings.formula import shown
from portal.ratings.models import Calibration, ClubRecord, Meeting, Pool, Rating, RatingChange, SeatEffect, Tally
from portal.tables.access import visible
from portal.tables.models import Seat, Table
from portal.tables.selectors import listed

LAST_GAMES: Final = 200  # of a curve
COMMON_GAMES: Final = 10
RIVALS: Final = 10
Z: Final = 1.96  # 95 %
LEAST_FOR_SCORES: Final = 20  # games of a seat before its mean score is shown, so that it never reveals the score of a single game
COLOURS: Final = (
    gettext_noop("lapis, circle"),
    gettext_noop("amber, triangle"),
    gettext_noop("verdigris, square"),
    gettext_noop("plum, diamond"),
    gettext_noop("bronze, star"),
    gettext_noop("basalt, jar"),
)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927), from 0 to 1; it is sensible even for few games."""
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, Z * Z
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, in per cent with its 95 % interval, beside an even share."""

    games: int
    wins: float
    percent: float
    low: float
    high: float
    even: float
    whisker: Whisker

    @staticmethod
    def of(wins: float, games: int, even: float) -> Share:
        low, high = wilson(wins, games)
        share = wins / games if games else 0.0
        drawn = whisker(share, low, high, even, scale=(0.0, 1.0))
        return Share(games, wins, 100 * share, 100 * low, 100 * high, 100 * even, drawn)


# One player in one game


@dataclass(frozen=True, slots=True)
class SizeLine:
    """A player at tables of one size."""

    seats: int
    share: Share
    mean_place: float
    left: int


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player in one seat, at tables of any size. `number` is the seat from 1, which is also its colour."""

    number: int
    colour: str
    share: Share
    is_favourite: bool


@dataclass(frozen=True, slots=True)
class PastGame:
    """One rated game on a curve. None: the viewer may not see the table, or it has no score."""

    points: int
    plus_minus: int
    table_id: int | None
    finished_at: datetime | None
    seats: int | None
    place: int | None
    score: int | None
    left: bool


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """A player in one game and pool."""

    pool: str
    pools: list[str]  # that have games
    games: int
    wins: float
    left: int
    mean_place: float
    mean_seats: float
    points: int
    plus_minus: int
    best_score: int | None
    best_table: int | None
    places: list[int]
    place_chart: BarChart
    sizes: list[SizeLine]
    seats: list[SeatLine]
    history: list[PastGame]  # newest first
    rating_chart: LineChart | None
    score_chart: LineChart | None
    score_games: int  # on the chart
    mean_score: float | None  # of those games

    @property
    def wins_percent(self) -> int:
        return round(100 * self.wins / self.games)


def player_game(user: User, game: str, *, pool: str | None, viewer: User | None) -> PlayerGame | None:
    """Return how somebody did in a game; None before the first rated one. Without `pool`, the pool of people if it has games.

    At most five statements.
    """
    rows = list(Tally.objects.filter(user=user, game=game, games__gt=0).order_by("seats", "seat"))
    pools = [str(value) for value in Pool.values if any(row.pool == value for row in rows)]
    chosen = pool or next(iter(pools), Pool.PEOPLE)
    rows = [row for row in rows if row.pool == chosen]
    rating = Rating.objects.filter(user=user, ladder__key=ladder_key(chosen, game)).first() if rows else None
    if rating is None:
        return None
    changes = list(RatingChange.objects.filter(rating=rating).order_by("-number")[:LAST_GAMES])
    best = {row.best_table_id for row in rows if row.best_table_id is not None}
    history, open_best = _history(user, changes, best, viewer)
    games = sum(row.games for row in rows)
    place_counts = _place_counts(rows)
    points, plus_minus = shown(rating.mu, rating.sigma)
    bests: list[tuple[int | None, int | None]] = [(row.best_score, row.best_table_id) for row in rows if row.best_table_id in open_best]
    bests += [(past.score, past.table_id) for past in history]  # where the best of a seat is hidden, the best visible one
    best_score, best_table = max((pair for pair in bests if pair[0] is not None), key=lambda pair: pair[0] or 0, default=(None, None))
    scored = [past for past in reversed(history) if past.score is not None]
    scores = [past.score for past in scored if past.score is not None]
    return PlayerGame(
        pool=chosen,
        pools=pools,
        games=games,
        wins=sum(row.wins for row in rows),
        left=sum(row.left for row in rows),
        mean_place=sum((n + 1) * count for n, count in enumerate(place_counts)) / games,
        mean_seats=sum(row.seats * row.games for row in rows) / games,
        points=points,
        plus_minus=plus_minus,
        best_score=best_score,
        best_table=best_table,
        places=place_counts,
        place_chart=bar_chart(place_counts, [str(n + 1) for n in range(len(place_counts))]),
        sizes=_sizes(rows),
        seats=_seats(rows, game),
        history=history,
        rating_chart=line_chart([past.points for past in reversed(history)], spread=[past.plus_minus for past in reversed(history)]),
        score_chart=line_chart(scores, hollow=[past.place != 1 for past in scored]),
        score_games=len(scores),
        mean_score=sum(scores) / len(scores) if scores else None,
    )


def _place_counts(rows: Sequence[Tally]) -> list[int]:
    return [sum(row.places[n] for row in rows if n < len(row.places)) for n in range(max(row.seats for row in rows))]


def _history(user: User, changes: Sequence[RatingChange], best: set[int], viewer: User | None) -> tuple[list[PastGame], set[int]]:
    """Return the games behind some changes, and which of the `best` tables the viewer may see; two statements."""
    wanted = {change.table_id for change in changes} | best
    open_tables = {
        pk: (at, seats)
        for pk, at, seats in visible(Table.objects.filter(pk__in=wanted), viewer).values_list("pk", "finished_at", "seat_count")
    }
    seats = {
        table: (score, left is not None)
        for table, score, left in Seat.objects.filter(Q(user=user) | Q(left_user=user), table__in=open_tables).values_list(
            "table_id", "score", "left_user_id"
        )
    }
    history = []
    for change in changes:
        points, plus_minus = shown(change.mu_after, change.sigma_after)
        if change.table_id in open_tables:
            at, size = open_tables[change.table_id]
            score, left = seats.get(change.table_id, (None, False))
            place = change.place
            history.append(PastGame(points, plus_minus, change.table_id, at, size, place, None if left else score, left))
        else:
            history.append(PastGame(points, plus_minus, None, None, None, None, None, left=False))
    return history, best & set(open_tables)


def _sizes(rows: Sequence[Tally]) -> list[SizeLine]:
    found = []
    for size in sorted({row.seats for row in rows}):
        own = [row for row in rows if row.seats == size]
        games = sum(row.games for row in own)
        places = sum((n + 1) * count for row in own for n, count in enumerate(row.places))
        share = Share.of(sum(row.wins for row in own), games, 1 / size)
        found.append(SizeLine(size, share, places / games, sum(row.left for row in own)))
    return found


def _seats(rows: Sequence[Tally], game: str) -> list[SeatLine]:
    entry = GAMES.get(game)
    most = max([*(row.seats for row in rows), *(entry.game.meta.seats if entry else ())])
    played = [sum(row.games for row in rows if row.seat == seat) for seat in range(most)]
    found = []
    for seat in range(most):
        own = [row for row in rows if row.seat == seat]
        even = sum(row.games / row.seats for row in own) / played[seat] if played[seat] else 1 / most
        share = Share.of(sum(row.wins for row in own), played[seat], even)
        found.append(SeatLine(seat + 1, COLOURS[seat % len(COLOURS)], share, 0 < played[seat] == max(played)))
    return found


# A player in all games


@dataclass(frozen=True, slots=True)
class GameTotal:
    """A player's rated games of one game, both pools together."""

    entry: Entry
    games: int
    wins: float


def totals_of(user: User) -> list[GameTotal]:
    """Return a person's rated games by game, in the order of the registry; one statement."""
    rows = list(Tally.objects.filter(user=user, games__gt=0).values_list("game", "games", "wins"))
    found = []
    for key, entry in GAMES.items():
        own = [(games, wins) for game, games, wins in rows if game == key]
        if own:
            found.append(GameTotal(entry, sum(games for games, _ in own), sum(wins for _, wins in own)))
    return found


def games_of(user: User, viewer: User | None) -> QuerySet[Table]:
    """Return the finished tables of a person that the viewer may see, including those where a bot took over; newest first."""
    return listed(_played(visible(Table.objects.filter(status=Table.Status.FINISHED), viewer), user)).order_by("-finished_at", "-id")


def _played(tables: QuerySet[Table], user: User) -> QuerySet[Table]:
    sat = Seat.objects.filter(user=user).values("table_id")
    return tables.filter(pk__in=sat.union(Seat.objects.filter(left_user=user).values("table_id")))


# Two players


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """Two players in one game; `entry` is None for all games together. In the share, equal places count half."""

    entry: Entry | None
    games: int
    ahead: int
    behind: int
    share: Share

    @property
    def level(self) -> int:
        return self.games - self.ahead - self.behind


def head_to_head(one: User, other: User) -> list[MeetingLine]:
    """Return how `one` did against `other`, all games together first; empty before they met. One statement."""
    low, high = sorted((one, other), key=lambda user: user.pk)
    found = []
    for row in Meeting.objects.filter(low=low, high=high, games__gt=0):
        ahead, behind = (row.low_ahead, row.high_ahead) if one == low else (row.high_ahead, row.low_ahead)
        if row.game in GAMES:
            found.append(_meeting(GAMES[row.game], row.games, ahead, behind))
    order = list(GAMES)
    found.sort(key=lambda line: order.index(line.entry.key) if line.entry else -1)
    if not found:
        return []
    return [_meeting(None, *(sum(getattr(line, name) for line in found) for name in ("games", "ahead", "behind"))), *found]


def _meeting(entry: Entry | None, games: int, ahead: int, behind: int) -> MeetingLine:
    return MeetingLine(entry, games, ahead, behind, Share.of(ahead + (games - ahead - behind) / 2, games, 0.5))


_RIVALS = """
SELECT u.username, sum(m.games) AS games, u.is_bot
FROM (SELECT high_id AS who, games FROM ratings_meeting WHERE low_id = %(user)s
      UNION ALL SELECT low_id, games FROM ratings_meeting WHERE high_id = %(user)s) m
JOIN accounts_user u ON u.id = m.who WHERE u.is_active
GROUP BY u.username, u.is_bot ORDER BY games DESC, u.username LIMIT %(limit)s
"""


def rivals_of(user: User) -> list[tuple[str, int, bool]]:
    """Return the people somebody has met most often in rated games, with the numbers of games, and which are bot accounts; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_RIVALS, {"user": user.pk, "limit": RIVALS})
        return [(name, int(games), is_bot) for name, games, is_bot in cursor.fetchall()]


def common_games(one: User, other: User, viewer: User | None) -> QuerySet[Table]:
    """Return the finished tables where both sat and that the viewer may see, newest first."""
    return _played(games_of(one, viewer), other)


# A club


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record of a club. None if the viewer may not see its table yet."""

    kind: str
    value: int | None
    username: str
    table_id: int | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SizeRecords:
    """The records of a club at tables of one size."""

    seats: int
    lines: list[RecordLine]


@dataclass(frozen=True, slots=True)
class GameRecords:
    """The records of a club in one game."""

    entry: Entry
    sizes: list[SizeRecords]


def club_records(club: Club, viewer: User | None) -> list[GameRecords]:
    """Return a club's records by game and size; two statements. Records from a sealed duplicate are held back until it is revealed."""
    rows = list(ClubRecord.objects.filter(club=club).select_related("user"))
    open_tables = set(visible(Table.objects.filter(pk__in={row.table_id for row in rows}), viewer).values_list("pk", flat=True))
    kinds = list(ClubRecord.Kind.values)
    found = []
    for key, entry in GAMES.items():
        own = [row for row in rows if row.game == key]
        sizes = [
            SizeRecords(
                size,
                [_record(row, open_tables) for row in sorted(own, key=lambda row: kinds.index(row.kind)) if row.seats == size],
            )
            for size in sorted({row.seats for row in own})
        ]
        if sizes:
            found.append(GameRecords(entry, sizes))
    return found


def _record(row: ClubRecord, open_tables: Iterable[int]) -> RecordLine:
    if row.table_id not in open_tables:
        return RecordLine(row.kind, None, "", None, None)
    return RecordLine(row.kind, row.value, row.user.username if row.user and row.user.is_active else "", row.table_id, row.at)


# What results say about seats and sizes


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One seat at tables of one size; differences are in percentage points, with the 95 % interval."""

    number: int
    games: int
    wins: float
    expected: float
    difference: float
    low: float
    high: float
    mean_place: float
    mean_score: float | None
    whisker: Whisker

    @property
    def verdict(self) -> str:
        """`more`, `less`, or `none` if the interval contains zero."""
        return "more" if self.low > 0 else "less" if self.high < 0 else "none"

    @property
    def lack(self) -> float:
        """By how much it wins less often; the interval is `least_lack` to `most_lack`."""
        return -self.difference

    @property
    def least_lack(self) -> float:
        return -self.high

    @property
    def most_lack(self) -> float:
        return -self.low


@dataclass(frozen=True, slots=True)
class SizeEffect:
    """All seats at tables of one size."""

    seats: int
    games: int
    lines: list[EffectLine]
    mean_score: float | None

    @property
    def marked(self) -> list[EffectLine]:
        return [line for line in self.lines if line.verdict != "none"]

    @property
    def hidden_below(self) -> float:
        """The least difference that would show: the widest half-interval."""
        return max((line.high - line.low) / 2 for line in self.lines)

    @property
    def spread(self) -> float:
        """From the worst seat to the best."""
        return max(line.difference for line in self.lines) - min(line.difference for line in self.lines)


def seat_effects(game: str, pool: str) -> list[SizeEffect]:
    """Return what every seat of a game won beside what the ratings predicted, by size of the table; one statement."""
    rows = list(SeatEffect.objects.filter(game=game, pool=pool, games__gt=0).order_by("seats", "seat"))
    found = []
    for size in sorted({row.seats for row in rows}):
        own = [row for row in rows if row.seats == size]
        widest = max(max(abs(edge) for edge in _difference(row)[1:]) for row in own)
        scored = sum(row.games for row in own)
        enough = own[0].games >= LEAST_FOR_SCORES
        found.append(
            SizeEffect(
                size,
                own[0].games,
                [_effect(row, widest) for row in own],
                sum(row.score_sum for row in own) / scored if enough else None,
            )
        )
    return found


def _difference(row: SeatEffect) -> tuple[float, float, float]:
    """Return the share of wins above the expected one, with the interval in which wins would vary if the predictions were right."""
    difference, half = (row.wins - row.expected) / row.games, Z * math.sqrt(row.variance) / row.games
    return difference, difference - half, difference + half


def _effect(row: SeatEffect, widest: float) -> EffectLine:
    difference, low, high = _difference(row)
    return EffectLine(
        number=row.seat + 1,
        games=row.games,
        wins=row.wins,
        expected=row.expected,
        difference=100 * difference,
        low=100 * low,
        high=100 * high,
        mean_place=row.place_sum / row.games,
        mean_score=row.score_sum / row.games if row.games >= LEAST_FOR_SCORES else None,
        whisker=whisker(difference, low, high, 0.0, scale=(-widest, widest)),
    )


# How the predictions turned out


@dataclass(frozen=True, slots=True)
class CalibrationLine:
    """Predictions in one tenth of the scale; all in per cent. `half` is half of the 95 % interval."""

    low: int
    high: int
    cases: int
    predicted: float
    real: float
    half: float

    @property
    def real_low(self) -> float:
        return max(0.0, self.real - self.half)

    @property
    def real_high(self) -> float:
        return min(100.0, self.real + self.half)

    @property
    def is_off(self) -> bool:
        """Whether the prediction is outside the interval of the outcome."""
        return abs(self.real - self.predicted) > self.half


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """All tenths of one kind of prediction. `error` is the expected calibration error, in percentage points."""

    kind: str
    lines: list[CalibrationLine]
    cases: int
    error: float
    chance_error: float  # the error that perfect predictions would show on average with this many cases
    diagram: Diagram


def calibration(game: str, pool: str) -> list[CalibrationCurve]:
    """Return predicted against real: chances to win, pairs, places; one statement."""
    rows = list(Calibration.objects.filter(game=game, pool=pool, cases__gt=0).order_by("tenth"))
    return [
        _curve(kind, [row for row in rows if row.kind == kind]) for kind in Calibration.Kind.values if any(r.kind == kind for r in rows)
    ]


def _curve(kind: str, rows: Sequence[Calibration]) -> CalibrationCurve:
    lines = []
    for row in rows:
        half = Z * math.sqrt(row.variance) / row.cases
        lines.append(
            CalibrationLine(
                10 * row.tenth, 10 * row.tenth + 10, row.cases, 100 * row.predicted / row.cases, 100 * row.real / row.cases, 100 * half
            )
        )
    cases = sum(line.cases for line in lines)
    return CalibrationCurve(
        kind=kind,
        lines=lines,
        cases=cases,
        error=sum(line.cases * abs(line.real - line.predicted) for line in lines) / cases,
        # The mean distance of a normal quantity from its middle is sqrt(2 / pi) standard deviations.
        chance_error=sum(line.cases * line.half / Z * math.sqrt(2 / math.pi) for line in lines) / cases,
        diagram=diagram([(line.predicted / 100, line.real / 100, line.half / 100, line.cases) for line in lines]),
    )
