"""Several nets as one, and targets that look to the next part of a game instead of its end.

The mean of nets that were trained from different beginnings misses by less than each of them. And the end of a game owes much to
chance that comes after the position: what a first net expects where the next part of the game begins says most of what a position has led
to, with less of that chance (bootstrapping, as in temporal-difference learning: Sutton and Barto, chapter 7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from games.core.net import Data, Floats, Ints, Learned, Net, Settings, error_of, split, train

SECOND_SEED: Final = 10_000  # nets of the second round begin elsewhere
NOWHERE: Final = -1


@dataclass(frozen=True, eq=False)
class Ahead:
    """Where the next part of the game began: features (m, names), and for each position its row there (n,), NOWHERE in the last part."""

    x: Floats
    rows: Ints


def mean_of(nets: Sequence[Net]) -> Net:
    """Return one net that answers the mean of several which standardise alike: their layers stand side by side, unconnected.

    Raises ValueError if the nets do not fit each other.
    """
    first, depth = nets[0], len(nets[0].layers)
    for net in nets[1:]:
        alike = np.array_equal(net.mean, first.mean) and np.array_equal(net.scale, first.scale)
        if not alike or (net.names, net.offset, net.unit, len(net.layers)) != (first.names, first.offset, first.unit, depth):
            raise ValueError("nets of different features or targets have no mean")
    if len(nets) == 1:
        return first
    layers = []
    for at in range(depth):
        weights = [net.layers[at][0] for net in nets]
        biases = np.concatenate([net.layers[at][1] for net in nets])
        if at == 0 and depth > 1:
            together = np.concatenate(weights, axis=1)
        elif at == depth - 1:
            share = np.float32(1 / len(nets))
            together = (np.concatenate(weights, axis=0) if depth > 1 else np.sum(weights, axis=0)) * share
            biases = np.array([biases.sum() * share], dtype=np.float32)
        else:
            together = np.zeros((sum([len(each) for each in weights]), sum([each.shape[1] for each in weights])), dtype=np.float32)
            row = column = 0
            for each in weights:
                together[row : row + each.shape[0], column : column + each.shape[1]] = each
                row, column = row + each.shape[0], column + each.shape[1]
        layers.append((together.astype(np.float32), biases))
    return replace(first, layers=tuple(layers))


def train_several(names: Sequence[str], data: Data, seed: int, settings: Settings, at: Callable[[int], None] | None = None) -> Learned:
    """Return the mean of `settings.members` nets, and its error. `at(n)` is told the rounds of all. Raises ValueError as `train` does."""
    made = [train(names, data, seed + member, settings, _after(member * settings.rounds, at)) for member in range(settings.members)]
    net = mean_of([each.net for each in made])
    held = split(data, settings.hold_out)[1]
    return replace(made[0], net=net, error=error_of(net, held), rounds=sum([each.rounds for each in made]))


def foreseen(data: Data, ahead: Ahead, net: Net, trust: float) -> Data:
    """Return the positions with new targets: where the game has a next part, `trust` of what `net` expects at its beginning."""
    y = data.y.copy()
    goes_on = ahead.rows != NOWHERE
    if goes_on.any():
        expected = np.concatenate([net.values(ahead.x[at : at + 8192]) for at in range(0, len(ahead.x), 8192)])
        y[goes_on] = (1 - trust) * y[goes_on] + trust * expected[ahead.rows[goes_on]]
    return Data(data.x, y.astype(np.float32), data.games)


def train_twice(
    names: Sequence[str], data: Data, ahead: Ahead, seed: int, settings: Settings, at: Callable[[int], None] | None = None
) -> Learned:
    """Return nets trained on targets that the first nets foresee. All errors are those of predicting the end of the game."""
    first = train_several(names, data, seed, settings, at)
    soon = foreseen(data, ahead, first.net, settings.trust)
    second = train_several(names, soon, seed + SECOND_SEED, settings, _after(settings.members * settings.rounds, at))
    held = split(data, settings.hold_out)[1]
    return replace(first, net=second.net, error=error_of(second.net, held), rounds=first.rounds + second.rounds)


def _after(rounds: int, at: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """Return what to call with the rounds of one net so that `at` is told those before, too."""
    return None if at is None else lambda done: at(rounds + done)
