"""What is public when (ra#hidden, ra#tiles)."""

from __future__ import annotations

import dataclasses

import pytest

from games.core.events import events_for
from games.core.rng import SeededRng
from games.ra.view import View, known_state
from tests.engine.ra.builders import act, data_of, four, game, play, position

SCORED = """
    ra: 8
    0> 13 6 2 | civ_art 2, gold 1
    1  12 7 3 | pharaoh 2
    2  11 8 4
    3  10 9 5
"""


@pytest.mark.rule("ra#hidden-1", "ra#score-2", "ra#readings-8")
def test_players_see_only_their_own_fame_during_the_game():
    state = play(position(SCORED), "draw", "tile ra", "score")
    assert data_of(state)["fame"] == [11, 10, 3, 3]
    assert game.view_for(state, 0).fame == (11, None, None, None)
    assert game.view_for(state, 2).fame == (None, None, 3, None)
    assert game.view_for(state, None).fame == (None,) * 4
    assert [d is None for d in game.view_for(state, 1).derivations] == [True, False, True, True]


@pytest.mark.rule("ra#hidden-1")
def test_the_points_of_an_epoch_are_read_by_their_owner_only():
    _, events = act(play(position(SCORED), "draw", "tile ra"), "score")
    told = [event for event in events if event.key == "fame_hidden"]
    assert [event.params["seat"] for event in told] == [0, 1, 2, 3]
    assert told[2].secret == {2: {"points": -7, "fame": 3}}
    assert all("fame" not in event.params and "points" not in event.params for event in events)
    assert [event.secret for event in events_for(told, 1)] == [{}, {1: {"points": 0, "fame": 10}}, {}, {}]
    assert all(not event.secret for event in events_for(told, None))


@pytest.mark.rule("ra#hidden-1")
def test_bots_remember_the_fame_of_all_from_the_tiles_that_lay_open():
    state = position(SCORED)
    assert game.view_for(state, 0).remembered == (10, 10, 10, 10)
    scored = play(state, "draw", "tile ra", "score")
    other = scored.copy()
    other.fame[1:] = [40, 41, 42]
    for view in (game.view_for(scored, 0), game.view_for(other, 0)):
        assert view.remembered == (11, 10, 3, 3)
        assert known_state(view).fame == [11, 10, 3, 3]
    other.history = ()  # not watched from the start: as much as one's own
    assert game.view_for(other, 0).remembered is None
    assert known_state(game.view_for(other, 0)).fame == [11] * 4


@pytest.mark.rule("ra#hidden-1", "ra#end-1")
def test_all_fame_is_shown_when_the_game_is_over():
    state, events = act(play(position(SCORED + "epoch: 3"), "draw", "tile ra"), "score")
    for seat in (None, 0, 3):
        view = game.view_for(state, seat)
        assert list(view.fame) == data_of(state)["fame"]
        assert None not in view.derivations
        assert view.outcome == game.outcome(state)
    assert [event.key for event in events].count("fame_open") == 4


@pytest.mark.rule("ra#hidden-4", "ra#readings-8")
def test_with_open_fame_everybody_sees_all_totals():
    state = position(SCORED, options={"open_fame": True})
    state, events = act(play(state, "draw", "tile ra"), "score")
    assert game.view_for(state, None).fame == (11, 10, 3, 3)
    assert [event.params["fame"] for event in events if event.key == "fame_open"] == [11, 10, 3, 3]


@pytest.mark.rule("ra#hidden-2", "ra#tiles-2")
def test_tiles_suns_and_bids_are_open_to_all():
    state = play(
        position("0> 13 6 (2) | pharaoh 2\n1  12 7 3\n2  11 8 4\n3  10 9 5", track=["nile", None, "gold"]), "call", "bid 7", "pass"
    )
    for seat in (None, 0, 1, 2, 3):
        view = game.view_for(state, seat)
        assert view.track == ("nile", None, "gold")
        assert view.tiles[0] == {"pharaoh": 2}
        assert (view.suns_up[0], view.suns_down[0]) == ((6, 13), (2,))
        assert view.bids == (None, 7, 0, None)
        assert (view.best_bid, view.best_seat, view.due, view.ra_player, view.cause) == (7, 1, 3, 0, "voluntary")


@pytest.mark.rule("ra#tiles-3", "ra#hidden-3", "ra#readings-8")
def test_neither_bag_nor_box_is_in_a_view():
    names = {field.name for field in dataclasses.fields(View)}
    assert names == {
        "seat", "seats", "open_fame", "phase", "epoch", "due", "ra_player", "cause", "auction_no", "bids", "best_bid", "best_seat",
        "track", "ra_count", "ra_length", "bag_count", "centre", "suns_up", "suns_down", "tiles", "lose_civilization",
        "lose_monuments", "ending", "fame", "derivations", "outcome", "remembered",
    }  # fmt: skip
    gone = position("track: nile", bag={"ra": 20, "gold": 4})
    kept = position("track: nile", bag={"ra": 20, "flood": 4})
    assert game.view_for(gone, 0) == game.view_for(kept, 0)


@pytest.mark.rule("ra#hidden-3")
def test_unseen_tiles_are_sampled_in_their_true_proportions():
    """180 tiles less those seen; the bag of a sampled state is drawn evenly from the rest."""
    view = game.view_for(four("nile nile nile", tiles={0: "pharaoh 5"}, bag={"ra": 28, "gold": 2}), 0)
    rng = SeededRng(6)
    pharaohs = 0
    for _ in range(400):
        state = game.sample_state(view, rng)
        bag = data_of(state)["bag"]
        assert sum(bag.values()) == 30
        assert bag["ra"] == 30  # in the first epoch no Ra tile can have left
    view = game.view_for(four("nile nile nile", tiles={0: "pharaoh 5"}, bag={"ra": 30, "gold": 5, "nile": 22, "civ_art": 5}), 0)
    for _ in range(400):
        pharaohs += data_of(game.sample_state(view, rng))["bag"].get("pharaoh", 0)
    # 32 tiles besides the Ra tiles, drawn from 142 unseen ones including 20 pharaohs
    assert abs(pharaohs / 400 - 32 * 20 / 142) < 0.5


@pytest.mark.rule("ra#hidden-1")
def test_a_sampled_state_guesses_fame_only_where_it_is_hidden():
    state = play(position(SCORED), "draw", "tile ra", "score")
    view = game.view_for(state, 0)
    found = {tuple(data_of(game.sample_state(view, SeededRng(seed)))["fame"]) for seed in range(50)}
    assert {fame[0] for fame in found} == {11}
    assert len({fame[1] for fame in found}) > 5
    first = game.view_for(four("nile"), 0)
    assert data_of(game.sample_state(first, SeededRng(1)))["fame"] == [10] * 4
