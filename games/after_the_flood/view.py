"""What a seat sees: everything but the dice that are still to come (after_the_flood#hidden-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.after_the_flood import legality, position, scoring
from games.after_the_flood.actions import Action
from games.after_the_flood.components import DECLINE_TURNS, EMPIRES, GOODS, OTHERS, PLACES, SEATS, SUMER_EMPIRE
from games.after_the_flood.scoring import Derivation
from games.after_the_flood.state import GROWING, PHASES, State, value_of
from games.after_the_flood.turns import decline_of
from games.core.contract import Outcome, Rng

ALL = range(SEATS)


@dataclass(frozen=True, slots=True)
class View:
    """An open position with the seat that looks; lists are indexed by seat."""

    seat: int | None
    position: Mapping[str, Any]  # as position.state_to_json gives it
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
    def phase(self) -> str:
        phase: str = self.position["phase"]
        return phase

    @property
    def turn(self) -> int:
        turn: int = self.position["turn"]
        return turn

    @property
    def active(self) -> int | None:
        active: int | None = self.position["active"]
        return active

    @property
    def is_due(self) -> bool:
        """Whether the viewing seat is asked."""
        return self.seat is not None and self.seat == self.active and PHASES.index(self.phase) <= GROWING


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    counted = state.turn > 0 and len(state.records) < state.turn * SEATS
    declines = tuple([decline_of(state, s) for s in ALL])
    return View(
        seat=seat,
        position=position.state_to_json(state),
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
    """Return the empires of the next turn that a seat could found when its decline took place now; none without a decline (decline-3)."""
    if state.turn + 1 not in DECLINE_TURNS:
        return ()
    after = state.copy()
    for other, lost in enumerate(declines):
        for place in range(len(OTHERS)):
            after.workers[other * len(PLACES) + place] -= lost.get(place, 0)
    return tuple(name for name, home, _ in EMPIRES[state.turn] if home != SUMER_EMPIRE and legality.is_ruler(after, seat, home))


def known_state(view: View) -> State:
    """Return the state that a view shows."""
    return position.state_from_json(view.position)


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] when it is not due."""
    if not view.is_due or view.seat is None:
        return []
    return legality.legal_actions(known_state(view), view.seat)


def sample_state(view: View, rng: Rng) -> State:
    """Return the full state of a view: nothing is hidden."""
    return known_state(view)
