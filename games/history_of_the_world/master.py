"""The master of History of the World: a scribe that chooses its empire by playing the epoch out, with numbers learned from varied games.

The choice of empires decides more than how they are played, and what an empire brings depends on the others of the epoch and their order.
So the master sketches the rest of the epoch for each empire that it could take. In games of scribes whose drafts were varied at random
these sketches foretold the final lead; the scribe's own judgement added little to them (docs/bots.md tells the figures).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.history_of_the_world.actions import Action, Take
from games.history_of_the_world.components import EVENTS
from games.history_of_the_world.evaluation import RULE, Weights
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT
from games.history_of_the_world.sketch import Sketcher
from games.history_of_the_world.state import State

TURNS: Final = 160  # sketched for a choice
TURNS_PER_S: Final = 150  # that a slow machine sketches; converts a budget into a number of them
PRIOR: Final = 0.25  # weight of a scribe's judgement of an empire
NEAR_LEAD: Final = 0.2
# Regressions of the final lead in games of scribes whose numbers and tastes for cards were varied at random (docs/bots.md).
EVENT_BONUS: Final = {  # points that an event brings beyond what the scribe expects, shrunk; those of about a standard error or more
    "i_weaponry": 1.3,
    "i_plague": 1.2,
    "i_masonry": -0.9,
    "i_caravans": -1.2,
    "k_gojoseon": 1.4,
    "i_siegecraft": -1.1,
    "k_tibet": -1.5,
    "k_maya": 2.0,
    "i_renaissance": 1.0,
    "k_swedes": 1.2,
    "i_revolution": 2.8,
    "i_industry": -1.3,
    "i_ironclads": -1.0,
}
LEARNED: Final = Weights(  # where the effect was about its standard error or more; the rest are the scribe's
    now=(0.0, 0.1, 0.7, 0.9, 0.9, 1.0),
    later=(0.0, 1.5, 1.6, 1.4, 0.9, 0.0),
    rival=0.28,
    late=1.2,
    spared=0.68,
    draft_army=2.7,
    draft_bonus=1.3,
    draft_shares=(0.0, 0.0, 0.1, 0.3, 0.5, 0.5),
    draft_kingdom=2.5,
    draft_events=tuple([EVENT_BONUS.get(event.name, 0.0) for event in EVENTS]),
    held=1.5,
)


class Master(Scribe):
    """The answer of a player who thinks the draft through."""

    def __init__(
        self, state: State, seat: int, rng: Rng, steps: int = STEPS_LOOKED_AT, weights: Weights = LEARNED, turns: int = TURNS
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
