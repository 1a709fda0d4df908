"""A second version of a turn's legal actions, slow and plain, from the position as JSON: it uses nothing from the engine (babel#turn-3).

It follows the rules page sentence by sentence. Columns are initials from the inside out, temples levels from below.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

PEOPLES = ("assyrians", "hittites", "medes", "sumerians", "persians")
SPECIAL = {"A": "destroy", "H": "steal", "M": "expel", "S": "switch", "P": "skip"}


def legal_texts(data: dict[str, Any]) -> set[str]:
    """Return the texts of what the seat due may do, except for `end` in a first turn."""
    seat = data["due"]
    other = 1 - seat
    if data["phase"] == "halving":
        cards = [people for people, count in data["hands"][seat].items() for _ in range(count)]
        return {"discard " + " ".join(sorted(half, key=PEOPLES.index)) for half in combinations(cards, len(cards) // 2)}
    assert data["phase"] == "action"
    pawn = data["pawns"][seat]
    held = [people for people, count in data["hands"][seat].items() if count]
    found = {f"move {people}" for people in held if people != pawn}
    columns = {land: data["columns"][seat].get(land, "") for land in PEOPLES}
    if not data["migrated"]:
        found |= {f"migrate {source} {land}" for source in PEOPLES for land in PEOPLES if source != land and len(columns[source]) >= 3}
    if pawn is not None:
        found |= {f"settle {people}" for people in held}
        found |= {f"build {stock}" for stock, level in open_levels(data, seat).items() if level == next_level(data, seat, pawn, 1)}
        for text, index in runs(columns[pawn]):
            found |= {verb if index == 1 else f"{verb} {index}" for verb in uses(data, seat, other, pawn, text)}
    return found | {"end"}


def open_levels(data: dict[str, Any], seat: int) -> dict[str, int]:
    """Return the level on top of each stock that the seat may take."""
    own, other = data["stocks"][seat], data["stocks"][1 - seat]
    out = {"own": own[-1]} if own else {}
    return out | ({"other": other[-1]} if other and not data["reserved"][1 - seat] else {})


def next_level(data: dict[str, Any], seat: int, land: str, step: int) -> int:
    """Return the level that comes `step` above the temple here; 99 if there are too few settlers for it."""
    level = max(data["temples"][seat].get(land, [0])) + step
    return level if len(data["columns"][seat].get(land, "")) >= level else 99


def runs(column: str) -> list[tuple[str, int]]:
    """Return the initial of each run of three or more, with its number among those of the same initial."""
    found: list[tuple[str, int]] = []
    pieces, last = [], ""
    for card in column:
        pieces = [*pieces[:-1], pieces[-1] + card] if card == last else [*pieces, card]
        last = card
    for piece in pieces:
        if len(piece) >= 3:
            found.append((piece[0], 1 + [initial for initial, _ in found].count(piece[0])))
    return found


def uses(data: dict[str, Any], seat: int, other: int, land: str, initial: str) -> set[str]:
    """Return the possible uses of a run of an initial in a land."""
    column = data["columns"][other].get(land, "")
    temple = data["temples"][other].get(land, [])
    verb = SPECIAL[initial]
    found = set()
    if verb == "destroy" and temple:
        found = {"destroy"}
    if verb == "steal" and temple:
        mine = max(data["temples"][seat].get(land, [0]))
        if max(temple) > mine and len(data["columns"][seat][land]) >= max(temple):
            found = {"steal"}
    if verb == "expel":
        found = {f"expel {people}" for people in PEOPLES if people[0].upper() in column}
    if verb == "switch" and column:
        found = {"switch"}
    if verb == "skip":
        found = {f"skip {stock}" for stock, level in open_levels(data, seat).items() if level == next_level(data, seat, land, 2)}
    if sum(data["hands"][other].values()) >= 2:
        found.add(f"halve {next(people for people in PEOPLES if people[0].upper() == initial)}")
    return found
