"""What is in the Tigris & Euphrates box, and the squares of its board (tigris_euphrates#components, #setup).

Kinds of tiles, colours and roles of leaders share one index, 0..3: settlement, black, king; temple, red, priest; farm, blue,
farmer; market, green, trader. This is the canonical order of tiles.

A square is an index `row * STRIDE + column` and, in bit boards, the bit `1 << index`. Each of the 11 rows of 16 columns has one
guard column that is never used, so a shift never wraps into the next row.
"""

from __future__ import annotations

from typing import Final

KINDS: Final = ("settlement", "temple", "farm", "market")
COLOURS: Final = ("black", "red", "blue", "green")
ROLES: Final = ("king", "priest", "farmer", "trader")
DYNASTIES: Final = ("archer", "bull", "pot", "lion")  # of seat 0, 1, 2, 3
KIND_OF: Final = {kind: index for index, kind in enumerate(KINDS)}
ROLE_OF: Final = {role: index for index, role in enumerate(ROLES)}
N_COLOURS: Final = 4
BLACK, RED, BLUE, GREEN = range(N_COLOURS)

SEATS: Final = (2, 3, 4)
COUNTS: Final = (30, 57, 36, 30)  # tiles of each kind: components-1
TILE_COUNT: Final = sum(COUNTS)
HAND_SIZE: Final = 6  # setup-4
ACTIONS_PER_TURN: Final = 2  # turn-1
CATASTROPHES_EACH: Final = 2  # setup-3
FEWEST_TREASURES: Final = 3  # with fewer on the board the game ends: end-1

# (id, its two colours), one of each: components-4
MONUMENTS: Final[tuple[tuple[str, int, int], ...]] = (
    ("black_green", BLACK, GREEN),
    ("black_blue", BLACK, BLUE),
    ("black_red", BLACK, RED),
    ("red_blue", RED, BLUE),
    ("green_red", GREEN, RED),
    ("blue_green", BLUE, GREEN),
)
MONUMENT_OF: Final = {name: index for index, (name, _, _) in enumerate(MONUMENTS)}
MONUMENT_COLOURS: Final = tuple((first, second) for _, first, second in MONUMENTS)
ALL_MONUMENTS: Final = (1 << len(MONUMENTS)) - 1
MONUMENTS_WITH: Final = tuple(
    sum(1 << index for index, pair in enumerate(MONUMENT_COLOURS) if colour in pair) for colour in range(N_COLOURS)
)  # bit mask of the monuments of each colour

# The board: . land, ~ river, T land with a temple and a treasure at the start; components-6, setup-1
ROWS: Final = (
    "....~~~~~.T.~...",
    ".T..~.......~..T",
    "...~~T......~~..",
    "~~~~.........~~~",
    ".............T~~",
    "..............~.",
    "~~~~....T...~~~.",
    ".T.~~~~.....~...",
    "......~~~~~~~.T.",
    ".....T..........",
    "..........T.....",
)
HEIGHT: Final = len(ROWS)
WIDTH: Final = len(ROWS[0])
STRIDE: Final = WIDTH + 1


def square_at(row: int, column: int) -> int:
    """Return the index of a square."""
    return row * STRIDE + column


SQUARES: Final = tuple(square_at(row, column) for row in range(HEIGHT) for column in range(WIDTH))
LABELS: Final = {square: f"{chr(65 + square % STRIDE)}{square // STRIDE + 1}" for square in SQUARES}  # A1 .. P11
SQUARE_OF: Final = {label: square for square, label in LABELS.items()}


def _mask(signs: str) -> int:
    return sum(1 << square_at(row, column) for row, line in enumerate(ROWS) for column, sign in enumerate(line) if sign in signs)


ALL_SQUARES: Final = _mask(".~T")
RIVER: Final = _mask("~")
LAND: Final = _mask(".T")
GROUND: Final = tuple(RIVER if kind == BLUE else LAND for kind in range(N_COLOURS))  # where a tile of each kind may go: tiles-2, tiles-3
START_TEMPLES: Final = _mask("T")
CORNERS: Final = sum(1 << SQUARE_OF[label] for label in ("B2", "P2", "B8", "O9"))  # squares of the framed treasures: setup-1

# The sprite symbol of each piece by its glossary id.
SYMBOLS: Final = (
    {kind: f"te-tile-{kind}" for kind in KINDS}
    | {role: f"te-role-{role}" for role in ROLES}
    | {f"{role}_{dynasty}": f"te-{role}-{dynasty}" for role in ROLES for dynasty in DYNASTIES}
    | {dynasty: f"te-dynasty-{dynasty}" for dynasty in DYNASTIES}
    | {name: f"te-monument-{name.replace('_', '-')}" for name, _, _ in MONUMENTS}
    | {colour: f"te-cube-{colour}" for colour in COLOURS}
    | {
        "tile_down": "te-tile-down",
        "catastrophe": "te-catastrophe",
        "union_tile": "te-union",
        "treasure": "te-treasure",
        "corner_treasure": "te-cell-corner",
        "land": "te-cell-land",
        "river": "te-cell-river",
    }
)
