"""Cards and pawns of Babel put somewhere by hand (babel#components, #setup). The decks are worked out from what lies elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.babel.components import PEOPLES, SEATS, TOP_LEVEL
from games.core.editing import LEFT_OUT, Editing, Fields, Misplaced, Piece, Place, add, seat_of

HAND, STOCK = "hand", "stock"
_LEVELS: Final = {f"temple_{level}": level for level in range(1, TOP_LEVEL + 1)}
_CARDS: Final = {f"card_{people}": people for people in PEOPLES}
_PAWNS: Final = {"pawn_1": 0, "pawn_2": 1}
_LANDS: Final = {f"land_{people}": people for people in PEOPLES}
_DEALT: Final = {"people_deck": LEFT_OUT, "discards": LEFT_OUT, "deck": LEFT_OUT}


def pieces(seats: int) -> Sequence[Piece]:
    """Return the people cards, the temple cards by level, and the pawns."""
    return [*(Piece(key, key) for key in (*_CARDS, *_LEVELS)), *(Piece(key, "pawn", seat) for key, seat in _PAWNS.items())]


def places(seats: int) -> Sequence[Place]:
    """Return the lands of each seat, its hand and its stock."""
    return [Place(f"{seat}.{what}", what, seat) for seat in range(SEATS[0]) for what in (*_LANDS, HAND, STOCK)]


def put(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that a card or a pawn on a place changes; cards come on top of those that lie there."""
    seat, what = seat_of(place)
    if what in _LANDS:
        land = _LANDS[what]
        if piece in _CARDS:
            columns = data["columns"]
            columns[seat] = columns[seat] | {land: columns[seat].get(land, "") + _CARDS[piece][0].upper()}
            return {"columns": columns} | _DEALT
        if piece in _LEVELS:
            temples = data["temples"]
            temples[seat] = temples[seat] | {land: sorted({*temples[seat].get(land, []), _LEVELS[piece]})}
            return {"temples": temples} | _DEALT
        if _PAWNS[piece] == seat:
            data["pawns"][seat] = land
            return {"pawns": data["pawns"]}
    elif what == HAND and piece in _CARDS:
        data["hands"][seat] = add(data["hands"][seat], _CARDS[piece], 1)
        return {"hands": data["hands"]} | _DEALT
    elif what == STOCK and piece in _LEVELS:
        data["stocks"][seat] = [*data["stocks"][seat], _LEVELS[piece]]
        return {"stocks": data["stocks"]} | _DEALT
    raise Misplaced(piece, place)


def take(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that change when a card or a pawn is taken from a place: of several equal cards the outermost."""
    seat, what = seat_of(place)
    if what in _LANDS:
        land = _LANDS[what]
        column = data["columns"][seat].get(land, "")
        if piece in _CARDS and (initial := _CARDS[piece][0].upper()) in column:
            at = column.rindex(initial)
            data["columns"][seat] = _filled(data["columns"][seat] | {land: column[:at] + column[at + 1 :]})
            return {"columns": data["columns"]} | _DEALT
        if piece in _LEVELS and _LEVELS[piece] in data["temples"][seat].get(land, []):
            rest = [level for level in data["temples"][seat][land] if level != _LEVELS[piece]]
            data["temples"][seat] = _filled(data["temples"][seat] | {land: rest})
            return {"temples": data["temples"]} | _DEALT
        if _PAWNS.get(piece) == seat and data["pawns"][seat] == land:
            data["pawns"][seat] = None
            return {"pawns": data["pawns"]}
    elif what == HAND and piece in _CARDS and data["hands"][seat].get(_CARDS[piece]):
        data["hands"][seat] = add(data["hands"][seat], _CARDS[piece], -1)
        return {"hands": data["hands"]} | _DEALT
    elif what == STOCK and piece in _LEVELS and _LEVELS[piece] in data["stocks"][seat]:
        stock = data["stocks"][seat]
        at = len(stock) - 1 - stock[::-1].index(_LEVELS[piece])
        data["stocks"][seat] = stock[:at] + stock[at + 1 :]
        return {"stocks": data["stocks"]} | _DEALT
    raise Misplaced(piece, place, is_missing=True)


def _filled(by_land: Fields) -> Fields:
    return {land: cards for land, cards in by_land.items() if cards}


EDITING: Final = Editing(pieces, places, put, take)
