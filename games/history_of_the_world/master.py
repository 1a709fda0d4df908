"""The master of History of the World: a scribe that judges where its turn and its choice of an empire lead by a learned value.

The value is the lead to expect at the end of the game, seen at the end of a turn (`features`, `learner`). The master weighs the ends of its
best plans by it. What an empire brings depends on the others of the epoch and their order, so it sketches the rest of the epoch for each
empire that it could take, and judges the ends. Events have learned worths. Figures are in docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.net import Net
from games.history_of_the_world import turns
from games.history_of_the_world.actions import Action, Conquer, Take
from games.history_of_the_world.components import EVENTS, load
from games.history_of_the_world.evaluation import RULE, Weights
from games.history_of_the_world.features import Forecast, features
from games.history_of_the_world.scribe import MOST_SAID, Reason, Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT, Line, Plan, Planner
from games.history_of_the_world.sketch import Sketcher, put
from games.history_of_the_world.state import NO_CARD, SCORING, State, provinces_in

TURNS: Final = 160  # sketched for a choice
TURNS_PER_S: Final = 150  # that a slow machine sketches; converts a budget into a number of them
PRIOR: Final = 0.25  # weight of a scribe's judgement of an empire
NEAR_LEAD: Final = 0.2
WIDE: Final = 8  # plans followed at each depth
KEPT: Final = 16  # plans whose ends are weighed
BY_HAND: Final = 0.2  # what a point of the scribe's worth counts beside a point of the learned lead
EVENT_SHARE: Final = 0.5  # of what the scribe expects of an event that shows in the final lead
# Points that an event brings beyond that share, compared with the others of its epoch: a regression (`event_worths`, docs/bots.md).
EVENT_LEARNED: Final[dict[str, float]] = load("event_worths")
# Regressions of the final lead in games of scribes whose numbers and tastes for cards were varied at random (docs/bots.md).
LEARNED: Final = Weights(  # where the effect was about its standard error or more; the rest are the scribe's
    now=(0.0, 0.1, 0.7, 0.9, 0.9, 1.0),
    later=(0.0, 1.5, 1.6, 1.4, 0.9, 0.0),
    rival=0.28,
    late=1.2,
    spared=0.68,
    draft_army=2.7,
    draft_bonus=1.3,
    draft_shares=(0.0, 0.0, 0.1, 0.3, 0.5, 0.5),
    draft_event=EVENT_SHARE,
    draft_events=tuple([EVENT_LEARNED[event.name] for event in EVENTS]),
    held=1.5,
)


class Master(Scribe):
    """The answer of a player who thinks the draft through, and judges the end of a turn by a learned value."""

    def __init__(
        self, state: State, seat: int, rng: Rng, net: Net, steps: int = STEPS_LOOKED_AT, weights: Weights = LEARNED, count: int = TURNS
    ) -> None:
        super().__init__(state, seat, rng, steps, weights)
        self.net = net
        self.count = count
        self.gains: dict[Conquer, float] = {}  # by first step: what the learned value says of the best plan that it starts

    def take(self, acts: Sequence[Action]) -> Choice[Action]:
        """Take the empire after which the seat is furthest ahead at the end of the epoch."""
        if acts[0].verb == "look" or not self.count:
            return super().take(acts)
        takes = [action for action in acts if isinstance(action, Take)]
        if takes[0].is_event:
            return super().take(acts)
        cards = [action.card for action in takes]
        count = max(1, self.count // (len(cards) * self.state.seats))
        leads = Sketcher(self.state, self.seat, self.lead).leads(cards, count, self.rng)
        worths = [lead + PRIOR * self.drafter.empire_worth(card) for lead, card in zip(leads, cards, strict=True)]
        usual = sum(worths) / len(worths)
        worths = [worth - usual for worth in worths]
        best = near(worths, NEAR_LEAD, self.rng)
        lead = leads[best] - sum(leads) / len(leads)
        return self.chosen(takes, worths, best, first=[("lead", round(lead, 1), RULE + "draft-1")])

    def lead(self, state: State) -> float:
        """Return how far ahead the seat is likely to finish from the end of an epoch."""
        return self.net.value(features(state, self.seat))

    def plan(self, planner: Planner) -> Plan:
        return planner.plan(WIDE, KEPT)

    def weighed(self, planner: Planner, plan: Plan) -> Sequence[Line]:
        """Return the first steps of the plans kept, each by the best end that it leads to, compared with stopping here.

        An end is weighed by the learned value, and a little by hand.
        """
        ends = [end for end in plan.ends if end[1] > 0]
        if not ends or self.state.kingdom != NO_CARD:  # after a kingdom, the turn goes on with the empire
            return plan.lines
        forecast = Forecast(self.state, self.seat)
        active = [self.state.active_armies, *[end[2] for end in ends]]
        stopped, *margins = [
            float(margin) for margin in self.net.values([forecast.features(self.closed(planner, each)) for each in active])
        ]
        best: dict[Conquer, Line] = {}
        for margin, (move, by_hand, after) in zip(margins, ends, strict=True):
            worth = margin - stopped + BY_HAND * by_hand
            if move not in best or worth > best[move][1]:
                best[move] = move, worth, after
                self.gains[move] = margin - stopped
        lines = sorted(best.values(), key=lambda line: -line[1])
        if lines[0][1] > 0:
            return lines
        self.gains.clear()
        return plan.lines

    def plan_reasons(self, move: Conquer, active: int, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        """Return the reasons for a plan, with what the learned value makes of it."""
        first, *rest = super().plan_reasons(move, active, reasons)
        if move in self.gains:
            rest.insert(0, ("learned", round(self.gains[move], 1), RULE + "end-1"))
        return (first, *rest[: MOST_SAID - 1])

    def closed(self, planner: Planner, active: int) -> State:
        """Return the position at the end of the turn, before scoring, if a plan's armies stand there."""
        state = self.state.copy()
        put(state, planner.map_after(active))
        state.scores[self.seat] += round(planner.plundered(active))
        state.phase = SCORING
        for _ in range(turns.monument_count(state)):
            if sites := turns.monument_sites(state):
                state.monuments |= 1 << provinces_in(sites)[0]
        return state
