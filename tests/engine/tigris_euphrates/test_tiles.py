"""Where tiles may be placed, and who scores them (tigris_euphrates#tiles, #components, #setup)."""

from __future__ import annotations

import pytest

from games.core.contract import ActionFormatError
from games.tigris_euphrates.components import COUNTS, KINDS, MONUMENTS, TILE_COUNT
from tests.engine.tigris_euphrates.builders import (
    act,
    data_of,
    drawn,
    due,
    game,
    keys,
    legal,
    play,
    points,
    position,
    refusal,
    squares,
    tiles,
)

LAND_KINDS = ("settlement", "temple", "market")


def where(state, kind):
    return {text.split()[2] for text in legal(state, "tile") if text.split()[1] == kind}


# Land and river


@pytest.mark.rule(
    "tigris_euphrates#components-1",
    "tigris_euphrates#components-4",
    "tigris_euphrates#components-6",
    "tigris_euphrates#setup-2",
    "tigris_euphrates#components-7",
    "tigris_euphrates#components-10",
    "tigris_euphrates#components-11",
)
def test_the_box_holds_153_tiles_and_143_of_them_are_in_the_bag_at_the_start():
    assert dict(zip(KINDS, COUNTS, strict=True)) == {"settlement": 30, "temple": 57, "farm": 36, "market": 30}
    assert TILE_COUNT == 153
    assert len({frozenset(name.split("_")) for name, _, _ in MONUMENTS}) == 6
    start = data_of(game.setup(3, {}))
    assert start["bag"] == {"settlement": 30, "temple": 47, "farm": 36, "market": 30}
    assert start["tiles"] == {"temple": "K1 B2 P2 F3 N5 I7 B8 O9 F10 K11"}
    assert start["treasures"] == "K1 B2 P2 F3 N5 I7 B8 O9 F10 K11"


@pytest.mark.rule(
    "tigris_euphrates#tiles-2",
    "tigris_euphrates#tiles-3",
    "tigris_euphrates#components-6",
    "tigris_euphrates#components-11",
    "tigris_euphrates#readings-2",
)
def test_farms_go_on_the_river_only_and_all_other_tiles_on_land_only():
    state = position(hands=["settlement, temple, farm, market"])
    farms = where(state, "farm")
    assert len(farms) == 41
    assert {"E1", "I1", "M3", "A4", "P5", "O6", "D7", "M9"} <= farms
    for kind in LAND_KINDS:
        assert len(where(state, kind)) == 125  # 135 squares of land, ten of them below temples
        assert not where(state, kind) & farms
    assert refusal(state, "tile temple E1") == ("refused.tile_on_river", "tigris_euphrates#tiles-3")
    assert refusal(state, "tile farm D1") == ("refused.farm_on_land", "tigris_euphrates#tiles-2")


@pytest.mark.rule("tigris_euphrates#tiles-5", "tigris_euphrates#tiles-8")
def test_a_tile_may_stand_alone_without_any_neighbour_and_brings_nothing_then():
    state = position(hands=["market"], leaders=["king C2, trader K2"])
    state, events = act(state, "tile market G6")
    assert tiles(state, "market") == "G6"
    assert keys(events) == ["placed"]
    assert points(state, 0) == {}


@pytest.mark.rule("tigris_euphrates#tiles-1")
def test_a_tile_goes_from_the_hand_to_an_empty_square():
    state = position(hands=["market"], leaders=["king C2"], catastrophes="G6")
    assert refusal(state, "tile settlement G7") == ("refused.tile_not_held", "tigris_euphrates#tiles-1")
    assert refusal(state, "tile market B2") == ("refused.occupied", "tigris_euphrates#tiles-1")
    assert refusal(state, "tile market C2") == ("refused.occupied", "tigris_euphrates#tiles-1")
    assert refusal(state, "tile market G6") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")
    assert not {"B2", "C2", "G6"} & where(state, "market")
    after = play(state, "tile market G7")
    assert data_of(after)["hands"][0] == {}
    assert not legal(after, "tile")


@pytest.mark.rule("tigris_euphrates#components-6")
@pytest.mark.parametrize("square", ["Q1", "A12", "A0", "", "a1", "AA1", "B2 ", "1A", "É1"])
def test_a_square_off_the_board_is_no_square(square):
    for start in ("tile temple", "leader king", "catastrophe", "treasure", "build black_red"):
        with pytest.raises(ActionFormatError):
            game.parse_action(f"{start} {square}")


# Uniting kingdoms


@pytest.mark.rule("tigris_euphrates#tiles-4")
def test_a_tile_may_not_unite_three_kingdoms():
    state = position(leaders=["king J3, trader K6", "priest H5"], tiles={"temple": "J4 I5 J6"}, hands=["settlement, temple, market"])
    assert len(state.kingdoms) == 3
    for kind in LAND_KINDS:
        assert "J5" not in where(state, kind)
        assert refusal(state, f"tile {kind} J5") == ("refused.unites_three", "tigris_euphrates#tiles-4")
    two = play(state, "withdraw trader")  # the temple on J6 is now a region without a leader
    assert "J5" in where(two, "market")


@pytest.mark.rule("tigris_euphrates#tiles-4", "tigris_euphrates#wars-11")
def test_a_tile_may_unite_two_kingdoms_and_two_regions_without_leaders():
    state = position(leaders=["king J3", "priest J7"], tiles={"temple": "J4 J6", "settlement": "I5", "market": "K5"}, hands=["settlement"])
    assert len(state.kingdoms) == 2
    state = play(state, "tile settlement J5")
    assert [squares(kingdom) for kingdom in state.kingdoms] == ["J3 J4 I5 J5 K5 J6 I7 J7"]


@pytest.mark.rule("tigris_euphrates#tiles-4")
def test_one_kingdom_touched_on_three_sides_counts_once():
    state = drawn("E5", "T T T\np1 . S\nS . S", hands=["settlement"])
    assert len(state.kingdoms) == 1
    state = play(state, "tile settlement F6")
    assert due(state) == 0
    assert data_of(state)["union"] is None


# Points


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#tiles-11", "tigris_euphrates#tiles-12", "tigris_euphrates#kingdoms-6")
@pytest.mark.parametrize(
    ("tile", "colour", "role", "square"),
    [
        ("settlement", "black", "king", "D10"),
        ("temple", "red", "priest", "D10"),
        ("farm", "blue", "farmer", "E8"),
        ("market", "green", "trader", "D10"),
    ],
)
def test_the_point_goes_to_the_owner_of_the_leader_of_the_colour_whoever_places_the_tile(tile, colour, role, square):
    state = position(leaders=["", f"{role} E10"], tiles={"settlement": "E9"}, hands=[tile])
    state, events = act(state, f"tile {tile} {square}")
    assert (points(state, 0), points(state, 1)) == ({}, {colour: 1})
    assert keys(events) == ["placed", "tile_point"]


@pytest.mark.rule("tigris_euphrates#tiles-7")
@pytest.mark.parametrize(("tile", "colour", "square"), [("temple", "red", "D10"), ("market", "green", "D10"), ("farm", "blue", "E8")])
def test_the_king_gets_the_point_of_another_colour_when_its_leader_is_not_there(tile, colour, square):
    state = position(leaders=["", "king E10"], tiles={"settlement": "E9"}, hands=[tile])
    state, events = act(state, f"tile {tile} {square}")
    assert (points(state, 0), points(state, 1)) == ({}, {colour: 1})
    assert keys(events) == ["placed", "tile_point_king"]


@pytest.mark.rule("tigris_euphrates#tiles-10", "tigris_euphrates#tiles-12")
def test_with_both_there_only_the_leader_of_the_colour_brings_the_point():
    state = position(leaders=["king J7", "trader H7"], hands=["market"])
    state, events = act(state, "tile market I6")
    assert (points(state, 0), points(state, 1)) == ({}, {"green": 1})
    assert keys(events) == ["placed", "tile_point"]


@pytest.mark.rule("tigris_euphrates#tiles-8", "tigris_euphrates#tiles-12")
def test_without_leader_of_the_colour_and_king_a_tile_brings_nothing():
    state = position(leaders=["priest J7, farmer H7", "king C2"], hands=["market"])
    state, events = act(state, "tile market I6")  # the king of the other kingdom has no part in it
    assert (points(state, 0), points(state, 1)) == ({}, {})
    assert keys(events) == ["placed"]


@pytest.mark.rule("tigris_euphrates#tiles-8")
def test_a_tile_beside_a_region_without_leader_brings_nothing():
    state = play(position(leaders=["king C2"], hands=["temple"]), "tile temple J7")
    assert points(state, 0) == {}


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#tiles-8")
def test_a_leader_in_a_region_that_the_tile_joins_to_the_kingdom_is_the_one_that_counts():
    """The tile touches a region without leader on one side and the kingdom on the other: it belongs to the kingdom."""
    state = drawn("E5", "S . T k1", hands=["settlement"])
    assert points(play(state, "tile settlement F5"), 1) == {"black": 1}


@pytest.mark.rule("tigris_euphrates#tiles-9", "tigris_euphrates#tiles-12", "tigris_euphrates#wars-14")
def test_a_tile_that_unites_two_kingdoms_brings_no_point_even_without_a_war():
    """Mistake 1 of this game's programs: a point for the uniting tile."""
    state = drawn("E5", "k0 T . T p1", hands=["settlement, temple"])
    for tile in ("settlement", "temple"):
        after, events = act(state, f"tile {tile} G5")
        assert keys(events) == ["placed", "united"]
        assert (points(after, 0), points(after, 1)) == ({}, {})
        assert (due(after), data_of(after)["phase"], data_of(after)["actions_left"]) == (0, "action", 1)
        assert data_of(after)["union"] is None


@pytest.mark.rule("tigris_euphrates#tiles-9", "tigris_euphrates#wars-1")
def test_a_tile_that_unites_two_kingdoms_brings_no_point_before_or_after_a_war():
    state = drawn("E5", "k0 T . T k1", hands=["settlement", "temple"])
    state = play(state, "tile settlement G5", "support 0 settlement", "support 0 settlement")
    assert points(state, 0) == {}
    assert points(state, 1) == {"black": 1}  # for the leader that lost, since the defender wins ties


@pytest.mark.rule("tigris_euphrates#wars-1")
def test_a_tile_between_leaders_of_two_kingdoms_is_a_union_and_between_two_of_one_kingdom_a_plain_tile():
    apart = position(leaders=["king J4", "trader J6"], tiles={"temple": "I4 I6"}, hands=["settlement"])
    after, events = act(apart, "tile settlement J5")
    assert keys(events) == ["placed", "united"]
    together = position(leaders=["king J4", "trader J6"], tiles={"temple": "I4 I6", "market": "I5"}, hands=["settlement"])
    after, events = act(together, "tile settlement J5")
    assert keys(events) == ["placed", "tile_point"]
    assert points(after, 0) == {"black": 1}
