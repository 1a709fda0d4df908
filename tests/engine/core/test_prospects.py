"""The expected places of a position: the same from the same generator, and certain at the end."""

from __future__ import annotations

import pytest

from games.core.prospects import places_from, playout, prospects
from games.core.rng import SeededRng
from games.registry import GAMES
from tests.engine.played import every_game, plies


@every_game
def test_playouts_end_in_places_and_follow_from_the_generator(key):
    game = GAMES[key].game
    seats = min(game.meta.seats)
    line = list(plies(key, seats))
    state = line[len(line) * 3 // 4].before
    view = game.view_for(state, 0)
    first, again = (
        [tuple(row) for row in places_from(game, lambda rng: game.sample_state(view, rng), "apprentice", SeededRng(5), 2)] for _ in range(2)
    )
    assert first == again
    for places in first:
        assert len(places) == seats
        assert min(places) == 1
        assert max(places) <= seats


@every_game
def test_a_game_that_is_over_has_its_places(key):
    game = GAMES[key].game
    seats = min(game.meta.seats)
    *_, last = plies(key, seats)
    state, _ = game.apply(last.before, last.actor, last.action)
    assert list(playout(game, state, "apprentice", SeededRng(1))) == list(game.outcome(state).places)


def test_more_games_make_the_interval_narrower_and_it_stays_among_the_places():
    few, many = prospects([[1, 2, 3]] * 4)[0], prospects([[1, 2, 3]] * 100)[0]
    assert few.place == many.place == 1.0
    assert few.high > many.high > 1.0
    assert few.low == many.low == 1.0
    assert prospects([[3, 1, 2]] * 4)[0].high == 3.0


def test_without_playouts_there_are_no_prospects():
    with pytest.raises(ValueError, match="no playouts"):
        prospects([])
