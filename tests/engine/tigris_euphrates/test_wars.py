"""Two kingdoms united by a tile, with leaders of one colour on both sides (tigris_euphrates#wars)."""

from __future__ import annotations

import pytest

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


def began(state, text):
    """Return attacker, defender and their strengths on the board as announced when the war starts."""
    found = event(told(state, text), "war_began").params
    return found["seat"], found["other"], found["n"], found["m"]


def kingdoms(state):
    return sorted(squares(kingdom) for kingdom in state.kingdoms)


def simple(hands=("settlement 3, temple", "settlement 3, temple"), **fields):
    """Return two kingdoms of kings, with two settlements for seat 0 and one for seat 1; G5 is between them."""
    return drawn("D4", ". . . . . S .\n S k0 T . T k1 .\n. S . . . . .", hands=list(hands), **fields)


@pytest.mark.rule("tigris_euphrates#wars-1", "tigris_euphrates#conflicts-1", "tigris_euphrates#conflicts-2", "tigris_euphrates#conflicts-8")
@pytest.mark.parametrize("role", ["king", "priest", "farmer", "trader"])
def test_a_tile_that_unites_two_kingdoms_with_leaders_of_one_colour_means_war(role):
    state = position(leaders=[f"{role} E5", f"{role} I5"], tiles={"temple": "F5 H5"}, hands=["settlement"])
    state, events = act(state, "tile settlement G5")
    assert keys(events) == ["placed", "united", "war_began"]
    assert data_of(state)["conflict"] == {"kind": "war", "role": role, "attacker": 0, "defender": 1, "added": 0}
    assert (data_of(state)["union"], data_of(state)["actions_left"], due(state)) == ("G5", 2, 0)


@pytest.mark.rule("tigris_euphrates#wars-1", "tigris_euphrates#wars-14")
def test_leaders_of_different_colours_do_not_fight_when_their_kingdoms_unite():
    state = position(leaders=["king E5, trader F4", "priest I5, farmer H4"], tiles={"temple": "F5 H5"}, hands=["settlement"])
    state = play(state, "tile settlement G5")
    assert kingdoms(state) == ["F3 F4 H4 E5 F5 G5 H5 I5"]
    assert (data_of(state)["phase"], data_of(state)["union"], data_of(state)["actions_left"]) == ("action", None, 1)


# Strength


@pytest.mark.rule("tigris_euphrates#wars-4")
def test_strength_is_all_tiles_of_the_colour_in_the_leader_s_kingdom_near_or_far():
    state = drawn(
        "D5",
        """
        S  k0 T  .  T  k1 S
        S  .  M  .  S  .  S
        """,
        tiles={"settlement": "E7 K6"},
        hands=["market, settlement"],
    )
    assert kingdoms(state) == ["D5 E5 F5 D6 F6", "H5 I5 J5 H6 J6 K6"]  # E7 is separate
    assert began(state, "tile market G5") == (0, 1, 2, 4)


@pytest.mark.rule("tigris_euphrates#wars-4", "tigris_euphrates#wars-11", "tigris_euphrates#wars-6", "tigris_euphrates#readings-8")
def test_the_union_tile_and_regions_without_leaders_beside_it_belong_to_neither_side():
    """Settlements on G4 and G6 touch only the union tile, a settlement itself."""
    state = simple(tiles={"settlement": "G4 G6"})
    assert began(state, "tile settlement G5") == (0, 1, 2, 1)
    lost = play(state, "tile settlement G5", "support 0 settlement", "support 3 settlement")
    assert tiles(lost, "settlement") == "G4 I4 G5 G6"
    assert points(lost, 1) == {"black": 3}
    won = play(state, "tile settlement G5", "support 0 settlement", "support 0 settlement")
    assert tiles(won, "settlement") == "G4 D5 G5 E6 G6"
    assert points(won, 0) == {"black": 2}


@pytest.mark.rule("tigris_euphrates#wars-4", "tigris_euphrates#monuments-6")
def test_tiles_turned_face_down_support_nobody_in_a_war_and_stay():
    """Mistake 5 of this game's programs: face-down tiles counted, or removed."""
    state = position(
        leaders=["king E5", "king I5"],
        tiles={"temple": "F5 H5", "settlement": "D5"},
        built=[["black_green", "H3", "settlement"], ["black_red", "J5", "settlement"]],
        hands=["market, settlement", ""],
    )
    assert kingdoms(state)[1] == "H3 I3 H4 I4 H5 I5 J5 K5 J6 K6"
    assert began(state, "tile market G5") == (0, 1, 1, 0)
    after = play(state, "tile market G5", "support 0 settlement", "support 0 settlement")
    assert points(after, 0) == {"black": 1}
    assert squares(after.down) == "H3 I3 H4 I4 J5 K5 J6 K6"


# Attacker and defender


@pytest.mark.rule("tigris_euphrates#wars-3", "tigris_euphrates#turn-1")
@pytest.mark.parametrize(
    ("active", "one", "other", "attacker"),
    [
        (0, 0, 1, 0),
        (1, 0, 1, 1),
        (3, 0, 3, 3),
        (0, 1, 2, 1),
        (2, 1, 3, 3),
        (3, 1, 2, 1),
        (1, 0, 3, 3),
        (1, 3, 0, 3),
        (2, 0, 1, 0),
        (1, 2, 0, 2),
    ],
)
def test_the_active_player_attacks_if_involved_and_else_the_first_one_involved_after_it(active, one, other, attacker):
    placed = ["", "", "", ""]
    placed[one], placed[other] = "king E5", "king I5"
    hands = [None] * 4
    hands[active] = "market"
    state = position(leaders=placed, tiles={"temple": "F5 H5"}, hands=hands, active=active)
    state = play(state, "tile market G5")
    conflict = data_of(state)["conflict"]
    assert {conflict["attacker"], conflict["defender"]} == {one, other}
    assert (conflict["attacker"], due(state)) == (attacker, attacker)
    state = play(state, "support 0 settlement")
    assert due(state) == conflict["defender"]
    state = play(state, "support 0 settlement")
    assert due(state) == active  # the turn continues


@pytest.mark.rule("tigris_euphrates#wars-5", "tigris_euphrates#conflicts-3")
@pytest.mark.parametrize(("role", "kind"), [("king", "settlement"), ("priest", "temple"), ("farmer", "farm"), ("trader", "market")])
def test_tiles_of_the_leader_s_colour_are_added_and_no_others(role, kind):
    hands = [{"settlement": 2, "temple": 1, "farm": 1, "market": 2}, {"settlement": 1, "temple": 2, "farm": 2, "market": 1}]
    state = position(leaders=[f"{role} E5", f"{role} I5"], tiles={"temple": "F5 H5"}, hands=hands)
    state = play(state, "tile settlement G5")
    held = hand(state, 0)[kind]
    assert legal(state) == [f"support {n} {kind}" for n in range(held + 1)]
    for other in ("settlement", "temple", "farm", "market"):
        if other != kind:
            assert refusal(state, f"support 1 {other}") == ("refused.war_needs_colour", "tigris_euphrates#wars-5")
    assert refusal(state, f"support {held + 1} {kind}") == ("refused.support_not_held", "tigris_euphrates#conflicts-3")
    state = play(state, f"support {held} {kind}")
    assert legal(state) == [f"support {n} {kind}" for n in range(hands[1][kind] + 1)]


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-2")
def test_a_seat_that_is_not_asked_does_not_answer_in_a_war():
    state = position(leaders=["", "king E5", "king I5"], tiles={"temple": "F5 H5"}, hands=["market, settlement"])
    state = play(state, "tile market G5")
    assert due(state) == 1
    for actor in (0, 2):  # the active seat neither
        assert refusal(state, "support 0 settlement", actor) == ("refused.conflict_of_others", "tigris_euphrates#conflicts-3")
    for text in ("pass", "withdraw king", "leader king A2"):  # a conflict cannot be avoided by a move
        assert refusal(state, text, 1) == ("refused.support_first", "tigris_euphrates#conflicts-2")


# Outcome


@pytest.mark.rule("tigris_euphrates#conflicts-4", "tigris_euphrates#wars-6", "tigris_euphrates#wars-7", "tigris_euphrates#conflicts-10")
@pytest.mark.parametrize(("attack", "defence", "winner"), [(0, 0, 0), (0, 1, 1), (1, 1, 0), (1, 2, 1), (0, 3, 1), (2, 3, 1), (2, 2, 0)])
def test_the_stronger_side_wins_and_the_defender_wins_a_tie(attack, defence, winner):
    """Two supporters against one on the board. The winner gets the loser's tiles on the board and one for the leader."""
    state = simple()
    state = play(state, "tile settlement G5", f"support {attack} settlement", f"support {defence} settlement")
    assert points(state, winner) == {"black": (2, 3)[winner]}
    assert points(state, 1 - winner) == {}
    assert leaders(state, winner) == {"king": ("E5", "I5")[winner]}
    assert leaders(state, 1 - winner) == {}
    assert tiles(state, "settlement") == ("D5 G5 E6", "I4 G5")[winner]


@pytest.mark.rule("tigris_euphrates#conflicts-5", "tigris_euphrates#wars-6", "tigris_euphrates#wars-7")
def test_added_tiles_of_both_sides_leave_the_game_and_bring_no_points():
    state = play(simple(), "tile settlement G5", "support 2 settlement", "support 3 settlement")
    assert data_of(state)["gone"] == {"settlement": 5 + 2}  # two of them from the board
    assert (hand(state, 0), hand(state, 1)) == ({"temple": 1}, {"temple": 1})
    assert points(state, 1) == {"black": 3}
    assert tiles(state, "settlement") == "I4 G5"  # the winner's tiles on the board stay


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-7", "tigris_euphrates#readings-15")
def test_support_has_no_limit_but_the_hand():
    """Not the variant in which the attacker adds only enough to win and the defender only enough to tie."""
    state = play(simple(), "tile settlement G5")
    assert legal(state)[-1] == "support 2 settlement"  # one would be enough
    assert legal(play(state, "support 0 settlement"))[-1] == "support 3 settlement"


@pytest.mark.rule("tigris_euphrates#conflicts-6", "tigris_euphrates#turn-5")
def test_hands_are_not_filled_between_wars_but_at_the_end_of_the_turn():
    """Mistake 4 of this game's programs."""
    state = position(
        leaders=["king E5, trader F4", "", "king I5, trader H4"],
        tiles={"temple": "F5 H5"},
        hands=["settlement 3, market 3", "temple 6", "settlement 3, market 3"],
    )
    state = play(state, "tile settlement G5", "war king", "support 2 settlement", "support 1 settlement")
    assert legal(state) == [f"support {n} market" for n in range(4)]
    state = play(state, "support 3 market", "support 2 market")
    assert [sum(hand(state, seat).values()) for seat in range(3)] == [0, 6, 3]
    assert "swap settlement" not in legal(state)
    state = play(state, "pass")
    assert (data_of(state)["phase"], data_of(state)["due"]) == ("drawing", 0)
    state = play(state, "draw temple temple temple temple temple temple")
    assert data_of(state)["due"] == 2
    state = play(state, "draw farm farm farm")
    assert (data_of(state)["phase"], data_of(state)["active"]) == ("action", 1)


# Priests


@pytest.mark.rule("tigris_euphrates#wars-8", "tigris_euphrates#wars-7", "tigris_euphrates#wars-4")
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_in_a_war_of_priests_temples_with_a_treasure_or_beside_another_leader_stay_and_count_as_strength(owner):
    """Mistake 2 of this game's programs. The leader that guards a temple may be anybody's, even the winner's.

    The temple on I7 has a treasure, J7 is beside the trader on K7, H6 beside the losing priest only, I6 beside no leader.
    """
    placed = ["priest D6", "priest H7", ""]
    placed[owner] += ", trader K7"
    state = position(leaders=placed, tiles={"temple": "E6 F6 H6 I6 J7"}, hands=["market, temple 3", "", ""])
    assert began(state, "tile market G6") == (0, 1, 2, 4)  # H6, I6, J7 and I7
    state = play(state, "tile market G6", "support 3 temple", "support 0 temple")
    assert leaders(state, 1).get("priest") is None
    assert {"I7", "J7"} <= set(tiles(state, "temple").split())
    assert not {"H6", "I6"} & set(tiles(state, "temple").split())
    assert points(state, 0) == {"red": 3}  # for two temples and the priest
    assert data_of(state)["gone"] == {"temple": 5}
    assert leaders(state, owner)["trader"] == "K7"
    assert "I7" in data_of(state)["treasures"]


@pytest.mark.rule("tigris_euphrates#wars-8")
def test_a_temple_beside_the_losing_priest_and_beside_another_leader_stays():
    state = drawn("D5", "p0 T T . T p1 .\n. . . . f2 T .", hands=["market, temple 2", "", ""])
    state = play(state, "tile market G5", "support 2 temple", "support 0 temple")
    assert points(state, 0) == {"red": 1}  # H5 and I6 are beside the farmer on H6
    assert {"H5", "I6"} <= set(tiles(state, "temple").split())
    assert leaders(state, 2) == {"farmer": "H6"}


@pytest.mark.rule("tigris_euphrates#wars-8", "tigris_euphrates#leaders-6", "tigris_euphrates#wars-15")
def test_a_war_of_priests_strips_no_leader_of_its_last_temple():
    state = drawn("D5", ". p0 T . T f1 .\n. . . . p1 T k2", hands=["market, temple 3", "", ""])
    state = play(state, "tile market G5", "support 3 temple", "support 0 temple")
    assert leaders(state, 1) == {"farmer": "I5"}
    assert leaders(state, 2) == {"king": "J6"}
    assert points(state, 0) == {"red": 1}


@pytest.mark.rule("tigris_euphrates#wars-8", "tigris_euphrates#wars-6")
def test_treasures_and_leaders_guard_only_temples():
    """In a war of kings settlements beside other leaders are removed."""
    state = drawn("D5", ". k0 T . T k1 .\n. . . . S p1 T", hands=["market, settlement 3", ""])
    state = play(state, "tile market G5", "support 2 settlement", "support 0 settlement")
    assert tiles(state, "settlement") == ""
    assert points(state, 0) == {"black": 2}


# Several wars


def all_four():
    """Return two kingdoms with all leaders of seat 1 and of seat 2; seat 0 is active and has none. F5 is between them."""
    return position(
        leaders=["", "king C5, priest D6, farmer E4, trader E6", "king G4, priest G6, farmer H4, trader H6"],
        tiles={"temple": "D5 E5 G5 H5"},
        hands=["market", "temple, settlement, farm", "market"],
    )


@pytest.mark.rule("tigris_euphrates#wars-2", "tigris_euphrates#wars-13", "tigris_euphrates#wars-3")
def test_one_union_may_hold_four_wars_and_the_active_player_picks_the_order_even_when_not_involved():
    state = play(all_four(), "tile market F5")
    assert (due(state), data_of(state)["phase"]) == (0, "war_choice")
    assert legal(state) == ["war king", "war priest", "war farmer", "war trader"]
    state, events = act(state, "war farmer")
    assert keys(events) == ["war_chosen", "war_began"]
    assert (due(state), data_of(state)["conflict"]["role"]) == (1, "farmer")
    state = play(state, "support 1 farm", "support 0 farm")
    assert points(state, 1) == {"blue": 1}
    assert (due(state), legal(state)) == (0, ["war king", "war priest", "war trader"])
    state = play(state, "war trader", "support 0 market", "support 0 market")  # a tie
    assert points(state, 2) == {"green": 1}
    assert legal(state) == ["war king", "war priest"]
    state = play(state, "war king", "support 1 settlement", "support 0 settlement")
    assert points(state, 1) == {"blue": 1, "black": 1}
    assert due(state) == 1  # the last one needs no choice
    assert data_of(state)["conflict"]["role"] == "priest"
    state = play(state, "support 0 temple", "support 0 temple")
    assert points(state, 2) == {"green": 1, "red": 1}  # the temples of seat 1 are beside its king and its farmer
    assert (leaders(state, 1), leaders(state, 2)) == ({"king": "C5", "farmer": "E4"}, {"priest": "G6", "trader": "H6"})
    assert (data_of(state)["phase"], due(state), data_of(state)["actions_left"]) == ("action", 0, 1)


@pytest.mark.rule("tigris_euphrates#wars-2")
def test_only_the_active_player_picks_the_war_and_only_one_that_is_to_be_fought():
    state = position(leaders=["", "king E5, trader F4", "king I5, trader H4"], tiles={"temple": "F5 H5"}, hands=["market"])
    state = play(state, "tile market G5")
    assert refusal(state, "war king", 1) == ("refused.not_your_turn", "tigris_euphrates#turn-1")
    assert refusal(state, "war priest") == ("refused.no_such_war", "tigris_euphrates#wars-2")
    assert refusal(state, "support 0 market") == ("refused.choose_war", "tigris_euphrates#wars-2")
    assert refusal(state, "pass") == ("refused.choose_war", "tigris_euphrates#wars-2")
    assert refusal(position(), "war king") == ("refused.no_conflict", "tigris_euphrates#conflicts-1")


# When kingdoms fall apart


EXAMPLE = {
    "leaders": ["king D5, trader E4", "trader H4, king I5"],
    "tiles": {"temple": "E5 H5", "market": "E6 G5 H6"},
    "hands": ["settlement, market 4", "market 2"],
}
"""The rule book's example: the market on G5 links the leaders of seat 1 to the union tile F5."""


@pytest.mark.rule("tigris_euphrates#wars-9", "tigris_euphrates#wars-2", "tigris_euphrates#wars-7", "tigris_euphrates#conflicts-5")
def test_the_example_a_war_of_traders_lets_the_kingdom_fall_apart_and_the_war_of_kings_is_void():
    state = play(position(**EXAMPLE), "tile settlement F5")
    assert legal(state) == ["war king", "war trader"]
    assert began(state, "war trader") == (0, 1, 1, 2)
    state, events = act(play(state, "war trader", "support 4 market"), "support 1 market")
    won = event(events, "war_won").params
    assert (won["seat"], won["n"], won["m"], won["removed"], won["points"]) == (0, 5, 3, 2, 3)
    assert event(events, "war_void").params == {"role": "king"}
    assert points(state, 0) == {"green": 3}
    assert points(state, 1) == {}
    assert data_of(state)["gone"] == {"market": 5 + 2}
    assert tiles(state, "market") == "E6"
    assert kingdoms(state) == ["E4 D5 E5 F5 E6", "H5 I5"]
    assert (leaders(state, 0), leaders(state, 1)) == ({"king": "D5", "trader": "E4"}, {"king": "I5"})
    assert (data_of(state)["phase"], data_of(state)["union"], data_of(state)["actions_left"], due(state)) == ("action", None, 1, 0)


@pytest.mark.rule("tigris_euphrates#wars-9", "tigris_euphrates#wars-2")
def test_in_the_other_order_both_wars_are_fought():
    state = play(position(**EXAMPLE), "tile settlement F5", "war king", "support 0 settlement", "support 0 settlement")
    assert points(state, 1) == {"black": 1}
    assert leaders(state, 0) == {"trader": "E4"}
    assert (due(state), data_of(state)["conflict"]["role"]) == (0, "trader")


@pytest.mark.rule("tigris_euphrates#wars-9")
def test_a_leader_that_goes_home_may_part_two_others_as_well():
    """Seat 1's trader itself links its king to the union tile."""
    state = position(
        leaders=["king E5, trader F4", "trader H5, king I6"], tiles={"temple": "F5 H4", "settlement": "I5"}, hands=["temple, market", ""]
    )
    state = play(state, "tile temple G5")
    assert legal(state) == ["war king", "war trader"]
    state, events = act(play(state, "war trader", "support 1 market"), "support 0 market")
    assert event(events, "war_void").params == {"role": "king"}
    assert leaders(state, 1) == {"king": "I6"}
    assert data_of(state)["phase"] == "action"


SPLIT = {
    "leaders": ["king D5, trader E4, farmer E6", "king F7, trader I5, farmer H4"],
    "tiles": {"temple": "E5 G7 H5", "settlement": "F5 G6 H3", "market": "H6"},
}
"""F5 and G6 and H5 touch the union tile G5. The market on H6 links G6 (with seat 1's king) and H5 (with its farmer)."""


@pytest.mark.rule("tigris_euphrates#wars-9", "tigris_euphrates#wars-11", "tigris_euphrates#readings-8")
def test_with_three_kingdoms_at_the_union_tile_after_a_split_the_remaining_wars_go_on():
    """Mistake 3 of this game's programs: the other wars are forgotten."""
    state = play(position(**SPLIT, hands=["temple, market 2, farm", "market"]), "tile temple G5")
    assert legal(state) == ["war king", "war farmer", "war trader"]
    state, events = act(play(state, "war trader", "support 2 market"), "support 0 market")
    assert "war_void" not in keys(events)
    assert tiles(state, "market") == ""
    assert legal(state) == ["war king", "war farmer"]
    state = play(state, "war farmer", "support 1 farm", "support 0 farm")
    assert points(state, 0) == {"green": 2, "blue": 1}
    assert data_of(state)["conflict"] == {"kind": "war", "role": "king", "attacker": 0, "defender": 1, "added": 0}
    state = play(state, "support 0 settlement", "support 0 settlement")
    assert points(state, 1) == {"black": 2}  # one to one: the defender wins
    assert leaders(state, 0) == {"trader": "E4", "farmer": "E6"}


@pytest.mark.rule("tigris_euphrates#wars-10", "tigris_euphrates#readings-8")
def test_after_a_split_only_the_part_with_the_leader_supports_it():
    """The settlement on H3 was in the kingdom of seat 1's king, and is in another one when the kings fight."""
    state = play(position(**SPLIT, hands=["temple, market 2, settlement", ""]), "tile temple G5")
    assert began(state, "war king") == (0, 1, 1, 2)
    state = play(state, "war trader", "support 2 market", "support 0 market")
    assert began(state, "war king") == (0, 1, 1, 1)
    state = play(state, "war king", "support 1 settlement", "support 0 settlement")
    assert leaders(state, 1) == {"farmer": "H4"}
    assert tiles(state, "settlement") == "H3 F5"  # tiles that are not support are not removed either
    assert points(state, 0) == {"green": 2, "black": 2}


@pytest.mark.rule("tigris_euphrates#wars-9", "tigris_euphrates#wars-10")
def test_a_part_cut_off_without_leader_supports_nobody_and_stays():
    """When the market on J5 is lost, the settlement on K5 is a region without a leader."""
    state = position(
        leaders=["king E5, trader F4", "king H4, trader I4"],
        tiles={"temple": "F5 H5 I5", "settlement": "D5 K5", "market": "J5"},
        hands=["temple, market 2, settlement", ""],
    )
    state = play(state, "tile temple G5", "war trader", "support 2 market", "support 0 market")
    assert data_of(state)["conflict"]["role"] == "king"
    state = play(state, "support 0 settlement", "support 0 settlement")
    assert points(state, 0) == {"green": 2, "black": 1}  # one to none
    assert tiles(state, "settlement") == "D5 K5"


# Afterwards


@pytest.mark.rule("tigris_euphrates#wars-12")
def test_after_the_wars_the_union_tile_is_an_ordinary_tile():
    state = simple()
    state = play(state, "tile settlement G5", "support 0 settlement", "support 0 settlement")
    assert kingdoms(state) == ["D5 E5 F5 G5 H5 E6"]  # what is left of both sides is one kingdom
    assert data_of(state)["union"] is None
    assert "catastrophe G5" in legal(state)
    covered = play(state, "catastrophe G5")
    assert data_of(covered)["gone"] == {"settlement": 1 + 1}


@pytest.mark.rule("tigris_euphrates#wars-12", "tigris_euphrates#wars-4", "tigris_euphrates#wars-6")
def test_the_union_tile_of_one_war_supports_and_is_lost_in_the_next():
    state = drawn("D4", ". . . . . S\n S k0 T . T k1\n. S . . . .\n. . k2 T . .", hands=["settlement, market", "", "settlement 4"])
    state = play(state, "tile settlement G5", "support 0 settlement", "support 0 settlement")
    assert kingdoms(state) == ["D5 E5 F5 G5 H5 E6", "F7 G7"]
    assert began(state, "tile market G6") == (0, 2, 3, 0)  # G5 is one of the three
    state = play(state, "tile market G6", "support 0 settlement", "support 4 settlement")
    assert points(state, 2) == {"black": 4}
    assert tiles(state, "settlement") == ""


@pytest.mark.rule("tigris_euphrates#wars-12", "tigris_euphrates#kingdoms-4")
def test_sides_that_a_war_has_parted_stay_apart():
    state = play(position(**EXAMPLE), "tile settlement F5", "war trader", "support 4 market", "support 0 market")
    assert kingdoms(state) == ["E4 D5 E5 F5 E6", "H5 I5"]


@pytest.mark.rule("tigris_euphrates#wars-7", "tigris_euphrates#hidden-2")
def test_what_a_war_brings_and_removes_is_told_to_everybody():
    events = told(simple(), "tile settlement G5", "support 0 settlement", "support 0 settlement")
    won = event(events, "war_won")
    assert won.secret == {}
    assert (won.params["points"], won.params["removed"], won.params["squares"], won.params["leader"]) == (2, 1, "I4", "king_bull")
    assert game.view_for(simple(), None).points == (None, None)
