"""The whole truth about a table of Tigris & Euphrates, stored compactly: bit boards and small ints (tigris_euphrates#setup, #kingdoms).

Bit boards are ints over the squares of `components`. Lists by seat and colour are flat: `hands[seat * 4 + kind]`. `occupied`,
`kingdoms`, `edges` and `touched` follow from the other fields and are updated with every change (see `kingdoms.py`).
"""

from __future__ import annotations

from typing import Final

from games.core.compact import Compact, compact
from games.core.contract import NO_SEAT
from games.tigris_euphrates.boards import BOARD_BITS, Lister
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    ALL_MONUMENTS,
    CATASTROPHES_EACH,
    COUNTS,
    LABELS,
    N_COLOURS,
    RED,
    START_TEMPLES,
)

# Phases: what the table waits for. Up to TREASURE it waits for the seat `due`.
ACTION: Final = 0  # `due` takes an action of its turn
WAR_CHOICE: Final = 1  # the active seat picks the next war
ATTACK: Final = 2  # the attacker adds tiles
DEFENCE: Final = 3  # the defender adds tiles
MONUMENT: Final = 4  # the active seat may build
TREASURE: Final = 5  # the trader's owner picks a treasure
START: Final = 6  # CHANCE picks the starting seat
DRAWING: Final = 7  # CHANCE draws for `due`
SCORING: Final = 8  # SCORER
END: Final = 9
PHASES: Final = ("action", "war_choice", "attack", "defence", "monument", "treasure", "start", "drawing", "scoring", "end")

# Kinds of conflict.
NO_CONFLICT: Final = 0
REVOLT: Final = 1
WAR: Final = 2
CONFLICTS: Final = (None, "revolt", "war")

# How the game ended.
NO_ENDING: Final = -1
BY_TREASURES: Final = 0  # end-1
BY_BAG: Final = 1  # end-2
BY_SWAP: Final = 2  # end-4
ENDINGS: Final = ("treasures", "bag", "swap")

# Where points come from.
FROM_TILES: Final = 0
FROM_REVOLTS: Final = 1
FROM_WARS: Final = 2
FROM_MONUMENTS: Final = 3
SOURCES: Final = ("tiles", "revolts", "wars", "monuments")
N_SOURCES: Final = len(SOURCES)

NO_COLOUR: Final = -1
NOWHERE: Final = -1  # a leader in hand, or no square


@compact(derived=("edges", "touched"), unordered=("kingdoms",))
class State(Compact):
    """One position. Changed in place only by the rules; everything else gets copies."""

    seats: int
    open_totals: bool
    phase: int
    turn: int  # turns started; 0 while the first hands are drawn
    active: int  # the seat whose turn it is; NO_SEAT before chance has picked the starting seat
    due: int  # the seat that is asked or drawn for; NO_SEAT in START, SCORING, END
    actions_left: int  # left in the turn, including the current one

    # the board
    tiles: list[int]  # bit boards of the face-up tiles, by kind
    down: int  # bit board of the face-down tiles below monuments
    catastrophes: int
    treasures: int
    leaders: list[int]  # square of each leader, [seat * 4 + role]; NOWHERE: in hand
    leader_bits: list[int]  # bit boards of the leaders, by role
    occupied: int  # bit board of what connects: face-up and face-down tiles, and leaders
    kingdoms: list[int]  # bit boards of the regions with a leader, in no order
    edges: list[int]  # bit boards of the squares beside each of these kingdoms
    touched: tuple[int, int, int] | None  # those beside at least one, two, three kingdoms; None until asked for
    built: tuple[tuple[int, int, int], ...]  # (monument, upper left square, kind of its four tiles) in building order
    monuments_left: int  # bit mask

    # in front of and behind the screens
    hands: list[int]  # [seat * 4 + kind]
    bag: list[int]  # by kind; the order is unknown
    catastrophes_left: list[int]  # by seat
    sources: list[int]  # points, [(seat * 4 + colour) * 4 + source]
    jokers: list[int]  # treasures taken, by seat
    gone: list[int]  # tiles that left the game in full view, by kind
    swapped: list[int]  # tiles that a seat has swapped away, [seat * 4 + kind]

    # what is under way
    conflict: int  # NO_CONFLICT, REVOLT, WAR
    colour: int  # of the leaders in conflict; NO_COLOUR without one
    attacker: int  # seats
    defender: int
    added: int  # tiles that the attacker has added
    union: int  # square of the union tile while wars are being resolved, else NOWHERE
    placed: int  # square of the tile placed by the current action, else NOWHERE
    swapping: int  # tiles to be drawn for a swap, else 0
    ending: int

    def __repr__(self) -> str:
        return f"<Tigris & Euphrates, {self.seats} seats, turn {self.turn}, {PHASES[self.phase]}, due {self.due}>"


def first_state(seats: int, open_totals: bool) -> State:
    """Return the position before chance picks who starts: ten temples with treasures, empty hands (setup-1, setup-2)."""
    state = State.__new__(State)
    state.seats = seats
    state.open_totals = open_totals
    state.phase = START
    state.turn = 0
    state.active = NO_SEAT
    state.due = NO_SEAT
    state.actions_left = ACTIONS_PER_TURN
    state.tiles = [0] * N_COLOURS
    state.tiles[RED] = START_TEMPLES
    state.down = 0
    state.catastrophes = 0
    state.treasures = START_TEMPLES
    state.leaders = [NOWHERE] * (seats * N_COLOURS)
    state.leader_bits = [0] * N_COLOURS
    state.occupied = START_TEMPLES
    state.kingdoms = []
    state.edges = []
    state.touched = None
    state.built = ()
    state.monuments_left = ALL_MONUMENTS
    state.hands = [0] * (seats * N_COLOURS)
    state.bag = list(COUNTS)
    state.bag[RED] -= START_TEMPLES.bit_count()
    state.catastrophes_left = [CATASTROPHES_EACH] * seats
    state.sources = [0] * (seats * N_COLOURS * N_SOURCES)
    state.jokers = [0] * seats
    state.gone = [0] * N_COLOURS
    state.swapped = [0] * (seats * N_COLOURS)
    state.conflict = NO_CONFLICT
    state.colour = NO_COLOUR
    state.attacker = NO_SEAT
    state.defender = NO_SEAT
    state.added = 0
    state.union = NOWHERE
    state.placed = NOWHERE
    state.swapping = 0
    state.ending = NO_ENDING
    return state


def total_of(state: State, seat: int, colour: int) -> int:
    """Return the points of a seat in a colour, without treasures."""
    at = (seat * N_COLOURS + colour) * N_SOURCES
    return sum(state.sources[at : at + N_SOURCES])


def hand_count(state: State, seat: int) -> int:
    """Return how many tiles a seat holds."""
    at = seat * N_COLOURS
    return sum(state.hands[at : at + N_COLOURS])


_LABELS: Final = Lister([LABELS.get(square) for square in range(BOARD_BITS)])


def squares_of(board: int) -> list[int]:
    """Return the squares of a bit board, ascending; it has few, or `Lister` would be faster."""
    squares = []
    while board:
        low = board & -board
        squares.append(low.bit_length() - 1)
        board ^= low
    return squares


def labels_of(board: int) -> list[str]:
    """Return the labels of the squares of a bit board, ascending."""
    return _LABELS.of(board)
