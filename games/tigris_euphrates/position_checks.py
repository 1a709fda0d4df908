"""What makes a position impossible, phase by phase; each fault is a PositionError that names the field (tigris_euphrates#components).

Hands may be smaller than in real play, so that a position file can ignore them.
"""

from __future__ import annotations

from operator import add

from games.core import jsonio
from games.core.contract import NO_SEAT
from games.core.phrases import N_
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    BLUE,
    CATASTROPHES_EACH,
    COLOURS,
    COUNTS,
    FEWEST_TREASURES,
    GROUND,
    HAND_SIZE,
    KINDS,
    LABELS,
    MONUMENT_COLOURS,
    N_COLOURS,
    RED,
    RIVER,
    ROLES,
    START_TEMPLES,
)
from games.tigris_euphrates.kingdoms import BESIDE, find_kingdoms, kingdom_at, touched
from games.tigris_euphrates.legality import SQUARE_SHAPE, kind_at, monument_options, pending_wars, treasure_squares
from games.tigris_euphrates.state import (
    ACTION,
    ATTACK,
    BY_BAG,
    BY_TREASURES,
    DEFENCE,
    DRAWING,
    END,
    FROM_REVOLTS,
    MONUMENT,
    N_SOURCES,
    NO_CONFLICT,
    NO_ENDING,
    NOWHERE,
    PHASES,
    REVOLT,
    SCORING,
    START,
    TREASURE,
    WAR,
    WAR_CHOICE,
    State,
    first_state,
    hand_count,
    labels_of,
)
from games.tigris_euphrates.strengths import side_of, war_sides

AT_WAR = (WAR_CHOICE, ATTACK, DEFENCE)


def placed_counts(state: State) -> list[int]:
    """Return how many tiles of each kind there are in all places: board, hands, bag, swapped, gone."""
    counts = list(map(add, state.bag, state.gone))
    for kind, board in enumerate(state.tiles):
        counts[kind] += board.bit_count()
    for _, _, kind in state.built:
        counts[kind] += SQUARE_SHAPE.bit_count()
    for at, count in enumerate(map(add, state.hands, state.swapped)):
        counts[at % N_COLOURS] += count
    return counts


def check_monument(where: str, monument: int, square: int, kind: int) -> None:
    """Refuse a monument that cannot be where it is said to be (monuments-1, monuments-2)."""
    if kind not in MONUMENT_COLOURS[monument]:
        jsonio.fail(where, N_("a monument on four {kind} tiles must be {colour}"), kind=KINDS[kind], colour=COLOURS[kind])
    shape = SQUARE_SHAPE << square
    if shape & GROUND[kind] != shape:
        jsonio.fail(where, N_("there can't be four {kind} tiles on the squares from {square} on"), kind=KINDS[kind], square=LABELS[square])


def check(state: State) -> None:
    """Raise PositionError if the position is impossible."""
    _check_board(state)
    _check_counts(state)
    _check_time(state)
    _check_leaders(state)
    if state.phase == START:
        _check_start(state)
    elif state.phase == DRAWING:
        _check_drawing(state)
    elif state.phase in (SCORING, END):
        _check_ending(state)
    elif state.phase in AT_WAR:
        _check_conflict(state)
    elif state.phase == MONUMENT and not monument_options(state):
        jsonio.fail("placed", N_("completes no square on which a monument can be built"))
    elif state.phase == TREASURE:
        _check_treasure(state)
    _check_peace(state)


# The board


def _check_board(state: State) -> None:
    seen = 0
    places = [(f"tiles.{kind}", board) for kind, board in zip(KINDS, state.tiles, strict=True)]
    places += [("built", state.down), ("catastrophes", state.catastrophes)]
    for where, board in places:
        if board & seen:
            jsonio.fail(where, N_("{square} is taken by another piece"), square=labels_of(board & seen)[0])
        seen |= board
    for kind, board in enumerate(state.tiles):
        wrong = board & ~GROUND[kind]
        if wrong:
            what = N_("{square} is land; farms go on the river") if kind == BLUE else N_("{square} is river; only farms go there")
            jsonio.fail(f"tiles.{KINDS[kind]}", what, square=labels_of(wrong)[0])
    below = state.tiles[RED]
    for _, square, kind in state.built:
        below |= SQUARE_SHAPE << square if kind == RED else 0
    wrong = state.treasures & ~(START_TEMPLES & below)
    if wrong:
        jsonio.fail("treasures", N_("{square} has no temple on which a treasure was placed"), square=labels_of(wrong)[0])
    for at, square in enumerate(state.leaders):
        if square == NOWHERE:
            continue
        where = f"leaders[{at // N_COLOURS}].{ROLES[at % N_COLOURS]}"
        if seen >> square & 1:
            jsonio.fail(where, N_("{square} is taken by another piece"), square=LABELS[square])
        seen |= 1 << square
        if RIVER >> square & 1:
            jsonio.fail(where, N_("{square} is river; leaders go on land"), square=LABELS[square])
        if not BESIDE[square] & state.tiles[RED]:
            jsonio.fail(where, N_("{square} has no face-up temple beside it"), square=LABELS[square])


def _check_leaders(state: State) -> None:
    """Refuse two leaders of one colour in a kingdom that are not in conflict (conflicts-1, conflicts-2)."""
    at_war = kingdom_at(state, state.union) if state.phase in AT_WAR and state.union != NOWHERE else 0
    rebel = NOWHERE
    if state.phase in (ATTACK, DEFENCE) and state.conflict == REVOLT:
        rebel = state.leaders[state.attacker * N_COLOURS + state.colour]
    for kingdom in state.kingdoms:
        for role, board in enumerate(state.leader_bits):
            here = board & kingdom
            if not here & (here - 1) or kingdom == at_war:
                continue
            if rebel == NOWHERE or role != state.colour or not here >> rebel & 1 or here.bit_count() > 2:
                jsonio.fail(
                    "leaders", N_("{squares}: two leaders of one colour in a kingdom, and no conflict"), squares=", ".join(labels_of(here))
                )


def _check_counts(state: State) -> None:
    for kind, count in enumerate(placed_counts(state)):
        if count != COUNTS[kind]:
            jsonio.fail(
                "bag",
                N_("the {kind} tiles in all places add up to {count}; the game has {n}"),
                kind=KINDS[kind],
                count=count,
                n=COUNTS[kind],
            )
    for seat in range(state.seats):
        if hand_count(state, seat) > HAND_SIZE:
            jsonio.fail(f"hands[{seat}]", N_("more than {n} tiles"), n=HAND_SIZE)
        for colour, name in enumerate(COLOURS):
            if colour != RED and state.sources[(seat * N_COLOURS + colour) * N_SOURCES + FROM_REVOLTS]:
                jsonio.fail(f"points[{seat}].{name}", N_("revolts bring red points only"))
    lying = state.treasures.bit_count()
    if lying + sum(state.jokers) != START_TEMPLES.bit_count():
        jsonio.fail(
            "jokers",
            N_("{taken} treasures are taken, {left} on the board; the game has {n}"),
            taken=sum(state.jokers),
            left=lying,
            n=START_TEMPLES.bit_count(),
        )
    left = sum(state.catastrophes_left)
    if left + state.catastrophes.bit_count() != state.seats * CATASTROPHES_EACH:
        jsonio.fail("catastrophes_left", N_("must be {n} a seat, less those on the board"), n=CATASTROPHES_EACH)


# The moment


def _check_time(state: State) -> None:
    phase = state.phase
    name = PHASES[phase]
    if (state.active == NO_SEAT) != (phase == START):
        jsonio.fail("active", N_("names a seat in every phase but start"))
    if (state.due == NO_SEAT) != (phase in (START, SCORING, END)):
        jsonio.fail("due", N_("names a seat in every phase but start, scoring and end"))
    if (state.turn == 0) != (phase == START) and not (phase == DRAWING and state.turn == 0):
        jsonio.fail("turn", N_("is 0 until the first hands are drawn, then 1 or more"))
    if phase in (ACTION, WAR_CHOICE, MONUMENT) and state.due != state.active:
        jsonio.fail("due", N_("is the active seat in the phase {phase}"), phase=name)
    if phase <= TREASURE and not state.actions_left:
        jsonio.fail("actions_left", N_("is 1 or {n} in the phase {phase}"), n=ACTIONS_PER_TURN, phase=name)
    if (state.ending == NO_ENDING) != (phase not in (SCORING, END)):
        jsonio.fail("ending", N_("is given in the phases scoring and end, else null"))
    if (state.conflict != NO_CONFLICT) != (phase in (ATTACK, DEFENCE)):
        jsonio.fail("conflict", N_("is given in the phases attack and defence, else null"))
    has_union = phase == WAR_CHOICE or state.conflict == WAR
    if (state.union != NOWHERE) != has_union:
        jsonio.fail("union", N_("is given while wars are settled, else null"))
    if has_union and state.union != state.placed:
        jsonio.fail("union", N_("is the square of the tile that was placed"))
    if state.placed == NOWHERE:
        if phase == MONUMENT:
            jsonio.fail("placed", N_("is the square of the tile that was placed"))
    elif phase not in (WAR_CHOICE, ATTACK, DEFENCE, MONUMENT, TREASURE) or state.conflict == REVOLT:
        jsonio.fail("placed", N_("is null in the phase {phase}"), phase=name)
    elif kind_at(state, state.placed) < 0 and not state.down >> state.placed & 1:
        jsonio.fail("placed", N_("there is no tile on {square}"), square=LABELS[state.placed])
    if state.swapping and phase != DRAWING:
        jsonio.fail("swapping", N_("is 0 in the phase {phase}"), phase=name)


def _check_start(state: State) -> None:
    if state != first_state(state.seats, state.open_totals):
        jsonio.fail("phase", N_("start is the first position: nobody has drawn, placed or taken anything"))


def _check_drawing(state: State) -> None:
    if not any(state.bag):
        jsonio.fail("bag", N_("is empty: nothing can be drawn"))
    held = hand_count(state, state.due)
    if state.swapping:
        if state.due != state.active or not state.actions_left or not state.turn:
            jsonio.fail("swapping", N_("only the active seat swaps, by an action"))
        if held + state.swapping > HAND_SIZE or state.swapping > sum(state.swapped[state.due * N_COLOURS :][:N_COLOURS]):
            jsonio.fail("swapping", N_("is more than the seat has swapped"))
        return
    if held == HAND_SIZE:
        jsonio.fail("due", N_("has {n} tiles already"), n=HAND_SIZE)
    step = (state.due - state.active) % state.seats
    if any(hand_count(state, (state.active + before) % state.seats) < HAND_SIZE for before in range(step)):
        jsonio.fail("due", N_("a seat before it has not drawn"))


def _check_ending(state: State) -> None:
    if state.ending == BY_TREASURES:
        if state.treasures.bit_count() >= FEWEST_TREASURES:
            jsonio.fail("ending", N_("'treasures' means fewer than {n} treasures on the board"), n=FEWEST_TREASURES)
        return
    if any(state.bag):
        jsonio.fail("ending", N_("'bag' and 'swap' mean an empty bag"))
    seats = range(state.seats) if state.ending == BY_BAG else (state.active,)
    if all(hand_count(state, seat) == HAND_SIZE for seat in seats):
        jsonio.fail("ending", N_("'bag' and 'swap' mean a hand that could not be filled"))


def _check_peace(state: State) -> None:
    """Refuse treasures that a trader would have collected at the end of an action (treasures-1)."""
    if state.phase in (ACTION, START, DRAWING, SCORING, END):
        for seat in range(state.seats):
            if treasure_squares(state, seat):
                jsonio.fail("treasures", N_("the trader of seat {seat} would have taken all but one of its kingdom"), seat=seat)


def _check_treasure(state: State) -> None:
    order = [(state.active + step) % state.seats for step in range(state.seats)]
    owners = [seat for seat in order if treasure_squares(state, seat)]
    if not owners or owners[0] != state.due:
        jsonio.fail("due", N_("is the first seat in turn order whose trader has two treasures or more in its kingdom"))


def _check_conflict(state: State) -> None:
    if state.phase == WAR_CHOICE:
        roles = pending_wars(state)
        if len(roles) < 2:
            jsonio.fail("union", N_("fewer than two wars are to be settled: there is no choice"))
        for role in roles:
            _check_war(state, role)
        return
    is_attack = state.phase == ATTACK
    if state.due != (state.attacker if is_attack else state.defender):
        jsonio.fail("due", N_("is the attacker in the phase attack, the defender in the phase defence"))
    kind = RED if state.conflict == REVOLT else state.colour
    if state.added > (0 if is_attack else state.gone[kind]):
        jsonio.fail("conflict.added", N_("is 0 until the attacker has spoken; then these tiles are among those gone"))
    squares = []
    for name, seat in (("attacker", state.attacker), ("defender", state.defender)):
        square = state.leaders[seat * N_COLOURS + state.colour]
        if square == NOWHERE:
            jsonio.fail(f"conflict.{name}", N_("the {role} of seat {seat} is not on the board"), role=ROLES[state.colour], seat=seat)
        squares.append(square)
    if state.attacker == state.defender or not kingdom_at(state, squares[0]) >> squares[1] & 1:
        jsonio.fail("conflict", N_("the two leaders are not in one kingdom"))
    if state.conflict == WAR:
        if state.colour not in pending_wars(state):
            jsonio.fail("conflict.role", N_("the union tile does not join two such leaders"))
        if (state.attacker, state.defender) != war_sides(state, state.colour):
            jsonio.fail("conflict.attacker", N_("is the active seat, or the first one involved after it"))
        for role in pending_wars(state):
            _check_war(state, role)
    else:
        _check_revolt(state, squares[0])


def _check_war(state: State, role: int) -> None:
    attacker, defender = war_sides(state, role)
    here = side_of(state, state.leaders[attacker * N_COLOURS + role])
    if here >> state.leaders[defender * N_COLOURS + role] & 1:
        jsonio.fail("union", N_("the leaders ({role}) are in one kingdom without the union tile"), role=ROLES[role])


def _check_revolt(state: State, square: int) -> None:
    if state.attacker != state.active:
        jsonio.fail("conflict.attacker", N_("is the active seat in a revolt"))
    before = state.copy()
    before.leaders[state.attacker * N_COLOURS + state.colour] = NOWHERE
    before.leader_bits[state.colour] &= ~(1 << square)
    find_kingdoms(before)
    if touched(before)[1] >> square & 1:
        jsonio.fail("conflict", N_("a leader on {square} would have joined two kingdoms"), square=LABELS[square])
