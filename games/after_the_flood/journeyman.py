"""The journeyman of After the Flood: somebody new to the club, who counts points well enough but looks at one action only.

It judges positions as the scribe does, except that it leaves out the rivals, their threats and the homes of the next turn, hoards goods and cities for
later, and is in no hurry to found an empire. It misjudges every action, never asks what the next one could be, destroys no cities, and does not compare
ways to equip an empire.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood.actions import READY, Action, Destroy, Relocate
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.search import LEAST, LEAST_MOVE, STEPS_LOOKED_AT, Ranked, Search, ordered
from games.after_the_flood.state import State
from games.after_the_flood.weights import Weights
from games.core.contract import Rng

BLUR: Final = 6.0  # the most by which it misjudges an action, in points
HARM: Final = 1.5  # the most that an action may cost to be mistaken for a good one, so that it does not throw everything away
SIMPLE: Final = Weights(
    width=1,
    rivals=0.0,
    threat=0.0,
    next_home=0.0,
    next_tie=0.0,
    kept=0.85,
    slot=6.0,
    slots=4,
    city=0.0,
    founding=0.4,
    founding_raced=0.4,
    founding_later=0.18,
)


class Journeyman(Search):
    """A search one action deep, with misjudgement."""

    def __init__(self, state: State, seat: int, rng: Rng, steps: int = STEPS_LOOKED_AT) -> None:
        super().__init__(state, Outlook(state, seat, SIMPLE), steps)
        self.rng = rng

    def blur(self) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * BLUR

    def act(self, state: State) -> Ranked:
        closed = self.outlook.value(state, is_open=False)
        now = self.outlook.value(state)
        found: Ranked = []
        for action in self.steps(state):
            if isinstance(action, Destroy):
                continue
            worth = self.after(state, action)
            guess = worth + self.blur()
            if guess > max(closed, now) + LEAST and worth > now + (LEAST_MOVE if isinstance(action, Relocate) else -HARM):
                found.append((guess - closed, action))
        if found:
            return ordered(found)
        return super().act(state)  # what gains only before passing, or has been paid for

    def equip(self, legal: Sequence[Action]) -> Ranked:
        return [(0.0, READY)]
