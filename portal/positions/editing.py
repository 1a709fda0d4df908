"""The editor of positions: what a text says, how it looks, and what it leaves open."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from games.core.contract import AnyGame
from games.core.editing import LEFT_OUT, Misplaced, Piece, Place, change
from games.core.jsonio import fault
from games.core.records import POSITION_FORMAT, start_of_position
from games.registry import Entry, game
from portal.common.templatetags.site import listed
from portal.positions.codes import code_of, read, written
from portal.tables.how import draw
from portal.tables.speaker import Speaker
from rules_docs.examples import LETTERS

GIVEN: Final = ("seats", "options", "rules_version")  # fields of a state that are the file's
PLACE: Final = "#place"  # where a link of the board leads without a script: to the list of places


@dataclass(frozen=True, slots=True)
class Left:
    """A field of the state that the text leaves out, with the value that it has been given."""

    name: str
    value: str  # JSON


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces or places under one heading: those of a seat, or nobody's. Each is its key, its name, and the target of the board."""

    title: str
    choices: Sequence[tuple[str, str, str]]


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
    fields: Mapping[str, Any]  # of the whole position


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
    editing = rules.editing() if rules.editing else None
    links = {place.target: PLACE for place in editing.places(seats) if place.target} if editing else {}
    board, players = draw(entry, names, lang, state, seat=looks, links=links)
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
        fields=whole,
    )


def with_piece(entry: Entry, filled: Shown, piece: str, place: str, *, is_put: bool) -> str:
    """Return the text of the position with a piece on a place, or without it. Raises PositionError where that can't be."""
    editing = entry.game.editing
    if editing is None:
        raise fault("piece", gettext_noop("pieces of {game} aren't put by hand"), game=entry.key)
    state = dict(filled.position["state"])
    for name, value in change(editing(), filled.fields, piece=piece, place=place, is_put=is_put).items():
        if value is not LEFT_OUT:
            state[name] = value
        elif name in state:
            del state[name]
    return written({**filled.position, "state": state})


def why_not(entry: Entry, filled: Shown, error: Misplaced, lang: str) -> str:
    """Return in words why a piece can't be put somewhere, or taken from there."""
    piece, place = (
        next(name if not group.title else f"{name} ({group.title})" for group in groups for key, name, _ in group.choices if key == wanted)
        for groups, wanted in zip(pieces_and_places(entry, filled, lang), (error.piece, error.place), strict=True)
    )
    if error.is_missing:
        return gettext("There is nothing to take away: %(piece)s, %(place)s.") % {"piece": piece, "place": place}
    return gettext("This piece doesn't go there: %(piece)s, %(place)s.") % {"piece": piece, "place": place}


def pieces_and_places(entry: Entry, filled: Shown, lang: str) -> tuple[list[Group], list[Group]]:
    """Return what can be put, and where, in a language; nothing for a game whose positions are edited as text alone."""
    editing = entry.game.editing() if entry.game.editing else None
    if editing is None:
        return [], []
    seats = len(filled.names)
    speaker = Speaker(entry.key, lang, filled.names, None)
    pieces = [
        (one, f"{speaker.noun(one.noun)} {one.number}" if one.number is not None else speaker.noun(one.noun), "")
        for one in editing.pieces(seats)
    ]
    places = [(one, speaker.noun(one.noun), one.target) for one in editing.places(seats)]
    return _grouped(pieces, filled.names), _grouped(places, filled.names)


def _grouped(choices: Sequence[tuple[Piece | Place, str, str]], names: Sequence[str]) -> list[Group]:
    groups = []
    for seat in (None, *range(len(names))):
        own = [(one.key, capfirst(name), target) for one, name, target in choices if one.seat == seat]
        if own:
            groups.append(Group("" if seat is None else names[seat], own))
    return groups


def placed(entry: Entry, text: str, seat: str) -> tuple[dict[str, Any], AnyGame, Any, int | None]:
    """Return the position file, its game, its state, and the seat that looks at it. Raises PositionError as `shown` does."""
    position = read(text)
    if position.get("game") != entry.key:
        raise fault("game", gettext_noop("expected {wanted}"), wanted=repr(entry.key))
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
