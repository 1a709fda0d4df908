"""What the master of History of the World learns: by how many points a seat finishes ahead, from the ends of turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.core.learner import Learner, lead_of
from games.core.net import Settings
from games.history_of_the_world.features import NAMES, features
from games.history_of_the_world.state import SCORING, State
from games.history_of_the_world.view import View, known_state

MOST: Final = 60.0  # a lead beyond this counts no more: the game was decided


def _features(view: View, seat: int) -> Sequence[float]:
    return features(known_state(view), seat)


def _seats_at(state: State) -> Sequence[int]:
    """Return all seats when a turn is over but not yet scored."""
    return range(state.seats) if state.phase == SCORING else ()


def _epoch(state: State) -> int:
    return state.epoch


def margin(state: State, end: State, seat: int) -> float:
    """Return by how many points a seat finishes ahead of its rivals (`lead_of`), at most MOST either way."""
    return max(-MOST, min(MOST, lead_of(end.scores, seat)))


LEARNER: Final = Learner(
    key="history_of_the_world",
    names=NAMES,
    features=_features,
    seats_at=_seats_at,
    target=margin,
    stage=_epoch,
    weights=Path(__file__).parent / "weights",
    settings=Settings(decay=1e-2, members=3, trust=1.0),
)
