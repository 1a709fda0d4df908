"""What players read about the bots of a game: how each level thinks, what it can't do, and how levels and seats compare.

Words about a game and its levels come from the game, figures from its `ladder.json`; nothing here knows a single game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core import figures
from games.core.contract import AnyGame
from games.core.figures import EdgeFigures, Figures, OrderFigures, Source
from games.core.ladder import edges
from games.core.simulate import RANDOM, wilson
from games.registry import Entry
from portal.common.templatetags.site import LEVELS, level_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LEFT, RIGHT, TOP, ROW, FOOT = 8, 344, 6, 44, 22  # of a drawing 360 units wide, in its units
WIDTH: Final = RIGHT - LEFT
TICKS: Final = (0, 25, 50, 75, 100)

PLACES: Final = (_("first"), _("second"), _("third"), _("fourth"), _("fifth"), _("sixth"))  # in the order of play
STARTS: Final = (_("Starts first"), _("Starts second"), _("Starts third"), _("Starts fourth"), _("Starts fifth"), _("Starts sixth"))

SENTENCES: Final[dict[str, _StrPromise]] = {
    "apprentice": _("Looks at one move at a time, goes by rules of thumb, and often misjudges it. It plays sensibly and forgets a lot."),
    "journeyman": _(
        "Plays like a newcomer at a club. It weighs each move with care, but hardly thinks about what the others will do next."
    ),
    "scribe": _(
        "Works out what a whole position is worth, with the odds of what is still to come and the points that everyone can expect."
    ),
    "master": _(
        "Plays in the strongest way we have found for this game: it has learned from hundreds or thousands of games between bots, looks"
        " further ahead, or does both. It may think for about a second."
    ),
}


@dataclass(frozen=True, slots=True)
class Level:
    """A level in words; `sentence` is empty for one that only its game knows."""

    key: str
    name: str
    sentence: str
    is_offered: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a drawing with its figures. Places are units of the drawing; without figures only the name is drawn."""

    name: str
    text_y: float
    bar_y: float
    middle: float
    x: float = 0
    low: float = 0
    high: float = 0
    rate: float = 0  # per cent, like the next two
    low_rate: float = 0
    high_rate: float = 0
    found: EdgeFigures | None = None
    mean_score: float = 0

    @property
    def p50_ms(self) -> str:
        return _ms(self.found.p50_ms) if self.found else ""

    @property
    def p95_ms(self) -> str:
        return _ms(self.found.p95_ms) if self.found else ""

    @property
    def width(self) -> float:
        return round(self.x - LEFT, 1)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Bars at one player count. `fair` is the place of the fair share, `share` the same in per cent."""

    seats: int
    bars: Sequence[Bar]
    height: float
    bottom: float
    fair: float
    share: float
    ticks: Sequence[tuple[float, int]]
    level: str = ""
    games: int = 0

    @property
    def is_measured(self) -> bool:
        return any(bar.x for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Measured:
    """Where and when figures were measured, and by which command."""

    on: date
    cores: int
    machine: str
    commands: Sequence[str]


@dataclass(frozen=True, slots=True)
class BotsPage:
    """All that the page of a game shows."""

    levels: Sequence[Level]
    weigh: str  # message ids
    lack: str
    starts: str
    ladder: Sequence[Drawing]
    balance: Sequence[Drawing]  # by level from the best, then player count
    measured: Sequence[Measured]

    @property
    def measured_ladder(self) -> Sequence[Drawing]:
        """The drawings with at least one bar: a picture of empty bars would say nothing."""
        return [drawn for drawn in self.ladder if drawn.is_measured]

    @property
    def unmeasured(self) -> str:
        """The player counts without a single bar: "2, 5"."""
        return ", ".join(str(drawn.seats) for drawn in self.ladder if not drawn.is_measured)


def bots_page(entry: Entry) -> BotsPage:
    """Return what the page of a game shows, in the reader's language."""
    game = entry.game
    found = figures_of(entry)
    offered = [*game.meta.bot_levels]
    names = [*LEVELS, *(level for level in offered if level not in LEVELS)]
    return BotsPage(
        levels=[Level(name, level_name(name), str(SENTENCES.get(name, "")), name in offered) for name in names],
        weigh=game.meta.bots_weigh,
        lack=game.meta.bots_lack,
        starts=game.meta.starts,
        ladder=[_ladder(game, seats, found) for seats in game.meta.seats],
        balance=[_balance(row) for row in sorted(found.balance, key=lambda row: (-_rank(offered, row.level), row.seats))],
        measured=_sources([row.source for row in found.edges] + [row.source for row in found.balance]),
    )


@dataclass(frozen=True, slots=True)
class OrderNote:
    """What the order of play is worth to equal bots of the best level measured, in short."""

    is_clear: bool  # some place wins more or less than its share, and 19 times of 20 none would by chance alone
    wins: str  # "first 55.2%, second 44.8%"


def order_notes(entry: Entry) -> dict[int, OrderNote]:
    """Return by player count what the order of play is worth, where it was measured; in the reader's language."""
    offered = [*entry.game.meta.bot_levels]
    rows = sorted(figures_of(entry).balance, key=lambda row: _rank(offered, row.level))
    return {row.seats: _order_note(row) for row in rows}  # the best level last


def _order_note(row: OrderFigures) -> OrderNote:
    z = NormalDist().inv_cdf(1 - 0.025 / row.seats)  # Bonferroni: there are as many chances to be wrong as places
    ranges = [wilson(wins, row.games, z) for wins in row.wins]
    is_clear = any(low > 1 / row.seats or high < 1 / row.seats for low, high in ranges)
    wins = [
        f"{PLACES[place]} {gettext('%(n)s%%') % {'n': number_format(round(100 * rate, 1), 1)}}" for place, rate in enumerate(row.win_rates)
    ]
    return OrderNote(is_clear, ", ".join(wins))


def figures_of(entry: Entry) -> Figures:
    """Return a game's figures; the file is read again only when it has changed."""
    path = entry.folder / figures.FILE
    return _read(entry.folder, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=32)
def _read(folder: Path, _changed: int) -> Figures:
    return figures.read(folder)


def _rank(levels: Sequence[str], level: str) -> int:
    return levels.index(level) if level in levels else -1


def _ladder(game: AnyGame, seats: int, found: Figures) -> Drawing:
    """Return each level against the one below, the best first."""
    bars = []
    for at, edge in enumerate(reversed(edges(game, (seats,)))):
        name = f"{_named(edge.better)} – {_named(edge.than)}" + (f" × {seats - 1}" if seats > 2 else "")
        row = found.edge(edge.better, edge.than, seats)
        bars.append(_bar(at, name) if row is None else _bar(at, name, (row.win_rate, row.low, row.high), row))
    return _drawing(seats, bars)


def shares_drawing(rows: Sequence[tuple[str, float, float, float]]) -> Drawing:
    """Return bars of players who share the wins of the same games: name, share, and its interval, from 0 to 1."""
    return _drawing(len(rows), [_bar(at, name, rates) for at, (name, *rates) in enumerate(rows)])  # type: ignore[arg-type]


def _named(level: str) -> str:
    name = gettext("random moves") if level == RANDOM else level_name(level)
    return name[:1].upper() + name[1:]


def _balance(row: OrderFigures) -> Drawing:
    bars = [
        _bar(place, str(STARTS[place]), (row.win_rates[place], row.low[place], row.high[place]), score=row.mean_scores[place])
        for place in range(row.seats)
    ]
    return _drawing(row.seats, bars, level=_named(row.level), games=row.games)


def _bar(at: int, name: str, rates: tuple[float, float, float] | None = None, found: EdgeFigures | None = None, score: float = 0) -> Bar:
    top = TOP + at * ROW
    places = {"name": name, "text_y": top + 13, "bar_y": top + 19, "middle": top + 26}
    if rates is None:
        return Bar(**places)  # type: ignore[arg-type]
    x, low, high = map(_place, rates)
    rate, low_rate, high_rate = (100 * part for part in rates)
    score = found.mean_score if found is not None else score
    return Bar(**places, x=x, low=low, high=high, rate=rate, low_rate=low_rate, high_rate=high_rate, found=found, mean_score=score)  # type: ignore[arg-type]


def _ms(value: float) -> str:
    digits = 2 if value < 1 else 1 if value < 10 else 0
    return number_format(round(value, digits), digits)  # it would cut, not round


def _place(part: float) -> float:
    return round(LEFT + part * WIDTH, 1)


def _drawing(seats: int, bars: Sequence[Bar], level: str = "", games: int = 0) -> Drawing:
    bottom = TOP + len(bars) * ROW - 4
    ticks = [(_place(tick / 100), tick) for tick in TICKS]
    return Drawing(seats, bars, bottom + FOOT, bottom, _place(1 / seats), 100 / seats, ticks, level, games)


def _sources(sources: Sequence[Source]) -> list[Measured]:
    """Return machines and days, the latest first, each with its commands."""
    days = sorted({(source.date, source.cores, source.machine) for source in sources}, reverse=True)
    return [
        Measured(
            date.fromisoformat(day),
            cores,
            machine,
            sorted({source.command for source in sources if (source.date, source.cores, source.machine) == (day, cores, machine)}),
        )
        for day, cores, machine in days
    ]
