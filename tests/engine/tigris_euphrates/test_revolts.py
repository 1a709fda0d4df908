"""Two leaders of one colour in a kingdom because one was placed there (tigris_euphrates#revolts, #conflicts)."""

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
    told,
)

ONE_EACH = {"leaders": ["", "king C2"], "hands": ["temple 3, settlement 2", "temple 2, market"]}  # B2 is beside both kings


def began(state, text):
    """Return the strengths of attacker and defender on the board, as announced when the revolt starts."""
    found = event(told(state, text), "revolt_began").params
    return found["n"], found["m"]


@pytest.mark.rule(
    "tigris_euphrates#revolts-1",
    "tigris_euphrates#revolts-2",
    "tigris_euphrates#conflicts-1",
    "tigris_euphrates#conflicts-2",
    "tigris_euphrates#conflicts-8",
)
@pytest.mark.parametrize("role", ["king", "priest", "farmer", "trader"])
def test_a_leader_placed_into_a_kingdom_with_one_of_its_colour_revolts(role):
    state = position(leaders=["", "", f"{role} C2"], active=1)
    state, events = act(state, f"leader {role} B3")
    assert keys(events) == ["leader_placed", "revolt_began"]
    assert data_of(state)["conflict"] == {"kind": "revolt", "role": role, "attacker": 1, "defender": 2, "added": 0}
    assert due(state) == 1  # the attacker, who placed the leader, answers first
    assert data_of(state)["actions_left"] == 2  # the action is not over yet


@pytest.mark.rule("tigris_euphrates#revolts-1", "tigris_euphrates#leaders-1")
def test_a_leader_moved_into_such_a_kingdom_revolts_as_well():
    state = play(position(leaders=["king K2", "king C2"]), "leader king B3")
    assert data_of(state)["conflict"]["kind"] == "revolt"
    after = play(state, "support 0 temple", "support 0 temple")
    assert leaders(after, 0) == {}  # the loser goes home, not back to K2


@pytest.mark.rule("tigris_euphrates#revolts-1", "tigris_euphrates#kingdoms-5")
def test_a_leader_of_another_colour_does_not_revolt():
    state = play(position(leaders=["", "king C2"]), "leader priest B3")
    assert data_of(state)["phase"] == "action"


# Strength


@pytest.mark.rule("tigris_euphrates#revolts-3")
def test_a_temple_beside_both_leaders_counts_for_both():
    assert began(position(**ONE_EACH), "leader king B3") == (1, 1)


@pytest.mark.rule("tigris_euphrates#revolts-3")
def test_strength_is_the_number_of_temples_beside_the_leader_and_nothing_else():
    """Not those at a corner or elsewhere in the kingdom, not tiles of the leader's colour, not temples of another region."""
    state = drawn(
        "E4",
        """
        T  T  T  T
        S  .  k1 S
        S  S  T  T
        """,
        tiles={"temple": "K5"},
    )
    assert began(state, "leader king F5") == (1, 2)


@pytest.mark.rule("tigris_euphrates#revolts-3", "tigris_euphrates#monuments-6")
def test_temples_turned_face_down_give_no_strength_in_a_revolt():
    state = drawn("E5", "T k1 . .\n. T . .", built=[["black_red", "G5", "temple"]], leaders=["", ""])
    assert began(state, "leader king E6") == (2, 2)
    assert squares(state.down) == "G5 H5 G6 H6"


@pytest.mark.rule("tigris_euphrates#revolts-3", "tigris_euphrates#revolts-4", "tigris_euphrates#conflicts-10")
@pytest.mark.parametrize("role", ["king", "farmer", "trader", "priest"])
def test_a_revolt_is_decided_by_temples_and_brings_a_red_point_whatever_the_leaders_are(role):
    state = position(leaders=["", f"{role} C2"], hands=["temple, settlement, farm, market", ""])
    state = play(state, f"leader {role} B3")
    assert legal(state) == ["support 0 temple", "support 1 temple"]
    state = play(state, "support 1 temple", "support 0 temple")
    assert (points(state, 0), points(state, 1)) == ({"red": 1}, {})
    assert (leaders(state, 0), leaders(state, 1)) == ({role: "B3"}, {})


# Adding tiles


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#revolts-6")
def test_the_attacker_adds_openly_then_the_defender_and_each_only_once():
    state = play(position(**ONE_EACH), "leader king B3")
    assert (due(state), data_of(state)["phase"]) == (0, "attack")
    assert legal(state) == [f"support {n} temple" for n in range(4)]
    state, events = act(state, "support 2 temple")
    assert event(events, "supported").params["n"] == 2
    assert (due(state), data_of(state)["phase"]) == (1, "defence")
    assert game.view_for(state, 1).conflict.added == 2  # the defender knows it
    assert legal(state) == [f"support {n} temple" for n in range(3)]
    state, events = act(state, "support 1 temple")
    assert (due(state), data_of(state)["phase"]) == (0, "action")
    assert keys(events) == ["supported", "revolt_won"]


@pytest.mark.rule(
    "tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-7", "tigris_euphrates#hidden-6", "tigris_euphrates#readings-6"
)
def test_any_number_may_be_added_even_more_than_needed_or_too_few_to_matter():
    state = play(position(**ONE_EACH), "leader king B3", "support 0 temple")
    assert legal(state) == ["support 0 temple", "support 1 temple", "support 2 temple"]  # 0 would be enough to win
    state = play(state, "support 2 temple")
    assert hand(state, 1) == {"market": 1}


@pytest.mark.rule("tigris_euphrates#conflicts-4", "tigris_euphrates#revolts-4")
@pytest.mark.parametrize(("attack", "defence", "winner"), [(0, 0, 1), (1, 0, 0), (1, 1, 1), (2, 1, 0), (2, 2, 1), (3, 2, 0), (0, 2, 1)])
def test_the_stronger_side_wins_and_the_defender_wins_a_tie(attack, defence, winner):
    state = play(position(**ONE_EACH), "leader king B3", f"support {attack} temple", f"support {defence} temple")
    assert points(state, winner) == {"red": 1}
    assert points(state, 1 - winner) == {}
    assert leaders(state, winner) == {"king": ("B3", "C2")[winner]}
    assert leaders(state, 1 - winner) == {}
    assert data_of(state)["conflict"] is None


@pytest.mark.rule("tigris_euphrates#conflicts-5", "tigris_euphrates#revolts-5", "tigris_euphrates#revolts-7")
def test_added_temples_of_both_sides_leave_the_game_and_no_tile_leaves_the_board():
    state = position(tiles={"temple": "C1 B1"}, leaders=["", "king C2"], hands=["temple 3", "temple 2"])
    after = play(state, "leader king B3", "support 3 temple", "support 2 temple")
    assert data_of(after)["gone"] == {"temple": 5}
    assert (hand(after, 0), hand(after, 1)) == ({}, {})
    assert tiles(after, "temple") == tiles(state, "temple")
    assert data_of(after)["bag"] == data_of(state)["bag"]


@pytest.mark.rule("tigris_euphrates#conflicts-6")
def test_hands_are_not_filled_after_a_revolt_but_at_the_end_of_the_turn():
    """Mistake 4 of this game's programs: the defender draws at once."""
    state = position(leaders=["", "king C2", ""], hands=["temple 3, farm 3", "temple 2, farm 4", "market 6"])
    state = play(state, "leader king B3", "support 2 temple", "support 1 temple")
    assert [sum(hand(state, seat).values()) for seat in range(3)] == [4, 5, 6]
    state = play(state, "leader trader A2")
    assert (data_of(state)["phase"], due(state), data_of(state)["due"]) == ("drawing", -1, 0)
    state = play(state, "draw temple temple")
    assert data_of(state)["due"] == 1
    state = play(state, "draw market")
    assert data_of(state)["active"] == 1


@pytest.mark.rule("tigris_euphrates#revolts-5", "tigris_euphrates#treasures-1", "tigris_euphrates#revolts-8", "tigris_euphrates#readings-7")
def test_a_link_by_the_losing_attacker_is_gone_before_treasures_are_looked_at():
    """The king on I10 joins the kingdom of F10 and the temple of K11, each with a treasure."""
    linking = position(
        leaders=["", "king E10, trader F11"],
        tiles={"settlement": "G10", "temple": "H10", "market": "J10 K10"},
        hands=["temple 2", ""],
    )
    state = play(linking, "leader king I10")
    lost = play(state, "support 0 temple", "support 0 temple")
    assert leaders(lost, 0) == {}
    assert (data_of(lost)["phase"], due(lost), data_of(lost)["jokers"]) == ("action", 0, [0, 0])
    won = play(state, "support 1 temple", "support 0 temple")
    assert leaders(won, 1) == {"trader": "F11"}
    assert (data_of(won)["phase"], due(won)) == ("treasure", 1)


@pytest.mark.rule("tigris_euphrates#revolts-5")
def test_a_defender_that_goes_home_may_split_the_kingdom():
    state = drawn("E5", "T k1 S f1 T", hands=["temple", ""], tiles={"temple": "F4"})
    state = play(state, "leader king E4", "support 1 temple", "support 0 temple")
    assert sorted(squares(kingdom) for kingdom in state.kingdoms) == ["F3 E4 F4 E5", "G5 H5 I5"]


# Refusals


@pytest.mark.rule("tigris_euphrates#revolts-3", "tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-2")
def test_in_a_revolt_nothing_but_temples_of_the_hand_can_be_added():
    state = play(position(**ONE_EACH), "leader king B3")
    assert refusal(state, "support 1 settlement") == ("refused.revolt_needs_temples", "tigris_euphrates#revolts-3")
    assert refusal(state, "support 0 settlement") == ("refused.revolt_needs_temples", "tigris_euphrates#revolts-3")
    assert refusal(state, "support 4 temple") == ("refused.support_not_held", "tigris_euphrates#conflicts-3")
    for text in ("pass", "tile temple J1", "withdraw king", "decline", "treasure B2", "war king", "swap temple"):
        assert refusal(state, text) == ("refused.support_first", "tigris_euphrates#conflicts-2")


@pytest.mark.rule("tigris_euphrates#conflicts-3")
def test_a_seat_that_is_not_asked_cannot_answer():
    state = play(position(**ONE_EACH, seats=3), "leader king B3")
    for actor in (1, 2):
        assert refusal(state, "support 1 temple", actor) == ("refused.conflict_of_others", "tigris_euphrates#conflicts-3")
        assert game.legal_actions(state, actor) == []
    state = play(state, "support 1 temple")
    for actor in (0, 2):
        assert refusal(state, "support 0 temple", actor) == ("refused.conflict_of_others", "tigris_euphrates#conflicts-3")


@pytest.mark.rule("tigris_euphrates#conflicts-1")
def test_without_a_conflict_nothing_can_be_added():
    assert refusal(position(**ONE_EACH), "support 0 temple") == ("refused.no_conflict", "tigris_euphrates#conflicts-1")
    for text in ("support 7 temple", "support -1 temple", "support temple", "support 1", "support 1 king", "support 1 temple temple"):
        with pytest.raises(ActionFormatError):
            game.parse_action(text)


# The example of the rule book


@pytest.mark.rule("tigris_euphrates#conflicts-4", "tigris_euphrates#conflicts-5", "tigris_euphrates#revolts-4")
def test_the_example_two_and_two_against_one_and_three_is_won_by_the_defender():
    state = position(tiles={"temple": "A3"}, leaders=["", "king C2"], hands=["temple 2", "temple 3"])
    assert began(state, "leader king B3") == (2, 1)
    state = play(state, "leader king B3", "support 2 temple")
    state, events = act(state, "support 3 temple")
    won = event(events, "revolt_won").params
    assert (won["seat"], won["n"], won["m"]) == (1, 4, 4)
    assert points(state, 1) == {"red": 1}
    assert leaders(state, 0) == {}
    assert data_of(state)["gone"] == {"temple": 5}
