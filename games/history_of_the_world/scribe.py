"""The scribe of History of the World: plans its conquests, judges the map for this epoch and later ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.history_of_the_world import battles, legality, rules, turns
from games.history_of_the_world.actions import (
    DONE,
    DOWN,
    FINISH,
    FOUND,
    KEEP,
    KINGDOM,
    LOOKS,
    PASS,
    REROLL,
    RETREAT,
    SIEGES,
    UP,
    Action,
    Conquer,
    Fort,
    Give,
    Play,
    Take,
)
from games.history_of_the_world.apprentice import passing_reason, reason_of
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EPOCHS, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.drafting import IN_CONQUEST, TERMS, Drafter, play_gain
from games.history_of_the_world.evaluation import DEFAULT, GROUP_RULES, GROUPS, Map, Outlook, Weights, map_of
from games.history_of_the_world.search import NARROW, STEPS_LOOKED_AT, Line, Plan, Planner, SiegeLine, worth_of
from games.history_of_the_world.state import (
    COLLISION,
    CONQUEST,
    DRAFT,
    EFFECT,
    PASSING,
    PREPARE,
    REROLLING,
    SCORING,
    SIEGE,
    State,
    icons_in,
)
from games.history_of_the_world.state import (
    FINISH as FINISHING,
)

Reason = tuple[str, float, str | None]
MOST_SAID: Final = 5  # reasons for an answer
LEAST_SAID: Final = 0.3  # points from which a group is mentioned
NEAR_CARD: Final = 0.2  # cards and plans that differ by less than this are as good as equal, and the table's generator decides
NEAR_PLAN: Final = 0.02
NEAR_FORT: Final = 0.005
PLACE: Final = (0.0, 2.4, 2.1, 2.2, 1.9, 0.0)  # points that choosing an empire one place earlier next time brings, by epoch
FORT_WORTH: Final = 0.03  # least gain for which a leftover army becomes a fort
HELD: Final = {  # points that a card must bring before the last epoch, since it could be kept for a better turn
    "gain_armies": 3.0,
    "battle_bonus": 2.5,
    "win_ties": 2.5,
    "reroll_attack": 2.5,
    "gain_siege_tokens": 2.0,
    "ignore_defence": 1.5,
    "add_zone": 1.5,
    "replace_army": 3.0,
    "remove_army": 2.0,
    "ruin": 1.5,
    "build_forts": 0.3,
    "build_cities": 1.0,
    "extra_monument": 1.0,
    "monument_ratio": 2.0,
    "points_for_icons": 1.5,
}


class Scribe:
    """The answer of a player who considers everything that can be seen."""

    near_plan = NEAR_PLAN

    def __init__(self, state: State, seat: int, rng: Rng, steps: int = STEPS_LOOKED_AT, weights: Weights = DEFAULT) -> None:
        self.state = state
        self.seat = seat
        self.rng = rng
        self.weights = weights
        self.steps = steps
        self.outlook = Outlook(state, seat, weights=weights)
        self.drafter = Drafter(state, self.outlook, steps)

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        """Return the answer and what was weighed."""
        acts = [action for action in legal if action.verb not in ("guard", "ability")]
        phase = self.state.phase
        if phase == DRAFT:
            return self.take(acts)
        if phase == PASSING:
            return self.keep_or_give(acts)
        if phase == PREPARE:
            return self.prepare(acts)
        if phase == CONQUEST:
            return self.conquer(acts)
        if phase == REROLLING:
            attack, defence = battles.strengths(self.state)
            is_behind = attack <= defence if self.seat == self.state.active else attack > defence
            return self.answer(REROLL if is_behind else PASS, 1.0)
        if phase == SIEGE:
            return self.besiege(acts)
        if phase == COLLISION:
            return self.move_marker()
        return self.best(acts)

    def answer(self, action: Action, worth: float, end: Map | None = None, ranked: Sequence[tuple[Action, float]] = ()) -> Choice[Action]:
        """Return an answer with its worth, and what it changes in the evaluation's groups if its outcome is known."""
        reasons: list[Reason] = [reason_of(action, worth)]
        if end is not None:
            before, after = self.outlook.terms(map_of(self.state)), self.outlook.terms(end)
            found: list[Reason] = [
                (key, round(now - then, 1), rule)
                for key, then, now, rule in zip(GROUPS, before, after, GROUP_RULES, strict=True)
                if abs(now - then) >= LEAST_SAID
            ]
            reasons += sorted(found, key=lambda reason: -abs(reason[1]))
        return Choice(action, tuple(reasons), tuple(sorted(ranked, key=lambda pair: -pair[1])))

    def passed(self, action: Action, above: float) -> Choice[Action]:
        """Return what happens to a drawn card that is worth so much more than the usual one."""
        return Choice(action, (passing_reason(action, above),))

    # cards

    def take(self, acts: Sequence[Action]) -> Choice[Action]:
        """Take the card that brings most; if both piles are there, look at the empires first."""
        if acts[0].verb == "look":
            return self.answer(LOOKS["empires"], 0.0)
        takes = [action for action in acts if isinstance(action, Take)]
        worths = [self.card_worth(action) for action in takes]
        best = near(worths, NEAR_CARD, self.rng)
        return self.chosen(takes, worths, best)

    def chosen(self, takes: Sequence[Take], worths: Sequence[float], best: int, first: Sequence[Reason] = ()) -> Choice[Action]:
        """Return the choice of a card, with what an empire brings more or less than the other cards on average."""
        choice = self.answer(takes[best], worths[best], ranked=list(zip(takes, worths, strict=True)))
        reasons = [*first, ("draft", *choice.reasons[0][1:])]  # not by the card alone
        if not takes[best].is_event:
            terms = [self.drafter.empire_terms(action.card) for action in takes]
            for at, (key, rule) in enumerate(TERMS):
                usual = sum([row[at] for row in terms]) / len(terms)
                if abs(terms[best][at] - usual) >= LEAST_SAID:
                    reasons.append((key, round(terms[best][at] - usual, 1), rule))
        kept = len(first) + 1
        reasons[kept:] = sorted(reasons[kept:], key=lambda reason: -abs(reason[1]))
        return replace(choice, reasons=tuple(reasons[:MOST_SAID]))

    def card_worth(self, action: Take) -> float:
        return self.drafter.event_worth(action.card) if action.is_event else self.drafter.empire_worth(action.card)

    def keep_or_give(self, acts: Sequence[Action]) -> Choice[Action]:
        """Keep a card better than the epoch's usual one; otherwise a worse one goes to the leader, a better one to the last."""
        state = self.state
        is_event = state.step < state.seats
        worth_of_card = self.drafter.event_worth if is_event else self.drafter.empire_worth
        pool = (EVENTS_BY_EPOCH if is_event else EMPIRES_BY_EPOCH)[state.epoch]
        above = worth_of_card(state.chosen) - sum([worth_of_card(card) for card in pool]) / len(pool)
        if KEEP in acts and above >= 0:
            return self.passed(KEEP, above)
        gives = [action for action in acts if isinstance(action, Give)]
        sign = 1 if above < 0 else -1
        best: Action = max(gives, key=lambda action: sign * state.scores[action.seat]) if gives else KEEP
        return self.passed(best, above)

    def move_marker(self) -> Choice[Action]:
        """Go down if an earlier choice among the next epoch's empires is worth more than the points (score-6, draft-1)."""
        state, seat = self.state, self.seat
        up, down = turns.free_space(state, 1), turns.free_space(state, -1)
        done = [
            other for other, empire in enumerate(state.empires) if other != seat and empire >= 0 and EMPIRES[empire].order <= state.called
        ]
        places = sum(down < state.scores[other] < up for other in done)  # the others will still move on
        gain = places * PLACE[state.epoch] * self.weights.place - (up - down) if state.resume == SCORING else -1.0
        ranked: list[tuple[Action, float]] = [(DOWN, gain), (UP, 0.0)]
        return self.answer(DOWN, gain, ranked=ranked) if gain > 0 else self.answer(UP, float(up - state.scores[seat]), ranked=ranked)

    # the turn

    def prepare(self, acts: Sequence[Action]) -> Choice[Action]:
        """Play a kingdom that gains anything; improvements wait until the empire is founded."""
        if KINGDOM in acts:
            worth = self.drafter.kingdom_worth(turns.kingdom_in_hand(self.state, self.seat))
            ranked = [(KINGDOM, worth), (FOUND, 0.0)]
            return self.answer(KINGDOM, worth, ranked=ranked) if worth > 0 else self.answer(FOUND, 0.0, ranked=ranked)
        return self.answer(FOUND, 0.0)

    def conquer(self, acts: Sequence[Action]) -> Choice[Action]:
        """Play cards that pay, follow the best plan, build forts with leftover armies."""
        state = self.state
        planner = Planner(state, self.outlook, self.steps)
        plan = self.plan(planner)
        lines = self.weighed(planner, plan)
        ranked: list[tuple[Action, float]] = [(FINISH, 0.0), *[(move, worth) for move, worth, _ in lines]]
        plays = [action for action in acts if isinstance(action, Play) and EVENTS[action.card].effect in IN_CONQUEST]
        if plays:
            narrow = Planner(state, self.outlook, self.steps).plan(NARROW).worth
            usual = max([0.0, *[worth for _, worth, _ in lines]])
            for action in plays:
                gain = play_gain(state, self.outlook, action, narrow, self.steps)
                extra = gain - self.held(action)
                ranked.append((action, usual + extra))
                if extra >= 0:
                    return self.answer(action, gain, ranked=ranked)
        forts = [(self.fort_gain(action.province), action) for action in acts if isinstance(action, Fort)]
        ranked += [(action, gain - FORT_WORTH) for gain, action in forts]
        if plan.first is not None:
            good = [line for line in lines if line[1] > 0]
            move, worth, active = good[near([line[1] for line in good], self.near_plan, self.rng)]
            choice = self.answer(move, worth, plan.map_after(active), ranked)
            return replace(choice, reasons=self.plan_reasons(move, active, choice.reasons))
        if forts and max([gain for gain, _ in forts]) >= FORT_WORTH:
            gain, fort = forts[near([gain for gain, _ in forts], NEAR_FORT, self.rng)]
            return self.answer(fort, gain, ranked=ranked)
        return self.answer(FINISH, 0.0, ranked=ranked)

    def plan(self, planner: Planner) -> Plan:
        """Return the plan of a conquest."""
        return planner.plan()

    def weighed(self, planner: Planner, plan: Plan) -> Sequence[Line]:
        """Return the first steps of a plan with what they are worth, one of them more than nothing if the plan has a first step."""
        return plan.lines

    def plan_reasons(self, move: Conquer, active: int, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        """Return the reasons for a conquest as those for the plan that it starts, with what the icons of the plan's armies are worth."""
        first, *groups = reasons
        if (active & ~self.state.active_armies).bit_count() > 1:
            first = ("plan", *first[1:])
        planner = Planner(self.state, self.outlook, 0)
        icons = planner.icons(active) - planner.icons(self.state.active_armies)
        if abs(icons) >= LEAST_SAID:
            groups.append(("icons", round(icons, 1), "history_of_the_world#monuments-1"))
        return (first, *sorted(groups, key=lambda reason: -abs(reason[1])))

    def held(self, action: Play) -> float:
        """Return what a card must bring to be played now; in the last epoch there is nothing to save it for (events-2)."""
        left = (EPOCHS - self.state.epoch) / (EPOCHS - 1)
        return 0.01 + HELD[EVENTS[action.card].effect] * left * self.weights.held

    def fort_gain(self, province: int) -> float:
        """Return what a fort in a province saves."""
        before = map_of(self.state)
        return Planner(self.state, self.outlook, 0).change(before, before._replace(forts=before.forts | 1 << province), province)

    def besiege(self, acts: Sequence[Action]) -> Choice[Action]:
        """Go on with a siege while that is worth more than retreating."""
        line = SiegeLine(self.state, self.outlook)
        stay, leave = line.going_on(self.state.catapult, self.state.card_armies, self.state.tokens), line.retreat()
        siege_on = SIEGES["token"] if SIEGES["token"] in acts else SIEGES["army"]
        ranked: list[tuple[Action, float]] = [(siege_on, stay - leave), (RETREAT, 0.0)]
        return self.answer(siege_on, stay - leave, ranked=ranked) if stay > leave else self.answer(RETREAT, leave - stay, ranked=ranked)

    # everything else: the answer that leads to the best position

    def best(self, acts: Sequence[Action]) -> Choice[Action]:
        """Return the answer that leads to the best position; a card is played only if it brings what it must."""
        start = self.worth(self.state)
        found: list[tuple[Action, float]] = []
        for action in acts:
            if isinstance(action, Play):
                if EVENTS[action.card].effect not in IN_CONQUEST:
                    gain = self.card_gain(action, start)
                    found.append((action, gain if gain >= self.held(action) else min(-1.0, gain - self.held(action))))
            elif action is DONE and self.state.phase != EFFECT:
                found.append((action, 0.0))
            else:
                found.append((action, self.worth(rules.apply(self.state, self.seat, action)[0]) - start))
        best, worth = found[near([worth for _, worth in found], self.near_plan, self.rng)]
        return self.answer(best, worth, ranked=found)

    def worth(self, state: State) -> float:
        """Return what a position in the seat's own turn is worth, with the rest of its conquest planned."""
        if state.phase == CONQUEST or state.zones != self.state.zones:
            return worth_of(state, self.outlook, NARROW)
        standing = map_of(state)
        return self.outlook.value(standing) + Planner(state, self.outlook, 0).icons(standing.active)

    def card_gain(self, action: Play, start: float) -> float:
        """Return what a card with an immediate effect brings, its targets chosen one by one."""
        event = EVENTS[action.card]
        if event.effect == "points_for_icons":
            if self.state.phase != FINISHING:
                return -1.0
            return float(min(event.params["max"], icons_in(self.state.active_armies) // event.params["per"]))
        new, _ = rules.apply(self.state, self.seat, action)
        while new.phase == EFFECT:
            acts = [other for other in legality.legal_actions(new, self.seat) if other is not DONE]
            new = max([rules.apply(new, self.seat, other)[0] for other in acts], key=self.worth)
        return self.worth(new) - start
