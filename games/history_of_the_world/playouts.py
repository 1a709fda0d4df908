"""Playing on: what an answer leads to, with dice and the cards that may be in hands and piles.

A choice in the seat's own turn is played on to the end of that turn, the choice of an empire to the end of the epoch. There the learned value
judges. Rivals are scribes, and so is the seat, with the master's numbers. All answers meet the same dealt cards and begin with the same dice.

Rules: history_of_the_world#turn-2, #battle-2, #draft-2, #turn-1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final

from games.core.comparing import gap_of, results
from games.core.contract import CHANCE, Choice, Rng
from games.core.net import Net
from games.core.rng import SeededRng
from games.history_of_the_world import legality, rules, turns
from games.history_of_the_world.actions import RETREAT, SIEGES, Action
from games.history_of_the_world.components import EMPIRES, EPOCHS, EVENTS
from games.history_of_the_world.evaluation import DEFAULT, Weights
from games.history_of_the_world.features import features
from games.history_of_the_world.learner import margin
from games.history_of_the_world.odds import siege_for
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import NARROW, Plan, Planner
from games.history_of_the_world.state import COLLISION, END, SCORING, State

STEPS: Final = 600  # provinces tried for a plan
EVEN: Final = 0.5  # chance of taking a province with all pieces left, from which a siege goes on
ROUND: Final = 4  # playouts of each answer between two looks at the means
SEEDS: Final = 1_000_000


class Hasty(Scribe):
    """A scribe that follows few plans, and sieges while its chance is even."""

    def plan(self, planner: Planner) -> Plan:
        return planner.plan(NARROW)

    def besiege(self, acts: Sequence[Action]) -> Choice[Action]:
        state = self.state
        siege_on = SIEGES["token"] if SIEGES["token"] in acts else SIEGES["army"]
        armies, tokens = (state.card_armies, state.tokens - 1) if state.tokens else (state.card_armies - 1, 0)
        chance = siege_for(state, state.target, state.by_fleet).taken(state.catapult + 1, armies, tokens)
        return Choice(siege_on if chance >= EVEN else RETREAT)


class Playouts:
    """Plays answers of one seat out. `deal` returns a full state that fits what the seat sees, a new one each time."""

    def __init__(self, deal: Callable[[Rng], State], seat: int, net: Net, weights: Weights, rng: Rng) -> None:
        self.deal = deal
        self.seat = seat
        self.net = net
        self.weights = weights
        self.rng = rng

    def results(self, answers: Sequence[Action], most: int, is_whole: bool = False) -> list[list[float]]:
        """Return the leads that each answer led to, in the same deals: at the end of the turn, or of the whole epoch.

        One that is clearly behind the best is left out early, so its row is shorter.
        """
        return results(
            len(answers),
            lambda at, dealt: self.play(answers[at], dealt[0].copy(), SeededRng(dealt[1]), is_whole),
            lambda: (self.deal(self.rng), self.rng.below(SEEDS, "bot")),
            most,
            ROUND,
        )

    def play(self, answer: Action, state: State, luck: Rng, is_whole: bool) -> float:
        """Return the lead to expect once the turn or the epoch is over; `state` is changed."""
        seat = self.seat
        rules.step(state, seat, answer, None)
        while True:
            phase = state.phase
            if phase == SCORING:
                if not is_whole or (state.epoch < EPOCHS and not is_anybody_left(state)):
                    # The value counts a kingdom in hand, but it comes before the empire or not at all.
                    state.hands[seat] = tuple([card for card in state.hands[seat] if EVENTS[card].realm is None])
                    return self.net.value(features(state, seat))
                turns.score_turn(state, None)
            elif phase == END:
                return margin(state, state, seat)
            elif phase > COLLISION:
                rules.step(state, CHANCE, rules.sample_chance(state, luck), None)
            else:
                due = legality.due_seats(state)[0]
                legal = legality.legal_actions(state, due)
                action = legal[0]
                if len(legal) > 1:
                    action = Hasty(state, due, luck, STEPS, self.weights if due == seat else DEFAULT).choose(legal).action
                rules.step(state, due, action, None)


def is_anybody_left(state: State) -> bool:
    """Return whether an empire of this epoch is still to be called."""
    return any(EMPIRES[empire].order > state.called for empire in state.empires if empire >= 0)


def gain_of(row: Sequence[float], usual: Sequence[float]) -> tuple[float, float]:
    """Return by how much an answer was better than the usual one in the playouts of both, and the standard error of that.

    >>> gain_of([3.0, 5.0], [1.0, 2.0])
    (2.5, 0.5)
    """
    n = min(len(row), len(usual))
    mean = gap_of(usual[:n], row)
    spread = sum([(value - other - mean) ** 2 for value, other in zip(row[:n], usual[:n], strict=True)]) / max(1, n - 1)
    return mean, sqrt(spread / n)
