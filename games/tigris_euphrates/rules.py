"""The game as the contract requires it: who is due, applying actions, chance, and the fast path for random play.

`apply` is check, copy, step. The steps (`turns`) change a state in place and trust their caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, Event, Rng
from games.core.forms import Forms
from games.core.options import checked
from games.tigris_euphrates import legality, turns
from games.tigris_euphrates.actions import (
    CATASTROPHES,
    DECLINE,
    DRAWS,
    LEADERS,
    PASS,
    SCORE,
    STARTS,
    SUPPORTS,
    SWAPS,
    TILES,
    TREASURES,
    WARS,
    WITHDRAWALS,
    Action,
    parse_action,
)
from games.tigris_euphrates.components import BLUE, LAND, N_COLOURS, RIVER, SQUARES
from games.tigris_euphrates.meta import META
from games.tigris_euphrates.state import (
    ACTION,
    ATTACK,
    DEFENCE,
    DRAWING,
    MONUMENT,
    NOWHERE,
    SCORING,
    START,
    TREASURE,
    WAR_CHOICE,
    State,
    first_state,
    squares_of,
)

_NOBODY: Final = ()
_TRIES: Final = 8  # squares are found by trial unless fewer than one in this many fits; then the few are enumerated
_LAND: Final = tuple(squares_of(LAND))
_RIVER: Final = tuple(squares_of(RIVER))

# The kind of a random turn action, WEIGHTS in all: the first possible kind from the drawn one on.
WEIGHTS: Final = 32
_TILE_BELOW: Final = 20
_LEADER_BELOW: Final = 28
_SWAP_BELOW: Final = 29
_CATASTROPHE_BELOW: Final = 30
_WITHDRAW_BELOW: Final = 31


def setup(seats: int, options: Mapping[str, Any]) -> State:
    """Return the first position: CHANCE picks who starts (setup-5). Raises SetupError."""
    return first_state(seats, checked(META, seats, options)["open_totals"])


def actors(state: State) -> tuple[int, ...]:
    """Return who is due: one seat, CHANCE, SCORER, or nobody at the end."""
    phase = state.phase
    if phase <= TREASURE:
        return (state.due,)
    if phase <= DRAWING:
        return (CHANCE,)
    return (SCORER,) if phase == SCORING else _NOBODY


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor."""
    return legality.legal_actions(state, actor)


FORMS: Final = Forms(parse_action, "tigris_euphrates#turn-1")


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    """Return the position after `action` and what happened. Raises IllegalAction; never changes `state`."""
    action = FORMS[action]
    legality.check(state, actor, action)
    new = state.copy()
    events: list[Event] = []
    turns.step(new, action, events)
    return new, events


# Chance


def sample_chance(state: State, rng: Rng) -> Action:
    """Return the chance outcome that is due: the starting player, or the tiles that the due seat draws."""
    if state.phase == START:
        return STARTS[rng.below(state.seats, "setup")]
    bag = state.bag[:]
    all_tiles = sum(bag)
    kinds = []
    for left in range(all_tiles, all_tiles - legality.draw_count(state), -1):
        at = rng.below(left, "bag")
        kind = 0
        while at >= bag[kind]:
            at -= bag[kind]
            kind += 1
        bag[kind] -= 1
        kinds.append(kind)
    kinds.sort()
    return DRAWS[tuple(kinds)]


# The fast path


def sample_action(state: State, actor: int, rng: Rng) -> Action:
    """Return a legal action of the due actor without building the list; each one has a positive chance."""
    phase = state.phase
    if phase == ACTION:
        return _sample_turn(state, rng)
    if phase in (ATTACK, DEFENCE):
        kind = legality.support_kind(state)
        return SUPPORTS[kind][rng.below(state.hands[state.due * N_COLOURS + kind] + 1, "play")]
    if phase == TREASURE:
        return TREASURES[_sample_square(legality.treasure_squares(state, state.due), _LAND, rng)]  # type: ignore[return-value]
    if phase == MONUMENT:
        options = legality.monument_options(state)
        at = rng.below(len(options) + 1, "play")
        return options[at] if at < len(options) else DECLINE
    if phase == WAR_CHOICE:
        roles = legality.pending_wars(state)
        return WARS[roles[rng.below(len(roles), "play")]]
    if phase == SCORING:
        return SCORE
    raise ValueError(f"{actor} is not due")


def _sample_square(board: int, among: tuple[int, ...], rng: Rng) -> int:
    """Return a square of a non-empty bit board within `among`, each with the same chance."""
    count = board.bit_count()
    if count * _TRIES > len(among):
        while True:
            square = among[rng.below(len(among), "play")]
            if board >> square & 1:
                return square
    for _ in range(rng.below(count, "play")):
        board &= board - 1
    return (board & -board).bit_length() - 1


def _sample_turn(state: State, rng: Rng) -> Action:
    """Return a tile in five of eight cases, a leader in two, otherwise something rarer; if one is not possible, the next is tried."""
    seat = state.due
    base = seat * N_COLOURS
    draw = rng.below(WEIGHTS, "play")
    hand = state.hands[base : base + N_COLOURS]
    held = sum(hand)
    if draw < _TILE_BELOW and held:
        at = rng.below(held, "play")
        kind = 0
        while at >= hand[kind]:
            at -= hand[kind]
            kind += 1
        free = legality.tile_squares(state, kind)
        if free:
            return TILES[kind][_sample_square(free, _RIVER if kind == BLUE else _LAND, rng)]  # type: ignore[return-value]
    if draw < _LEADER_BELOW:
        role = rng.below(N_COLOURS, "play")
        free = legality.leader_squares(state, seat, role)
        if free:
            return LEADERS[role][_sample_square(free, _LAND, rng)]  # type: ignore[return-value]
    if draw < _SWAP_BELOW and held:
        kinds = tuple([kind for kind, count in enumerate(hand) for _ in range(rng.below(count + 1, "play"))])
        if kinds:
            return SWAPS[kinds]
    if draw < _CATASTROPHE_BELOW and state.catastrophes_left[seat]:
        return CATASTROPHES[_sample_square(legality.catastrophe_squares(state), SQUARES, rng)]  # type: ignore[return-value]
    if draw < _WITHDRAW_BELOW:
        role = rng.below(N_COLOURS, "play")
        if state.leaders[base + role] != NOWHERE:
            return WITHDRAWALS[role]
    return PASS


def playout_moves(state: State, rng: Rng) -> int:
    """Play `state` in place to its end by `sample_action` and `step`; return the number of moves by seats."""
    moves = 0
    steps = turns.STEPS
    while True:
        phase = state.phase
        if phase == ACTION:
            action = _sample_turn(state, rng)
            moves += 1
        elif phase <= TREASURE:
            action = sample_action(state, state.due, rng)
            moves += 1
        elif phase <= DRAWING:
            action = sample_chance(state, rng)
        elif phase == SCORING:
            action = SCORE
        else:
            return moves
        steps[type(action)](state, action, None)
