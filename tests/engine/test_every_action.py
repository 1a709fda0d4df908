"""Actions built by hand, in every game of the registry: those that no text could express are refused like a wrong text."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from games.core.contract import CHANCE, ActionFormatError, IllegalAction
from games.core.forms import Forms
from games.core.rng import SeededRng
from games.registry import GAMES, game
from tests.engine.played import TABLES, only_in_plain_python, plies

every_game = pytest.mark.parametrize("key", GAMES)
HOSTILE = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    5,
    16,
    10**30,
    1.0,
    0.5,
    "",
    "x",
    b"",
    (),
    (0,),
    (0, 0, 0),
    (2, 5),
    (5, 2),
    (-1,),
    ("x",),
    [1],
    {},
)
POSITIONS = 40  # of each game
BUILT = 6  # of each class in each of them


@cache
def classes(key: str) -> list[type]:
    """Return the action classes of a game."""
    module = vars(import_module(f"games.{key}.actions"))
    found = [value for value in module.values() if isinstance(value, type) and is_dataclass(value) and value.__module__.endswith("actions")]
    return sorted({kind for kind in found if "__str__" in dir(kind)}, key=lambda kind: kind.__name__)


def built(kind: type, texts: list[str], rng: SeededRng) -> Any:
    """Return an action of a class with arbitrary values."""
    values = [*HOSTILE, *texts, *range(12)]
    return kind(*[values[rng.below(len(values), "value")] for _ in fields(kind)])


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_an_action_built_by_hand_is_refused_unless_it_is_legal(key, seats):
    only_in_plain_python(key)
    rules, rng = game(key), SeededRng(f"hostile {key} {seats}")
    line = list(plies(key, seats))
    texts = sorted({word for ply in line for word in str(ply.action).split()})[:30]
    refused = 0
    for ply in line[:: max(1, len(line) // POSITIONS)]:
        for kind in classes(key):
            for _ in range(BUILT):
                action = built(kind, texts, rng)
                try:
                    after, _ = rules.apply(ply.before, ply.actor, action)
                except IllegalAction as error:
                    refused += 1
                    assert error.reason in rules.phrases
                    assert error.rule.startswith(f"{key}#")
                    continue
                if ply.actor != CHANCE:
                    assert action in rules.legal_actions(ply.before, ply.actor)
                data = json.loads(json.dumps(rules.state_to_json(after)))
                assert rules.state_from_json(data) == after, action
    assert refused > 100


@every_game
@pytest.mark.parametrize("value", [None, 3, 1.5, b"pass", [], ["pass"], {}, ("pass",), object(), True])
def test_only_a_text_is_read_as_an_action(key, value):
    only_in_plain_python(key)
    with pytest.raises(ActionFormatError):
        game(key).parse_action(value)


@every_game
@pytest.mark.parametrize("value", [None, 3, "pass", "score", [], {}, (), object(), Ellipsis])
def test_what_is_no_action_is_refused_by_apply(key, value):
    only_in_plain_python(key)
    rules = game(key)
    state = rules.setup(rules.meta.seats[0], {})
    for actor in (CHANCE, 0):
        with pytest.raises(IllegalAction) as refused:
            rules.apply(state, actor, value)
        assert refused.value.reason == "refused.no_action"
        assert refused.value.reason in rules.phrases


def _known(key: str, name: str, *values: Any) -> Any:
    return getattr(import_module(f"games.{key}.actions"), name)(*values)


@pytest.mark.parametrize(
    ("key", "name", "values"),
    [
        ("babel", "Migrate", (0, 0)),
        ("babel", "Reveal", ((2, 5),)),
        ("babel", "Move", (-1,)),
        ("ra", "Deal", ((0, 0, 0),)),
        ("ra", "Bid", (-1,)),
        ("ra", "DrawnTile", (-1,)),
        ("tigris_euphrates", "Tile", (-1, 3)),
        ("after_the_flood", "Roll", ((0, 13),)),
        ("after_the_flood", "Build", (-1,)),
        ("history_of_the_world", "Play", (-1,)),
    ],
)
def test_values_that_no_text_can_have_are_refused(key, name, values):
    for ply in list(plies(key, game(key).meta.seats[0]))[:60]:
        with pytest.raises(IllegalAction):
            game(key).apply(ply.before, ply.actor, _known(key, name, *values))


def test_forms_keep_a_bounded_number_of_actions_and_give_what_the_text_gives(monkeypatch):
    only_in_plain_python("ra")
    rules = game("ra")
    forms = Forms(rules.parse_action, "ra#turn-2")
    monkeypatch.setattr(Forms, "_MOST", 3)
    for sun in (1, 2, 3, 4, 5):
        found = forms[_known("ra", "Bid", sun)]
        assert type(found.sun) is int
    assert len(forms) <= 3
    assert type(forms[_known("ra", "Bid", 5.0)].sun) is int
    with pytest.raises(IllegalAction):
        forms[_known("ra", "Bid", [5])]
