"""Improvements: when they can be played and what they do (history_of_the_world#events)."""

from __future__ import annotations

from games.core.contract import Event
from games.history_of_the_world.actions import OnProvince, Play, Zone
from games.history_of_the_world.battles import remove_fort, ruin
from games.history_of_the_world.components import BARREN, BORDERS, EVENTS, PROVINCES, REGION_MASKS, REGION_OF, ZONE_KIND, ZONES
from games.history_of_the_world.reach import neighbours
from games.history_of_the_world.state import (
    AFTER,
    CONQUEST,
    EFFECT,
    FINISH,
    NO_CARD,
    NOWHERE,
    PREPARE,
    SCORING,
    State,
    all_armies,
    city_pieces,
    provinces_in,
    supply,
)
from games.history_of_the_world.turns import (
    RULE,
    Events,
    build_city,
    build_fort,
    city_sites,
    fort_sites,
    gather,
    go_on_after,
    go_on_conquering,
    go_on_preparing,
)

WINDOWS = (PREPARE, CONQUEST, AFTER, FINISH)
_IN_BATTLE = ("battle_bonus", "reroll_attack", "win_ties", "ignore_defence")
_FOR_ARMIES = ("gain_armies", "gain_siege_tokens", "add_zone")
_FOR_MONUMENTS = ("monument_ratio", "extra_monument")
BARREN_COASTS = 0
for _zone in provinces_in(BARREN):
    BARREN_COASTS |= BORDERS[_zone]


def is_window(state: State) -> bool:
    """Return whether improvements may be played now at all: during the turn, but not in battle or while a kingdom acts (events-1, kingdom-4)."""
    return state.phase in WINDOWS and state.kingdom == NO_CARD


def why_not(state: State, card: int) -> tuple[str, str] | None:
    """Return why the active seat cannot play an improvement now: reason and paragraph; None if it can (events-1, events-3)."""
    event = EVENTS[card]
    effect, phase = event.effect, state.phase
    if effect in _IN_BATTLE or effect in _FOR_ARMIES:
        if phase not in (PREPARE, CONQUEST):
            return "too_late", "events-1"
        if effect == "add_zone" and not free_zones(state, card):
            return "no_zone_left", "events-1"
        return None
    if effect in _FOR_MONUMENTS:
        return ("too_late", "events-1") if phase == FINISH else None
    if effect == "build_forts":
        return None if fort_sites(state) else ("no_fort_site", "forts-2")
    if effect == "build_cities":
        return None if city_sites(state) else ("no_city_site", "cards-4" if city_pieces(state) else "limits-1")
    if effect == "replace_army" and supply(state, state.active) < event.needed:
        return "too_few_in_supply", "events-3"
    if effect in ("remove_army", "replace_army", "ruin") and not first_targets(state, card):
        return "no_target", "events-3"
    return None


def candidates(state: State, card: int) -> int:
    """Return the provinces that an improvement could affect one by one."""
    event = EVENTS[card]
    enemies = all_armies(state) & ~state.armies[state.active]
    if event.effect == "ruin":
        return state.capitals | state.cities | state.monuments | state.forts
    if event.effect == "remove_army":
        return all_armies(state) & ~state.forts
    where = event.params["where"]
    if where == "adjacent_to_active":
        return enemies & neighbours(state.active_armies)
    if where == "next_to_barren":
        return enemies & BARREN_COASTS
    if where == "region_of_active":
        mask = 0
        for province in provinces_in(state.active_armies):
            mask |= REGION_MASKS[REGION_OF[province]]
        return enemies & mask
    return enemies  # in one region: see first_targets


def first_targets(state: State, card: int) -> int:
    """Return the provinces to start with so that the full effect can be carried out (events-3)."""
    found = candidates(state, card)
    count = EVENTS[card].params.get("count", 1)
    if EVENTS[card].params.get("where") == "one_region":
        return sum(found & mask for mask in REGION_MASKS if (found & mask).bit_count() >= count)
    return found if found.bit_count() >= count else 0


def targets_now(state: State) -> int:
    """Return the provinces that can be chosen for the current improvement."""
    card = state.effect_card
    effect = EVENTS[card].effect
    if effect == "build_forts":
        return fort_sites(state)
    if effect == "build_cities":
        return city_sites(state)
    if effect == "add_zone":
        return 0
    is_first = state.effect_left == EVENTS[card].params.get("count", 1)
    if is_first:
        return first_targets(state, card)
    found = candidates(state, card)
    if EVENTS[card].params.get("where") == "one_region":
        found &= REGION_MASKS[REGION_OF[state.target]]
    return found


def free_zones(state: State, card: int) -> int:
    """Return the zones in which an improvement can place a disc."""
    kinds = EVENTS[card].params["kinds"]
    return sum(1 << zone for zone, kind in enumerate(ZONE_KIND) if kind in kinds) & ~state.zones


def play(state: State, action: Play, events: Events) -> None:
    """Play an improvement (events-1)."""
    card = action.card
    seat = state.active
    event = EVENTS[card]
    state.hands[seat] = tuple(held for held in state.hands[seat] if held != card)
    state.played = (*state.played, card)
    if events is not None:
        events.append(Event("played", {"seat": seat, "card": event.name}, RULE + "events-1", reveals=True))
    params = event.params
    if event.effect == "gain_armies":
        armies, tokens = gather(state, params["count"])
        if events is not None:
            events.append(Event("gained", {"seat": seat, "n": armies, "tokens": tokens}, RULE + "events-4"))
    elif event.effect == "gain_siege_tokens":
        state.tokens += params["count"]
        if events is not None:
            events.append(Event("gained", {"seat": seat, "n": 0, "tokens": params["count"]}, RULE + "events-4"))
    elif event.effect in (*_IN_BATTLE, *_FOR_MONUMENTS, "points_for_icons"):
        state.turn_events = (*state.turn_events, card)
    else:
        state.effect_card = card
        state.effect_left = params.get("count", 1)
        state.back = state.phase
        state.phase = EFFECT
        return
    _go_back(state, state.phase, events)


def hit(state: State, action: OnProvince, events: Events) -> None:
    """Apply an improvement to a province."""
    province = action.province
    event = EVENTS[state.effect_card]
    bit = 1 << province
    seat = state.active
    owner = next((other for other in range(state.seats) if state.armies[other] & bit), seat)
    params = {"seat": seat, "other": owner, "province": PROVINCES[province]}
    if event.effect == "build_forts":
        build_fort(state, province, events)
    elif event.effect == "build_cities":
        build_city(state, province, events)
    elif event.effect == "ruin":
        ruin(state, province, events)
        if event.params.get("also_fort"):
            remove_fort(state, province, events)
    else:
        state.armies[owner] &= ~bit
        state.active_armies &= ~bit
        if event.effect == "replace_army":
            state.armies[seat] |= bit
            if events is not None:
                events.append(Event("replaced", params, RULE + "events-5"))
            if event.params["ruin"]:
                ruin(state, province, events)
        elif events is not None:
            events.append(Event("removed", params, RULE + "events-6"))
    state.target = province
    state.effect_left -= 1
    if not state.effect_left or not targets_now(state):
        end_effect(state, events)


def add_zone(state: State, action: Zone, events: Events) -> None:
    """Place a disc in another zone (reach-1)."""
    zone = action.zone
    state.zones |= 1 << zone
    if events is not None:
        events.append(Event("zone_added", {"seat": state.active, "zone": ZONES[zone]}, RULE + "reach-1"))
    end_effect(state, events)


def end_effect(state: State, events: Events) -> None:
    """Go back to the phase in which the improvement was played."""
    state.effect_card = NO_CARD
    state.effect_left = 0
    state.target = NOWHERE
    _go_back(state, state.back, events)


def _go_back(state: State, phase: int, events: Events) -> None:
    state.phase = phase
    if phase == CONQUEST:
        base = state.raid_base
        go_on_conquering(state, events)
        if state.phase == CONQUEST:
            state.raid_base = base
    elif phase == AFTER:
        go_on_after(state, events)
    elif phase == PREPARE:
        go_on_preparing(state, events)
    elif not state.hands[state.active]:
        state.phase = SCORING
