"""What is allowed, and which paragraph forbids everything else (tigris_euphrates#turn, #leaders, #tiles, #catastrophes, #swap)."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, NoReturn

from games.core.contract import CHANCE, SCORER, IllegalAction
from games.tigris_euphrates.actions import (
    CATASTROPHES,
    DECLINE,
    LEADERS,
    PASS,
    SCORE,
    SUPPORTS,
    SWAPS,
    TILES,
    TREASURES,
    WARS,
    WITHDRAWALS,
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
from games.tigris_euphrates.boards import Lister
from games.tigris_euphrates.components import (
    BLUE,
    COLOURS,
    CORNERS,
    GREEN,
    GROUND,
    HAND_SIZE,
    KINDS,
    LABELS,
    LAND,
    MONUMENTS,
    MONUMENTS_WITH,
    N_COLOURS,
    RED,
    RIVER,
    ROLES,
    STRIDE,
)
from games.tigris_euphrates.kingdoms import BESIDE, kingdom_at, parts_of, spread, touched
from games.tigris_euphrates.state import (
    ACTION,
    ATTACK,
    DEFENCE,
    DRAWING,
    END,
    MONUMENT,
    NOWHERE,
    REVOLT,
    SCORING,
    START,
    TREASURE,
    WAR_CHOICE,
    State,
    hand_count,
    squares_of,
)

RULE: Final = "tigris_euphrates#"
SQUARE_SHAPE: Final = 1 | 1 << 1 | 1 << STRIDE | 1 << (STRIDE + 1)  # a 2x2, from its upper left square


_TILE_LISTERS: Final = tuple(Lister(row) for row in TILES)
_LEADER_LISTERS: Final = tuple(Lister(row) for row in LEADERS)
_CATASTROPHE_LISTER: Final = Lister(CATASTROPHES)
_TREASURE_LISTER: Final = Lister(TREASURES)


# Squares


def tile_squares(state: State, kind: int) -> int:
    """Return the squares where a tile of `kind` may be placed (tiles-1 .. tiles-4), whether or not a seat holds one."""
    return GROUND[kind] & ~(state.occupied | state.catastrophes | touched(state)[2])


def leader_squares(state: State, seat: int, role: int, near: int | None = None) -> int:
    """Return the squares where the seat's leader may be placed or moved to (leaders-2 .. leaders-5).

    `near` are the free squares beside temples, if the caller has worked them out for all leaders.
    """
    if near is None:
        near = beside_temples(state)
    square = state.leaders[seat * N_COLOURS + role]
    if square == NOWHERE:
        return near & ~touched(state)[1]
    return near & ~_touched_without(state, square) if near else 0


def beside_temples(state: State) -> int:
    """Return the free land squares beside at least one temple (leaders-2)."""
    return LAND & spread(state.tiles[RED]) & ~(state.occupied | state.catastrophes)


def _touched_without(state: State, square: int) -> int:
    """Return the squares beside at least two kingdoms once the leader on `square` is lifted (leaders-5)."""
    bit = 1 << square
    king, priest, farmer, trader = state.leader_bits
    leaders = (king | priest | farmer | trader) & ~bit
    one = two = 0
    for kingdom, edge in zip(state.kingdoms, state.edges, strict=True):
        if kingdom & bit:
            for part in parts_of(kingdom & ~bit, bit, leaders):
                edge = spread(part)
                two |= one & edge
                one |= edge
        else:
            two |= one & edge
            one |= edge
    return two


def catastrophe_squares(state: State) -> int:
    """Return the squares where a catastrophe may be placed (catastrophes-1, catastrophes-2)."""
    king, priest, farmer, trader = state.leader_bits
    return (LAND | RIVER) & ~(king | priest | farmer | trader | state.down | state.catastrophes | state.treasures)


# Choices within an action


def pending_wars(state: State) -> list[int]:
    """Return the roles whose leaders are at war over the union tile, in canonical order (wars-1, wars-9)."""
    kingdom = kingdom_at(state, state.union)
    found = []
    for role, board in enumerate(state.leader_bits):
        here = board & kingdom
        if here & (here - 1):
            found.append(role)
    return found


def monument_squares(state: State) -> list[int]:
    """Return the upper left squares of the 2x2 squares that the placed tile has completed, ascending (monuments-1, monuments-12)."""
    square = state.placed
    kind = kind_at(state, square)
    if kind < 0:
        return []
    tiles = state.tiles[kind]
    corners = (square - STRIDE - 1, square - STRIDE, square - 1, square)
    return [corner for corner in corners if corner >= 0 and not SQUARE_SHAPE & ~(tiles >> corner)]


def kind_at(state: State, square: int) -> int:
    """Return the kind of the face-up tile on a square, or -1 if there is none."""
    for kind, tiles in enumerate(state.tiles):
        if tiles >> square & 1:
            return kind
    return -1


def monument_options(state: State) -> list[Build]:
    """Return every monument that may be built on every completed square (monuments-2, monuments-3, monuments-12)."""
    kind = kind_at(state, state.placed)
    left = state.monuments_left & MONUMENTS_WITH[kind]
    corners = monument_squares(state) if left else []
    return [Build(monument, corner) for corner in corners for monument in range(len(MONUMENTS)) if left >> monument & 1]


def treasure_squares(state: State, seat: int) -> int:
    """Return the treasures from which the seat's trader must take one now: corners first (treasures-1, treasures-2); 0 for none."""
    square = state.leaders[seat * N_COLOURS + GREEN]
    if square == NOWHERE:
        return 0
    here = kingdom_at(state, square) & state.treasures
    if not here & (here - 1):
        return 0
    return here & CORNERS or here


# Lists


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor."""
    phase = state.phase
    if phase == SCORING:
        return [SCORE] if actor == SCORER else []
    if phase > TREASURE or actor != state.due:
        return []
    if phase == ACTION:
        return _turn_actions(state, actor)
    if phase == WAR_CHOICE:
        return [WARS[role] for role in pending_wars(state)]
    if phase in (ATTACK, DEFENCE):
        kind = support_kind(state)
        return list(SUPPORTS[kind][: state.hands[actor * N_COLOURS + kind] + 1])
    if phase == MONUMENT:
        return [*monument_options(state), DECLINE]
    actions: list[Action] = []
    _TREASURE_LISTER.add(treasure_squares(state, actor), actions)
    return actions


def _turn_actions(state: State, seat: int) -> list[Action]:
    """Tiles by kind, leaders by role, withdrawals, catastrophes, swaps, pass."""
    base = seat * N_COLOURS
    hands = state.hands
    actions: list[Action] = []
    land, river, near = tile_squares(state, RED), tile_squares(state, BLUE), beside_temples(state)
    for kind in range(N_COLOURS):
        if hands[base + kind]:
            _TILE_LISTERS[kind].add(river if kind == BLUE else land, actions)
    on_board = []
    for role in range(N_COLOURS):
        if state.leaders[base + role] != NOWHERE:
            on_board.append(WITHDRAWALS[role])
        _LEADER_LISTERS[role].add(leader_squares(state, seat, role, near), actions)
    actions += on_board
    if state.catastrophes_left[seat]:
        _CATASTROPHE_LISTER.add(catastrophe_squares(state), actions)
    actions += _swaps(tuple(hands[base : base + N_COLOURS]))
    actions.append(PASS)
    return actions


@lru_cache(maxsize=2048)
def _swaps(hand: tuple[int, ...]) -> tuple[Swap, ...]:
    """Return every way to swap one or more tiles of a hand, fewer tiles first."""
    ways = []
    for counts in product(*(range(count + 1) for count in hand)):
        kinds = tuple(kind for kind, count in enumerate(counts) for _ in range(count))
        if kinds:
            ways.append(kinds)
    return tuple(SWAPS[kinds] for kinds in sorted(ways, key=lambda kinds: (len(kinds), kinds)))


def support_kind(state: State) -> int:
    """Return the kind of tile that may be added to the current conflict: temples in a revolt, the leaders' colour in a war."""
    return RED if state.conflict == REVOLT else state.colour


# Refusals


def check(state: State, actor: int, action: Action) -> None:
    """Raise IllegalAction, with the paragraph that forbids it, unless `actor` may do `action` now."""
    phase = state.phase
    if phase == END:
        _refuse("refused.finished", "end-1")
    match action:
        case Start() | Draw():
            _check_chance(state, actor, action)
        case Score():
            if actor != SCORER or phase != SCORING:
                _refuse("refused.not_scoring", "scoring-2")
        case _:
            if actor != state.due or phase > TREASURE:
                _refuse_actor(state)
            _check_seat(state, action)


def _refuse(reason: str, anchor: str, **params: Any) -> NoReturn:
    raise IllegalAction(reason, RULE + anchor, **params)


def _refuse_actor(state: State) -> NoReturn:
    if state.phase == SCORING:
        _refuse("refused.scoring_first", "scoring-2")
    if state.phase in (START, DRAWING):
        _refuse("refused.chance_first", "setup-4")
    if state.phase in (ATTACK, DEFENCE):
        _refuse("refused.conflict_of_others", "conflicts-3", seat=state.due)
    _refuse("refused.not_your_turn", "turn-1", seat=state.due)


def _check_chance(state: State, actor: int, action: Start | Draw) -> None:
    if actor != CHANCE:
        _refuse("refused.not_by_hand", "setup-4")
    if isinstance(action, Start):
        if state.phase != START or action.seat >= state.seats:
            _refuse("refused.no_start", "setup-5")
        return
    if state.phase != DRAWING:
        _refuse("refused.no_draw", "turn-5")
    if len(action.kinds) != draw_count(state):
        _refuse("refused.draw_count", "turn-5", n=draw_count(state))
    for kind in range(N_COLOURS):
        if action.kinds.count(kind) > state.bag[kind]:
            _refuse("refused.tile_not_left", "setup-2", tile=KINDS[kind])


def draw_count(state: State) -> int:
    """Return how many tiles `due` draws now: as many as it swapped, or up to six, but no more than there are (swap-1, turn-5)."""
    wanted = state.swapping or HAND_SIZE - hand_count(state, state.due)
    return min(wanted, sum(state.bag))


def _check_seat(state: State, action: Action) -> None:
    phase = state.phase
    if phase == ACTION:
        _check_action(state, action)
    elif phase == WAR_CHOICE:
        if not isinstance(action, War):
            _refuse("refused.choose_war", "wars-2")
        if action.role not in pending_wars(state):
            _refuse("refused.no_such_war", "wars-2", role=ROLES[action.role])
    elif phase in (ATTACK, DEFENCE):
        _check_support(state, action)
    elif phase == MONUMENT:
        if isinstance(action, Build):
            _check_build(state, action)
        elif not isinstance(action, Decline):
            _refuse("refused.build_or_decline", "monuments-1")
    elif not isinstance(action, Treasure):
        _refuse("refused.take_treasure", "treasures-1")
    elif not treasure_squares(state, state.due) >> action.square & 1:
        _check_treasure(state, action.square)


def _check_action(state: State, action: Action) -> None:
    seat = state.due
    match action:
        case Tile(kind, square):
            if not state.hands[seat * N_COLOURS + kind]:
                _refuse("refused.tile_not_held", "tiles-1", tile=KINDS[kind])
            check_tile_square(state, kind, square)
        case Leader(role, square):
            check_leader_square(state, seat, role, square)
        case Withdraw(role):
            if state.leaders[seat * N_COLOURS + role] == NOWHERE:
                _refuse("refused.leader_in_hand", "leaders-8", role=ROLES[role])
        case Catastrophe(square):
            if not state.catastrophes_left[seat]:
                _refuse("refused.no_catastrophe", "catastrophes-1")
            check_catastrophe_square(state, square)
        case Swap(kinds):
            for kind in range(N_COLOURS):
                if kinds.count(kind) > state.hands[seat * N_COLOURS + kind]:
                    _refuse("refused.swap_not_held", "swap-1", tile=KINDS[kind])
        case Pass():
            pass
        case War() | Support():
            _refuse("refused.no_conflict", "conflicts-1")
        case Build() | Decline():
            _refuse("refused.no_monument_now", "monuments-1")
        case _:
            _refuse("refused.no_treasure_now", "treasures-1")


def _check_empty(state: State, square: int, anchor: str) -> None:
    bit = 1 << square
    if state.catastrophes & bit:
        _refuse("refused.on_catastrophe", "catastrophes-3", square=LABELS[square])
    if state.occupied & bit:
        _refuse("refused.occupied", anchor, square=LABELS[square])


def check_tile_square(state: State, kind: int, square: int) -> None:
    """Raise IllegalAction unless a tile of `kind` may be placed on `square`."""
    if tile_squares(state, kind) >> square & 1:
        return
    _check_empty(state, square, "tiles-1")
    if GROUND[kind] >> square & 1:
        _refuse("refused.unites_three", "tiles-4", square=LABELS[square])
    if kind == BLUE:
        _refuse("refused.farm_on_land", "tiles-2", square=LABELS[square])
    _refuse("refused.tile_on_river", "tiles-3", square=LABELS[square], tile=KINDS[kind])


def check_leader_square(state: State, seat: int, role: int, square: int) -> None:
    """Raise IllegalAction unless the seat's leader may be placed on, or moved to, `square`."""
    if leader_squares(state, seat, role) >> square & 1:
        return
    if state.leaders[seat * N_COLOURS + role] == square:
        _refuse("refused.same_square", "leaders-5", square=LABELS[square])
    _check_empty(state, square, "leaders-2")
    if RIVER >> square & 1:
        _refuse("refused.leader_on_river", "leaders-2", square=LABELS[square])
    if not BESIDE[square] & state.tiles[RED]:
        _refuse("refused.no_temple", "leaders-3", square=LABELS[square])
    _refuse("refused.unites_two", "leaders-4", square=LABELS[square])


def check_catastrophe_square(state: State, square: int) -> None:
    """Raise IllegalAction unless a catastrophe may be placed on `square`."""
    if catastrophe_squares(state) >> square & 1:
        return
    bit = 1 << square
    king, priest, farmer, trader = state.leader_bits
    if (king | priest | farmer | trader) & bit:
        _refuse("refused.catastrophe_on_leader", "catastrophes-2", square=LABELS[square])
    if state.down & bit:
        _refuse("refused.catastrophe_on_monument", "catastrophes-2", square=LABELS[square])
    if state.treasures & bit:
        _refuse("refused.catastrophe_on_treasure", "catastrophes-2", square=LABELS[square])
    _refuse("refused.on_catastrophe", "catastrophes-3", square=LABELS[square])


def _check_support(state: State, action: Action) -> None:
    if not isinstance(action, Support):
        _refuse("refused.support_first", "conflicts-2")
    kind = support_kind(state)
    if action.kind != kind:
        if state.conflict == REVOLT:
            _refuse("refused.revolt_needs_temples", "revolts-3", tile=KINDS[kind])
        _refuse("refused.war_needs_colour", "wars-5", tile=KINDS[kind], colour=COLOURS[kind])
    held = state.hands[state.due * N_COLOURS + kind]
    if action.count > held:
        _refuse("refused.support_not_held", "conflicts-3", n=held, tile=KINDS[kind])


def _check_build(state: State, action: Build) -> None:
    kind = kind_at(state, state.placed)
    name = MONUMENTS[action.monument][0]
    if action.square not in monument_squares(state):
        _refuse("refused.no_square_of_four", "monuments-1", square=LABELS[action.square])
    if not state.monuments_left >> action.monument & 1:
        _refuse("refused.monument_taken", "monuments-3", monument=name)
    if not MONUMENTS_WITH[kind] >> action.monument & 1:
        _refuse("refused.monument_colour", "monuments-2", monument=name, colour=COLOURS[kind])


def _check_treasure(state: State, square: int) -> NoReturn:
    seat = state.due
    here = kingdom_at(state, state.leaders[seat * N_COLOURS + GREEN]) & state.treasures
    if here >> square & 1:
        corners = [LABELS[corner] for corner in squares_of(here & CORNERS)]
        _refuse("refused.corner_first", "treasures-2", squares=", ".join(corners))
    _refuse("refused.treasure_elsewhere", "treasures-1", square=LABELS[square])
