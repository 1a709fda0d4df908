"""The bots' ladder: each level against the one below it, at every player count, and what each place in the order of play is worth.

With two seats, one bot plays the other; with more, one bot of the better level plays against bots from the level below, and
its win rate is compared with its fair share of 1 / seats. Deals are paired: each is played once with the better bot in every seat.

A measurement can be made in pieces. Each finished game goes into a journal, and the next run with the same bots, seats and seed goes on from there.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.core.contract import AnyGame, GameFinder
from games.core.figures import EdgeFigures, OrderFigures, Source
from games.core.simulate import Match, levels, play, wilson

GOAL_ALONE: Final = 0.75  # win rate of the better level with two seats
GOAL_SHARE: Final = 1.8  # times the fair share, one against the rest
DEALS_TO_TRUST: Final = 20  # fewer say too little about how much deals differ


class LevelError(ValueError):
    """There is no such level or edge: one line that says which there are."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One bot of a level among bots of another."""

    better: str
    than: str
    seats: int

    def match(self, key: str, seed: int) -> Match:
        return Match(key, self.seats, (self.better, *[self.than] * (self.seats - 1)), seed, paired=True)


@dataclass(frozen=True, slots=True)
class Balance:
    """The same level in every seat."""

    level: str
    seats: int

    def match(self, key: str, seed: int) -> Match:
        return Match(key, self.seats, (self.level,) * self.seats, seed)


@dataclass(frozen=True, slots=True)
class Line:
    """One game of a measurement, as the journal keeps it; sequences are indexed by bot, times are of bot 0."""

    number: int
    wins: Sequence[float]
    scores: Sequence[int]
    us: Sequence[int]


def goal(seats: int) -> float:
    """Return the win rate that a level must reach against the one below."""
    return GOAL_ALONE if seats == 2 else GOAL_SHARE / seats


def edges(game: AnyGame, seats: Sequence[int], only: str | None = None) -> list[Edge]:
    """Return the edges of a game's ladder from the lowest level up, or one of any two levels ("scribe/apprentice"). Raises LevelError."""
    names = levels(game)
    pairs = list(zip(names[1:], names, strict=False))
    if only is not None:
        better, _, than = only.partition("/")
        for name in (better, than):
            if name not in names:
                raise LevelError(f"--edge {only}: {name!r} is no level of {game.meta.title}; there are {', '.join(names)}")
        pairs = [(better, than)]
    return [Edge(better, than, n) for better, than in pairs for n in seats]


def balances(game: AnyGame, seats: Sequence[int], level: str) -> list[Balance]:
    """Return what to play to learn what the order of play is worth. Raises LevelError."""
    if level not in levels(game):
        raise LevelError(f"--seats-balance: {level!r} is no level of {game.meta.title}; there are {', '.join(levels(game))}")
    return [Balance(level, n) for n in seats]


def whole_deals(games: int, seats: int) -> int:
    """Return the least number of games, at least `games`, in which each deal is played from every seat.

    >>> whole_deals(400, 3)
    402
    """
    return -(-games // seats) * seats


@dataclass(frozen=True, slots=True)
class Journal:
    """The games played so far, in a file of their own for each measurement and each version of the bots."""

    path: Path

    @classmethod
    def of(cls, folder: Path, what: Edge | Balance, seed: int, bots: str) -> Journal:
        name = f"{what.better}-{what.than}" if isinstance(what, Edge) else f"seats-{what.level}"
        return cls(folder / f"{name}-{what.seats}-{seed}-{bots}.jsonl")

    def read(self) -> list[Line]:
        """Return the games in order of number, up to the first that is missing or whose line was cut off."""
        lines: list[Line] = []
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return lines
        for part in text.splitlines():
            try:
                line = Line(**json.loads(part))
            except (ValueError, TypeError):
                continue
            if line.number == len(lines):
                lines.append(line)
        return lines

    def add(self, line: Line) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"number": line.number, "wins": list(line.wins), "scores": list(line.scores), "us": list(line.us)}
        with self.path.open("a+b") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read() != b"\n":  # a process was stopped while writing
                    file.write(b"\n")
            file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")


def games_of(
    find: GameFinder,
    match: Match,
    games: int,
    jobs: int = 1,
    journal: Journal | None = None,
    at: Callable[[int], None] | None = None,
    until: float | None = None,
) -> list[Line]:
    """Return the first `games` games of a match: those in the journal, and the others, played now.

    At `until` (of `time.monotonic`) it stops with what there is. `at(n)` is called with the number of games there are.
    """
    lines = journal.read()[:games] if journal is not None else []
    if at is not None:
        at(len(lines))
    for played in play(find, match, games, jobs, len(lines)) if len(lines) < games else ():
        line = Line(played.number, played.wins, played.scores, played.weighed_us)
        lines.append(line)
        if journal is not None:
            journal.add(line)
        if at is not None:
            at(len(lines))
        if until is not None and time.monotonic() >= until:
            break
    return lines


def interval(deals: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the 95 % interval of the win rate: Wilson's, for as many independent games as the scatter between deals is worth.

    `deals` has the shares of the win in the games of each deal. When each deal favours some seat, the pairs even that out and the interval gets
    narrower; when games of a deal go alike, it gets wider. With few deals it never gets narrower.

    >>> [round(x, 3) for x in interval([[1, 0]] * 30 + [[1, 1]] * 30)]
    [0.681, 0.808]
    """
    seats, n = len(deals[0]), sum(map(len, deals))
    rate = sum(map(sum, deals)) / n
    alone = rate * (1 - rate) / n
    if alone <= 0 or len(deals) < 2:
        return wilson(rate * n, n)
    of_mean = sum((sum(deal) / len(deal) - rate) ** 2 for deal in deals) / (len(deals) * (len(deals) - 1))
    least = 1 / seats if len(deals) >= DEALS_TO_TRUST else 1.0
    worth = n / max(of_mean / alone, least)
    return wilson(rate * worth, worth)


def edge_figures(edge: Edge, lines: Sequence[Line], source: Source) -> EdgeFigures:
    """Return the figures of an edge from its games; games of a deal that was not finished are left out unless there are no others."""
    seats = edge.seats
    whole = lines[: len(lines) // seats * seats] or lines
    n = len(whole)
    low, high = interval([[line.wins[0] for line in whole[at : at + seats]] for at in range(0, n, seats)])
    times = sorted(us for line in whole for us in line.us)
    return EdgeFigures(
        better=edge.better,
        than=edge.than,
        seats=seats,
        games=n,
        wins=round(sum(line.wins[0] for line in whole), 3),
        low=round(low, 4),
        high=round(high, 4),
        mean_score=round(sum(line.scores[0] for line in whole) / n, 2),
        other_mean_score=round(sum(sum(line.scores[1:]) for line in whole) / n / (seats - 1), 2),
        moves=len(times),
        p50_ms=_ms(times, 0.5),
        p95_ms=_ms(times, 0.95),
        max_ms=_ms(times, 1.0),
        source=source,
    )


def _ms(times_us: Sequence[int], part: float) -> float:
    """Return a quantile of sorted microseconds in milliseconds (nearest rank); 0 if there are none."""
    if not times_us:
        return 0.0
    return round(times_us[max(0, -int(-len(times_us) * part // 1) - 1)] / 1000, 3)


def order_figures(balance: Balance, orders: Sequence[Sequence[int]], lines: Sequence[Line], source: Source) -> OrderFigures:
    """Return what each place in the order of play was worth in games of equal bots, with Wilson's interval for each.

    `orders` has for each line the seats in the order in which they started (`simulate.starting_order`). The number of a seat is worth nothing in
    itself: chance decides who starts.
    """
    seats, n = balance.seats, len(lines)
    wins, scores = [0.0] * seats, [0] * seats
    for order, line in zip(orders, lines, strict=True):
        for place, seat in enumerate(order):
            bot = (seat - line.number) % seats  # bot i sat in seat (i + g) modulo seats in game g
            wins[place] += line.wins[bot]
            scores[place] += line.scores[bot]
    intervals = [wilson(won, n) for won in wins]
    return OrderFigures(
        level=balance.level,
        seats=seats,
        games=n,
        wins=tuple([round(won, 3) for won in wins]),
        low=tuple([round(low, 4) for low, _ in intervals]),
        high=tuple([round(high, 4) for _, high in intervals]),
        mean_scores=tuple([round(score / n, 2) for score in scores]),
        source=source,
    )


def report(row: EdgeFigures | OrderFigures) -> dict[str, Any]:
    """Return what --json prints for a row."""
    if isinstance(row, EdgeFigures):
        return {
            "better": row.better,
            "than": row.than,
            "seats": row.seats,
            "games": row.games,
            "wins": row.wins,
            "win_rate": round(row.win_rate, 4),
            "ci95": [row.low, row.high],
            "times_fair_share": round(row.win_rate * row.seats, 2),
            "goal": round(goal(row.seats), 4),
            "mean_score": row.mean_score,
            "other_mean_score": row.other_mean_score,
            "p50_ms": row.p50_ms,
            "p95_ms": row.p95_ms,
            "max_ms": row.max_ms,
        }
    return {
        "level": row.level,
        "seats": row.seats,
        "games": row.games,
        "win_rates": [round(rate, 4) for rate in row.win_rates],
        "ci95": [list(pair) for pair in zip(row.low, row.high, strict=True)],
        "mean_scores": list(row.mean_scores),
    }


def all_of(found: Sequence[Edge | Balance], games: int) -> Iterator[tuple[Edge | Balance, int]]:
    """Yield what to measure with the number of games for each."""
    for what in found:
        yield what, whole_deals(games, what.seats) if isinstance(what, Edge) else games
