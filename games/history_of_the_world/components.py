"""What is in the History of the World box, read from the data files next to this module (history_of_the_world#components).

A province is its index in PROVINCES, a set of provinces an int with a bit for each; zones likewise. What the rule book does not print is
reconstructed and marked as such in the data files, which are the only place to correct a value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).parent / "data"


def load(name: str) -> dict[str, Any]:
    """Return one of the data files."""
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


_BOARD: Final = load("board")
_EMPIRES: Final = load("empires")["empires"]
_EVENTS: Final = load("events")["events"]
_TILES: Final = load("region_tiles")["tiles"]

SEATS: Final = (3, 4, 5, 6)
EPOCHS: Final = 5
CARDS_AN_EPOCH: Final = 8  # of each kind: components-3
ARMIES: Final = 25  # of each player: components-1
CITY_PIECES: Final = 24  # capitals and cities: components-2
MONUMENTS: Final = 20
FORTS: Final = 14
SIEGE_MOST: Final = 3  # the last space of the catapult: siege-1
ICONS_A_MONUMENT: Final = 2  # monuments-1
POINTS: Final = {"capital": 2, "city": 1, "monument": 1}  # score-3
GUARDS: Final = ("losing", "tied", "never", "ask")  # a defender's standing orders: battle-7

# Provinces and regions
PROVINCES: Final = tuple(row["id"] for row in _BOARD["provinces"])
PROVINCE_OF: Final = {name: index for index, name in enumerate(PROVINCES)}
REGIONS: Final = tuple(row["id"] for row in _BOARD["regions"])
REGION_OF: Final = tuple(REGIONS.index(row["region"]) for row in _BOARD["provinces"])
ICONS: Final = tuple(row["resource_icons"] for row in _BOARD["provinces"])
TERRAIN: Final = tuple(row["terrain"] for row in _BOARD["provinces"])


def mask_of(names: Any) -> int:
    """Return the set of some provinces."""
    return sum(1 << PROVINCE_OF[name] for name in names)


REGION_MASKS: Final = tuple(mask_of(row["provinces"]) for row in _BOARD["regions"])
LAND: Final = tuple(mask_of([*row["land"], *row["fords"]]) for row in _BOARD["provinces"])  # conquest-1, conquest-4
FORDS: Final = tuple(mask_of(row["fords"]) for row in _BOARD["provinces"])
ROUGH: Final = sum(1 << index for index, terrain in enumerate(TERRAIN) if terrain != "none")  # defence-1
ICON_MASK: Final = sum(1 << index for index, count in enumerate(ICONS) if count)

# Zones: seas, oceans, barren land
ZONES: Final = tuple(row["id"] for row in _BOARD["zones"])
ZONE_OF: Final = {name: index for index, name in enumerate(ZONES)}
ZONE_KIND: Final = tuple(row["kind"] for row in _BOARD["zones"])
BORDERS: Final = tuple(mask_of(row["borders"]) for row in _BOARD["zones"])
_OPEN_BAY: Final = (
    {("bay_of_bengal", "indian_ocean"), ("indian_ocean", "bay_of_bengal")} if _BOARD["options"]["bay_of_bengal_open"] else set()
)
LINKS: Final = tuple(
    sum(1 << ZONE_OF[other] for other in ZONES if other in row["links"] or (row["id"], other) in _OPEN_BAY) for row in _BOARD["zones"]
)
WATER: Final = sum(1 << index for index, kind in enumerate(ZONE_KIND) if kind != "barren")
BARREN: Final = sum(1 << index for index, kind in enumerate(ZONE_KIND) if kind == "barren")
COVERED: Final = tuple(  # the seas that a fleet on an ocean covers as well: reach-3
    sum(1 << other for other, kind in enumerate(ZONE_KIND) if kind == "sea" and LINKS[index] >> other & 1)
    if ZONE_KIND[index] == "ocean"
    else 0
    for index in range(len(ZONES))
)


def zone_mask(names: Any) -> int:
    """Return the set of some zones."""
    return sum(1 << ZONE_OF[name] for name in names)


@dataclass(frozen=True, slots=True)
class Realm:
    """An empire, or an event's kingdom: a start, armies, discs, a building, an ability."""

    name: str
    epoch: int
    order: int  # in the order of play; 0 for a kingdom
    starts: tuple[int, ...]
    armies: int
    zones: int  # mask of the zones that get a disc
    building: str  # capital, city or nothing
    is_marauder: bool
    effect: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventCard:
    """An improvement, or the kingdom that an event brings."""

    name: str
    epoch: int
    effect: str
    params: dict[str, Any]
    needed: int  # armies from the supply that its full effect takes: events-3
    realm: Realm | None


def _realm(row: dict[str, Any]) -> Realm:
    building = row.get("building", "capital" if row.get("capital") else "")
    starts = tuple(PROVINCE_OF[name] for name in row["start"])
    zones = zone_mask([*row["fleets"], *row["caravans"]])
    effect, params = (row["effect"], row["effect_params"]) if "order" in row else ("none", {})
    return Realm(
        row["id"], row["epoch"], row.get("order", 0), starts, row["armies"], zones, building, row.get("marauder", False), effect, params
    )


EMPIRES: Final = tuple(_realm(row) for row in _EMPIRES)
EMPIRE_OF: Final = {empire.name: index for index, empire in enumerate(EMPIRES)}
EVENTS: Final = tuple(
    EventCard(
        row["id"],
        row["epoch"],
        row["effect"],
        row["effect_params"],
        row.get("supply_armies_needed") or 0,
        _realm(row) if row["kind"] == "kingdom" else None,
    )
    for row in _EVENTS
)
EVENT_OF: Final = {event.name: index for index, event in enumerate(EVENTS)}
EMPIRES_BY_EPOCH: Final = tuple(
    tuple(sorted((index for index, empire in enumerate(EMPIRES) if empire.epoch == epoch), key=lambda index: EMPIRES[index].order))
    for epoch in range(EPOCHS + 1)
)
EVENTS_BY_EPOCH: Final = tuple(tuple(index for index, event in enumerate(EVENTS) if event.epoch == epoch) for epoch in range(EPOCHS + 1))


def _tiles() -> tuple[tuple[tuple[int, int, int] | None, ...], ...]:
    """Return the tile in force by epoch and region: (presence, dominance, control) (tiles-1, tiles-2)."""
    table: list[tuple[tuple[int, int, int] | None, ...]] = []
    for epoch in range(EPOCHS + 1):
        row: list[tuple[int, int, int] | None] = [None] * len(REGIONS)
        for tile in _TILES:
            if tile["epoch"] <= epoch < tile["epoch"] + tile["duration"]:
                row[REGIONS.index(tile["region"])] = (tile["presence"], tile["dominance"], tile["control"])
        table.append(tuple(row))
    return tuple(table)


TILES: Final = _tiles()

SYMBOLS: Final = {  # glossary id -> symbol of static/art/history_of_the_world.svg
    "army": "hw-army",
    "fallen_army": "hw-army-fallen",
    "capital": "hw-capital",
    "city": "hw-city",
    "monument": "hw-monument",
    "fort": "hw-fort",
    "fleet": "hw-fleet",
    "caravan": "hw-caravan",
    "resource_icon": "hw-resource",
    "catapult": "hw-catapult",
    "siege_token": "hw-siege",
    "mountain": "hw-terrain-mountain",
    "forest": "hw-terrain-forest",
    "marauder": "hw-marauder",
    "kingdom": "hw-event-kingdom",
    "improvement": "hw-event-improvement",
    "region_tile": "hw-region-level",
}
