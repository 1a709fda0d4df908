"""The journeyman of Babel: a club newcomer who plans a few steps ahead and minds mostly its own game.

It plans with the scribe's search, but follows only a few lines for a few steps, makes less of what its opponent may do, and misjudges
every position a little.
"""

from __future__ import annotations

from typing import Final

from games.babel.evaluation import Outlook, Weights
from games.babel.search import Breadth
from games.babel.state import ACTION, State
from games.babel.view import View
from games.core.contract import Rng

GLANCE: Final = Breadth(nodes=400, width=4, depth=7)
BLUR: Final = 0.5  # the most by which a position is misjudged, in points
GRAINS: Final = 1001

# Half of what the scribe makes of powers next turn, on both sides, and of what else the opponent may do.
CLUB: Final = Weights(rival_near=6.0, rival_ready=0.6, attack=0.2, threat=0.3, rival_card=0.4)


class Glance(Outlook):
    """Judges positions hastily: the end of a turn with an error that the generator draws."""

    def __init__(self, view: View, state: State, seat: int, rng: Rng, weights: Weights = CLUB, blur: float = BLUR) -> None:
        super().__init__(view, state, seat, weights)
        self.rng = rng
        self.blur = blur

    def value(self, state: State) -> float:
        """Return what it seems to be worth to end the turn here."""
        worth = super().value(state)
        return worth + (2 * self.rng.below(GRAINS, "bot") / (GRAINS - 1) - 1) * self.blur if state.phase == ACTION else worth
