"""The bots of History of the World: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one step at a time, by the points of this turn
scribe      plans its conquests with `search`, judges the map for this epoch and later ones with `evaluation`

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence for a key is in the game's phrases under
"bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Choice, Rng
from games.history_of_the_world import battles, legality, rules, turns
from games.history_of_the_world.actions import (
    DONE,
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
from games.history_of_the_world.apprentice import Apprentice, reason_of
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EPOCHS, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.evaluation import DEFAULT, GROUP_RULES, GROUPS, Map, Outlook, Weights, map_of
from games.history_of_the_world.search import NARROW, STEPS_LOOKED_AT, Planner, SiegeLine, worth_of
from games.history_of_the_world.state import (
    COLLISION,
    CONQUEST,
    DRAFT,
    EFFECT,
    NO_CARD,
    PASSING,
    PREPARE,
    REROLLING,
    SIEGE,
    State,
    begin_turn_of,
    icons_in,
)
from games.history_of_the_world.state import (
    FINISH as FINISHING,
)
from games.history_of_the_world.view import View, known_state

Reason = tuple[str, float, str | None]
RULE: Final = "history_of_the_world#"

LEVELS: Final = ("random", "apprentice", "scribe")
STEPS_PER_S: Final = 20_000  # provinces that a slow machine tries in a second; converts a budget into a number of them
LEAST_SAID: Final = 0.3  # points from which a group is mentioned
FORT_WORTH: Final = 0.03  # least gain for which a leftover army becomes a fort
IN_CONQUEST: Final = ("gain_armies", "battle_bonus", "win_ties", "reroll_attack", "gain_siege_tokens", "ignore_defence", "add_zone")
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
EVENT_WORTH: Final = {  # of an improvement in the draft, in points
    "gain_armies": 3.0,  # for an army
    "battle_bonus": 4.5,
    "win_ties": 4.0,
    "reroll_attack": 4.5,
    "gain_siege_tokens": 3.5,
    "ignore_defence": 2.5,
    "add_zone": 2.0,
    "replace_army": 4.0,  # for an army
    "remove_army": 2.0,  # for an army
    "ruin": 1.5,
    "build_forts": 0.7,  # for a fort
    "build_cities": 2.0,
    "extra_monument": 2.0,
    "monument_ratio": 3.0,
    "points_for_icons": 2.5,
}
# An empire in the draft: a regression of the final lead over games with random drafts. Plans are guesses, armies are certain,
# and what one seat takes the others lack.
DRAFT_NOW: Final = (0.0, 0.0, 0.1, 0.3, 0.5, 0.7)  # share of the plan's points, by epoch; in the last one they are all that matters
DRAFT_LATER: Final = 0.5
DRAFT_ICONS: Final = 0.9
DRAFT_LOST: Final = 0.43  # share of what is lost before the turn
DRAFT_ARMY: Final = 2.0
EMPIRE_BONUS: Final = {  # half of what the regression leaves unexplained, if significant
    "minoans": 2.7,
    "zhou": 1.5,
    "hittites": -1.5,
    "vedics": -3.7,
    "han": 2.2,
    "celts": -1.5,
    "carthaginians": -1.2,
    "arabs": 2.7,
    "franks": 1.4,
    "turks": -2.2,
    "ottomans": -1.0,
    "spaniards": 1.1,
    "french": 1.5,
    "mughals": 2.0,
    "japanese": -2.2,
}
COUNTED: Final = ("gain_armies", "replace_army", "remove_army", "build_forts")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many provinces the scribe tries;
    no clock is read.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or not view.is_due:
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(state, view.seat, rng).choose(legal)
    steps = STEPS_LOOKED_AT if budget_s is None else min(STEPS_LOOKED_AT, int(budget_s * STEPS_PER_S))
    return Scribe(state, view.seat, steps).choose(legal)


class Scribe:
    """The answer of a player who considers everything that can be seen."""

    def __init__(self, state: State, seat: int, steps: int = STEPS_LOOKED_AT, weights: Weights = DEFAULT) -> None:
        self.state = state
        self.seat = seat
        self.weights = weights
        self.steps = steps
        self.outlook = Outlook(state, seat, weights=weights)

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
            return self.answer(UP, float(turns.free_space(self.state, 1) - self.state.scores[self.seat]))
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
        return self.event_worth(action.card) if action.is_event else self.empire_worth(action.card)

    def keep_or_give(self, acts: Sequence[Action]) -> Choice[Action]:
        """Keep a card better than the epoch's usual one; otherwise a worse one goes to the leader, a better one to the last."""
        state = self.state
        is_event = state.step < state.seats
        worth_of_card = self.event_worth if is_event else self.empire_worth
        pool = (EVENTS_BY_EPOCH if is_event else EMPIRES_BY_EPOCH)[state.epoch]
        above = worth_of_card(state.chosen) - sum([worth_of_card(card) for card in pool]) / len(pool)
        if KEEP in acts and above >= 0:
            return self.answer(KEEP, above)
        gives = [action for action in acts if isinstance(action, Give)]
        sign = 1 if above < 0 else -1
        best: Action = max(gives, key=lambda action: sign * state.scores[action.seat]) if gives else KEEP
        return self.answer(best, above)

    def founded(self, empire: int, kingdom: int = NO_CARD) -> State:
        """Return the position right after founding an empire or a kingdom on the current map."""
        new = self.state.copy()
        begin_turn_of(new, self.seat)
        new.empires[self.seat] = empire
        new.kingdom = kingdom
        new.hands[self.seat] = (EVENTS_BY_EPOCH[1][-1],)  # any card, so that the rules stop after the founding
        turns.found(new, None)
        return new

    def empire_worth(self, empire: int) -> float:
        """Return what an empire brings: its plan on the current map, what is lost to those that come first, its armies (turn-1)."""
        state, weights, realm = self.state, self.weights, EMPIRES[empire]
        outlook = Outlook(state, self.seat, realm.order, weights)
        standing = map_of(state)
        planner = Planner(self.founded(empire), outlook, self.steps)
        end = planner.plan(NARROW).end
        before, after = outlook.terms(standing), outlook.terms(end)
        return (
            DRAFT_NOW[state.epoch] * (after[0] - before[0])
            + DRAFT_LATER * (after[1] - before[1])
            + DRAFT_ICONS * planner.icons(end.active)
            - DRAFT_LOST * outlook.waited(standing, realm.order)
            + DRAFT_ARMY * realm.armies
            + EMPIRE_BONUS.get(realm.name, 0.0)
        )

    def event_worth(self, card: int) -> float:
        """Return what an event brings: for a kingdom by the map, for an improvement by its kind."""
        event = EVENTS[card]
        if event.realm is not None:
            return self.kingdom_worth(card)
        worth = EVENT_WORTH[event.effect]
        return worth * event.params.get("count", 1) if event.effect in COUNTED else worth

    def kingdom_worth(self, card: int) -> float:
        empire = self.state.empires[self.seat]
        new = self.founded(EMPIRES_BY_EPOCH[self.state.epoch][0] if empire == NO_CARD else empire, card)
        start = self.outlook.value(map_of(self.state))
        return (worth_of(new, self.outlook) if new.phase == CONQUEST else self.outlook.value(map_of(new))) - start

    # the turn

    def prepare(self, acts: Sequence[Action]) -> Choice[Action]:
        """Play a kingdom that gains anything; improvements wait until the empire is founded."""
        if KINGDOM in acts:
            worth = self.kingdom_worth(turns.kingdom_in_hand(self.state, self.seat))
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
                gain = self.play_gain(action, narrow)
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

    def play_gain(self, action: Play, base: float) -> float:
        """Return how much a card improves the best plan."""
        new, _ = rules.apply(self.state, self.seat, action)
        if new.phase == EFFECT:
            zones = [rules.apply(new, self.seat, zone)[0] for zone in legality.legal_actions(new, self.seat)]
        else:
            zones = [new]
        return max(Planner(state, self.outlook, self.steps).plan(NARROW).worth for state in zones) - base

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
