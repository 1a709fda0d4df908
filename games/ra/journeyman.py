"""The journeyman of Ra, a newcomer to the club: weighs its own tiles, suns and draws as the scribe does, and misjudges them a little.

It thinks neither of what a rival gains nor of the suns of later epochs, and keeps gods for their fame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Rng
from games.ra.actions import Action
from games.ra.evaluation import Weights
from games.ra.scribe import Scribe, Weighed
from games.ra.state import State

# The most fame by which it misjudges an action with one rival, and how much more with each other one.
BLUR: Final = (1.0, 0.25)
OWN_AFFAIRS: Final = Weights(rival=0.0, later_sun=0.0, god=0.0)
STEPS: Final = 2001
LEAST_SAID: Final = 2.0  # above the blur of any number of rivals, so that no misjudgement is put down to them


class Journeyman(Scribe):
    """A scribe who minds its own affairs and misjudges them."""

    least_said = LEAST_SAID

    def __init__(self, state: State, seat: int, rng: Rng) -> None:
        super().__init__(state, seat, OWN_AFFAIRS)
        self.rng = rng

    def weigh(self, legal: Sequence[Action]) -> Weighed:
        half = STEPS // 2
        blur = BLUR[0] + BLUR[1] * (self.state.seats - 2)
        return [(action, value + blur * (self.rng.below(STEPS, "bot") - half) / half) for action, value in super().weigh(legal)]
