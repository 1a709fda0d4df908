"""What a game tells the learning core, and where its players find the net.

A game's `learner.py` has `LEARNER`, and its `Game.learner` returns it (imported only when bots or training need it).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from games.core.averaged import Ahead
from games.core.contract import AnyGame
from games.core.net import Data, Learned, Net, Settings, WeightsError, cached

LEVEL: Final = "master"

State = TypeVar("State")
View = TypeVar("View")

log = logging.getLogger("games.learner")


@dataclass(frozen=True, kw_only=True)
class Learner(Generic[State, View]):
    """How a game's value is learned.

    The value of a position for a seat is the target that it may expect; both are in the game's points unless `target` says otherwise.
    """

    key: str  # of the game
    names: Sequence[str]  # of the features, in their order
    # What a seat knows of a position, as numbers; every one finite. The view is that seat's own.
    features: Callable[[View, int], Sequence[float]]
    # The seats for which a position of a recorded game is kept (() for most positions).
    seats_at: Callable[[State], Sequence[int]]
    # What became of a seat: from the position and the end of the game. Training may see everything.
    target: Callable[[State, State, int], float]
    # The part of the game, growing with it. If there are parts, a position learns from what is expected where its next part begins.
    stage: Callable[[State], int] | None = None
    weights: Path  # the folder of `master.npz`
    # Whether each player count has a net of its own, `master-<seats>.npz`.
    by_seats: bool = False
    kept: float = 1.0  # share of the positions named by `seats_at` that are kept; neighbours tell the same story
    teacher: str = "scribe"  # plays the first generation
    stray_level: str = "apprentice"
    strays: float = 0.04  # share of moves by `stray_level`
    settings: Settings = field(default_factory=Settings)
    # How the value is fitted, if not by nets: called like `averaged.train_twice`.
    fit: Callable[[Sequence[str], Data, Ahead, int, Settings, Callable[[int], None] | None], Learned] | None = None
    instead: str = "scribe"  # plays for the master if the weights cannot be used

    def file(self, seats: int) -> str:
        """Return the name of the weights for a player count."""
        return f"{LEVEL}-{seats}.npz" if self.by_seats else f"{LEVEL}.npz"


AnyLearner = Learner[Any, Any]


def lead_of(points: Sequence[float], seat: int) -> float:
    """Return by how much a seat is ahead: of the best rival, and of the mean of all rivals, in equal parts.

    >>> lead_of([10, 4, 8], 0)
    3.0
    """
    rivals = [each for other, each in enumerate(points) if other != seat]
    return points[seat] - 0.5 * (max(rivals) + sum(rivals) / len(rivals))


_folders: dict[str, Path] = {}  # weights on trial, by game
_told: set[str] = set()


def use(key: str, folder: Path | None) -> None:
    """Take a game's weights from another folder in this process (None: its own again), to try them before they are kept."""
    if folder is None:
        _folders.pop(key, None)
    else:
        _folders[key] = folder


def found(learner: AnyLearner, seats: int) -> Net | WeightsError:
    """Return the net for a player count, or what is wrong with it. Nothing is read twice."""
    return read(learner, _folders.get(learner.key, learner.weights), seats)


def read(learner: AnyLearner, folder: Path, seats: int) -> Net | WeightsError:
    """Return the net for a player count from a folder, or what is wrong with it. Nothing is read twice."""
    return cached(folder / learner.file(seats), tuple(learner.names))


def net_for(learner: AnyLearner, seats: int) -> Net | None:
    """Return the net for a player count; None, and one line in the log of this process, if it cannot be used."""
    net = found(learner, seats)
    if isinstance(net, Net):
        return net
    line = f"{learner.key}: {LEVEL} plays as {learner.instead}: {net}"
    if line not in _told:
        _told.add(line)
        log.warning(line)
    return None


def problems(game: AnyGame) -> list[str]:
    """Return what is wrong with a game's weights, one line each; [] if its master plays as it should or needs none."""
    if game.learner is None or LEVEL not in game.meta.bot_levels:
        return []
    learner = game.learner()
    wrong = {str(net) for seats in game.meta.seats if isinstance(net := found(learner, seats), WeightsError)}
    return [f"{game.meta.key}: {LEVEL} plays as {learner.instead}: {line}" for line in sorted(wrong)]
