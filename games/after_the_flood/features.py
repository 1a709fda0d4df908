"""What the master of After the Flood learns from: a position between two actions in numbers, for one seat, from what everybody sees.

Most of it is the scribe's evaluation taken apart, for the seat and for each rival, the better one first. The rest is the stage of the turn
and of the game, the places in the order of play, and what another city would be worth at once, by how the seat could still have it.
"""

from __future__ import annotations

from typing import Final

from games.after_the_flood.components import (
    CITIES,
    DESTROY_COST,
    GOODS,
    IRRIGATION,
    KINDS,
    LUXURIES,
    SCRIBES,
    SEATS,
    SPOTS,
    SUMER_MASK,
    TOOL_MAKERS,
    TURNS,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
    WEAVING,
    WOOD,
)
from games.after_the_flood.evaluation import OFF_MAP, Outlook
from games.after_the_flood.legality import OFFERED, REACH, empires_to_found, free_areas
from games.after_the_flood.plans import markets
from games.after_the_flood.scoring import majorities
from games.after_the_flood.state import NO_EMPIRE, State, destroy_cost, value_of

_STAGE: Final = (
    *[f"turn_{turn}" for turn in range(2, TURNS + 1)],
    *("before", "place", "rivals_passed", "bid", "next_place", "free_sites", "empires_left", "largest_left"),
)
_GROUPS: Final = ("areas", "goods", "posts", "homes", "rules")  # the scribe's, those of cities last, without points scored or rivals
_EACH: Final = (
    *("total", "score", *_GROUPS, "passed", "held", "luxuries", "wood", "hand", "reserve", "cities", "slots", "founded"),
    *("armies", "doubles", "ready", "equipment", "scribes", "makers", "sold", "irrigation", "weaving", "grown", "majorities"),
)
_OWN: Final = (
    *("rivals", "is_ruler", "exposed", "reach", "scribes_used", "makers_used", "posts_made"),
    *[f"pieces_{good}" for good in GOODS],
    *("city", "city_free", "city_army", "city_march", "city_empire", "promise"),
    *("lead_best", "lead_mean", "score_lead_best", "score_lead_mean", "lead_best_late"),
)
NAMES: Final = (*_STAGE, *[f"{whose}_{name}" for whose in ("own", "best", "other") for name in _EACH], *_OWN)

WAYS: Final = (0.9, 0.65, 0.35, 0.25)  # the chance that a city comes about: a free site, one under an army, one in reach, by an empire
PRICES: Final = (0.5, 3.5, 5.0, 5.0)  # what each way costs, in points


def another_city(outlook: Outlook, state: State) -> float:
    """Return what another city that can grow would be worth to the seat now, by the goods it has and can still get."""
    seat = outlook.seat
    if (state.cities[seat] & ~state.grown).bit_count() == CITIES:
        return 0.0
    sites = SUMER_MASK & ~state.cities[seat]
    is_open = not state.passed >> seat & 1
    purse = outlook.open_purse if is_open else outlook.closed_purse
    site = sites & -sites
    new = state.copy()
    new.cities[seat] |= site
    new.grown &= ~site
    return purse.best(new, seat, is_open) - purse.best(state, seat, is_open)


def way_to_city(state: State, seat: int) -> int:
    """Return the surest way in which a seat can still have another city this turn, as a place in WAYS; -1 if there is none.

    A seat with all its cities on the map needs one that has grown, to move it (build-3).
    """
    cities = state.cities[seat]
    if state.passed >> seat & 1 or (cities.bit_count() == CITIES and not cities & state.grown):
        return -1
    if free_areas(state, seat):
        return 0
    if state.empires[seat] == NO_EMPIRE:
        return 3 if empires_to_found(state, seat) else -1
    own, ready = state.armies[seat], state.armies_available[seat]
    best = -1
    for rival in range(SEATS):
        if rival == seat:
            continue
        cost = destroy_cost(state, rival)
        if state.cities[rival] & own and ready >= cost:
            return 1
        if state.cities[rival] & REACH[own] and ready > cost + 1:
            best = 2
    return best


def promise(outlook: Outlook, state: State) -> float:
    """Return the worth of a city that the seat does not have yet: what it would bring now, less its price, by its chance.

    The scribe sees this only once the city stands, and by then may have spent its goods on workers.
    """
    way = way_to_city(state, outlook.seat)
    return 0.0 if way < 0 else WAYS[way] * max(0.0, another_city(outlook, state) - PRICES[way])


def before(state: State, seat: int) -> int:
    """Return how many seats act before this one does; as many as there are seats if it does not act again this turn."""
    if state.passed >> seat & 1 or state.active < 0:
        return SEATS
    order, found = state.order, 0
    at = order.index(state.active)
    for step in range(SEATS):
        other = order[(at + step) % SEATS]
        if other == seat:
            break
        found += not state.passed >> other & 1
    return found


def next_places(state: State) -> list[int]:
    """Return the place of each seat in the order of play of the next turn, as the bids stand (pass-2)."""
    ranked = sorted(state.order, key=lambda seat: -value_of(state.bids, seat))
    return [ranked.index(seat) for seat in range(SEATS)]


def _of(outlook: Outlook, state: State, won: list[int]) -> list[float]:
    """Return _EACH for the seat of an outlook, the total first."""
    seat, workers, at = outlook.seat, state.workers, outlook.seat * SPOTS
    areas, goods, posts, homes, cities = outlook.terms(state)[:5]
    score = float(state.scores[seat])
    held = state.goods[seat * KINDS : seat * KINDS + KINDS]
    own = state.armies[seat]
    others = [rival * SPOTS for rival in outlook.rivals]
    return [
        *(areas + goods + posts + homes + cities, score, areas - score, goods, posts, homes, cities),
        float(state.passed >> seat & 1),
        float(value_of(state.goods, seat)),
        float(sum([held[good] > 0 for good in LUXURIES])),
        float(min(held[WOOD], 4)),
        float(state.workers_available[seat]),
        float(state.reserve[seat]),
        float(state.cities[seat].bit_count()),
        float((state.cities[seat] & ~state.grown).bit_count()),
        float(state.empires[seat] != NO_EMPIRE),
        float(own.bit_count()),
        float((own & state.doubles).bit_count()),
        float(state.armies_available[seat]),
        float(value_of(state.equipment, seat)),
        float(workers[at + SCRIBES] + workers[at + USED_SCRIBES]),
        float(workers[at + TOOL_MAKERS] + workers[at + USED_TOOL_MAKERS]),
        float(markets(state, seat).bit_count()),
        *[float(max(-4, min(4, workers[at + box] - max([workers[other + box] for other in others])))) for box in (IRRIGATION, WEAVING)],
        outlook.grown_now(state),
        float(won[seat]),
    ]


def features(state: State, seat: int) -> list[float]:
    """Return the features of a position for a seat, in the order of NAMES. The position may be of any turn that has begun."""
    outlook = Outlook(state, seat)
    won = [0] * SEATS
    for _, winner, points in majorities(state):
        won[winner] += points
    own = _of(outlook, state, won)
    each = sorted([_of(Outlook(state, rival), state, won) for rival in outlook.rivals], key=_total)
    left = [armies for empire, _, armies in OFFERED[state.turn] if empire not in state.empires]
    at, workers = seat * SPOTS, state.workers
    army = state.armies[seat]
    gain, way = another_city(outlook, state), way_to_city(state, seat)
    ways = [0.0] * len(WAYS)
    if way >= 0:
        ways[way] = gain
    totals, scores = [row[0] for row in each], [row[1] for row in each]
    lead = own[0] - max(totals)
    return [
        *[float(state.turn == turn) for turn in range(2, TURNS + 1)],
        float(before(state, seat)),
        float(state.order.index(seat)),
        float((state.passed & ~(1 << seat)).bit_count()),
        float(value_of(state.bids, seat)),
        float(next_places(state)[seat]),
        float(free_areas(state, seat).bit_count()),
        float(len(left)),
        float(max(left, default=0)),
        *own,
        *each[0],
        *each[1],
        outlook.terms(state)[5],
        float(bool(empires_to_found(state, seat))),
        outlook.threat(state, seat) if army & ~OFF_MAP else 0.0,
        float(REACH[army].bit_count()) if army and state.armies_available[seat] >= DESTROY_COST else 0.0,
        float(workers[at + USED_SCRIBES]),
        float(workers[at + USED_TOOL_MAKERS]),
        float(sum([workers[at + place] > 0 for place in range(SPOTS)])),
        *[float(count) for count in state.goods[seat * KINDS : seat * KINDS + KINDS]],
        gain,
        *ways,
        0.0 if way < 0 else WAYS[way] * max(0.0, gain - PRICES[way]),
        lead,
        own[0] - sum(totals) / len(totals),
        own[1] - max(scores),
        own[1] - sum(scores) / len(scores),
        lead if state.turn >= TURNS - 1 else 0.0,
    ]


def _total(row: list[float]) -> float:
    return -row[0]
