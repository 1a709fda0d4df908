"""Treasures, who takes them and when (tigris_euphrates#treasures)."""

from __future__ import annotations

import pytest

from games.tigris_euphrates.meta import META
from tests.engine.tigris_euphrates.builders import act, data_of, due, event, game, keys, leaders, legal, play, points, position, refusal

# F10 and K11 have treasures, both without a frame. K10 is the last link between them.
LINKED_BY_K10 = {"market": "G10 H10 I10 J10"}
# B2 and B8 have framed treasures, F3 one without. With B5 all three are in one region.
LINKED_BY_B5 = {"settlement": "B3 C2 D2 F2", "farm": "B4 E2 B7", "market": "B6"}


def state_of(state):
    data = data_of(state)
    return data["phase"], data["due"], data["jokers"]


@pytest.mark.rule("tigris_euphrates#treasures-1", "tigris_euphrates#treasures-3", "tigris_euphrates#treasures-7")
def test_with_two_treasures_in_its_kingdom_the_trader_s_owner_takes_all_but_one_of_their_choice():
    state = position(tiles=LINKED_BY_K10, leaders=["trader E10"], hands=["market"])
    state = play(state, "tile market K10")
    assert state_of(state) == ("treasure", 0, [0, 0])
    assert legal(state) == ["treasure F10", "treasure K11"]
    state, events = act(state, "treasure K11")
    assert event(events, "treasure_taken").params == {"seat": 0, "square": "K11", "n": 9}
    assert state_of(state) == ("action", 0, [1, 0])
    assert "F10" in data_of(state)["treasures"].split()
    assert "K11" not in data_of(state)["treasures"].split()


@pytest.mark.rule("tigris_euphrates#treasures-5", "tigris_euphrates#treasures-1", "tigris_euphrates#turn-4")
def test_treasures_are_handed_out_at_the_end_of_the_action_also_to_players_not_on_turn():
    """Mistake 6 of this game's programs: treasures only at the end of the turn."""
    state = position(tiles=LINKED_BY_K10, leaders=["", "", "trader E10"], hands=["market"])
    state = play(state, "tile market K10")
    assert state_of(state) == ("treasure", 2, [0, 0, 0])
    assert due(state) == 2
    state = play(state, "treasure F10")
    assert state_of(state) == ("action", 0, [0, 0, 1])
    assert data_of(state)["actions_left"] == 1


@pytest.mark.rule("tigris_euphrates#treasures-2", "tigris_euphrates#treasures-1")
def test_framed_treasures_go_first_so_the_one_left_is_another_one_if_there_is_any():
    apart = {**LINKED_BY_B5, "settlement": "B3 C2 F2"}  # without D2 on the way to F3
    state = position(tiles=apart, leaders=["trader A2"], hands=["market, settlement"], treasures="B2 B8 F3 I7 N5")
    state = play(state, "tile market B5")
    assert legal(state) == ["treasure B2", "treasure B8"]  # two framed ones, one must be taken
    state = play(state, "treasure B8", "tile settlement D2")
    assert legal(state) == ["treasure B2"]
    state = play(state, "treasure B2")
    assert data_of(state)["treasures"].split() == ["F3", "N5", "I7"]


@pytest.mark.rule("tigris_euphrates#treasures-2", "tigris_euphrates#treasures-8", "tigris_euphrates#readings-11")
def test_of_two_framed_treasures_and_another_both_framed_ones_are_taken():
    state = position(tiles=LINKED_BY_B5, leaders=["", "trader A8"], hands=["market"])
    state = play(state, "tile market B5")
    assert (due(state), legal(state)) == (1, ["treasure B2", "treasure B8"])
    assert refusal(state, "treasure F3") == ("refused.corner_first", "tigris_euphrates#treasures-2")
    state = play(state, "treasure B2")
    assert legal(state) == ["treasure B8"]
    state = play(state, "treasure B8")
    assert data_of(state)["jokers"] == [0, 2]
    assert "F3" in data_of(state)["treasures"].split()


@pytest.mark.rule("tigris_euphrates#treasures-3", "tigris_euphrates#readings-11")
def test_of_three_treasures_without_a_frame_two_are_taken_one_at_a_time():
    chain = {"market": "G10 H10 I10 K10 J7 J8", "farm": "J9"}
    state = play(position(tiles=chain, leaders=["trader E10"], hands=["market"]), "tile market J10")
    assert legal(state) == ["treasure I7", "treasure F10", "treasure K11"]
    state = play(state, "treasure F10")
    assert legal(state) == ["treasure I7", "treasure K11"]
    state = play(state, "treasure I7")
    assert state_of(state) == ("action", 0, [2, 0])


@pytest.mark.rule("tigris_euphrates#treasures-4", "tigris_euphrates#tiles-7")
def test_without_a_trader_treasures_wait_and_no_other_leader_takes_them():
    state = position(tiles=LINKED_BY_K10, leaders=["king E10, priest F11"], hands=["market"])
    state = play(state, "tile market K10")
    assert state_of(state) == ("action", 0, [0, 0])
    assert len(data_of(state)["treasures"].split()) == 10


@pytest.mark.rule("tigris_euphrates#treasures-4", "tigris_euphrates#treasures-7")
@pytest.mark.parametrize("before", ["", "trader C2"])
def test_a_trader_that_comes_later_collects_at_once(before):
    tiles = {"market": "G10 H10 I10 J10 K10"}
    state = position(tiles=tiles, leaders=[before, "king E10"])
    state = play(state, "leader trader F11")
    assert state_of(state) == ("treasure", 0, [0, 0])
    assert state_of(play(state, "treasure F10")) == ("action", 0, [1, 0])


@pytest.mark.rule("tigris_euphrates#treasures-7", "tigris_euphrates#treasures-5")
def test_any_leader_that_joins_treasures_lets_the_trader_collect():
    tiles = {"market": "G10 H10 K10", "temple": "J10"}
    state = position(tiles=tiles, leaders=["", "trader E10"])
    state = play(state, "leader king I10")
    assert state_of(state) == ("treasure", 1, [0, 0])


@pytest.mark.rule("tigris_euphrates#treasures-7", "tigris_euphrates#catastrophes-5")
@pytest.mark.parametrize("text", ["catastrophe H10", "catastrophe A1", "withdraw king", "swap temple", "pass"])
def test_other_actions_hand_out_no_treasures(text):
    state = position(tiles={"market": "G10 H10 I10 J10 K10"}, leaders=["king E10", "trader C2"], hands=["temple"])
    state = play(state, text)
    assert data_of(state)["phase"] != "treasure"
    assert data_of(state)["jokers"] == [0, 0]


@pytest.mark.rule("tigris_euphrates#treasures-1")
def test_one_treasure_in_a_kingdom_is_never_taken():
    state = play(position(leaders=["trader C2"], hands=["market"]), "tile market D2")
    assert state_of(state) == ("action", 0, [0, 0])


# After a war


def war_of_traders(link, **fields):
    """Return two kingdoms with a trader and a treasure each; I10 unites them. `link` is the piece on J10 in seat 1's."""
    tiles = {"market": "G10", "settlement": "H10 K10"}
    tiles[link] = f"{tiles.get(link, '')} J10"
    return position(tiles=tiles, leaders=["trader E10", "trader L11"], hands=["temple, market 3", ""], **fields)


@pytest.mark.rule("tigris_euphrates#treasures-1", "tigris_euphrates#turn-4", "tigris_euphrates#wars-6", "tigris_euphrates#treasures-9")
def test_treasures_go_to_the_trader_that_won_the_war_of_the_same_action():
    state = play(war_of_traders("settlement"), "tile temple I10", "support 3 market", "support 0 market")
    assert leaders(state, 1) == {}
    assert state_of(state) == ("treasure", 0, [0, 0])
    assert legal(state) == ["treasure F10", "treasure K11"]


@pytest.mark.rule("tigris_euphrates#treasures-1", "tigris_euphrates#wars-9")
def test_treasures_stay_when_the_war_has_cut_the_way_to_them():
    state = play(war_of_traders("market"), "tile temple I10", "support 3 market", "support 0 market")
    assert leaders(state, 1) == {}
    assert points(state, 0) == {"green": 2}
    assert state_of(state) == ("action", 0, [0, 0])


@pytest.mark.rule("tigris_euphrates#treasures-1")
def test_a_union_without_a_war_lets_the_trader_collect():
    state = position(tiles={"market": "G10 H10 J10 K10"}, leaders=["trader E10", "king L11"], hands=["temple"])
    state = play(state, "tile temple I10")
    assert state_of(state) == ("treasure", 0, [0, 0])


# Refusals


@pytest.mark.rule("tigris_euphrates#treasures-1", "tigris_euphrates#turn-1")
def test_refusals_about_treasures():
    state = position(tiles=LINKED_BY_K10, leaders=["", "trader E10"], hands=["market 2", "temple"])
    assert refusal(state, "treasure F10") == ("refused.no_treasure_now", "tigris_euphrates#treasures-1")
    state = play(state, "tile market K10")
    assert refusal(state, "treasure B2") == ("refused.treasure_elsewhere", "tigris_euphrates#treasures-1")
    assert refusal(state, "treasure A1") == ("refused.treasure_elsewhere", "tigris_euphrates#treasures-1")
    assert refusal(state, "pass") == ("refused.take_treasure", "tigris_euphrates#treasures-1")
    assert refusal(state, "treasure F10", 0) == ("refused.not_your_turn", "tigris_euphrates#turn-1")
    assert refusal(state, "pass", 0) == ("refused.not_your_turn", "tigris_euphrates#turn-1")


@pytest.mark.rule("tigris_euphrates#treasures-2", "tigris_euphrates#readings-11")
def test_only_the_lone_treasure_may_be_taken_without_asking():
    assert "treasure" in META.automatic
    assert "support" not in META.automatic  # playing nothing automatically would reveal what is not in the hand


@pytest.mark.rule("tigris_euphrates#hidden-2", "tigris_euphrates#hidden-3")
def test_everybody_is_told_which_player_took_which_treasure():
    state = play(position(tiles=LINKED_BY_K10, leaders=["trader E10"], hands=["market"]), "tile market K10")
    state, events = act(state, "treasure F10")
    assert keys(events) == ["treasure_taken"]
    assert event(events, "treasure_taken").secret == {}
    assert game.view_for(state, 1).jokers == (None, 0)  # a seat's total is secret


# The example of the rule book


@pytest.mark.rule("tigris_euphrates#treasures-2", "tigris_euphrates#tiles-6", "tigris_euphrates#turn-4", "tigris_euphrates#tiles-14")
def test_the_example_a_farm_joins_two_treasures_of_which_the_framed_one_is_taken():
    state = position(
        tiles={"market": "C2 D2", "settlement": "F2"}, leaders=["trader G3", "farmer F4"], hands=["farm"], treasures="B2 F3 I7 N5"
    )
    state, events = act(state, "tile farm E2")
    assert keys(events) == ["placed", "tile_point"]
    assert (points(state, 0), points(state, 1)) == ({}, {"blue": 1})
    assert (due(state), legal(state)) == (0, ["treasure B2"])
    jokers = data_of(state)["jokers"]
    state = play(state, "treasure B2")
    assert data_of(state)["jokers"] == [jokers[0] + 1, jokers[1]]
    assert data_of(state)["treasures"].split() == ["F3", "N5", "I7"]
