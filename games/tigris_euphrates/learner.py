"""What the master of Tigris & Euphrates learns: by how much a seat's weakest colour finishes ahead, from positions at the end of its turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.core.learner import Learner
from games.core.net import Settings
from games.tigris_euphrates.evaluation import Outlook
from games.tigris_euphrates.features import NAMES, features
from games.tigris_euphrates.scoring import final_colours
from games.tigris_euphrates.state import DRAWING, State
from games.tigris_euphrates.view import View, known_state

MOST: Final = 20.0  # a lead beyond this counts no more: the game was decided
ROUNDS: Final = 2  # turns of a seat in a part of the game: what is expected after the next few says more than the end (`averaged`)


def _features(view: View, seat: int) -> Sequence[float]:
    state = known_state(view)
    return features(Outlook(view, state, seat), state)


def _seats_at(state: State) -> Sequence[int]:
    """Return the seat whose turn is over and that is about to draw."""
    return (state.active,) if state.phase == DRAWING and state.due == state.active and state.turn and not state.swapping else ()


def _stage(state: State) -> int:
    return state.turn // (ROUNDS * state.seats)


def lead(state: State, end: State, seat: int) -> float:
    """Return by how much the weakest colour of a seat finishes ahead of the best rival's, at most MOST either way."""
    weakest = [float(min(final_colours(end, other))) for other in range(end.seats)]
    own = weakest.pop(seat)
    return max(-MOST, min(MOST, own - max(weakest)))


LEARNER: Final = Learner(
    key="tigris_euphrates",
    names=NAMES,
    features=_features,
    seats_at=_seats_at,
    target=lead,
    stage=_stage,
    weights=Path(__file__).parent / "weights",
    by_seats=True,
    strays=0.08,
    settings=Settings(decay=0.3, members=3, trust=1.0),
)
