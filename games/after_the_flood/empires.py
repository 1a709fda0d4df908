"""Empires: founding, equipment, homes, invasions and their dice, destruction, reinforcement (found, equip, expand, combat, destroy)."""

from __future__ import annotations

from games.after_the_flood import legality
from games.after_the_flood.actions import Destroy, Equip, Found, Garrison, Home, Invade, Recruit, Refound, Reinforce, Roll
from games.after_the_flood.components import (
    AREAS,
    BABYLON,
    BABYLON_ARMIES,
    EMPIRE_NAMES,
    FIRST_OTHER,
    GOODS,
    KINDS,
    NEED_INFERIOR,
    NEED_SUPERIOR,
    RATINGS,
    RECRUITS,
    SPOTS,
    SUMER_EMPIRE,
)
from games.after_the_flood.state import (
    ATTACKING,
    EQUIPPING,
    EXPANDING,
    FOUNDING,
    GARRISONING,
    HOMING,
    INVASION,
    MUSTERING,
    NO_AREA,
    REFOUNDING,
    ROLLING,
    State,
    army_owner,
    city_owner,
    destroy_cost,
    is_better_equipped,
    value_of,
)
from games.after_the_flood.turns import RULE, Events, end_action, spend
from games.core.contract import NO_SEAT, Event


def found(state: State, action: Found, events: Events) -> None:
    """Take the armies of an empire, two more with Babylon, as far as the reserve allows (found-5)."""
    seat = state.active
    armies = next(armies for empire, _, armies in legality.OFFERED[state.turn] if empire == action.empire)
    if state.cities[seat] >> BABYLON & 1:
        armies += BABYLON_ARMIES
    state.empires[seat] = action.empire
    count = _take_armies(state, seat, armies)
    state.phase = MUSTERING
    if events is not None:
        events.append(Event("founded", {"seat": seat, "empire": EMPIRE_NAMES[action.empire], "n": count}, RULE + "found-5"))


def _take_armies(state: State, seat: int, count: int) -> int:
    count = min(count, state.armies_reserve[seat])
    state.armies_reserve[seat] -= count
    state.armies_available[seat] += count
    return count


def lose_armies(state: State, seat: int, count: int) -> None:
    """Put available armies of a seat back into the reserve."""
    state.armies_available[seat] -= count
    state.armies_reserve[seat] += count


def recruit(state: State, action: Recruit, events: Events) -> None:
    """Spend a good for more armies; armies that the reserve lacks are lost (found-6)."""
    seat = state.active
    spend(state, seat, action.good)
    count = _take_armies(state, seat, RECRUITS[action.good])
    if events is not None:
        events.append(Event("recruited", {"seat": seat, "good": GOODS[action.good], "n": count}, RULE + "found-6"))


def equip(state: State, action: Equip, events: Events) -> None:
    """Put a good in the equipment box (equip-1)."""
    at = state.active * KINDS + action.good
    state.goods[at] -= 1
    state.equipment[at] += 1
    state.phase = EQUIPPING
    if events is not None:
        params = {"seat": state.active, "good": GOODS[action.good], "n": value_of(state.equipment, state.active)}
        events.append(Event("equipped", params, RULE + "equip-1"))


def get_ready(state: State, events: Events) -> None:
    """Rank the new empire, remove its workers from the home, and go there (equip-2, found-7)."""
    seat = state.active
    value = value_of(state.equipment, seat)
    above = sum(1 for other in state.ranking if value_of(state.equipment, other) >= value)
    state.ranking = (*state.ranking[:above], seat, *state.ranking[above:])
    if events is not None:
        events.append(Event("ranked", {"seat": seat, "rating": f"rating_{RATINGS[above]}", "n": value}, RULE + "equip-2"))
    state.fight = FOUNDING
    home = legality.home_of(state, seat)
    if home == SUMER_EMPIRE:
        state.phase = HOMING
        return
    at = seat * SPOTS + home - FIRST_OTHER
    count = state.workers[at]
    state.workers[at] = 0
    state.reserve[seat] += count
    if events is not None:
        events.append(Event("left_home", {"seat": seat, "n": count, "area": AREAS[home]}, RULE + "found-7"))
    _enter_home(state, home, events)


def choose_home(state: State, action: Home, events: Events) -> None:
    """Choose the home of a Sumer empire (found-4)."""
    if events is not None:
        events.append(Event("chose_home", {"seat": state.active, "area": AREAS[action.area]}, RULE + "found-4"))
    _enter_home(state, action.area, events)


def _enter_home(state: State, area: int, events: Events) -> None:
    """Fight for a home that an enemy holds, otherwise settle it (found-8, found-9)."""
    state.target = area
    owner = army_owner(state, area)
    if owner == NO_SEAT:
        _settle(state, events)
    else:
        _begin_fight(state, owner, events)


def _begin_fight(state: State, owner: int, events: Events) -> None:
    state.phase = ROLLING
    if events is not None:
        params = {"seat": state.active, "other": owner, "area": AREAS[state.target], "need": needed(state)}
        events.append(Event("attacked", params, RULE + "combat-1"))


def needed(state: State) -> int:
    """Return what the two dice of the current attack must show (combat-1)."""
    owner = army_owner(state, state.target)
    return NEED_SUPERIOR if is_better_equipped(state, state.active, owner) else NEED_INFERIOR


def _settle(state: State, events: Events) -> None:
    if state.armies_available[state.active] == 1:
        garrison(state, Garrison(1), events)
    else:
        state.phase = GARRISONING


def garrison(state: State, action: Garrison, events: Events) -> None:
    """Place one or two armies in the home (found-8); an empire that came back may go on expanding (expand-8)."""
    seat = state.active
    bit = 1 << state.target
    state.armies_available[seat] -= action.count
    state.armies[seat] |= bit
    if action.count > 1:
        state.doubles |= bit
    if events is not None:
        events.append(Event("garrisoned", {"seat": seat, "n": action.count, "area": AREAS[state.target]}, RULE + "found-8"))
    if state.fight == REFOUNDING:
        _go_on_expanding(state, events)
    else:
        end_action(state, events)


def refound(state: State, action: Refound, events: Events) -> None:
    """Bring back an empire that was wiped out, starting at its home (expand-8)."""
    seat = state.active
    area = action.area if action.area != NO_AREA else legality.home_of(state, seat)
    state.fight = REFOUNDING
    if events is not None:
        events.append(Event("came_back", {"seat": seat, "area": AREAS[area]}, RULE + "expand-8"))
    _enter_home(state, area, events)


def _pay_for_repeating(state: State, events: Events) -> None:
    """Pay the army that a further expansion costs (expand-6)."""
    if state.phase == EXPANDING:
        lose_armies(state, state.active, 1)
        if events is not None:
            events.append(Event("repeated", {"seat": state.active}, RULE + "expand-6"))


def invade(state: State, action: Invade, events: Events) -> None:
    """Enter a neighbouring area, or attack the armies there (expand-2, expand-3)."""
    _pay_for_repeating(state, events)
    state.target = action.area
    state.fight = INVASION
    owner = army_owner(state, action.area)
    if owner == NO_SEAT:
        _occupy(state, events)
    else:
        _begin_fight(state, owner, events)


def _occupy(state: State, events: Events) -> None:
    """Place exactly one army in the area (expand-3, combat-5)."""
    seat = state.active
    state.armies_available[seat] -= 1
    state.armies[seat] |= 1 << state.target
    if events is not None:
        events.append(Event("occupied", {"seat": seat, "area": AREAS[state.target]}, RULE + "expand-3"))
    _go_on_expanding(state, events)


def roll(state: State, action: Roll, events: Events) -> None:
    """Roll once: a hit takes a defender off the map, a miss costs an available army (combat-2, combat-3)."""
    seat = state.active
    total = sum(action.dice)
    need = needed(state)
    owner = army_owner(state, state.target)
    params = {"seat": seat, "other": owner, "area": AREAS[state.target], "dice": "{} + {}".format(*action.dice), "n": total, "need": need}
    if total >= need:
        if events is not None:
            events.append(Event("hit", params, RULE + "combat-2", reveals=True))
        _remove_defender(state, owner)
        if army_owner(state, state.target) == NO_SEAT:
            if state.fight == INVASION:
                _occupy(state, events)
            else:
                _settle(state, events)
            return
    else:
        lose_armies(state, seat, 1)
        if events is not None:
            events.append(Event("missed", params, RULE + "combat-3", reveals=True))
        if not state.armies_available[seat]:
            if events is not None:
                events.append(Event("ran_out", {"seat": seat, "area": AREAS[state.target]}, RULE + "combat-4"))
            end_action(state, events)
            return
    if state.fight == INVASION:
        state.phase = ATTACKING  # the fight for an empire's home goes on to the end: found-9


def _remove_defender(state: State, owner: int) -> None:
    bit = 1 << state.target
    if state.doubles & bit:
        state.doubles &= ~bit
    else:
        state.armies[owner] &= ~bit
    state.armies_reserve[owner] += 1


def attack(state: State, events: Events) -> None:
    """Go on with the attack (combat-4)."""
    if events is not None:
        events.append(Event("went_on", {"seat": state.active, "area": AREAS[state.target]}, RULE + "combat-4"))
    state.phase = ROLLING


def stop(state: State, events: Events) -> None:
    """Break off the attack; a further expansion may follow for an army (combat-4, combat-6)."""
    if events is not None:
        events.append(Event("called_off", {"seat": state.active, "area": AREAS[state.target]}, RULE + "combat-4"))
    _go_on_expanding(state, events)


def destroy(state: State, action: Destroy, events: Events) -> None:
    """Destroy a city for two armies, or three (destroy-1 .. destroy-3)."""
    _pay_for_repeating(state, events)
    seat = state.active
    owner = city_owner(state, action.area)
    cost = destroy_cost(state, owner)
    lose_armies(state, seat, cost)
    bit = 1 << action.area
    state.cities[owner] &= ~bit
    state.grown &= ~bit
    if events is not None:
        params = {"seat": seat, "other": owner, "area": AREAS[action.area], "n": cost}
        events.append(Event("destroyed", params, RULE + ("destroy-1" if cost == 2 else "destroy-3")))
    _go_on_expanding(state, events)


def reinforce(state: State, action: Reinforce, events: Events) -> None:
    """Place a second army beside one of the seat's own (expand-5)."""
    _pay_for_repeating(state, events)
    seat = state.active
    state.armies_available[seat] -= 1
    state.doubles |= 1 << action.area
    if events is not None:
        events.append(Event("reinforced", {"seat": seat, "area": AREAS[action.area]}, RULE + "expand-5"))
    _go_on_expanding(state, events)


def _go_on_expanding(state: State, events: Events) -> None:
    """Ask whether to expand again, if an army can pay for it and there is something left to do (expand-6)."""
    state.target = NO_AREA
    state.fight = INVASION
    if legality.can_expand(state, state.active, 1):
        state.phase = EXPANDING
    else:
        end_action(state, events)
