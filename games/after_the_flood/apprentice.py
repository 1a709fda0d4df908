"""The apprentice of After the Flood: a beginner with a price list, who looks at one step and plans nothing.

It builds cities while there is room, founds the largest empire it can, enters undefended areas, fights when the odds are good,
sends a worker anywhere useful where it has none yet, and trades for what is missing to grow a city.
It ignores what the others are about to do, majorities before the last turn, and that a good can be worth more next turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import (
    ATTACK,
    DONE,
    GARRISONS,
    MAKE_TOOL,
    PASS,
    PAY_ARMY,
    PAY_WORKER,
    READY,
    STOP,
    Action,
    Bid,
    Build,
    Found,
    Grow,
    Home,
    Invade,
    Pay,
    Place,
    Plain,
    Recruit,
    Refound,
    Scribe,
    Trade,
)
from games.after_the_flood.components import (
    AVAILABLE,
    BABYLON,
    END_POINTS,
    ERIDU,
    FIRST_OTHER,
    GRAIN,
    GROWTH_POINTS,
    IRRIGATION,
    KINDS,
    LUXURIES,
    METAL,
    NIPPUR,
    SCRIBES,
    SEATS,
    SIPPAR,
    SOLD,
    SPOTS,
    SUMER_MASK,
    TEXTILE,
    TOOL,
    TOOL_MAKERS,
    TURNS,
    UR,
    URUK,
    USED_TOOL_MAKERS,
    VALUES,
    WEAVING,
    WOOD,
)
from games.after_the_flood.legality import OFFERED
from games.after_the_flood.rules import STEPS
from games.after_the_flood.state import (
    ACTION,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    MUSTERING,
    PAYING,
    State,
    army_owner,
    is_better_equipped,
    scribe_count,
    value_of,
)
from games.core.contract import Choice, Rng

RULE: Final = "after_the_flood#"
BUILD: Final = 6.0
CITY_BONUS: Final = {UR: 1.0, NIPPUR: 0.8, URUK: 0.7, BABYLON: 0.6, ERIDU: 0.5, SIPPAR: 0.3}
FOUND: Final = 3.6
FOUND_ARMY: Final = 0.15
ENTER: Final = 3.4
STRIKE: Final = 2.4  # an attack with good odds
NO_SELLER: Final = 2.8  # a first worker in a place that sells something
NO_MAKER: Final = 2.2
NO_SCRIBE: Final = 2.0
BEHIND: Final = 2.0  # a worker that catches up in irrigation or weaving
NEXT_HOME: Final = 2.4
MAJORITY: Final = 0.6  # share of the points, in the last turn
BLUR: Final = 0.6  # the most by which a beginner misjudges a step
LEAST: Final = 0.7  # below this it passes
LEAST_PAID: Final = 2.2  # what an action must be worth if it has to be paid for
ROUTINE: Final = 0.1  # a worker or good spent only because it would otherwise be lost
ENOUGH: Final = 2  # armies that must remain in an attack at bad odds
KEPT: Final = 3  # grain to keep when recruiting armies

REASONS: Final = {
    "build": ("build", "build-1"),
    "place": ("workers", "place-1"),
    "scribe": ("workers", "scribes-1"),
    "trade": ("trade", "trade-1"),
    "tool": ("trade", "tools-1"),
    "found": ("found", "found-1"),
    "recruit": ("armies", "found-6"),
    "equip": ("equip", "equip-1"),
    "home": ("home", "found-4"),
    "garrison": ("garrison", "found-8"),
    "invade": ("expand", "expand-1"),
    "refound": ("expand", "expand-8"),
    "reinforce": ("reinforce", "expand-5"),
    "relocate": ("build", "build-3"),
    "destroy": ("destroy", "destroy-1"),
    "attack": ("attack", "combat-1"),
    "stop": ("stop", "combat-4"),
    "pay": ("pay", "pass-3"),
    "bid": ("bid", "pass-2"),
    "grow": ("grow", "growth-1"),
    "pass": ("pass", "pass-1"),
    "done": ("done", None),
    "ready": ("ready", "equip-2"),
}


def reason_of(action: Action, worth: float) -> tuple[str, float, str | None]:
    """Return a reason named after what an action does."""
    key, rule = REASONS[str(action).split(" ", 1)[0]]
    return key, round(worth, 1), None if rule is None else RULE + rule


class Apprentice:
    """A beginner's answer to every question."""

    def __init__(self, state: State, seat: int, rng: Rng) -> None:
        self.state = state
        self.seat = seat
        self.rng = rng

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        phase = self.state.phase
        if phase == PAYING:
            return self.pay(legal)
        least = LEAST_PAID if phase == EXPANDING else LEAST if phase == ACTION and not self.state.is_paid else 0.0
        found = [(self.worth(action) + self.blur(action), -at, action) for at, action in enumerate(legal)]
        worth, _, best = max(found)
        resting = PASS if phase == ACTION else READY if phase in (MUSTERING, EQUIPPING) else DONE
        if worth < least and resting in legal:
            best, worth = resting, 0.0
        return Choice(best, (reason_of(best, worth),))

    def blur(self, action: Action) -> float:
        if self.state.phase != ACTION or action is PASS:
            return 0.0
        return (self.rng.below(2001, "bot") / 1000 - 1) * BLUR

    def pay(self, legal: Sequence[Action]) -> Choice[Action]:
        """Pay with what is least useful, if the best action is worth it."""
        state = self.state
        costs = {PAY_WORKER: 0.4, PAY_ARMY: 1.4}
        ways = [(costs[pay.what] if pay.what >= KINDS else self.good_worth(pay.what), pay) for pay in legal if isinstance(pay, Pay)]
        if not ways:
            return Choice(PASS, (reason_of(PASS, 0.0),))
        cost, pay = min(ways, key=lambda way: way[0])
        after = state.copy()
        STEPS[Pay](after, pay, None)
        other = Apprentice(after, self.seat, self.rng)
        gain = max([other.worth(action) for action in legality.legal_actions(after, self.seat)])
        if gain - cost < LEAST_PAID - 1.4:
            return Choice(PASS, (reason_of(PASS, 0.0),))
        return Choice(pay, (reason_of(pay, gain - cost),))

    # how a beginner rates a step

    def worth(self, action: Action) -> float:
        state, seat = self.state, self.seat
        if isinstance(action, Place):
            gain = self.workers_worth(action.place, action.count)
            return gain - self.good_worth(action.good) * 0.6 - 0.2 * (VALUES[action.good] - action.count)
        if isinstance(action, Trade):
            return self.good_worth(action.get, more=1) - self.good_worth(action.give)
        if action is MAKE_TOOL:
            return self.good_worth(TOOL, more=1) - self.good_worth(METAL)
        if isinstance(action, Scribe):
            return self.workers_worth(action.target, 1) if action.source == AVAILABLE else -1.0
        if isinstance(action, Build):
            return BUILD + CITY_BONUS.get(action.area, 0.0)
        if isinstance(action, Invade | Refound | Home):
            return self.entering(action)
        if isinstance(action, Found):
            return FOUND + FOUND_ARMY * next(armies for empire, _, armies in OFFERED[state.turn] if empire == action.empire)
        if isinstance(action, Recruit):
            return 1.0 if action.good == GRAIN and state.goods[seat * KINDS + GRAIN] > KEPT else -1.0
        if isinstance(action, Grow):
            return self.growing(action)
        if isinstance(action, Bid):
            is_spare = state.goods[seat * KINDS + GRAIN] > 1 and value_of(state.bids, seat) < 1 and state.turn < TURNS
            return 0.5 if action.good == GRAIN and is_spare else -1.0
        if isinstance(action, Plain):
            return self.resting(action)
        if state.phase == EQUIPPING or state.phase == MUSTERING:
            return self.equipping(action)
        return 0.3 if action is GARRISONS[0] and state.phase == GARRISONING else -1.0

    def resting(self, action: Plain) -> float:
        """Return the worth of an answer that is only a verb."""
        state, seat = self.state, self.seat
        if action is ATTACK:
            armies = state.armies_available[seat]
            rival = army_owner(state, state.target)
            return 1.0 if is_better_equipped(state, seat, rival) or armies > ENOUGH else -1.0
        return 0.0 if action in (STOP, DONE, READY, PASS) else -1.0

    def entering(self, action: Invade | Refound | Home) -> float:
        """Return what an area is worth to an army: free areas most, then those of worse equipped rivals."""
        state, seat = self.state, self.seat
        area = action.area
        if area < 0:
            return 1.5
        own = state.cities[seat] >> area & 1
        bonus = 0.5 * own + (0.5 if state.cities[seat] >> NIPPUR & 1 and SUMER_MASK >> area & 1 else 0.0)
        rival = army_owner(state, area)
        if rival < 0:
            return ENTER + bonus
        if not isinstance(action, Invade):
            return 0.5
        armies = state.armies_available[seat]
        if is_better_equipped(state, seat, rival):
            return STRIKE + bonus if armies > 1 else 0.6
        return 1.2 if armies > ENOUGH + 1 else 0.0

    def equipping(self, action: Action) -> float:
        """Return whether another good of little use lifts the equipment above a rival's."""
        good = getattr(action, "good", GRAIN)
        state, seat = self.state, self.seat
        mine = value_of(state.equipment, seat)
        rivals = [value_of(state.equipment, rival) for rival in state.ranking]
        if not any(mine <= value <= mine + 3 for value in rivals) or mine > 4:
            return -1.0
        return 2.0 - self.good_worth(good)

    def growing(self, action: Grow) -> float:
        points = GROWTH_POINTS[len(action.luxuries)]
        left = TURNS - self.state.turn
        return float(points) if points >= (0, 7, 10, 10, 10)[left] else -1.0

    def good_worth(self, good: int, more: int = 0) -> float:
        """Return what one piece is worth to a beginner: a lot while a city still needs it, little beyond that."""
        state, seat = self.state, self.seat
        held = state.goods[seat * KINDS + good] + more
        growable = max(1, (state.cities[seat] & ~state.grown).bit_count())
        wanted = {WOOD: 2 * min(2, growable)}.get(good, min(2, growable) if good in LUXURIES else 0)
        if good == METAL and not state.goods[seat * KINDS + TOOL] and state.workers[seat * SPOTS + TOOL_MAKERS]:
            wanted = 1
        if 0 < held <= wanted:
            return 2.6 + 0.2 * VALUES[good] if good != METAL else 2.0
        return {GRAIN: 0.8, WOOD: 1.1, METAL: 1.1, TEXTILE: 1.6}.get(good, 0.5 * VALUES[good])

    def workers_worth(self, place: int, count: int) -> float:
        """Return what workers in a place are worth to a beginner."""
        state, seat = self.state, self.seat
        if place == AVAILABLE:
            return -1.0
        workers = state.workers
        own = workers[seat * SPOTS + place]
        most = max([workers[rival * SPOTS + place] for rival in range(SEATS) if rival != seat])
        left = TURNS - state.turn
        worth = ROUTINE + 0.15 * count
        if place < len(SOLD):
            if SOLD[place] and not own:
                worth += NO_SELLER + 0.2 * len(SOLD[place])
            if left and any(home == place + FIRST_OTHER for _, home, _ in OFFERED[state.turn + 1]):
                worth += NEXT_HOME if own <= most < own + count else 0.5
        elif place == SCRIBES:
            worth += NO_SCRIBE * min(count, 2 - scribe_count(state, seat)) * (left > 0) * 0.5
        elif place == TOOL_MAKERS:
            worth += NO_MAKER if not own + workers[seat * SPOTS + USED_TOOL_MAKERS] else 0.2
        elif place in (IRRIGATION, WEAVING):
            worth += BEHIND if left and own <= most < own + count + 1 else 0.3
        if not left and own <= most < own + count:
            worth += MAJORITY * END_POINTS.get(place, 0)
        return worth
