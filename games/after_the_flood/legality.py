"""What is allowed in After the Flood: the lists of actions, and whether a seat can act at all (after_the_flood#act)."""

from __future__ import annotations

from typing import Final

from games.after_the_flood.actions import (
    ATTACK,
    BIDS,
    BUILDS,
    DESTRUCTIONS,
    DONE,
    EQUIPS,
    FOUNDS,
    GARRISONS,
    GROWTHS,
    HOMES,
    INVASIONS,
    LUXURY_SETS,
    MAKE_TOOL,
    PASS,
    PAY_ARMY,
    PAY_WORKER,
    PAYS,
    PLACINGS,
    READY,
    RECRUITINGS,
    REFOUND_HOME,
    REFOUNDINGS,
    REINFORCEMENTS,
    RELOCATIONS,
    SCORE,
    SCRIBE_MOVES,
    STOP,
    TRADES,
    Action,
    is_scribe_move,
)
from games.after_the_flood.components import (
    ARMY_LIMIT,
    AVAILABLE,
    EMPIRE_NAMES,
    EMPIRES,
    FIRST_OTHER,
    GROWTH_WOOD,
    KINDS,
    METAL,
    NEIGHBOURS,
    PRICES,
    RECRUITS,
    SCRIBES,
    SEATS,
    SIPPAR,
    SOLD,
    SPOTS,
    SUMER_EMPIRE,
    SUMER_MASK,
    TARGETS,
    TOOL,
    TOOL_MAKERS,
    USED_SCRIBES,
    VALUES,
    WOOD,
)
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    CLOSING,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    GROWING,
    HOMING,
    MUSTERING,
    NO_EMPIRE,
    PAYING,
    PLACING,
    SCORING,
    TRADING,
    State,
    areas_of,
    cities_left,
    destroy_cost,
    scribe_room,
    trader_count,
)
from games.core.contract import SCORER

SELLERS: Final = tuple(place for place, goods in enumerate(SOLD) if goods)
EMPIRE_OF: Final = {name: index for index, name in enumerate(EMPIRE_NAMES)}
OFFERED: Final = ((), *(tuple((EMPIRE_OF[name], home, armies) for name, home, armies in turn) for turn in EMPIRES))
ALL_TARGETS: Final = (*TARGETS, AVAILABLE)
ALL_SLOTS: Final = -1
SCRIBE_TARGETS: Final = tuple(  # [whether there is room for a scribe][source]
    tuple(
        tuple(target for target in ALL_TARGETS if is_scribe_move(source, target) and (has_room or target != SCRIBES))
        for source in range(SPOTS + 1)
    )
    for has_room in (False, True)
)


class _Areas(dict[int, list[int]]):
    """The areas of a mask, worked out once."""

    def __missing__(self, mask: int) -> list[int]:
        if len(self) > 50_000:
            self.clear()
        areas = self[mask] = areas_of(mask)
        return areas


class _Reach(dict[int, int]):
    """Where the armies in a mask of areas can invade, those areas themselves left out (expand-2)."""

    def __missing__(self, mask: int) -> int:
        if len(self) > 50_000:
            self.clear()
        reach = 0
        for area in areas_of(mask):
            reach |= NEIGHBOURS[area]
        self[mask] = reach & ~mask
        return self[mask]


AREAS_IN: Final = _Areas()
REACH: Final = _Reach()


def free_areas(state: State, seat: int) -> int:
    """Return the mask of Sumer areas with neither a city nor an enemy army (build-2)."""
    armies, cities = state.armies, state.cities
    enemies = (armies[0] | armies[1] | armies[2]) & ~armies[seat]
    return SUMER_MASK & ~(cities[0] | cities[1] | cities[2] | enemies)


def is_tool_possible(state: State, seat: int) -> bool:
    """Return whether a tool maker can turn a metal into a tool (tools-1, tools-3)."""
    return (
        state.goods[seat * KINDS + METAL] > 0
        and state.workers[seat * SPOTS + TOOL_MAKERS] > 0
        and (state.stock[TOOL] > 0 or not state.is_tool_limited)
    )


def open_slots(state: State, seat: int, place: int) -> int:
    """Return the mask of the slots of an area whose goods the seat has an exchange left for (trade-1, trade-2, trade-7)."""
    traders = trader_count(state, seat, place)
    if not traders:
        return 0
    if state.cities[seat] >> SIPPAR & 1 and not state.bonus_used:
        return ALL_SLOTS
    used = state.traded[place]
    return ~(used >> 3) if (used & 7) < traders else 0


def exchanges(state: State, seat: int) -> list[Action]:
    """Return every exchange that is possible now, area by area (trade-1 .. trade-7)."""
    found: list[Action] = []
    goods, stock, base = state.goods, state.stock, seat * KINDS
    for place in SELLERS:
        slots = open_slots(state, seat, place)
        if slots:
            table = TRADES[place]
            for slot, get in enumerate(SOLD[place]):
                if slots >> slot & 1 and stock[get] > 0:
                    row = table[get]
                    found += [row[give] for give in PRICES[get] if goods[base + give]]
    return found


def trades(state: State, seat: int) -> list[Action]:
    """Return every exchange, and the tool that a tool maker can make."""
    found = exchanges(state, seat)
    if is_tool_possible(state, seat):
        found.append(MAKE_TOOL)
    return found


def empires_to_found(state: State, seat: int) -> list[int]:
    """Return the turn's empires that the seat can found, as indexes of EMPIRE_NAMES (found-2 .. found-4)."""
    if state.empires[seat] != NO_EMPIRE:
        return []
    return [empire for empire, home, _ in OFFERED[state.turn] if empire not in state.empires and is_ruler(state, seat, home)]


def is_ruler(state: State, seat: int, home: int) -> bool:
    """Return whether the seat has a worker in a home and nobody has more; always for a Sumer empire (found-3, found-4)."""
    if home == SUMER_EMPIRE:
        return True
    workers = state.workers
    at = home - FIRST_OTHER
    own = workers[seat * SPOTS + at]
    return own > 0 and own >= workers[at] and own >= workers[SPOTS + at] and own >= workers[2 * SPOTS + at]


def home_of(state: State, seat: int) -> int:
    """Return the home of a seat's empire of this turn; SUMER_EMPIRE for one that chooses its home."""
    for empire, home, _ in OFFERED[state.turn]:
        if empire == state.empires[seat]:
            return home
    raise ValueError(f"seat {seat} has no empire")


def expansions(state: State, seat: int, cost: int) -> list[Action]:
    """Return the ways to expand; if `cost` is 1, after paying an army to expand again (expand-1 .. expand-8)."""
    left = state.armies_available[seat] - cost
    if left < 1 or state.empires[seat] == NO_EMPIRE:
        return []
    own = state.armies[seat]
    if not own:
        if home_of(state, seat) == SUMER_EMPIRE:
            return list(REFOUNDINGS)
        return [REFOUND_HOME]
    found: list[Action] = [INVASIONS[area] for area in AREAS_IN[REACH[own]]]
    if left >= 2:
        for rival in range(SEATS):
            if rival != seat and state.cities[rival] & own and left >= destroy_cost(state, rival):
                found += [DESTRUCTIONS[area] for area in AREAS_IN[state.cities[rival] & own]]
    found += [REINFORCEMENTS[area] for area in AREAS_IN[own & ~state.doubles]]
    return found


def can_expand(state: State, seat: int, cost: int) -> bool:
    """Return whether `expansions` is not empty, mostly without the list: it is asked for every payment."""
    left = state.armies_available[seat] - cost
    if left < 1 or state.empires[seat] == NO_EMPIRE:
        return False
    own = state.armies[seat]
    if not own or REACH[own] or own & ~state.doubles:
        return True
    return bool(expansions(state, seat, cost))


def can_act(state: State, seat: int) -> bool:
    """Return whether the seat, whose action has started, can do anything but pass (act-3)."""
    if free_areas(state, seat) or state.usable or empires_to_found(state, seat) or can_expand(state, seat, 0):
        return True
    base = seat * KINDS
    if state.workers_available[seat] and any(state.goods[base : base + KINDS]):
        return True
    return is_tool_possible(state, seat) or bool(exchanges(state, seat))


def payments(state: State, seat: int) -> list[Action]:
    """Return what the seat can pay with so that it can still act afterwards (pass-3 .. pass-6)."""
    found: list[Action] = [PAYS[good] for good in goods_held(state, seat)]
    if state.workers_available[seat]:
        found.append(PAYS[PAY_WORKER])
    if state.armies_available[seat]:
        found.append(PAYS[PAY_ARMY])
    if free_areas(state, seat) or state.workers[seat * SPOTS + SCRIBES] or empires_to_found(state, seat):
        return found
    return [pay for pay in found if _can_act_after(state, seat, pay.what)]  # type: ignore[union-attr]


def _can_act_after(state: State, seat: int, what: int) -> bool:
    """Return whether the seat can act once it has paid; the state is changed briefly and restored."""
    held, at = (
        (state.workers_available, seat)
        if what == PAY_WORKER
        else (state.armies_available, seat)
        if what == PAY_ARMY
        else (state.goods, seat * KINDS + what)
    )
    held[at] -= 1
    if what < KINDS:
        state.stock[what] += 1
    possible = can_act(state, seat)
    if what < KINDS:
        state.stock[what] -= 1
    held[at] += 1
    return possible


def placings(state: State, seat: int) -> list[Action]:
    """Return the ways to spend a good and place workers (place-1 .. place-4)."""
    held = state.workers_available[seat]
    if not held or state.is_placed:
        return []
    found: list[Action] = []
    goods, base = state.goods, seat * KINDS
    room = scribe_room(state, seat)
    for good in range(KINDS):
        if goods[base + good]:
            most = min(held, VALUES[good])
            for place in TARGETS:
                count = most if place != SCRIBES or room >= most else room
                if count == VALUES[good]:
                    found += PLACINGS[good][place]
                elif count > 0:
                    found += PLACINGS[good][place][:count]
    return found


def scribe_moves(state: State, seat: int) -> list[Action]:
    """Return what one scribe can do (scribes-1 .. scribes-5)."""
    if not state.usable:
        return []
    targets = SCRIBE_TARGETS[scribe_room(state, seat) > 0]
    return [SCRIBE_MOVES[source][target] for source in scribe_sources(state, seat) for target in targets[source]]


def scribe_sources(state: State, seat: int) -> list[int]:
    """Return where a scribe finds a worker; by then the scribe is on the used side (scribes-4)."""
    workers, base = state.workers, seat * SPOTS
    found = [source for source in range(SPOTS) if workers[base + source] > (source == SCRIBES) or source == USED_SCRIBES]
    if state.workers_available[seat]:
        found.append(AVAILABLE)
    return found


def growable(state: State, seat: int) -> int:
    """Return the mask of the seat's cities that can grow, without luxuries if need be (growth-1, growth-3)."""
    return state.cities[seat] & ~state.grown if state.goods[seat * KINDS + WOOD] >= GROWTH_WOOD else 0


def luxury_sets(state: State, seat: int) -> list[tuple[int, ...]]:
    """Return the luxuries that the seat can spend when a city grows, from none to all that it holds (growth-1)."""
    goods, base = state.goods, seat * KINDS
    return [chosen for chosen in LUXURY_SETS if all(goods[base + good] for good in chosen)]


def growths(state: State, seat: int) -> list[Action]:
    """Return the ways in which a city of the seat can grow (growth-1 .. growth-5)."""
    cities = growable(state, seat)
    if not cities:
        return []
    sets = luxury_sets(state, seat)
    return [GROWTHS[area][chosen] for area in AREAS_IN[cities] for chosen in sets]


def goods_held(state: State, seat: int) -> list[int]:
    """Return the goods of which the seat has any, in the order of GOODS."""
    goods, base = state.goods, seat * KINDS
    return [good for good in range(KINDS) if goods[base + good]]


def can_recruit(state: State, seat: int, good: int) -> bool:
    """Return whether more armies can be had for a good (found-6)."""
    return good in RECRUITS and state.armies_reserve[seat] > 0


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor.

    An action phase: cities, workers, scribes, trade, tools, empires, expansion, pass.
    """
    phase = state.phase
    if phase in (SCORING, CLOSING):
        return [SCORE] if actor == SCORER else []
    if phase > GROWING or actor != state.active:
        return []
    if phase == ACTION:
        return _actions(state, actor)
    if phase == PAYING:
        return [*payments(state, actor), PASS]
    if phase == PLACING:
        return [*placings(state, actor), *scribe_moves(state, actor), DONE]
    if phase == TRADING:
        return [*trades(state, actor), DONE]
    if phase in (MUSTERING, EQUIPPING):
        held = goods_held(state, actor)
        recruits = [RECRUITINGS[good] for good in held if phase == MUSTERING and can_recruit(state, actor, good)]
        return [*recruits, *[EQUIPS[good] for good in held], READY]
    if phase == HOMING:
        return list(HOMES)
    if phase == GARRISONING:
        return list(GARRISONS[: min(ARMY_LIMIT, state.armies_available[actor])])
    if phase == ATTACKING:
        return [ATTACK, STOP]
    if phase == EXPANDING:
        return [*expansions(state, actor, 1), DONE]
    if phase == BIDDING:
        return [*[BIDS[good] for good in goods_held(state, actor)], DONE]
    return [*growths(state, actor), DONE]


def _actions(state: State, seat: int) -> list[Action]:
    free = AREAS_IN[free_areas(state, seat)]
    found: list[Action]
    if cities_left(state, seat):
        found = [BUILDS[area] for area in free]
    else:
        found = [RELOCATIONS[source][target] for source in AREAS_IN[state.cities[seat]] for target in free]
    found += placings(state, seat)
    found += scribe_moves(state, seat)
    found += trades(state, seat)
    found += [FOUNDS[empire] for empire in empires_to_found(state, seat)]
    found += expansions(state, seat, 0)
    if not state.is_paid:
        found.append(PASS)
    return found
