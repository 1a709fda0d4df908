"""How epochs end and start, and the variant for two (ra#epochs, ra#two)."""

from __future__ import annotations

import pytest

from games.core.contract import SCORER
from games.core.rng import SeededRng
from tests.engine.ra.builders import act, data_of, due, game, keys, legal, play, position

LAST_SUN = """
    0> (13) 6 (2)
    1  (12) (7) (3)
    2  (11) (8) (4)
    3  (10) (9) (5)
"""


@pytest.mark.rule("ra#epochs-1", "ra#epochs-10")
def test_a_player_who_has_used_the_last_sun_is_out_until_the_epoch_ends():
    state = position("""
        track: nile
        0> 13 6 2
        1  12 (7) (3)
        2  11 8 4
        3  10 9 5
    """)
    state, events = act(play(state, "call", "bid 12", "pass", "pass"), "pass")
    assert keys(events)[-1] == "out"
    assert data_of(state)["tiles"][1] == {"nile": 1}
    order = []
    for _ in range(4):
        order.append(due(state))
        state = play(state, "draw", "tile gold")
    assert order == [2, 3, 0, 2]


@pytest.mark.rule("ra#epochs-2")
def test_the_epoch_ends_when_the_last_face_up_sun_is_used():
    state, events = act(play(position(LAST_SUN, track=["nile"]), "call"), "bid 6")
    assert due(state) == SCORER
    assert keys(events) == ["bid", "won", "out", "epoch_ended_by_suns"]
    after = data_of(state)
    assert (after["centre"], after["ending"]) == (6, "suns")
    assert after["suns"][0] == [[], [1, 2, 13]]


@pytest.mark.rule("ra#epochs-6", "ra#readings-4")
def test_the_last_player_takes_turn_after_turn():
    state = position(LAST_SUN, track=["nile"])
    for _ in range(5):
        assert due(state) == 0
        assert legal(state) == ["draw", "call"]
        state = play(state, "draw", "tile gold" if len(data_of(state)["track"]) < 5 else "tile pharaoh")


@pytest.mark.rule("ra#epochs-6", "ra#gods-5")
def test_the_last_player_may_use_a_god_on_a_full_track_and_goes_on():
    state = position(LAST_SUN.replace("(2)\n", "(2) | god\n", 1), track=["nile"] * 7 + ["gold"])
    state = play(state, "god gold")
    assert due(state) == 0
    assert legal(state) == ["draw", "call"]
    assert data_of(state)["tiles"][0] == {"gold": 1}


@pytest.mark.rule("ra#epochs-6", "ra#draw-2")
def test_the_last_player_may_pass_after_a_ra_tile():
    state = play(position(LAST_SUN, track=["nile"]), "draw", "tile ra")
    assert legal(state) == ["bid 6", "pass"]
    state = play(state, "pass")
    assert due(state) == 0
    assert data_of(state)["track"] == ["nile"]


@pytest.mark.rule("ra#epochs-7", "ra#epochs-2", "ra#readings-5")
def test_disasters_of_the_last_auction_are_paid_before_the_epoch_ends():
    state = position(LAST_SUN.replace("(2)\n", "(2) | civ_art 2, civ_writing\n", 1), track=["unrest"])
    state = play(state, "call", "bid 6")
    assert data_of(state)["phase"] == "discard"
    assert due(state) == 0
    state, events = act(state, "discard civ_art civ_art")
    assert keys(events) == ["discarded", "epoch_ended_by_suns"]
    assert due(state) == SCORER
    assert data_of(state)["tiles"][0] == {"civ_writing": 1}


@pytest.mark.rule("ra#epochs-7")
def test_both_choices_of_the_last_auction_are_made_before_the_epoch_ends():
    held = "(2) | civ_art 3, mon_palace 2, mon_temple\n"
    state = play(position(LAST_SUN.replace("(2)\n", held, 1), track=["unrest", "earthquake"]), "call", "bid 6", "discard civ_art civ_art")
    assert (data_of(state)["phase"], due(state)) == ("discard", 0)
    state = play(state, "discard mon_palace mon_palace")
    assert due(state) == SCORER
    assert data_of(state)["tiles"][0] == {"civ_art": 1, "mon_temple": 1}


@pytest.mark.rule("ra#epochs-3", "ra#epochs-4")
def test_the_last_ra_tile_ends_the_epoch_without_an_auction_and_all_tiles_leave():
    state = position(LAST_SUN, track=["nile", None, "gold"], ra_track=8)
    before = data_of(state)
    state, events = act(play(state, "draw"), "tile ra")
    after = data_of(state)
    assert due(state) == SCORER
    assert keys(events) == ["drew_ra", "epoch_ended_by_ra", "track_cleared"]
    assert events[-1].params["tiles"] == ["nile", "gold"]
    assert (after["track"], after["ra_track"], after["centre"], after["ending"]) == ([], 0, 1, "ra_track")
    assert after["suns"] == before["suns"]
    assert after["tiles"] == before["tiles"]


@pytest.mark.rule("ra#epochs-4")
def test_with_an_empty_track_nothing_is_said_to_leave():
    _, events = act(play(position(LAST_SUN, ra_track=8), "draw"), "tile ra")
    assert keys(events) == ["drew_ra", "epoch_ended_by_ra"]


@pytest.mark.rule("ra#epochs-5", "ra#epochs-8", "ra#readings-6")
def test_suns_are_turned_up_and_the_owner_of_the_highest_starts():
    state = position("""
        ra: 8
        0> 6 (2) (1)
        1  (12) 7 3
        2  11 8 4
        3  10 9 5
    """)
    assert data_of(state)["centre"] == 13
    state, events = act(play(state, "draw", "tile ra"), "score")
    after = data_of(state)
    assert after["suns"] == [[[1, 2, 6], []], [[3, 7, 12], []], [[4, 8, 11], []], [[5, 9, 10], []]]
    assert (after["centre"], after["epoch"], after["phase"]) == (13, 2, "turn")
    assert due(state) == 1  # 13 is in the centre, so 12 is the highest that anybody owns
    assert events[-1].params == {"epoch": "epoch_2", "seat": 1, "sun": 12}


@pytest.mark.rule("ra#epochs-9")
def test_everybody_keeps_as_many_suns_as_at_the_start():
    for seats, count in ((2, 4), (3, 4), (4, 3), (5, 3)):
        state, rng = game.setup(seats, {}), SeededRng(seats)
        while actors := game.actors(state):
            action = game.sample_chance(state, rng) if actors[0] == -1 else game.sample_action(state, actors[0], rng)
            state, _ = game.apply(state, actors[0], action)
            assert [len(up) + len(down) for up, down in data_of(state)["suns"]] == [count] * seats


@pytest.mark.rule("ra#overview-2", "ra#end-1", "ra#overview-5")
def test_after_the_third_scoring_the_game_is_over():
    state = play(position(LAST_SUN, track=["nile"], epoch=3), "call", "bid 6", "score")
    assert game.actors(state) == ()
    assert game.outcome(state).reason == "suns"
    assert data_of(state)["phase"] == "end"


@pytest.mark.rule("ra#epochs-4", "ra#score-1")
def test_an_epoch_is_scored_by_the_scorer_alone():
    state = play(position(LAST_SUN, ra_track=8), "draw", "tile ra")
    assert [str(a) for a in game.legal_actions(state, SCORER)] == ["score"]
    assert game.legal_actions(state, 0) == []


# Two players


@pytest.mark.rule("ra#two-2")
def test_two_players_get_the_suns_9_6_5_2_and_8_7_4_3():
    after = data_of(play(game.setup(2, {}), "deal 0 1"))
    assert after["suns"] == [[[2, 5, 6, 9], []], [[3, 4, 7, 8], []]]
    assert after["centre"] == 1


@pytest.mark.rule("ra#two-3")
def test_with_two_players_the_sixth_ra_tile_ends_the_epoch():
    state = play(position(seats=2, ra_track=4), "draw", "tile ra")
    assert data_of(state)["phase"] == "auction"
    state = play(position(seats=2, ra_track=5), "draw", "tile ra")
    assert due(state) == SCORER


@pytest.mark.rule("ra#two-4")
def test_two_players_bid_once_each():
    state = play(position(seats=2, track=["nile"], suns=[[[9, 6, 5, 2], []], [[8, 7, 4, 3], []]]), "call")
    assert legal(state) == ["bid 3", "bid 4", "bid 7", "bid 8", "pass"]
    state = play(state, "bid 4")
    assert legal(state) == ["bid 5", "bid 6", "bid 9", "pass"]
    state = play(state, "pass")
    assert data_of(state)["tiles"] == [{}, {"nile": 1}]
    assert due(state) == 1
