"""The scribe of History of the World: plans its conquests, judges the map for this epoch and later ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Choice
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
    Fort,
    Give,
    Play,
    Take,
)
from games.history_of_the_world.apprentice import reason_of
from games.history_of_the_world.components import EMPIRES_BY_EPOCH, EPOCHS, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.drafting import IN_CONQUEST, Drafter, play_gain
from games.history_of_the_world.evaluation import DEFAULT, GROUP_RULES, GROUPS, Map, Outlook, Weights, map_of
from games.history_of_the_world.search import NARROW, STEPS_LOOKED_AT, Planner, SiegeLine, worth_of
from games.history_of_the_world.state import (
    COLLISION,
    CONQUEST,
    DRAFT,
    EFFECT,
    PASSING,
    PREPARE,
    REROLLING,
    SIEGE,
    State,
    icons_in,
)
from games.history_of_the_world.state import (
    FINISH as FINISHING,
)

Reason = tuple[str, float, str | None]
LEAST_SAID: Final = 0.3  # points from which a group is mentioned
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

    def __init__(self, state: State, seat: int, steps: int = STEPS_LOOKED_AT, weights: Weights = DEFAULT) -> None:
        self.state = state
        self.seat = seat
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

    def answer(self, action: Action, worth: float, end: Map | None = None) -> Choice[Action]:
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
        return Choice(action, tuple(reasons))

    # cards

    def take(self, acts: Sequence[Action]) -> Choice[Action]:
        """Take the card that brings most; if both piles are there, look at the empires first."""
        if acts[0].verb == "look":
            return self.answer(LOOKS["empires"], 0.0)
        worth, _, best = max([(self.card_worth(action), -at, action) for at, action in enumerate(acts) if isinstance(action, Take)])
        return self.answer(best, worth)

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
            return self.answer(KEEP, above)
        gives = [action for action in acts if isinstance(action, Give)]
        sign = 1 if above < 0 else -1
        best: Action = max(gives, key=lambda action: sign * state.scores[action.seat]) if gives else KEEP
        return self.answer(best, above)

    def move_marker(self) -> Choice[Action]:
        """Go down if an earlier choice among the next epoch's empires is worth more than the points (score-6, draft-1)."""
        state, seat = self.state, self.seat
        up, down = turns.free_space(state, 1), turns.free_space(state, -1)
        others = [score for other, score in enumerate(state.scores) if other != seat]
        places = sum(score < up for score in others) - sum(score < down for score in others)
        gain = places * self.weights.place - (up - down) if state.epoch < EPOCHS else -1.0
        return self.answer(DOWN, gain) if gain > 0 else self.answer(UP, float(up - state.scores[seat]))

    # the turn

    def prepare(self, acts: Sequence[Action]) -> Choice[Action]:
        """Play a kingdom that gains anything; improvements wait until the empire is founded."""
        if KINGDOM in acts:
            worth = self.drafter.kingdom_worth(turns.kingdom_in_hand(self.state, self.seat))
            if worth > 0:
                return self.answer(KINGDOM, worth)
        return self.answer(FOUND, 0.0)

    def conquer(self, acts: Sequence[Action]) -> Choice[Action]:
        """Play cards that pay, follow the best plan, build forts with leftover armies."""
        state = self.state
        planner = Planner(state, self.outlook, self.steps)
        plan = planner.plan()
        plays = [action for action in acts if isinstance(action, Play) and EVENTS[action.card].effect in IN_CONQUEST]
        if plays:
            narrow = Planner(state, self.outlook, self.steps).plan(NARROW).worth
            for action in plays:
                gain = play_gain(state, self.outlook, action, narrow, self.steps)
                if gain >= self.held(action):
                    return self.answer(action, gain)
        if plan.first is not None:
            return self.answer(plan.first, plan.worth, plan.end)
        forts = [(self.fort_gain(action.province), -at, action) for at, action in enumerate(acts) if isinstance(action, Fort)]
        if forts and max(forts)[0] >= FORT_WORTH:
            return self.answer(max(forts)[2], max(forts)[0])
        return self.answer(FINISH, 0.0)

    def held(self, action: Play) -> float:
        """Return what a card must bring to be played now; in the last epoch there is nothing to save it for (events-2)."""
        left = (EPOCHS - self.state.epoch) / (EPOCHS - 1)
        return 0.01 + HELD[EVENTS[action.card].effect] * left

    def fort_gain(self, province: int) -> float:
        """Return what a fort in a province saves."""
        before = map_of(self.state)
        return Planner(self.state, self.outlook, 0).change(before, before._replace(forts=before.forts | 1 << province), province)

    def besiege(self, acts: Sequence[Action]) -> Choice[Action]:
        """Go on with a siege while that is worth more than retreating."""
        siege = SiegeLine(self.state, self.outlook)
        stay, leave = siege.going_on(self.state.catapult, self.state.card_armies, self.state.tokens), siege.retreat()
        if stay > leave:
            return self.answer(SIEGES["token"] if SIEGES["token"] in acts else SIEGES["army"], stay - leave)
        return self.answer(RETREAT, leave - stay)

    # everything else: the answer that leads to the best position

    def best(self, acts: Sequence[Action]) -> Choice[Action]:
        """Return the answer that leads to the best position; a card is played only if it brings what it must."""
        start = self.worth(self.state)
        found: list[tuple[float, int, Action]] = []
        for at, action in enumerate(acts):
            if isinstance(action, Play):
                if EVENTS[action.card].effect not in IN_CONQUEST:
                    gain = self.card_gain(action, start)
                    found.append((gain if gain >= self.held(action) else -1.0, -at, action))
            elif action is DONE and self.state.phase != EFFECT:
                found.append((0.0, -at, action))
            else:
                found.append((self.worth(rules.apply(self.state, self.seat, action)[0]) - start, -at, action))
        worth, _, best = max(found)
        return self.answer(best, worth)

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
