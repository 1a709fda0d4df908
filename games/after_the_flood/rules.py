"""The game as the contract requires it: who is due, applying actions, chance, and the fast path for random play.

`apply` is check, copy, step. A step changes a state in place, trusts its caller, and tells what happened if `events` is a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.after_the_flood import empires, legality, refusals, steps, turns
from games.after_the_flood.actions import (
    ATTACK,
    BIDS,
    BUILDS,
    DONE,
    EQUIPS,
    FOUNDS,
    GROWTHS,
    HOMES,
    ORDERS,
    PASS,
    PLACINGS,
    READY,
    RECRUITINGS,
    RELOCATIONS,
    ROLLS,
    SCORE,
    SCRIBE_MOVES,
    STOP,
    Action,
    Bid,
    Build,
    Destroy,
    Equip,
    Found,
    Garrison,
    Grow,
    Home,
    Invade,
    Order,
    Pay,
    Place,
    Plain,
    Recruit,
    Refound,
    Reinforce,
    Relocate,
    Roll,
    Scribe,
    Trade,
    parse_action,
)
from games.after_the_flood.components import SCRIBES, TARGETS, VALUES
from games.after_the_flood.meta import META
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    CLOSING,
    END,
    EQUIPPING,
    EXPANDING,
    GROWING,
    HOMING,
    MUSTERING,
    PLACING,
    ROLLING,
    SCORING,
    START,
    TRADING,
    State,
    cities_left,
    first_state,
    scribe_room,
)
from games.after_the_flood.turns import RULE, Events
from games.core.contract import CHANCE, SCORER, Event, Rng
from games.core.forms import Forms
from games.core.options import checked

legal_actions = legality.legal_actions


def setup(seats: int, options: Mapping[str, Any]) -> State:
    """Return the first position: CHANCE sets the order of play (setup-1). Raises SetupError."""
    chosen = checked(META, seats, options)
    return first_state(chosen["ur_textile"] == "weaver", chosen["tool_stock"] == "limited")


def actors(state: State) -> tuple[int, ...]:
    """Return who is due."""
    phase = state.phase
    if phase <= GROWING:
        return (state.active,)
    if phase in (ROLLING, START):
        return (CHANCE,)
    return () if phase == END else (SCORER,)


FORMS: Final = Forms(parse_action, "after_the_flood#act-1")
FORMS.update({row[area]: row[area] for area, row in enumerate(RELOCATIONS)})  # no text has these, but a board may ask for them


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    """Return the new state and what happened. Raises IllegalAction; never changes `state`."""
    action = FORMS[action]
    refusals.check(state, actor, action)
    new = state.copy()
    events: list[Event] = []
    STEPS[type(action)](new, action, events)
    return new, events


def sample_chance(state: State, rng: Rng) -> Action:
    """Return two dice, or the first order of play (combat-1, setup-1)."""
    if state.phase == ROLLING:
        return ROLLS[rng.below(6, "dice") * 6 + rng.below(6, "dice")]
    if state.phase == START:
        return ORDERS[rng.below(len(ORDERS), "order")]
    raise ValueError("nothing is left to chance now")


def _order(state: State, action: Order, events: Events) -> None:
    state.order = action.seats
    if events is not None:
        first, second, third = action.seats
        events.append(Event("order_drawn", {"seat": first, "second": second, "third": third}, RULE + "setup-1", reveals=True))
    turns.begin_turn(state, events)


def _plain(state: State, action: Plain, events: Events) -> None:
    _PLAIN_STEPS[action.verb](state, events)


def _done(state: State, events: Events) -> None:
    if events is not None:
        events.append(Event("ended_action", {"seat": state.active}, RULE + _DONE_RULES[state.phase]))
    if state.phase == GROWING:
        turns.next_grower(state)
    else:
        turns.end_action(state, events)


def _score(state: State, events: Events) -> None:
    if state.phase == SCORING:
        turns.score_turn(state, events)
    else:
        turns.close(state, events)


_DONE_RULES: Final = {PLACING: "place-3", TRADING: "trade-8", EXPANDING: "expand-6", BIDDING: "pass-2", GROWING: "growth-4"}
_PLAIN_STEPS: Final[dict[str, Callable[[State, Events], None]]] = {
    "pass": turns.begin_pass,
    "done": _done,
    "tool": steps.make_tool,
    "ready": empires.get_ready,
    "attack": empires.attack,
    "stop": empires.stop,
    "score": _score,
}
STEPS: Final[dict[type, Callable[[State, Any, Events], None]]] = {
    Plain: _plain,
    Pay: steps.pay,
    Build: steps.build,
    Relocate: steps.relocate,
    Place: steps.place,
    Scribe: steps.use_scribe,
    Trade: steps.trade,
    Found: empires.found,
    Recruit: empires.recruit,
    Equip: empires.equip,
    Home: empires.choose_home,
    Garrison: empires.garrison,
    Invade: empires.invade,
    Destroy: empires.destroy,
    Reinforce: empires.reinforce,
    Refound: empires.refound,
    Bid: turns.bid,
    Grow: turns.grow,
    Order: _order,
    Roll: empires.roll,
}


# The fast path


def sample_action(state: State, actor: int, rng: Rng) -> Action:
    """Return a legal action of the due actor without building the whole list; each one has a positive chance."""
    phase = state.phase
    below = rng.below
    if phase == ACTION:
        return _sample_turn(state, rng)
    if phase in (SCORING, CLOSING):
        return SCORE
    if phase > GROWING:
        raise ValueError(f"{actor} is not due")
    seat = state.active
    if phase == PLACING:
        if not below(4, "play"):
            return DONE
        action = _sample_workers(state, seat, rng, below(2, "play"))
        return DONE if action is None else action
    if phase == EXPANDING:
        ways = legality.expansions(state, seat, 1)
        at = below(len(ways) + 1, "play")
        return ways[at] if at < len(ways) else DONE
    if phase == GROWING:
        return _sample_growth(state, seat, rng)
    if phase in (MUSTERING, EQUIPPING, BIDDING):
        return _sample_spending(state, seat, rng)
    if phase == ATTACKING:
        return ATTACK if below(3, "play") else STOP
    if phase == HOMING:
        return HOMES[below(len(HOMES), "play")]
    actions = legality.legal_actions(state, seat)
    return actions[below(len(actions), "play")]


def _sample_turn(state: State, rng: Rng) -> Action:
    """Draw a kind of action; if it is not possible, the next kind is tried."""
    below = rng.below
    seat = state.active
    draw = below(16, "play")
    if draw < 3:
        free = legality.free_areas(state, seat)
        if free:
            areas = legality.AREAS_IN[free]
            area = areas[below(len(areas), "play")]
            if cities_left(state, seat):
                return BUILDS[area]
            own = legality.AREAS_IN[state.cities[seat]]
            return RELOCATIONS[own[below(len(own), "play")]][area]
        draw = 3
    if draw < 7:
        action = _sample_workers(state, seat, rng, below(4, "play"))
        if action is not None:
            return action
        draw = 7
    if draw < 10:
        found = legality.trades(state, seat)
        if found:
            return found[below(len(found), "play")]
        draw = 10
    if draw < 12 and state.empires[seat] < 0:
        names = legality.empires_to_found(state, seat)
        if names:
            return FOUNDS[names[below(len(names), "play")]]
    if draw < 15:
        found = legality.expansions(state, seat, 0)
        if found:
            return found[below(len(found), "play")]
    if not state.is_paid:
        return PASS
    actions = legality.legal_actions(state, seat)
    return actions[below(len(actions), "play")]


def _sample_workers(state: State, seat: int, rng: Rng, what: int) -> Action | None:
    """Return a placement, or the use of a scribe if `what` is 0; None if neither is possible."""
    below = rng.below
    if state.usable and (not what or state.is_placed):
        sources = legality.scribe_sources(state, seat)
        source = sources[below(len(sources), "play")]
        targets = legality.SCRIBE_TARGETS[scribe_room(state, seat) > 0][source]
        while True:
            target = legality.ALL_TARGETS[below(len(legality.ALL_TARGETS), "play")]
            if target in targets:
                return SCRIBE_MOVES[source][target]
    held = state.workers_available[seat]
    if state.is_placed or not held:
        return None
    mine = legality.goods_held(state, seat)
    if not mine:
        return None
    good = mine[below(len(mine), "play")]
    place = TARGETS[below(len(TARGETS), "play")]
    most = min(held, VALUES[good])
    if place == SCRIBES:
        most = min(most, scribe_room(state, seat))
        if not most:
            return PLACINGS[good][TARGETS[0]][0]
    return PLACINGS[good][place][below(most, "play")]


def _sample_spending(state: State, seat: int, rng: Rng) -> Action:
    """Return a good to spend on armies, equipment or the order of play, or the end of spending."""
    below = rng.below
    phase = state.phase
    end = DONE if phase == BIDDING else READY
    if below(2, "play"):
        return end
    held = legality.goods_held(state, seat)
    if not held:
        return end
    good = held[below(len(held), "play")]
    if phase == BIDDING:
        return BIDS[good]
    if phase == MUSTERING and legality.can_recruit(state, seat, good) and below(2, "play"):
        return RECRUITINGS[good]
    return EQUIPS[good]


def _sample_growth(state: State, seat: int, rng: Rng) -> Action:
    below = rng.below
    growable = legality.growable(state, seat)
    if not growable or not below(8, "play"):
        return DONE
    cities, sets = legality.AREAS_IN[growable], legality.luxury_sets(state, seat)
    return GROWTHS[cities[below(len(cities), "play")]][sets[below(len(sets), "play")]]


def playout_moves(state: State, rng: Rng) -> int:
    """Play `state` in place to its end by `sample_action` and the steps; return the number of moves by seats."""
    moves = 0
    while True:
        phase = state.phase
        if phase == ACTION:
            action = _sample_turn(state, rng)
            moves += 1
        elif phase <= GROWING:
            action = sample_action(state, state.active, rng)
            moves += 1
        elif phase <= START:
            action = sample_chance(state, rng)
        elif phase <= CLOSING:
            action = SCORE
        else:
            return moves
        STEPS[type(action)](state, action, None)
