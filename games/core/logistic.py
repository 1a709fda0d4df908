"""A value learned by logistic regression, where a hand-made value is known already: its corrections, and no more than games tell.

The first feature is the hand-made value. With it alone the chance of winning is `1 / (1 + exp(-(a + b * value)))`; the other features
correct it. Their weights are pulled towards nothing (ridge regression), so what games do not tell stays as the hand-made value has it.
The result is a `Net` of one linear layer that answers the logarithm of the odds of winning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from games.core.averaged import NOWHERE, Ahead
from games.core.net import CLIP, Data, Floats, Learned, Net, Settings, split

Doubles = npt.NDArray[np.float64]

PASSES: Final = 2  # the second learns from what the first expects where the next part of a game begins
STEPS: Final = 12  # of Newton's method, far more than it needs
MOST: Final = 30.0  # log odds beyond this count as this


def chances(log_odds: Floats | Doubles) -> Doubles:
    """Return the chances of winning for logarithms of the odds."""
    odds: Doubles = 1.0 / (1.0 + np.exp(-np.clip(np.asarray(log_odds, dtype=np.float64), -MOST, MOST)))
    return odds


def miss(net: Net, data: Data) -> float:
    """Return the root mean squared difference of the chances that a net gives and what came of them (1 won, 0 lost)."""
    return float(np.sqrt(np.mean(np.square(chances(net.values(data.x)) - data.y))))


def weights(x: Doubles, y: Doubles, decay: Doubles) -> Doubles:
    """Return the weights, one for each column, with the least mean log loss plus half of `decay` times their squares (Newton's method)."""
    found: Doubles = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = chances(x @ found)
        slope = x.T @ (p - y) / len(y) + decay * found
        curve = (x * (p * (1 - p))[:, None]).T @ x / len(y) + np.diag(decay + 1e-9)
        found = found - np.linalg.solve(curve, slope)
    return found


def fit(names: Sequence[str], data: Data, ahead: Ahead, seed: int, settings: Settings, at: Callable[[int], None] | None = None) -> Learned:
    """Return the corrected value; targets are 1 for a win, 0 for a loss and a half for a tie.

    `settings.trust` of a target is what the value of the pass before expects where the next part of the game begins. Corrections are held back
    by `settings.decay`, divided by the games learned from: the more games, the less. `untrained` is the error of the hand-made value alone. There is no chance in it: `seed` is that of the games.
    `at(n)` is told every pass. Raises ValueError for too few games.
    """
    learned_from, held = split(data, settings.hold_out)
    is_held = np.isin(data.games, held.games)
    rows = ahead.rows[~is_held]
    mean = learned_from.x.mean(axis=0, dtype=np.float64)
    reach = np.abs(data.x - mean).max(axis=0)
    scale = np.maximum(learned_from.x.std(axis=0, dtype=np.float64), reach / CLIP)  # nothing that was met is cut off
    scale[scale < 1e-6] = 1.0
    table: Doubles = np.ones((len(learned_from), len(names) + 1))
    table[:, 1:] = (learned_from.x - mean) / scale
    pull = settings.decay / len(np.unique(learned_from.games))
    decay = np.array([0.0, 0.0, *[pull] * (len(names) - 1)])  # neither the constant nor the hand-made value is held back

    def net_of(found: Doubles) -> Net:
        column = np.zeros((len(names), 1), dtype=np.float32)
        column[: len(found) - 1, 0] = found[1:]
        layer = (column, np.array([found[0]], dtype=np.float32))
        return Net(tuple(names), mean.astype(np.float32), scale.astype(np.float32), (layer,), 0.0, 1.0)

    won = learned_from.y.astype(np.float64)
    untrained = net = net_of(weights(table[:, :2], won, decay[:2]))
    goes_on = rows != NOWHERE
    for number in range(1, PASSES + 1):
        y = won.copy()
        if goes_on.any():
            y[goes_on] = (1 - settings.trust) * won[goes_on] + settings.trust * chances(net.values(ahead.x))[rows[goes_on]]
        net = net_of(weights(table, y, decay))
        if at is not None:
            at(number)
    spread = float(np.sqrt(np.mean(np.square(held.y - won.mean()))))
    return Learned(net, miss(untrained, held), miss(net, held), spread, PASSES, len(data), len(np.unique(data.games)))
