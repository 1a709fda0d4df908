"""Positions of Tigris & Euphrates from labels or from a small picture, and playing on from them with texts.

    position(
        tiles={"temple": "C3 C4", "farm": "E1"},
        leaders=["king C2, trader D4", "priest B4"],   # by seat
        hands=["temple 2, farm", None],                # None: six tiles by chance
        active=1,
    )

A position has as many seats as `leaders` or `hands` has entries, two if neither is given; `complete` fills in what is left out. The ten
treasures are on their temples unless `treasures` names those that remain ("" for none).

    drawn("C3", '''
        T  k0 .
        M  #  F
    ''', hands=[...])

A picture starts at its upper left square. S T F M: settlement, temple, farm, market; k p f t with a seat: its king,
priest, farmer, trader; #: catastrophe; a dot: nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.contract import Event
from games.core.rng import SeededRng
from games.registry import game as find_game
from games.tigris_euphrates.components import COLOURS, KINDS, ROLES, SQUARE_OF
from games.tigris_euphrates.state import State, labels_of, total_of
from tests.engine.steps import Steps

game = find_game("tigris_euphrates")
steps = Steps(game, names_all=True)
act, play, told, due, legal = steps.act, steps.play, steps.told, steps.due, steps.legal
data_of, ask, refusal, keys = steps.data_of, steps.ask, steps.refusal, steps.keys
TILE_SIGNS = dict(zip("STFM", KINDS, strict=True))
LEADER_SIGNS = dict(zip("kpft", ROLES, strict=True))


def position(seats: int | None = None, **fields: Any) -> State:
    """Return the state of a position file; leaders and hands may be texts by seat, "king C3, trader D4" and "temple 2, farm"."""
    return game.complete(data_from(seats, **fields), SeededRng(1))


def data_from(seats: int | None = None, **fields: Any) -> dict[str, Any]:
    """Return the position file of `position`, before it is completed."""
    if seats is None:
        seats = max([2, *(len(fields[name]) for name in ("leaders", "hands") if name in fields)])
    for name, read in (("leaders", _leaders), ("hands", _counts), ("swapped", _counts)):
        if name in fields:
            rows = list(fields[name])
            fill = None if name == "hands" else {}
            fields[name] = [read(row) for row in rows] + [fill] * (seats - len(rows))
    for name in ("bag", "gone"):
        if name in fields:
            fields[name] = _counts(fields[name])
    return {"seats": seats} | fields


def _items(text: str) -> list[list[str]]:
    return [item.split() for item in text.split(",") if item.strip()]


def _leaders(row: Any) -> Any:
    return dict(_items(row)) if isinstance(row, str) else row


def _counts(row: Any) -> Any:
    return {item[0]: int(item[1]) if len(item) > 1 else 1 for item in _items(row)} if isinstance(row, str) else row


def drawn(corner: str, picture: str, seats: int | None = None, **fields: Any) -> State:
    """Return the position of a picture whose upper left square is `corner`; `tiles` and `leaders` in `fields` are added to it."""
    column, row = ord(corner[0]), int(corner[1:])
    tiles: dict[str, list[str]] = {kind: [] for kind in KINDS}
    leaders: dict[int, dict[str, str]] = {}
    catastrophes = []
    for down, line in enumerate(filter(None, map(str.strip, picture.splitlines()))):
        for right, sign in enumerate(line.split()):
            square = f"{chr(column + right)}{row + down}"
            assert square in SQUARE_OF, square
            if sign in TILE_SIGNS:
                tiles[TILE_SIGNS[sign]].append(square)
            elif sign == "#":
                catastrophes.append(square)
            elif sign != ".":
                leaders.setdefault(int(sign[1]), {})[LEADER_SIGNS[sign[0]]] = square
    named = [_leaders(entry) for entry in fields.pop("leaders", ())]
    if seats is None:
        seats = max(2, len(named), len(fields.get("hands", ())), *(seat + 1 for seat in leaders)) if leaders else None
    if leaders:
        named += [{}] * (seats - len(named))
        fields["leaders"] = [named[seat] | leaders.get(seat, {}) for seat in range(seats)]
    elif named:
        fields["leaders"] = named
    more = fields.pop("tiles", {})
    fields["tiles"] = {kind: " ".join([*squares, more.get(kind, "")]).strip() for kind, squares in tiles.items()}
    if catastrophes:
        fields["catastrophes"] = " ".join([*catastrophes, fields.get("catastrophes", "")]).strip()
    return position(seats, **fields)


# Looking


def points(state: State, seat: int) -> dict[str, int]:
    """Return the points of a seat, colours without any left out."""
    totals = {colour: total_of(state, seat, index) for index, colour in enumerate(COLOURS)}
    return {colour: total for colour, total in totals.items() if total}


def leaders(state: State, seat: int) -> dict[str, str]:
    """Return the squares of a seat's leaders on the board."""
    return data_of(state)["leaders"][seat]


def hand(state: State, seat: int) -> dict[str, int]:
    """Return the hand of a seat."""
    return data_of(state)["hands"][seat]


def tiles(state: State, kind: str) -> str:
    """Return the squares of the face-up tiles of a kind, "B2 P2"."""
    return data_of(state)["tiles"].get(kind, "")


def squares(board: int) -> str:
    """Return the squares of a bit board, "B2 P2"."""
    return " ".join(labels_of(board))


def event(events: Sequence[Event], key: str) -> Event:
    """Return the one event with a key."""
    (found,) = [event for event in events if event.key == key]
    return found
