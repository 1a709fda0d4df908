"""What the pages and the API tell of archives and figures: rows that `making` has written, a fixed number of statements, no game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from archives.figures import ALL, COMPANY, DEPTH, WIN
from games.registry import GAMES, Entry
from portal.archives.making import name_of
from portal.archives.models import Archive, Figures, OpeningMove
from portal.ratings.charts import BarChart, bar_chart
from portal.ratings.statistics import Share, Z

BARS: Final = 8
STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)


class NoFigures(Exception):
    """There are no such figures: another number of players, or a line that nobody played often enough."""


# Archives


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file to download; `kind` as in the manifest, or "manifest"."""

    name: str
    kind: str
    bytes: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """An archive: its games, the checksummed files and the manifest."""

    game: str
    month: date
    rows: int
    made_at: datetime
    manifest: str
    files: Sequence[FileLine]

    @property
    def bytes(self) -> int:
        return sum(file.bytes or 0 for file in self.files)


def archive_line(row: Mapping[str, Any]) -> ArchiveLine:
    """Return an archive from the values that `archive_rows` asks for."""
    files = [FileLine(file["name"], file["kind"], file["bytes"], file["sha256"]) for file in row["files"]]
    return ArchiveLine(row["game"], row["month"], row["rows"], row["made_at"], f"{name_of(row['game'], row['month'])}.json", files)


def archive_rows(rows: QuerySet[Archive]) -> QuerySet[Archive, Any]:
    """Return archives without the rest of their manifests, newest month first."""
    return rows.order_by("-month").values("game", "month", "rows", "made_at", files=F("manifest__files"))


def shelf() -> list[tuple[Entry, list[ArchiveLine], int]]:
    """Return the archives of each game, newest first, with the number of their games; only games that have some. One statement."""
    found: dict[str, list[ArchiveLine]] = {}
    for row in archive_rows(Archive.objects.all()):
        found.setdefault(row["game"], []).append(archive_line(row))
    return [(entry, found[key], sum(line.rows for line in found[key])) for key, entry in GAMES.items() if key in found]


# Figures


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with half of its 95 % interval; None where one value alone tells nothing of the spread."""

    value: float
    by: float | None

    @staticmethod
    def of(total: int, squares: int, count: int) -> Mean:
        mean = total / count
        if count < 2:
            return Mean(mean, None)
        variance = max(0.0, (squares - total * total / count) / (count - 1))
        return Mean(mean, Z * math.sqrt(variance / count))


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat: `number` is counted from 1."""

    number: int
    share: Share
    place: Mean
    score: float


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in the openings. `part` is its share of the games that came to the position, in per cent; `leads` says whether moves after it are known."""

    text: str
    games: int
    part: float
    share: Share
    place: Mean
    table: int
    line: tuple[str, ...]  # with this move


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """All figures of a group of games."""

    seats: int
    company: str
    games: int
    by_seat: Sequence[SeatLine]
    lengths: Sequence[tuple[int, int]]  # (value, games)
    scores: Sequence[tuple[int, int]]
    winning: Sequence[tuple[int, int]]
    reasons: Sequence[tuple[str, int]]

    @property
    def mean_length(self) -> float:
        return mean(self.lengths)

    @property
    def mean_score(self) -> float:
        return mean(self.scores)

    @property
    def mean_winning(self) -> float:
        return mean(self.winning)

    @property
    def length_chart(self) -> BarChart:
        return chart(self.lengths)

    @property
    def score_chart(self) -> BarChart:
        return chart(self.scores)

    @property
    def winning_chart(self) -> BarChart:
        return chart(self.winning)


@dataclass(frozen=True, slots=True)
class Groups:
    """Which groups of games a game has: by number of players the games of each company."""

    games: dict[tuple[int, str], int]

    @property
    def sizes(self) -> list[int]:
        return sorted({seats for seats, _ in self.games})

    def companies(self, seats: int) -> list[str]:
        return [company for company in COMPANY if (seats, company) in self.games]

    def chosen(self, seats: int | None, company: str) -> tuple[int, str]:
        """Return the group that was asked for; without a number of players, the one with most games. Raises NoFigures."""
        if seats is None:
            seats = max(self.sizes, key=lambda size: self.games[size, ALL], default=0)
        if (seats, company) not in self.games:
            raise NoFigures
        return seats, company


def groups_of(game: str) -> Groups:
    """One statement."""
    return Groups(
        {(seats, company): games for seats, company, games in Figures.objects.filter(game=game).values_list("seats", "company", "games")}
    )


def figures_of(game: str, seats: int, company: str) -> GroupFigures:
    """Return the figures of a group. One statement. Raises NoFigures."""
    row = Figures.objects.filter(game=game, seats=seats, company=company).first()
    if row is None:
        raise NoFigures
    totals = row.totals
    by_seat = [
        SeatLine(
            number,
            Share.of(sums["wins"] / WIN, sums["games"], 1 / seats),
            Mean.of(sums["places"], sums["squares"], sums["games"]),
            sums["scores"] / sums["games"],
        )
        for number, sums in enumerate(totals["seats"], 1)
    ]
    pairs = ([(value, count) for value, count in totals[name]] for name in ("lengths", "scores", "winning", "reasons"))
    lengths, scores, winning, reasons = pairs
    return GroupFigures(seats, company, row.games, by_seat, lengths, scores, winning, sorted(reasons, key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True, slots=True)
class Opening:
    """A position of the openings: the line to it, how many games came to it, and the moves there, the most frequent first."""

    line: tuple[str, ...]
    games: int
    moves: Sequence[MoveLine]
    other: int  # games that went on with another move, or ended

    @property
    def is_open(self) -> bool:
        """Whether moves after its moves are known."""
        return len(self.line) + 1 < DEPTH

    @property
    def steps(self) -> list[tuple[str, tuple[str, ...]]]:
        """Each move of the line, with the line up to it."""
        return [(move, self.line[: at + 1]) for at, move in enumerate(self.line)]


def opening_of(game: str, group: tuple[int, str], games: int, line: Sequence[str]) -> Opening:
    """Return a position of the openings of a group with so many `games`. One statement. Raises NoFigures for a line that isn't there."""
    seats, company = group
    wanted = Q(after=_text(line))
    if line:
        wanted |= Q(after=_text(line[:-1]), move=line[-1])
    rows = list(OpeningMove.objects.filter(wanted, game=game, seats=seats, company=company))
    if line:
        own = [row for row in rows if row.after == _text(line[:-1])]
        if not own:
            raise NoFigures
        games = own[0].games
        rows = [row for row in rows if row.after == _text(line)]
    moves = [move_line(row, games) for row in rows]
    return Opening(tuple(line), games, moves, games - sum(move.games for move in moves))


def move_line(row: OpeningMove, games: int) -> MoveLine:
    return MoveLine(
        text=row.move,
        games=row.games,
        part=100 * row.games / games,
        share=Share.of(row.wins / WIN, row.games, 1 / row.seats),
        place=Mean.of(row.places, row.squares, row.games),
        table=row.table,
        line=(*row.after.splitlines(), row.move),
    )


def all_moves(game: str, group: tuple[int, str]) -> list[OpeningMove]:
    """Return all moves of the openings of a group, short lines first. One statement."""
    seats, company = group
    rows = OpeningMove.objects.filter(game=game, seats=seats, company=company)
    return sorted(rows, key=lambda row: (row.after.count("\n"), row.after, -row.games, row.move))


def _text(line: Sequence[str]) -> str:
    return "".join(f"{move}\n" for move in line)


# Pictures


def mean(pairs: Sequence[tuple[int, int]]) -> float:
    """Return the mean of values that came up so often."""
    return sum(value * count for value, count in pairs) / sum(count for _, count in pairs)


def chart(pairs: Sequence[tuple[int, int]]) -> BarChart:
    """Return how often values came up, in at most `BARS` bars of equal width; each has its smallest value as label."""
    low, high = pairs[0][0], pairs[-1][0]
    width = next((step for step in STEPS if high // step - low // step < BARS), math.ceil((high - low + 1) / (BARS - 1)))
    first = low // width
    counts = [0] * (high // width - first + 1)
    for value, count in pairs:
        counts[value // width - first] += count
    return bar_chart(counts, [str((first + at) * width) for at in range(len(counts))])
