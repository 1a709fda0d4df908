"""What is in Babel's box (babel#components, #setup).

A people, the colour of its cards and its land share one index, 0..4: assyrians, hittites, medes, sumerians, persians. This is the
canonical order of people cards. A land of a seat is the flat index `seat * LANDS + land`.
"""

from __future__ import annotations

from typing import Final

PEOPLES: Final = ("assyrians", "hittites", "medes", "sumerians", "persians")
PEOPLE_OF: Final = {people: index for index, people in enumerate(PEOPLES)}
ASSYRIANS, HITTITES, MEDES, SUMERIANS, PERSIANS = range(len(PEOPLES))
LANDS: Final = len(PEOPLES)

SEATS: Final = (2,)
PEOPLE_EACH: Final = 12  # cards of each people: components-1
PEOPLE_CARDS: Final = PEOPLE_EACH * LANDS
LEVELS: Final = (0, 10, 9, 8, 7, 6, 5)  # temple cards by level, 1..6: components-2
TOP_LEVEL: Final = len(LEVELS) - 1
TEMPLE_CARDS: Final = sum(LEVELS)

START_HANDS: Final = {"5/5": (5, 5), "3/5": (3, 5)}  # of the starting seat and of the other: setup-4
DRAW: Final = 3  # people cards at the start of a turn: people-1
REVEAL: Final = 2  # temple cards at the end of a turn: temples-1
RUN: Final = 3  # equal cards in a row that give a power: powers-1
MIGRANTS: Final = 3  # migration-1

WIN_AT_ONCE: Final = 20  # end-3
WIN_AHEAD: Final = 15  # end-1 ...
TOO_FEW: Final = 9  # ... while the opponent has no more than this

POWER_PEOPLE: Final = {"destroy": ASSYRIANS, "steal": HITTITES, "expel": MEDES, "switch": SUMERIANS, "skip": PERSIANS}

# The sprite symbol of each piece by its glossary id.
SYMBOLS: Final = (
    {people: f"ba-emblem-{people}" for people in PEOPLES}
    | {f"card_{people}": f"ba-card-{people}" for people in PEOPLES}
    | {f"temple_{level}": f"ba-temple-{level}" for level in range(TOP_LEVEL + 1)}
    | {f"power_{power}": f"ba-power-{power}" for power in ("destroy", "steal", "expel", "switch", "skip", "halve")}
    | {"card_back": "ba-card-back", "temple_back": "ba-temple-back", "quarry": "ba-quarry", "pawn_1": "ba-pawn-a", "pawn_2": "ba-pawn-b"}
)
