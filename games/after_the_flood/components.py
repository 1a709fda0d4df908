"""What is in the After the Flood box: areas, boxes, goods, tables (after_the_flood#components, #found-1).

An area is its index in AREAS: the nine Sumer areas first, then the thirteen others. A set of areas is an int with a bit for each.
A place is where a worker can be: the areas outside Sumer in the order of AREAS, then the boxes; its index is its index in PLACES.
"""

from __future__ import annotations

from typing import Final

SEATS: Final = 3
TURNS: Final = 5

# Goods: components-2
GOODS: Final = ("grain", "wood", "metal", "textile", "tool", "oil", "gold", "lapis")
GRAIN, WOOD, METAL, TEXTILE, TOOL, OIL, GOLD, LAPIS = range(len(GOODS))
KINDS: Final = len(GOODS)
GOOD_OF: Final = {good: index for index, good in enumerate(GOODS)}
VALUES: Final = (1, 2, 2, 2, 3, 3, 4, 5)
PIECES: Final = (22, 12, 12, 15, 12, 7, 7, 7)
FIRST_GOODS: Final = (0, 1, 1, 0, 1, 1, 1, 0)  # of each player: setup-3
UNLIMITED: Final = frozenset({GRAIN, TEXTILE})  # collect-8
LUXURIES: Final = (TOOL, OIL, GOLD, LAPIS)  # growth-1
RECRUITS: Final = {GRAIN: 1, METAL: 2, TOOL: 3}  # armies for one piece: found-6

# Areas: components-3
SUMER: Final = ("sippar", "babylon", "nippur", "shuruppak", "umma", "uruk", "ur", "lagash", "eridu")
OTHERS: Final = (
    *("egypt", "amorites", "hittites", "mittani", "assyria", "kassites", "guti", "elam", "chaldea"),
    *("akkad", "isin", "larsa", "dilmun"),
)
AREAS: Final = SUMER + OTHERS
AREA_OF: Final = {area: index for index, area in enumerate(AREAS)}
(SIPPAR, BABYLON, NIPPUR, SHURUPPAK, UMMA, URUK, UR, LAGASH, ERIDU) = range(len(SUMER))
FIRST_OTHER: Final = len(SUMER)
DILMUN: Final = AREA_OF["dilmun"]
SUMER_MASK: Final = (1 << len(SUMER)) - 1

_BORDERS: Final = (  # both ways
    ("sippar", ("amorites", "assyria", "babylon")),
    ("babylon", ("amorites", "assyria", "kassites", "nippur", "shuruppak")),
    ("nippur", ("guti", "kassites", "shuruppak", "umma")),
    ("shuruppak", ("umma", "uruk")),
    ("umma", ("elam", "guti", "lagash", "ur", "uruk")),
    ("uruk", ("ur",)),
    ("ur", ("eridu", "lagash")),
    ("lagash", ("elam", "eridu")),
    ("egypt", ("amorites",)),
    ("amorites", ("assyria", "hittites", "mittani")),
    ("hittites", ("mittani",)),
    ("mittani", ("assyria",)),
    ("assyria", ("kassites",)),
)
ARROWS: Final = (("akkad", "babylon"), ("isin", "shuruppak"), ("larsa", "uruk"), ("chaldea", "ur"))  # one way: expand-2


def _neighbours() -> tuple[int, ...]:
    masks = [0] * len(AREAS)
    for area, others in _BORDERS:
        for other in others:
            masks[AREA_OF[area]] |= 1 << AREA_OF[other]
            masks[AREA_OF[other]] |= 1 << AREA_OF[area]
    for start, end in ARROWS:
        masks[AREA_OF[start]] |= 1 << AREA_OF[end]
    return tuple(masks)


NEIGHBOURS: Final = _neighbours()  # by area: where its armies can invade

SOLD: Final = tuple(  # by place index of the areas outside Sumer: trade-3
    {
        "egypt": (GOLD,),
        "amorites": (WOOD, OIL),
        "hittites": (METAL,),
        "mittani": (WOOD, METAL),
        "kassites": (LAPIS,),
        "elam": (METAL,),
        "chaldea": (OIL,),
        "dilmun": (WOOD, METAL, OIL, GOLD),
    }.get(area, ())
    for area in OTHERS
)
PRICES: Final = {  # what is taken in exchange for a good, one for one: trade-3
    WOOD: (GRAIN, TEXTILE, TOOL),
    METAL: (GRAIN, TEXTILE, TOOL),
    OIL: (TEXTILE, TOOL),
    GOLD: (TEXTILE, TOOL, OIL),
    LAPIS: (TOOL, OIL, GOLD),
}

# Boxes and places: components-4
BOXES: Final = ("irrigation", "weaving", "scribes", "used_scribes", "tool_makers", "used_tool_makers")
PLACES: Final = OTHERS + BOXES
PLACE_OF: Final = {place: index for index, place in enumerate(PLACES)}
SPOTS: Final = len(PLACES)
IRRIGATION, WEAVING, SCRIBES, USED_SCRIBES, TOOL_MAKERS, USED_TOOL_MAKERS = range(len(OTHERS), SPOTS)
DILMUN_PLACE: Final = PLACE_OF["dilmun"]
AVAILABLE: Final = SPOTS  # "available" as the start or the end of a scribe's move
TARGETS: Final = tuple(place for place in range(SPOTS) if place not in (USED_SCRIBES, USED_TOOL_MAKERS))  # place-2
END_POINTS: Final = {  # by place, for the one player with the most workers: end-2
    **{PLACE_OF[area]: points for area, points in (("egypt", 4), ("amorites", 4), ("hittites", 3), ("mittani", 3), ("assyria", 2))},
    **{PLACE_OF[area]: points for area, points in (("kassites", 4), ("guti", 2), ("elam", 3), ("chaldea", 3), ("dilmun", 2))},
    IRRIGATION: 3,
    WEAVING: 4,
}

# Pieces of each player: components-1
WORKERS: Final = 25
ARMIES: Final = 20
CITIES: Final = 4

# Numbers of the rules
WORKERS_A_TURN: Final = 8  # collect-6
WORKERS_AT_START: Final = 2  # available: setup-2
SCRIBE_LIMIT: Final = 2  # scribes-2
ARMY_LIMIT: Final = 2  # of a player in an area: expand-5
BABYLON_ARMIES: Final = 2  # cities-7
NEED_SUPERIOR: Final = 5  # combat-1
NEED_INFERIOR: Final = 7
DESTROY_COST: Final = 2  # destroy-1
SHURUPPAK_EXTRA: Final = 1  # destroy-3
SHURUPPAK_CITIES: Final = 2
DECLINE_TURNS: Final = (2, 4)  # decline-1
DECLINE_KEPT: Final = 2  # decline-4
GRAIN_BY_RANK: Final = (6, 4, 3)  # collect-4
GRAIN_ALL_EQUAL: Final = 5
TEXTILES_BY_RANK: Final = (3, 2, 1)
GROWTH_WOOD: Final = 2
GROWTH_POINTS: Final = (4, 7, 10, 14, 20)  # by the number of luxuries: growth-2
AREA_POINTS: Final = 2  # points-1
NIPPUR_POINTS: Final = 1  # points-2

SUMER_EMPIRE: Final = -1  # in place of a home
EMPIRES: Final = (  # by turn - 1: (name, home, armies): found-1
    (("akkad", AREA_OF["akkad"], 10), ("guti", AREA_OF["guti"], 8), ("sumer", SUMER_EMPIRE, 3)),
    (("amorites", AREA_OF["amorites"], 10), ("isin", AREA_OF["isin"], 5), ("larsa", AREA_OF["larsa"], 5)),
    (("mittani", AREA_OF["mittani"], 10), ("egypt", AREA_OF["egypt"], 5), ("sumer", SUMER_EMPIRE, 3)),
    (("hittites", AREA_OF["hittites"], 10), ("kassites", AREA_OF["kassites"], 10), ("egypt", AREA_OF["egypt"], 10)),
    (("elam", AREA_OF["elam"], 8), ("assyria", AREA_OF["assyria"], 12), ("chaldea", AREA_OF["chaldea"], 8)),
)
EMPIRE_NAMES: Final = tuple(dict.fromkeys(name for turn in EMPIRES for name, _, _ in turn))
YEARS: Final = (2500, 2150, 1800, 1450, 1100)  # BC, by turn - 1
RATINGS: Final = ("a", "b", "c")  # equip-2

SYMBOLS: Final = {  # glossary id -> symbol of static/art/after_the_flood.svg
    **{good: f"af-{'textiles' if good == 'textile' else 'tools' if good == 'tool' else good}" for good in GOODS},
    "worker": "af-worker",
    "army": "af-army",
    "city": "af-city",
    "growth_marker": "af-growth",
    "irrigation": "af-box-irrigation",
    "weaving": "af-box-weaving",
    "scribes": "af-box-scribes",
    "tool_makers": "af-box-toolmakers",
    "pass_bid": "af-pass",
    "empire": "af-empire",
}
