"""The answers to a question, what they do, and the button (act-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.after_the_flood import legality
from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import (
    NO_AREA,
    PAYMENTS,
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
    BOXES,
    EMPIRE_NAMES,
    ERIDU,
    FIRST_OTHER,
    GOODS,
    GROWTH_POINTS,
    KINDS,
    METAL,
    NIPPUR,
    PLACES,
    SCRIBES,
    SHURUPPAK,
    SIPPAR,
    SPOTS,
    SUMER_EMPIRE,
    SYMBOLS,
    UR,
    URUK,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
    VALUES,
)
from games.after_the_flood.previews import growth_goods
from games.after_the_flood.prompt_facts import after, exchanges_left, fight_at, is_extra, is_held, phrase, rating_of, standing
from games.after_the_flood.prompt_places import area_target, spot_target
from games.after_the_flood.state import (
    BIDDING,
    EXPANDING,
    GROWING,
    PLACING,
    ROLLING,
    SCORING,
    TRADING,
    State,
    city_owner,
    destroy_cost,
    value_of,
)
from games.core.asking import Said, Step
from games.core.contract import Option, Phrase

# Answers


def option_of(state: State, node: str, step: Step[Action], is_chosen: bool) -> Option:
    """Return an answer: a step of the question at `node`."""
    return _SAYERS[type(step.action)](state, node, step).option(step.text, is_chosen, _is_irreversible(state, step))


def _is_irreversible(state: State, step: Step[Action]) -> bool:
    """Return whether dice or the turn's scoring follow at once, or nothing more can be done this turn."""
    if step.text != str(step.action) or len(step.below) > 1 or isinstance(step.action, Place | Scribe | Trade):
        return False
    return step.text == "pass" or after(state, step.action).phase in (ROLLING, SCORING)


def _symbol(name: str) -> str | None:
    return SYMBOLS.get(name)


def _is_first(node: str, step: Step[Action]) -> bool:
    """Return whether a step names only the kind of an action, such as "build"."""
    return not node and " " not in step.text


def _build(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Build)
    if _is_first(node, step):
        label = phrase(phrases.OPTION_BUILD, "build-1", n=len(step.below))
        return Said(label, SYMBOLS["city"], group=phrase(phrases.GROUP_CITIES, "build-1"))
    return _city_said(state, step, step.action.area)


def _city_said(state: State, step: Step[Action], area: int) -> Said:
    text, anchor = _CITY_LABELS.get(area, (phrases.OPTION_CITY, "cities-8"))
    if area in _CITY_WORKERS:
        box, without = _CITY_WORKERS[area]
        at = state.active * SPOTS + box
        if after(state, step.action).workers[at] == state.workers[at]:
            text, anchor = without, "cities-10"
    return Said(phrase(text, anchor, area=AREAS[area]), SYMBOLS["city"], area_target(area))


_CITY_LABELS: Final = {
    SIPPAR: (phrases.OPTION_CITY_SIPPAR, "cities-6"),
    BABYLON: (phrases.OPTION_CITY_BABYLON, "cities-7"),
    NIPPUR: (phrases.OPTION_CITY_NIPPUR, "cities-5"),
    SHURUPPAK: (phrases.OPTION_CITY_SHURUPPAK, "cities-3"),
    URUK: (phrases.OPTION_CITY_URUK, "cities-2"),
    UR: (phrases.OPTION_CITY_UR, "cities-4"),
    ERIDU: (phrases.OPTION_CITY_ERIDU, "cities-1"),
}
_CITY_WORKERS: Final = {
    URUK: (SCRIBES, phrases.OPTION_CITY_URUK_NONE),
    ERIDU: (PLACES.index("tool_makers"), phrases.OPTION_CITY_ERIDU_NONE),
}


def _relocate(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Relocate)
    if _is_first(node, step):
        return Said(phrase(phrases.OPTION_RELOCATE, "build-3"), SYMBOLS["city"], group=phrase(phrases.GROUP_CITIES, "build-1"))
    if node == "relocate":
        area = step.action.source
        text = phrases.OPTION_MOVE_GROWN if state.grown >> area & 1 else phrases.OPTION_MOVE_CITY
        return Said(phrase(text, "build-3", area=AREAS[area]), SYMBOLS["city"], area_target(area))
    return _city_said(state, step, step.action.target)


def _place(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Place)
    seat = state.active
    if not node:
        good = GOODS[action.good]
        most = min(VALUES[action.good], state.workers_available[seat])
        label = phrase(phrases.OPTION_PLACE, "place-1", good=good, n=most)
        group = phrase(phrases.GROUP_WORKERS, "place-1")
        return Said(label, _symbol(good), f"good-{good}", group, state.goods[seat * KINDS + action.good])
    if len(node.split(" ")) == 2:
        return _place_said(state, action.place)
    return Said(phrase(phrases.OPTION_COUNT, "place-3", n=action.count), SYMBOLS["worker"], number=action.count)


def _place_said(state: State, place: int) -> Said:
    label = phrase(phrases.OPTION_PLACE_AT, "place-2", place=PLACES[place], **standing(state, state.active, place))
    return Said(label, _place_symbol(place), spot_target(place), _place_group(place))


def _place_symbol(place: int) -> str | None:
    return _symbol(PLACES[place].removeprefix("used_")) or SYMBOLS["worker"]


def _place_group(spot: int) -> Phrase:
    if spot == AVAILABLE:
        return phrase(phrases.GROUP_AVAILABLE, "scribes-3")
    if PLACES[spot] in BOXES:
        return phrase(phrases.GROUP_BOXES, "components-4")
    return phrase(phrases.GROUP_OUTSIDE, "components-3")


def _scribe(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Scribe)
    seat = state.active
    if not node:
        label = phrase(phrases.OPTION_SCRIBE, "scribes-1", n=state.usable)
        return Said(label, SYMBOLS["scribes"], group=phrase(phrases.GROUP_SCRIBES, "scribes-1"))
    available = state.workers_available[seat]
    spot = action.source if node == "scribe" else action.target
    if spot == AVAILABLE:
        text = phrases.OPTION_FROM_AVAILABLE if node == "scribe" else phrases.OPTION_TO_AVAILABLE
        return Said(phrase(text, "scribes-3", n=available), SYMBOLS["worker"], spot_target(spot), _place_group(spot))
    if node != "scribe":
        return _place_said(state, spot)
    count = state.workers[seat * SPOTS + spot]
    if spot == SCRIBES:
        count -= 1  # the scribe at work is on the used side
    elif spot == USED_SCRIBES:
        count += 1
    label = phrase(
        phrases.OPTION_FROM, "scribes-4" if spot in (USED_SCRIBES, USED_TOOL_MAKERS) else "scribes-3", place=PLACES[spot], n=count
    )
    return Said(label, _place_symbol(spot), spot_target(spot), _place_group(spot))


def _trade(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Trade)
    seat = state.active
    group = phrase(phrases.GROUP_TRADE, "trade-1")
    below = [trade for trade in step.below if isinstance(trade, Trade)]
    if _is_first(node, step):
        areas = [PLACES[place] for place in dict.fromkeys(trade.place for trade in below)]
        return Said(phrase(phrases.OPTION_TRADE, "trade-1", areas=areas), group=group)
    if step.text != str(action):
        goods = [GOODS[good] for good in dict.fromkeys(trade.get for trade in below)]
        left = exchanges_left(state, seat, action.place) + int(state.cities[seat] >> SIPPAR & 1 and not state.bonus_used)
        label = phrase(phrases.OPTION_TRADE_AREA, "trade-2", area=PLACES[action.place], goods=goods, n=left)
        return Said(label, _symbol(goods[0]), area_target(action.place + FIRST_OTHER), group)
    text, anchor = (phrases.OPTION_EXCHANGE_EXTRA, "trade-7") if is_extra(state, action) else (phrases.OPTION_EXCHANGE, "trade-3")
    label = phrase(text, anchor, get=GOODS[action.get], give=GOODS[action.give], n=state.stock[action.get])
    return Said(label, _symbol(GOODS[action.get]), f"good-{GOODS[action.give]}")


def _plain(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Plain)
    return _PLAIN_SAYERS[step.action.verb](state)


def _tool(state: State) -> Said:
    label = phrase(phrases.OPTION_TOOL, "tools-1", n=state.goods[state.active * KINDS + METAL])
    return Said(label, SYMBOLS["tool_makers"], "box-tool_makers", phrase(phrases.GROUP_TRADE, "trade-1"))


def _pass(state: State) -> Said:
    return Said(phrase(phrases.OPTION_PASS, "pass-1"), SYMBOLS["pass_bid"], group=phrase(phrases.GROUP_PASS, "pass-1"))


def _ready(state: State) -> Said:
    value = value_of(state.equipment, state.active)
    label = phrase(phrases.OPTION_READY, "equip-2", n=value, rating=rating_of(state, value))
    return Said(label, SYMBOLS["empire"], group=phrase(phrases.GROUP_FINISH, "found-7"))


def _attack(state: State) -> Said:
    told = fight_at(state, state.target)
    label = phrase(phrases.OPTION_ATTACK, "combat-1", need=told["need"], percent=told["percent"])
    return Said(label, SYMBOLS["army"], area_target(state.target))


def _stop(state: State) -> Said:
    return Said(phrase(phrases.OPTION_STOP, "combat-4", n=state.armies_available[state.active]))


def _done(state: State) -> Said:
    seat = state.active
    group = phrase(phrases.GROUP_FINISH, "act-1")
    if state.phase == BIDDING:
        return Said(phrase(phrases.OPTION_DONE_BIDDING, "pass-2", n=value_of(state.bids, seat)), SYMBOLS["pass_bid"], group=group)
    if state.phase == EXPANDING:
        return Said(phrase(phrases.OPTION_DONE_EXPANDING, "expand-6", n=state.armies_available[seat]), group=group)
    text, anchor = _DONE[state.phase]
    return Said(phrase(text, anchor), group=group)


_DONE: Final = {
    PLACING: (phrases.OPTION_DONE_PLACING, "place-5"),
    TRADING: (phrases.OPTION_DONE_TRADING, "trade-1"),
    GROWING: (phrases.OPTION_DONE_GROWING, "growth-4"),
}


def _found(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Found)
    seat = state.active
    new = after(state, action)
    name = EMPIRE_NAMES[action.empire]
    count = new.armies_available[seat] - state.armies_available[seat]
    home = legality.home_of(new, seat)
    group = phrase(phrases.GROUP_EMPIRE, "found-1")
    if home == SUMER_EMPIRE:
        label = phrase(phrases.OPTION_FOUND, "found-4", empire=name, n=count)
    else:
        leaving = state.workers[seat * SPOTS + home - FIRST_OTHER]
        label = phrase(phrases.OPTION_FOUND_LEAVE, "found-5", empire=name, n=count, m=leaving)
    return Said(label, SYMBOLS["empire"], f"empire-{name}", group)


def _recruit(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Recruit)
    seat = state.active
    good = GOODS[action.good]
    count = after(state, action).armies_available[seat] - state.armies_available[seat]
    label = phrase(phrases.OPTION_RECRUIT, "found-6", good=good, n=count)
    held = state.goods[seat * KINDS + action.good]
    return Said(label, _symbol(good), None, phrase(phrases.GROUP_RECRUIT, "found-6"), held)  # the piece is taken for equipment


def _equip(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Equip)
    seat = state.active
    good = GOODS[action.good]
    value = value_of(state.equipment, seat) + VALUES[action.good]
    label = phrase(phrases.OPTION_EQUIP, "equip-2", good=good, n=value, rating=rating_of(state, value))
    held = state.goods[seat * KINDS + action.good]
    return Said(label, _symbol(good), f"good-{good}", phrase(phrases.GROUP_EQUIP, "equip-1"), held)


def _area_said(state: State, area: int) -> Said:
    """Return an area that armies would enter: that it is empty, or what it takes to win it."""
    if is_held(state, area):
        label = phrase(phrases.OPTION_FIGHT, "combat-1", area=AREAS[area], **fight_at(state, area))
        return Said(label, SYMBOLS["army"], area_target(area), phrase(phrases.GROUP_FIGHT, "combat-1"))
    label = phrase(phrases.OPTION_EMPTY, "expand-3", area=AREAS[area])
    return Said(label, SYMBOLS["army"], area_target(area), phrase(phrases.GROUP_EMPTY, "expand-3"))


def _home(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Home)
    return _area_said(state, step.action.area)


def _garrison(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Garrison)
    count = step.action.count
    left = state.armies_available[state.active] - count
    return Said(phrase(phrases.OPTION_GARRISON, "found-8", n=count, m=left), SYMBOLS["army"], number=count)


def _group_expansion(state: State) -> Phrase:
    if state.phase == EXPANDING:
        return phrase(phrases.GROUP_AGAIN, "expand-6")
    return phrase(phrases.GROUP_EXPANSION, "expand-1")


def _invade(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Invade)
    if not node:
        label = phrase(phrases.OPTION_INVADE, "expand-2", n=len(step.below))
        return Said(label, SYMBOLS["army"], group=_group_expansion(state))
    return _area_said(state, step.action.area)


def _destroy(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Destroy)
    if not node:
        label = phrase(phrases.OPTION_DESTROY, "destroy-1", areas=_areas(step))
        return Said(label, SYMBOLS["city"], group=_group_expansion(state))
    area = step.action.area
    owner = city_owner(state, area)
    label = phrase(phrases.OPTION_DESTROY_CITY, "destroy-1", area=AREAS[area], seat=owner, n=destroy_cost(state, owner))
    return Said(label, SYMBOLS["city"], area_target(area))


def _areas(step: Step[Action]) -> list[str]:
    return [AREAS[action.area] for action in step.below if isinstance(action, Destroy | Reinforce)]


def _reinforce(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Reinforce)
    if not node:
        label = phrase(phrases.OPTION_REINFORCE, "expand-5", areas=_areas(step))
        return Said(label, SYMBOLS["army"], group=_group_expansion(state))
    area = step.action.area
    return Said(phrase(phrases.OPTION_REINFORCE_AREA, "expand-5", area=AREAS[area]), SYMBOLS["army"], area_target(area))


def _refound(state: State, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Refound)
    if node:
        return _area_said(state, step.action.area)
    if step.action.area != NO_AREA:
        label = phrase(phrases.OPTION_REFOUND_SUMER, "expand-8")
        return Said(label, SYMBOLS["empire"], group=_group_expansion(state))
    home = legality.home_of(state, state.active)
    said = _area_said(state, home)
    label = said.label if is_held(state, home) else phrase(phrases.OPTION_REFOUND, "expand-8", area=AREAS[home])
    return Said(label, SYMBOLS["empire"], said.target, _group_expansion(state))


def _pay(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Pay)
    seat = state.active
    what = PAYMENTS[action.what]
    held = {"worker": state.workers_available[seat], "army": state.armies_available[seat]}
    count = held[what] if what in held else state.goods[seat * KINDS + action.what]
    target = {"worker": "available", "army": None}.get(what, f"good-{what}")
    return Said(phrase(phrases.OPTION_PAY, "pass-3", what=what), _symbol(what), target, phrase(phrases.GROUP_PAY, "pass-3"), count)


def _bid(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Bid)
    seat = state.active
    good = GOODS[action.good]
    label = phrase(phrases.OPTION_BID, "pass-2", good=good, n=value_of(state.bids, seat) + VALUES[action.good])
    held = state.goods[seat * KINDS + action.good]
    return Said(label, _symbol(good), f"good-{good}", phrase(phrases.GROUP_BID, "pass-2"), held)


def _grow(state: State, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Grow)
    if node:
        points = GROWTH_POINTS[len(action.luxuries)]
        return Said(phrase(phrases.OPTION_GROW_WITH, "growth-2", n=points, goods=growth_goods(action)), SYMBOLS["growth_marker"])
    most = max(len(grow.luxuries) for grow in step.below if isinstance(grow, Grow))
    label = phrase(phrases.OPTION_GROW, "growth-2", area=AREAS[action.area], n=GROWTH_POINTS[most])
    return Said(label, SYMBOLS["city"], area_target(action.area), phrase(phrases.GROUP_SUMER, "growth-1"))


_PLAIN_SAYERS: Final[dict[str, Callable[[State], Said]]] = {
    "tool": _tool,
    "pass": _pass,
    "ready": _ready,
    "attack": _attack,
    "stop": _stop,
    "done": _done,
}
_SAYERS: Final[dict[type, Callable[[State, str, Step[Action]], Said]]] = {
    Plain: _plain,
    Pay: _pay,
    Build: _build,
    Relocate: _relocate,
    Place: _place,
    Scribe: _scribe,
    Trade: _trade,
    Found: _found,
    Recruit: _recruit,
    Equip: _equip,
    Home: _home,
    Garrison: _garrison,
    Invade: _invade,
    Destroy: _destroy,
    Reinforce: _reinforce,
    Refound: _refound,
    Bid: _bid,
    Grow: _grow,
}


# The button


def confirm_of(state: State, action: Action) -> Phrase:
    """Return what the button says."""
    if isinstance(action, Place | Garrison):
        return phrase(phrases.CONFIRM_PLACE if isinstance(action, Place) else phrases.CONFIRM_GARRISON, n=action.count)
    if isinstance(action, Invade) and is_held(state, action.area):
        return phrase(phrases.CONFIRM_ROLL)
    if isinstance(action, Scribe):
        return phrase(phrases.CONFIRM_SCRIBE_PLACE if action.source == AVAILABLE else phrases.CONFIRM_SCRIBE_MOVE)
    return phrase(_CONFIRM[str(action).split(" ", 1)[0]])


_CONFIRM: Final[dict[str, Any]] = {
    "build": phrases.CONFIRM_BUILD,
    "relocate": phrases.CONFIRM_RELOCATE,
    "trade": phrases.CONFIRM_TRADE,
    "tool": phrases.CONFIRM_TOOL,
    "found": phrases.CONFIRM_FOUND,
    "recruit": phrases.CONFIRM_RECRUIT,
    "equip": phrases.CONFIRM_EQUIP,
    "ready": phrases.CONFIRM_READY,
    "home": phrases.CONFIRM_HOME,
    "invade": phrases.CONFIRM_INVADE,
    "attack": phrases.CONFIRM_ROLL,
    "destroy": phrases.CONFIRM_DESTROY,
    "reinforce": phrases.CONFIRM_REINFORCE,
    "refound": phrases.CONFIRM_REFOUND,
    "stop": phrases.CONFIRM_STOP,
    "pay": phrases.CONFIRM_PAY,
    "pass": phrases.CONFIRM_PASS,
    "bid": phrases.CONFIRM_BID,
    "grow": phrases.CONFIRM_GROW,
    "done": phrases.CONFIRM_DONE,
}
