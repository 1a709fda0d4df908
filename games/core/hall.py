"""The hall of a game's masters: each generation of learned weights against those before it, so that only what wins is kept.

A match needs several masters at once, so here each set of weights is a level of its own, beside the usual ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from games.core import learner as learners
from games.core.contract import AnyGame, Choice, GameFinder, Rng
from games.core.ladder import Edge
from games.core.learner import LEVEL
from games.core.net import WeightsError

KEPT: Final = "kept"  # the weights in the game's package, by which the site plays


class HallError(ValueError):
    """There is nothing to compare as asked: one line that says why."""


@dataclass(frozen=True)
class Chooser:
    """A game's bots, with a master for each set of weights."""

    game: AnyGame
    folders: Mapping[str, Path | None]  # by name; None: the game's own

    def __call__(self, view: Any, /, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Any]:
        if level not in self.folders:
            return self.game.choose_action(view, level, rng, budget_s)
        learners.use(self.game.meta.key, self.folders[level])
        try:
            return self.game.choose_action(view, LEVEL, rng, budget_s)
        finally:
            learners.use(self.game.meta.key, None)


def gathered(find: GameFinder, folders: Mapping[str, Path | None], key: str) -> AnyGame:
    """Return a game in which each set of weights is a level, in this process."""
    game = find(key)
    meta = replace(game.meta, bot_levels=(*game.meta.bot_levels, *folders))
    return replace(game, meta=meta, choose_action=Chooser(game, folders))


def finder(find: GameFinder, folders: Mapping[str, Path | None]) -> GameFinder:
    """Return how any process finds the game with its sets of weights."""
    return partial(gathered, find, folders)


def generations(folder: Path) -> list[str]:
    """Return the generations in a training folder that have weights, the first one first."""
    found = {path.parent.name for path in folder.glob(f"*/{LEVEL}*.npz") if path.parent.name.isdecimal()}
    return sorted(found, key=int)


def named(game: AnyGame, names: Sequence[str], folder: Path, seats: int) -> dict[str, Path | None]:
    """Return the folders of those names that are sets of weights: the kept ones, a generation, or a folder. Other names are levels.

    Raises HallError if weights cannot be used, or if a name is neither.
    """
    if game.learner is None:
        raise HallError(f"{game.meta.title} has nothing to learn: its bots play by hand-made values")
    learner = game.learner()
    folders: dict[str, Path | None] = {}
    for name in names:
        if name in game.meta.bot_levels:
            continue
        path = None if name == KEPT else folder / name if name.isdecimal() else Path(name)
        net = learners.found(learner, seats) if path is None else learners.read(learner, path, seats)
        if isinstance(net, WeightsError):
            levels = ", ".join(game.meta.bot_levels)
            raise HallError(f"{name} is no level of {game.meta.title} ({levels}) and has no weights for {seats} seats: {net}")
        folders[name] = path
    return folders


def pairs(names: Sequence[str], seats: int) -> Iterator[Edge]:
    """Yield each one against those named before it."""
    for before, after in combinations(names, 2):
        yield Edge(after, before, seats)
