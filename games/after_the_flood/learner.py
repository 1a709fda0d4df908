"""What the master of After the Flood learns: the margin of points at the end, from positions between two actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.after_the_flood.components import SEATS
from games.after_the_flood.features import NAMES, features
from games.after_the_flood.state import ACTION, PAYING, SCORING, State
from games.after_the_flood.view import View, known_state
from games.core.learner import Learner, lead_of
from games.core.net import Settings

MOST: Final = 60.0  # a margin beyond this counts no more: the game was decided


def _features(view: View, seat: int) -> Sequence[float]:
    return features(known_state(view), seat)


def _seats_at(state: State) -> Sequence[int]:
    """Return all seats between two actions, and when a turn is over but not yet scored."""
    is_between = state.phase in (PAYING, SCORING) or (state.phase == ACTION and not state.is_paid)
    return range(SEATS) if is_between else ()


def _stage(state: State) -> int:
    return state.turn


def margin(state: State, end: State, seat: int) -> float:
    """Return by how many points a seat finishes ahead of its rivals (`lead_of`), at most MOST either way."""
    return max(-MOST, min(MOST, lead_of(end.scores, seat)))


LEARNER: Final = Learner(
    key="after_the_flood",
    names=NAMES,
    features=_features,
    seats_at=_seats_at,
    target=margin,
    stage=_stage,
    weights=Path(__file__).parent / "weights",
    kept=0.3,
    settings=Settings(decay=1e-2, members=3, trust=1.0),
)
