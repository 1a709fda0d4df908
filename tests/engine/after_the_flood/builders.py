"""Positions of After the Flood from short words, and playing on from them by text.

    position(goods=["wood 2 tool", "", "gold"], workers=["amorites 2 irrigation", "", ""], cities=["ur", "", ""], available=[4, 0, 0])

A word for each seat: names with a number behind those of which there is more than one; armies likewise. All other fields are as in a
position file, and what is left out is filled in as `complete` does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.after_the_flood import game
from games.after_the_flood.state import State
from games.core.contract import Ask, Event, IllegalAction
from games.core.rng import SeededRng

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


def play(state: State, *texts: str) -> State:
    """Play the actions, each by whoever is due."""
    for text in texts:
        state, _ = act(state, text)
    return state


def act(state: State, text: str) -> tuple[State, list[Event]]:
    """Play one action by whoever is due, and return the events too."""
    return game.apply(state, due(state), game.parse_action(text))


def told(state: State, *texts: str) -> list[Event]:
    """Play the actions and return all that happened."""
    events: list[Event] = []
    for text in texts:
        state, more = act(state, text)
        events += more
    return events


def due(state: State) -> int:
    """Return the one actor that is due."""
    (actor,) = game.actors(state)
    return actor


def legal(state: State, verb: str = "") -> list[str]:
    """Return the texts of the legal actions of whoever is due, of one verb only if it is given."""
    texts = [str(action) for action in game.legal_actions(state, due(state))]
    return [text for text in texts if not verb or text.split()[0] == verb]


def data_of(state: State) -> dict[str, Any]:
    """Return the position as JSON values, for looking at."""
    return game.state_to_json(state)


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


def keys(events: list[Event]) -> list[str]:
    """Return the keys of events."""
    return [event.key for event in events]


def ask(state: State, chosen: str = "") -> Ask:
    """Return the question of whoever is due."""
    asked = game.ask(game.view_for(state, due(state)), chosen)
    assert asked is not None
    return asked


def refusal(state: State, text: str, actor: int | None = None) -> tuple[str, str | None]:
    """Return reason and paragraph of the refusal of an action; nothing has changed."""
    before = game.state_to_json(state)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, due(state) if actor is None else actor, game.parse_action(text))
    assert game.state_to_json(state) == before
    assert refused.value.reason in game.phrases
    assert actor is not None or text not in legal(state)
    return refused.value.reason.removeprefix("refused."), refused.value.rule
