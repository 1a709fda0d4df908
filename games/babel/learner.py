"""What the master of Babel learns: the winner of the game, from the positions at the end of turns, as corrections of the scribe's value.

The games are those of a scribe that plans quickly and misjudges a little, so that it plays enough of them, and unlike ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.babel.components import REVEAL
from games.babel.evaluation import Outlook
from games.babel.features import NAMES, features
from games.babel.scoring import outcome
from games.babel.state import REVEALING, State, deck_count
from games.babel.view import View, known_state
from games.core import logistic
from games.core.learner import Learner
from games.core.net import Settings

ROUNDS: Final = 2  # turns of a seat in a part of the game: what is expected after the next few says more than the end


def _features(view: View, seat: int) -> Sequence[float]:
    state = known_state(view)
    return features(Outlook(view, state, seat), state)


def _seats_at(state: State) -> Sequence[int]:
    """Return the seat whose turn is over, unless the last temple cards are about to decide the game."""
    return (state.active,) if state.phase == REVEALING and deck_count(state) > REVEAL else ()


def _stage(state: State) -> int:
    return state.turn // (2 * ROUNDS)


def won(state: State, end: State, seat: int) -> float:
    """Return 1 for a win, 0 for a loss, and a half for a tie."""
    result = outcome(end)
    assert result is not None
    own, other = result.places[seat], result.places[1 - seat]
    return 0.5 if own == other else float(own < other)


LEARNER: Final = Learner(
    key="babel",
    names=NAMES,
    features=_features,
    seats_at=_seats_at,
    target=won,
    stage=_stage,
    weights=Path(__file__).parent / "weights",
    teacher="quick",
    strays=0.0,  # it misjudges every position instead
    fit=logistic.fit,
    settings=Settings(decay=10.0, trust=0.5),
)
