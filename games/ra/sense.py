"""What to look at in games of Ra: whether bots use their suns in time, and how epochs end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import SCORER
from games.core.sense import Goal, Sense, Step
from games.ra.components import EPOCH_COUNT
from games.ra.state import BY_SUNS, State


def count(steps: Sequence[Step[State]]) -> dict[str, list[float]]:
    """Return the suns that seats had left when an epoch ended, and the share of epochs that ended by the last sun."""
    counts: dict[str, list[float]] = {}
    for step in steps:
        if step.actor != SCORER:
            continue
        state = step.before
        left = counts.setdefault(f"unused suns in epoch {state.epoch}, a seat", [])
        left += [float(suns.bit_count()) for suns in state.suns_up]
        counts.setdefault(f"epoch {state.epoch} ended by the last sun", []).append(state.ending == BY_SUNS)
    return counts


SENSE: Final = Sense(count, {f"unused suns in epoch {EPOCH_COUNT}, a seat": Goal(below=0.25)})
