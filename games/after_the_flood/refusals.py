"""Why an action is not allowed now: the reason and the paragraph of the rule book that says so."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from games.after_the_flood import legality
from games.after_the_flood.actions import (
    ATTACK,
    DONE,
    MAKE_TOOL,
    NO_AREA,
    PASS,
    PAY_ARMY,
    PAY_WORKER,
    READY,
    SCORE,
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
    Recruit,
    Refound,
    Reinforce,
    Relocate,
    Roll,
    Scribe,
    Trade,
)
from games.after_the_flood.components import (
    AREAS,
    AVAILABLE,
    EMPIRE_NAMES,
    FIRST_OTHER,
    GOODS,
    GROWTH_WOOD,
    KINDS,
    METAL,
    NEIGHBOURS,
    PLACES,
    SCRIBE_LIMIT,
    SCRIBES,
    SIPPAR,
    SOLD,
    SPOTS,
    SUMER_EMPIRE,
    TOOL_MAKERS,
    WOOD,
)
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    CLOSING,
    END,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    GROWING,
    HOMING,
    MUSTERING,
    NO_EMPIRE,
    PAYING,
    PLACING,
    ROLLING,
    SCORING,
    START,
    TRADING,
    State,
    army_owner,
    cities_left,
    city_owner,
    destroy_cost,
    scribe_room,
    trader_count,
)
from games.core.contract import CHANCE, NO_SEAT, SCORER, IllegalAction

RULE: Final = "after_the_flood#"


def refuse(reason: str, anchor: str, **params: Any) -> NoReturn:
    """Raise IllegalAction with a reason and its paragraph."""
    raise IllegalAction(f"refused.{reason}", RULE + anchor, **params)


def check(state: State, actor: int, action: Action) -> None:
    """Raise IllegalAction, with the paragraph that forbids it, unless `actor` may do `action` now."""
    phase = state.phase
    if phase == END:
        refuse("finished", "end-1")
    if isinstance(action, Order | Roll):
        if actor != CHANCE:
            refuse("not_by_hand", "setup-1" if isinstance(action, Order) else "combat-1")
        if phase != (START if isinstance(action, Order) else ROLLING):
            refuse("no_roll", "combat-1")
        return
    if action is SCORE:
        if actor != SCORER or phase not in (SCORING, CLOSING):
            refuse("not_scoring", "points-1")
        return
    if phase > GROWING:
        refuse("order_first" if phase == START else "dice_first" if phase == ROLLING else "scoring_first", "turn-2")
    if actor != state.active:
        refuse("not_your_turn", "act-1", seat=state.active)
    _CHECKS[phase](state, actor, action)


# By phase


def _check_paying(state: State, seat: int, action: Action) -> None:
    if action is PASS:
        return
    if not isinstance(action, Pay):
        refuse("pay_first", "pass-3")
    what = action.what
    if what == PAY_WORKER:
        if not state.workers_available[seat]:
            refuse("no_worker_available", "pass-3")
    elif what == PAY_ARMY:
        if not state.armies_available[seat]:
            refuse("no_army_available", "pass-3")
    else:
        _check_good(state, seat, what, "pass-3")
    if action not in legality.payments(state, seat):
        refuse("nothing_left_to_do", "pass-6")


def _check_action(state: State, seat: int, action: Action) -> None:
    if action is PASS:
        if state.is_paid:
            refuse("paid_already", "pass-6")
        return
    match action:
        case Build() | Relocate():
            _check_building(state, seat, action)
        case Place() | Scribe():
            _check_workers(state, seat, action)
        case Trade():
            _check_trade(state, seat, action)
        case Found():
            _check_founding(state, seat, action)
        case Invade() | Destroy() | Reinforce() | Refound():
            _check_expansion(state, seat, action, 0)
        case _:
            if action is MAKE_TOOL:
                _check_tool(state, seat)
            elif isinstance(action, Pay):
                refuse("nothing_to_pay", "pass-3")
            else:
                refuse("choose_action", "act-2")


def _check_placing(state: State, seat: int, action: Action) -> None:
    if isinstance(action, Place | Scribe):
        _check_workers(state, seat, action)
    elif action is not DONE:
        refuse("placing_first", "place-1")


def _check_trading(state: State, seat: int, action: Action) -> None:
    if isinstance(action, Trade):
        _check_trade(state, seat, action)
    elif action is MAKE_TOOL:
        _check_tool(state, seat)
    elif action is not DONE:
        refuse("trading_first", "trade-1")


def _check_mustering(state: State, seat: int, action: Action) -> None:
    if isinstance(action, Recruit):
        if state.phase != MUSTERING:
            refuse("equipping_begun", "found-6")
        _check_good(state, seat, action.good, "found-6")
        if not legality.can_recruit(state, seat, action.good):
            refuse("no_army_in_reserve", "found-6")
    elif isinstance(action, Equip):
        _check_good(state, seat, action.good, "equip-1")
    elif action is not READY:
        refuse("empire_first", "found-6")


def _check_homing(state: State, seat: int, action: Action) -> None:
    if not isinstance(action, Home):
        refuse("home_first", "found-4")


def _check_garrison(state: State, seat: int, action: Action) -> None:
    if not isinstance(action, Garrison):
        refuse("garrison_first", "found-8")
    if action.count > state.armies_available[seat]:
        refuse("too_few_armies", "found-8", n=action.count, held=state.armies_available[seat])


def _check_attack(state: State, seat: int, action: Action) -> None:
    if action is not ATTACK and action is not STOP:
        refuse("attack_first", "combat-4", area=AREAS[state.target])


def _check_expanding(state: State, seat: int, action: Action) -> None:
    if isinstance(action, Invade | Destroy | Reinforce | Refound):
        _check_expansion(state, seat, action, 1)
    elif action is not DONE:
        refuse("expanding_first", "expand-6")


def _check_bidding(state: State, seat: int, action: Action) -> None:
    if isinstance(action, Bid):
        _check_good(state, seat, action.good, "pass-2")
    elif action is not DONE:
        refuse("bidding_first", "pass-2")


def _check_growing(state: State, seat: int, action: Action) -> None:
    if action is DONE:
        return
    if not isinstance(action, Grow):
        refuse("growing_first", "growth-1")
    if not legality.growable(state, seat) >> action.area & 1:
        if not state.cities[seat] >> action.area & 1:
            refuse("no_own_city", "growth-1", area=AREAS[action.area])
        if state.grown >> action.area & 1:
            refuse("grown_already", "growth-3", area=AREAS[action.area])
        refuse("too_little_wood", "growth-1", n=GROWTH_WOOD, held=state.goods[seat * KINDS + WOOD])
    for good in action.luxuries:
        _check_good(state, seat, good, "growth-1")


_CHECKS: Final = {
    PAYING: _check_paying,
    ACTION: _check_action,
    PLACING: _check_placing,
    TRADING: _check_trading,
    MUSTERING: _check_mustering,
    EQUIPPING: _check_mustering,
    HOMING: _check_homing,
    GARRISONING: _check_garrison,
    ATTACKING: _check_attack,
    EXPANDING: _check_expanding,
    BIDDING: _check_bidding,
    GROWING: _check_growing,
}


# By action


def _check_good(state: State, seat: int, good: int, anchor: str) -> None:
    if not state.goods[seat * KINDS + good]:
        refuse("good_not_held", anchor, good=GOODS[good])


def _check_building(state: State, seat: int, action: Build | Relocate) -> None:
    if isinstance(action, Build):
        area = action.area
        if not cities_left(state, seat):
            refuse("no_city_left", "build-3")
    else:
        area = action.target
        if cities_left(state, seat):
            refuse("city_left", "build-3", n=cities_left(state, seat))
        if not state.cities[seat] >> action.source & 1:
            refuse("no_own_city", "build-3", area=AREAS[action.source])
        if action.source == area:
            refuse("same_area", "build-3", area=AREAS[area])
    if not legality.free_areas(state, seat) >> area & 1:
        owner = city_owner(state, area)
        if owner != NO_SEAT:
            refuse("city_there", "build-2", area=AREAS[area], seat=owner)
        refuse("enemy_army_there", "build-2", area=AREAS[area], seat=army_owner(state, area))


def _check_workers(state: State, seat: int, action: Place | Scribe) -> None:
    room = scribe_room(state, seat)
    if isinstance(action, Place):
        if state.is_placed:
            refuse("placed_already", "place-1")
        _check_good(state, seat, action.good, "place-1")
        if action.count > state.workers_available[seat]:
            refuse("too_few_workers", "place-1", n=action.count, held=state.workers_available[seat])
        if action.place == SCRIBES and action.count > room:
            refuse("too_many_scribes", "scribes-2", n=SCRIBE_LIMIT)
        return
    if not state.usable:
        unused = state.workers[seat * SPOTS + SCRIBES]
        refuse("new_scribe" if unused else "no_scribe", "scribes-5" if unused else "scribes-1")
    if action.source not in legality.scribe_sources(state, seat):
        if action.source == AVAILABLE:
            refuse("no_worker_available", "scribes-1")
        refuse("no_worker_there", "scribes-3", place=PLACES[action.source])
    if action.target not in legality.SCRIBE_TARGETS[room > 0][action.source]:
        refuse("too_many_scribes", "scribes-2", n=SCRIBE_LIMIT)


def _check_trade(state: State, seat: int, action: Trade) -> None:
    place = action.place
    area = PLACES[place]
    traders = trader_count(state, seat, place)
    if not traders:
        owner = army_owner(state, place + FIRST_OTHER)
        if owner not in (NO_SEAT, seat):
            refuse("army_blocks_trade", "trade-5", area=area, seat=owner)
        refuse("no_trader", "trade-1", area=area)
    slot = SOLD[place].index(action.get)
    if not legality.open_slots(state, seat, place) >> slot & 1:
        if (state.traded[place] & 7) >= traders:
            refuse("traders_used", "trade-2", area=area, n=traders)
        has_city = bool(state.cities[seat] >> SIPPAR & 1)
        refuse("good_taken", "trade-7" if has_city else "trade-2", area=area, good=GOODS[action.get])
    if state.stock[action.get] <= 0:
        refuse("good_out_of_stock", "trade-4", good=GOODS[action.get])
    _check_good(state, seat, action.give, "trade-3")


def _check_tool(state: State, seat: int) -> None:
    _check_good(state, seat, METAL, "tools-1")
    if not state.workers[seat * SPOTS + TOOL_MAKERS]:
        refuse("no_tool_maker", "tools-1")
    if not legality.is_tool_possible(state, seat):
        refuse("no_tool_left", "tools-3")


def _check_founding(state: State, seat: int, action: Found) -> None:
    if action.empire in legality.empires_to_found(state, seat):
        return
    offered = {empire: home for empire, home, _ in legality.OFFERED[state.turn]}
    name = EMPIRE_NAMES[action.empire]
    if state.empires[seat] != NO_EMPIRE:
        refuse("empire_founded", "found-2", empire=EMPIRE_NAMES[state.empires[seat]])
    if action.empire not in offered:
        refuse("empire_not_now", "found-1", empire=name, n=state.turn)
    if action.empire in state.empires:
        refuse("empire_taken", "found-2", empire=name, seat=state.empires.index(action.empire))
    home = offered[action.empire]
    own = state.workers[seat * SPOTS + home - FIRST_OTHER]
    refuse("others_have_more" if own else "no_worker_at_home", "found-3", area=AREAS[home])


def _check_expansion(state: State, seat: int, action: Invade | Destroy | Reinforce | Refound, cost: int) -> None:
    if action in legality.expansions(state, seat, cost):
        return
    if state.empires[seat] == NO_EMPIRE:
        refuse("no_empire", "expand-1")
    own = state.armies[seat]
    if isinstance(action, Refound):
        if own:
            refuse("armies_on_map", "expand-8")
        is_sumer = legality.home_of(state, seat) == SUMER_EMPIRE
        if is_sumer == (action.area == NO_AREA):
            refuse("refound_where" if is_sumer else "refound_home", "expand-8")
    elif not own:
        refuse("home_lost", "expand-8")
    held = state.armies_available[seat]
    if isinstance(action, Refound) or held <= cost:
        refuse("repeat_too_dear" if cost else "no_army_available", "expand-6" if cost else "expand-1", held=held)
    area = action.area
    if isinstance(action, Invade):
        if own >> area & 1:
            refuse("own_army_there", "expand-2", area=AREAS[area])
        is_open = any(mask >> area & 1 for mask in NEIGHBOURS)
        refuse("not_a_neighbour" if is_open else "never_invaded", "expand-2" if is_open else "expand-4", area=AREAS[area])
    if not own >> area & 1:
        refuse("no_own_army_there", "destroy-1" if isinstance(action, Destroy) else "expand-5", area=AREAS[area])
    if isinstance(action, Reinforce):
        refuse("two_armies_there", "expand-5", area=AREAS[area])
    owner = city_owner(state, area)
    if owner in (NO_SEAT, seat):
        refuse("no_city_there" if owner == NO_SEAT else "own_city", "destroy-1", area=AREAS[area])
    needed = destroy_cost(state, owner)
    refuse("destroy_too_dear", "destroy-1" if needed == 2 else "destroy-3", n=needed, held=held - cost)
