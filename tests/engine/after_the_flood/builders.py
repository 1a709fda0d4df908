"""Positions of After the Flood from short words, and playing on from them with texts.

    position(goods=["wood 2 tool", "", "gold"], workers=["amorites 2 irrigation", "", ""], cities=["ur", "", ""], available=[4, 0, 0])

A text for each seat: names, each followed by its number if above one; armies likewise. All other fields are as in a position file, and
`complete` fills in what is left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.after_the_flood import game
from games.after_the_flood.state import State
from games.core.rng import SeededRng
from tests.engine.steps import Steps

steps = Steps(game)
act, play, told, due, legal = steps.act, steps.play, steps.told, steps.due, steps.legal
data_of, ask, refusal, keys = steps.data_of, steps.ask, steps.refusal, steps.keys

DATA = Path(__file__).parent / "data"
COUNTED = ("goods", "equipment", "bids", "workers", "armies")


def data(name: str) -> Any:
    """Return a file of facts or examples."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def counts(words: str) -> dict[str, int]:
    """Return the counts of "wood 2 tool"."""
    found: dict[str, int] = {}
    last = ""
    for word in words.split():
        if word.isdigit():
            found[last] = int(word)
        else:
            last = word
            found[last] = 1
    return found


def position(**fields: Any) -> State:
    """Return the state of a position file in short words."""
    for name in COUNTED:
        if name in fields:
            fields[name] = [counts(words) if isinstance(words, str) else words for words in fields[name]]
    if "cities" in fields:
        fields["cities"] = [words.split() if isinstance(words, str) else words for words in fields["cities"]]
    return game.complete(fields, SeededRng(1))


def goods(state: State, seat: int) -> dict[str, int]:
    """Return the goods of a seat."""
    found: dict[str, int] = data_of(state)["goods"][seat]
    return found


def workers(state: State, seat: int) -> dict[str, int]:
    """Return the workers of a seat by place."""
    found: dict[str, int] = data_of(state)["workers"][seat]
    return found


def armies(state: State, seat: int) -> dict[str, int]:
    """Return the armies of a seat on the map."""
    found: dict[str, int] = data_of(state)["armies"][seat]
    return found


def cities(state: State, seat: int) -> list[str]:
    """Return the cities of a seat."""
    found: list[str] = data_of(state)["cities"][seat]
    return found
