"""How the After the Flood scribe looks ahead: what it considers, what a step leads to, and the odds of a fight.

An action is several steps; each is judged by the position it leads to, after playing on through whatever must be decided right after it.
Dice are weighed by their odds, and a fight is followed to its end.

Rules: after_the_flood#act-2, #combat-1, #found-9
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import (
    ATTACK,
    BIDS,
    DONE,
    GARRISONS,
    HOMES,
    PASS,
    READY,
    ROLLS,
    STOP,
    Action,
    Destroy,
    Equip,
    Found,
    Grow,
    Pay,
    Place,
    Relocate,
    Scribe,
)
from games.after_the_flood.components import (
    AVAILABLE,
    BABYLON,
    ERIDU,
    FIRST_OTHER,
    KINDS,
    LAGASH,
    NEED_SUPERIOR,
    NIPPUR,
    SCRIBES,
    SEATS,
    SHURUPPAK,
    SIPPAR,
    SPOTS,
    TURNS,
    UMMA,
    UR,
    URUK,
    USED_TOOL_MAKERS,
    VALUES,
)
from games.after_the_flood.empires import needed
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.legality import AREAS_IN
from games.after_the_flood.rules import STEPS
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    EQUIPPING,
    GARRISONING,
    GROWING,
    HOMING,
    MUSTERING,
    NO_EMPIRE,
    PAYING,
    ROLLING,
    State,
    begin_action,
    cities_left,
    value_of,
)

HIT: Final = {NEED_SUPERIOR: 30 / 36, 7: 21 / 36}
BEST_ROLL: Final = ROLLS[-1]
WORST_ROLL: Final = ROLLS[0]
LEAST: Final = 0.05  # what a step must gain
LEAST_MOVE: Final = 1.0  # what moving a city must gain, so that it does not go back and forth
ORDER_WORTH: Final = (1.5, 0.7, 0.0)  # first, second, third place in the next turn's order of play
LAST_ORDER: Final = 0.1  # first place after the last turn, when it only breaks ties
REBUILDING: Final = 1.0  # what it costs to build where a city was destroyed: an action, and the chance that the army is driven out before
CITY_RANK: Final = {
    area: rank for rank, area in enumerate((UMMA, LAGASH, URUK, ERIDU, SHURUPPAK, SIPPAR, NIPPUR, BABYLON, UR))
}  # what to move
UNSEEN_BID: Final = 1  # the bid expected from a rival that has not passed yet
SECOND: Final = 0.6  # share of what the next action adds, because others act in between
STEPS_LOOKED_AT: Final = 400  # more than there ever are
PAYMENTS: Final = 2  # ways to pay that are considered
Weighed = tuple[float, Action]
Ranked = list[Weighed]  # steps with what they are worth compared with not taking them, best first; never empty


def follow(state: State, action: Action) -> State:
    """Return the position after a step."""
    new = state.copy()
    STEPS[type(action)](new, action, None)
    return new


def ordered(found: Ranked) -> Ranked:
    """Return steps with the best first; of equal ones, the one named first."""
    return sorted(found, key=lambda step: -step[0])


class Search:
    """Looks for the best step from a position of its seat."""

    def __init__(self, state: State, outlook: Outlook, steps: int = STEPS_LOOKED_AT) -> None:
        self.state = state
        self.outlook = outlook
        self.seat = outlook.seat
        self.most_steps = max(1, steps)
        self.width = int(outlook.weights.width)

    # what a step leads to

    def after(self, state: State, action: Action) -> float:
        """Return the worth of a step: that of the position after what follows at once."""
        new = follow(state, action)
        worth = self.settled(new)
        return max(worth, self.rebuilt(new, action.area)) if isinstance(action, Destroy) else worth

    def rebuilt(self, state: State, area: int) -> float:
        """Return the worth of a position after destruction once the seat has a city there: nobody else can build beside its army.

        A seat whose four cities are on the map moves one that has grown (build-3); without one, the position is worth nothing more.
        """
        new, seat = state.copy(), self.seat
        if not cities_left(new, seat):
            grown = AREAS_IN[new.cities[seat] & new.grown]
            if not grown:
                return self.outlook.value(state)
            moved = min(grown, key=lambda city: CITY_RANK[city])
            new.cities[seat] &= ~(1 << moved)
            new.grown &= ~(1 << moved)
        new.cities[seat] |= 1 << area
        outlook = self.outlook
        return outlook.value(new) - REBUILDING - (outlook.weights.city if outlook.left > 1 else 0.0)

    def settled(self, state: State) -> float:
        """Return the worth of a position, played on if it is in the middle of founding an empire or of a fight."""
        phase = state.phase
        if phase == ROLLING:
            return self.fight(state)
        if phase == GARRISONING and state.active == self.seat:
            return max([self.settled(follow(state, way)) for way in GARRISONS[: state.armies_available[self.seat]]])
        if phase == HOMING and state.active == self.seat:
            return max([self.settled(follow(state, home)) for home in HOMES])
        if phase in (MUSTERING, EQUIPPING) and state.active == self.seat:
            return self.settled(follow(state, READY))
        return self.outlook.value(state)

    def fight(self, state: State) -> float:
        """Return the expected worth of a fight whose dice are about to be rolled, choosing the better of going on and stopping after each."""
        known: dict[tuple[int, int], float] = {}
        odds = HIT[needed(state)]
        bit = 1 << state.target

        def worth(position: State) -> float:
            if position.phase not in (ROLLING, ATTACKING) or position.active != self.seat:
                return self.settled(position)
            key = (position.armies_available[self.seat], position.doubles & bit)
            if position.phase == ATTACKING:
                if key not in known:
                    known[key] = max(self.settled(follow(position, STOP)), worth(follow(position, ATTACK)))
                return known[key]
            key = (-key[0], key[1])
            if key not in known:
                known[key] = odds * worth(follow(position, BEST_ROLL)) + (1 - odds) * worth(follow(position, WORST_ROLL))
            return known[key]

        return worth(state)

    # what is considered

    def steps(self, state: State) -> list[Action]:
        """Return the steps worth considering: only some placements and scribe moves, all of the rest."""
        seat = self.seat
        found: list[Action] = []
        cheap = self.goods_by_price(state)
        places = self.places(state)
        sources = self.sources(state)
        for action in legality.legal_actions(state, seat):
            kind = type(action)
            if kind is Place:
                assert isinstance(action, Place)
                if action.place in places and action.good in cheap[action.count]:
                    found.append(action)
            elif kind is Scribe:
                assert isinstance(action, Scribe)
                if action.source in sources and (action.target in places or action.target == SCRIBES):
                    found.append(action)
            elif kind is Relocate:
                assert isinstance(action, Relocate)
                if state.grown >> action.source & 1:
                    found.append(action)
            elif action is not PASS and action is not DONE:
                found.append(action)
        if len(found) > self.most_steps:
            return [found[at * len(found) // self.most_steps] for at in range(self.most_steps)]
        return found

    def goods_by_price(self, state: State) -> list[tuple[int, ...]]:
        """Return the two cheapest goods for each number of workers."""
        prices = self.outlook.open_purse.prices
        goods = state.goods[self.seat * KINDS : self.seat * KINDS + KINDS]
        held = sorted([good for good in range(KINDS) if goods[good]], key=lambda good: prices[good] - 0.3 * (goods[good] > 1))
        return [tuple([good for good in held if VALUES[good] >= count][:2]) for count in range(6)]

    def places(self, state: State) -> set[int]:
        """Return the places where a worker can do something: all except homes where no empire will start again."""
        homes = {place for place, _ in self.outlook.next_homes}
        homes |= {home - FIRST_OTHER for empire, home, _ in self.outlook.offered if home >= 0 and empire not in state.empires}
        useful = set(self.outlook.useful)
        return useful | homes

    def sources(self, state: State) -> set[int]:
        """Return where a scribe looks for workers: among the available ones or, if there are none, anywhere."""
        if state.workers_available[self.seat]:
            return {AVAILABLE, USED_TOOL_MAKERS}
        at = self.seat * SPOTS
        return {place for place in range(SPOTS) if state.workers[at + place]}

    # decisions

    def choose(self, legal: Sequence[Action]) -> Ranked:
        """Return the steps weighed, each with what it is worth compared with not doing it, best first."""
        phase = self.state.phase
        if phase == PAYING:
            return self.pay(legal)
        if phase == BIDDING:
            return self.bid()
        if phase == ACTION:
            return self.act(self.state)
        if phase in (MUSTERING, EQUIPPING):
            return self.equip(legal)
        if phase == GROWING:
            now = self.outlook.value(self.state, is_open=False)
            return ordered([(self.growing(action) - now, action) for action in legal])
        if phase in (HOMING, GARRISONING, ATTACKING):
            found = [(self.after(self.state, action), action) for action in legal]
            least = min([worth for worth, _ in found])
            return ordered([(worth - least, action) for worth, action in found])
        rest = self.after(self.state, DONE)
        steps = [(self.after(self.state, action) - rest, action) for action in self.steps(self.state)]
        return ordered([*[step for step in steps if step[0] > LEAST], (0.0, DONE)])

    def growing(self, action: Action) -> float:
        if isinstance(action, Grow):
            return self.outlook.value(follow(self.state, action), is_open=False)
        return self.outlook.worth_without_growing(self.state)

    def act(self, state: State) -> Ranked:
        """Return the promising actions from here, then passing; passing alone if none gains anything.

        The best few are followed up by the best next action, as if nobody else acted in between.
        """
        closed = self.outlook.value(state, is_open=False)
        now = self.outlook.value(state)
        considered = [(self.after(state, action), -at, action) for at, action in enumerate(self.steps(state))]
        considered.sort(reverse=True)
        found: list[tuple[float, int, Action]] = []
        for worth, at, action in considered:
            if worth <= closed + LEAST or len(found) == self.width:
                break
            if isinstance(action, Relocate):
                if worth <= now + LEAST_MOVE:
                    continue
            elif worth <= now + LEAST and not isinstance(action, Found) and self.shut(state, action) <= closed + LEAST:
                continue  # an empire, however little it gains, is better than passing without one
            found.append((worth, at, action))
        if found:
            homes = {home - FIRST_OTHER for empire, home, _ in self.outlook.offered if empire not in state.empires}
            if state.empires[self.seat] == NO_EMPIRE:  # an empire first needs a worker in its home
                extra = [option for option in considered if isinstance(option[2], Place) and option[2].place in homes]
                found += [option for option in extra[: self.width] if option not in found and option[0] > closed + LEAST]
            usual = max(0.0, found[0][0] - now)
            if len(found) > 1:
                found = [(worth + SECOND * self.second(state, action, worth, usual), at, action) for worth, at, action in found]
            found.sort(reverse=True)
            ranked = [(worth - closed, action) for worth, _, action in found]
            return ranked if state.is_paid else [*ranked, (0.0, PASS)]
        if not state.is_paid:
            return [(0.0, PASS)]
        if not considered:
            return [(0.0, legality.legal_actions(state, self.seat)[0])]
        return [(0.0, considered[0][2])]

    def second(self, state: State, action: Action, worth: float, usual: float) -> float:
        """Return what the best action after this one adds; after a fight, what an action usually adds."""
        if self.width < 2:
            return 0.0
        new = self.rested(follow(state, action))
        if new is None:
            return usual
        cost = self.outlook.open_purse.step if new.passed else 0.0
        ready = new.workers_available[self.seat]
        steps = [
            step
            for step in self.steps(new)
            if not isinstance(step, Place) or step.count in (1, min(VALUES[step.good], ready))  # one worker, or as many as a good brings
        ]
        return max(0.0, max([self.after(new, step) for step in steps], default=0.0) - worth - cost)

    def rested(self, state: State) -> State | None:
        """Return the position in which the seat acts again, its empire settled; None if dice decide."""
        while state.phase in (MUSTERING, EQUIPPING, HOMING, GARRISONING):
            ways: Sequence[Action] = (READY,)
            if state.phase == HOMING:
                ways = HOMES
            elif state.phase == GARRISONING:
                ways = GARRISONS[: state.armies_available[self.seat]]
            state = max([follow(state, way) for way in ways], key=self.settled)
        if state.phase == ROLLING:
            return None
        if state.phase in (PAYING, ACTION) and state.active != self.seat and not state.passed >> self.seat & 1:
            state.active = self.seat
            begin_action(state)
            state.phase = ACTION
        return state if state.active == self.seat else None

    def shut(self, state: State, action: Action) -> float:
        """Return the worth of a step if the seat passes right after it; dice count at their mean."""
        new = follow(state, action)
        return self.outlook.value(new, is_open=False) if new.phase != ROLLING else self.fight(new)

    def pay(self, legal: Sequence[Action]) -> Ranked:
        """Pay with whatever is least missed, if an action is worth more than that."""
        closed = self.outlook.value(self.state, is_open=False)
        ways = [(self.after(self.state, pay), -at, pay) for at, pay in enumerate(legal) if isinstance(pay, Pay)]
        ways.sort(reverse=True)
        found: Ranked = [(0.0, PASS)]
        for _, _, pay in ways[:PAYMENTS]:
            state = follow(self.state, pay)
            gain, action = self.act(state)[0]
            if action is PASS or gain <= 0.0:
                continue
            worth = gain + self.outlook.value(state, is_open=False) - closed
            if worth > LEAST:
                found.append((worth, pay))
        return ordered(found)

    def equip(self, legal: Sequence[Action]) -> Ranked:
        """Weigh another good for armies or equipment, even if it takes two to get above a rival, and the end of spending."""
        ready = self.after(self.state, READY)
        found: Ranked = [(0.0, READY)]
        for action in legal:
            if action is READY:
                continue
            new = follow(self.state, action)
            worth = self.settled(new)
            if isinstance(action, Equip):
                for other in legality.legal_actions(new, self.seat):
                    if isinstance(other, Equip) and other.good >= action.good:
                        worth = max(worth, self.after(new, other))
            if worth - ready > LEAST:
                found.append((worth - ready, action))
        return ordered(found)

    def bid(self) -> Ranked:
        """Bid what is no longer useful, or a little for a better place next turn."""
        state, seat = self.state, self.seat
        now = self.bid_worth(state)
        gains: dict[Action, float] = {DONE: 0.0}
        frontier: list[tuple[State, Action | None]] = [(state, None)]
        for _ in range(3):
            following: list[tuple[State, Action | None]] = []
            for position, first in frontier:
                for good in range(KINDS):
                    if position.goods[seat * KINDS + good]:
                        new = self.laid(position, good)
                        opening = first or BIDS[good]
                        gain = self.bid_worth(new) - now
                        if gain > gains.get(opening, 0.0) + 0.01:
                            gains[opening] = gain
                        following.append((new, opening))
            frontier = following[:12]
        return ordered([(gain, action) for action, gain in gains.items()])

    def laid(self, state: State, good: int) -> State:
        new = state.copy()
        new.goods[self.seat * KINDS + good] -= 1
        new.bids[self.seat * KINDS + good] += 1
        return new

    def bid_worth(self, state: State) -> float:
        """Return the worth of the goods kept and of the place in the order of play that the bids promise."""
        seat = self.seat
        mine = value_of(state.bids, seat)
        ahead = 0
        for rival in range(SEATS):
            if rival != seat:
                theirs = value_of(state.bids, rival) + (0 if state.passed >> rival & 1 else UNSEEN_BID)
                ahead += theirs > mine or (theirs == mine and state.order.index(rival) < state.order.index(seat))
        worth = ORDER_WORTH[ahead] * (1.0 if state.turn < TURNS else LAST_ORDER)
        return worth + self.outlook.closed_purse.best(state, seat, is_open=False)
