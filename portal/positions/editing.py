"""The editor of positions: what a text says, how it looks, and what it leaves open."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.core.contract import AnyGame, PositionError
from games.core.records import POSITION_FORMAT, start_of_position
from games.registry import Entry, game
from portal.common.templatetags.site import listed
from portal.positions.codes import code_of, read, written
from portal.tables.how import draw
from rules_docs.examples import LETTERS

GIVEN: Final = ("seats", "options", "rules_version")  # fields of a state that are the file's


@dataclass(frozen=True, slots=True)
class Left:
    """A field of the state that the text leaves out, with the value that it has been given."""

    name: str
    value: str  # JSON


@dataclass(frozen=True, slots=True)
class Shown:
    """A position as the editor shows it. `seat` is that of the reader, None for a spectator."""

    position: Mapping[str, Any]
    code: str
    seat: int | None
    names: Sequence[str]
    board: SafeString
    players: SafeString
    due: Sequence[int]
    choices: int  # legal actions of all who are due
    is_over: bool
    left: Sequence[Left]


def first_text(entry: Entry) -> str:
    """Return the position file with which the editor begins: the game's first position, with nothing but the number of players."""
    meta = entry.game.meta
    return written(
        {
            "format": POSITION_FORMAT,
            "game": meta.key,
            "rules_version": meta.rules_version,
            "options": {},
            "seats": meta.seats[-1],
            "state": {},
            "fill": "1",
        }
    )


def shown(entry: Entry, text: str, lang: str, seat: str = "") -> Shown:
    """Return what a text says, as `seat` ("2", "0" for a spectator, "" for whoever decides) sees it. Raises PositionError naming the field."""
    position, rules, state, looks = placed(entry, text, seat)
    seats = int(position["seats"])
    due = [actor for actor in rules.actors(state) if actor >= 0]
    names = names_of(seats)
    board, players = draw(entry, names, lang, state, seat=looks)
    whole = rules.state_to_json(state)
    left = [Left(name, json.dumps(value, ensure_ascii=False)) for name, value in whole.items() if name not in position["state"]]
    return Shown(
        position=position,
        code=code_of(position),
        seat=looks,
        names=names,
        board=board,
        players=players,
        due=due,
        choices=sum(len(rules.legal_actions(state, actor)) for actor in due),
        is_over=not rules.actors(state),
        left=[field for field in left if field.name not in GIVEN],
    )


def placed(entry: Entry, text: str, seat: str) -> tuple[dict[str, Any], AnyGame, Any, int | None]:
    """Return the position file, its game, its state, and the seat that looks at it. Raises PositionError as `shown` does."""
    position = read(text)
    if position.get("game") != entry.key:
        raise PositionError(f"game: expected {entry.key!r}")
    rules, state = start_of_position(position, game)
    due = [actor for actor in rules.actors(state) if actor >= 0]
    return position, rules, state, _seat(seat, int(position["seats"]), due)


def with_field(text: str, name: str, filled: Shown) -> str:
    """Return the text with a field that it left out, as it was filled in; the text itself if there is no such field."""
    field = next((field for field in filled.left if field.name == name), None)
    if field is None:
        return text
    position = dict(filled.position)
    position["state"] = {**position["state"], name: json.loads(field.value)}
    return written(position)


def example_file(filled: Shown) -> dict[str, Any]:
    """Return the position as the file of a worked example (`rules_docs`): anchor, title and steps are left to the author."""
    return {
        "anchor": "",
        "title": {"en": ""},
        "position": filled.position,
        "steps": [],
        "expect": {"due": list(filled.due)},
    }


def names_of(seats: int) -> list[str]:
    """Return the names of players nobody has named, by seat."""
    return [gettext("Player %(number)s") % {"number": LETTERS[seat]} for seat in range(seats)]


def said_due(filled: Shown) -> str:
    """Return in words who decides, and among how many actions."""
    if filled.is_over:
        return gettext("The game is over in this position.")
    if not filled.due:
        return gettext("Nobody has to decide here: something is drawn, rolled or scored next.")
    names = [filled.names[seat] for seat in filled.due]
    return gettext("To decide: %(names)s. Possible actions: %(n)s.") % {"names": listed(names), "n": filled.choices}


def _seat(asked: str, seats: int, due: Sequence[int]) -> int | None:
    if asked == "0":
        return None
    if asked.isascii() and asked.isdecimal() and 1 <= int(asked[:3]) <= seats:
        return int(asked[:3]) - 1
    return due[0] if due else None
