"""Tiles and suns of Ra put somewhere by hand (ra#components, #setup). The bag is worked out from what lies elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.editing import LEFT_OUT, Editing, Fields, Misplaced, Piece, Place, add, seat_of
from games.ra.components import CENTRE_SUN, HELD_KINDS, KINDS, SUN_SETS

RA, TRACK, RA_TRACK, CENTRE = "ra", "auction_track", "ra_track", "centre_sun"
TILES, SUNS, SUNS_DOWN = "tile", "sun", "sun_down"
_HELD: Final = frozenset(KINDS[kind] for kind in HELD_KINDS)


def pieces(seats: int) -> Sequence[Piece]:
    """Return the kinds of tiles, and the suns in use with a number of seats."""
    suns = sorted({CENTRE_SUN, *(sun for group in SUN_SETS[seats] for sun in group)})
    return [*(Piece(kind, kind) for kind in KINDS), *(Piece(f"sun_{sun}", "sun", number=sun) for sun in suns)]


def places(seats: int) -> Sequence[Place]:
    """Return the tracks, the centre, and in front of each seat its tiles and its suns."""
    own = [Place(f"{seat}.{what}", what, seat) for seat in range(seats) for what in (TILES, SUNS, SUNS_DOWN)]
    return [Place(TRACK, TRACK), Place(RA_TRACK, RA_TRACK), Place(CENTRE, CENTRE), *own]


def put(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that a tile or sun on a place changes. A sun changes places with one that is there, so each seat keeps its number."""
    if piece.startswith("sun_"):
        return _swapped(data, int(piece.removeprefix("sun_")), place)
    if place == TRACK and piece != RA:
        track = data["track"]
        return {
            "track": [piece if at == track.index(None) else kind for at, kind in enumerate(track)] if None in track else [*track, piece]
        } | {"bag": LEFT_OUT}
    if place == RA_TRACK and piece == RA:
        return {"ra_track": data["ra_track"] + 1, "bag": LEFT_OUT}
    if place.endswith(f".{TILES}") and piece in _HELD:
        seat, _ = seat_of(place)
        data["tiles"][seat] = add(data["tiles"][seat], piece, 1)
        return {"tiles": data["tiles"], "bag": LEFT_OUT}
    raise Misplaced(piece, place)


def take(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that change when a tile is taken from a place; suns only change places."""
    if place == TRACK and piece in data["track"]:
        last = len(data["track"]) - 1 - data["track"][::-1].index(piece)
        return {"track": [kind for at, kind in enumerate(data["track"]) if at != last], "bag": LEFT_OUT}
    if place == RA_TRACK and piece == RA and data["ra_track"]:
        return {"ra_track": data["ra_track"] - 1, "bag": LEFT_OUT}
    if place.endswith(f".{TILES}"):
        seat, _ = seat_of(place)
        if data["tiles"][seat].get(piece):
            data["tiles"][seat] = add(data["tiles"][seat], piece, -1)
            return {"tiles": data["tiles"], "bag": LEFT_OUT}
    raise Misplaced(piece, place, is_missing=True)


def _swapped(data: Fields, sun: int, place: str) -> Fields:
    """Return the fields after a sun has changed places: with the centre, or with the lowest of a seat's suns; or been turned over by its owner."""
    suns: list[list[list[int]]] = data["suns"]
    owner = next((seat for seat, pair in enumerate(suns) if sun in (*pair[0], *pair[1])), None)
    if place == CENTRE:
        if owner is not None:
            suns[owner] = [[data["centre"] if own == sun else own for own in side] for side in suns[owner]]
            data["centre"] = sun
    elif not place.endswith((f".{SUNS}", f".{SUNS_DOWN}")):
        raise Misplaced(f"sun_{sun}", place)
    else:
        seat, what = seat_of(place)
        if seat != owner:
            given = min((*suns[seat][0], *suns[seat][1]), default=0)
            if not given:
                raise Misplaced(f"sun_{sun}", place)
            if owner is None:
                data["centre"] = given
            else:
                suns[owner] = [[given if own == sun else own for own in side] for side in suns[owner]]
            suns[seat] = [[own for own in side if own != given] for side in suns[seat]]
        side = int(what == SUNS_DOWN)
        suns[seat] = [[own for own in group if own != sun] for group in suns[seat]]
        suns[seat][side].append(sun)
    return {"suns": [[sorted(up), sorted(down)] for up, down in suns], "centre": data["centre"]}


EDITING: Final = Editing(pieces, places, put, take)
