"""Pieces of History of the World put on the map by hand (history_of_the_world#components)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.editing import Editing, Fields, Misplaced, Piece, Place, seat_of
from games.history_of_the_world.components import PROVINCE_OF, PROVINCES

ARMY: Final = "army"
_BUILT: Final = {"capital": "capitals", "city": "cities", "monument": "monuments", "fort": "forts"}


def pieces(seats: int) -> Sequence[Piece]:
    """Return the structures, and the armies of each seat. Armies of the seat whose turn it is are those of its empire."""
    return [*(Piece(key, key) for key in _BUILT), *(Piece(f"{seat}.{ARMY}", ARMY, seat) for seat in range(seats))]


def places(seats: int) -> Sequence[Place]:
    """Return the provinces."""
    return [Place(name, name, target=f"province-{name}") for name in PROVINCES]


def put(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that a piece on a province changes. An army drives out another seat's; that of the seat on turn is its empire's."""
    if piece in _BUILT:
        name = _BUILT[piece]
        if place in data[name]:
            raise Misplaced(piece, place)
        return {name: _sorted([*data[name], place])} | _without_rival(data, piece, place)
    seat, _ = seat_of(piece)
    armies = [[name for name in own if name != place] for own in data["armies"]]
    armies[seat] = _sorted([*armies[seat], place])
    active = [name for name in data["active_armies"] if name != place]
    return {"armies": armies, "active_armies": _sorted([*active, place]) if data["active"] == seat else active}


def take(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that change when a piece is taken from a province."""
    if piece in _BUILT:
        name = _BUILT[piece]
        if place not in data[name]:
            raise Misplaced(piece, place, is_missing=True)
        return {name: [other for other in data[name] if other != place]}
    seat, _ = seat_of(piece)
    if place not in data["armies"][seat]:
        raise Misplaced(piece, place, is_missing=True)
    data["armies"][seat].remove(place)
    return {"armies": data["armies"], "active_armies": [name for name in data["active_armies"] if name != place]}


def _without_rival(data: Fields, piece: str, place: str) -> Fields:
    """A province has a capital or a city, not both."""
    rival = {"capital": "cities", "city": "capitals"}.get(piece)
    return {rival: [name for name in data[rival] if name != place]} if rival and place in data[rival] else {}


def _sorted(names: list[str]) -> list[str]:
    return sorted(names, key=PROVINCE_OF.__getitem__)


EDITING: Final = Editing(pieces, places, put, take)
