"""What cards are worth in the draft of History of the World, in points of the final lead (history_of_the_world#draft)."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.history_of_the_world import legality, rules, turns
from games.history_of_the_world.actions import PLAYS, Play
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EPOCHS, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.evaluation import RULE, Outlook, map_of
from games.history_of_the_world.search import NARROW, Planner, worth_of
from games.history_of_the_world.state import CONQUEST, EFFECT, NO_CARD, State, begin_turn_of

IN_CONQUEST: Final = ("gain_armies", "battle_bonus", "win_ties", "reroll_attack", "gain_siege_tokens", "ignore_defence", "add_zone")
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
# An empire in the draft (here and in `Weights`): a regression of the final lead over games with random drafts. Plans are guesses, armies
# are certain, and what one seat takes the others lack.
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


class Prospects(NamedTuple):
    """What an empire promises, in points before they are weighed."""

    now: float  # of its plan: this turn
    later: float  # what remains of it
    icons: float
    lost: float  # what the seat is likely to lose before the empire is called
    armies: int
    order: int


TERMS: Final = (("armies", RULE + "found-1"), ("card_now", RULE + "score-1"), ("card_later", RULE + "tiles-2"), ("lost", RULE + "turn-1"))


class Drafter:
    """What cards are worth to one seat, from the position known to it."""

    def __init__(self, state: State, outlook: Outlook, steps: int) -> None:
        self.state = state
        self.outlook = outlook
        self.seat = outlook.seat
        self.weights = outlook.weights
        self.steps = steps
        self.found: dict[int, Prospects] = {}

    def founded(self, empire: int, kingdom: int = NO_CARD, card: int = EVENTS_BY_EPOCH[1][-1]) -> State:
        """Return the position right after founding an empire or a kingdom on the current map, with a card so that the rules stop there."""
        new = self.state.copy()
        begin_turn_of(new, self.seat)
        new.empires[self.seat] = empire
        new.kingdom = kingdom
        new.hands[self.seat] = (card,)
        turns.found(new, None)
        return new

    def prospects(self, empire: int) -> Prospects:
        """Return what an empire promises by a plan on the current map (turn-1)."""
        if empire in self.found:
            return self.found[empire]
        realm = EMPIRES[empire]
        outlook = Outlook(self.state, self.seat, realm.order, self.weights)
        standing = map_of(self.state)
        planner = Planner(self.founded(empire), outlook, self.steps)
        end = planner.plan(NARROW).end
        before, after = outlook.terms(standing), outlook.terms(end)
        icons, lost = planner.icons(end.active), outlook.waited(standing, realm.order)
        self.found[empire] = Prospects(after[0] - before[0], after[1] - before[1], icons, lost, realm.armies, realm.order)
        return self.found[empire]

    def empire_terms(self, empire: int) -> tuple[float, float, float, float, float]:
        """Return what an empire brings: its armies, its plan's points now, what lasts of them, what is lost before its turn, the rest."""
        weights, epoch = self.weights, self.state.epoch
        now, later, icons, lost, armies, order = self.prospects(empire)
        return (
            weights.draft_army * armies,
            weights.draft_shares[epoch] * weights.draft_now * now + weights.draft_icons * icons,
            weights.draft_later * later,
            -weights.draft_lost * lost,
            weights.draft_order * order + weights.draft_bonus * EMPIRE_BONUS.get(EMPIRES[empire].name, 0.0),
        )

    def empire_worth(self, empire: int) -> float:
        """Return what an empire brings in all."""
        return sum(self.empire_terms(empire))

    def event_worth(self, card: int) -> float:
        """Return what an event brings: for a kingdom by the map, for an improvement by its kind and by the plan that it improves."""
        learned = self.weights.draft_events[card] if self.weights.draft_events else 0.0
        worth = self.improvement_worth(card) if EVENTS[card].realm is None else self.kingdom_worth(card)
        return self.weights.draft_event * worth + learned

    def improvement_worth(self, card: int) -> float:
        """Return what an improvement brings: by its kind, or now if that is more."""
        event = EVENTS[card]
        worth = EVENT_WORTH[event.effect]
        if event.effect in COUNTED:
            worth *= event.params.get("count", 1)
        empire = self.state.empires[self.seat]
        if empire == NO_CARD or event.effect not in IN_CONQUEST:
            return worth
        gain = self.improvement(card, empire)
        share = (EPOCHS - self.state.epoch) / (EPOCHS - 1)
        return max(gain, self.weights.card_kept * share * worth)

    def improvement(self, card: int, empire: int) -> float:
        """Return by how much an improvement would raise the plan of the seat's empire on the current map."""
        outlook = Outlook(self.state, self.seat, EMPIRES[empire].order, self.weights)
        new = self.founded(empire, card=card)
        if new.phase != CONQUEST:
            return 0.0
        return play_gain(new, outlook, PLAYS[card], Planner(new, outlook, self.steps).plan(NARROW).worth, self.steps)

    def kingdom_worth(self, card: int) -> float:
        """Return what a kingdom brings on the current map."""
        empire = self.state.empires[self.seat]
        new = self.founded(EMPIRES_BY_EPOCH[self.state.epoch][0] if empire == NO_CARD else empire, card)
        start = self.outlook.value(map_of(self.state))
        return (worth_of(new, self.outlook) if new.phase == CONQUEST else self.outlook.value(map_of(new))) - start


def play_gain(state: State, outlook: Outlook, action: Play, base: float, steps: int) -> float:
    """Return how much a card improves the best plan, whose worth without it is `base`."""
    new, _ = rules.apply(state, outlook.seat, action)
    if new.phase == EFFECT:
        ends = [rules.apply(new, outlook.seat, zone)[0] for zone in legality.legal_actions(new, outlook.seat)]
    else:
        ends = [new]
    return max(Planner(end, outlook, steps).plan(NARROW).worth for end in ends) - base
