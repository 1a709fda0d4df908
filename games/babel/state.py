"""The whole truth about a table of Babel, stored compactly: columns, temples and stocks are byte strings (babel#setup, #turn).

Lists by seat and land are flat: `columns[seat * LANDS + land]`. In a byte string the last byte is the outermost people card of
a column, the top of a temple or the playable top of a stock.
"""

from __future__ import annotations

from typing import Final

from games.babel.components import LANDS, LEVELS, PEOPLE_EACH, RUN, START_HANDS
from games.core.compact import Compact, compact
from games.core.contract import NO_SEAT

# Phases: what the table waits for. Up to HALVING it waits for the seat `due`.
ACTION: Final = 0  # the active seat acts
HALVING: Final = 1  # the other seat discards half of its hand
START: Final = 2  # CHANCE picks the starting seat
DRAWING: Final = 3  # CHANCE draws people cards for `due`
REVEALING: Final = 4  # CHANCE turns up temple cards for `due`
SCORING: Final = 5  # SCORER
END: Final = 6
PHASES: Final = ("action", "halving", "start", "drawing", "revealing", "scoring", "end")

# How the game ended.
NO_ENDING: Final = -1
BY_LEAD: Final = 0  # 15 or more against 9 or fewer: end-1, end-4
BY_TWENTY: Final = 1  # end-3
BY_DECK: Final = 2  # end-5
ENDINGS: Final = ("lead", "twenty", "deck")

QUARRY: Final = -1


@compact()
class State(Compact):
    """One position. Changed in place only by the rules; everything else gets copies."""

    start_hands: str  # an option: a key of START_HANDS
    phase: int
    turn: int  # turns started; 0 while the first hands are drawn
    active: int  # the seat whose turn it is; NO_SEAT before chance has picked the starting seat
    due: int  # the seat that is asked or drawn for; NO_SEAT in START, SCORING, END
    migrated: bool  # in this turn: migration-4
    reserved: list[bool]  # by seat: the first level 1 is kept for its owner alone (start-1)
    pawns: list[int]  # the land of each pawn, or QUARRY
    columns: list[bytes]  # people cards from the inside out, [seat * LANDS + land]
    temples: list[bytes]  # levels from below, ascending
    scores: list[int]  # sum of the temples' heights, by seat
    stocks: list[bytes]  # temple cards face up in front of each seat, the playable one last
    hands: list[int]  # [seat * LANDS + people]
    people_deck: list[int]  # by people; the order is unknown
    discards: list[int]  # by people
    deck: list[int]  # temple cards of unknown order by level, [0] unused
    deck_top: bytes  # temple cards put back on top of them, the next to be drawn last
    ending: int

    def __repr__(self) -> str:
        return f"<Babel, turn {self.turn}, {PHASES[self.phase]}, due {self.due}>"


def first_state(start_hands: str) -> State:
    """Return the position before chance picks who starts: a level 1 in front of each seat, pawns in the quarry (setup-2, setup-5)."""
    state = State.__new__(State)
    state.start_hands = start_hands
    state.phase = START
    state.turn = 0
    state.active = NO_SEAT
    state.due = NO_SEAT
    state.migrated = False
    state.reserved = [True, True]
    state.pawns = [QUARRY, QUARRY]
    state.columns = [b""] * (2 * LANDS)
    state.temples = [b""] * (2 * LANDS)
    state.scores = [0, 0]
    state.stocks = [b"\x01", b"\x01"]
    state.hands = [0] * (2 * LANDS)
    state.people_deck = [PEOPLE_EACH] * LANDS
    state.discards = [0] * LANDS
    state.deck = list(LEVELS)
    state.deck[1] -= 2
    state.deck_top = b""
    state.ending = NO_ENDING
    return state


class _Runs(dict[bytes, tuple[tuple[int, int, int], ...]]):
    """The runs of three or more in a column: (people, number among the runs of that people, place of its first card)."""

    _MOST: Final = 50_000

    def __missing__(self, column: bytes) -> tuple[tuple[int, int, int], ...]:
        found: list[tuple[int, int, int]] = []
        start = 0
        for place in range(1, len(column) + 1):
            if place == len(column) or column[place] != column[start]:
                if place - start >= RUN:
                    people = column[start]
                    found.append((people, 1 + sum(run[0] == people for run in found), start))
                start = place
        if len(self) >= self._MOST:
            self.clear()
        runs = self[column] = tuple(found)
        return runs


RUNS_IN: Final = _Runs()


def hand_count(state: State, seat: int) -> int:
    """Return how many people cards a seat holds."""
    return sum(state.hands[seat * LANDS : seat * LANDS + LANDS])


def deck_count(state: State) -> int:
    """Return how many temple cards are still to be turned up."""
    return sum(state.deck) + len(state.deck_top)


def height(temple: bytes) -> int:
    """Return the height of a temple: its top level (score-1)."""
    return temple[-1] if temple else 0


def first_hand(state: State, seat: int) -> int:
    """Return how many people cards a seat gets at the start (setup-4)."""
    return START_HANDS[state.start_hands][seat != state.active]
