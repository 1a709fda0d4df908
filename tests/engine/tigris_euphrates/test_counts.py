"""How many actions and lines there are from fixed positions. Changing the rules changes the counts.

The plain second engine (see `oracle`) finds each count too; where possible, the count is also worked out by hand. For a draw, each possible
handful from the bag counts as one line.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import pytest

from games.core.contract import CHANCE
from games.tigris_euphrates.actions import DRAWS
from games.tigris_euphrates.legality import draw_count
from games.tigris_euphrates.state import START, State
from tests.engine.tigris_euphrates.builders import game, play, position
from tests.engine.tigris_euphrates.oracle import TILES, Ask, Oracle

MIDDLE = json.loads((Path(__file__).parent / "data" / "middle.json").read_text(encoding="utf-8"))


def four_wars() -> State:
    """Return a turn whose only tile is a market, which on F5 starts four wars between two others."""
    return position(
        leaders=["", "king C5, priest D6, farmer E4, trader E6", "king G4, priest G6, farmer H4, trader H6"],
        tiles={"temple": "D5 E5 G5 H5"},
        hands=["market", "temple, settlement, farm", "market"],
    )


POSITIONS = {
    "the first turn": lambda: position(hands=["temple 3, farm 3", "market 6"]),
    "four wars": four_wars,
    "the middle of a game": lambda: game.state_from_json(MIDDLE),
}


def outcomes(state: State) -> list:
    """Return all actions of whoever is due, chance included."""
    (actor,) = game.actors(state)
    if actor != CHANCE:
        return game.legal_actions(state, actor)
    assert state.phase != START
    count = draw_count(state)
    return [
        DRAWS[kinds] for kinds in combinations_with_replacement(range(4), count) if all(kinds.count(k) <= state.bag[k] for k in range(4))
    ]


def perft(state: State, depth: int) -> int:
    actions = outcomes(state)
    if depth == 1:
        return len(actions)
    (actor,) = game.actors(state)
    return sum(perft(game.apply(state, actor, action)[0], depth - 1) for action in actions)


def by_verb(state: State) -> dict[str, int]:
    return dict(Counter(str(action).split()[0] for action in outcomes(state)))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("the first turn", [480, 222631]),
        ("four wars", [405, 141917]),
        ("the middle of a game", [442, 174263]),
    ],
)
def test_the_number_of_lines_from_a_position(name, counts):
    state = POSITIONS[name]()
    assert [perft(state, depth + 1) for depth in range(len(counts))] == counts


# By hand


def test_the_actions_of_the_first_turn_reckoned_by_hand():
    """135 land squares minus ten temples, 41 of river, 33 land squares beside a temple, 176 squares minus ten treasures."""
    assert by_verb(POSITIONS["the first turn"]()) == {
        "tile": 125 + 41,
        "leader": 4 * 33,
        "catastrophe": 166,
        "swap": 4 * 4 - 1,
        "pass": 1,
    }


def test_the_second_plies_of_the_first_turn_reckoned_by_hand():
    """After a farm, far from everything: one farm and one place fewer. After a swap: the handfuls that can be drawn."""
    state = POSITIONS["the first turn"]()
    after = by_verb(play(state, "tile farm A4"))
    assert after == {"tile": 125 + 40, "leader": 4 * 33, "catastrophe": 166, "swap": 4 * 3 - 1, "pass": 1}
    after = by_verb(play(state, "catastrophe A1"))  # one land square fewer
    assert after == {"tile": 124 + 41, "leader": 4 * 33, "catastrophe": 165, "swap": 15, "pass": 1}
    after = by_verb(play(state, "leader king C2"))  # its square, and the king may not move there; C2 is lost to the others too
    assert after == {"tile": 124 + 41, "leader": 4 * 32, "withdraw": 1, "catastrophe": 165, "swap": 15, "pass": 1}
    draws = 0
    for swap in game.legal_actions(state, 0):
        if str(swap).startswith("swap"):
            count = len(outcomes(game.apply(state, 0, swap)[0]))
            assert count == comb(len(swap.kinds) + 3, 3)  # handfuls of this many tiles of four kinds
            draws += count
    assert draws == sum(comb(a + b + 3, 3) for a in range(4) for b in range(4)) - 1
    after = by_verb(play(state, "pass"))  # the other player's turn
    assert after == {"tile": 125, "leader": 4 * 33, "catastrophe": 166, "swap": 6, "pass": 1}


def test_the_lines_through_four_wars_reckoned_by_hand():
    state = play(four_wars(), "tile market F5")
    assert perft(state, 1) == 4
    assert perft(state, 2) == 2 + 2 + 2 + 1  # the attacker holds one tile of three kinds and no market
    assert perft(state, 3) == 2 + 2 + 2 + 2  # the defender holds a market only


# By the second engine


def plain_count(ask: Ask, plain: Oracle) -> int:
    if not ask.draw:
        return len(ask.texts)
    return sum(all(some.count(kind) <= plain.bag[kind] for kind in TILES) for some in combinations_with_replacement(TILES, ask.draw))


@pytest.mark.parametrize("name", POSITIONS)
def test_the_plain_engine_counts_the_same(name):
    """At the first ply, and after every eleventh action at the second."""
    state = POSITIONS[name]()
    data = game.state_to_json(state)
    actions = sorted(map(str, game.legal_actions(state, state.due)))
    assert set(actions) == Oracle(data).ask.texts
    for text in actions[::11]:
        plain = Oracle(data)
        plain.tell(text)
        after = play(state, text)
        assert plain_count(plain.ask, plain) == len(outcomes(after))
