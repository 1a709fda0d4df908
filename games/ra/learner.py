"""What the master of Ra learns: the margin of fame at the end, from positions in which a seat is on turn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.core.learner import Learner, lead_of
from games.core.net import Settings
from games.ra.features import NAMES, features
from games.ra.state import TURN, State
from games.ra.view import View, known_state


def _features(view: View, seat: int) -> Sequence[float]:
    return features(known_state(view), seat)


def _seats_at(state: State) -> Sequence[int]:
    return range(state.seats) if state.phase == TURN else ()


def _epoch(state: State) -> int:
    return state.epoch


def margin(state: State, end: State, seat: int) -> float:
    """Return by how much fame a seat finishes ahead of its rivals (`lead_of`)."""
    return lead_of(end.fame, seat)


LEARNER: Final = Learner(
    key="ra",
    names=NAMES,
    features=_features,
    seats_at=_seats_at,
    target=margin,
    weights=Path(__file__).parent / "weights",
    stage=_epoch,
    by_seats=True,
    kept=0.25,
    settings=Settings(decay=1e-2, rounds=16, patience=3, members=3),
)
