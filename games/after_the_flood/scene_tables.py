"""Tables at hand and the card of what is often forgotten: the same for every position (components-5, forgotten-15)."""

from __future__ import annotations

from typing import Any, Final

from games.after_the_flood.components import (
    END_POINTS,
    GOODS,
    GRAIN_ALL_EQUAL,
    GRAIN_BY_RANK,
    GROWTH_POINTS,
    GROWTH_WOOD,
    LUXURIES,
    PLACES,
    PRICES,
    RECRUITS,
    SYMBOLS,
    TEXTILES_BY_RANK,
    VALUES,
)
from games.core.contract import Phrase
from games.core.phrases import N_

RULE: Final = "after_the_flood#"

CITIES: Final = (
    ("sippar", N_("one exchange more in one area when you trade"), "cities-6"),
    ("babylon", N_("two armies more for a new empire"), "cities-7"),
    ("nippur", N_("one point more for each area of Sumer with an own army"), "cities-5"),
    ("shuruppak", N_("with two cities or more, each of yours costs three armies to destroy"), "cities-3"),
    ("uruk", N_("a scribe from the reserve when it is built"), "cities-2"),
    ("ur", N_("one textile more at each collection"), "cities-4"),
    ("eridu", N_("a tool maker from the reserve when it is built"), "cities-1"),
)
FORGOTTEN: Final = (
    Phrase(N_("No workers in irrigation or weaving, no grain or textiles."), {}, RULE + "forgotten-1"),
    Phrase(N_("Tools can be made in the middle of a trade and exchanged at once."), {}, RULE + "forgotten-2"),
    Phrase(N_("A new scribe rests until your next action."), {}, RULE + "forgotten-3"),
    Phrase(N_("Under an army of somebody else your workers do not trade."), {}, RULE + "forgotten-4"),
    Phrase(N_("Armies trade as well, each like one worker."), {}, RULE + "forgotten-5"),
    Phrase(N_("An empire may begin in a home with an army of somebody else: fight for it."), {}, RULE + "forgotten-6"),
    Phrase(N_("A miss costs an army; after it you may roll again for nothing more."), {}, RULE + "forgotten-7"),
    Phrase(N_("Give up an army and expand once more in the same action."), {}, RULE + "forgotten-8"),
    Phrase(N_("A Sumerian empire needs no workers and may begin beside a city of somebody else."), {}, RULE + "forgotten-9"),
    Phrase(N_("The armies that a destroyed city costs are available ones, none of the map."), {}, RULE + "forgotten-10"),
    Phrase(N_("Shuruppak makes it three armies while its owner has at least two cities."), {}, RULE + "forgotten-11"),
    Phrase(N_("Cities grow while points are given; that is no action."), {}, RULE + "forgotten-12"),
    Phrase(N_("Whoever passes may bid for the order of the next turn."), {}, RULE + "forgotten-13"),
    Phrase(N_("Once somebody has passed, all actions of the others have a price."), {}, RULE + "forgotten-14"),
)


def _good(index: int) -> dict[str, Any]:
    return {"good": GOODS[index], "symbol": SYMBOLS[GOODS[index]], "value": VALUES[index]}


def tables() -> dict[str, Any]:
    """Return the tables: values, exchanges, collection, growth, armies for goods, points at the end, rules of cities, forgotten rules."""
    return {
        "values": [_good(index) for index in range(len(GOODS))],
        "ladder": [{"get": _good(get), "give": [_good(give) for give in prices]} for get, prices in PRICES.items()],
        "grain": list(GRAIN_BY_RANK),
        "grain_all_equal": GRAIN_ALL_EQUAL,
        "textiles": list(TEXTILES_BY_RANK),
        "growth_wood": GROWTH_WOOD,
        "luxuries": [_good(index) for index in LUXURIES],
        "growth": [{"luxuries": count, "points": points} for count, points in enumerate(GROWTH_POINTS)],
        "recruits": [_good(index) | {"armies": armies} for index, armies in RECRUITS.items()],
        "ends": [{"place": PLACES[place], "points": points} for place, points in END_POINTS.items()],
        "cities": [{"area": area, "phrase": Phrase(text, {}, RULE + rule)} for area, text, rule in CITIES],
        "forgotten": list(FORGOTTEN),
    }
