"""What a board of History of the World looks like, as plain data: the map with its pieces, regions with their provinces, cards, points.

The markup is in templates/games/history_of_the_world/board.html, the ground of the map in ground.html next to it. Provinces are numbered
from 1 in the order of PROVINCES, and zones follow. The layers of the map are drawn over one another, so that a move sends little; the facts
about a province are with its region.
"""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.history_of_the_world.components import (
    BORDERS,
    EMPIRE_OF,
    EMPIRES,
    FORDS,
    ICONS,
    PROVINCES,
    REGION_OF,
    REGIONS,
    SYMBOLS,
    TERRAIN,
    TILES,
    ZONE_KIND,
    ZONES,
)
from games.history_of_the_world.map_shapes import DISCS, SLOTS
from games.history_of_the_world.scene_regions import steps
from games.history_of_the_world.scene_turn import discs, draft, fight, hand, ledger, order_of_play, turn, who
from games.history_of_the_world.scoring import LEVELS, level_in
from games.history_of_the_world.state import State, provinces_in
from games.history_of_the_world.view import View, known_state

POINTS: Final = N_("points: {score}")
PROJECTED: Final = N_("{points:signed} as things stand")
NUMERALS: Final = ("", "I", "II", "III", "IV", "V")  # of an epoch
STRUCTURES: Final = (("capitals", "capital", "building"), ("cities", "city", "building"), ("monuments", "monument", "monument"))

CARD: Final = ("number", "name", "card", "events")  # of a turn: what does not change until its end

Target = dict[str, Any]


def scene(view: View) -> dict[str, Any]:
    """Return the drawing of a position.

    `targets` holds what `prompt` names: `province-nile`, `zone-sahara`, and for a player `card-i_plague` of the hand or of the pile.
    """
    state = known_state(view)
    targets = _targets(view)
    regions = [_region(view, state, index) for index in range(len(REGIONS))]
    pieces, doing = _pieces(view), turn(view)
    seats = range(1, view.seats + 1)
    return {
        "parts": {
            "order": ("order",),
            "draft": ("draft",),
            "stage": {
                "window": {
                    "map": {
                        "ground": (),
                        "marks": ("recent", "fight"),
                        "hits": {f"spots-{number}": (f"spots-{number}",) for number in range(1, len(REGIONS) + 2)},
                        "names": (),
                        "pieces": {
                            "built": ("built",),
                            **{f"armies-{seat}": (f"armies-{seat}",) for seat in seats},
                            "laid": ("discs", "fight"),
                        },
                    },
                    "tools": (),
                },
                "fight": ("fight",),
            },
            "realm": ("realm",),
            "means": ("means",),
            "hand": ("hand",),
            "regions": _region_parts() | {"zones": (), "zoneinfos": ("zones",)},
            "ledger": ("ledger",),
            "reconstructed": (),
        },
        "held": {"cards": ("cards",), "supply": ("supply",)},
        "order": order_of_play(view),
        "pieces": pieces,
        "built": pieces["built"],
        **{f"armies-{row['number']}": row for row in pieces["seats"]},
        "discs": [disc | {"x": DISCS[disc["zone"]][0], "y": DISCS[disc["zone"]][1]} for disc in discs(view)],
        **{f"spots-{number}": spots for number, spots in enumerate(_spots(targets), 1)},
        "recent": [],
        "fight": fight(view, state),
        "draft": draft(view, targets),
        "turn": doing,
        "realm": doing and {name: doing[name] for name in CARD},
        "means": doing and {name: doing[name] for name in doing if name not in ("card", "events")},
        "hand": hand(view, targets),
        "regions": regions,
        **{f"region-{region['number']}": {name: region[name] for name in region if name != "provinces"} for region in regions},
        **{f"infos-{region['number']}": {name: region[name] for name in ("number", "provinces")} for region in regions},
        "zones": _zones(view),
        "ledger": ledger(view),
        "players": [_player(view, seat) for seat in range(view.seats)],
        "targets": targets,
    }


def _region_parts() -> dict[str, tuple[str, ...]]:
    """Return the parts of the list of regions: each with its table, followed by the facts about its provinces."""
    names = [f"{stem}-{number}" for number in range(1, len(REGIONS) + 1) for stem in ("region", "infos")]
    return {name: (name,) for name in names}


def _targets(view: View) -> dict[str, Target]:
    """Return the places and cards that an answer may point at, each with the word that names it in actions and events."""
    found: dict[str, Target] = {}
    for number, name in enumerate(PROVINCES, 1):
        found[f"province-{name}"] = {"id": f"province-{name}", "word": name, "number": number}
    for number, name in enumerate(ZONES, len(PROVINCES) + 1):
        x, y = DISCS[name]
        found[f"zone-{name}"] = {"id": f"zone-{name}", "word": name, "number": number, "x": x, "y": y}
    cards = [*view.hand, *view.pile, *([view.card] if view.card else [])]
    for name in cards:
        found[f"card-{name}"] = {"id": f"card-{name}", "word": name, "noun": name}
    return found


# The map


def _spots(targets: dict[str, Target]) -> list[list[Target]]:
    """Return the places that can be targets: those of each region, then the zones."""
    regions = [
        [targets[f"province-{name}"] for name, at in zip(PROVINCES, REGION_OF, strict=True) if at == index] for index in range(len(REGIONS))
    ]
    return [*regions, [targets[f"zone-{name}"] for name in ZONES]]


def _pieces(view: View) -> dict[str, Any]:
    """Return armies by seat, structures and forts, each with its centre."""
    active = set(view.active_armies)
    armies = [
        {
            "number": seat + 1,
            "armies": [_at(name, "army") | {"is_standing": seat == view.active and name in active} for name in held],
        }
        for seat, held in enumerate(view.armies)
    ]
    built = [_at(name, slot) | {"kind": kind} for field, kind, slot in STRUCTURES for name in getattr(view, field)]
    built += [_at(name, "fort") | {"kind": "fort"} for name in view.forts]
    return {"seats": armies, "built": built}


def _at(province: str, slot: str) -> dict[str, Any]:
    x, y = SLOTS[province][slot]
    return {"province": province, "x": x, "y": y}


def _region(view: View, state: State, index: int) -> dict[str, Any]:
    """Return a region with its tile, the level and the armies of each player there, and its provinces (tiles-1, score-1)."""
    epoch = view.epoch
    tile = TILES[epoch][index]
    members = [number for number, region in enumerate(REGION_OF) if region == index]
    rows = []
    for seat in range(view.seats):
        armies = sum(state.armies[seat] >> number & 1 for number in members)
        level = level_in(state, seat, index)
        rows.append(
            who(seat)
            | {
                "armies": armies,
                "level": level,
                "noun": LEVELS[level - 1] if level else None,
                "points": tile[level - 1] if tile is not None and level else 0,
            }
        )
    return {
        "number": index + 1,
        "region": REGIONS[index],
        "tile": [{"level": noun, "points": points} for noun, points in zip(LEVELS, tile, strict=True)] if tile is not None else None,
        "rows": rows,
        "present": [row for row in rows if row["level"]],
        "steps": [] if view.seat is None or view.outcome is not None else steps(state, view.seat, index),
        "provinces": [_info(view, number) for number in members],
    }


def _info(view: View, index: int) -> dict[str, Any]:
    """Return everything there is to tell about a province: terrain, icons, fords, armies, buildings."""
    name = PROVINCES[index]
    holder = next((seat for seat, held in enumerate(view.armies) if name in held), None)
    is_standing = holder is not None and holder == view.active and name in view.active_armies
    built = [kind for field, kind, _ in STRUCTURES if name in getattr(view, field)]
    built += ["fort"] if name in view.forts else []
    return {
        "number": index + 1,
        "province": name,
        "terrain": None if TERRAIN[index] == "none" else TERRAIN[index],
        "symbol": SYMBOLS.get(TERRAIN[index]),
        "icons": ICONS[index],
        "fords": [PROVINCES[other] for other in provinces_in(FORDS[index])],
        "holder": None if holder is None else who(holder) | {"army": "active_army" if is_standing else "inactive_army"},
        "built": [{"kind": kind, "symbol": SYMBOLS[kind]} for kind in built],
    }


def _zones(view: View) -> list[dict[str, Any]]:
    """Return seas, oceans and barren lands: their kind, their provinces, whether they have a disc (reach-1)."""
    laid = {disc["zone"]: disc for disc in discs(view)}
    return [
        {
            "number": len(PROVINCES) + 1 + index,
            "zone": name,
            "kind": ZONE_KIND[index],
            "disc": laid[name]["kind"] if name in laid else None,
            "symbol": laid[name]["symbol"] if name in laid else None,
            "borders": [PROVINCES[province] for province in provinces_in(BORDERS[index])],
        }
        for index, name in enumerate(ZONES)
    ]


# In front of the players


def _player(view: View, seat: int) -> dict[str, Any]:
    empire = view.empires[seat]
    is_called = empire is not None and EMPIRES[EMPIRE_OF[empire]].order <= view.called
    notes = [Phrase(POINTS, {"score": view.scores[seat]})]
    if view.epoch and view.outcome is None:
        notes.append(Phrase(PROJECTED, {"points": view.projected[seat]}, "history_of_the_world#score-1"))
    return who(seat) | {
        "cards": {
            "empire": empire,
            "is_secret": empire is not None and not is_called,
            "has_empire": view.has_empire[seat],
            "epochs": [f"epoch_{at}" for at in view.hand_epochs[seat]],
            "numerals": [NUMERALS[at] for at in view.hand_epochs[seat]],
            "guard": view.guard if seat == view.seat and view.outcome is None else None,
        },
        "supply": {"armies": view.supplies[seat], "symbol": SYMBOLS["army"]},
        "notes": notes,
        "is_due": seat in view.due,
        "is_out": False,
    }
