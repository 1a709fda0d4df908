"""What a seat sees: everything except dice not yet rolled (after_the_flood#hidden-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.after_the_flood import legality, scoring
from games.after_the_flood.actions import Action
from games.after_the_flood.components import (
    AREA_OF,
    AREAS,
    ARMY_LIMIT,
    DECLINE_TURNS,
    EMPIRE_NAMES,
    EMPIRES,
    GOODS,
    OTHERS,
    PLACES,
    SEATS,
    SUMER_EMPIRE,
)
from games.after_the_flood.position import TOOL_STOCK, UR_TEXTILE, armies_of, goods_of, workers_of
from games.after_the_flood.scoring import Derivation
from games.after_the_flood.state import (
    FIGHTS,
    GROWING,
    NO_AREA,
    NO_EMPIRE,
    PHASES,
    State,
    TurnPoints,
    areas_of,
    first_state,
    value_of,
)
from games.after_the_flood.turns import decline_of
from games.core.contract import NO_SEAT, Outcome, Rng

ALL: Final = range(SEATS)
PHASE_OF: Final = {phase: at for at, phase in enumerate(PHASES)}


@dataclass(frozen=True, slots=True)
class View:
    """An open position with the seat that looks (None: a spectator). Tuples are indexed by seat; mappings leave out zeros."""

    seat: int | None
    ur_textile: str  # options: always, weaver
    tool_stock: str  # limited, unlimited
    phase: str
    turn: int
    active: int | None  # the seat that acts
    order: tuple[int, ...]
    passed: tuple[int, ...]
    goods: tuple[dict[str, int], ...]
    equipment: tuple[dict[str, int], ...]
    bids: tuple[dict[str, int], ...]
    workers: tuple[dict[str, int], ...]  # by place
    available: tuple[int, ...]  # workers
    armies: tuple[dict[str, int], ...]  # by area
    armies_available: tuple[int, ...]
    cities: tuple[tuple[str, ...], ...]
    grown: tuple[str, ...]
    empires: tuple[str | None, ...]  # founded this turn
    ranking: tuple[int, ...]  # seats by equipment, best first
    records: tuple[TurnPoints, ...]  # of the scored turns
    growths: tuple[tuple[int, int, tuple[int, ...]], ...]  # of this turn: seat, city, luxuries
    # within an action
    is_paid: bool
    is_placed: bool
    usable: int
    traded: bytes
    bonus_used: bool
    target: str | None  # area under attack, or home to be settled
    fight: str  # invasion, founding, refounding
    # what follows
    stock: Mapping[str, int]  # goods that nobody has
    reserve: tuple[int, ...]  # workers
    armies_reserve: tuple[int, ...]
    equipment_values: tuple[int, ...]
    bid_values: tuple[int, ...]
    scores: tuple[int, ...]
    projected: tuple[int, ...]  # points of this turn as things stand
    majorities: tuple[tuple[str, int, int], ...]  # (place, seat, points) as things stand
    decline: tuple[Mapping[str, int], ...]  # workers lost if there were a decline now, by place
    homes_after_decline: tuple[tuple[str, ...], ...]  # homes of the next turn that each seat could still found after its decline
    derivations: tuple[Derivation, ...]
    outcome: Outcome | None

    @property
    def is_due(self) -> bool:
        """Whether the viewing seat is asked."""
        return self.seat is not None and self.seat == self.active and PHASE_OF[self.phase] <= GROWING


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    counted = state.turn > 0 and len(state.records) < state.turn * SEATS
    declines = tuple([decline_of(state, s) for s in ALL])
    return View(
        seat=seat,
        ur_textile=UR_TEXTILE[state.is_weaver_needed],
        tool_stock=TOOL_STOCK[not state.is_tool_limited],
        phase=PHASES[state.phase],
        turn=state.turn,
        active=None if state.active == NO_SEAT else state.active,
        order=state.order,
        passed=tuple([s for s in ALL if state.passed >> s & 1]),
        goods=tuple([goods_of(state.goods, s) for s in ALL]),
        equipment=tuple([goods_of(state.equipment, s) for s in ALL]),
        bids=tuple([goods_of(state.bids, s) for s in ALL]),
        workers=tuple([workers_of(state, s) for s in ALL]),
        available=tuple(state.workers_available),
        armies=tuple([armies_of(state, s) for s in ALL]),
        armies_available=tuple(state.armies_available),
        cities=tuple([_names(mask) for mask in state.cities]),
        grown=_names(state.grown),
        empires=tuple([None if empire == NO_EMPIRE else EMPIRE_NAMES[empire] for empire in state.empires]),
        ranking=state.ranking,
        records=tuple(state.records),
        growths=tuple(state.growths),
        is_paid=state.is_paid,
        is_placed=state.is_placed,
        usable=state.usable,
        traded=bytes(state.traded),
        bonus_used=state.bonus_used,
        target=None if state.target == NO_AREA else AREAS[state.target],
        fight=FIGHTS[state.fight],
        stock={GOODS[good]: count for good, count in enumerate(state.stock)},
        reserve=tuple(state.reserve),
        armies_reserve=tuple(state.armies_reserve),
        equipment_values=tuple([value_of(state.equipment, s) for s in ALL]),
        bid_values=tuple([value_of(state.bids, s) for s in ALL]),
        scores=tuple(state.scores),
        projected=tuple([scoring.points_of(scoring.turn_points(state, s)) if counted else 0 for s in ALL]),
        majorities=tuple([(PLACES[place], s, points) for place, s, points in scoring.majorities(state)]),
        decline=tuple([{PLACES[place]: count for place, count in lost.items()} for lost in declines]),
        homes_after_decline=tuple([homes_after_decline(state, s, declines) for s in ALL]),
        derivations=tuple([scoring.derivation(state, s) for s in ALL]),
        outcome=scoring.outcome(state),
    )


def homes_after_decline(state: State, seat: int, declines: tuple[dict[int, int], ...]) -> tuple[str, ...]:
    """Return the empires of the next turn that a seat could found if its decline took place now; none without a decline (decline-3)."""
    if state.turn + 1 not in DECLINE_TURNS:
        return ()
    after = state.copy()
    for other, lost in enumerate(declines):
        for place in range(len(OTHERS)):
            after.workers[other * len(PLACES) + place] -= lost.get(place, 0)
    return tuple(name for name, home, _ in EMPIRES[state.turn] if home != SUMER_EMPIRE and legality.is_ruler(after, seat, home))


def _names(mask: int) -> tuple[str, ...]:
    return tuple([AREAS[area] for area in areas_of(mask)])


def _mask(areas: Iterable[str]) -> int:
    return sum([1 << AREA_OF[area] for area in areas])


def known_state(view: View) -> State:
    """Return the state that a view shows."""
    state = first_state(view.ur_textile == UR_TEXTILE[True], view.tool_stock == TOOL_STOCK[False])
    state.phase = PHASE_OF[view.phase]
    state.turn = view.turn
    state.active = NO_SEAT if view.active is None else view.active
    state.order = view.order
    state.passed = sum([1 << seat for seat in view.passed])
    state.goods = _counts(view.goods, GOODS)
    state.stock = [view.stock[good] for good in GOODS]
    state.equipment = _counts(view.equipment, GOODS)
    state.bids = _counts(view.bids, GOODS)
    state.workers = _counts(view.workers, PLACES)
    state.workers_available = list(view.available)
    state.reserve = list(view.reserve)
    state.armies = [_mask(armies) for armies in view.armies]
    state.doubles = _mask([area for armies in view.armies for area, count in armies.items() if count == ARMY_LIMIT])
    state.armies_available = list(view.armies_available)
    state.armies_reserve = list(view.armies_reserve)
    state.cities = [_mask(cities) for cities in view.cities]
    state.grown = _mask(view.grown)
    state.empires = [NO_EMPIRE if empire is None else EMPIRE_NAMES.index(empire) for empire in view.empires]
    state.ranking = view.ranking
    state.scores = list(view.scores)
    state.records = list(view.records)
    state.growths = list(view.growths)
    state.is_paid = view.is_paid
    state.is_placed = view.is_placed
    state.usable = view.usable
    state.traded = bytearray(view.traded)
    state.bonus_used = view.bonus_used
    state.target = NO_AREA if view.target is None else AREA_OF[view.target]
    state.fight = FIGHTS.index(view.fight)
    return state


def _counts(rows: tuple[dict[str, int], ...], names: Sequence[str]) -> bytearray:
    return bytearray([row.get(name, 0) for row in rows for name in names])


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] if it is not due."""
    if not view.is_due or view.seat is None:
        return []
    return legality.legal_actions(known_state(view), view.seat)


def sample_state(view: View, rng: Rng) -> State:
    """Return the full state of a view: nothing is hidden."""
    return known_state(view)
