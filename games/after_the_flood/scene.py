"""What a board of After the Flood looks like, as plain data: the map with its pieces, the boxes, the turns, what players have.

The markup is in templates/games/after_the_flood/board.html, the ground of the map in ground.html next to it. Areas are numbered from 1
in the order of AREAS. The layers of the map are drawn over one another, so that a move sends little.
"""

from __future__ import annotations

from typing import Any, Final

from games.after_the_flood.components import (
    AREAS,
    BOXES,
    DECLINE_TURNS,
    EMPIRES,
    END_POINTS,
    FIRST_OTHER,
    GOODS,
    RATINGS,
    SEATS,
    SOLD,
    SYMBOLS,
)
from games.after_the_flood.map_shapes import ARMY, CITY, ROWS, WORKER, row
from games.after_the_flood.scene_tables import CITY_RULES, tables
from games.after_the_flood.scene_turn import NAME, boxes, fight, ledger, rolls, turns
from games.after_the_flood.view import View
from games.core.contract import Phrase
from games.core.phrases import N_

POINTS: Final = N_("points: {score}")
PASSED: Final = N_("passed, bid {n}")
BIDS: Final = N_("bidding")
LEADS: Final = N_("points at the end: {points}, currently going to {seat:name}")
TIED: Final = N_("points at the end: {points}, currently going to nobody")

Target = dict[str, Any]


def scene(view: View) -> dict[str, Any]:
    """Return the drawing of a position.

    `targets` holds what `prompt` names: `area-ur`, `box-weaving`, `empire-guti` for the current turn, and for a player `available` and
    `good-metal`. It also holds the rolls of two dice, so that the last roll is found among the latest events.
    """
    targets = _targets(view)
    infos = [_info(view, area) for area in AREAS]
    players = [_player(view, seat, targets) for seat in range(SEATS)]
    return {
        "parts": {
            "stage": {
                "window": {
                    "map": {"ground": (), "marks": ("recent",), "hits": ("hits",), "names": (), "pieces": ("pieces",)},
                    "tools": (),
                },
                "dice": ("fight", "recent"),
            },
            "infos": {f"info-{number}": (f"info-{number}",) for number in range(1, len(AREAS) + 1)},
            "boxes": ("boxes",),
            "turns": ("turns",),
            "ledger": ("ledger",),
            "tables": (),
            "forgotten": (),
        },
        "held": {"goods": ("goods",), "people": ("people",), "standing": ("standing",), "homes": ("homes",)},
        "pieces": _pieces(view),
        "hits": [targets[f"area-{area}"] for area in AREAS],
        "infos": infos,
        **{f"info-{info['number']}": info for info in infos},
        "recent": [],
        "fight": fight(view),
        "boxes": boxes(view, targets),
        "turns": turns(view, targets),
        "ledger": ledger(view),
        "tables": tables(),
        "players": players,
        "targets": targets,
    }


def _targets(view: View) -> dict[str, Target]:
    """Return the places and pieces that an answer may point at, each with the word that names it in actions and events."""
    found: dict[str, Target] = {}
    for number, area in enumerate(AREAS, 1):
        found[f"area-{area}"] = {"id": f"area-{area}", "word": area, "area": area, "number": number}
    for box in BOXES:
        found[f"box-{box}"] = {"id": f"box-{box}", "word": box, "noun": box}
    if view.turn:
        for empire, _, _ in EMPIRES[view.turn - 1]:
            found[f"empire-{empire}"] = {"id": f"empire-{empire}", "word": empire, "noun": empire}
    if view.seat is not None:
        found["available"] = {"id": "available", "word": "available", "noun": "available"}
        for good in GOODS:
            found[f"good-{good}"] = {"id": f"good-{good}", "word": good, "noun": good}
    return found | rolls()


# The map


def _pieces(view: View) -> list[dict[str, Any]]:
    """Return, by seat, the pieces on the map, each with its centre."""
    drawn: list[dict[str, Any]] = [{"number": seat + 1, "workers": [], "armies": [], "cities": []} for seat in range(SEATS)]
    for area in AREAS:
        standing = [  # kind, seat, count
            *[("workers", seat, count) for seat in range(SEATS) if (count := view.workers[seat].get(area))],
            *[("cities", seat, 1) for seat in range(SEATS) if area in view.cities[seat]],
            *[("armies", seat, count) for seat in range(SEATS) if (count := view.armies[seat].get(area))],
        ]
        main, beside = ROWS[area]
        apart = [item for item in standing if item[0] == "armies" and beside != main]
        for middle, items in ((main, [item for item in standing if item not in apart]), (beside, apart)):
            widths = [{"workers": WORKER, "armies": ARMY, "cities": CITY}[kind] for kind, _, _ in items]
            for (kind, seat, count), (x, y) in zip(items, row(middle, widths), strict=True):
                drawn[seat][kind].append({"area": area, "x": x, "y": y, "count": count, "is_grown": area in view.grown})
    return drawn


def _info(view: View, area: str) -> dict[str, Any]:
    """Return everything there is to tell about an area: what it sells, what it scores at the end, what is there."""
    index = AREAS.index(area)
    place = index - FIRST_OTHER
    sold = SOLD[place] if place >= 0 else ()
    return {
        "number": index + 1,
        "area": area,
        "is_sumer": place < 0,
        "city": CITY_RULES.get(area),
        "sells": [{"good": GOODS[good], "symbol": SYMBOLS[GOODS[good]]} for good in sold],
        "end": _majority(view, area, END_POINTS[place]) if END_POINTS.get(place) else None,
        "holders": [
            {
                "number": seat + 1,
                "name": Phrase(NAME, {"seat": seat}),
                "workers": view.workers[seat].get(area, 0),
                "armies": view.armies[seat].get(area, 0),
                "has_city": area in view.cities[seat],
                "is_grown": area in view.cities[seat] and area in view.grown,
            }
            for seat in range(SEATS)
            if area in view.workers[seat] or area in view.armies[seat] or area in view.cities[seat]
        ],
    }


def _majority(view: View, place: str, points: int) -> Phrase:
    """Return who would score the points of a place at the end (end-2, end-3)."""
    for winner, seat, _ in view.majorities:
        if winner == place:
            return Phrase(LEADS, {"points": points, "seat": seat})
    return Phrase(TIED, {"points": points})


# In front of the players


def _player(view: View, seat: int, targets: dict[str, Target]) -> dict[str, Any]:
    is_me = seat == view.seat
    at = view.ranking.index(seat) if seat in view.ranking else None
    empire = view.empires[seat]
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "goods": [
            {
                "good": good,
                "symbol": SYMBOLS[good],
                "count": view.goods[seat].get(good, 0),
                "target": targets.get(f"good-{good}") if is_me else None,
            }
            for good in GOODS
        ],
        "people": {
            "available": view.available[seat],
            "reserve": view.reserve[seat],
            "armies": view.armies_available[seat],
            "armies_reserve": view.armies_reserve[seat],
            "target": targets.get("available") if is_me else None,
        },
        "standing": {
            "order": view.order.index(seat) + 1,
            "projected": view.projected[seat],
            "majorities": 0 if view.outcome else sum(points for _, winner, points in view.majorities if winner == seat),
            "empire": empire,
            "rating": f"rating_{RATINGS[at]}" if at is not None else None,
            "equipment": view.equipment_values[seat],
        },
        "homes": {"turn": view.turn + 1, "names": list(view.homes_after_decline[seat])} if view.turn + 1 in DECLINE_TURNS else None,
        "notes": _notes(view, seat),
        "is_due": view.active == seat,
        "is_out": False,
    }


def _notes(view: View, seat: int) -> list[Phrase]:
    """Return the facts about a seat that matter now."""
    notes = [Phrase(POINTS, {"score": view.scores[seat]})]
    if view.phase == "bidding" and view.active == seat:
        return [Phrase(BIDS, {}, "after_the_flood#pass-2"), *notes]
    if seat in view.passed:
        return [Phrase(PASSED, {"n": view.bid_values[seat]}, "after_the_flood#pass-1"), *notes]
    return notes
