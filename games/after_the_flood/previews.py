"""What an action of the due seat will do, told before it is taken. Effects are read off a copy on which it has been taken.

A copy never rolls dice: if an action leads to a fight, the odds are told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.after_the_flood import legality, scoring
from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import (
    NO_AREA,
    PAYMENTS,
    SPOT_NAMES,
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
    Pay,
    Place,
    Plain,
    Recruit,
    Refound,
    Reinforce,
    Relocate,
    Scribe,
    Trade,
)
from games.after_the_flood.components import (
    AREAS,
    AVAILABLE,
    BABYLON,
    DECLINE_TURNS,
    DESTROY_COST,
    EMPIRE_NAMES,
    END_POINTS,
    FIRST_OTHER,
    GOODS,
    GROWTH_POINTS,
    GROWTH_WOOD,
    IRRIGATION,
    LAGASH,
    OTHERS,
    PLACES,
    RATINGS,
    RECRUITS,
    SCRIBES,
    SEATS,
    SPOTS,
    SUMER_EMPIRE,
    TOOL_MAKERS,
    TURNS,
    UMMA,
    VALUES,
    WEAVING,
    WOOD,
)
from games.after_the_flood.prompt_facts import after, exchanges_left, fight_at, is_extra, is_held, phrase, rating_of, standing, workers_at
from games.after_the_flood.prompt_odds import fight, percent
from games.after_the_flood.state import (
    ACTION,
    BIDDING,
    EXPANDING,
    GARRISONING,
    GROWING,
    INVASION,
    MUSTERING,
    PAYING,
    PLACING,
    ROLLING,
    SCORING,
    TRADING,
    State,
    army_owner,
    cities_left,
    city_owner,
    destroy_cost,
    value_of,
)
from games.after_the_flood.turns import decline_of, harvest
from games.core.contract import NO_SEAT, Phrase

# Everything that one action does


def consequences(state: State, action: Action) -> list[Phrase]:
    """Return what a legal action of the due seat does, the main thing first."""
    return effects(state, action) + _tell_next(state, after(state, action))


def effects(state: State, action: Action) -> list[Phrase]:
    """Return what a legal action does by itself, without what follows."""
    return _TELLERS[type(action)](state, after(state, action), action)


def _tell_next(state: State, new: State) -> list[Phrase]:
    """Tell of the dice, or of who acts next after the action."""
    seat = state.active
    if new.phase == ROLLING:
        return _tell_fight(new)
    if new.phase in _GO_ON and new.active == seat:
        text, anchor = _GO_ON[new.phase]
        return [phrase(text, anchor)]
    if new.phase == GROWING:
        if state.phase == GROWING and new.active == seat:
            return []
        if new.active == seat:
            return [phrase(phrases.THEN_GROWTH_ME, "points-3")]
        return [phrase(phrases.THEN_GROWTH, "points-3", seat=new.active)]
    if new.phase == SCORING:
        return [phrase(phrases.THEN_SCORING, "points-1")]
    if new.phase in (ACTION, PAYING) and state.phase != PAYING:
        if new.active == seat:
            return [phrase(phrases.THEN_TURN_ME, "act-1")]
        return [phrase(phrases.THEN_TURN, "act-1", seat=new.active)]
    return []


_GO_ON: Final = {
    PLACING: (phrases.THEN_PLACE_ON, "scribes-6"),
    TRADING: (phrases.THEN_TRADE_ON, "trade-1"),
    MUSTERING: (phrases.THEN_MUSTER, "found-6"),
}


def _tell_fight(new: State) -> list[Phrase]:
    told = fight_at(new, new.target)
    lines = [phrase(phrases.THEN_ROLL, "combat-1", need=told["need"], percent=told["percent"])]
    mine = new.armies_available[new.active]
    won, lost = fight(mine, told["n"], told["need"])
    lines.append(phrase(phrases.THEN_FIGHT, "combat-4", n=told["n"], m=mine, percent=percent(won), losses=round(float(lost), 1)))
    if new.fight != INVASION:
        lines += [phrase(phrases.THEN_TO_THE_END, "found-9"), phrase(phrases.THEN_LOST_FOR_THE_TURN, "found-13")]
    return lines


def empire_points(state: State, seat: int) -> int:
    """Return the points that a seat's empire brings on the current map (points-1, points-2)."""
    areas, nippur, _ = scoring.turn_points(state, seat)
    return scoring.points_of((areas, nippur, ()))


def _points(new: State, seat: int) -> Phrase:
    return phrase(phrases.THEN_POINTS, "points-1", n=empire_points(new, seat))


def _tell_plain(state: State, new: State, action: Plain) -> list[Phrase]:
    return _PLAIN_TELLERS[action.verb](state, new)


def _tell_pay(state: State, new: State, action: Pay) -> list[Phrase]:
    return [phrase(phrases.THEN_PAY, "pass-3", what=PAYMENTS[action.what])]


# Cities


def _tell_build(state: State, new: State, action: Build) -> list[Phrase]:
    seat = state.active
    told = [phrase(phrases.THEN_BUILD, "build-1", area=AREAS[action.area], n=cities_left(new, seat))]
    return told + _tell_free_worker(state, new)


def _tell_free_worker(state: State, new: State) -> list[Phrase]:
    """Tell of the worker that Uruk and Eridu give (cities-1, cities-2)."""
    at = state.active * SPOTS
    for box, anchor in ((SCRIBES, "cities-2"), (TOOL_MAKERS, "cities-1")):
        if new.workers[at + box] > state.workers[at + box]:
            told = [phrase(phrases.THEN_FREE_WORKER, anchor, place=PLACES[box])]
            return [*told, phrase(phrases.THEN_NEW_SCRIBE, "scribes-5")] if box == SCRIBES else told
    return []


def _tell_relocate(state: State, new: State, action: Relocate) -> list[Phrase]:
    told = [phrase(phrases.THEN_RELOCATE, "build-3", source=AREAS[action.source], area=AREAS[action.target])]
    if state.grown >> action.source & 1:
        told.append(phrase(phrases.THEN_MARKER_OFF, "build-3"))
    if action.source not in (UMMA, LAGASH):
        told.append(phrase(phrases.THEN_RULE_LOST, "cities-11", area=AREAS[action.source]))
    return told + _tell_free_worker(state, new)


# Workers


def _tell_place(state: State, new: State, action: Place) -> list[Phrase]:
    seat = state.active
    left = new.workers_available[seat]
    told = [phrase(phrases.THEN_PLACE, "place-1", good=GOODS[action.good], n=action.count, place=PLACES[action.place], m=left)]
    if action.count < VALUES[action.good]:
        told.append(phrase(phrases.THEN_WASTE, "place-3", n=VALUES[action.good]))
    return [*told, *_tell_place_then(state, new, action.place)]


def _tell_scribe(state: State, new: State, action: Scribe) -> list[Phrase]:
    seat = state.active
    if action.target == AVAILABLE:
        told = [phrase(phrases.THEN_SCRIBE_AVAILABLE, "scribes-3", source=SPOT_NAMES[action.source], n=new.workers_available[seat])]
    elif action.source == AVAILABLE:
        told = [phrase(phrases.THEN_SCRIBE_PLACE, "scribes-1", place=PLACES[action.target], n=new.workers_available[seat])]
    else:
        told = [phrase(phrases.THEN_SCRIBE_MOVE, "scribes-3", source=SPOT_NAMES[action.source], place=PLACES[action.target])]
    for spot in (action.target, action.source):
        if spot != AVAILABLE:
            told += _tell_place_then(state, new, spot)
    return told


def _tell_place_then(state: State, new: State, place: int) -> list[Phrase]:
    """Tell what a change in the workers in a place means: majorities, goods, empires, decline, points at the end."""
    seat = state.active
    told = []
    if workers_at(new, seat, place) > workers_at(state, seat, place):
        told.append(phrase(phrases.THEN_THERE, "place-2", **standing(new, seat, place)))
        told += _tell_newcomers(new, place)
    for box, text, anchor in ((IRRIGATION, phrases.THEN_GRAIN, "collect-1"), (WEAVING, phrases.THEN_TEXTILES, "collect-2")):
        then, now = harvest(new, box)[seat], harvest(state, box)[seat]
        if place == box and then != now and state.turn < TURNS:
            told.append(phrase(text, anchor, n=then, m=now))
    if place < len(OTHERS):
        told += _tell_homes(state, new, place + FIRST_OTHER)
    if state.turn + 1 in DECLINE_TURNS and decline_of(new, seat).get(place):
        told.append(phrase(phrases.THEN_DECLINE_TAKES, "decline-1", n=decline_of(new, seat)[place]))
    if place in END_POINTS and state.turn >= TURNS - 1:
        was = any(found == (place, seat, END_POINTS[place]) for found in scoring.majorities(state))
        will = any(found == (place, seat, END_POINTS[place]) for found in scoring.majorities(new))
        if was != will:
            told.append(phrase(phrases.THEN_MAJORITY if will else phrases.THEN_NO_MAJORITY, "end-2", n=END_POINTS[place]))
    return told


def _tell_newcomers(new: State, place: int) -> list[Phrase]:
    """Tell what workers arriving in a place cannot do there yet (scribes-5, trade-5)."""
    if place == SCRIBES:
        return [phrase(phrases.THEN_NEW_SCRIBE, "scribes-5")]
    if place not in legality.SELLERS:
        return []
    owner = army_owner(new, place + FIRST_OTHER)
    if owner == NO_SEAT:
        return []
    if owner == new.active:
        return [phrase(phrases.THEN_ARMY_TRADES, "trade-5")]
    return [phrase(phrases.THEN_ARMY_BLOCKS, "trade-5", seat=owner)]


def _tell_homes(state: State, new: State, area: int) -> list[Phrase]:
    """Tell whether an empire can be started in an area, now and after the next decline (found-3, decline-3)."""
    seat = state.active
    told = []
    for empire in _names_at(area, state.turn):
        is_open = state.empires[seat] < 0 and empire not in state.empires
        was, will = legality.is_ruler(state, seat, area), legality.is_ruler(new, seat, area)
        if is_open and was != will:
            text = phrases.THEN_CAN_FOUND if will else phrases.THEN_CANNOT_FOUND
            told.append(phrase(text, "found-3", empire=EMPIRE_NAMES[empire]))
    if state.turn + 1 in DECLINE_TURNS:
        for empire in _names_at(area, state.turn + 1):
            is_home = rules_after_decline(new, seat, area)
            text = phrases.THEN_HOME_AFTER_DECLINE if is_home else phrases.THEN_NO_HOME_AFTER_DECLINE
            told.append(phrase(text, "decline-3", empire=EMPIRE_NAMES[empire]))
    return told


def _names_at(area: int, turn: int) -> list[int]:
    return [empire for empire, home, _ in legality.OFFERED[turn] if home == area]


def rules_after_decline(state: State, seat: int, area: int) -> bool:
    """Return whether a seat could start an empire in an area if the decline took place now (decline-3, found-3)."""
    place = area - FIRST_OTHER
    new = state.copy()
    for other in range(SEATS):
        new.workers[other * SPOTS + place] -= decline_of(state, other).get(place, 0)
    return legality.is_ruler(new, seat, area)


def _tell_done_placing(state: State, new: State) -> list[Phrase]:
    told = [phrase(phrases.THEN_DONE_PLACING, "place-5", n=state.workers_available[state.active])]
    if state.usable:
        told.append(phrase(phrases.THEN_SCRIBES_LEFT, "scribes-1", n=state.usable))
    return told


# Trade


def _tell_trade(state: State, new: State, action: Trade) -> list[Phrase]:
    told = [phrase(phrases.THEN_TRADE, "trade-2", give=GOODS[action.give], get=GOODS[action.get])]
    left = exchanges_left(state, state.active, action.place)
    if is_extra(state, action):
        told.append(phrase(phrases.THEN_EXTRA, "trade-7"))
    else:
        left -= 1
    return [*told, phrase(phrases.THEN_EXCHANGES_LEFT, "trade-2", n=left)]


def _tell_tool(state: State, new: State) -> list[Phrase]:
    return [phrase(phrases.THEN_TOOL, "tools-1", n=new.workers[state.active * SPOTS + TOOL_MAKERS])]


def _tell_done_trading(state: State, new: State) -> list[Phrase]:
    return [phrase(phrases.THEN_DONE_TRADING, "trade-8")]


# Empires


def _tell_found(state: State, new: State, action: Found) -> list[Phrase]:
    seat = state.active
    told = [phrase(phrases.THEN_FOUND, "found-5", n=new.armies_available[seat] - state.armies_available[seat])]
    if state.cities[seat] >> BABYLON & 1:
        told.append(phrase(phrases.THEN_FOUND_BABYLON, "cities-7"))
    home = legality.home_of(new, seat)
    if home == SUMER_EMPIRE:
        return [*told, phrase(phrases.THEN_CHOOSE_HOME, "found-4")]
    leaving = state.workers[seat * SPOTS + home - FIRST_OTHER]
    told.append(phrase(phrases.THEN_WILL_LEAVE, "found-7", n=leaving, area=AREAS[home]))
    if is_held(new, home):
        told.append(phrase(phrases.THEN_HOME_HELD, "found-9", seat=army_owner(new, home), area=AREAS[home]))
    return told


def _tell_recruit(state: State, new: State, action: Recruit) -> list[Phrase]:
    seat = state.active
    told = [phrase(phrases.THEN_RECRUIT, "found-6", good=GOODS[action.good], n=new.armies_available[seat])]
    surplus = RECRUITS[action.good] - (new.armies_available[seat] - state.armies_available[seat])
    if surplus:
        told.append(phrase(phrases.THEN_SURPLUS, "found-6", n=surplus))
    return [*told, phrase(phrases.THEN_OR_EQUIP, "equip-1")]


def _tell_equip(state: State, new: State, action: Equip) -> list[Phrase]:
    value = value_of(new.equipment, state.active)
    told = [phrase(phrases.THEN_EQUIP, "equip-2", n=value, rating=rating_of(new, value))]
    return [*told, phrase(phrases.THEN_NO_MORE_ARMIES, "found-6")] if state.phase == MUSTERING else told


def _tell_ready(state: State, new: State) -> list[Phrase]:
    seat = state.active
    rating = f"rating_{RATINGS[new.ranking.index(seat)]}"
    told = [phrase(phrases.THEN_READY, "equip-3", n=value_of(state.equipment, seat), rating=rating)]
    home = legality.home_of(state, seat)
    if home == SUMER_EMPIRE:
        return [*told, phrase(phrases.THEN_CHOOSE_HOME, "found-4")]
    leaving = state.workers[seat * SPOTS + home - FIRST_OTHER]
    if leaving:
        told.append(phrase(phrases.THEN_LEAVE, "found-7", n=leaving, area=AREAS[home]))
    return told + _tell_entering(state, new)


def _tell_entering(state: State, new: State) -> list[Phrase]:
    """Tell whether the home is settled or fought for (found-8, found-9)."""
    if new.phase == ROLLING:
        return [phrase(phrases.THEN_ATTACK, "found-9", seat=army_owner(new, new.target), area=AREAS[new.target])]
    if new.phase == GARRISONING:
        return [phrase(phrases.THEN_ENTER, "found-8")]
    return [phrase(phrases.THEN_ENTER_LAST, "found-8"), _points(new, state.active)]


def _tell_home(state: State, new: State, action: Home) -> list[Phrase]:
    return [phrase(phrases.THEN_HOME, "found-4", area=AREAS[action.area]), *_tell_entering(state, new)]


def _tell_garrison(state: State, new: State, action: Garrison) -> list[Phrase]:
    seat = state.active
    left = new.armies_available[seat]
    told = [phrase(phrases.THEN_GARRISON, "found-8", n=action.count, area=AREAS[state.target], m=left), _points(new, seat)]
    return told + _tell_repeat(new, seat)


def _tell_repeat(new: State, seat: int) -> list[Phrase]:
    if new.phase == EXPANDING and new.active == seat:
        return [phrase(phrases.THEN_CAN_REPEAT, "expand-6")]
    return []


def _tell_cost(state: State) -> list[Phrase]:
    return [phrase(phrases.THEN_REPEAT, "expand-6")] if state.phase == EXPANDING else []


def _tell_invade(state: State, new: State, action: Invade) -> list[Phrase]:
    seat = state.active
    if new.phase == ROLLING:
        return [phrase(phrases.THEN_ATTACK, "expand-3", seat=army_owner(new, action.area), area=AREAS[action.area]), *_tell_cost(state)]
    told = [phrase(phrases.THEN_INVADE, "expand-3", area=AREAS[action.area], n=new.armies_available[seat])]
    return [*told, *_tell_cost(state), _points(new, seat), *_tell_repeat(new, seat)]


def _tell_destroy(state: State, new: State, action: Destroy) -> list[Phrase]:
    seat = state.active
    owner = city_owner(state, action.area)
    cost = destroy_cost(state, owner)
    told = [phrase(phrases.THEN_DESTROY, "destroy-1", n=cost, seat=owner, area=AREAS[action.area], m=new.armies_available[seat])]
    if cost > DESTROY_COST:
        told.append(phrase(phrases.THEN_SHURUPPAK, "destroy-3", seat=owner))
    if state.grown >> action.area & 1:
        told.append(phrase(phrases.THEN_MARKER_BACK, "destroy-2"))
    return [*told, *_tell_cost(state), *_tell_repeat(new, seat)]


def _tell_reinforce(state: State, new: State, action: Reinforce) -> list[Phrase]:
    seat = state.active
    told = [phrase(phrases.THEN_REINFORCE, "expand-5", area=AREAS[action.area], n=new.armies_available[seat])]
    return [*told, *_tell_cost(state), *_tell_repeat(new, seat)]


def _tell_refound(state: State, new: State, action: Refound) -> list[Phrase]:
    area = action.area if action.area != NO_AREA else legality.home_of(state, state.active)
    return [phrase(phrases.THEN_HOME, "expand-8", area=AREAS[area]), *_tell_entering(state, new)]


def _tell_attack(state: State, new: State) -> list[Phrase]:
    return [phrase(phrases.THEN_ATTACK, "combat-4", seat=army_owner(state, state.target), area=AREAS[state.target])]


def _tell_stop(state: State, new: State) -> list[Phrase]:
    seat = state.active
    return [phrase(phrases.THEN_STOP, "combat-4", n=state.armies_available[seat]), *_tell_repeat(new, seat)]


def _tell_done_expanding(state: State, new: State) -> list[Phrase]:
    return [phrase(phrases.THEN_DONE_EXPANDING, "expand-6", n=state.armies_available[state.active])]


# Passing and bids


def _tell_pass(state: State, new: State) -> list[Phrase]:
    seat = state.active
    told = [phrase(phrases.THEN_PASS, "pass-1")]
    if state.cities[seat] & ~state.grown:
        told.append(phrase(phrases.THEN_GROW_LATER, "growth-1"))
    if not state.passed:
        told.append(phrase(phrases.THEN_OTHERS_PAY, "pass-3"))
    empires_open = legality.empires_to_found(state, seat)
    if empires_open:
        told.append(phrase(phrases.THEN_NO_EMPIRE, "found-2", empires=[EMPIRE_NAMES[empire] for empire in empires_open]))
    if state.workers_available[seat] or state.armies_available[seat]:
        told.append(phrase(phrases.THEN_UNUSED, "turnend-2", n=state.workers_available[seat], m=state.armies_available[seat]))
    lost = {PLACES[place]: count for place, count in decline_of(state, seat).items()}
    if state.turn + 1 in DECLINE_TURNS and lost:
        told.append(phrase(phrases.THEN_DECLINE_NEXT, "decline-1", n=sum(lost.values()), places=lost))
    can_bid = new.phase == BIDDING
    return [*told, phrase(phrases.THEN_CAN_BID, "pass-2") if can_bid else phrase(phrases.THEN_NO_BID, "pass-2")]


def bid_order(state: State) -> tuple[int, ...]:
    """Return the order of play that the bids would give now (order-1, order-2)."""
    return tuple(sorted(state.order, key=lambda seat: -value_of(state.bids, seat)))


def _tell_order(new: State) -> Phrase:
    first, second, third = bid_order(new)
    return phrase(phrases.THEN_ORDER, "order-1", seat=first, second=second, third=third)


def _tell_bid(state: State, new: State, action: Bid) -> list[Phrase]:
    value = value_of(new.bids, state.active)
    return [phrase(phrases.THEN_BID, "pass-2", good=GOODS[action.good], n=value), _tell_order(new)]


def _tell_done_bidding(state: State, new: State) -> list[Phrase]:
    value = value_of(state.bids, state.active)
    if value:
        return [phrase(phrases.THEN_DONE_BIDDING, "pass-2", n=value), _tell_order(state)]
    return [phrase(phrases.THEN_DONE_BIDDING_NONE, "pass-2"), _tell_order(state)]


# Growth


def growth_goods(action: Grow) -> list[str]:
    """Return what a growth costs, as glossary ids."""
    return [GOODS[WOOD]] * GROWTH_WOOD + [GOODS[good] for good in action.luxuries]


def growing_cities(state: State, seat: int) -> list[str]:
    """Return the seat's cities that can grow if it has the wood (growth-1, growth-3)."""
    if not legality.growable(state, seat):
        return []
    return [AREAS[area] for area in legality.AREAS_IN[state.cities[seat] & ~state.grown]]


def _tell_grow(state: State, new: State, action: Grow) -> list[Phrase]:
    points = GROWTH_POINTS[len(action.luxuries)]
    told = [phrase(phrases.THEN_GROW, "growth-2", goods=growth_goods(action), n=points, area=AREAS[action.area])]
    rest = growing_cities(new, state.active)
    if rest:
        return [*told, phrase(phrases.THEN_GROW_MORE, "growth-4", areas=rest)]
    return [*told, phrase(phrases.THEN_GROW_OVER, "growth-4")]


def _tell_done_growing(state: State, new: State) -> list[Phrase]:
    return [phrase(phrases.THEN_DONE_GROWING, "growth-4", areas=growing_cities(state, state.active))]


def _tell_done(state: State, new: State) -> list[Phrase]:
    return _DONE_TELLERS[state.phase](state, new)


_DONE_TELLERS: Final[dict[int, Callable[[State, State], list[Phrase]]]] = {
    PLACING: _tell_done_placing,
    TRADING: _tell_done_trading,
    EXPANDING: _tell_done_expanding,
    BIDDING: _tell_done_bidding,
    GROWING: _tell_done_growing,
}
_PLAIN_TELLERS: Final[dict[str, Callable[[State, State], list[Phrase]]]] = {
    "pass": _tell_pass,
    "done": _tell_done,
    "tool": _tell_tool,
    "ready": _tell_ready,
    "attack": _tell_attack,
    "stop": _tell_stop,
}
_TELLERS: Final[dict[type, Callable[[State, State, Any], list[Phrase]]]] = {
    Plain: _tell_plain,
    Pay: _tell_pay,
    Build: _tell_build,
    Relocate: _tell_relocate,
    Place: _tell_place,
    Scribe: _tell_scribe,
    Trade: _tell_trade,
    Found: _tell_found,
    Recruit: _tell_recruit,
    Equip: _tell_equip,
    Home: _tell_home,
    Garrison: _tell_garrison,
    Invade: _tell_invade,
    Destroy: _tell_destroy,
    Reinforce: _tell_reinforce,
    Refound: _tell_refound,
    Bid: _tell_bid,
    Grow: _tell_grow,
}
