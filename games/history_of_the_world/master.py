"""The master of History of the World: a scribe that judges where its turn and its choice of an empire lead by a learned value.

The value is the lead to expect at the end of the game, seen at the end of a turn (`features`, `learner`). The master weighs the ends of its
best plans by it. What an empire brings depends on the others of the epoch and their order, so it sketches the rest of the epoch for each
empire that it could take, and judges the ends. The best empires are then played on with dice (`playouts`), and so are the best targets of
cards and what is left to do after the conquest. Events have learned worths. Figures are in docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.net import Net
from games.history_of_the_world import turns
from games.history_of_the_world.actions import Action, Conquer, Take
from games.history_of_the_world.components import EVENTS, load
from games.history_of_the_world.evaluation import RULE, Weights
from games.history_of_the_world.features import Forecast, features
from games.history_of_the_world.playouts import Playouts, gain_of
from games.history_of_the_world.scribe import MOST_SAID, Reason, Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT, Line, Plan, Planner
from games.history_of_the_world.sketch import Sketcher, put
from games.history_of_the_world.state import AFTER, EFFECT, NO_CARD, SCORING, State, provinces_in

TURNS: Final = 160  # sketched for a choice
TURNS_PER_S: Final = 150  # that a slow machine sketches; converts a budget into a number of them
PRIOR: Final = 0.25  # weight of a scribe's judgement of an empire
NEAR_LEAD: Final = 0.2
WIDE: Final = 8  # plans followed at each depth
KEPT: Final = 16  # plans whose ends are weighed
BY_HAND: Final = 0.2  # what a point of the scribe's worth counts beside a point of the learned lead
EVENT_SHARE: Final = 0.5  # of what the scribe expects of an event that shows in the final lead
PLAYED_ON: Final = (EFFECT, AFTER)  # phases whose answers are played on to the end of the turn
ANSWERS: Final = 4  # of them at most
PLAYOUTS: Final = 8  # of each of them at most
ENDS_PER_S: Final = 40  # playouts to the end of a turn in a second at least, without compiled engines
CLEAR: Final = 0.1  # by how much an answer must be surely better than the usual one
CARDS: Final = 3  # empires that are played on at most
APART: Final = 6.0  # points by which they may look worse than the best one before
EPOCHS_PLAYED: Final = 4  # playouts of each of them at most
WHOLE_TURNS_PER_S: Final = 60  # whole turns in them, likewise
SKETCHED: Final = 0.33  # what sketches of an empire count beside its playouts, of 1
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
        self,
        state: State,
        seat: int,
        rng: Rng,
        net: Net,
        steps: int = STEPS_LOOKED_AT,
        weights: Weights = LEARNED,
        count: int = TURNS,
        deal: Callable[[Rng], State] | None = None,
        budget_s: float | None = None,
    ) -> None:
        super().__init__(state, seat, rng, steps, weights)
        self.net = net
        self.count = count
        self.playouts = None if deal is None else Playouts(deal, seat, net, weights, rng)
        self.budget_s = budget_s
        self.gains: dict[Conquer, float] = {}  # by first step: what the learned value says of the best plan that it starts

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        choice = super().choose(legal)
        if self.playouts is None or self.state.phase not in PLAYED_ON or self.state.active != self.seat:
            return choice
        return self.played_on(choice, self.playouts)

    def played_on(self, choice: Choice[Action], playouts: Playouts) -> Choice[Action]:
        """Return another answer if one is surely better at the end of the turn, else the same."""
        usual = choice.action
        answers = [usual, *[action for action, _ in choice.ranked if action != usual][: ANSWERS - 1]]
        most = self.most(PLAYOUTS, ENDS_PER_S, len(answers))
        if len(answers) < 2 or most < 2:
            return choice
        rows = playouts.results(answers, most)
        gains = [gain_of(row, rows[0]) for row in rows]
        sure = [0.0, *[mean - error - CLEAR for mean, error in gains[1:]]]
        best = sure.index(max(sure))
        if not best:
            return choice
        worths = dict(choice.ranked)
        top = worths.get(usual, 0.0)
        for action, worth in zip(answers, sure, strict=True):
            worths[action] = top + worth
        reasons: tuple[Reason, ...] = (("played", round(gains[best][0], 1), RULE + "end-1"),)
        return replace(choice, action=answers[best], reasons=reasons, ranked=tuple(sorted(worths.items(), key=lambda pair: -pair[1])))

    def most(self, count: int, per_s: int, at_once: int) -> int:
        """Return how often `at_once` turns are played: `count` times, or what the budget allows at so many a second."""
        return count if self.budget_s is None else min(count, int(self.budget_s * per_s / at_once))

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
        by_hand = [PRIOR * self.drafter.empire_worth(card) for card in cards]
        if self.playouts is not None:
            leads, by_hand = self.tried(takes, leads, by_hand, self.playouts)
        worths = [lead + worth for lead, worth in zip(leads, by_hand, strict=True)]
        usual = sum(worths) / len(worths)
        worths = [worth - usual for worth in worths]
        best = near(worths, NEAR_LEAD, self.rng)
        lead = leads[best] - sum(leads) / len(leads)
        return self.chosen(takes, worths, best, first=[("lead", round(lead, 1), RULE + "draft-1")])

    def tried(self, takes: Sequence[Take], leads: list[float], by_hand: list[float], playouts: Playouts) -> tuple[list[float], list[float]]:
        """Return the leads of empires once the best have been played on, the others as far behind, and what the scribe's judgement adds."""
        order = sorted(range(len(takes)), key=lambda at: -leads[at] - by_hand[at])
        best = order[0]
        kept = [at for at in order if leads[best] + by_hand[best] - leads[at] - by_hand[at] < APART][:CARDS]
        most = self.most(EPOCHS_PLAYED, WHOLE_TURNS_PER_S, len(kept) * self.state.seats)
        if len(kept) < 2 or most < 2:
            return leads, by_hand
        rows = playouts.results([takes[at] for at in kept], most, is_whole=True)
        usual = sum(rows[0]) / len(rows[0])
        played = dict(zip(kept, [usual + gain_of(row, rows[0])[0] for row in rows], strict=True))
        moved = max(played.values()) - leads[best]
        found = [SKETCHED * lead + (1 - SKETCHED) * played.get(at, lead + moved) for at, lead in enumerate(leads)]
        return found, [SKETCHED * worth for worth in by_hand]

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
