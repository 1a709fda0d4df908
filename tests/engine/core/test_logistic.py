"""Corrections of a hand-made value by logistic regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.core.averaged import NOWHERE, Ahead
from games.core.logistic import chances, fit, miss, weights
from games.core.net import Data, Settings

NAMES = ("worth", "a", "b")
SETTINGS = Settings(decay=2.0, trust=0.0)
NONE = Ahead(np.zeros((0, 3), dtype=np.float32), np.full(4000, NOWHERE))


def games(n=4000, slopes=(0.8, 1.5, 0.0), seed=1):
    """Return positions of two a game whose results follow from their features by chance."""
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1, (n, 3)).astype(np.float32)
    y = (rng.random(n) < chances(x @ np.array(slopes) - 0.2)).astype(np.float32)
    return Data(x, y, np.arange(n) // 2)


def slopes_of(learned):
    return [float(slope) for slope in learned.net.slopes([0.0] * 3)]


def test_corrections_are_found_and_foretell_games_that_were_not_seen():
    learned = fit(NAMES, games(), NONE, 1, SETTINGS)
    worth, a, b = slopes_of(learned)
    assert (worth, a, b) == pytest.approx((0.8, 1.5, 0.0), abs=0.15)
    assert learned.error < 0.95 * learned.untrained
    assert learned.untrained < learned.spread
    assert learned.net.value([0, 0, 0]) == pytest.approx(-0.2, abs=0.15)


def test_what_games_do_not_tell_stays_as_the_hand_made_value_has_it():
    data = games(slopes=(0.8, 0.0, 0.0))
    worth, a, b = slopes_of(fit(NAMES, data, NONE, 1, replace(SETTINGS, decay=20_000.0)))
    assert worth == pytest.approx(0.8, abs=0.15), "the hand-made value itself is not held back"
    assert (a, b) == pytest.approx((0, 0), abs=1e-2)


def test_the_newton_steps_end_where_the_slope_is_flat():
    data = games(400)
    x, y, decay = data.x.astype(float), data.y.astype(float), np.array([0.0, 0.1, 0.1])
    found = weights(x, y, decay)
    assert x.T @ (chances(x @ found) - y) / len(y) + decay * found == pytest.approx([0, 0, 0], abs=1e-9)


def test_targets_come_from_the_next_part_as_far_as_it_is_trusted():
    data = games()
    ahead = Ahead(data.x, np.arange(len(data)))
    lost = replace(data, y=np.zeros_like(data.y))
    passes = []
    assert fit(NAMES, data, ahead, 1, replace(SETTINGS, trust=0.5), passes.append).error < 0.5
    assert passes == [1, 2]
    half = fit(NAMES, lost, Ahead(data.x * 0, ahead.rows), 1, replace(SETTINGS, trust=0.5))
    assert chances(half.net.values(data.x)).max() < 1e-3, "nobody has ever won"


def test_no_feature_that_was_met_is_cut_off():
    data = games()
    data.x[7, 2] = 500.0
    learned = fit(NAMES, data, NONE, 1, SETTINGS)
    slope = slopes_of(learned)[2]
    assert learned.net.value([0, 0, 500]) - learned.net.value([0, 0, 0]) == pytest.approx(500 * slope, rel=1e-3, abs=1e-3)


def test_the_same_games_give_the_same_weights_and_too_few_are_refused():
    one, other = (fit(NAMES, games(), NONE, seed, SETTINGS).net for seed in (1, 2))
    assert all(np.array_equal(a, b) for layer, same in zip(one.layers, other.layers, strict=True) for a, b in zip(layer, same, strict=True))
    assert miss(one, games(seed=5)) < 0.5
    few = games(8)
    with pytest.raises(ValueError, match="too few"):
        fit(NAMES, few, Ahead(NONE.x, NONE.rows[:8]), 1, SETTINGS)
