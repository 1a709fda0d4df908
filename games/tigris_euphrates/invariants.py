"""What holds in every position of Tigris & Euphrates, whatever was played; checked in random games (`manage.py fuzz`).

Rules: tigris_euphrates#components-1 (tiles), #conflicts-1, #leaders-6, #monuments-7, #catastrophes-3, #treasures-2
"""

from __future__ import annotations

from games.core.contract import PositionError
from games.tigris_euphrates import position_checks
from games.tigris_euphrates.components import CORNERS, GREEN, LABELS, N_COLOURS, RED, ROLES
from games.tigris_euphrates.kingdoms import kingdom_at, occupied, recomputed, spread, touched
from games.tigris_euphrates.legality import kind_at
from games.tigris_euphrates.state import DEFENCE, DRAWING, NOWHERE, TREASURE, WAR, State, labels_of


def check_invariants(state: State, before: State | None = None) -> str | None:
    """Return what is broken, in one line, or None. `before` is the position one action earlier."""
    fault = _kept(state)
    if fault is not None:
        return fault
    try:
        position_checks.check(state)
    except PositionError as error:
        return str(error)
    return None if before is None else _change(before, state)


def _kept(state: State) -> str | None:
    """Return where a derived field does not agree with the board."""
    for role, board in enumerate(state.leader_bits):
        squares = [square for square in state.leaders[role::N_COLOURS] if square != NOWHERE]
        if board != sum(1 << square for square in squares) or len(set(squares)) != len(squares):
            return f"the squares of the leaders ({ROLES[role]}) do not agree with each other"
    if state.occupied != occupied(state):
        return f"taken or free, wrongly kept: {' '.join(labels_of(state.occupied ^ occupied(state)))}"
    if sorted(state.kingdoms) != sorted(recomputed(state)):
        return "the kingdoms kept are not those of the board"
    if [spread(kingdom) for kingdom in state.kingdoms] != state.edges:
        return "the edges kept are not those of the kingdoms"
    kept, state.touched = state.touched, None
    if touched(state) != kept and kept is not None:
        return "the squares kept as beside kingdoms are not those"
    if min(*state.hands, *state.bag, *state.gone, *state.swapped, *state.jokers) < 0:
        return "there are fewer than no tiles or treasures"
    return None


def _change(before: State, state: State) -> str | None:
    return _lasting(before, state) or _war(before, state) or _seats(before, state) or _treasures(before, state)


def _lasting(before: State, state: State) -> str | None:
    """Return what has vanished or come back although it never may."""
    if before.catastrophes & ~state.catastrophes:
        return f"a catastrophe has gone from {labels_of(before.catastrophes & ~state.catastrophes)[0]}"
    if before.down & ~state.down or state.built[: len(before.built)] != before.built:
        return "a monument has gone"
    if state.treasures & ~before.treasures:
        return "a treasure has come back"
    lost = before.treasures & before.tiles[RED] & ~(state.tiles[RED] | state.down)
    if lost:
        return f"the temple with a treasure has gone from {labels_of(lost)[0]}"
    for old, new, what in (
        (before.gone, state.gone, "a tile that had left the game is back"),
        (before.swapped, state.swapped, "a swapped tile is back"),
        (before.sources, state.sources, "points have fallen"),
        (before.jokers, state.jokers, "treasures taken have become fewer"),
        (state.bag, before.bag, "a tile has come into the bag"),
        (state.catastrophes_left, before.catastrophes_left, "a catastrophe tile has come back"),
    ):
        if any(after < earlier for earlier, after in zip(old, new, strict=True)):
            return what
    left = [board & ~(other | state.down | state.catastrophes) for board, other in zip(before.tiles, state.tiles, strict=True)]
    for kind, board in enumerate(left):
        if board.bit_count() > state.gone[kind] - before.gone[kind]:
            return f"a tile has gone from {labels_of(board)[0]} to nowhere"
    return None


def _war(before: State, state: State) -> str | None:
    """Return what a war has removed although it must not (wars-4, wars-8)."""
    if before.conflict != WAR or before.phase != DEFENCE:
        return None
    if kind_at(state, before.union) < 0:
        return f"the union tile has gone from {LABELS[before.union]}"
    king, priest, farmer, trader = state.leader_bits
    for kind, (old, new) in enumerate(zip(before.tiles, state.tiles, strict=True)):
        lost = old & ~new
        if kind != before.colour and lost:
            return f"a war of other leaders has removed {labels_of(lost)[0]}"
        guarded = lost & spread(king | priest | farmer | trader) if kind == RED else 0
        if guarded:
            return f"the temple on {labels_of(guarded)[0]} was removed from beside a leader"
    return None


def _seats(before: State, state: State) -> str | None:
    """Return what has changed although its seat did nothing, or without a draw."""
    if before.phase != DRAWING and before.bag != state.bag:
        return "the bag has changed without a draw"
    for seat in range(state.seats):
        base = seat * N_COLOURS
        if seat != before.due and before.hands[base : base + N_COLOURS] != state.hands[base : base + N_COLOURS]:
            return f"the hand of seat {seat} has changed, and it did nothing"
    if state.turn not in (before.turn, before.turn + 1):
        return "a turn was left out"
    is_next = state.active == (before.active + 1) % state.seats
    if before.turn and is_next != (state.turn == before.turn + 1):
        return "the turn has not gone to the next seat"
    return None


def _treasures(before: State, state: State) -> str | None:
    """Return how taking a treasure broke the rules (treasures-1, treasures-2)."""
    taken = before.treasures & ~state.treasures
    if not taken:
        return None
    label = LABELS[taken.bit_length() - 1]
    trader = before.leaders[before.due * N_COLOURS + GREEN] if before.phase == TREASURE else NOWHERE
    if trader == NOWHERE or taken & (taken - 1):
        return f"the treasure of {label} was not taken by a trader"
    here = kingdom_at(before, trader) & before.treasures
    if not here & taken or not here & (here - 1):
        return f"the treasure of {label} was not to be taken"
    if here & CORNERS and not taken & CORNERS:
        return f"the treasure of {label} was taken before that of a corner"
    return None
