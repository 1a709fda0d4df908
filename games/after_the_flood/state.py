"""The whole truth about a table of After the Flood, stored compactly: byte arrays of counts, bit masks of areas (after_the_flood#setup).

Flat arrays: `goods[seat * KINDS + good]`, `workers[seat * SPOTS + place]`. A mask has bit `1 << area`.
"""

from __future__ import annotations

from typing import Final

from games.after_the_flood.components import (
    AREAS,
    ARMIES,
    CITIES,
    DESTROY_COST,
    FIRST_GOODS,
    FIRST_OTHER,
    IRRIGATION,
    KINDS,
    OTHERS,
    PIECES,
    SCRIBE_LIMIT,
    SCRIBES,
    SEATS,
    SHURUPPAK,
    SHURUPPAK_CITIES,
    SHURUPPAK_EXTRA,
    SPOTS,
    USED_SCRIBES,
    WEAVING,
    WORKERS,
    WORKERS_AT_START,
)
from games.core.compact import Compact, compact
from games.core.contract import NO_SEAT

# Phases: what the table waits for. Up to GROWING it waits for the seat `active`.
PAYING: Final = 0  # to pay for an action after somebody else has passed, or to pass
ACTION: Final = 1
PLACING: Final = 2  # more workers: a good or scribes
TRADING: Final = 3  # more exchanges or tools
MUSTERING: Final = 4  # a new empire: more armies, then equipment
EQUIPPING: Final = 5  # a new empire: equipment
HOMING: Final = 6  # a Sumer empire: where to start
GARRISONING: Final = 7  # one or two armies into the home
ATTACKING: Final = 8  # go on with the attack or stop
EXPANDING: Final = 9  # expand again for an army
BIDDING: Final = 10  # goods for the order of play
GROWING: Final = 11  # cities grow
ROLLING: Final = 12  # CHANCE rolls two dice
START: Final = 13  # CHANCE sets the first order of play
SCORING: Final = 14  # SCORER: the points of the turn
CLOSING: Final = 15  # SCORER: the majorities at the end
END: Final = 16
PHASES: Final = (
    *("paying", "action", "placing", "trading", "mustering", "equipping", "homing", "garrisoning", "attacking", "expanding"),
    *("bidding", "growing", "rolling", "start", "scoring", "closing", "end"),
)

NO_EMPIRE: Final = -1
NO_AREA: Final = -1

# What a fight is about.
INVASION: Final = 0
FOUNDING: Final = 1  # the home of a new empire; fought to the end
REFOUNDING: Final = 2  # the home of an empire that was wiped out; fought to the end, then the action may go on
FIGHTS: Final = ("invasion", "founding", "refounding")

# A seat's points for a turn: areas with armies, those of them in Sumer if Nippur counts, cities that grew with the goods spent.
TurnPoints = tuple[int, int, tuple[tuple[int, tuple[int, ...]], ...]]


@compact()
class State(Compact):
    """One position. Changed in place only by the rules; everything else gets copies."""

    is_weaver_needed: bool  # option: Ur brings its textile only to a player with a worker in weaving
    is_tool_limited: bool  # option: no tool can be made if no tool piece is left
    phase: int
    turn: int  # 1..5; 0 before the first order of play is known
    active: int  # the seat that acts, for which dice are rolled, or that may let cities grow; NO_SEAT in START, for SCORER and at the end
    order: tuple[int, ...]  # seats in this turn's order of play; in phase 5 already the next turn's
    passed: int  # mask of seats
    goods: bytearray
    stock: list[int]  # pieces that nobody has; grain and textiles never run out, so they may fall below 0
    equipment: bytearray  # goods spent on it this turn, like `goods`
    bids: bytearray
    workers: bytearray
    workers_available: list[int]
    reserve: list[int]  # workers in the reserve
    armies: list[int]  # mask of areas, by seat
    doubles: int  # mask of areas with two armies
    armies_available: list[int]
    armies_reserve: list[int]
    cities: list[int]  # mask, by seat
    grown: int  # mask
    empires: list[int]  # by seat: index of EMPIRE_NAMES of the empire founded this turn, or NO_EMPIRE
    ranking: tuple[int, ...]  # seats by equipment, best first
    scores: list[int]
    records: list[TurnPoints]  # of all scored turns, [(turn - 1) * SEATS + seat]
    growths: list[tuple[int, int, tuple[int, ...]]]  # of this turn: (seat, city, luxuries)
    # within an action
    is_paid: bool
    is_placed: bool  # a good was spent in this placing action
    usable: int  # scribes that were on the unused side when the action started and still are
    traded: bytearray  # by place of the areas: exchanges made | mask of goods got << 3
    bonus_used: bool  # Sippar's extra exchange
    target: int  # area under attack or home to be settled
    fight: int

    def __repr__(self) -> str:
        return f"<After the Flood, turn {self.turn}, {PHASES[self.phase]}, active {self.active}>"


def first_state(is_weaver_needed: bool = False, is_tool_limited: bool = True) -> State:
    """Return the position before chance sets the order of play (setup-1 .. setup-3)."""
    state = State.__new__(State)
    state.is_weaver_needed = is_weaver_needed
    state.is_tool_limited = is_tool_limited
    state.phase = START
    state.turn = 0
    state.active = NO_SEAT
    state.order = tuple(range(SEATS))
    state.passed = 0
    state.goods = bytearray(bytes(FIRST_GOODS) * SEATS)
    state.stock = [PIECES[good] - SEATS * FIRST_GOODS[good] for good in range(KINDS)]
    state.equipment = bytearray(SEATS * KINDS)
    state.bids = bytearray(SEATS * KINDS)
    state.workers = bytearray(SEATS * SPOTS)
    for seat in range(SEATS):
        state.workers[seat * SPOTS + IRRIGATION] = 1
        state.workers[seat * SPOTS + WEAVING] = 1
    state.workers_available = [WORKERS_AT_START] * SEATS
    state.reserve = [WORKERS - 2 - WORKERS_AT_START] * SEATS
    state.armies = [0] * SEATS
    state.doubles = 0
    state.armies_available = [0] * SEATS
    state.armies_reserve = [ARMIES] * SEATS
    state.cities = [0] * SEATS
    state.grown = 0
    state.empires = [NO_EMPIRE] * SEATS
    state.ranking = ()
    state.scores = [0] * SEATS
    state.records = []
    state.growths = []
    begin_action(state)
    state.usable = 0
    return state


def begin_action(state: State) -> None:
    """Reset what belonged to the last action: nothing is paid or exchanged, and every unused scribe may be used (scribes-5)."""
    state.is_paid = False
    state.is_placed = False
    state.usable = state.workers[state.active * SPOTS + SCRIBES] if state.active >= 0 else 0
    state.traded = bytearray(len(OTHERS))
    state.bonus_used = False
    state.target = NO_AREA
    state.fight = INVASION


def army_owner(state: State, area: int) -> int:
    """Return the seat whose armies are in an area, or NO_SEAT."""
    bit = 1 << area
    for seat in range(SEATS):
        if state.armies[seat] & bit:
            return seat
    return NO_SEAT


def city_owner(state: State, area: int) -> int:
    """Return the seat whose city is in a Sumer area, or NO_SEAT."""
    bit = 1 << area
    for seat in range(SEATS):
        if state.cities[seat] & bit:
            return seat
    return NO_SEAT


def army_count(state: State, area: int) -> int:
    """Return how many armies are in an area: 0, 1 or 2."""
    bit = 1 << area
    if state.doubles & bit:
        return 2
    return int(any(mask & bit for mask in state.armies))


def trader_count(state: State, seat: int, place: int) -> int:
    """Return how many exchanges a seat's traders can make in an area: its armies, or else workers; none under an enemy (trade-5)."""
    bit = 1 << (place + FIRST_OTHER)
    if state.armies[seat] & bit:
        return 2 if state.doubles & bit else 1
    if (state.armies[0] | state.armies[1] | state.armies[2]) & bit:
        return 0
    return state.workers[seat * SPOTS + place]


def scribe_count(state: State, seat: int) -> int:
    """Return a seat's scribes on both sides of their box (scribes-2)."""
    return state.workers[seat * SPOTS + SCRIBES] + state.workers[seat * SPOTS + USED_SCRIBES]


def scribe_room(state: State, seat: int) -> int:
    """Return how many more scribes a seat can have (scribes-2)."""
    return SCRIBE_LIMIT - state.workers[seat * SPOTS + SCRIBES] - state.workers[seat * SPOTS + USED_SCRIBES]


def cities_left(state: State, seat: int) -> int:
    """Return how many of a seat's cities are not on the map."""
    return CITIES - state.cities[seat].bit_count()


def destroy_cost(state: State, owner: int) -> int:
    """Return how many armies it takes to destroy a city of `owner` (destroy-1, destroy-3)."""
    cities = state.cities[owner]
    is_defended = cities >> SHURUPPAK & 1 and cities.bit_count() >= SHURUPPAK_CITIES
    return DESTROY_COST + SHURUPPAK_EXTRA if is_defended else DESTROY_COST


def value_of(goods: bytearray, seat: int) -> int:
    """Return the value of what a seat has put in a box (equip-1, pass-2)."""
    at = seat * KINDS
    g = goods[at : at + KINDS]
    return g[0] + 2 * (g[1] + g[2] + g[3]) + 3 * (g[4] + g[5]) + 4 * g[6] + 5 * g[7]


def is_better_equipped(state: State, seat: int, other: int) -> bool:
    """Return whether a seat's armies are better equipped than another's (equip-2)."""
    return state.ranking.index(seat) < state.ranking.index(other)


def areas_of(mask: int) -> list[int]:
    """Return the areas of a mask in the order of AREAS."""
    return [area for area in range(len(AREAS)) if mask >> area & 1]
