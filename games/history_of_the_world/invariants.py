"""What must hold in every position of History of the World, and from each position to the next, for fuzzing and tests."""

from __future__ import annotations

from games.core.contract import NO_SEAT
from games.history_of_the_world.components import EVENTS
from games.history_of_the_world.scoring import points_of
from games.history_of_the_world.state import (
    COLLISION,
    EFFECT,
    NO_CARD,
    SCORING,
    State,
    city_pieces,
    fort_pieces,
    monument_pieces,
    supply,
)


def check_invariants(state: State, before: State | None = None) -> str | None:
    """Return what is broken, in one line, or None. `before` is the position one action earlier."""
    fault = _pieces(state) or _cards(state) or _points(state)
    return fault if fault or before is None else _change(before, state)


def _pieces(state: State) -> str | None:
    seen = 0
    for seat, armies in enumerate(state.armies):
        if armies & seen:
            return "two armies in one province"
        seen |= armies
        if supply(state, seat) < 0:
            return f"seat {seat} has more than its armies"
    if state.capitals & state.cities:
        return "a capital and a city in one province"
    if min(city_pieces(state), monument_pieces(state), fort_pieces(state)) < 0:
        return "more structures or forts than there are"
    if state.active_armies & ~(state.armies[state.active] if state.active != NO_SEAT else 0):
        return "active armies of somebody else"
    if min(state.card_armies, state.tokens, state.catapult_armies) < 0 or state.catapult_armies > state.catapult:
        return "fewer than no armies on card or catapult"
    return None


def _cards(state: State) -> str | None:
    events = [card for hand in state.hands for card in hand] + list(state.played) + list(state.pile_events)
    if len(set(events)) != len(events):
        return "an event in two places"
    taken = [card for card in state.empires if card != NO_CARD] + list(state.pile_empires)
    if len(set(taken)) != len(taken):
        return "an empire in two places"
    for hand in state.hands:
        if any(EVENTS[card].realm is not None and EVENTS[card].epoch != state.epoch for card in hand):
            return "a kingdom kept beyond its epoch"
    return None


def _points(state: State) -> str | None:
    if state.phase != COLLISION and len(set(state.scores)) != len(state.scores) and state.epoch:
        return "two markers on one space"
    for seat in range(state.seats):
        points = state.starts[seat] + sum(map(points_of, state.records[seat]))
        if seat == state.active:
            points += state.shift + (0 if state.phase == COLLISION and state.resume == SCORING else state.plunder)
        if points != state.scores[seat]:
            return f"seat {seat} has {points} points, counted as {state.scores[seat]}"
    return None


def _change(before: State, state: State) -> str | None:
    if state.epoch and min(state.scores) < 1:
        return "a marker below 1"
    if before.active == state.active != NO_SEAT:
        for seat in range(state.seats):
            if seat != state.active and state.armies[seat] & ~before.armies[seat]:
                return f"seat {seat} has gained an army in the turn of another"
            if seat != state.active and (state.hands[seat] != before.hands[seat] or state.scores[seat] != before.scores[seat]):
                return f"cards or points of seat {seat} have changed in the turn of another"
        # An improvement may hit the seat's own pieces, and an empire may start where its kingdom built.
        is_own_choice = before.phase == EFFECT or before.kingdom != state.kingdom
        if not is_own_choice and before.forts & ~state.forts & before.active_armies & state.active_armies:
            return "a fort of the active seat was lost"
    if set(before.played) - set(state.played):
        return "a played card came back"
    return None
