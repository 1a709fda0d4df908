"""The measuring itself: figures of the right kind, from real positions. No figure is asserted on."""

from __future__ import annotations

import pytest

from games.core import bench
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
