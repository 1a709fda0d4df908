"""Impossible positions: faults that no single field shows (after_the_flood#components, #found, #act)."""

from __future__ import annotations

from games.after_the_flood import legality
from games.after_the_flood.components import AREAS, EMPIRE_NAMES, FIRST_OTHER, NEIGHBOURS, SCRIBE_LIMIT, SEATS, SUMER_EMPIRE
from games.after_the_flood.state import (
    ATTACKING,
    BIDDING,
    CLOSING,
    END,
    EQUIPPING,
    EXPANDING,
    FOUNDING,
    GARRISONING,
    GROWING,
    HOMING,
    INVASION,
    MUSTERING,
    NO_AREA,
    NO_EMPIRE,
    PAYING,
    REFOUNDING,
    ROLLING,
    SCORING,
    START,
    State,
    army_owner,
    scribe_count,
)
from games.core import jsonio
from games.core.contract import NO_SEAT
from games.core.phrases import N_

ALL = range(SEATS)


def check_position(state: State) -> None:
    """Raise PositionError, one line that names the field, for an impossible position."""
    _check_map(state)
    _check_empires(state)
    _check_turn(state)
    _check_fight(state)


def _check_map(state: State) -> None:
    for name, masks in (("armies", state.armies), ("cities", state.cities)):
        for seat in ALL:
            for other in range(seat):
                if masks[seat] & masks[other]:
                    area = AREAS[legality.AREAS_IN[masks[seat] & masks[other]][0]]
                    jsonio.fail(name, N_("{area} can be held by one player only"), area=area)
    if state.grown & ~(state.cities[0] | state.cities[1] | state.cities[2]):
        jsonio.fail("grown", N_("names an area without a city"))
    for seat in ALL:
        if scribe_count(state, seat) > SCRIBE_LIMIT:
            jsonio.fail(f"workers[{seat}]", N_("more than {n} scribes"), n=SCRIBE_LIMIT)


def _check_empires(state: State) -> None:
    offered = {empire: home for empire, home, _ in legality.OFFERED[state.turn]}
    for seat, empire in enumerate(state.empires):
        if empire == NO_EMPIRE:
            if state.armies[seat] or state.armies_available[seat]:
                jsonio.fail(f"armies[{seat}]", N_("armies belong to an empire; this seat has founded none"))
            continue
        if empire not in offered:
            jsonio.fail(f"empires[{seat}]", N_("{empire} cannot be founded in turn {turn}"), empire=EMPIRE_NAMES[empire], turn=state.turn)
        if state.empires.count(empire) > 1:
            jsonio.fail("empires", N_("{empire} can be founded only once"), empire=EMPIRE_NAMES[empire])
        is_new = state.phase in (MUSTERING, EQUIPPING) and seat == state.active
        if (seat in state.ranking) == is_new:
            jsonio.fail("ranking", N_("names the seats whose empires are equipped"))
        away = [
            area
            for area in legality.AREAS_IN[state.armies[seat]]
            if area >= FIRST_OTHER and not _is_entered(area) and area != offered[empire]
        ]
        if away:
            jsonio.fail(f"armies[{seat}]", N_("{area} cannot be invaded"), area=AREAS[away[0]])
    if any(state.empires[seat] == NO_EMPIRE for seat in state.ranking):
        jsonio.fail("ranking", N_("names a seat without an empire"))


def _is_entered(area: int) -> bool:
    return any(mask >> area & 1 for mask in NEIGHBOURS)


def _check_turn(state: State) -> None:
    phase = state.phase
    scored = state.turn if phase in (CLOSING, END) else max(0, state.turn - 1)
    if len(state.records) != scored * SEATS:
        jsonio.fail("records", N_("expected the points of {n} turns"), n=scored)
    if phase in (CLOSING, END) and state.turn != len(legality.OFFERED) - 1:
        jsonio.fail("phase", N_("{phase} comes after the last turn"), phase="closing" if phase == CLOSING else "end")
    has_all_passed = state.passed == (1 << SEATS) - 1
    if (phase in (GROWING, SCORING, CLOSING, END)) and not has_all_passed:
        jsonio.fail("passed", N_("all have passed before cities grow and points are counted"))
    if phase < GROWING or phase == ROLLING:
        is_bidding = phase == BIDDING
        if state.active != NO_SEAT and bool(state.passed >> state.active & 1) != is_bidding:
            jsonio.fail("passed", N_("the active seat has passed exactly when it bids"))
    others = state.passed & ~(1 << state.active) if state.active != NO_SEAT else 0
    if phase == PAYING and not others:
        jsonio.fail("phase", N_("paying comes after somebody else has passed"))
    if state.growths and phase < GROWING:
        jsonio.fail("growths", N_("cities grow when all have passed"))
    for seat, area, _ in state.growths:
        if not state.cities[seat] & state.grown & (1 << area):
            jsonio.fail("growths", N_("{area} is no city of seat {seat} that has grown"), area=AREAS[area], seat=seat)
    if phase == START and (any(state.cities) or state.passed):
        jsonio.fail("phase", N_("start comes before everything else"))


def _check_fight(state: State) -> None:
    phase = state.phase
    seat = state.active
    if phase in (MUSTERING, EQUIPPING, HOMING, GARRISONING, ATTACKING, ROLLING, EXPANDING) and state.empires[seat] == NO_EMPIRE:
        jsonio.fail("empires", N_("the active seat has founded none"))
    if (phase in (ROLLING, ATTACKING, GARRISONING)) != (state.target != NO_AREA):
        jsonio.fail("doing.target", N_("names the area of the fight or of the garrison, and only then"))
    if phase in (ROLLING, ATTACKING):
        if army_owner(state, state.target) in (NO_SEAT, seat):
            jsonio.fail("doing.target", N_("there is no enemy army to fight"))
        if not state.armies_available[seat]:
            jsonio.fail("armies_available", N_("an attack needs an available army"))
    if phase == ATTACKING and state.fight != INVASION:
        jsonio.fail("doing.fight", N_("only an invasion can be broken off"))
    if phase in (ROLLING, ATTACKING) and state.fight == INVASION and not legality.REACH[state.armies[seat]] >> state.target & 1:
        jsonio.fail("doing.target", N_("no army of the active seat is beside it"))
    if phase == GARRISONING:
        if state.fight == INVASION:
            jsonio.fail("doing.fight", N_("a garrison is for a home: founding or refounding"))
        if army_owner(state, state.target) != NO_SEAT or not state.armies_available[seat]:
            jsonio.fail("doing.target", N_("a garrison needs an area without armies and an available army"))
    if phase == HOMING and (state.fight != FOUNDING or legality.home_of(state, seat) != SUMER_EMPIRE):
        jsonio.fail("phase", N_("homing is for the founding of a Sumer empire"))
    if phase in (MUSTERING, EQUIPPING, HOMING) or (phase in (ROLLING, GARRISONING) and state.fight == FOUNDING):
        if state.armies[seat]:
            jsonio.fail("armies", N_("a new empire has no armies on the map yet"))
        if not state.armies_available[seat]:
            jsonio.fail("armies_available", N_("a new empire has armies to place"))
    if phase in (ROLLING, GARRISONING) and state.fight != INVASION:
        home = legality.home_of(state, seat)
        if state.target != home and (home != SUMER_EMPIRE or state.target >= FIRST_OTHER):
            jsonio.fail("doing.target", N_("is not the home of the active seat's empire"))
    if state.fight == REFOUNDING and state.armies[seat]:
        jsonio.fail("doing.fight", N_("an empire with armies on the map need not come back"))
