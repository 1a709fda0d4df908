"""What a board of Tigris & Euphrates looks like, as plain data: places, picture names, strengths, counts.

The markup is in templates/games/tigris_euphrates/board.html. A square is 64 units wide, and the first one starts at 40; the
ground below the pieces never changes and is in ground.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.tigris_euphrates.components import (
    CATASTROPHES_EACH,
    COLOURS,
    CORNERS,
    DYNASTIES,
    FEWEST_TREASURES,
    HEIGHT,
    KIND_OF,
    KINDS,
    LABELS,
    MONUMENTS,
    N_COLOURS,
    RED,
    RIVER,
    ROLE_OF,
    ROLES,
    SQUARE_OF,
    STRIDE,
    SYMBOLS,
    WIDTH,
    square_at,
)
from games.tigris_euphrates.kingdoms import recomputed
from games.tigris_euphrates.outline import outline
from games.tigris_euphrates.state import NOWHERE, REVOLT, State, squares_of
from games.tigris_euphrates.strengths import revolt_strength, strength, war_strength
from games.tigris_euphrates.view import View, known_state, most_to_add

CELL: Final = 64
MARGIN: Final = 40
TILE_SIZE: Final = 60
FRAMED_SIZE: Final = 51  # of a tile inside the frame of a corner square
TREASURE_SIZE: Final = 24
TREASURE_AT: Final = (45, 19)  # the middle of a treasure on its square
PLATE: Final = 19  # from the middle to a corner of the diamond below it
MONUMENT_SIZE: Final = 124
OUTLINE_INSET: Final = 1
OUTLINE_RADIUS: Final = 13

NAME: Final = "{seat:name}"
EMPTY_LAND: Final = N_("{square}, empty land")
EMPTY_RIVER: Final = N_("{square}, empty river")
LIES: Final = N_("{square}, {piece:noun}")
LIES_IN: Final = N_("{square}, {piece:noun}, kingdom {n}")
TREASURE_LIES: Final = N_("{square}, {piece:noun} with a treasure")
TREASURE_LIES_IN: Final = N_("{square}, {piece:noun} with a treasure, kingdom {n}")
LEADER_STANDS: Final = N_("{square}, {leader:noun}, {seat:name}, kingdom {n}: revolt {revolt}, war {war}")

ACTIONS_LEFT: Final = N_("actions left: {n}")
ATTACKS: Final = N_("attacks")
DEFENDS: Final = N_("defends")
PICKS_WAR: Final = N_("choosing a war")
MAY_BUILD: Final = N_("may build a monument")
PICKS_TREASURE: Final = N_("taking a treasure")
DRAWS: Final = N_("drawing tiles")

REVOLT_OF: Final = N_("Revolt: {role:noun} against {role:noun}")
WAR_OF: Final = N_("War: {role:noun} against {role:noun}")
TIE: Final = N_("{seat:name} wins ties.")


@dataclass(frozen=True, slots=True)
class _Kingdom:
    """A kingdom as drawn, numbered from 1 by its first square."""

    number: int
    squares: int  # bit board


def scene(view: View) -> dict[str, Any]:
    """Return the drawing of a position.

    The layers of the map and its rows of squares are separate parts, so that a move sends little. `targets` holds every square
    (`cell-D2`), the kinds of the viewer's tiles (`hand-temple`) and the viewer's leaders that are not on the board (`leader-king`).
    """
    state = known_state(view)
    kingdoms = _kingdoms(state)
    at = {square: kingdom for kingdom in kingdoms for square in squares_of(kingdom.squares)}
    standing = {square: divmod(index, N_COLOURS) for index, square in enumerate(state.leaders) if square != NOWHERE}
    rows = [[_cell(view, state, square_at(row, column), at, standing) for column in range(WIDTH)] for row in range(HEIGHT)]
    row_names = {f"row-{number}": (f"row-{number}",) for number in range(1, HEIGHT + 1)}
    players = [_player(view, seat) for seat in range(view.seats)]
    targets: dict[str, dict[str, Any]] = {cell["id"]: cell for row in rows for cell in row}
    if view.seat is not None:
        own = players[view.seat]
        targets |= {item["id"]: item for item in (*own["hand"], *own["leaders"]) if item["id"]}
    return {
        "parts": {
            "window": {
                "map": {
                    "ground": (),
                    "tiles": ("tiles",),
                    "leaders": ("leaders",),
                    "marks": ("marks", "recent"),
                    "outlines": ("outlines", "strengths"),  # no mark hides a number
                    **row_names,
                },
                "tools": (),
            },
            "conflict": ("conflict",),
            "bar": {"kingdoms": ("kingdoms",), "supply": ("supply",)},
        },
        "held": {"court": ("leaders", "catastrophes"), "hand": ("hand", "hand_count"), "totals": ("totals",)},
        "corners": [_place(square) for square in squares_of(CORNERS)],
        "tiles": _tiles(view),
        "leaders": [_drawn(square, f"{ROLES[role]}_{DYNASTIES[seat]}", TILE_SIZE) for square, (seat, role) in sorted(standing.items())],
        "strengths": [_strength(state, square, seat, role) for square, (seat, role) in sorted(standing.items())],
        "outlines": [_outlined(kingdom) for kingdom in kingdoms],
        "marks": _marks(view),
        "recent": [],
        "rows": rows,
        **{f"row-{number}": row for number, row in enumerate(rows, 1)},
        "conflict": _conflict(view, state),
        "kingdoms": [_told(state, kingdom, standing) for kingdom in kingdoms],
        "supply": _supply(view),
        "players": players,
        "targets": targets,
    }


# The map


def _kingdoms(state: State) -> list[_Kingdom]:
    """Return the kingdoms in the order of their first square; during wars, those beside the union tile are separate (wars-4)."""
    boards = recomputed(state, without=0 if state.union == NOWHERE else 1 << state.union)
    return [_Kingdom(number, board) for number, board in enumerate(boards, 1)]


def _place(square: int) -> dict[str, int]:
    row, column = divmod(square, STRIDE)
    return {"x": MARGIN + CELL * column, "y": MARGIN + CELL * row}


def _drawn(square: int, piece: str, size: int) -> dict[str, Any]:
    """Return a piece in the middle of a square."""
    place = _place(square)
    offset = (CELL - size) // 2
    return {"symbol": SYMBOLS[piece], "x": place["x"] + offset, "y": place["y"] + offset, "size": size}


def _tiles(view: View) -> list[dict[str, Any]]:
    """Return tiles, monuments, catastrophes and treasures, bottom to top."""
    drawn = []
    for label, kind in view.tiles.items():
        square = SQUARE_OF[label]
        drawn.append(_drawn(square, kind, FRAMED_SIZE if CORNERS >> square & 1 else TILE_SIZE))
    drawn += [_drawn(SQUARE_OF[label], "catastrophe", TILE_SIZE) for label in view.catastrophes]
    for monument, label, _ in view.built:
        place = _place(SQUARE_OF[label])
        offset = CELL - MONUMENT_SIZE // 2
        drawn.append({"symbol": SYMBOLS[monument], "x": place["x"] + offset, "y": place["y"] + offset, "size": MONUMENT_SIZE})
    for label in view.treasures:
        place = _place(SQUARE_OF[label])
        x, y = place["x"] + TREASURE_AT[0], place["y"] + TREASURE_AT[1]
        size = TREASURE_SIZE
        plate = f"M{x} {y - PLATE}l{PLATE} {PLATE}-{PLATE} {PLATE}-{PLATE}-{PLATE}z"
        drawn.append({"symbol": SYMBOLS["treasure"], "x": x - size // 2, "y": y - size // 2, "size": size, "plate": plate})
    return drawn


def _strength(state: State, square: int, seat: int, role: int) -> dict[str, Any]:
    """Return the number at a leader: the tiles of its colour in its kingdom, or in its revolt the temples beside it."""
    is_revolt = state.conflict == REVOLT and role == state.colour and seat in (state.attacker, state.defender)
    number = revolt_strength(state, square) if is_revolt else war_strength(state, role, square)
    return {"n": number, "is_revolt": is_revolt, **_place(square)}


def _outlined(kingdom: _Kingdom) -> dict[str, Any]:
    squares = squares_of(kingdom.squares)
    points = [(square % STRIDE, square // STRIDE) for square in squares]
    path = outline(points, cell=CELL, margin=MARGIN, inset=OUTLINE_INSET, radius=OUTLINE_RADIUS)
    return {"number": kingdom.number, "path": path, **_place(squares[0])}


def _marks(view: View) -> list[dict[str, Any]]:
    """Return the union tile and the two leaders of a conflict."""
    marks = []
    if view.union is not None:
        marks.append({"mark": "union", **_drawn(SQUARE_OF[view.union], "union_tile", 44)})
    if view.conflict is not None:
        for seat in (view.conflict.attacker, view.conflict.defender):
            label = view.leaders[seat][view.conflict.role]
            if label is not None:
                marks.append({"mark": "rival", **_place(SQUARE_OF[label])})
    return marks


def _cell(view: View, state: State, square: int, at: dict[int, _Kingdom], standing: dict[int, tuple[int, int]]) -> dict[str, Any]:
    """Return a square as a control: its name, the kingdom it belongs to, whether anything is on it."""
    label = LABELS[square]
    kingdom = at.get(square)
    params: dict[str, Any] = {"square": label}
    if kingdom is not None:
        params["n"] = kingdom.number
    piece = _piece_at(view, label)
    if square in standing:
        seat, role = standing[square]
        params |= {"leader": ROLES[role], "seat": seat, "revolt": revolt_strength(state, square), "war": war_strength(state, role, square)}
        name = Phrase(LEADER_STANDS, params)
    elif piece is not None:
        params["piece"] = piece
        if label in view.treasures:
            name = Phrase(TREASURE_LIES if kingdom is None else TREASURE_LIES_IN, params)
        else:
            name = Phrase(LIES if kingdom is None else LIES_IN, params)
    else:
        name = Phrase(EMPTY_RIVER if RIVER >> square & 1 else EMPTY_LAND, params)
    return {
        "id": f"cell-{label}",
        "word": label,
        "name": name,
        "kingdom": kingdom.number if kingdom is not None else None,
        "is_empty": square not in standing and piece is None,
        **_place(square),
    }


def _piece_at(view: View, label: str) -> str | None:
    """Return the glossary id of the tile, monument or catastrophe on a square."""
    if label in view.tiles:
        return view.tiles[label]
    if label in view.catastrophes:
        return "catastrophe"
    if label in view.down:
        square = SQUARE_OF[label]
        for monument, corner, _ in view.built:
            if square - SQUARE_OF[corner] in (0, 1, STRIDE, STRIDE + 1):
                return monument
        return "tile_down"
    return None


# Beside the map


def _told(state: State, kingdom: _Kingdom, standing: dict[int, tuple[int, int]]) -> dict[str, Any]:
    """Return the facts about a kingdom: leaders with owner and strengths, treasures, monuments."""
    inside = sorted((standing[square][1], square) for square in squares_of(kingdom.squares) if square in standing)
    leaders = [
        {
            "role": ROLES[role],
            "symbol": SYMBOLS[f"{ROLES[role]}_{DYNASTIES[standing[square][0]]}"],
            "number": standing[square][0] + 1,
            "name": Phrase(NAME, {"seat": standing[square][0]}),
            "square": LABELS[square],
            "revolt": revolt_strength(state, square),
            "war": war_strength(state, role, square),
        }
        for role, square in inside
    ]
    monuments = [MONUMENTS[monument][0] for monument, square, _ in state.built if kingdom.squares >> square & 1]
    return {
        "number": kingdom.number,
        "leaders": leaders,
        "treasures": (kingdom.squares & state.treasures).bit_count(),
        "monuments": [{"noun": monument, "symbol": SYMBOLS[monument]} for monument in monuments],
    }


def _conflict(view: View, state: State) -> dict[str, Any] | None:
    """Return both sides of the current conflict: strength on the board, tiles added, and what could still be added (conflicts-3)."""
    conflict = view.conflict
    if conflict is None:
        return None
    kind = KINDS[RED] if conflict.kind == "revolt" else KINDS[ROLE_OF[conflict.role]]
    sides = []
    for seat in (conflict.attacker, conflict.defender):
        is_attacker = seat == conflict.attacker
        square = state.leaders[seat * N_COLOURS + ROLE_OF[conflict.role]]
        added = conflict.added if is_attacker else None
        board = strength(state, ROLE_OF[conflict.role], square)
        most = most_to_add(view, seat, KIND_OF[kind]) if added is None else None
        sides.append(
            {
                "number": seat + 1,
                "name": Phrase(NAME, {"seat": seat}),
                "is_attacker": is_attacker,
                "symbol": SYMBOLS[f"{conflict.role}_{DYNASTIES[seat]}"],
                "square": LABELS[square],
                "board": board,
                "added": added,
                "most": most,
                "total": board + (added or 0),
                "is_due": view.due == seat,
            }
        )
    return {
        "kind": conflict.kind,
        "title": Phrase(REVOLT_OF if conflict.kind == "revolt" else WAR_OF, {"role": conflict.role}),
        "tile": kind,
        "symbol": SYMBOLS[kind],
        "sides": sides,
        "tie": Phrase(TIE, {"seat": conflict.defender}, "tigris_euphrates#conflicts-4"),
    }


def _supply(view: View) -> dict[str, Any]:
    return {
        "bag": view.bag_count,
        "treasures": len(view.treasures),
        "fewest": FEWEST_TREASURES,  # with fewer the game ends
        "monuments": [
            {"noun": monument, "symbol": SYMBOLS[monument], "is_left": monument in view.monuments_left} for monument, _, _ in MONUMENTS
        ],
    }


# In front of the players


def _player(view: View, seat: int) -> dict[str, Any]:
    hand = view.hands[seat]
    points = view.points[seat]
    is_me = seat == view.seat
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "leaders": [_leader(view, seat, role, is_me=is_me) for role in ROLES],
        "catastrophes": {"left": view.catastrophes_left[seat], "of": CATASTROPHES_EACH},
        "hand_count": view.hand_counts[seat],
        "hand": [
            {
                "id": f"hand-{kind}" if is_me else None,
                "kind": kind,
                "noun": kind,
                "symbol": SYMBOLS[kind],
                "count": hand.get(kind, 0),
            }
            for kind in KINDS
        ]
        if hand is not None
        else [],
        "totals": _totals(points, view.jokers[seat]) if points is not None else None,
        "notes": _notes(view, seat),
        "is_due": view.due == seat,
        "is_out": False,
    }


def _leader(view: View, seat: int, role: str, *, is_me: bool) -> dict[str, Any]:
    square = view.leaders[seat].get(role)
    return {
        "id": f"leader-{role}" if is_me and square is None else None,
        "role": role,
        "noun": role,
        "symbol": SYMBOLS[f"{role}_{DYNASTIES[seat]}"],
        "square": square,
    }


def _totals(points: dict[str, int], jokers: int | None) -> dict[str, Any]:
    least = min(points.get(colour, 0) for colour in COLOURS)
    return {
        "colours": [
            {"colour": colour, "symbol": SYMBOLS[colour], "count": points.get(colour, 0), "is_least": points.get(colour, 0) == least}
            for colour in COLOURS
        ],
        "treasures": jokers or 0,
    }


def _notes(view: View, seat: int) -> list[Phrase]:
    """Return the one fact about a seat that matters now."""
    if view.conflict is not None and seat in (view.conflict.attacker, view.conflict.defender):
        return [Phrase(ATTACKS if seat == view.conflict.attacker else DEFENDS)]
    if view.due != seat:
        return []
    if view.phase == "action":
        return [Phrase(ACTIONS_LEFT, {"n": view.actions_left})]
    known = {"war_choice": PICKS_WAR, "monument": MAY_BUILD, "treasure": PICKS_TREASURE, "drawing": DRAWS}
    return [Phrase(known[view.phase])] if view.phase in known else []
