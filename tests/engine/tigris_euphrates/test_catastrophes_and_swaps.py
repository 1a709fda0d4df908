"""Catastrophe tiles, and tiles swapped for others (tigris_euphrates#catastrophes, #swap)."""

from __future__ import annotations

import pytest

from games.core.contract import ActionFormatError
from games.core.events import events_for
from tests.engine.tigris_euphrates.builders import (
    act,
    data_of,
    drawn,
    due,
    event,
    game,
    hand,
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


def kingdoms(state):
    return sorted(squares(kingdom) for kingdom in state.kingdoms)


# Catastrophes


@pytest.mark.rule("tigris_euphrates#catastrophes-1", "tigris_euphrates#catastrophes-2")
def test_at_the_start_a_catastrophe_may_be_placed_on_every_square_but_the_ten_with_a_treasure():
    state = position()
    places = {text.split()[1] for text in legal(state, "catastrophe")}
    assert len(places) == 176 - 10
    assert {"A1", "P11", "E1", "O6"} <= places  # the river as well
    assert refusal(state, "catastrophe B2") == ("refused.catastrophe_on_treasure", "tigris_euphrates#catastrophes-2")


@pytest.mark.rule("tigris_euphrates#catastrophes-1", "tigris_euphrates#catastrophes-3")
@pytest.mark.parametrize(("kind", "square"), [("settlement", "G6"), ("temple", "G6"), ("farm", "E2"), ("market", "G6")])
def test_a_catastrophe_may_cover_a_tile_which_leaves_the_game(kind, square):
    state = position(tiles={kind: square})
    state, events = act(state, f"catastrophe {square}")
    assert event(events, "catastrophe_covered").params == {"seat": 0, "square": square, "tile": kind}
    assert data_of(state)["gone"] == {kind: 1}
    assert data_of(state)["catastrophes"] == square
    assert square not in tiles(state, kind).split()
    assert data_of(state)["catastrophes_left"] == [1, 2]


@pytest.mark.rule("tigris_euphrates#catastrophes-1")
def test_a_catastrophe_on_an_empty_square_removes_nothing():
    state, events = act(position(), "catastrophe G6")
    assert keys(events) == ["catastrophe_placed"]
    assert data_of(state)["gone"] == {}
    assert data_of(state)["actions_left"] == 1


@pytest.mark.rule("tigris_euphrates#catastrophes-2", "tigris_euphrates#catastrophes-3")
def test_a_catastrophe_cannot_cover_a_leader_a_treasure_a_monument_or_a_catastrophe():
    state = position(leaders=["king C2"], built=[["black_red", "G5", "temple"]], catastrophes="K6")
    assert refusal(state, "catastrophe C2") == ("refused.catastrophe_on_leader", "tigris_euphrates#catastrophes-2")
    assert refusal(state, "catastrophe F3") == ("refused.catastrophe_on_treasure", "tigris_euphrates#catastrophes-2")
    assert refusal(state, "catastrophe H6") == ("refused.catastrophe_on_monument", "tigris_euphrates#catastrophes-2")
    assert refusal(state, "catastrophe K6") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")
    assert not {f"catastrophe {square}" for square in ("C2", "F3", "H6", "K6")} & set(legal(state))


@pytest.mark.rule("tigris_euphrates#catastrophes-2")
def test_a_temple_whose_treasure_is_gone_may_be_covered():
    state = position(treasures="B2 P2 F3 N5 I7 B8 O9 F10 K11", tiles={"temple": "K1"})
    assert "catastrophe K1" in legal(state)
    assert "catastrophe K11" not in legal(state)


@pytest.mark.rule("tigris_euphrates#catastrophes-3")
def test_a_square_below_a_catastrophe_can_never_be_used_again():
    state = position(catastrophes="C2 A4", hands=["market, farm"])
    assert refusal(state, "tile market C2") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")
    assert refusal(state, "tile farm A4") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")
    assert refusal(state, "leader king C2") == ("refused.on_catastrophe", "tigris_euphrates#catastrophes-3")
    assert not [text for text in legal(state) if text.endswith((" C2", " A4"))]


@pytest.mark.rule("tigris_euphrates#catastrophes-4", "tigris_euphrates#kingdoms-4")
def test_a_catastrophe_breaks_links_and_may_split_a_kingdom():
    state = drawn("E5", "k0 T S T p1")
    assert kingdoms(state) == ["E5 F5 G5 H5 I5"]
    state = play(state, "catastrophe G5")
    assert kingdoms(state) == ["E5 F5", "H5 I5"]


@pytest.mark.rule("tigris_euphrates#catastrophes-4", "tigris_euphrates#kingdoms-1", "tigris_euphrates#kingdoms-8")
def test_a_catastrophe_connects_nothing():
    state = position(leaders=["king C2"], catastrophes="D2", hands=["settlement"])
    state = play(state, "tile settlement D1")
    assert kingdoms(state) == ["B2 C2"]
    assert points(state, 0) == {}


@pytest.mark.rule("tigris_euphrates#catastrophes-4", "tigris_euphrates#leaders-6")
def test_a_leader_whose_last_temple_is_covered_goes_home_whoever_owns_it():
    state = drawn("E5", "k0 T p1\n. f2 T")
    state, events = act(state, "catastrophe F5")
    assert [(e.params["seat"], e.params["leader"], e.params["square"]) for e in events if e.key == "leader_stripped"] == [
        (0, "king_archer", "E5")
    ]
    assert (leaders(state, 0), leaders(state, 1), leaders(state, 2)) == ({}, {"priest": "G5"}, {"farmer": "F6"})
    assert kingdoms(state) == ["G5 F6 G6"]


@pytest.mark.rule("tigris_euphrates#catastrophes-5")
def test_a_catastrophe_brings_no_points():
    state, events = act(drawn("E5", "k0 T S"), "catastrophe H5")
    assert keys(events) == ["catastrophe_placed"]
    assert (points(state, 0), points(state, 1)) == ({}, {})


@pytest.mark.rule("tigris_euphrates#catastrophes-1", "tigris_euphrates#setup-3")
def test_each_player_has_two_catastrophes():
    state = play(position(), "catastrophe G6", "catastrophe H6")
    assert data_of(state)["catastrophes_left"] == [0, 2]
    state = position(catastrophes="G6 H6", catastrophes_left=[0, 2])
    assert refusal(state, "catastrophe A1") == ("refused.no_catastrophe", "tigris_euphrates#catastrophes-1")
    assert legal(state, "catastrophe") == []


@pytest.mark.rule(
    "tigris_euphrates#catastrophes-6", "tigris_euphrates#swap-1", "tigris_euphrates#components-2", "tigris_euphrates#components-9"
)
def test_catastrophes_are_no_part_of_the_hand_and_cannot_be_swapped():
    for text in ("swap catastrophe", "swap temple catastrophe", "tile catastrophe A1"):
        with pytest.raises(ActionFormatError):
            game.parse_action(text)
    state = position(hands=["temple"])
    assert sum(hand(state, 0).values()) == 1
    assert legal(state, "swap") == ["swap temple"]


# Swaps


@pytest.mark.rule("tigris_euphrates#swap-1")
def test_any_number_of_tiles_is_discarded_and_as_many_are_drawn():
    state = position(hands=["settlement 2, temple, farm 3"])
    state, events = act(state, "swap settlement farm farm")
    assert keys(events) == ["swapped"]
    assert (data_of(state)["phase"], due(state), data_of(state)["swapping"]) == ("drawing", -1, 3)
    assert hand(state, 0) == {"settlement": 1, "temple": 1, "farm": 1}
    state = play(state, "draw temple market market")
    assert hand(state, 0) == {"settlement": 1, "temple": 2, "farm": 1, "market": 2}
    assert (data_of(state)["phase"], data_of(state)["actions_left"], due(state)) == ("action", 1, 0)


@pytest.mark.rule("tigris_euphrates#swap-1", "tigris_euphrates#swap-4", "tigris_euphrates#readings-5")
def test_every_part_of_the_hand_but_nothing_may_be_swapped():
    state = position(hands=["settlement 2, temple, farm 3"])
    assert len(legal(state, "swap")) == 3 * 2 * 4 - 1
    assert legal(state, "swap")[:3] == ["swap settlement", "swap temple", "swap farm"]
    assert legal(state, "swap")[-1] == "swap settlement settlement temple farm farm farm"
    with pytest.raises(ActionFormatError):
        game.parse_action("swap")
    with pytest.raises(ActionFormatError):
        game.parse_action("swap ")


@pytest.mark.rule("tigris_euphrates#swap-1")
def test_only_tiles_of_the_hand_can_be_swapped():
    state = position(hands=["settlement 2, temple"])
    assert refusal(state, "swap market") == ("refused.swap_not_held", "tigris_euphrates#swap-1")
    assert refusal(state, "swap temple temple") == ("refused.swap_not_held", "tigris_euphrates#swap-1")
    with pytest.raises(ActionFormatError):
        game.parse_action("swap temple settlement")  # not in order
    with pytest.raises(ActionFormatError):
        game.parse_action("swap " + " ".join(["temple"] * 7))


@pytest.mark.rule("tigris_euphrates#swap-3", "tigris_euphrates#swap-6")
def test_both_actions_may_be_swaps_of_six_tiles_each_and_new_tiles_may_be_swapped_again_or_placed():
    state = position(hands=["settlement 6"])
    six = " ".join(["farm"] * 6)
    state = play(state, "swap " + " ".join(["settlement"] * 6), f"draw {six}")
    assert "tile farm E1" in legal(state)
    state = play(state, f"swap {six}", "draw temple temple temple temple temple temple")
    assert data_of(state)["swapped"] == [{"settlement": 6, "farm": 6}, {}]
    assert data_of(state)["active"] == 1  # the hand is full: nobody draws


@pytest.mark.rule("tigris_euphrates#swap-2", "tigris_euphrates#hidden-4")
def test_swapped_tiles_are_secret_and_out_of_the_game():
    state = position(hands=["settlement 2, farm 4"], bag="temple 3, market 20")
    after, events = act(state, "swap settlement farm farm")
    assert events_for(events, 0) != events_for(events, 1) == events_for(events, None)
    assert event(events, "swapped").params == {"seat": 0, "n": 3}
    assert data_of(after)["bag"] == {"temple": 3, "market": 20}  # they do not return to the bag
    assert data_of(after)["gone"] == data_of(state)["gone"]  # nor among the tiles that left publicly
    assert game.view_for(after, 0).swapped[0] == {"settlement": 1, "farm": 2}
    for viewer in (1, None):
        view = game.view_for(after, viewer)
        assert (view.swapped[0], view.swapped_counts[0], view.hands[0]) == (None, 3, None)


# A swap that cannot draw


@pytest.mark.rule("tigris_euphrates#swap-5", "tigris_euphrates#end-4")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_swap_that_cannot_draw_as_many_ends_the_game_at_once(left):
    """Mistake 8 of this game's programs: no second action, and no points for the monument."""
    bag = {"temple": left} if left else {}
    state = position(
        built=[["black_red", "G5", "temple"]], tiles={"temple": "I5"}, leaders=["king J5"], hands=["market 6", "temple 6"], bag=bag
    )
    state, events = act(state, "swap market market market")
    if left:
        assert refusal(state, "draw temple temple temple", -1) == ("refused.draw_count", "tigris_euphrates#turn-5")
        state, events = act(state, "draw " + " ".join(["temple"] * left))
    assert keys(events)[-1] == "ended_by_swap"
    assert (data_of(state)["phase"], data_of(state)["ending"], due(state)) == ("scoring", "swap", -2)
    assert sum(hand(state, 0).values()) == 3 + left
    assert points(state, 0) == {}
    state = play(state, "score")
    assert game.outcome(state).reason == "swap"


@pytest.mark.rule(
    "tigris_euphrates#swap-5",
    "tigris_euphrates#end-3",
    "tigris_euphrates#end-2",
    "tigris_euphrates#monuments-10",
    "tigris_euphrates#end-7",
    "tigris_euphrates#readings-12",
)
def test_a_swap_that_draws_the_very_last_tiles_does_not_end_the_game():
    """The second action is played and the monument brings its point; a hand below six ends the game only after that."""
    state = position(
        built=[["black_red", "G5", "temple"]], tiles={"temple": "I5"}, leaders=["king J5"], hands=["market 6", "temple 6"], bag="farm 3"
    )
    state = play(state, "swap market market market", "draw farm farm farm")
    assert (data_of(state)["phase"], data_of(state)["actions_left"], data_of(state)["bag"]) == ("action", 1, {})
    goes_on = play(state, "catastrophe A1")
    assert (data_of(goes_on)["phase"], data_of(goes_on)["active"]) == ("action", 1)
    assert points(goes_on, 0) == {"black": 1}
    ends = play(state, "tile farm E1")
    assert (data_of(ends)["phase"], data_of(ends)["ending"]) == ("scoring", "bag")
    assert points(ends, 0) == {"black": 1}
    again = play(state, "swap farm")
    assert (data_of(again)["phase"], data_of(again)["ending"]) == ("scoring", "swap")
    assert points(again, 0) == {}
