"""Regions, kingdoms, and where leaders may be placed (tigris_euphrates#kingdoms, #leaders)."""

from __future__ import annotations

import pytest

from games.core.contract import ActionFormatError
from tests.engine.tigris_euphrates.builders import (
    act,
    data_of,
    drawn,
    due,
    game,
    keys,
    leaders,
    legal,
    play,
    points,
    position,
    refusal,
    squares,
)

BESIDE_THE_TEN_TEMPLES = (
    "J1 L1 K2  A2 C2 B1 B3  O2 P1 P3  G3 F2 F4  M5 N6  H7 J7 I6 I8  A8 C8 B9  N9 P9 O8 O10  E10 G10 F9 F11  J11 L11 K10"
)


def kingdoms(state):
    return sorted(squares(kingdom) for kingdom in state.kingdoms)


# Regions and kingdoms


@pytest.mark.rule("tigris_euphrates#kingdoms-1")
def test_pieces_that_touch_at_a_corner_only_are_not_connected():
    state = position(leaders=["king C2"], hands=["settlement 2"])
    state = play(state, "tile settlement D1")  # C2 and D1 have a corner in common
    assert kingdoms(state) == ["B2 C2"]
    assert points(state, 0) == {}
    state = play(state, "tile settlement D2")  # beside both of them
    assert kingdoms(state) == ["D1 B2 C2 D2"]
    assert points(state, 0) == {"black": 1}


@pytest.mark.rule("tigris_euphrates#kingdoms-1")
@pytest.mark.parametrize(("leader", "tile"), [("P1", "A2"), ("A2", "P1"), ("P3", "A4"), ("A8", "P7")])
def test_the_board_does_not_go_round_at_its_edges(leader, tile):
    kind = "farm" if tile == "A4" else "settlement"
    state = play(position(leaders=[f"king {leader}"], hands=["settlement, farm"]), f"tile {kind} {tile}")
    assert points(state, 0) == {}
    assert len(kingdoms(state)) == 1
    assert tile not in kingdoms(state)[0].split()


@pytest.mark.rule("tigris_euphrates#kingdoms-1", "tigris_euphrates#kingdoms-2", "tigris_euphrates#setup-1", "tigris_euphrates#kingdoms-7")
def test_a_lone_tile_is_a_region_and_a_leader_makes_a_region_a_kingdom():
    state = position(hands=["market"])
    assert kingdoms(state) == []
    state = play(state, "leader trader C2")
    assert kingdoms(state) == ["B2 C2"]
    assert kingdoms(play(state, "tile market G6")) == ["B2 C2"]  # a region without a leader is not a kingdom


@pytest.mark.rule("tigris_euphrates#kingdoms-3", "tigris_euphrates#kingdoms-5")
def test_leaders_of_several_players_share_a_kingdom_in_peace():
    state = position(leaders=["king C2", "priest B3", "farmer A2"])
    state = play(state, "leader trader B1")
    assert kingdoms(state) == ["B1 A2 B2 C2 B3"]
    assert data_of(state)["conflict"] is None
    assert due(state) == 0


@pytest.mark.rule("tigris_euphrates#kingdoms-4", "tigris_euphrates#leaders-10")
def test_a_leader_that_leaves_may_split_a_kingdom_and_nobody_gets_or_loses_points_for_that():
    state = drawn("E5", "T k0 T\np1 . f0", points=[{"black": 3}, {"red": 2}], seats=2)
    assert kingdoms(state) == ["E5 F5 G5 E6 G6"]
    after, events = act(state, "withdraw king")
    assert kingdoms(after) == ["E5 E6", "G5 G6"]
    assert (points(after, 0), points(after, 1)) == ({"black": 3}, {"red": 2})
    assert keys(events) == ["leader_withdrawn"]
    moved = play(state, "leader king D5")
    assert kingdoms(moved) == ["D5 E5 E6", "G5 G6"]
    assert (points(moved, 0), points(moved, 1)) == ({"black": 3}, {"red": 2})


# Where leaders may be placed


@pytest.mark.rule("tigris_euphrates#leaders-2", "tigris_euphrates#leaders-3", "tigris_euphrates#leaders-11")
def test_at_the_start_a_leader_may_be_placed_on_each_land_square_beside_a_temple_and_nowhere_else():
    state = position()
    for role in ("king", "priest", "farmer", "trader"):
        assert {text.split()[2] for text in legal(state, "leader") if role in text} == set(BESIDE_THE_TEN_TEMPLES.split())
    assert len(legal(state, "leader")) == 4 * 33


@pytest.mark.rule("tigris_euphrates#leaders-3", "tigris_euphrates#leaders-2")
def test_a_leader_needs_a_temple_beside_it_and_an_empty_land_square():
    state = position(tiles={"settlement": "G6"}, catastrophes="C2", leaders=["", "king B3"])
    assert refusal(state, "leader king G7") == ("refused.no_temple", "tigris_euphrates#leaders-3")  # a settlement is not a temple
    assert refusal(state, "leader king C3") == ("refused.no_temple", "tigris_euphrates#leaders-3")  # touching a corner is not enough
    assert refusal(state, "leader king N4") == ("refused.leader_on_river", "tigris_euphrates#leaders-2")
    assert refusal(state, "leader king B2") == ("refused.occupied", "tigris_euphrates#leaders-2")
    assert refusal(state, "leader priest B3") == ("refused.occupied", "tigris_euphrates#leaders-2")
    assert refusal(state, "leader king C2") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")


@pytest.mark.rule("tigris_euphrates#leaders-3", "tigris_euphrates#monuments-6")
def test_a_temple_turned_face_down_does_not_count_for_placing_a_leader():
    state = position(built=[["black_red", "G5", "temple"]])
    assert refusal(state, "leader king F5") == ("refused.no_temple", "tigris_euphrates#leaders-3")
    assert not {"leader king F5", "leader king G4", "leader king I5"} & set(legal(state))


@pytest.mark.rule("tigris_euphrates#leaders-4")
def test_a_leader_may_not_join_two_kingdoms():
    state = drawn("E5", "p1 T . T f2", hands=["settlement"])
    assert refusal(state, "leader king G5") == ("refused.unites_two", "tigris_euphrates#leaders-4")
    assert not [text for text in legal(state, "leader") if text.endswith(" G5")]
    assert "tile settlement G5" in legal(state)  # a tile may


@pytest.mark.rule("tigris_euphrates#leaders-4")
def test_a_leader_may_join_regions_without_leaders_and_one_kingdom():
    three_regions = drawn("E5", "T . T\n. S .")
    state = play(three_regions, "leader king F5")
    assert kingdoms(state) == ["E5 F5 G5 F6"]
    with_kingdom = drawn("D5", "p1 T . T\n. . S .")
    state = play(with_kingdom, "leader king F5")
    assert kingdoms(state) == ["D5 E5 F5 G5 F6"]


@pytest.mark.rule("tigris_euphrates#leaders-4")
def test_one_kingdom_may_touch_the_new_leader_on_several_sides():
    ring = drawn("E5", "T T T\np1 . S\nS S S")
    state = play(ring, "leader king F6")  # the same kingdom on all four sides
    assert len(kingdoms(state)) == 1
    assert leaders(state, 0) == {"king": "F6"}


@pytest.mark.rule("tigris_euphrates#leaders-5", "tigris_euphrates#readings-3")
def test_a_leader_that_was_the_link_itself_does_not_bar_the_way():
    state = drawn("E5", "T k0 . T f1")
    assert refusal(state, "leader trader G5") == ("refused.unites_two", "tigris_euphrates#leaders-4")
    state = play(state, "leader king G5")  # the temple on E5 no longer has a leader
    assert kingdoms(state) == ["G5 H5 I5"]


@pytest.mark.rule("tigris_euphrates#leaders-5", "tigris_euphrates#leaders-10")
def test_a_leader_that_splits_its_kingdom_by_leaving_may_not_join_the_halves_elsewhere():
    state = drawn("D5", "p1 T k0 T f1\n. T . S .")
    assert "leader trader F6" in legal(state)  # another leader may: it is one kingdom now
    assert refusal(state, "leader king F6") == ("refused.unites_two", "tigris_euphrates#leaders-4")
    assert "leader king F6" not in legal(state)


@pytest.mark.rule("tigris_euphrates#leaders-5", "tigris_euphrates#readings-3")
def test_a_move_goes_to_another_square():
    state = position(leaders=["king C2"])
    assert refusal(state, "leader king C2") == ("refused.same_square", "tigris_euphrates#leaders-5")
    assert "leader king C2" not in legal(state)
    moved, events = act(state, "leader king K2")
    assert leaders(moved, 0) == {"king": "K2"}
    assert keys(events) == ["leader_moved"]
    assert data_of(moved)["actions_left"] == 1


@pytest.mark.rule("tigris_euphrates#leaders-5", "tigris_euphrates#revolts-1", "tigris_euphrates#leaders-12")
def test_moving_a_leader_inside_its_kingdom_makes_no_revolt():
    state = play(position(leaders=["king C2, priest B3"]), "leader king A2")
    assert kingdoms(state) == ["A2 B2 B3"]
    assert data_of(state)["conflict"] is None
    assert leaders(state, 0) == {"king": "A2", "priest": "B3"}


@pytest.mark.rule("tigris_euphrates#leaders-8", "tigris_euphrates#leaders-1")
def test_a_leader_may_be_withdrawn_for_one_action():
    state = play(position(leaders=["king C2, farmer K2"]), "withdraw king")
    assert leaders(state, 0) == {"farmer": "K2"}
    assert data_of(state)["actions_left"] == 1
    assert "leader king C2" in legal(state)  # and placed again


@pytest.mark.rule("tigris_euphrates#leaders-8", "tigris_euphrates#leaders-1", "tigris_euphrates#setup-7")
def test_only_a_player_s_own_leaders_on_the_board_can_be_withdrawn_or_moved():
    state = position(leaders=["", "king C2"])
    assert refusal(state, "withdraw king") == ("refused.leader_in_hand", "tigris_euphrates#leaders-8")
    assert legal(state, "withdraw") == []
    after = play(state, "leader king K2")  # places its own king: the other king stays
    assert leaders(after, 0) == {"king": "K2"}
    assert leaders(after, 1) == {"king": "C2"}


@pytest.mark.rule("tigris_euphrates#components-3")
@pytest.mark.parametrize("text", ["leader queen C2", "leader king", "leader temple C2", "leader king_archer C2", "withdraw settlement"])
def test_there_is_no_fifth_leader(text):
    with pytest.raises(ActionFormatError):
        game.parse_action(text)


@pytest.mark.rule("tigris_euphrates#leaders-1", "tigris_euphrates#components-3")
def test_with_all_four_leaders_on_the_board_a_leader_action_moves_one_of_them():
    state = position(leaders=["king C2, priest K2, farmer G3, trader H7"])
    after = play(state, "leader trader O2")
    assert leaders(after, 0) == {"king": "C2", "priest": "K2", "farmer": "G3", "trader": "O2"}


@pytest.mark.rule("tigris_euphrates#leaders-7")
def test_placing_a_leader_brings_no_points():
    state = drawn("E5", "T S\nk1 .")
    for text in ("leader priest D5", "leader king D5"):
        after, events = act(state, text)
        assert (points(after, 0), points(after, 1)) == ({}, {})
        assert not [event for event in events if "point" in event.key]


@pytest.mark.rule("tigris_euphrates#leaders-9", "tigris_euphrates#readings-4")
def test_a_revolt_that_failed_may_be_tried_again_with_the_second_action():
    state = position(leaders=["", "king C2"], hands=["temple 2", "temple 3"])
    state = play(state, "leader king B3", "support 0 temple", "support 0 temple")
    assert leaders(state, 0) == {}
    assert "leader king B3" in legal(state)
    state = play(state, "leader king B3", "support 2 temple", "support 0 temple")
    assert leaders(state, 0) == {"king": "B3"}
    assert leaders(state, 1) == {}
