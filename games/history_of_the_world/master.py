"""The master of History of the World: a scribe that chooses its empire by playing the epoch out.

The choice of empires decides more than how they are played, and what an empire brings depends on the others of the epoch and their order.
So the master sketches the rest of the epoch for each empire that it could take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.history_of_the_world.actions import Action, Take
from games.history_of_the_world.evaluation import DEFAULT, RULE, Weights
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT
from games.history_of_the_world.sketch import Sketcher
from games.history_of_the_world.state import State

TURNS: Final = 240  # sketched for a choice
TURNS_PER_S: Final = 150  # that a slow machine sketches; converts a budget into a number of them
PRIOR: Final = 0.25  # weight of a scribe's judgement of an empire
NEAR_LEAD: Final = 0.2


class Master(Scribe):
    """The answer of a player who thinks the draft through."""

    def __init__(
        self, state: State, seat: int, rng: Rng, steps: int = STEPS_LOOKED_AT, weights: Weights = DEFAULT, turns: int = TURNS
    ) -> None:
        super().__init__(state, seat, rng, steps, weights)
        self.turns = turns

    def take(self, acts: Sequence[Action]) -> Choice[Action]:
        """Take the empire after which the seat is furthest ahead at the end of the epoch."""
        if acts[0].verb == "look" or not self.turns:
            return super().take(acts)
        takes = [action for action in acts if isinstance(action, Take)]
        if takes[0].is_event:
            return super().take(acts)
        cards = [action.card for action in takes]
        count = max(1, self.turns // (len(cards) * self.state.seats))
        leads = Sketcher(self.state, self.seat).leads(cards, count, self.rng)
        worths = [lead + PRIOR * self.drafter.empire_worth(card) for lead, card in zip(leads, cards, strict=True)]
        usual = sum(worths) / len(worths)
        worths = [worth - usual for worth in worths]
        best = near(worths, NEAR_LEAD, self.rng)
        lead = leads[best] - sum(leads) / len(leads)
        return self.chosen(takes, worths, best, first=[("lead", round(lead, 1), RULE + "draft-1")])
