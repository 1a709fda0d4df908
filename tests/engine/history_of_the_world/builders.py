"""Positions of History of the World from short words, and playing on from them with texts.

    position(armies=["nile* levant", "crete", ""], empires=["egyptians", "minoans", "sumerians"], card=3, capitals="nile")

Armies of a seat are names; a star marks an active one (of the active seat). Structures and forts are names in one text. `card`, `tokens`,
`zones`, `events` and other words of `turn`, and those of `battle`, may be given directly. All other fields are as in a position file, and
`complete` fills in what is left out.
"""

from __future__ import annotations

from typing import Any

from games.core.rng import SeededRng
from games.history_of_the_world import game
from games.history_of_the_world.position import BATTLE_FIELDS, TURN_FIELDS
from games.history_of_the_world.state import State
from tests.engine.steps import Steps

steps = Steps(game, aside="guard")
act, play, told, due, legal = steps.act, steps.play, steps.told, steps.due, steps.legal
data_of, ask, refusal, keys = steps.data_of, steps.ask, steps.refusal, steps.keys

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
    taken = set(STRUCTURES)  # "cities" and "monuments" are structures; what an ability still grants is written as turn={...}
    turn = {name: fields.pop(name) for name in TURN_FIELDS if name in fields and name not in taken and name != "forts"}
    battle = {name: fields.pop(name) for name in BATTLE_FIELDS if name in fields}
    fields["turn"] = turn | fields.get("turn", {})
    fields["battle"] = battle | fields.get("battle", {})
    if fields.get("events"):
        fields.setdefault("played", fields["events"])
    if fields["turn"].get("events"):
        fields.setdefault("played", fields["turn"]["events"])
    return game.complete(fields, SeededRng(1))


def armies(state: State, seat: int) -> set[str]:
    """Return the provinces with an army of a seat."""
    return set(data_of(state)["armies"][seat])


def on_card(state: State) -> tuple[int, int]:
    """Return the armies and siege tokens on the acting realm's card."""
    turn = data_of(state)["turn"]
    return turn.get("card", 0), turn.get("tokens", 0)


def scores(state: State) -> list[int]:
    """Return the spaces of all markers."""
    return list(game.view_for(state, None).scores)
