"""What must hold in every position of After the Flood, and from each position to the next, for fuzzing and tests."""

from __future__ import annotations

from games.after_the_flood.components import (
    ARMIES,
    CITIES,
    DILMUN,
    KINDS,
    PIECES,
    SCRIBE_LIMIT,
    SCRIBES,
    SEATS,
    SPOTS,
    SUMER_MASK,
    TOOL,
    UNLIMITED,
    WORKERS,
)
from games.after_the_flood.scoring import majorities, points_of
from games.after_the_flood.state import END, NO_EMPIRE, State, scribe_count
from games.after_the_flood.turns import sum_of_armies

ALL = range(SEATS)


def check_invariants(state: State, before: State | None = None) -> str | None:
    """Return what is broken, in one line, or None. `before` is the position one action earlier."""
    fault = _pieces(state) or _goods(state) or _map(state) or _points(state)
    return fault if fault or before is None else _change(before, state)


def _pieces(state: State) -> str | None:
    for seat in ALL:
        placed = sum(state.workers[seat * SPOTS : seat * SPOTS + SPOTS])
        if placed + state.workers_available[seat] + state.reserve[seat] != WORKERS or state.reserve[seat] < 0:
            return f"seat {seat} has not {WORKERS} workers"
        if sum_of_armies(state, seat) != ARMIES or state.armies_reserve[seat] < 0 or state.armies_available[seat] < 0:
            return f"seat {seat} has not {ARMIES} armies"
        if state.cities[seat].bit_count() > CITIES:
            return f"seat {seat} has more than {CITIES} cities"
        if scribe_count(state, seat) > SCRIBE_LIMIT:
            return f"seat {seat} has more than {SCRIBE_LIMIT} scribes"
        if seat == state.active and state.usable > state.workers[seat * SPOTS + SCRIBES]:
            return f"seat {seat} may use more scribes than are unused"
        if state.empires[seat] == NO_EMPIRE and (state.armies[seat] or state.armies_available[seat]):
            return f"seat {seat} has armies without an empire"
    return None


def _goods(state: State) -> str | None:
    for good in range(KINDS):
        held = sum(sum(box[good::KINDS]) for box in (state.goods, state.equipment, state.bids))
        if held + state.stock[good] != PIECES[good]:
            return f"goods of kind {good} were lost or made"
        if state.stock[good] < 0 and good not in UNLIMITED and (good != TOOL or state.is_tool_limited):
            return f"more goods of kind {good} than there are"
    return None


def _map(state: State) -> str | None:
    armies, cities = state.armies, state.cities
    for name, masks in (("armies", armies), ("cities", cities)):
        if masks[0] & masks[1] or masks[0] & masks[2] or masks[1] & masks[2]:
            return f"{name} of two players in one area"
    if (armies[0] | armies[1] | armies[2]) >> DILMUN & 1:
        return "an army in Dilmun"
    if state.doubles & ~(armies[0] | armies[1] | armies[2]):
        return "two armies where there is none"
    if (cities[0] | cities[1] | cities[2]) & ~SUMER_MASK:
        return "a city outside Sumer"
    if state.grown & ~(cities[0] | cities[1] | cities[2]):
        return "growth without a city"
    return None


def _points(state: State) -> str | None:
    for seat in ALL:
        points = sum(map(points_of, state.records[seat::SEATS]))
        if state.phase == END:
            points += sum(won for _, winner, won in majorities(state) if winner == seat)
        if points != state.scores[seat]:
            return f"seat {seat} has {points} points, counted as {state.scores[seat]}"
    return None


def _change(before: State, state: State) -> str | None:
    if state.turn == before.turn:
        for seat in ALL:
            if (
                seat != before.active
                and state.goods[seat * KINDS : seat * KINDS + KINDS] != before.goods[seat * KINDS : seat * KINDS + KINDS]
            ):
                return f"goods of seat {seat} have changed in the action of another"
            if (
                seat != before.active
                and state.workers[seat * SPOTS : seat * SPOTS + SPOTS] != before.workers[seat * SPOTS : seat * SPOTS + SPOTS]
            ):
                return f"workers of seat {seat} have changed in the action of another"
        if before.passed & ~state.passed:
            return "a pass was taken back"
    elif any(state.armies) or any(state.armies_available) or state.passed:
        return "armies or passes were kept for the next turn"
    if any(now < then for now, then in zip(state.scores, before.scores, strict=True)):
        return "points were lost"
    return None
