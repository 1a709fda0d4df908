"""What to look at in games of History of the World: whether fleets are put to use, and which epochs bring the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import SCORER
from games.core.sense import Sense, Step
from games.history_of_the_world.components import EMPIRES, WATER
from games.history_of_the_world.scoring import points_of, turn_record
from games.history_of_the_world.state import State

MARITIME: Final = 2  # discs on as many seas and oceans make an empire maritime


def count(steps: Sequence[Step[State]]) -> dict[str, list[float]]:
    """Return the points of a turn by epoch, and by how many points and armies maritime empires and others differ from their epoch's mean."""
    turns: dict[int, list[tuple[int, int]]] = {}  # by epoch: empire and points of each turn
    for step in steps:
        state = step.before
        if step.actor == SCORER:
            turns.setdefault(state.epoch, []).append((state.empires[state.active], points_of(turn_record(state))))
    counts: dict[str, list[float]] = {}
    for epoch, played in turns.items():
        counts[f"points of a turn in epoch {epoch}"] = [float(points) for _, points in played]
        mean = sum([points for _, points in played]) / len(played)
        armies = sum([EMPIRES[empire].armies for empire, _ in played]) / len(played)
        for empire, points in played:
            kind = "maritime" if (EMPIRES[empire].zones & WATER).bit_count() >= MARITIME else "other"
            counts.setdefault(f"points of {kind} empires beyond the epoch's mean", []).append(points - mean)
            counts.setdefault(f"armies of {kind} empires beyond the epoch's mean", []).append(EMPIRES[empire].armies - armies)
    return counts


SENSE: Final = Sense(count, {})
