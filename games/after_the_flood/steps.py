"""What a seat's actions do: cities, workers, scribes, trade, tools (build, place, scribes, trade, tools, cities)."""

from __future__ import annotations

from games.after_the_flood import legality
from games.after_the_flood.actions import (
    PAY_ARMY,
    PAY_WORKER,
    PAYMENTS,
    SPOT_NAMES,
    Build,
    Pay,
    Place,
    Relocate,
    Scribe,
    Trade,
)
from games.after_the_flood.components import (
    AREAS,
    AVAILABLE,
    ERIDU,
    GOODS,
    METAL,
    PLACES,
    SCRIBES,
    SOLD,
    SPOTS,
    TOOL,
    TOOL_MAKERS,
    URUK,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
)
from games.after_the_flood.state import ACTION, PLACING, TRADING, State, scribe_room, trader_count
from games.after_the_flood.turns import RULE, Events, end_action, gain, spend
from games.core.contract import Event


def pay(state: State, action: Pay, events: Events) -> None:
    """Pay for an action after somebody has passed; then act (pass-3)."""
    seat = state.active
    what = action.what
    if what == PAY_WORKER:
        state.workers_available[seat] -= 1
        state.reserve[seat] += 1
    elif what == PAY_ARMY:
        state.armies_available[seat] -= 1
        state.armies_reserve[seat] += 1
    else:
        spend(state, seat, what)
    state.is_paid = True
    state.phase = ACTION
    if events is not None:
        events.append(Event("paid", {"seat": seat, "what": PAYMENTS[what]}, RULE + "pass-3"))


def build(state: State, action: Build, events: Events) -> None:
    """Build a city (build-1)."""
    _found_city(state, action.area)
    if events is not None:
        events.append(Event("built", {"seat": state.active, "area": AREAS[action.area]}, RULE + "build-1"))
    _welcome(state, action.area, events)


def relocate(state: State, action: Relocate, events: Events) -> None:
    """Pick up a city with its growth marker and build it elsewhere (build-3)."""
    bit = 1 << action.source
    state.cities[state.active] &= ~bit
    state.grown &= ~bit
    _found_city(state, action.target)
    if events is not None:
        params = {"seat": state.active, "source": AREAS[action.source], "area": AREAS[action.target]}
        events.append(Event("relocated", params, RULE + "build-3"))
    _welcome(state, action.target, events)


def _found_city(state: State, area: int) -> None:
    state.cities[state.active] |= 1 << area


def _welcome(state: State, area: int, events: Events) -> None:
    """Place the free worker of Uruk or Eridu, then end the action (cities-1, cities-2)."""
    seat = state.active
    box = SCRIBES if area == URUK else TOOL_MAKERS if area == ERIDU else None
    if box is not None and state.reserve[seat] and (box != SCRIBES or scribe_room(state, seat)):
        state.reserve[seat] -= 1
        state.workers[seat * SPOTS + box] += 1
        if events is not None:
            params = {"seat": seat, "area": AREAS[area], "place": PLACES[box]}
            events.append(Event("free_worker", params, RULE + ("cities-2" if box == SCRIBES else "cities-1")))
    end_action(state, events)


def place(state: State, action: Place, events: Events) -> None:
    """Spend a good and place workers in one place (place-1)."""
    seat = state.active
    spend(state, seat, action.good)
    state.workers_available[seat] -= action.count
    state.workers[seat * SPOTS + action.place] += action.count
    state.is_placed = True
    if events is not None:
        params = {"seat": seat, "good": GOODS[action.good], "n": action.count, "place": PLACES[action.place]}
        events.append(Event("placed", params, RULE + "place-1"))
    _go_on_placing(state, events)


def use_scribe(state: State, action: Scribe, events: Events) -> None:
    """Turn a scribe to the used side and place or move one worker (scribes-1, scribes-3, scribes-4)."""
    seat = state.active
    workers, at = state.workers, seat * SPOTS
    workers[at + SCRIBES] -= 1
    workers[at + USED_SCRIBES] += 1
    state.usable -= 1
    for spot, change in ((action.source, -1), (action.target, 1)):
        if spot == AVAILABLE:
            state.workers_available[seat] += change
        else:
            workers[at + spot] += change
    state.usable = min(state.usable, workers[at + SCRIBES])
    if events is not None:
        params = {"seat": seat, "source": SPOT_NAMES[action.source], "target": SPOT_NAMES[action.target]}
        events.append(Event("scribe_placed" if action.source == AVAILABLE else "scribe_moved", params, RULE + "scribes-1"))
    _go_on_placing(state, events)


def _go_on_placing(state: State, events: Events) -> None:
    """Ask for more workers while a scribe or the action's good can still place some."""
    seat = state.active
    if state.usable or (not state.is_placed and legality.placings(state, seat)):
        state.phase = PLACING
    else:
        end_action(state, events)


def trade(state: State, action: Trade, events: Events) -> None:
    """Exchange a good; with no free trader, or for a good already taken there, use Sippar's extra exchange (trade-2, trade-7)."""
    seat = state.active
    used = state.traded[action.place]
    sign = 8 << SOLD[action.place].index(action.get)
    is_extra = (used & 7) >= trader_count(state, seat, action.place) or bool(used & sign)
    if is_extra:
        state.bonus_used = True
        state.traded[action.place] = used | sign
    else:
        state.traded[action.place] = (used + 1) | sign
    spend(state, seat, action.give)
    gain(state, seat, action.get)
    if events is not None:
        params = {"seat": seat, "get": GOODS[action.get], "give": GOODS[action.give], "place": PLACES[action.place]}
        events.append(Event("traded_extra" if is_extra else "traded", params, RULE + ("trade-7" if is_extra else "trade-2")))
    _go_on_trading(state, events)


def make_tool(state: State, events: Events) -> None:
    """Turn a metal into a tool with a tool maker (tools-1)."""
    seat = state.active
    at = seat * SPOTS
    spend(state, seat, METAL)
    gain(state, seat, TOOL)
    state.workers[at + TOOL_MAKERS] -= 1
    state.workers[at + USED_TOOL_MAKERS] += 1
    if events is not None:
        events.append(Event("made_tool", {"seat": seat}, RULE + "tools-1"))
    _go_on_trading(state, events)


def _go_on_trading(state: State, events: Events) -> None:
    seat = state.active
    if legality.is_tool_possible(state, seat) or legality.exchanges(state, seat):
        state.phase = TRADING
    else:
        end_action(state, events)
