"""From a game's name to the weights of its master: self-play, features, a net, and a match against the level below.

A run is known by game, generation, seats, games and seed. Everything it makes is kept, so the same command goes on where it was
interrupted, and gives the same weights on the same machine. Generation 0 learns from the teacher's games; each later one from games of
the master that plays by the weights of the generation before.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.core import learner as learners
from games.core import simulate
from games.core.averaged import NOWHERE, Ahead, train_several, train_twice
from games.core.contract import AnyGame, GameFinder
from games.core.learner import LEVEL, AnyLearner
from games.core.logistic import PASSES
from games.core.net import Data, Floats, Learned, Net, save
from games.core.rng import SeededRng
from games.core.selfplay import CHUNK, SelfPlay, generate, read_chunk, replayed, seconds_of

KEPT_AMONG: Final = 1_000_000
MATCH_SEED_AFTER: Final = 1000  # matches have a seed of their own, this much above that of the run

Tell = Callable[[str, int, int], None]  # (step, done, total)


class TrainingError(RuntimeError):
    """Nothing can be trained as asked: one line that says why."""


@dataclass(frozen=True, slots=True)
class Run:
    """What is asked for: `games` self-play games for each player count, and a match of `match` games for each."""

    game: str
    games: int
    seed: int
    seats: tuple[int, ...]
    folder: Path  # for everything that is made: var/training/<game>
    generation: int = 0
    match: int = 100
    jobs: int = 1

    @property
    def place(self) -> Path:
        return self.folder / str(self.generation)


def find_with(folder: Path, find: GameFinder, key: str) -> AnyGame:
    """Find a game whose master plays by the weights in `folder`, in this process and from now on."""
    learners.use(key, folder)
    return find(key)


def learner_of(game: AnyGame) -> AnyLearner:
    """Return how a game learns. Raises TrainingError if it does not."""
    if game.learner is None:
        raise TrainingError(f"{game.meta.title} has nothing to learn: its bots play by hand-made values")
    return game.learner()


def make(find: GameFinder, run: Run, tell: Tell | None = None) -> dict[str, Any]:
    """Play, learn and measure; return the figures, the paths of the weights among them. Raises TrainingError.

    `tell` is called with a step, how much of it is done, and how much there is to do.
    """
    tell = tell or (lambda step, done, total: None)
    game = find(run.game)
    learner = learner_of(game)
    began = time.monotonic()
    player = find
    level = learner.teacher
    if run.generation:
        before = run.folder / str(run.generation - 1)
        player, level = partial(find_with, before, find), LEVEL
        for seats in run.seats:
            _must_load(find_with(before, find, run.game), seats)
    report: dict[str, Any] = {"game": run.game, "generation": run.generation, "games": run.games, "seed": run.seed, "seats": []}
    groups = [(seats,) for seats in run.seats] if learner.by_seats else [run.seats]
    for group in groups:
        chunks: list[Path] = []
        for seats in group:
            play = SelfPlay(run.game, seats, run.seed, level, learner.stray_level, learner.strays)
            chunks += generate(
                player, run.place, play, run.games, run.jobs, partial(_tell_of, tell, f"games with {seats} seats", run.games)
            )
        learning = time.monotonic()
        learned = learn(find, run, chunks, tell)
        path = run.place / learner.file(group[0])
        hours = round((seconds_of(chunks) + time.monotonic() - learning) / 3600, 3)  # of games as well, whenever they were played
        save(learned.net, path, about(run, group, level, learned, hours))
        report["seats"].append({"seats": list(group), "weights": str(path), "bytes": path.stat().st_size, **learned.report()})
    report["hours"] = round((time.monotonic() - began) / 3600, 3)
    report["matches"] = measure(find, run, tell)
    learners.use(run.game, None)
    return report


def _tell_of(tell: Tell, step: str, total: int, done: int) -> None:
    tell(step, done, total)


def _must_load(game: AnyGame, seats: int) -> None:
    found = learners.found(learner_of(game), seats)
    if not isinstance(found, Net):
        raise TrainingError(f"the generation before has no weights for {seats} seats: {found}")


def about(run: Run, seats: Sequence[int], level: str, learned: Learned, hours: float) -> dict[str, Any]:
    """Return what is kept beside the weights of how they were made."""
    only = "" if len(seats) > 1 else f" --seats {seats[0]}"
    generation = f" --generation {run.generation}" if run.generation else ""
    return {
        "command": f"manage.py train {run.game} --games {run.games} --seed {run.seed}{only}{generation}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine_hours": hours,
        "machine": f"{len(os.sched_getaffinity(0))} cores, {platform.machine()}, CPython {platform.python_version()}, numpy {np.__version__}",
        "played_by": level,
        "figures": learned.report(),
    }


# Features


@dataclass(frozen=True, eq=False)
class Examples:
    """Positions to learn from, and where the next part of the game began."""

    data: Data
    ahead: Ahead


def examples(find: GameFinder, key: str, path: Path) -> Examples:
    """Return the positions kept from a chunk; they are drawn by the game's own generator."""
    game = find(key)
    learner = learner_of(game)
    stage = learner.stage or (lambda state: 0)
    limit = round(learner.kept * KEPT_AMONG)
    x: list[Sequence[float]] = []
    y: list[float] = []
    numbers: list[int] = []
    later: list[Sequence[float]] = []
    rows: list[int] = []

    def features(position: Any, seat: int) -> Sequence[float]:
        return learner.features(game.view_for(position, seat), seat)

    for recorded in read_chunk(path):
        rng = SeededRng(f"kept/{key}/{recorded.seats}/{recorded.number}")
        kept = []
        begins: dict[tuple[int, int], Any] = {}  # the first position of a seat in each part
        state = None
        for state in replayed(game, recorded):
            seats = learner.seats_at(state)
            for seat in seats:
                begins.setdefault((seat, stage(state)), state)
            if seats and (limit == KEPT_AMONG or rng.below(KEPT_AMONG, "kept") < limit):
                kept.append((state, seats))
        row_of: dict[tuple[int, int], int] = {}
        for before, seats in kept:
            for seat in seats:
                x.append(features(before, seat))
                y.append(learner.target(before, state, seat))
                numbers.append(recorded.number * 10 + recorded.seats)
                part = min([part for other, part in begins if other == seat and part > stage(before)], default=None)
                if part is None:
                    rows.append(NOWHERE)
                    continue
                if (seat, part) not in row_of:
                    row_of[seat, part] = len(later)
                    later.append(features(begins[seat, part], seat))
                rows.append(row_of[seat, part])
    names = len(learner.names)
    return Examples(
        Data(_table(x, names), np.array(y, dtype=np.float32), np.array(numbers, dtype=np.int64)),
        Ahead(_table(later, names), np.array(rows, dtype=np.int64)),
    )


def _table(rows: list[Sequence[float]], width: int) -> Floats:
    return np.array(rows, dtype=np.float32).reshape(-1, width)


def gather(find: GameFinder, key: str, chunks: Sequence[Path], jobs: int = 1, at: Callable[[int], None] | None = None) -> Examples:
    """Return all positions kept from some chunks, in their order; `at(n)` is told how many chunks are read."""
    parts: list[Examples] = []
    read = partial(examples, find, key)
    with ExitStack() as stack:
        if jobs <= 1 or len(chunks) <= 1:
            results: Iterator[Examples] = map(read, chunks)
        else:
            results = stack.enter_context(ProcessPoolExecutor(min(jobs, len(chunks)))).map(read, chunks)
        for part in results:
            parts.append(part)
            if at is not None:
                at(len(parts))
    data = Data(*[np.concatenate([getattr(part.data, name) for part in parts]) for name in ("x", "y", "games")])
    if not np.isfinite(data.x).all() or not np.isfinite(data.y).all():
        names = learner_of(find(key)).names
        at_fault = ", ".join(np.array(names)[~np.isfinite(data.x).all(axis=0)]) or "the target"
        raise TrainingError(f"not a finite number in some position: {at_fault}")
    rows, known = [], 0
    for part in parts:
        rows.append(np.where(part.ahead.rows == NOWHERE, NOWHERE, part.ahead.rows + known))
        known += len(part.ahead.x)
    return Examples(data, Ahead(np.concatenate([part.ahead.x for part in parts]), np.concatenate(rows)))


def learn(find: GameFinder, run: Run, chunks: Sequence[Path], tell: Tell) -> Learned:
    """Return a net trained on the positions of some chunks. Raises TrainingError."""
    learner = learner_of(find(run.game))
    settings = learner.settings
    found = gather(find, run.game, chunks, run.jobs, lambda done: tell("files of positions", done, len(chunks)))
    rounds = PASSES if learner.fit else settings.rounds * settings.members * (1 if learner.stage is None else 2)
    at = partial(_tell_of, tell, "rounds of training", rounds)
    try:
        if learner.fit is not None:
            return learner.fit(learner.names, found.data, found.ahead, run.seed, settings, at)
        if learner.stage is None:
            return train_several(learner.names, found.data, run.seed, settings, at)
        return train_twice(learner.names, found.data, found.ahead, run.seed, settings, at)
    except ValueError as error:
        raise TrainingError(str(error)) from None


# Measuring


def measure(find: GameFinder, run: Run, tell: Tell) -> list[dict[str, Any]]:
    """Return the figures of one master by the new weights against the level below, for each player count."""
    game = find(run.game)
    names = simulate.levels(game)
    if LEVEL not in names or not run.match:
        return []
    below = names[names.index(LEVEL) - 1]
    figures = []
    for seats in run.seats:
        match = simulate.Match(run.game, seats, (LEVEL, *[below] * (seats - 1)), run.seed + MATCH_SEED_AFTER)
        finder = partial(find_with, run.place, find)
        tally, seconds = simulate.run(
            finder, match, run.match, run.jobs, partial(_tell_of, tell, f"games of the match with {seats} seats", run.match)
        )
        figures.append({"among": below, **tally.report(seconds)})
    return figures


__all__ = ["CHUNK", "Run", "TrainingError", "examples", "gather", "learn", "make", "measure"]
