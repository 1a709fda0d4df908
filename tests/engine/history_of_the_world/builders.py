"""Positions of History of the World from short words, and playing on from them by text.

    position(armies=["nile* levant", "crete", ""], empires=["egyptians", "minoans", "sumerians"], card=3, capitals="nile")

Armies of a seat are names; a star marks an active one (of the active seat). Structures and forts are names in one text. `card`, `tokens`,
`zones`, `events` and other words of `turn`, and those of `battle`, may be given by themselves. All other fields are as in a position file, and
what is left out is filled in as `complete` does.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.core.contract import Ask, Event, IllegalAction
from games.core.rng import SeededRng
from games.history_of_the_world import game
from games.history_of_the_world.position import BATTLE_FIELDS, TURN_FIELDS
from games.history_of_the_world.state import State

STRUCTURES = ("capitals", "cities", "monuments", "forts")


def position(**fields: Any) -> State:
    """Return the state of a position file in short words."""
    if "armies" in fields:
        rows = [row.split() if isinstance(row, str) else row for row in fields["armies"]]
        fields["active_armies"] = [name[:-1] for row in rows for name in row if name.endswith("*")]
        fields["armies"] = [[name.rstrip("*") for name in row] for row in rows]
    for name in STRUCTURES:
        if isinstance(fields.get(name), str):
            fields[name] = fields[name].split()
    if "hands" in fields:
        fields["hands"] = [hand.split() if isinstance(hand, str) else hand for hand in fields["hands"]]
    for name in ("zones", "events"):
        if isinstance(fields.get(name), str):
            fields[name] = fields[name].split()
    taken = set(STRUCTURES)  # "cities" and "monuments" are structures; what an ability still gives is written as turn={...}
    turn = {name: fields.pop(name) for name in TURN_FIELDS if name in fields and name not in taken and name != "forts"}
    battle = {name: fields.pop(name) for name in BATTLE_FIELDS if name in fields}
    fields["turn"] = turn | fields.get("turn", {})
    fields["battle"] = battle | fields.get("battle", {})
    if fields.get("events"):
        fields.setdefault("played", fields["events"])
    if fields["turn"].get("events"):
        fields.setdefault("played", fields["turn"]["events"])
    return game.complete(fields, SeededRng(1))


def play(state: State, *texts: str) -> State:
    """Play the actions, each by whoever is due."""
    for text in texts:
        state, _ = act(state, text)
    return state


def act(state: State, text: str, actor: int | None = None) -> tuple[State, list[Event]]:
    """Play one action by whoever is due (or by `actor`), and return the events too."""
    return game.apply(state, due(state) if actor is None else actor, game.parse_action(text))


def told(state: State, *texts: str) -> list[Event]:
    """Play the actions and return all that happened."""
    events: list[Event] = []
    for text in texts:
        state, more = act(state, text)
        events += more
    return events


def due(state: State) -> int:
    """Return the first actor that is due."""
    return game.actors(state)[0]


def legal(state: State, verb: str = "") -> list[str]:
    """Return the texts of the legal actions of whoever is due, of one verb only if it is given; standing orders are left out."""
    texts = [str(action) for action in game.legal_actions(state, due(state))]
    return [text for text in texts if (text.split()[0] == verb if verb else not text.startswith("guard "))]


def data_of(state: State) -> dict[str, Any]:
    """Return the position as JSON values, for looking at."""
    return game.state_to_json(state)


def armies(state: State, seat: int) -> set[str]:
    """Return the provinces with an army of a seat."""
    return set(data_of(state)["armies"][seat])


def on_card(state: State) -> tuple[int, int]:
    """Return the armies and siege tokens on the card of the realm that acts."""
    turn = data_of(state)["turn"]
    return turn.get("card", 0), turn.get("tokens", 0)


def scores(state: State) -> list[int]:
    """Return the spaces of all markers."""
    return list(game.view_for(state, None).scores)


def keys(events: list[Event]) -> list[str]:
    """Return the keys of events."""
    return [event.key for event in events]


def ask(state: State, chosen: str = "", seat: int | None = None) -> Ask:
    """Return the question of whoever is due."""
    asked = game.ask(game.view_for(state, due(state) if seat is None else seat), chosen)
    assert asked is not None
    return asked


def refusal(state: State, text: str, actor: int | None = None) -> tuple[str, str | None]:
    """Return reason and paragraph of the refusal of an action; nothing has changed."""
    before = game.state_to_json(state)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, due(state) if actor is None else actor, game.parse_action(text))
    assert game.state_to_json(state) == before
    assert refused.value.reason in game.phrases
    return refused.value.reason.removeprefix("refused."), refused.value.rule
