"""The apprentice of History of the World: a beginner who looks at one step and at the points of this turn.

It takes the empire with the most armies, conquers what scores now at fair odds, keeps up a siege while it has armies, plays cards
as soon as they can help, and ends its turn when nothing gains. It ignores the epochs to come, which of its armies will survive
until then, what the others will get, and that one province is the way to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Choice, Rng
from games.history_of_the_world import battles, scoring
from games.history_of_the_world.actions import KEEP, Action, Bring, Conquer, Fort, Give, OnProvince, Play, Siege, Start, Take, Target
from games.history_of_the_world.components import EMPIRES, EVENTS, ICONS, Realm
from games.history_of_the_world.odds import siege_for
from games.history_of_the_world.state import AFTER, CONQUEST, State, icons_in, owner_of
from games.history_of_the_world.state import FINISH as FINISHING

RULE: Final = "history_of_the_world#"
BLUR: Final = 2.5  # the most points by which a beginner misjudges a conquest
CARD_BLUR: Final = 3.0  # and a card
LASTING: Final = 0.4  # of any province, whatever it scores now
ICON: Final = 0.4
RISK: Final = 1.2  # of an army that may be lost
LOOT: Final = 0.5  # of a structure that a rival loses
GOOD_ODDS: Final = 0.5
ARMY: Final = 1.8  # of an army on a card
DISC: Final = 1.0
ABILITY: Final = 1.0
BUILDING: Final = {"capital": 3.0, "city": 1.5, "": 0.0}
EVENT_WORTH: Final = {  # of an improvement, by its effect
    "gain_armies": 4.0,
    "replace_army": 3.0,
    "battle_bonus": 2.5,
    "win_ties": 2.5,
    "reroll_attack": 2.5,
    "gain_siege_tokens": 2.5,
    "points_for_icons": 2.0,
    "build_cities": 2.0,
    "extra_monument": 1.5,
    "monument_ratio": 2.0,
    "ignore_defence": 1.5,
    "remove_army": 1.5,
    "ruin": 1.0,
    "build_forts": 1.0,
    "add_zone": 0.8,
}
AT_ONCE: Final = ("gain_armies", "battle_bonus", "win_ties", "reroll_attack", "gain_siege_tokens", "ignore_defence")

REASONS: Final = {  # verb -> (key, paragraph)
    "take": ("printed", "draft-1"),
    "look": ("look", "draft-3"),
    "keep": ("draft", "draft-8"),
    "give": ("give", "draft-8"),
    "kingdom": ("kingdom", "kingdom-1"),
    "found": ("found", "found-1"),
    "play": ("event", "events-1"),
    "guard": ("guard", "battle-7"),
    "bring": ("bring", "found-5"),
    "start": ("start", "found-6"),
    "conquer": ("conquest", "conquest-2"),
    "fort": ("fort", "forts-1"),
    "end": ("end", "conquest-3"),
    "reroll": ("reroll", "battle-6"),
    "pass": ("pass", "battle-6"),
    "siege": ("siege", "siege-1"),
    "retreat": ("retreat", "retreat-1"),
    "occupy": ("conquest", "battle-2"),
    "raid": ("raid", "abilities-2"),
    "ruin": ("ruin", "ruin-1"),
    "spare": ("spare", "abilities-2"),
    "post": ("fort", "abilities-2"),
    "skip": ("skip", "abilities-2"),
    "target": ("target", "events-1"),
    "zone": ("zone", "reach-1"),
    "city": ("city", "score-3"),
    "done": ("done", None),
    "ability": ("pass", "abilities-8"),
    "monument": ("monument", "monuments-2"),
    "up": ("up", "score-6"),
    "down": ("down", "draft-1"),
}


def reason_of(action: Action, worth: float) -> tuple[str, float, str | None]:
    """Return a reason named after what an action does."""
    key, rule = REASONS[action.verb]
    return key, round(worth, 1), None if rule is None else RULE + rule


def passing_reason(action: Action, above: float) -> tuple[str, float, str | None]:
    """Return why a drawn card is kept or given away, by how much it is worth more than the usual one."""
    key = "give" if above < 0 else "keep" if action is KEEP else "give_better"
    return key, round(above, 1), RULE + "draft-8"


def realm_worth(realm: Realm) -> float:
    """Return what an empire or a kingdom is worth by its card alone."""
    worth: float = (
        ARMY * realm.armies
        + BUILDING[realm.building]
        + DISC * realm.zones.bit_count()
        + ABILITY * (realm.effect != "none")
        + ICON * sum(ICONS[start] for start in realm.starts)
    )
    return worth


def event_worth(card: int) -> float:
    """Return what an event is worth by its card alone."""
    event = EVENTS[card]
    return realm_worth(event.realm) * 0.8 if event.realm is not None else EVENT_WORTH[event.effect]


def occupied(state: State, province: int) -> State:
    """Return the position after the active seat has taken a province, with what a battle ruins ruined; the card is ignored."""
    new = state.copy()
    owner, bit = owner_of(state, province), 1 << province
    if owner >= 0 and owner != state.active:
        new.armies[owner] &= ~bit
        battles.ruin(new, province, None)
        battles.remove_fort(new, province, None)
    new.armies[state.active] |= bit
    new.active_armies |= bit
    return new


class Apprentice:
    """A beginner's answer to every question."""

    def __init__(self, state: State, seat: int, rng: Rng) -> None:
        self.state = state
        self.seat = seat
        self.rng = rng
        self.now = self.points(state)

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        found = [(self.worth(action), -at, action) for at, action in enumerate(legal) if action.verb != "guard"]
        worth, _, best = max(found)
        ranked = tuple([(action, each) for each, _, action in sorted(found, reverse=True)])
        if best is KEEP or isinstance(best, Give):
            return Choice(best, (passing_reason(best, self.card_worth(KEEP)),), ranked)
        return Choice(best, (reason_of(best, worth),), ranked)

    def points(self, state: State) -> float:
        """Return what the map scores in this epoch, plus a little for every province and icon."""
        points = scoring.points_of(scoring.record_of(state, self.seat)) if state.epoch else 0
        return points + LASTING * state.armies[self.seat].bit_count() + ICON * icons_in(state.active_armies)

    def blur(self, most: float = BLUR) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * most

    def worth(self, action: Action) -> float:
        """Return how a beginner rates an answer."""
        verb, state = action.verb, self.state
        if verb in ("take", "keep", "give"):
            return self.card_worth(action)
        if isinstance(action, Conquer):
            return self.conquest_worth(action.province, action.by_fleet) + self.blur()
        if isinstance(action, Play):
            return self.play_worth(action)
        if isinstance(action, Siege):
            return self.siege_worth(action.piece == "token")
        if verb == "reroll":
            attack, defence = battles.strengths(state)
            return 1.0 if (attack <= defence if self.seat == state.active else attack > defence) else -1.0
        if isinstance(action, OnProvince):
            return self.place_worth(action)
        if verb == "zone":
            return -float(self.rng.below(1000, "bot")) / 1000
        return PLAIN_WORTH[verb]

    # cards

    def card_worth(self, action: Action) -> float:
        """Return the worth of a card to take; for a drawn card, compared with the usual one."""
        state = self.state
        if isinstance(action, Take):
            return (event_worth(action.card) if action.is_event else realm_worth(EMPIRES[action.card])) + self.blur(CARD_BLUR)
        is_event = state.step < state.seats
        worths = [event_worth(card) for card in range(len(EVENTS)) if EVENTS[card].epoch == state.epoch]
        if not is_event:
            worths = [realm_worth(realm) for realm in EMPIRES if realm.epoch == state.epoch]
        worth = event_worth(state.chosen) if is_event else realm_worth(EMPIRES[state.chosen])
        above = worth - sum(worths) / len(worths)
        if not isinstance(action, Give):
            return above
        return -above - 0.01 * (self.state.scores[action.seat] if above > 0 else -self.state.scores[action.seat])

    def play_worth(self, action: Play) -> float:
        """Return the worth of playing an improvement now: those for battles before conquest, the others when there is a target."""
        state = self.state
        effect = EVENTS[action.card].effect
        if effect in AT_ONCE:
            return 5.0 if state.phase == CONQUEST else -1.0
        if effect in ("replace_army", "remove_army", "ruin", "build_forts", "build_cities", "extra_monument", "monument_ratio"):
            if effect == "monument_ratio" and icons_in(state.active_armies) < 2:
                return -1.0
            return 2.0 if state.phase == AFTER else -1.0
        return 2.0 if effect == "points_for_icons" and state.phase == FINISHING and icons_in(state.active_armies) > 1 else -1.0

    # the map

    def conquest_worth(self, province: int, by_fleet: bool) -> float:
        """Return the points gained from a province, weighted by the odds, less the risk."""
        state = self.state
        owner = owner_of(state, province)
        if owner == self.seat:
            return 0.3 * float(ICONS[province]) - 0.6
        gain = self.points(occupied(state, province)) - self.now
        if owner < 0:
            return gain
        taken = siege_for(state, province, by_fleet).taken(0, min(1, state.card_armies - 1), min(1, state.tokens))
        structures = (state.capitals | state.cities | state.monuments) >> province & 1
        return (gain + LOOT * structures) * taken - RISK * (1 - taken)

    def siege_worth(self, by_token: bool) -> float:
        """Return whether to continue a siege: at fair odds, or with tokens, which are good for nothing else."""
        state = self.state
        armies, tokens = state.card_armies - (not by_token), state.tokens - by_token
        taken = siege_for(state, state.target, state.by_fleet).taken(state.catapult + 1, armies, tokens)
        gain = self.points(occupied(state, state.target)) - self.now
        if by_token:
            return max(0.1, gain * taken)
        return gain * taken - RISK * (1 - taken) if taken > GOOD_ODDS else -1.0

    def loss(self, province: int) -> float:
        """Return the points that a province's army brings."""
        new = self.state.copy()
        new.armies[self.seat] &= ~(1 << province)
        return self.now - self.points(new)

    def place_worth(self, action: OnProvince) -> float:
        """Return the worth of a province for the question asked: most where most is built."""
        state, province = self.state, action.province
        if isinstance(action, (Bring, Start)):
            return -self.loss(province) if isinstance(action, Bring) else float(ICONS[province])
        bit = 1 << province
        standing = 2 * bool(state.capitals & bit) + bool(state.cities & bit) + bool(state.monuments & bit)
        if isinstance(action, Fort):
            # a fort that costs an army is only for armies with no other use
            return (0.05 if state.phase == CONQUEST else 0.5) + 0.1 * standing if standing or state.phase != CONQUEST else -0.5
        if not isinstance(action, Target):
            return 0.5 + 0.2 * float(ICONS[province]) - 0.1 * (owner_of(state, province) != self.seat)
        owner = owner_of(state, province)
        if owner == self.seat:
            return -5.0
        effect = EVENTS[state.effect_card].effect
        if effect == "ruin":
            return float(standing) if owner >= 0 else 0.0
        if effect == "remove_army":
            new = state.copy()
            new.armies[owner] &= ~bit
            return self.points(new) - self.now + 0.01 * state.scores[owner]
        return self.points(occupied(state, province)) - self.now


PLAIN_WORTH: Final = {
    "look": 0.0,
    "kingdom": 9.0,
    "found": 0.0,
    "end": 0.0,
    "pass": 0.0,
    "retreat": 0.0,
    "occupy": 1.0,
    "raid": 0.0,
    "ruin": 0.0,
    "spare": 1.0,
    "post": 1.0,
    "skip": 0.0,
    "done": 0.0,
    "ability": -1.0,
    "up": 1.0,
    "down": 0.0,
}
