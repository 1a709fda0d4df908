"""Positions of Babel from a small text picture, and playing on from them with texts.

    position('''
        turn: 5
        0> hittites | AHS
        1  medes    | 7
        hittites:  SSSSAPP .   | PSAAM 123456
        assyrians: HH      .   | .     123
        stocks: 6 2 | 5 4 3
    ''')

A line for each seat: where its pawn is (quarry means nowhere), and its hand as initials or as a number of cards to deal to it; `>` marks
whose turn it is. A line for each land: columns from the inside out and levels from below, of seat 0 and of seat 1; a dot is nothing. Stocks
with the playable card last. `key: value` is a field of a position file. `complete` fills in what is left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from games.babel import game
from games.babel.components import PEOPLES
from games.babel.state import State
from games.core.rng import SeededRng
from tests.engine.steps import Steps

steps = Steps(game)
act, play, told, due, legal = steps.act, steps.play, steps.told, steps.due, steps.legal
data_of, ask, refusal, keys = steps.data_of, steps.ask, steps.refusal, steps.keys

DATA = Path(__file__).parent / "data"
INITIAL = {people[0].upper(): people for people in PEOPLES}
SEAT = re.compile(r"([01])([> ])\s*(\w+)\s*(?:\|\s*(\w*))?")


def data(name: str) -> Any:
    """Return a file of rule cases."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def position(picture: str = "", **fields: Any) -> State:
    """Return the state of a picture; `fields` are fields of a position file and take precedence."""
    return game.complete(data_from(picture) | fields, SeededRng(1))


def data_from(picture: str) -> dict[str, Any]:
    """Return the position file of a picture, before it is completed."""
    out: dict[str, Any] = {}
    pawns: list[str | None] = []
    hands: list[Any] = []
    columns: list[dict[str, str]] = [{}, {}]
    temples: list[dict[str, list[int]]] = [{}, {}]
    for line in filter(None, map(str.strip, picture.splitlines())):
        match = SEAT.fullmatch(line)
        key, _, value = line.partition(":")
        if match is not None:
            assert int(match[1]) == len(pawns), line
            if match[2] == ">":
                out["active"] = len(pawns)
            pawns.append(None if match[3] == "quarry" else match[3])
            hands.append(int(match[4]) if (match[4] or "").isdigit() else counts(match[4] or ""))
        elif key in PEOPLES:
            for seat, side in enumerate(value.split("|")):
                column, temple = (*side.split(), ".", ".")[:2]
                if column != ".":
                    columns[seat][key] = column
                if temple != ".":
                    temples[seat][key] = [int(level) for level in temple]
        elif key == "stocks":
            out[key] = [[int(level) for level in side.split()] for side in value.split("|")]
        else:
            out[key] = json.loads(value) if not value.strip().isalpha() or value.strip() in ("true", "false", "null") else value.strip()
    if pawns:
        out |= {"pawns": pawns, "hands": hands}
    if any(columns):
        out["columns"] = columns
    if any(temples):
        out["temples"] = temples
    return out


def counts(initials: str) -> dict[str, int]:
    """Return the people cards of "AAH" as counts."""
    return dict(Counter(INITIAL[initial] for initial in initials))


def first_turn(seat: int = 0, hand: str | None = None, other: str | None = None, **fields: Any) -> State:
    """Return the position in the action phase of the first turn of the game; hands are dealt by chance unless given."""
    held: list[Any] = [8, 5]
    held[seat] = 8 if hand is None else counts(hand)
    held[1 - seat] = 5 if other is None else counts(other)
    return game.complete({"turn": 1, "active": seat, "hands": held} | fields, SeededRng(1))


def column(state: State, seat: int, land: str) -> str:
    """Return a column as initials, from the inside out."""
    return data_of(state)["columns"][seat].get(land, "")


def temple(state: State, seat: int, land: str) -> list[int]:
    """Return the levels of a temple from below."""
    return data_of(state)["temples"][seat].get(land, [])


def hand(state: State, seat: int) -> dict[str, int]:
    """Return the people cards of a hand."""
    return data_of(state)["hands"][seat]


def scores(state: State) -> list[int]:
    """Return both scores."""
    return list(game.view_for(state, None).scores)


def standing_after_start(steps: int) -> State:
    """Return the position after the first chance outcomes: the starting player, the first hand, the second, the first draw."""
    state, rng = game.setup(2, {}), SeededRng(6)
    for _ in range(steps):
        state, _ = game.apply(state, due(state), game.sample_chance(state, rng))
    return state
