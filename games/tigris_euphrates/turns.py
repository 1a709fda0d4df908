"""What actions do, step by step within an action, and the end of a turn (tigris_euphrates#turn-4, #turn-5).

Each step changes the state in place and tells what happened if `events` is a list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.core.contract import NO_SEAT, Event
from games.tigris_euphrates import conflicts, scoring
from games.tigris_euphrates.actions import (
    Action,
    Build,
    Catastrophe,
    Decline,
    Draw,
    Leader,
    Pass,
    Score,
    Start,
    Support,
    Swap,
    Tile,
    Treasure,
    War,
    Withdraw,
)
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    BLACK,
    COLOURS,
    FEWEST_TREASURES,
    GREEN,
    HAND_SIZE,
    KINDS,
    LABELS,
    MONUMENT_COLOURS,
    MONUMENTS,
    MONUMENTS_WITH,
    N_COLOURS,
    RED,
    ROLES,
)
from games.tigris_euphrates.conflicts import Events, give_points, leader_name, send_home
from games.tigris_euphrates.kingdoms import BESIDE, joined, kingdom_at, parted
from games.tigris_euphrates.legality import RULE, SQUARE_SHAPE, kind_at, monument_squares, treasure_squares
from games.tigris_euphrates.state import (
    ACTION,
    BY_BAG,
    BY_SWAP,
    BY_TREASURES,
    DRAWING,
    END,
    ENDINGS,
    FROM_MONUMENTS,
    FROM_TILES,
    MONUMENT,
    NOWHERE,
    SCORING,
    TREASURE,
    State,
    hand_count,
)
from games.tigris_euphrates.strengths import leader_in, stripped


def _names(kinds: tuple[int, ...]) -> list[str]:
    return [KINDS[kind] for kind in kinds]


# Actions of a turn


def place_tile(state: State, action: Tile, events: Events) -> None:
    """Place a tile and score its point, or start the wars if it unites two kingdoms (tiles-6 .. tiles-9, wars-1)."""
    kind, square = action.kind, action.square
    seat = state.active
    state.hands[seat * N_COLOURS + kind] -= 1
    state.tiles[kind] |= 1 << square
    state.placed = square
    kingdoms = joined(state, square, is_leader=False)
    if events is not None:
        params = {"seat": seat, "tile": KINDS[kind], "square": LABELS[square]}
        events.append(Event("placed", params, RULE + "tiles-1"))
    if len(kingdoms) == 2:
        if events is not None:
            events.append(Event("united", {"square": LABELS[square]}, RULE + "tiles-9"))
        state.union = square
        if conflicts.open_wars(state, events):
            return
        state.union = NOWHERE
    elif kingdoms:
        owner = leader_in(state, kind, kingdoms[0])
        anchor = "tiles-6"
        if owner == NO_SEAT:
            owner = leader_in(state, BLACK, kingdoms[0])
            anchor = "tiles-7"
        if owner != NO_SEAT:
            give_points(state, owner, kind, FROM_TILES, 1)
            if events is not None:
                params = {"seat": owner, "colour": COLOURS[kind], "points": 1}
                events.append(Event("tile_point" if anchor == "tiles-6" else "tile_point_king", params, RULE + anchor))
    if state.tiles[kind] & BESIDE[square]:
        _see_to_monument(state, events)
    elif kingdoms:
        _see_to_treasures(state, events)
    else:  # away from all kingdoms, nothing follows
        _finish_action(state, events)


def place_leader(state: State, action: Leader, events: Events) -> None:
    """Place or move a leader; a leader of its colour in the kingdom means a revolt (leaders-1, revolts-1)."""
    role, square = action.role, action.square
    seat = state.active
    at = seat * N_COLOURS + role
    before = state.leaders[at]
    if before != NOWHERE:  # lifted first: leaders-5
        parted(state, 1 << send_home(state, seat, role))
    rivals = state.leader_bits[role]
    state.leaders[at] = square
    state.leader_bits[role] |= 1 << square
    joined(state, square, is_leader=True)
    if events is not None:
        params = {"seat": seat, "leader": leader_name(seat, role), "square": LABELS[square]}
        if before == NOWHERE:
            events.append(Event("leader_placed", params, RULE + "leaders-1"))
        else:
            events.append(Event("leader_moved", params | {"before": LABELS[before]}, RULE + "leaders-1"))
    rivals &= kingdom_at(state, square)
    if rivals:
        conflicts.open_revolt(state, role, square, rivals.bit_length() - 1, events)
    else:
        _see_to_treasures(state, events)


def withdraw_leader(state: State, action: Withdraw, events: Events) -> None:
    """Withdraw a leader (leaders-8)."""
    seat = state.active
    square = send_home(state, seat, action.role)
    parted(state, 1 << square)
    if events is not None:
        params = {"seat": seat, "leader": leader_name(seat, action.role), "square": LABELS[square]}
        events.append(Event("leader_withdrawn", params, RULE + "leaders-8"))
    _finish_action(state, events)


def place_catastrophe(state: State, action: Catastrophe, events: Events) -> None:
    """Place a catastrophe; a covered tile leaves the game (catastrophes-1, catastrophes-3, catastrophes-4)."""
    square = action.square
    seat = state.active
    bit = 1 << square
    kind = kind_at(state, square)
    state.catastrophes |= bit
    state.catastrophes_left[seat] -= 1
    if events is not None:
        params: dict[str, Any] = {"seat": seat, "square": LABELS[square]}
        if kind < 0:
            events.append(Event("catastrophe_placed", params, RULE + "catastrophes-1"))
        else:
            events.append(Event("catastrophe_covered", params | {"tile": KINDS[kind]}, RULE + "catastrophes-3"))
    if kind >= 0:
        state.tiles[kind] &= ~bit
        state.gone[kind] += 1
        _strip(state, bit, bit if kind == RED else 0, events)
    _finish_action(state, events)


def _strip(state: State, gone: int, temples: int, events: Events) -> None:
    """Update the kingdoms without `gone`, and send home the leaders that lost their last temple when `temples` went (leaders-6)."""
    for seat, role in stripped(state, temples) if temples else ():
        square = send_home(state, seat, role)
        gone |= 1 << square
        if events is not None:
            params = {"seat": seat, "leader": leader_name(seat, role), "square": LABELS[square]}
            events.append(Event("leader_stripped", params, RULE + "leaders-6"))
    if gone:
        parted(state, gone)


def swap_tiles(state: State, action: Swap, events: Events) -> None:
    """Discard tiles face down; chance draws as many, or as many as there are (swap-1, swap-5)."""
    seat = state.active
    base = seat * N_COLOURS
    for kind in action.kinds:
        state.hands[base + kind] -= 1
        state.swapped[base + kind] += 1
    state.swapping = len(action.kinds)
    if events is not None:
        params = {"seat": seat, "n": len(action.kinds)}
        events.append(Event("swapped", params, RULE + "swap-1", secret={seat: {"tiles": _names(action.kinds)}}))
    if any(state.bag):
        state.phase = DRAWING
        state.due = seat
    else:
        _end_game(state, BY_SWAP, events)


def pass_turn(state: State, action: Pass, events: Events) -> None:
    """Forgo the rest of the turn (turn-3)."""
    if events is not None:
        events.append(Event("passed", {"seat": state.active}, RULE + "turn-3"))
    _end_turn(state, events)


# Conflicts


def choose_war(state: State, action: War, events: Events) -> None:
    """Resolve the war of these leaders next (wars-2)."""
    if events is not None:
        events.append(Event("war_chosen", {"seat": state.active, "role": ROLES[action.role]}, RULE + "wars-2"))
    conflicts.open_war(state, action.role, events)


def add_support(state: State, action: Support, events: Events) -> None:
    """Add tiles to a conflict; after the defender, go on with the next war, a monument, treasures (conflicts-3, turn-4)."""
    if not conflicts.support(state, action.count, events):
        return
    if state.union != NOWHERE:
        if conflicts.open_wars(state, events):
            return
        state.union = NOWHERE  # an ordinary tile from now on: wars-12
    _see_to_monument(state, events)


# Monuments


def _see_to_monument(state: State, events: Events) -> None:
    """Ask the active seat for a monument if the placed tile completes a 2x2 and a monument is left (monuments-1 .. monuments-3)."""
    if state.placed != NOWHERE:
        squares = monument_squares(state)
        if squares and state.monuments_left & MONUMENTS_WITH[kind_at(state, state.placed)]:
            state.phase = MONUMENT
            state.due = state.active
            return
    _see_to_treasures(state, events)


def build(state: State, action: Build, events: Events) -> None:
    """Flip four tiles and build a monument on them (monuments-1, monuments-6, monuments-9)."""
    kind = kind_at(state, state.placed)
    shape = SQUARE_SHAPE << action.square
    state.tiles[kind] &= ~shape
    state.down |= shape
    state.monuments_left &= ~(1 << action.monument)
    state.built += ((action.monument, action.square, kind),)
    if events is not None:
        params = {"seat": state.active, "monument": MONUMENTS[action.monument][0], "square": LABELS[action.square]}
        events.append(Event("built", params, RULE + "monuments-1"))
    if kind == RED:
        _strip(state, 0, shape, events)
    _see_to_treasures(state, events)


def decline(state: State, action: Decline, events: Events) -> None:
    """Build nothing: these squares can never be built on (monuments-4)."""
    if events is not None:
        events.append(Event("declined", {"seat": state.active}, RULE + "monuments-4"))
    _see_to_treasures(state, events)


# Treasures


def _see_to_treasures(state: State, events: Events) -> None:
    """Ask the owner of a trader whose kingdom has at least two treasures, in turn order (treasures-1, treasures-5)."""
    treasures, traders = state.treasures, state.leader_bits[GREEN]
    for kingdom in state.kingdoms:
        here = kingdom & treasures
        if here & (here - 1) and kingdom & traders:
            break
    else:
        _finish_action(state, events)
        return
    seats, active = state.seats, state.active
    for step in range(seats):
        seat = (active + step) % seats
        if treasure_squares(state, seat):
            state.phase = TREASURE
            state.due = seat
            return


def take_treasure(state: State, action: Treasure, events: Events) -> None:
    """Take one treasure (treasures-1, treasures-2)."""
    state.treasures &= ~(1 << action.square)
    state.jokers[state.due] += 1
    if events is not None:
        params = {"seat": state.due, "square": LABELS[action.square], "n": state.treasures.bit_count()}
        events.append(Event("treasure_taken", params, RULE + "treasures-1"))
    _see_to_treasures(state, events)


# The end of an action, of a turn, of the game


def _finish_action(state: State, events: Events) -> None:
    state.placed = NOWHERE
    state.actions_left -= 1
    if state.actions_left:
        state.phase = ACTION
        state.due = state.active
    else:
        _end_turn(state, events)


def _end_turn(state: State, events: Events) -> None:
    """Score points for monuments; then refill hands (turn-5, monuments-10)."""
    seat = state.active
    for monument, square, _ in state.built:
        kingdom = kingdom_at(state, square)
        if not kingdom:
            continue
        for colour in MONUMENT_COLOURS[monument]:
            leader = state.leaders[seat * N_COLOURS + colour]
            if leader != NOWHERE and kingdom >> leader & 1:
                give_points(state, seat, colour, FROM_MONUMENTS, 1)
                if events is not None:
                    params = {"seat": seat, "monument": MONUMENTS[monument][0], "colour": COLOURS[colour], "points": 1}
                    events.append(Event("monument_point", params, RULE + "monuments-10"))
    _fill_hands(state, events)


def _fill_hands(state: State, events: Events) -> None:
    """Let chance draw for the next seat below six tiles, the active one first (turn-5); go on when all are full (end-1 .. end-3)."""
    seats, active = state.seats, state.active
    if sum(state.hands) < seats * HAND_SIZE:
        if not any(state.bag):
            _end_game(state, BY_BAG, events)
            return
        seat = active
        while hand_count(state, seat) == HAND_SIZE:
            seat = (seat + 1) % seats
        state.phase = DRAWING
        state.due = seat
        return
    if state.turn and state.treasures.bit_count() < FEWEST_TREASURES:
        _end_game(state, BY_TREASURES, events)
        return
    if state.turn:
        state.active = (active + 1) % seats
    state.turn += 1
    state.phase = ACTION
    state.due = state.active
    state.actions_left = ACTIONS_PER_TURN


def _end_game(state: State, ending: int, events: Events) -> None:
    state.ending = ending
    state.phase = SCORING
    state.due = NO_SEAT
    state.swapping = 0
    state.placed = NOWHERE
    if events is not None:
        anchor = ("end-1", "end-2", "end-4")[ending]
        events.append(Event(f"ended_by_{ENDINGS[ending]}", {"n": state.treasures.bit_count()}, RULE + anchor))


# Chance and scorer


def start(state: State, action: Start, events: Events) -> None:
    """Set the starting seat; then hands are drawn (setup-4, setup-5)."""
    state.active = action.seat
    if events is not None:
        events.append(Event("started", {"seat": action.seat}, RULE + "setup-5", reveals=True))
    _fill_hands(state, events)


def draw(state: State, action: Draw, events: Events) -> None:
    """Give the due seat the drawn tiles (turn-5, swap-1)."""
    seat = state.due
    base = seat * N_COLOURS
    for kind in action.kinds:
        state.bag[kind] -= 1
        state.hands[base + kind] += 1
    if events is not None:
        params = {"seat": seat, "n": len(action.kinds)}
        events.append(Event("drew", params, RULE + "turn-5", secret={seat: {"tiles": _names(action.kinds)}}, reveals=True))
    if not state.swapping:
        _fill_hands(state, events)
    elif len(action.kinds) < state.swapping:
        _end_game(state, BY_SWAP, events)
    else:
        state.swapping = 0
        _finish_action(state, events)


def score(state: State, action: Score, events: Events) -> None:
    """Close the game; `scoring` distributes the treasures and ranks the seats (scoring-1)."""
    state.phase = END
    if events is not None:
        outcome = scoring.outcome(state)
        assert outcome is not None
        winners = [seat for seat, place in enumerate(outcome.places) if place == 1]
        params = {"seats": winners, "seat": winners[0], "points": outcome.scores[winners[0]]}
        events.append(Event("game_ended", params, RULE + "scoring-2", reveals=True))


STEPS: Final[dict[type, Callable[[State, Any, Events], None]]] = {
    Tile: place_tile,
    Leader: place_leader,
    Withdraw: withdraw_leader,
    Catastrophe: place_catastrophe,
    Swap: swap_tiles,
    Pass: pass_turn,
    War: choose_war,
    Support: add_support,
    Build: build,
    Decline: decline,
    Treasure: take_treasure,
    Start: start,
    Draw: draw,
    Score: score,
}


def step(state: State, action: Action, events: Events) -> None:
    """Carry out a legal action in place."""
    STEPS[type(action)](state, action, events)
