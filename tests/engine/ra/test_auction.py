"""Auctions (ra#auction)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.ra.builders import act, data_of, due, four, keys, legal, play, position, refusal

CASES = json.loads((Path(__file__).parent / "data" / "auction_cases.json").read_text())
FULL = "nile nile nile nile gold gold civ_art civ_art"

LONELY = """
    0> 13 6 (2)
    1  (12) (7) (3)
    2  (11) (8) (4)
    3  (10) (9) (5)
"""


@pytest.mark.rule("ra#auction-1")
def test_bidding_starts_left_of_the_ra_player_goes_round_once_and_the_ra_player_is_last():
    state = play(four("nile", due=2), "call")
    order = []
    for text in ("bid 5", "bid 6", "bid 7", "bid 8"):
        order.append(due(state))
        state = play(state, text)
    assert order == [3, 0, 1, 2]
    assert data_of(state)["phase"] == "turn"


@pytest.mark.rule("ra#auction-3")
def test_a_bid_is_one_face_up_sun_higher_than_the_best_so_far():
    state = play(four("nile"), "call", "bid 7")
    assert legal(state) == ["bid 8", "bid 11", "pass"]
    assert refusal(state, "bid 4") == ("refused.bid_too_low", "ra#auction-3")
    assert refusal(state, "bid 13") == ("refused.sun_not_yours", "ra#auction-3")


@pytest.mark.rule("ra#auction-3")
def test_a_player_without_a_higher_sun_can_only_pass():
    state = play(four("nile"), "call", "bid 12")
    assert legal(state) == ["pass"]


@pytest.mark.rule("ra#auction-3")
def test_the_last_bid_counts_and_not_the_highest_sun_in_play():
    state = play(four("nile", due=3), "call", "bid 2", "bid 3", "bid 4")
    assert legal(state) == ["bid 5", "bid 9", "bid 10", "pass"]


@pytest.mark.rule("ra#auction-8", "ra#auction-3")
def test_a_face_down_sun_cannot_be_bid():
    state = position("0> 13 6 (2)\n1  12 7 3\n2  11 8 4\n3  10 9 5", phase="auction", auction={"ra_player": 3})
    assert legal(state) == ["bid 6", "bid 13", "pass"]
    assert refusal(state, "bid 2") == ("refused.sun_face_down", "ra#auction-8")


@pytest.mark.rule("ra#auction-3")
def test_in_an_auction_only_bids_and_passes_are_possible():
    state = play(four("nile", tiles={1: "god"}), "call")
    for text in ("draw", "call", "god nile"):
        assert refusal(state, text) == ("refused.bid_or_pass", "ra#auction-3")
    assert refusal(state, "bid 11", actor=2) == ("refused.not_your_turn", "ra#auction-1")


@pytest.mark.rule("ra#auction-1")
def test_nobody_bids_outside_an_auction():
    assert refusal(four("nile"), "bid 13") == ("refused.no_auction", "ra#auction-1")


@pytest.mark.rule("ra#auction-4", "ra#readings-10")
def test_a_caller_of_free_will_must_bid_when_nobody_has_bid():
    state = play(four("nile"), "call", "pass", "pass", "pass")
    assert legal(state) == ["bid 2", "bid 6", "bid 13"]
    assert refusal(state, "pass") == ("refused.caller_must_bid", "ra#auction-4")
    after = data_of(play(state, "bid 2"))
    assert after["tiles"][0] == {"nile": 1}
    assert after["suns"][0] == [[6, 13], [1]]


@pytest.mark.rule("ra#auction-4")
def test_a_caller_of_free_will_may_pass_when_somebody_has_bid():
    state = play(four("nile"), "call", "pass", "bid 8", "pass")
    assert legal(state) == ["bid 13", "pass"]
    assert data_of(play(state, "pass"))["tiles"][2] == {"nile": 1}


@pytest.mark.rule("ra#auction-5")
def test_after_a_forced_call_without_bids_the_caller_may_pass_and_all_eight_tiles_leave():
    state = play(four(FULL), "call", "pass", "pass", "pass")
    assert legal(state) == ["bid 2", "bid 6", "bid 13", "pass"]
    before = data_of(state)
    state, events = act(state, "pass")
    after = data_of(state)
    assert after["track"] == []
    assert after["tiles"] == [{}, {}, {}, {}]
    assert after["suns"] == before["suns"]
    assert after["bag"] == before["bag"]
    assert keys(events) == ["passed", "nobody_bid_dropped"]
    assert due(state) == 1


@pytest.mark.rule("ra#auction-5")
def test_after_a_forced_call_the_caller_may_bid_too():
    after = data_of(play(four(FULL), "call", "pass", "pass", "pass", "bid 6"))
    assert after["tiles"][0] == {"nile": 4, "civ_art": 2, "gold": 2}


@pytest.mark.rule("ra#auction-6", "ra#auction-11")
def test_after_a_ra_tile_without_bids_the_tiles_stay():
    state = play(four("nile gold", ra_track=2), "draw", "tile ra", "pass", "pass", "pass")
    assert "pass" in legal(state)
    state, events = act(state, "pass")
    after = data_of(state)
    assert after["track"] == ["nile", "gold"]
    assert after["ra_track"] == 3
    assert keys(events) == ["passed", "nobody_bid_stay"]
    assert due(state) == 1


@pytest.mark.rule("ra#auction-7", "ra#auction-8", "ra#auction-9")
def test_the_highest_bid_takes_all_tiles_and_the_centre_sun_and_the_others_take_their_suns_back():
    state = play(four("nile gold civ_art", due=1), "call", "bid 8", "bid 9", "bid 13", "pass")
    after = data_of(state)
    assert after["tiles"] == [{"nile": 1, "civ_art": 1, "gold": 1}, {}, {}, {}]
    assert after["suns"] == [[[2, 6], [1]], [[3, 7, 12], []], [[4, 8, 11], []], [[5, 9, 10], []]]
    assert after["centre"] == 13
    assert after["track"] == []


@pytest.mark.rule("ra#auction-7")
def test_the_tiles_either_side_of_a_gap_are_won_together():
    after = data_of(play(four("nile . gold"), "call", "pass", "pass", "pass", "bid 2"))
    assert after["tiles"][0] == {"nile": 1, "gold": 1}


@pytest.mark.rule("ra#auction-8")
def test_the_sun_won_cannot_be_used_in_this_epoch():
    state = play(four("nile"), "call", "bid 12", "pass", "pass", "pass")  # seat 1 takes sun 1
    state = play(state, "call", "pass", "pass", "pass")
    assert legal(state) == ["bid 3", "bid 7"]


@pytest.mark.rule("ra#auction-10")
@pytest.mark.parametrize("winner", [0, 1, 2, 3])
def test_the_player_left_of_the_ra_player_has_the_next_turn_whoever_won(winner):
    state = play(four("nile", due=2), "call")
    for _ in range(4):
        state = play(state, legal(state)[0] if due(state) == winner else "pass")
    assert data_of(state)["tiles"][winner] == {"nile": 1}
    assert due(state) == 3


@pytest.mark.rule("ra#auction-10", "ra#auction-12", "ra#epochs-1")
def test_players_without_a_face_up_sun_neither_bid_nor_take_a_turn():
    state = position("""
        track: nile
        0> 13 6 2
        1  (12) (7) (3)
        2  11 8 4
        3  (10) (9) (5)
    """)
    state = play(state, "call")
    assert due(state) == 2
    state = play(state, "pass")
    assert due(state) == 0
    state = play(state, "bid 2")
    assert due(state) == 2
    assert due(play(state, "draw", "tile gold")) == 0


@pytest.mark.rule("ra#ra-1", "ra#components-8")
def test_the_figure_marks_the_ra_player_and_does_nothing_else():
    state = play(four("nile", due=1), "call", "pass", "pass", "pass", "bid 3")
    assert data_of(state)["auction"]["ra_player"] == 1
    assert legal(state) == legal(four("nile", due=2))


@pytest.mark.rule("ra#auction-4", "ra#epochs-6")
def test_a_lone_caller_of_free_will_must_bid():
    state = play(position(LONELY, track=["nile"] * 4), "call")
    assert due(state) == 0
    assert legal(state) == ["bid 6", "bid 13"]


@pytest.mark.rule("ra#auction-5", "ra#epochs-6")
def test_a_lone_player_with_a_full_track_may_let_the_tiles_go():
    state = play(position(LONELY, track=FULL.split()), "call")
    assert legal(state) == ["bid 6", "bid 13", "pass"]
    after = play(state, "pass")
    assert data_of(after)["track"] == []
    assert due(after) == 0


# The table of cases

CAUSE = {"voluntary": "call", "full": "call", "ra_tile": "draw", "last ra_tile of the epoch": "draw"}


def cases():
    return [pytest.param(case, id=f"{case['cause']}, {case['tiles']} tiles, {case['others']}") for case in CASES["cases"]]


@pytest.mark.rule("ra#auction-3", "ra#auction-4", "ra#auction-5", "ra#auction-6")
@pytest.mark.parametrize("case", cases())
def test_auction_case(case):
    """The caller is seat 0 with suns 12, 6 and 2, so that 13 beats it and 7 does not."""
    track = ["pharaoh", "nile", "gold", "flood", "civ_art", "mon_palace", "civ_writing", "nile"][: case["tiles"]]
    is_last_ra = case["cause"].startswith("last")
    others = "1  13 7 3\n2  11 8 4\n3  10 9 5"
    if "only player" in case["cause"]:
        others = "1  (13) (7) (3)\n2  (11) (8) (4)\n3  (10) (9) (5)"
    state = position(f"0> 12 6 2\n{others}", track=track, ra_track=8 if is_last_ra else 3)
    before = data_of(state)
    if case["cause"] in ("ra_tile", "last ra_tile of the epoch"):
        state = play(state, "draw", "tile ra")
    else:
        state = play(state, "call")
    if is_last_ra:
        after = data_of(state)
        assert (after["phase"], after["track"], after["centre"], after["suns"]) == ("scoring", [], 1, before["suns"])
        return
    bid = {"one bid 7": "bid 7", "one bid": "bid 7", "one bid 13 (highest)": "bid 13"}.get(case["others"])
    while due(state) != 0:
        state = play(state, bid if due(state) == 1 and bid else "pass")
    choices = legal(state)
    assert ("pass" in choices) is case["caller_may_pass"]
    expected = case["result"]
    if not case["caller_may_pass"]:
        assert choices == ["bid 2", "bid 6", "bid 12"]
        after = data_of(play(state, "bid 2"))
        assert (sum(after["tiles"][0].values()), after["suns"][0]) == (case["tiles"], [[6, 12], [1]])
        return
    if "must pass" in expected:
        assert choices == ["pass"]
    after = data_of(play(state, "pass"))
    if bid:
        assert sum(after["tiles"][1].values()) == case["tiles"]
        assert after["suns"][1][1] == [1]
        assert after["centre"] == int(bid.split()[1])
    else:
        assert after["suns"] == before["suns"]
        assert after["tiles"] == before["tiles"]
        assert after["track"] == ([] if case["cause"].startswith("full") else track)
