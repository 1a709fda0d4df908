"""The measurement itself: figures of the right kind, from real positions. No test asserts a figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.core import bench
from games.core.contract import Game
from games.registry import GAMES


@pytest.mark.parametrize("key", GAMES)
def test_all_figures_of_a_game_are_measured(key, monkeypatch):
    monkeypatch.setattr(bench, "SLICE_S", 0.002)
    monkeypatch.setattr(bench, "REPEATS", 2)
    monkeypatch.setattr(bench, "WANTED", 20)
    figures = bench.measure(GAMES[key].game, GAMES[key].game.meta.seats[-1])
    assert set(figures) == {
        "calibration_per_s",
        "moves_per_s",
        "playouts_per_s",
        "legal_us",
        "copy_us",
        "state_json_bytes",
        "web_path_ms",
    }
    assert all(value > 0 for value in figures.values())
    assert figures["moves_per_s"] > figures["playouts_per_s"]


@pytest.mark.parametrize("key", GAMES)
def test_positions_are_taken_from_the_whole_of_a_game(key, monkeypatch):
    monkeypatch.setattr(bench, "WANTED", 50)
    game = GAMES[key].game
    sample = bench.positions(game, game.meta.seats[0])
    assert len(sample) == 50
    for state, actor, action in sample:
        assert action in game.legal_actions(state, actor)
    assert len({str(game.state_to_json(state)) for state, _, _ in sample}) > 40


def test_a_game_without_a_fast_path_is_played_action_by_action(monkeypatch):
    monkeypatch.setattr(bench, "SLICE_S", 0.002)
    game = replace(GAMES["ra"].game, playout_moves=None)
    moves, playouts = bench._playouts(game, 2)
    assert 20 < moves / playouts < 400


def test_what_a_game_may_leave_out_answers_that_there_is_nothing():
    names = {"meta", "phrases", "setup", "state_to_json", "state_from_json", "complete", "actors", "legal_actions", "sample_action"}
    names |= {
        "sample_chance",
        "apply",
        "outcome",
        "parse_action",
        "view_for",
        "sample_state",
        "legal_for_view",
        "scene",
        "ask",
        "choose_action",
    }
    game: Game[Any, Any, Any] = Game(**{name: getattr(GAMES["ra"].game, name) for name in names})
    assert game.orders("view") == ()
    assert game.answer_by_order("view", "order") is None
    assert game.order_stands("view", "order") is False
    assert game.check_invariants("after", "before") is None
    assert game.round_ending("state") is None
