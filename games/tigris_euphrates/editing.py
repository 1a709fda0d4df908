"""Pieces put on the board of Tigris & Euphrates by hand (tigris_euphrates#components, #setup).

A square holds one thing; a treasure lies on its temple. Hands stay as they are when a tile comes to the board, and the bag is worked out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.editing import LEFT_OUT, Editing, Fields, Misplaced, Piece, Place, add, seat_of
from games.tigris_euphrates.components import DYNASTIES, KINDS, LABELS, MONUMENT_COLOURS, MONUMENTS, ROLES, SQUARE_OF, START_TEMPLES, STRIDE
from games.tigris_euphrates.state import squares_of

CATASTROPHE, TREASURE = "catastrophe", "treasure"
_MONUMENTS: Final = {name: KINDS[colours[0]] for (name, _, _), colours in zip(MONUMENTS, MONUMENT_COLOURS, strict=True)}
_LEADERS: Final = {f"{role}_{dynasty}": (seat, role) for seat, dynasty in enumerate(DYNASTIES) for role in ROLES}
_HAND: Final = "hand"
_TREASURES: Final = frozenset(LABELS[square] for square in squares_of(START_TEMPLES))  # each lies on its temple: setup-1
_BLOCK: Final = (0, 1, STRIDE, STRIDE + 1)  # the squares of a monument, from its upper left one


def pieces(seats: int) -> Sequence[Piece]:
    """Return what can be put: tiles, leaders by seat, treasure, catastrophe, monuments."""
    leaders = [Piece(key, key, seat) for key, (seat, _) in _LEADERS.items() if seat < seats]
    return [*(Piece(key, key) for key in (*KINDS, TREASURE, CATASTROPHE, *_MONUMENTS)), *leaders]


def places(seats: int) -> Sequence[Place]:
    """Return the squares, and the hand of each seat."""
    squares = [Place(label, label, target=f"cell-{label}") for label in SQUARE_OF]
    return [*squares, *(Place(f"{seat}.{_HAND}", "tile", seat) for seat in range(seats))]


def put(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that a piece on a place changes; what lay there is gone."""
    if place not in SQUARE_OF:
        seat, _ = seat_of(place)
        if piece not in KINDS:
            raise Misplaced(piece, place)
        data["hands"][seat] = add(data["hands"][seat], piece, 1)
        return {"hands": data["hands"], "bag": LEFT_OUT}
    if piece == TREASURE:
        if place not in _TREASURES:
            raise Misplaced(piece, place)
        data["treasures"] = _with(data["treasures"], place)
        return {"treasures": data["treasures"], "jokers": LEFT_OUT, "hands": data["hands"], "bag": LEFT_OUT}
    changed = _cleared(data, place)
    if piece in KINDS:
        data["tiles"][piece] = _with(data["tiles"].get(piece, ""), place)
        changed |= {"tiles": data["tiles"]}
    elif piece == CATASTROPHE:
        changed |= {"catastrophes": _with(data["catastrophes"], place), "catastrophes_left": LEFT_OUT}
    elif piece in _MONUMENTS:
        changed |= _built(data, piece, place)
    else:
        seat, role = _LEADERS[piece]
        data["leaders"][seat][role] = place
        changed |= {"leaders": data["leaders"]}
    return changed


def take(data: Fields, piece: str, place: str) -> Fields:
    """Return the fields that change when a piece is taken from a place: whatever lies on a square, or a tile from a hand."""
    if place in SQUARE_OF:
        if not _lies(data, place):
            raise Misplaced(piece, place, is_missing=True)
        return _cleared(data, place)
    seat, _ = seat_of(place)
    if not data["hands"][seat].get(piece):
        raise Misplaced(piece, place, is_missing=True)
    data["hands"][seat] = add(data["hands"][seat], piece, -1)
    return {"hands": data["hands"], "bag": LEFT_OUT}


def _built(data: Fields, monument: str, place: str) -> Fields:
    """Return the fields with a monument on the block from a square: four tiles of its first colour, or of the colour that lies there now."""
    corner = SQUARE_OF[place]
    block = [LABELS.get(corner + step) for step in _BLOCK]
    if None in block:
        raise Misplaced(monument, place)
    colours = MONUMENT_COLOURS[[name for name, _, _ in MONUMENTS].index(monument)]
    lying = {KINDS[colour] for colour in colours if set(data["tiles"].get(KINDS[colour], "").split()) & set(block)}
    changed: Fields = {}
    for label in block:
        changed |= _cleared(data, str(label))
    kind = lying.pop() if len(lying) == 1 else _MONUMENTS[monument]
    built = [entry for entry in data["built"] if entry[0] != monument]
    return changed | {"built": [*built, [monument, place, kind]], "tiles": data["tiles"]}


def _cleared(data: Fields, place: str) -> Fields:
    """Empty a square; return the fields of everything that can have changed."""
    left: Fields = {"bag": LEFT_OUT}
    if place in data["treasures"].split():
        left["jokers"] = LEFT_OUT
    if place in data["catastrophes"].split():
        left["catastrophes_left"] = LEFT_OUT
    data["tiles"] = {kind: rest for kind, squares in data["tiles"].items() if (rest := _without(squares, place))}
    data["treasures"] = _without(data["treasures"], place)
    data["catastrophes"] = _without(data["catastrophes"], place)
    data["leaders"] = [{role: at for role, at in own.items() if at != place} for own in data["leaders"]]
    data["built"] = [entry for entry in data["built"] if place not in _below(entry[1])]
    changed = ("tiles", "treasures", "catastrophes", "leaders", "built", "hands")
    return {name: data[name] for name in changed} | left


def _lies(data: Fields, place: str) -> bool:
    boards = (*data["tiles"].values(), data["treasures"], data["catastrophes"])
    return (
        any(place in board.split() for board in boards)
        or any(place in own.values() for own in data["leaders"])
        or any(place in _below(entry[1]) for entry in data["built"])
    )


def _below(corner: str) -> set[str | None]:
    return {LABELS.get(SQUARE_OF[corner] + step) for step in _BLOCK}


def _with(squares: str, place: str) -> str:
    return " ".join(sorted({*squares.split(), place}, key=SQUARE_OF.__getitem__))


def _without(squares: str, place: str) -> str:
    return " ".join(label for label in squares.split() if label != place)


EDITING: Final = Editing(pieces, places, put, take)
