"""What must hold in every position of every game: sound games pass, and each kind of damage is named.

A game gives in its `test_invariants` a `sound` position and `DAMAGE`: functions that damage a position, each with what is reported then.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from games.registry import GAMES, game
from tests.engine.played import every_table, plies

CASES = {key: import_module(f"tests.engine.{key}.test_invariants") for key in GAMES}
DAMAGE = [(key, damage, what) for key, module in CASES.items() for damage, what in module.DAMAGE]


@pytest.mark.parametrize(("key", "damage", "what"), DAMAGE, ids=[f"{key} {damage.__name__}" for key, damage, _ in DAMAGE])
def test_damage_is_named(key, damage, what):
    state = CASES[key].sound().copy()
    assert game(key).check_invariants(state, None) is None
    damage(state)
    assert game(key).check_invariants(state, None) == what


@every_table
def test_nothing_is_broken_at_any_ply_of_random_games(key, seats):
    for ply in plies(key, seats):
        assert game(key).check_invariants(ply.after, ply.before) is None, str(ply.action)
