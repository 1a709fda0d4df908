"""Pieces of After the Flood put somewhere by hand (after_the_flood#components). The reserves and the stock are worked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood.components import ARMY_LIMIT, BOXES, EMPIRES, GOODS, OTHERS, SEATS, SUMER
from games.core.editing import LEFT_OUT, Editing, Fields, Misplaced, Piece, Place, add, seat_of

WORKER, ARMY, CITY, GROWTH, EMPIRE = "worker", "army", "city", "growth_marker", "empire"
ALL_SUMER: Final = "sumer"  # an empire without a home
AVAILABLE, OWN_GOODS = "available", "good"
_WORKED: Final = (*OTHERS, *BOXES)


def pieces(seats: int) -> Sequence[Piece]:
    """Return goods and the growth marker, and for each seat its pieces and an empire."""
    own = [Piece(f"{seat}.{what}", what, seat) for seat in range(SEATS) for what in (WORKER, ARMY, CITY, EMPIRE)]
    return [*(Piece(good, good) for good in GOODS), Piece(GROWTH, GROWTH), *own]


def places(seats: int) -> Sequence[Place]:
    """Return the areas, Sumer as an empire, the boxes, and for each seat its goods and its available stock."""
    shared = [Place(area, area, target=f"area-{area}") for area in (*SUMER, *OTHERS)] + [
        Place(box, box, target=f"box-{box}") for box in BOXES
    ]
    return [*shared, *(Place(f"{seat}.{what}", what, seat) for seat in range(SEATS) for what in (OWN_GOODS, AVAILABLE))]


def put(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that a piece on a place changes."""
    return _changed(data, piece, place, 1)


def take(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that change when a piece is taken from a place."""
    return _changed(data, piece, place, -1)


def _changed(data: Fields, piece: str, place: str, n: int) -> Fields:
    if piece in GOODS:
        seat, what = seat_of(place) if "." in place else (0, place)
        if what != OWN_GOODS:
            raise Misplaced(piece, place)
        if n < 0 and not data["goods"][seat].get(piece):
            raise Misplaced(piece, place, is_missing=True)
        data["goods"][seat] = add(data["goods"][seat], piece, n)
        return {"goods": data["goods"]}
    if piece == GROWTH:
        return {"grown": _listed(data["grown"], piece, place, n)}
    seat, what = seat_of(piece)
    if what == EMPIRE:
        return _founded(data, seat, piece, place, n)
    if "." in place:
        owner, shelf = seat_of(place)
        if owner != seat or shelf != AVAILABLE or what == CITY:
            raise Misplaced(piece, place)
        name = AVAILABLE if what == WORKER else "armies_available"
        if n < 0 and not data[name][seat]:
            raise Misplaced(piece, place, is_missing=True)
        data[name][seat] += n
        return {name: data[name]}
    if what == CITY:
        data["cities"][seat] = _listed(data["cities"][seat], piece, place, n)
        return {"cities": data["cities"]} | ({} if n > 0 else {"grown": [area for area in data["grown"] if area != place]})
    name = "workers" if what == WORKER else "armies"
    if (what == WORKER and place not in _WORKED) or (what == ARMY and place in BOXES):
        raise Misplaced(piece, place)
    held = data[name][seat].get(place, 0)
    if n < 0 and not held:
        raise Misplaced(piece, place, is_missing=True)
    if what == ARMY and held + n > ARMY_LIMIT:
        raise Misplaced(piece, place)
    data[name][seat] = add(data[name][seat], place, n)
    return {name: data[name]} | ({AVAILABLE: LEFT_OUT} if what == WORKER else {})


def _founded(data: Fields, seat: int, piece: str, place: str, n: int) -> Fields:
    """Return the fields with an empire of this turn, which has the name of its home, or without it; it is the worst equipped (found-1)."""
    now = {name for name, _, _ in EMPIRES[data["turn"] - 1]} if data["turn"] else set()
    if n > 0 and (place not in now or data["empires"][seat]):
        raise Misplaced(piece, place)
    if n < 0 and data["empires"][seat] != place:
        raise Misplaced(piece, place, is_missing=True)
    data["empires"][seat] = place if n > 0 else None
    ranking = [other for other in data["ranking"] if other != seat]
    armies = data["armies"] if n > 0 else [{} if other == seat else own for other, own in enumerate(data["armies"])]
    return {"empires": data["empires"], "ranking": [*ranking, seat] if n > 0 else ranking, "armies": armies}


def _listed(areas: list[str], piece: str, place: str, n: int) -> list[str]:
    if place not in (*SUMER, *OTHERS) or (n > 0 and place in areas):
        raise Misplaced(piece, place)
    if n < 0 and place not in areas:
        raise Misplaced(piece, place, is_missing=True)
    return [*areas, place] if n > 0 else [area for area in areas if area != place]


EDITING: Final = Editing(pieces, places, put, take)
