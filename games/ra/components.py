"""What comes in Ra's box: tiles, suns, tracks and the scoring tables (ra#components, ra#setup, ra#score).

A kind of tile is an index into KINDS in code and its id in texts. This order is the canonical order of tiles.
"""

from __future__ import annotations

from typing import Final

# (id, count): 180 tiles, ra#components-2
TILES: Final[tuple[tuple[str, int], ...]] = (
    ("ra", 30),
    ("god", 8),
    ("pharaoh", 25),
    ("funeral", 2),
    ("nile", 25),
    ("flood", 12),
    ("drought", 2),
    ("civ_art", 5),
    ("civ_agriculture", 5),
    ("civ_religion", 5),
    ("civ_astronomy", 5),
    ("civ_writing", 5),
    ("unrest", 4),
    ("gold", 5),
    ("mon_fortress", 5),
    ("mon_obelisk", 5),
    ("mon_palace", 5),
    ("mon_pyramid", 5),
    ("mon_sphinx", 5),
    ("mon_statues", 5),
    ("mon_step_pyramid", 5),
    ("mon_temple", 5),
    ("earthquake", 2),
)
KINDS: Final = tuple(kind for kind, _ in TILES)
COUNTS: Final = tuple(count for _, count in TILES)
KIND_OF: Final = {kind: index for index, kind in enumerate(KINDS)}
N_KINDS: Final = len(KINDS)

RA: Final = KIND_OF["ra"]
GOD: Final = KIND_OF["god"]
PHARAOH: Final = KIND_OF["pharaoh"]
FUNERAL: Final = KIND_OF["funeral"]
NILE: Final = KIND_OF["nile"]
FLOOD: Final = KIND_OF["flood"]
DROUGHT: Final = KIND_OF["drought"]
CIV_FIRST: Final = KIND_OF["civ_art"]
CIV_END: Final = KIND_OF["civ_writing"] + 1
UNREST: Final = KIND_OF["unrest"]
GOLD: Final = KIND_OF["gold"]
MON_FIRST: Final = KIND_OF["mon_fortress"]
MON_END: Final = KIND_OF["mon_temple"] + 1
EARTHQUAKE: Final = KIND_OF["earthquake"]

DISASTERS: Final = frozenset({FUNERAL, DROUGHT, UNREST, EARTHQUAKE})  # ra#disasters-6
HELD_KINDS: Final = tuple(kind for kind in range(N_KINDS) if kind != RA and kind not in DISASTERS)  # that a player can keep, ra#tiles-1
LEAVE_AFTER_EPOCH: Final = (GOD, FLOOD, *range(CIV_FIRST, CIV_END), GOLD)  # ra#gods-score-1, ra#niles-3, ra#civilization-4, ra#gold-1
LOST_PER_DISASTER: Final = 2  # ra#disasters-2

SEATS: Final = (2, 3, 4, 5)  # 2: ra#two-1
EPOCH_COUNT: Final = 3  # ra#overview-2
AUCTION_SPACES: Final = 8  # ra#components-3
RA_SPACES: Final = 10  # printed on the board; with fewer players the first ones stay empty, ra#draw-3
RA_TRACK: Final = {2: 6, 3: 8, 4: 9, 5: 10}  # spaces in use: ra#draw-3, ra#two-3
CENTRE_SUN: Final = 1  # ra#setup-6
SUN_MAX: Final = 16
SUN_SETS: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    2: ((9, 6, 5, 2), (8, 7, 4, 3)),  # ra#two-2
    3: ((13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)),  # ra#setup-5
    4: ((13, 6, 2), (12, 7, 3), (11, 8, 4), (10, 9, 5)),  # ra#setup-5
    5: ((16, 7, 2), (15, 8, 3), (14, 9, 4), (13, 10, 5), (12, 11, 6)),  # ra#setup-5
}
START_FAME: Final = 10  # two tablets of 5, ra#setup-4
FAME_FLOOR: Final = 0  # nobody can pay more tablets than there are: our interpretation, ra#score-3

GOD_FAME: Final = 2  # ra#gods-score-1
GOLD_FAME: Final = 3  # ra#gold-1
PHARAOHS_MOST: Final = 5  # ra#pharaohs-1
PHARAOHS_FEWEST: Final = -2  # ra#pharaohs-1
CIVILIZATION_FAME: Final = (-5, 0, 0, 5, 10, 15)  # by number of different kinds, ra#civilization-1, -2
MONUMENT_KINDS_FAME: Final = (0, 1, 2, 3, 4, 5, 6, 10, 15)  # by number of different kinds, ra#monuments-2
MONUMENT_SAME_FAME: Final = (0, 0, 0, 5, 10, 15)  # by number of one kind, ra#monuments-3
SUNS_MOST: Final = 5  # ra#suns-1
SUNS_FEWEST: Final = -5  # ra#suns-1

# The picture of a tile in the sprite static/art/ra.svg. Gods get their pictures in turn, by place; the rules do not tell them apart.
SYMBOLS: Final = {kind: "ra-" + kind.replace("_", "-") for kind in KINDS} | {"god": "ra-god-anubis", "mon_statues": "ra-mon-statue"}
GOD_SYMBOLS: Final = tuple(f"ra-god-{name}" for name in ("anubis", "bastet", "khnum", "horus", "seth", "sobek", "thoth", "wadjet"))
SUN_SYMBOL: Final = "ra-sun"
