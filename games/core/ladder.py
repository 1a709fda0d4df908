"""The bots' ladder: each level against the one below it, at every player count.

With two seats, one bot plays the other; with more, one bot of the better level plays against bots from the level below, and
its win rate is compared with its fair share of 1 / seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import AnyGame, GameFinder
from games.core.simulate import Match, levels, run, wilson

GOAL_ALONE: Final = 0.75  # win rate of the better level with two seats
GOAL_SHARE: Final = 1.8  # times the fair share, one against the rest


@dataclass(frozen=True, slots=True)
class Rung:
    """One level against the one below."""

    better: str
    than: str
    seats: int
    games: int
    wins: float
    mean_score: float
    other_mean_score: float
    seconds: float

    @property
    def win_rate(self) -> float:
        return self.wins / self.games

    @property
    def goal(self) -> float:
        """The win rate that this rung must reach."""
        return GOAL_ALONE if self.seats == 2 else GOAL_SHARE / self.seats

    def report(self) -> dict[str, Any]:
        low, high = wilson(self.wins, self.games)
        return {
            "better": self.better,
            "than": self.than,
            "seats": self.seats,
            "games": self.games,
            "wins": round(self.wins, 3),
            "win_rate": round(self.win_rate, 4),
            "ci95": [round(low, 4), round(high, 4)],
            "times_fair_share": round(self.win_rate * self.seats, 2),
            "goal": round(self.goal, 4),
            "mean_score": round(self.mean_score, 2),
            "other_mean_score": round(self.other_mean_score, 2),
        }


def rungs(
    find: GameFinder, key: str, seats: Sequence[int], games: int, seed: int, jobs: int = 1, at: Callable[[int], None] | None = None
) -> Iterator[Rung]:
    """Yield every rung of a game, from the lowest level up; `at(n)` is called after every finished game, with the number over all rungs."""
    game: AnyGame = find(key)
    names = levels(game)
    before = 0
    for better, than in zip(names[1:], names, strict=False):
        for n in seats:
            start = before
            tell = (lambda done, start=start: at(start + done)) if at is not None else None
            tally, seconds = run(find, Match(key, n, (better, *[than] * (n - 1)), seed), games, jobs, tell)
            before += games
            others = sum(tally.scores[1:]) / (n - 1) / games
            yield Rung(better, than, n, games, tally.wins[0], tally.scores[0] / games, others, seconds)


def rung_count(game: AnyGame, seats: Sequence[int]) -> int:
    """Return how many rungs `rungs` will yield."""
    return (len(levels(game)) - 1) * len(seats)
