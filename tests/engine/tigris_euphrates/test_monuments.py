"""Squares of four tiles and the monuments on them (tigris_euphrates#monuments)."""

from __future__ import annotations

import pytest

from games.core.contract import ActionFormatError
from tests.engine.tigris_euphrates.builders import (
    act,
    data_of,
    drawn,
    due,
    event,
    game,
    keys,
    leaders,
    legal,
    play,
    points,
    position,
    refusal,
    squares,
    tiles,
)

THREE_MARKETS = {"tiles": {"market": "G5 H5 G6"}, "hands": ["market 2, settlement", ""]}


def kingdoms(state):
    return sorted(squares(kingdom) for kingdom in state.kingdoms)


# When one may be built


@pytest.mark.rule("tigris_euphrates#monuments-1", "tigris_euphrates#monuments-2", "tigris_euphrates#monuments-14")
def test_a_tile_that_completes_four_of_a_colour_lets_the_active_player_build_a_monument_of_that_colour():
    """There is no leader nearby and no kingdom beside it."""
    state = play(position(**THREE_MARKETS), "tile market H6")
    assert (due(state), data_of(state)["phase"], data_of(state)["placed"]) == (0, "monument", "H6")
    assert legal(state) == ["build black_green G5", "build green_red G5", "build blue_green G5", "decline"]
    state, events = act(state, "build green_red G5")
    assert keys(events) == ["built"]
    assert data_of(state)["built"] == [["green_red", "G5", "market"]]
    assert tiles(state, "market") == ""
    assert squares(state.down) == "G5 H5 G6 H6"
    assert (due(state), data_of(state)["phase"], data_of(state)["actions_left"]) == (0, "action", 1)


@pytest.mark.rule("tigris_euphrates#monuments-2")
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("settlement", ["black_green", "black_blue", "black_red"]),
        ("temple", ["black_red", "red_blue", "green_red"]),
        ("market", ["black_green", "green_red", "blue_green"]),
    ],
)
def test_each_colour_has_three_monuments(kind, names):
    state = play(position(tiles={kind: "G5 H5 G6"}, hands=[kind]), f"tile {kind} H6")
    assert legal(state) == [*(f"build {name} G5" for name in names), "decline"]


@pytest.mark.rule("tigris_euphrates#monuments-2", "tigris_euphrates#tiles-2")
def test_a_blue_square_is_possible_where_the_river_is_wide():
    state = play(position(tiles={"farm": "O4 P4 P5"}, hands=["farm"]), "tile farm O5")
    assert legal(state) == ["build black_blue O4", "build red_blue O4", "build blue_green O4", "decline"]


@pytest.mark.rule("tigris_euphrates#monuments-1")
@pytest.mark.parametrize(
    ("tiles_there", "placed"),
    [
        ({"market": "G5 H5", "settlement": "G6"}, "tile market H6"),
        ({"market": "G5 H5 G6"}, "tile settlement H6"),
        ({"market": "G5 G6"}, "tile market H6"),
        ({"market": "G5 H5 I5"}, "tile market J5"),
        ({"market": "G3 H3 G5 H5 I4 F4"}, "tile market G4"),
    ],
)
def test_anything_but_four_of_a_colour_in_a_square_is_no_place_for_a_monument(tiles_there, placed):
    state = play(position(tiles=tiles_there, hands=["settlement, market"]), placed)
    assert (data_of(state)["phase"], data_of(state)["actions_left"]) == ("action", 1)


@pytest.mark.rule("tigris_euphrates#monuments-1", "tigris_euphrates#monuments-6", "tigris_euphrates#monuments-15")
def test_a_tile_face_down_completes_nothing():
    state = position(built=[["black_green", "G5", "market"]], tiles={"market": "I5"}, hands=["market 2"])
    state = play(state, "tile market I6")
    assert data_of(state)["phase"] == "action"


@pytest.mark.rule("tigris_euphrates#monuments-1")
def test_only_squares_with_the_tile_just_placed_count():
    state = drawn("F4", "S S .\nS S .", hands=["settlement 2"])
    assert data_of(play(state, "tile settlement J5"))["phase"] == "action"
    assert data_of(play(state, "tile settlement H5"))["phase"] == "action"
    state = play(state, "tile settlement H5", "tile settlement H4")  # a square of H4, H5 and two old ones
    assert legal(state, "build") == ["build black_green G4", "build black_blue G4", "build black_red G4"]


@pytest.mark.rule("tigris_euphrates#monuments-1")
def test_a_leader_or_a_catastrophe_beside_four_tiles_starts_nothing():
    state = drawn("F4", "T T\nT T", hands=["market"])
    assert data_of(play(state, "leader king H5"))["phase"] == "action"
    assert data_of(play(state, "catastrophe H5"))["phase"] == "action"


@pytest.mark.rule("tigris_euphrates#monuments-4", "tigris_euphrates#monuments-13", "tigris_euphrates#readings-9")
def test_a_square_once_declined_is_lost_but_another_one_with_old_tiles_is_not():
    state = play(position(**THREE_MARKETS), "tile market H6", "decline")
    assert data_of(state)["phase"] == "action"
    assert squares(state.down) == ""
    assert data_of(play(state, "tile settlement I5"))["active"] == 0  # there is no second question
    again = play(position(tiles={"market": "G5 H5 G6 H6 I5"}, hands=["market"]), "tile market I6")
    assert legal(again, "build") == ["build black_green H5", "build green_red H5", "build blue_green H5"]
    assert refusal(again, "build black_green G5") == ("refused.no_square_of_four", "tigris_euphrates#monuments-1")


@pytest.mark.rule("tigris_euphrates#monuments-12", "tigris_euphrates#readings-9")
def test_one_tile_may_complete_four_squares_and_the_player_picks_one():
    state = drawn("F4", "M M M\nM . M\nM M M", hands=["market"])
    state = play(state, "tile market G5")
    assert {text.split()[2] for text in legal(state, "build")} == {"F4", "G4", "F5", "G5"}
    assert len(legal(state)) == 4 * 3 + 1
    state = play(state, "build black_green F5")
    assert squares(state.down) == "F5 G5 F6 G6"
    assert tiles(state, "market") == "F4 G4 H4 H5 H6"
    assert data_of(state)["phase"] == "action"  # one monument, no more


@pytest.mark.rule("tigris_euphrates#monuments-12")
@pytest.mark.parametrize(("placed", "corner"), [("A1", "A1"), ("P1", "O1"), ("A11", "A10"), ("P11", "O10")])
def test_squares_in_the_corners_of_the_board_are_found(placed, corner):
    around = {"A1": "B1 A2 B2", "P1": "O1 O2 P2", "A11": "A10 B10 B11", "P11": "O11 O10 P10"}[placed]
    state = play(position(tiles={"temple": around}, hands=["temple"]), f"tile temple {placed}")
    assert legal(state, "build") == [f"build {name} {corner}" for name in ("black_red", "red_blue", "green_red")]


@pytest.mark.rule("tigris_euphrates#monuments-3", "tigris_euphrates#monuments-16", "tigris_euphrates#readings-9")
def test_without_a_monument_of_the_colour_left_nobody_is_asked():
    built = [["black_green", "A10", "market"], ["green_red", "C10", "market"]]
    state = position(**THREE_MARKETS, built=built)
    assert legal(play(state, "tile market H6")) == ["build blue_green G5", "decline"]
    state = position(**THREE_MARKETS, built=[*built, ["blue_green", "L10", "market"]])
    state = play(state, "tile market H6")
    assert (data_of(state)["phase"], data_of(state)["actions_left"]) == ("action", 1)


@pytest.mark.rule("tigris_euphrates#monuments-2", "tigris_euphrates#monuments-3", "tigris_euphrates#monuments-1")
def test_refusals_about_monuments():
    state = position(**THREE_MARKETS, built=[["green_red", "A10", "temple"]])
    assert refusal(state, "build black_green G5") == ("refused.no_monument_now", "tigris_euphrates#monuments-1")
    assert refusal(state, "decline") == ("refused.no_monument_now", "tigris_euphrates#monuments-1")
    state = play(state, "tile market H6")
    assert refusal(state, "build black_red G5") == ("refused.monument_colour", "tigris_euphrates#monuments-2")
    assert refusal(state, "build green_red G5") == ("refused.monument_taken", "tigris_euphrates#monuments-3")
    assert refusal(state, "build black_green H5") == ("refused.no_square_of_four", "tigris_euphrates#monuments-1")
    assert refusal(state, "pass") == ("refused.build_or_decline", "tigris_euphrates#monuments-1")
    assert refusal(state, "build black_green G5", 1) == ("refused.not_your_turn", "tigris_euphrates#turn-1")
    with pytest.raises(ActionFormatError):
        game.parse_action("build red_black G5")


# Wars first


def union_of_four(hands):
    """Return a position in which a settlement on G5 unites two kingdoms of kings and completes F4, G4, F5, G5."""
    return drawn("D4", ". . S S . . .\nk0 T S . S T k1", hands=hands)


@pytest.mark.rule("tigris_euphrates#monuments-5", "tigris_euphrates#wars-12")
def test_wars_come_first_and_then_the_monument_if_the_square_still_stands():
    state = play(union_of_four(["settlement", ""]), "tile settlement G5")
    assert data_of(state)["phase"] == "attack"
    assert legal(state) == ["support 0 settlement"]
    state = play(state, "support 0 settlement", "support 0 settlement")  # three against one
    assert leaders(state, 1) == {}
    assert (due(state), data_of(state)["phase"], data_of(state)["union"]) == (0, "monument", None)
    state = play(state, "build black_red F4")  # the union tile is part of it
    assert squares(state.down) == "F4 G4 F5 G5"
    assert data_of(state)["actions_left"] == 1


@pytest.mark.rule("tigris_euphrates#monuments-5")
def test_a_square_that_a_war_has_broken_cannot_be_built_on():
    state = play(union_of_four(["settlement", "settlement 3"]), "tile settlement G5", "support 0 settlement", "support 3 settlement")
    assert tiles(state, "settlement") == "G5 H5"
    assert (due(state), data_of(state)["phase"], data_of(state)["actions_left"]) == (0, "action", 1)


@pytest.mark.rule("tigris_euphrates#monuments-5")
def test_a_war_of_another_colour_leaves_the_square_and_the_active_player_builds_even_after_losing():
    state = drawn("D4", ". . S S . . .\nf0 T S . S T f1", hands=["settlement", ""])
    state = play(state, "tile settlement G5", "support 0 farm", "support 0 farm")
    assert leaders(state, 0) == {}
    assert (due(state), data_of(state)["phase"]) == (0, "monument")


# What a monument does


@pytest.mark.rule("tigris_euphrates#monuments-6", "tigris_euphrates#kingdoms-8", "tigris_euphrates#monuments-15")
def test_tiles_face_down_still_connect():
    state = drawn("E5", "k0 T M M T p1\n. . M . . .", hands=["market", ""])
    before = kingdoms(state)
    state = play(state, "tile market H6", "build green_red G5")
    assert before == ["E5 F5 G5 H5 I5 J5 G6"]
    assert kingdoms(state) == ["E5 F5 G5 H5 I5 J5 G6 H6"]


@pytest.mark.rule("tigris_euphrates#monuments-8", "tigris_euphrates#treasures-1")
def test_a_treasure_stays_on_the_temple_face_down_and_can_be_taken_from_there():
    state = position(
        tiles={"temple": "H6 I6", "market": "J7 J8 J10", "farm": "J9"}, leaders=["", "trader L11"], hands=["temple, market", ""]
    )
    state = play(state, "tile temple H7", "build black_red H6")
    assert "I7" in data_of(state)["treasures"]
    state = play(state, "tile market K10")
    assert (due(state), legal(state)) == (1, ["treasure I7", "treasure K11"])
    state = play(state, "treasure I7")
    assert data_of(state)["jokers"] == [0, 1]
    assert squares(state.down) == "H6 I6 H7 I7"


@pytest.mark.rule("tigris_euphrates#monuments-7", "tigris_euphrates#catastrophes-2")
def test_a_monument_is_never_destroyed():
    state = position(built=[["black_red", "G5", "temple"]])
    for square in ("G5", "H5", "G6", "H6"):
        assert refusal(state, f"catastrophe {square}") == ("refused.catastrophe_on_monument", "tigris_euphrates#catastrophes-2")
        assert f"catastrophe {square}" not in legal(state)
        assert refusal(state, f"leader king {square}") == ("refused.occupied", "tigris_euphrates#leaders-2")


@pytest.mark.rule("tigris_euphrates#monuments-9", "tigris_euphrates#leaders-6", "tigris_euphrates#monuments-17")
def test_leaders_that_lose_their_last_temple_go_home_and_those_with_another_stay():
    state = drawn("F4", ". T p1 .\nk0 T T .\nt1 T . f2", hands=["temple", "", ""], tiles={"temple": "J6"})
    state, events = act(play(state, "tile temple H6"), "build black_red G5")
    stripped = {(e.params["leader"], e.params["square"]) for e in events if e.key == "leader_stripped"}
    assert stripped == {("king_archer", "F5"), ("trader_bull", "F6")}
    assert (leaders(state, 0), leaders(state, 1), leaders(state, 2)) == ({}, {"priest": "H4"}, {"farmer": "I6"})


@pytest.mark.rule("tigris_euphrates#monuments-9", "tigris_euphrates#treasures-1", "tigris_euphrates#turn-4", "tigris_euphrates#readings-10")
def test_a_trader_that_a_monument_sends_home_takes_no_treasures():
    """H7 completes four temples and joins the treasures of I7 and K11; the trader on G6 is beside one of the four only."""
    state = position(
        tiles={"temple": "H6 I6", "settlement": "H8", "farm": "H9", "market": "H10 I10 J10 K10"}, leaders=["trader G6"], hands=["temple"]
    )
    state = play(state, "tile temple H7")
    assert data_of(play(state, "decline"))["phase"] == "treasure"
    state = play(state, "build black_red H6")
    assert leaders(state, 0) == {}
    assert (data_of(state)["phase"], data_of(state)["jokers"]) == ("action", [0, 0])


# Points


def income(state, seat):
    """Return the points at the end of a seat's turn, skipping both actions."""
    state, events = act(state, "pass")
    return [(e.params["monument"], e.params["colour"]) for e in events if e.key == "monument_point" and e.params["seat"] == seat]


MONUMENT = {"built": [["black_red", "G5", "temple"]], "tiles": {"temple": "I5 F4"}}


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#turn-5")
def test_at_the_end_of_a_turn_a_monument_brings_a_point_for_each_of_the_player_s_leaders_of_its_colours_in_its_kingdom():
    assert income(position(**MONUMENT, leaders=["king J5"]), 0) == [("black_red", "black")]
    assert income(position(**MONUMENT, leaders=["priest J5"]), 0) == [("black_red", "red")]
    both = position(**MONUMENT, leaders=["king J5, priest I4"])
    assert income(both, 0) == [("black_red", "black"), ("black_red", "red")]
    assert points(play(both, "pass"), 0) == {"black": 1, "red": 1}


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#monuments-18")
def test_only_the_active_player_gets_points_for_monuments():
    state = position(**MONUMENT, leaders=["king J5", "priest I4"])
    ended, events = act(state, "pass")
    assert event(events, "monument_point").params == {"seat": 0, "monument": "black_red", "colour": "black", "points": 1}
    assert (points(ended, 0), points(ended, 1)) == ({"black": 1}, {})


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#monuments-14", "tigris_euphrates#monuments-18")
def test_the_leader_must_be_in_the_kingdom_of_the_monument_but_not_beside_it():
    far = position(built=MONUMENT["built"], tiles={"temple": "L5", "market": "I5 J5 K5"}, leaders=["king L6"])
    assert income(far, 0) == [("black_red", "black")]
    elsewhere = position(**MONUMENT, leaders=["king C2", "priest I4"])
    assert income(elsewhere, 0) == []


@pytest.mark.rule("tigris_euphrates#monuments-11", "tigris_euphrates#tiles-7")
def test_the_king_is_no_joker_at_monuments():
    state = position(built=[["green_red", "G5", "temple"]], tiles={"temple": "I5"}, leaders=["king J5, farmer I4"])
    assert income(state, 0) == []


@pytest.mark.rule("tigris_euphrates#monuments-10")
def test_several_monuments_in_a_kingdom_each_bring_points():
    state = position(
        built=[["black_red", "G5", "temple"], ["black_green", "G3", "market"], ["blue_green", "A10", "market"]],
        tiles={"temple": "I5"},
        leaders=["king J5, trader I4"],
    )
    assert income(state, 0) == [("black_red", "black"), ("black_green", "black"), ("black_green", "green")]


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#turn-5")
def test_a_monument_brings_its_first_point_at_the_end_of_the_turn_in_which_it_is_built():
    state = drawn("E5", "k0 T M M\n. . M .", hands=["market", ""])
    state = play(state, "tile market H6", "build black_green G5")
    assert points(state, 0) == {"green": 1}  # the tile, by the king
    assert points(play(state, "pass"), 0) == {"green": 1, "black": 1}


# The example of the rule book


@pytest.mark.rule("tigris_euphrates#monuments-9", "tigris_euphrates#monuments-10", "tigris_euphrates#monuments-2")
def test_the_example_of_a_black_and_red_monument_on_four_temples():
    state = position(
        tiles={"temple": "G5 H5 G6 I6", "market": "I5"}, leaders=["farmer F6, priest J6", "king H7"], hands=["temple", "temple 6"], active=1
    )
    state = play(state, "tile temple H6")
    assert points(state, 0) == {"red": 1}  # the priest's
    state = play(state, "build black_red G5")
    assert leaders(state, 0) == {"priest": "J6"}
    state, events = act(state, "pass")
    assert event(events, "monument_point").params == {"seat": 1, "monument": "black_red", "colour": "black", "points": 1}
    assert (points(state, 0), points(state, 1)) == ({"red": 1}, {"black": 1})
    state = play(state, "draw market", "draw farm farm farm farm farm")
    assert data_of(state)["active"] == 0
    state, events = act(state, "pass")
    assert event(events, "monument_point").params == {"seat": 0, "monument": "black_red", "colour": "red", "points": 1}
    assert (points(state, 0), points(state, 1)) == ({"red": 2}, {"black": 1})
