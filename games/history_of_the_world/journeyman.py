"""The journeyman of History of the World: someone who has played a few times.

It plans a whole turn and sees which of its provinces may score once more. But it chooses cards by what is printed on them, thinks neither of
the order of the empires nor of what rivals will get, and takes the first plan that looks good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.history_of_the_world import turns
from games.history_of_the_world.actions import KEEP, LOOKS, UP, Action, Give, Take
from games.history_of_the_world.apprentice import event_worth, realm_worth
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EVENTS_BY_EPOCH
from games.history_of_the_world.evaluation import Weights
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT
from games.history_of_the_world.state import State

WEIGHTS: Final = Weights(now=(1.0,) * 6, later=(0.6,) * 5 + (0.0,), rival=0.0)
NEAR_CARD: Final = 2.5  # cards and plans that differ by less than this look the same
NEAR_PLAN: Final = 0.5


class Journeyman(Scribe):
    """The answer of a newcomer to the club."""

    near_plan = NEAR_PLAN

    def __init__(self, state: State, seat: int, rng: Rng, steps: int = STEPS_LOOKED_AT, weights: Weights = WEIGHTS) -> None:
        super().__init__(state, seat, rng, steps, weights)

    def take(self, acts: Sequence[Action]) -> Choice[Action]:
        """Take one of the best cards by what is printed on them."""
        if acts[0].verb == "look":
            return self.answer(LOOKS["empires"], 0.0)
        takes = [action for action in acts if isinstance(action, Take)]
        worths = [event_worth(action.card) if action.is_event else realm_worth(EMPIRES[action.card]) for action in takes]
        best = near(worths, NEAR_CARD, self.rng)
        return self.answer(takes[best], worths[best], ranked=list(zip(takes, worths, strict=True)))

    def keep_or_give(self, acts: Sequence[Action]) -> Choice[Action]:
        """Keep a card better than the epoch's usual one; give any other to the leader."""
        state = self.state
        if state.step < state.seats:
            above = event_worth(state.chosen) - _mean([event_worth(card) for card in EVENTS_BY_EPOCH[state.epoch]])
        else:
            above = realm_worth(EMPIRES[state.chosen]) - _mean([realm_worth(EMPIRES[card]) for card in EMPIRES_BY_EPOCH[state.epoch]])
        gives = [action for action in acts if isinstance(action, Give)]
        if KEEP in acts and (above >= 0 or not gives):
            return self.passed(KEEP, above)
        return self.passed(max(gives, key=lambda action: state.scores[action.seat]), above)

    def move_marker(self) -> Choice[Action]:
        """Take every point."""
        return self.answer(UP, float(turns.free_space(self.state, 1) - self.state.scores[self.seat]))


def _mean(worths: Sequence[float]) -> float:
    return sum(worths) / len(worths)
