"""Positions as JSON: written compactly, read with every fault named, completed if partial (tigris_euphrates#setup, #components).

Fields of a position (a position file may leave out all but what it is about). Several squares share one text, "B2 C3".
    rules_version      1
    seats              2..4
    options            {"open_totals": false}
    phase              action | war_choice | attack | defence | monument | treasure | start | drawing | scoring | end
    turn               turns started; 0 while the first hands are drawn
    active             the seat whose turn it is; null before one starts
    due                the seat that is asked or drawn for; null in start, scoring, end
    actions_left       left in the turn, including the current one
    tiles              {kind: squares}, the face-up tiles
    built              [[monument, its upper left square, kind of the four tiles below it]] in building order
    catastrophes       squares
    treasures          squares
    leaders            per seat {role: square}; the others are in hand
    hands              per seat {kind: count}
    bag                {kind: count}, the tiles still to be drawn
    gone               {kind: count}, the tiles that left the game in full view
    swapped            per seat {kind: count}, the tiles that the seat has swapped away
    catastrophes_left  per seat
    points             per seat {colour: points from tiles, or [from tiles, revolts, wars, monuments]}
    jokers             per seat, treasures taken
    conflict           null or {"kind": revolt | war, "role": .., "attacker": seat, "defender": seat, "added": the attacker's tiles}
    union              square of the union tile while wars are being resolved, else null
    placed             square of the tile that the current action has placed, else null
    swapping           tiles to be drawn for a swap, else 0
    ending             treasures | bag | swap once the end is certain, else null
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.core import jsonio
from games.core.contract import NO_SEAT, Rng
from games.core.phrases import N_
from games.tigris_euphrates import position_checks
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    CATASTROPHES_EACH,
    COLOURS,
    COUNTS,
    HAND_SIZE,
    KIND_OF,
    KINDS,
    LABELS,
    MONUMENT_OF,
    MONUMENTS,
    N_COLOURS,
    ROLE_OF,
    ROLES,
    SEATS,
    SQUARE_OF,
    START_TEMPLES,
)
from games.tigris_euphrates.kingdoms import find_kingdoms, kingdom_at
from games.tigris_euphrates.legality import SQUARE_SHAPE, pending_wars, treasure_squares
from games.tigris_euphrates.meta import RULES_VERSION
from games.tigris_euphrates.state import (
    CONFLICTS,
    ENDINGS,
    FROM_TILES,
    N_SOURCES,
    NO_CONFLICT,
    NO_ENDING,
    NOWHERE,
    PHASES,
    REVOLT,
    WAR,
    State,
    first_state,
    labels_of,
)
from games.tigris_euphrates.strengths import owner_at, war_sides

FIELDS: Final = (
    "rules_version", "seats", "options", "phase", "turn", "active", "due", "actions_left", "tiles", "built", "catastrophes",
    "treasures", "leaders", "hands", "bag", "gone", "swapped", "catastrophes_left", "points", "jokers", "conflict", "union",
    "placed", "swapping", "ending",
)  # fmt: skip
CONFLICT_FIELDS: Final = ("kind", "role", "attacker", "defender", "added")
POINTS_MAX: Final = 999  # in a position file; a game that continues from it is read up to ENDLESS
TURN_MAX: Final = 9999
ENDLESS: Final = 10**9
TREASURE_COUNT: Final = START_TEMPLES.bit_count()
WITHOUT_TURN: Final = ("start", "scoring", "end")  # phases in which no seat is due


def state_to_json(state: State) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    seats = range(state.seats)
    conflict = None
    if state.conflict != NO_CONFLICT:
        conflict = {
            "kind": CONFLICTS[state.conflict],
            "role": ROLES[state.colour],
            "attacker": state.attacker,
            "defender": state.defender,
            "added": state.added,
        }
    return {
        "rules_version": RULES_VERSION,
        "seats": state.seats,
        "options": {"open_totals": state.open_totals},
        "phase": PHASES[state.phase],
        "turn": state.turn,
        "active": _or_none(state.active),
        "due": _or_none(state.due),
        "actions_left": state.actions_left,
        "tiles": {KINDS[kind]: _squares(board) for kind, board in enumerate(state.tiles) if board},
        "built": [[MONUMENTS[monument][0], LABELS[square], KINDS[kind]] for monument, square, kind in state.built],
        "catastrophes": _squares(state.catastrophes),
        "treasures": _squares(state.treasures),
        "leaders": [_leaders(state, seat) for seat in seats],
        "hands": [_counts(state.hands, seat) for seat in seats],
        "bag": _counts(state.bag, 0),
        "gone": _counts(state.gone, 0),
        "swapped": [_counts(state.swapped, seat) for seat in seats],
        "catastrophes_left": state.catastrophes_left[:],
        "points": [_points(state, seat) for seat in seats],
        "jokers": state.jokers[:],
        "conflict": conflict,
        "union": LABELS.get(state.union),
        "placed": LABELS.get(state.placed),
        "swapping": state.swapping,
        "ending": None if state.ending == NO_ENDING else ENDINGS[state.ending],
    }


def _or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _squares(board: int) -> str:
    return " ".join(labels_of(board))


def _counts(flat: list[int], row: int) -> dict[str, int]:
    base = row * N_COLOURS
    return {KINDS[kind]: count for kind, count in enumerate(flat[base : base + N_COLOURS]) if count}


def _leaders(state: State, seat: int) -> dict[str, str]:
    base = seat * N_COLOURS
    squares = state.leaders[base : base + N_COLOURS]
    return {ROLES[role]: LABELS[square] for role, square in enumerate(squares) if square != NOWHERE}


def _points(state: State, seat: int) -> dict[str, int | list[int]]:
    points: dict[str, int | list[int]] = {}
    for colour, name in enumerate(COLOURS):
        at = (seat * N_COLOURS + colour) * N_SOURCES
        by_source = state.sources[at : at + N_SOURCES]
        if any(by_source):
            points[name] = by_source if any(by_source[FROM_TILES + 1 :]) else by_source[FROM_TILES]
    return points


def state_from_json(data: Mapping[str, Any]) -> State:
    """Return the state of a full position. Raises PositionError, one line that names the field."""
    jsonio.fields(data, "", FIELDS, FIELDS)
    state = _read(data)
    position_checks.check(state)
    return state


# From a part


def complete(partial: Mapping[str, Any], rng: Rng) -> State:
    """Return a full state from a partial one. Raises PositionError for an impossible position.

    Defaults: four seats; seat 0 with its first action of the first turn; the ten treasures, each on its temple (a treasure
    that is named brings its temple as well); treasures already taken and catastrophes on the board come from the seats in
    turn; leaders in hand; hands (or a hand that is null) drawn by `rng`; all other tiles in the bag, or, if the bag is
    named, out of the game; no points. Who is due, and the two seats of a conflict over a role that only two have on the
    board, follow from the phase.
    """
    data = dict(jsonio.fields(partial, "", FIELDS))
    seats = jsonio.integer(data.setdefault("seats", SEATS[-1]), "seats", SEATS[0], SEATS[-1])
    phase = PHASES[jsonio.one_of(data.setdefault("phase", "action"), "phase", PHASES)]
    options = data.get("options", {})
    data["options"] = {"open_totals": False, **options} if isinstance(options, Mapping) else options
    is_before = phase == "start"
    defaults: dict[str, Any] = {
        "rules_version": RULES_VERSION,
        "turn": 0 if is_before else 1,
        "active": None if is_before else 0,
        "due": None,
        "actions_left": ACTIONS_PER_TURN,
        "built": [],
        "catastrophes": "",
        "leaders": [{}] * seats,
        "swapped": [{}] * seats,
        "points": [{}] * seats,
        "conflict": None,
        "union": None,
        "placed": None,
        "swapping": 0,
        "ending": "treasures" if phase in ("scoring", "end") else None,
    }
    is_due_given = "due" in data
    for name, value in defaults.items():
        data.setdefault(name, value)
    _complete_pieces(data, seats)
    if "hands" not in data:
        data["hands"] = [{}] * seats if is_before else [None] * seats
    bag_first = "bag" in data and "gone" not in data
    conflict, data["conflict"] = data["conflict"], None
    _complete_tiles(data, seats, rng)
    if bag_first:
        data["gone"] = {}
        data["gone"] = _rest(_read(data))
    data["conflict"] = conflict
    _complete_conflict(data)
    if not is_due_given and phase not in WITHOUT_TURN:
        data["due"] = _who_is_due(_read(data), phase)
    state = state_from_json(data)
    jsonio.integer(state.turn, "turn", 0, TURN_MAX)
    jsonio.integer(max(state.sources), "points", 0, POINTS_MAX)
    return state


def _complete_pieces(data: dict[str, Any], seats: int) -> None:
    """Fill in treasures with their temples, the treasures already taken, and the catastrophes that are left."""
    data.setdefault("treasures", _squares(START_TEMPLES))
    treasures = _board(data["treasures"], "treasures")
    tiles = dict(jsonio.fields(data.get("tiles", {}), "tiles", KINDS))
    down = 0
    for _, square, _ in _read_built(data["built"]):
        down |= SQUARE_SHAPE << square
    temples = _board(tiles.get("temple", ""), "tiles.temple")
    data["tiles"] = tiles | {"temple": _squares(temples | (treasures & START_TEMPLES & ~down))}
    if "jokers" not in data:
        taken = TREASURE_COUNT - treasures.bit_count()
        data["jokers"] = [(taken + seats - 1 - seat) // seats for seat in range(seats)]
    if "catastrophes_left" not in data:
        used = min(_board(data["catastrophes"], "catastrophes").bit_count(), seats * CATASTROPHES_EACH)
        data["catastrophes_left"] = [CATASTROPHES_EACH - (used + seats - 1 - seat) // seats for seat in range(seats)]


def _complete_tiles(data: dict[str, Any], seats: int, rng: Rng) -> None:
    """Draw the hands that are not given, and put all other tiles into the bag or out of the game."""
    data.setdefault("gone", {})
    hands = list(jsonio.items(data["hands"], "hands", seats))
    open_hands = [seat for seat, hand in enumerate(hands) if hand is None]
    is_bag_given = "bag" in data
    data["hands"] = [{} if hand is None else hand for hand in hands]
    if not is_bag_given:
        data["bag"] = {}
    elif not open_hands:
        return
    rest = _rest(_read(data))
    pool = [kind for kind, name in enumerate(KINDS) for _ in range(rest.get(name, 0))]
    for seat in open_hands:
        drawn = [pool.pop(rng.below(len(pool), "bag")) for _ in range(min(HAND_SIZE, len(pool)))]
        data["hands"][seat] = {KINDS[kind]: drawn.count(kind) for kind in range(N_COLOURS) if kind in drawn}
    if not is_bag_given:
        data["bag"] = {KINDS[kind]: pool.count(kind) for kind in range(N_COLOURS) if kind in pool}


def _rest(state: State) -> dict[str, int]:
    """Return the tiles that the position places nowhere."""
    rest = {}
    for kind, count in enumerate(position_checks.placed_counts(state)):
        if count > COUNTS[kind]:
            jsonio.fail("tiles", jsonio.MORE_THAN_THERE_ARE, kind=KINDS[kind], n=COUNTS[kind])
        if count < COUNTS[kind]:
            rest[KINDS[kind]] = COUNTS[kind] - count
    return rest


def _complete_conflict(data: dict[str, Any]) -> None:
    """Fill in the square of the union tile, and who attacks whom if that follows from the board (revolts-2, wars-3)."""
    for name, other in (("placed", "union"), ("union", "placed")):
        if data[name] is None and (data["phase"] == "war_choice" or _kind_of_conflict(data["conflict"]) == "war"):
            data[name] = data[other]
    conflict = data["conflict"]
    if not isinstance(conflict, Mapping) or not {"kind", "role"} <= conflict.keys():
        return
    sides = {}
    state = _read(data | {"conflict": {"attacker": 0, "defender": 0, "added": 0, **conflict}})
    if state.conflict == WAR and state.union != NOWHERE and state.colour in pending_wars(state):
        sides = dict(zip(("attacker", "defender"), war_sides(state, state.colour), strict=True))
    elif state.conflict == REVOLT and state.active != NO_SEAT:
        square = state.leaders[state.active * N_COLOURS + state.colour]
        rivals = state.leader_bits[state.colour] & kingdom_at(state, square) & ~(1 << square) if square != NOWHERE else 0
        if rivals:
            sides = {"attacker": state.active, "defender": owner_at(state, state.colour, rivals.bit_length() - 1)}
    data["conflict"] = {**sides, "added": 0, **conflict}


def _kind_of_conflict(conflict: Any) -> Any:
    return conflict.get("kind") if isinstance(conflict, Mapping) else None


def _who_is_due(state: State, phase: str) -> int | None:
    if phase == "attack":
        return _or_none(state.attacker)
    if phase == "defence":
        return _or_none(state.defender)
    if phase == "treasure":
        owners = [seat for seat in range(state.seats) if treasure_squares(state, seat)]
        return owners[0] if owners else _or_none(state.active)
    return _or_none(state.active)


# Reading


def _read(data: Mapping[str, Any]) -> State:
    """Return the state of the fields, each of which is sound by itself."""
    if data["rules_version"] != RULES_VERSION or type(data["rules_version"]) is not int:
        jsonio.fail(
            "rules_version", N_("expected {wanted}, found {found}"), wanted=RULES_VERSION, found=jsonio.shown(data["rules_version"])
        )
    seats = jsonio.integer(data["seats"], "seats", SEATS[0], SEATS[-1])
    options = jsonio.fields(data["options"], "options", ("open_totals",), ("open_totals",))
    state = first_state(seats, jsonio.boolean(options["open_totals"], "options.open_totals"))
    state.phase = jsonio.one_of(data["phase"], "phase", PHASES)
    state.turn = jsonio.integer(data["turn"], "turn", 0, ENDLESS)
    state.active = _seat(data["active"], "active", seats)
    state.due = _seat(data["due"], "due", seats)
    state.actions_left = jsonio.integer(data["actions_left"], "actions_left", 0, ACTIONS_PER_TURN)
    _read_board(data, state)
    state.hands = _read_counts_by_seat(data["hands"], "hands", seats, HAND_SIZE)
    state.swapped = _read_counts_by_seat(data["swapped"], "swapped", seats, max(COUNTS))
    state.bag = _read_counts(data["bag"], "bag", max(COUNTS))
    state.gone = _read_counts(data["gone"], "gone", max(COUNTS))
    left = jsonio.items(data["catastrophes_left"], "catastrophes_left", seats)
    state.catastrophes_left = [jsonio.integer(n, f"catastrophes_left[{s}]", 0, CATASTROPHES_EACH) for s, n in enumerate(left)]
    jokers = jsonio.items(data["jokers"], "jokers", seats)
    state.jokers = [jsonio.integer(n, f"jokers[{seat}]", 0, TREASURE_COUNT) for seat, n in enumerate(jokers)]
    for seat, points in enumerate(jsonio.items(data["points"], "points", seats)):
        _read_points(points, f"points[{seat}]", state, seat)
    _read_conflict(data["conflict"], state)
    state.union = _square_or_nowhere(data["union"], "union")
    state.placed = _square_or_nowhere(data["placed"], "placed")
    state.swapping = jsonio.integer(data["swapping"], "swapping", 0, HAND_SIZE)
    state.ending = NO_ENDING if data["ending"] is None else jsonio.one_of(data["ending"], "ending", ENDINGS)
    return state


def _seat(value: Any, where: str, seats: int) -> int:
    return NO_SEAT if value is None else jsonio.integer(value, where, 0, seats - 1)


def _square(value: Any, where: str) -> int:
    if not isinstance(value, str) or value not in SQUARE_OF:
        jsonio.fail(where, N_("expected a square from A1 to P11, found {found}"), found=jsonio.shown(value))
    return SQUARE_OF[value]


def _square_or_nowhere(value: Any, where: str) -> int:
    return NOWHERE if value is None else _square(value, where)


def _board(value: Any, where: str) -> int:
    """Return the bit board of "B2 C3"."""
    if not isinstance(value, str):
        jsonio.fail(where, N_("expected squares as in 'B2 C3', found {found}"), found=jsonio.shown(value))
    board = 0
    for word in value.split():
        bit = 1 << _square(word, where)
        if board & bit:
            jsonio.fail(where, N_("{found} is there twice"), found=word)
        board |= bit
    return board


def _read_board(data: Mapping[str, Any], state: State) -> None:
    tiles = jsonio.fields(data["tiles"], "tiles", KINDS)
    state.tiles = [_board(tiles.get(kind, ""), f"tiles.{kind}") for kind in KINDS]
    state.built = tuple(_read_built(data["built"]))
    for monument, square, _ in state.built:
        state.down |= SQUARE_SHAPE << square
        state.monuments_left &= ~(1 << monument)
    state.catastrophes = _board(data["catastrophes"], "catastrophes")
    state.treasures = _board(data["treasures"], "treasures")
    for seat, leaders in enumerate(jsonio.items(data["leaders"], "leaders", state.seats)):
        for role, label in jsonio.fields(leaders, f"leaders[{seat}]", ROLES).items():
            square = _square(label, f"leaders[{seat}].{role}")
            state.leaders[seat * N_COLOURS + ROLE_OF[role]] = square
            state.leader_bits[ROLE_OF[role]] |= 1 << square
    find_kingdoms(state)


def _read_built(value: Any) -> list[tuple[int, int, int]]:
    built: list[tuple[int, int, int]] = []
    down = 0
    for at, entry in enumerate(jsonio.items(value, "built")):
        where = f"built[{at}]"
        monument, label, kind = jsonio.items(entry, where, 3)
        if not isinstance(monument, str) or monument not in MONUMENT_OF:
            jsonio.fail(
                where, N_("expected a monument ({choices}), found {found}"), choices=", ".join(MONUMENT_OF), found=jsonio.shown(monument)
            )
        if not isinstance(kind, str) or kind not in KIND_OF:
            jsonio.fail(where, N_("expected a tile ({choices}), found {found}"), choices=", ".join(KINDS), found=jsonio.shown(kind))
        square = _square(label, where)
        position_checks.check_monument(where, MONUMENT_OF[monument], square, KIND_OF[kind])
        if MONUMENT_OF[monument] in [other for other, _, _ in built]:
            jsonio.fail(where, N_("{found} is there twice"), found=monument)
        if down & SQUARE_SHAPE << square:
            jsonio.fail(where, N_("two monuments share a square"))
        down |= SQUARE_SHAPE << square
        built.append((MONUMENT_OF[monument], square, KIND_OF[kind]))
    return built


def _read_counts(value: Any, where: str, high: int) -> list[int]:
    counts = jsonio.fields(value, where, KINDS)
    return [jsonio.integer(counts.get(kind, 0), f"{where}.{kind}", 0, high) for kind in KINDS]


def _read_counts_by_seat(value: Any, where: str, seats: int, high: int) -> list[int]:
    flat: list[int] = []
    for seat, counts in enumerate(jsonio.items(value, where, seats)):
        flat += _read_counts(counts, f"{where}[{seat}]", high)
    return flat


def _read_points(value: Any, where: str, state: State, seat: int) -> None:
    for name, points in jsonio.fields(value, where, COLOURS).items():
        at = (seat * N_COLOURS + COLOURS.index(name)) * N_SOURCES
        by_source = [points] if isinstance(points, int) else jsonio.items(points, f"{where}.{name}", N_SOURCES)
        for source, count in enumerate(by_source):
            state.sources[at + source] = jsonio.integer(count, f"{where}.{name}", 0, ENDLESS)


def _read_conflict(value: Any, state: State) -> None:
    if value is None:
        return
    conflict = jsonio.fields(value, "conflict", CONFLICT_FIELDS, ("kind", "role"))
    state.conflict = NO_CONFLICT + 1 + jsonio.one_of(conflict["kind"], "conflict.kind", [name for name in CONFLICTS if name])
    state.colour = jsonio.one_of(conflict["role"], "conflict.role", ROLES)
    for name in CONFLICT_FIELDS[2:]:
        if name not in conflict:
            jsonio.fail(f"conflict.{name}", N_("is missing"))
    state.attacker = jsonio.integer(conflict["attacker"], "conflict.attacker", 0, state.seats - 1)
    state.defender = jsonio.integer(conflict["defender"], "conflict.defender", 0, state.seats - 1)
    state.added = jsonio.integer(conflict["added"], "conflict.added", 0, HAND_SIZE)
