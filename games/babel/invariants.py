"""What must hold in every position of Babel, and from each position to the next, for fuzzing and tests."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from games.babel.components import LANDS, LEVELS, MIGRANTS, PEOPLE_EACH, PEOPLES, REVEAL, TOP_LEVEL
from games.babel.state import ACTION, DRAWING, HALVING, QUARRY, REVEALING, SCORING, State, deck_count, hand_count, height

BOTH: Final = (0, 1)


def check_invariants(state: State, before: State | None = None) -> str | None:
    """Return what is broken, in one line, or None. `before` is the position one action earlier."""
    fault = _cards(state) or _temples(state) or _places(state)
    return fault if fault or before is None else _change(before, state)


def _cards(state: State) -> str | None:
    peoples = b"".join(state.columns)
    for people in range(LANDS):
        held = state.hands[people] + state.hands[LANDS + people]
        count = peoples.count(people) + held + state.people_deck[people] + state.discards[people]
        if count != PEOPLE_EACH:
            return f"{count} cards {PEOPLES[people]} of {PEOPLE_EACH}"
    levels = b"".join((*state.temples, *state.stocks, state.deck_top))
    for level in range(1, TOP_LEVEL + 1):
        count = levels.count(level) + state.deck[level]
        if count != LEVELS[level]:
            return f"{count} cards of level {level} of {LEVELS[level]}"
    if min(*state.hands, *state.people_deck, *state.discards, *state.deck) < 0:
        return "fewer than no cards"
    return None


def _temples(state: State) -> str | None:
    for temple in state.temples:
        if any(lower >= upper for lower, upper in pairwise(temple)):
            return f"a temple of the levels {list(temple)}"
    for seat in BOTH:
        total = sum(map(height, state.temples[seat * LANDS : seat * LANDS + LANDS]))
        if state.scores[seat] != total:
            return f"seat {seat} has {total} points, counted as {state.scores[seat]}"
    return None


def _places(state: State) -> str | None:
    for seat in BOTH:
        base = seat * LANDS
        if state.pawns[seat] == QUARRY and any(state.columns[base : base + LANDS]):
            return f"seat {seat} has settled from the quarry"
        if state.reserved[seat] and state.stocks[seat] != b"\x01":
            return f"the first level 1 of seat {seat} does not lie alone in its stock"
    if state.phase < SCORING and not deck_count(state):
        return "the temple deck is empty and the game goes on"
    return None


def _change(before: State, state: State) -> str | None:
    if before.phase == ACTION:
        return _turn_change(before, state)
    if (state.columns, state.temples, state.pawns) != (before.columns, before.temples, before.pawns):
        return "a column, a temple or a pawn has changed without an action"
    if before.phase == HALVING and hand_count(state, before.due) != hand_count(before, before.due) - hand_count(before, before.due) // 2:
        return "not half of a hand was given up"
    if before.phase == DRAWING and state.discards != before.discards and any(state.discards):
        return "the discard pile was shuffled in part"
    if before.phase == REVEALING and deck_count(state) != max(deck_count(before) - REVEAL, 0):
        return "an end of turn did not turn up two temple cards"
    if before.phase != REVEALING and deck_count(state) != deck_count(before):
        return "the temple deck has changed outside the actions and the end of a turn"
    return None


def _turn_change(before: State, state: State) -> str | None:
    """Return what an action of the active seat has broken."""
    seat = before.active
    own, other = seat * LANDS, (1 - seat) * LANDS
    land = before.pawns[seat]
    for at in range(LANDS):
        if height(state.temples[own + at]) < height(before.temples[own + at]):
            return "a temple of the active seat has fallen"
        if at != land and state.temples[other + at] != before.temples[other + at]:
            return "a temple has changed away from the pawn"
        if at != land and state.columns[other + at] != before.columns[other + at]:
            return "the other column has changed away from the pawn"
    grown = deck_count(state) - deck_count(before)
    if grown and (state.temples[other + land] or grown != len(before.temples[other + land])):
        return "the temple deck has grown without a destroyed temple"
    changed = [at for at in range(LANDS) if state.columns[own + at] != before.columns[own + at]]
    if state.migrated != before.migrated:
        moved = {at: len(state.columns[own + at]) - len(before.columns[own + at]) for at in changed}
        if sorted(moved.values()) != [-MIGRANTS, MIGRANTS]:
            return "a migration did not move three cards"
    elif changed and changed != [land]:
        return "a column of the active seat has changed away from the pawn"
    elif changed and hand_count(state, seat) == hand_count(before, seat):
        column, now = before.columns[own + land], state.columns[own + land]
        if not any(now.startswith(column[:at] + column[at + 1 :]) for at in range(len(column))):
            return "a power did not take one card of the pawn's column"
    return None
