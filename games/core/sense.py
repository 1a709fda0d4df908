"""Whether bots make sense: things counted in whole games that they play with themselves, as an experienced player would look at them.

A game says in its `sense.py` what is counted (`Game.sense`). Games are kept as lists of actions (`selfplay`), a folder for each version of
the bots, so a count goes on where it was stopped and can be made again in another way without playing again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from games.core.contract import AnyGame, Event, GameFinder
from games.core.selfplay import Recorded, SelfPlay, generate, read_chunk
from games.core.simulate import wilson

State = TypeVar("State")

NORMAL: Final = 1.959964  # 95 % of a normal distribution lie within so many deviations


@dataclass(frozen=True, slots=True)
class Step(Generic[State]):
    """One action of a game: the positions around it, who made it (a seat, CHANCE or SCORER), and what happened."""

    before: State
    actor: int
    action: Any
    after: State
    events: Sequence[Event]


# What was counted in one game, by the name of the measure: as many numbers as the game has to offer; for shares whether something was so.
Counts = Mapping[str, Sequence[float]]
Counting = Callable[[Sequence[Step[Any]]], Counts]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a measure ought to be."""

    below: float = math.inf
    at_least: float = -math.inf

    def is_met(self, value: float) -> bool:
        return self.at_least <= value < self.below

    def __str__(self) -> str:
        return f"below {self.below:g}" if self.below < math.inf else f"at least {self.at_least:g}"


@dataclass(frozen=True, slots=True)
class Sense:
    """What a game counts, and what some of it ought to be."""

    count: Counting
    goals: Mapping[str, Goal]


@dataclass(frozen=True, slots=True)
class Found:
    """A measure over some games: its mean over all numbers that were counted, and the 95 % interval of that mean.

    Numbers of one game need not be independent, games are: the interval is that of a ratio of sums over games (its linear approximation),
    for shares Wilson's for as many independent cases as their scatter between games is worth.
    """

    name: str
    mean: float
    low: float
    high: float
    numbers: int
    games: int  # in which there was something to count
    goal: Goal | None

    def report(self) -> dict[str, Any]:
        """Return what --json prints."""
        told = {
            "measure": self.name,
            "mean": round(self.mean, 4),
            "ci95": [round(self.low, 4), round(self.high, 4)],
            "numbers": self.numbers,
            "games": self.games,
        }
        return told if self.goal is None else told | {"goal": str(self.goal), "is_met": self.goal.is_met(self.mean)}


def steps_of(game: AnyGame, recorded: Recorded) -> list[Step[Any]]:
    """Return a recorded game step by step."""
    state = game.setup(recorded.seats, {spec.key: spec.default for spec in game.meta.options})
    steps = []
    for actor, text in recorded.moves:
        action = game.parse_action(text)
        after, events = game.apply(state, actor, action)
        steps.append(Step(state, actor, action, after, events))
        state = after
    return steps


def counted(find: GameFinder, key: str, path: Path) -> list[Counts]:
    """Return what is counted in each game of a file."""
    game = find(key)
    assert game.sense is not None
    count = game.sense().count
    return [count(steps_of(game, recorded)) for recorded in read_chunk(path)]


def found(counts: Iterable[Counts], goals: Mapping[str, Goal]) -> list[Found]:
    """Return the measures over some games, in the order in which they first occur."""
    by_name: dict[str, list[Sequence[float]]] = {}
    for each in counts:
        for name, numbers in each.items():
            if numbers:
                by_name.setdefault(name, []).append(numbers)
    return [_found(name, parts, goals.get(name)) for name, parts in by_name.items()]


def _found(name: str, parts: Sequence[Sequence[float]], goal: Goal | None) -> Found:
    numbers, games = sum(map(len, parts)), len(parts)
    mean = sum(map(sum, parts)) / numbers
    error = math.inf
    if games > 1:
        scatter = sum([(sum(part) - mean * len(part)) ** 2 for part in parts]) * games / (games - 1)
        error = math.sqrt(scatter) / numbers
    if all(isinstance(number, bool) for part in parts for number in part):
        alone = mean * (1 - mean)
        worth = min(float(numbers), alone / error**2) if alone and error else float(numbers if alone else games)
        low, high = wilson(mean * worth, worth)
    else:
        low, high = mean - NORMAL * error, mean + NORMAL * error
    return Found(name, mean, low, high, numbers, games, goal)


def run(find: GameFinder, play: SelfPlay, folder: Path, games: int, jobs: int = 1, at: Callable[[int], None] | None = None) -> list[Found]:
    """Play what is missing of the first `games` games and return what was counted in them; `at(n)` is told how many are played.

    Raises ValueError if the game counts nothing.
    """
    game = find(play.game)
    if game.sense is None:
        raise ValueError(f"{game.meta.title} has nothing to count")
    goals = game.sense().goals
    paths = generate(find, folder, play, games, jobs, at)
    return found(_all(partial(counted, find, play.game), paths, jobs), goals)


def _all(read: Callable[[Path], list[Counts]], paths: Sequence[Path], jobs: int) -> Iterator[Counts]:
    if jobs <= 1 or len(paths) <= 1:
        for path in paths:
            yield from read(path)
        return
    with ProcessPoolExecutor(min(jobs, len(paths))) as pool:
        for part in pool.map(read, paths):
            yield from part
