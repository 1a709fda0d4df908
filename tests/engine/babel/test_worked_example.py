"""The long example of the rule book, step by step from its data (babel#sample-3)."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.rng import SeededRng
from tests.engine.babel.builders import INITIAL, act, column, data, data_of, game, hand, keys, legal, play, scores, temple

EXAMPLE = data("worked_example")

# The actions of each step of the data, along with draws of chance and choices of the other seat.
ACTIONS = {
    "sumerian power at H": ["switch"],
    "migrate H->S": ["migrate hittites sumerians"],
    "assyrian power at H": ["destroy"],
    "discard A, move to A": ["move assyrians"],
    "settle H at A": ["settle hittites"],
    "hittite power at A": ["steal"],
    "discard S, move to S": ["move sumerians"],
    "any-power with P at S": ["halve persians", None],  # None: the first choice of the other seat
    "end: turn up 2 temple cards": ["end", "reveal 2 1"],
}


def levels(height: int | None) -> list[int]:
    return list(range(1, (height or 0) + 1))


def start() -> Any:
    one, two = EXAMPLE["start"]["p1"], EXAMPLE["start"]["p2"]
    return game.complete(
        {
            "turn": 9,
            "pawns": [INITIAL[one["pawn"]], "hittites"],
            "hands": [{INITIAL[card]: 1 for card in one["hand"]}, two["hand_size"]],
            "columns": [{INITIAL[land]: "".join(cards) for land, cards in side["columns"].items()} for side in (one, two)],
            "temples": [{INITIAL[land]: levels(height) for land, height in side["temples"].items()} for side in (one, two)],
        },
        SeededRng(1),
    )


def check(state: Any, step: dict[str, Any]) -> int:
    """Check the expectations of a step of the data, and return how many there were."""
    checked = 0
    for key, value in step.items():
        side, _, rest = key.partition(".")
        if side in ("p1", "p2"):
            seat = int(side[1]) - 1
            what, _, land = rest.rpartition(".")
            if what == "temple":
                assert (temple(state, seat, INITIAL[land]) or [0])[-1] == value
            elif rest == "hand":
                assert sum(hand(state, seat).values()) == value
            else:
                assert column(state, seat, INITIAL[rest]) == value
        elif key == "deck_top_next":
            assert data_of(state)["deck_top"] == value
        elif key == "cards":
            assert data_of(state)["stocks"][0][-2:] == value
        elif key == "own_stock_top":
            assert data_of(state)["stocks"][0][-1] == value
        else:
            assert key == "do"
            continue
        checked += 1
    return checked


@pytest.mark.rule(
    "babel#sample-3",
    "babel#powers-1",
    "babel#switch-1",
    "babel#migration-1",
    "babel#destroy-2",
    "babel#steal-3",
    "babel#sample-2",
    "babel#sample-4",
    "babel#sample-5",
    "babel#sample-6",
    "babel#sample-7",
    "babel#sample-8",
)
def test_the_long_turn_of_the_rule_book():
    state = start()
    assert scores(state) == [0, 9]
    checked = 0
    for step in EXAMPLE["steps"]:
        for text in ACTIONS[step["do"]]:
            state = play(state, text or legal(state)[0])
        checked += check(state, step)
    assert checked == sum(len(step) - 1 for step in EXAMPLE["steps"])
    assert (temple(state, 0, "assyrians"), temple(state, 1, "assyrians"), temple(state, 1, "hittites")) == ([3], [1, 2], [])
    assert (data_of(state)["active"], data_of(state)["phase"]) == (1, "drawing")


@pytest.mark.rule("babel#sample-3")
def test_the_long_turn_is_told_as_a_chain():
    state, chain = start(), []
    for step in EXAMPLE["steps"]:
        for text in ACTIONS[step["do"]]:
            state, events = act(state, text or legal(state)[0])
            chain += keys(events)
    assert chain == [
        "switched", "migrated", "switched", "destroyed", "moved", "settled", "stole", "moved", "halved", "discarded", "halved", "discarded",
        "ended_turn", "revealed",
    ]  # fmt: skip
