"""Reference tables and the card of often-forgotten rules: the same for every position (components-5, forgotten-15)."""

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

_CITIES: Final = (
    ("sippar", N_("an extra exchange in one area when you trade"), "cities-6"),
    ("babylon", N_("two extra armies for a new empire"), "cities-7"),
    ("nippur", N_("an extra point for each area of Sumer where you have armies"), "cities-5"),
    ("shuruppak", N_("if you have two or more cities, each costs three armies to destroy"), "cities-3"),
    ("uruk", N_("a scribe from the reserve when it is built"), "cities-2"),
    ("ur", N_("an extra textile in each collection"), "cities-4"),
    ("eridu", N_("a tool maker from the reserve when it is built"), "cities-1"),
)
CITY_RULES: Final = {area: Phrase(text, {}, RULE + rule) for area, text, rule in _CITIES}
FORGOTTEN: Final = (
    Phrase(N_("No workers in Irrigation or Weaving means no grain or textiles."), {}, RULE + "forgotten-1"),
    Phrase(N_("You can make tools in the middle of a trade and exchange them at once."), {}, RULE + "forgotten-2"),
    Phrase(N_("A new scribe can't work until your next action."), {}, RULE + "forgotten-3"),
    Phrase(N_("Your workers can't trade in an area with another player's army."), {}, RULE + "forgotten-4"),
    Phrase(N_("Armies can trade too: each counts as one worker."), {}, RULE + "forgotten-5"),
    Phrase(N_("You can start an empire in a home area held by another player, but you must fight for it."), {}, RULE + "forgotten-6"),
    Phrase(N_("A miss costs an army. You may then roll again at no extra cost."), {}, RULE + "forgotten-7"),
    Phrase(N_("You can pay an army to expand again in the same action."), {}, RULE + "forgotten-8"),
    Phrase(N_("A Sumerian empire needs no workers and can start in an area with another player's city."), {}, RULE + "forgotten-9"),
    Phrase(N_("To destroy a city, pay with available armies, not with armies on the map."), {}, RULE + "forgotten-10"),
    Phrase(
        N_("While the owner of Shuruppak has at least two cities, destroying any of them costs three armies."), {}, RULE + "forgotten-11"
    ),
    Phrase(N_("Cities grow during scoring; growing isn't an action."), {}, RULE + "forgotten-12"),
    Phrase(N_("When you pass, you can bid for next turn's order."), {}, RULE + "forgotten-13"),
    Phrase(N_("Once anyone has passed, the others pay for every action."), {}, RULE + "forgotten-14"),
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
        "cities": [{"area": area, "phrase": told} for area, told in CITY_RULES.items()],
        "forgotten": list(FORGOTTEN),
    }
