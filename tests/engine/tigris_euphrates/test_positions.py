"""Position files: missing values are filled in, impossible ones are refused with the name of the field."""

from __future__ import annotations

import json
from functools import partial

import pytest

from games.core.contract import PositionError
from games.core.rng import SeededRng
from games.tigris_euphrates.components import COUNTS, KINDS
from tests.engine.refused import refused as refused_by
from tests.engine.tigris_euphrates.builders import data_from, data_of, drawn, due, game, hand, leaders, play, position, tiles

# Seat 0 has a king and a trader beside F10, seat 1 a king and a priest beside I7; a farm on G9 would unite them.
COURT = {
    "leaders": ["king F9, trader E10", "king I8, priest J7"],
    "tiles": {"temple": "I6", "settlement": "F11 H8", "farm": "H9"},
    "hands": ["farm 3, temple 2, settlement 1", "settlement 2, temple 1, market 3"],
}


def court(**fields):
    return position(**(COURT | fields))


refused = partial(refused_by, game)


def good():
    return data_of(court(seats=3))


def at_war():
    """Return the war of the kings over the farm on G9, the attacker asked."""
    return data_of(play(court(), "tile farm G9"))


def in_revolt():
    return data_of(play(court(leaders=["trader E10", "king F9"]), "leader king G10"))


def at_monument():
    state = position(tiles={"temple": "E10 E11"}, leaders=["", "priest D10"], hands=["temple 6"])
    return data_of(play(state, "tile temple F11"))


def collecting():
    """Return the trader of seat 1 with three treasures in its kingdom, two of them of corners, seat 0 on turn."""
    state = position(
        leaders=["king C2", "trader A2"],
        tiles={"temple": "C1 D1 D2", "settlement": "B1 B3 B5 B6 A5 A6", "farm": "A4 A7 B7"},
        hands=["farm 6"],
    )
    return data_of(play(state, "tile farm B4"))


def test_a_good_position_is_read():
    for data in (good(), at_war(), in_revolt(), at_monument(), collecting()):
        state = game.state_from_json(json.loads(json.dumps(data)))
        assert data_of(state) == data
        assert game.complete(data, SeededRng(1)) == state


def test_the_phases_of_these_positions():
    found = [data["phase"] for data in (good(), at_war(), in_revolt(), at_monument(), collecting())]
    assert found == ["action", "attack", "attack", "monument", "treasure"]


BROKEN = [
    ("rules_version", lambda d: d.update(rules_version=2)),
    ("seats", lambda d: d.update(seats=5)),
    ("seats", lambda d: d.update(seats=True)),
    ("options", lambda d: d.update(options=[])),
    ("options.open_totals", lambda d: d.update(options={"open_totals": 1})),
    ("options.open_fame", lambda d: d["options"].update(open_fame=True)),
    ("phase", lambda d: d.update(phase="bidding")),
    ("phase", lambda d: d.update(phase="start", turn=0, active=None, due=None)),
    ("turn", lambda d: d.update(turn=-1)),
    ("turn", lambda d: d.update(turn=0)),
    ("active", lambda d: d.update(active=3)),
    ("active", lambda d: d.update(active=None)),
    ("due", lambda d: d.update(due=1)),
    ("due", lambda d: d.update(due=None)),
    ("actions_left", lambda d: d.update(actions_left=3)),
    ("actions_left", lambda d: d.update(actions_left=0)),
    # the board
    ("tiles", lambda d: d.update(tiles=[])),
    ("tiles.house", lambda d: d["tiles"].update(house="A1")),
    ("tiles.temple", lambda d: d["tiles"].update(temple=["B2"])),
    ("tiles.temple", lambda d: d["tiles"].update(temple="B2 Q2")),
    ("tiles.temple", lambda d: d["tiles"].update(temple="B2 A12")),
    ("tiles.temple", lambda d: d["tiles"].update(temple="b2")),
    ("tiles.temple", lambda d: d["tiles"].update(temple="B2 B2")),
    ("tiles.temple", lambda d: d["tiles"].update(temple=d["tiles"]["temple"] + " F11")),  # there is a settlement
    ("tiles.farm", lambda d: d["tiles"].update(farm="H9 A1")),
    ("tiles.settlement", lambda d: d["tiles"].update(settlement="F11 A4")),
    ("treasures", lambda d: d.update(treasures="B2 I6")),  # no treasure was ever laid there
    ("treasures", lambda d: d["tiles"].update(temple=d["tiles"]["temple"].replace("B2 ", ""))),
    ("catastrophes", lambda d: d.update(catastrophes="F10")),
    ("catastrophes_left", lambda d: d.update(catastrophes="A1")),
    ("catastrophes_left[0]", lambda d: d.update(catastrophes_left=[3, 2, 1])),
    ("built[0]", lambda d: d.update(built=[["black_green", "A1", "temple"]])),
    ("built[0]", lambda d: d.update(built=[["black_red", "A3", "temple"]])),  # its lower squares are river
    ("built[0]", lambda d: d.update(built=[["red_blue", "A1", "farm"]])),
    ("built[0]", lambda d: d.update(built=[["black_red", "P1", "temple"]])),  # half of it would be off the board
    ("built[0]", lambda d: d.update(built=[["black_red", "A11", "temple"]])),
    ("built[0]", lambda d: d.update(built=[["white_red", "A1", "temple"]])),
    ("built[0]", lambda d: d.update(built=[["black_red", "A1"]])),
    ("built[1]", lambda d: d.update(built=[["black_red", "A1", "temple"], ["black_red", "H1", "temple"]])),
    ("built[1]", lambda d: d.update(built=[["black_red", "I3", "temple"], ["black_green", "J4", "market"]])),
    ("built", lambda d: d.update(built=[["black_red", "I6", "temple"]])),  # its squares have face-up tiles
    ("leaders", lambda d: d["leaders"].pop()),
    ("leaders[0].queen", lambda d: d["leaders"][0].update(queen="A1")),
    ("leaders[0].king", lambda d: d["leaders"][0].update(king="Q1")),
    ("leaders[0].king", lambda d: d["leaders"][0].update(king="F10")),  # on a temple
    ("leaders[0].king", lambda d: d["leaders"][0].update(king="A1")),  # no temple beside
    ("leaders[0].farmer", lambda d: d["leaders"][0].update(farmer="G9")),  # river
    ("leaders[1].king", lambda d: d["leaders"][1].update(king="F9")),  # two on one square
    ("leaders", lambda d: d["leaders"][2].update(king="G10")),  # two kings in one kingdom
    # tiles off the board
    ("hands", lambda d: d["hands"].pop()),
    ("hands[0].temple", lambda d: d["hands"][0].update(temple=7)),
    ("hands[0].house", lambda d: d["hands"][0].update(house=1)),
    ("hands[0].temple", lambda d: d["hands"][0].update(temple=-1)),
    ("hands[1]", lambda d: (d["hands"][1].update(temple=2), d["bag"].update(temple=d["bag"]["temple"] - 1))),
    ("bag", lambda d: d["bag"].update(temple=d["bag"]["temple"] + 1)),
    ("bag", lambda d: d["gone"].update(farm=1)),
    ("bag", lambda d: d["swapped"][0].update(farm=1)),
    ("bag.farm", lambda d: d["bag"].update(farm="many")),
    # points and treasures
    ("points", lambda d: d["points"].pop()),
    ("points[0].white", lambda d: d["points"][0].update(white=1)),
    ("points[0].red", lambda d: d["points"][0].update(red=-1)),
    ("points[0].red", lambda d: d["points"][0].update(red=[1, 2])),
    ("points[0].red", lambda d: d["points"][0].update(red=True)),
    ("points[0].blue", lambda d: d["points"][0].update(blue=[0, 1, 0, 0])),  # revolts bring red points
    ("jokers", lambda d: d.update(jokers=[1, 0, 0])),
    ("jokers[1]", lambda d: d.update(jokers=[0, -1, 0])),
    # what is not in progress
    ("conflict", lambda d: d.update(conflict=WAR_OF_KINGS)),
    ("union", lambda d: d.update(union="F11")),
    ("placed", lambda d: d.update(placed="F11")),
    ("swapping", lambda d: d.update(swapping=1)),
    ("ending", lambda d: d.update(ending="bag")),
    ("ending", lambda d: d.update(phase="scoring", due=None)),
    ("ending", lambda d: d.update(phase="scoring", due=None, ending="treasures")),
    ("ending", lambda d: d.update(phase="end", due=None, ending="bag")),
    ("swapping", lambda d: d.update(phase="drawing", swapping=2)),
    ("due", lambda d: d.update(phase="drawing")),  # its hand is full
    ("placed", lambda d: d.update(phase="monument")),
    ("placed", lambda d: d.update(phase="monument", placed="F11")),
    ("due", lambda d: d.update(phase="treasure")),
    ("union", lambda d: d.update(phase="war_choice")),
    ("conflict", lambda d: d.update(phase="attack")),
    ("secret", lambda d: d.update(secret=1)),
]
WAR_OF_KINGS = {"kind": "war", "role": "king", "attacker": 0, "defender": 1, "added": 0}

BROKEN_WAR = [
    ("conflict.kind", lambda d: d["conflict"].update(kind="quarrel")),
    ("conflict.role", lambda d: d["conflict"].update(role="bishop")),
    ("conflict.role", lambda d: d["conflict"].pop("role")),
    ("conflict.attacker", lambda d: d["conflict"].pop("attacker")),
    ("conflict.attacker", lambda d: d["conflict"].update(attacker=2)),
    ("conflict.attacker", lambda d: (d["conflict"].update(attacker=1, defender=0), d.update(due=1))),
    ("conflict.attacker", lambda d: d["conflict"].update(role="farmer")),  # no farmer on the board
    ("conflict.added", lambda d: d["conflict"].update(added=1)),
    ("conflict.added", lambda d: (d["conflict"].update(added=1), d.update(phase="defence", due=1))),  # no such tile has gone
    ("conflict", lambda d: d["conflict"].update(defender=0)),
    ("conflict.secret", lambda d: d["conflict"].update(secret=1)),
    ("conflict", lambda d: d.update(conflict=None)),
    ("conflict", lambda d: d.update(conflict=[1])),
    ("due", lambda d: d.update(due=1)),
    ("union", lambda d: d.update(union=None)),
    ("union", lambda d: d.update(union="H9")),
    ("placed", lambda d: d.update(union="F9", placed="F9")),  # no tile, a leader
    ("union", lambda d: d.update(phase="war_choice", conflict=None)),  # there is only one war
    ("union", lambda d: (d["leaders"][0].update(trader="G10"), d["leaders"][1].update(trader="E10"))),  # both on one side of it
    ("conflict", lambda d: d["leaders"][1].update(king="C2")),  # its kingdom is not united with the other
]


BROKEN_REVOLT = [
    ("conflict.attacker", lambda d: d.update(active=1)),
    ("leaders", lambda d: d["conflict"].update(role="priest")),  # then the kings are not in conflict
    ("union", lambda d: (d["conflict"].update(kind="war"), d.update(union="F11", placed="F11"))),  # it unites nothing
    ("placed", lambda d: d.update(placed="F11")),
    ("union", lambda d: d.update(union="F11")),
    ("actions_left", lambda d: d.update(actions_left=0)),
]


SPOILT = [(good, BROKEN), (at_war, BROKEN_WAR), (in_revolt, BROKEN_REVOLT)]  # each with the field that is named


def test_other_leaders_of_a_colour_cannot_share_a_kingdom_in_a_revolt():
    data = in_revolt()
    data["leaders"] = [{"trader": "E10", "king": "G10"}, {"king": "F9", "trader": "E11"}]
    data["tiles"]["temple"] += " D11"
    data["bag"]["temple"] -= 1
    assert refused(data) == "leaders"


def test_a_rebel_cannot_have_joined_two_kingdoms():
    """Without F11 the leader on G10 is beside two kingdoms, those of F10 and G11."""
    data = in_revolt()
    data["leaders"].append({"farmer": "H11"})
    data["tiles"] |= {"temple": data["tiles"]["temple"] + " H10", "settlement": data["tiles"]["settlement"] + " G11"}
    data["bag"] |= {"temple": data["bag"]["temple"] - 1, "settlement": data["bag"]["settlement"] - 1}
    for name, value in (("hands", {}), ("swapped", {}), ("points", {}), ("jokers", 0), ("catastrophes_left", 2)):
        data[name].append(value)
    data["seats"] = 3
    assert game.actors(game.state_from_json(data)) == (0,)
    data["tiles"]["settlement"] = data["tiles"]["settlement"].replace("F11 ", "")
    data["bag"]["settlement"] += 1
    assert refused(data) == "conflict"


def test_a_square_of_four_must_be_there_to_be_asked_about():
    data = at_monument()
    assert refused(data | {"placed": "N5"}) == "placed"
    assert refused(data | {"placed": None}) == "placed"
    assert refused(data | {"due": 1}) == "due"


def test_only_the_first_trader_in_turn_order_is_asked_for_treasures():
    data = collecting()
    assert (data["due"], data["active"]) == (1, 0)
    assert refused(data | {"due": 0}) == "due"
    assert refused(data | {"phase": "action", "due": 0, "placed": None}) == "treasures"  # they would have been taken


def test_hands_are_filled_in_turn_order():
    part = {"seats": 3, "phase": "drawing", "active": 1, "hands": [{"farm": 5}, {"farm": 6}, {"farm": 4}]}
    assert refused(part | {"due": 0}, complete=True) == "due"  # seat 2 comes first
    assert due(game.complete(part | {"due": 2}, SeededRng(1))) == -1
    assert refused(part | {"due": 2, "bag": {}}, complete=True) == "bag"


def test_a_swap_is_drawn_by_the_active_seat_for_what_it_swapped():
    part = {"seats": 2, "phase": "drawing", "hands": [{"farm": 4}, {"farm": 6}], "swapped": [{"temple": 2}, {}], "swapping": 2}
    assert data_of(game.complete(part, SeededRng(1)))["due"] == 0
    assert refused(part | {"swapping": 3}, complete=True) == "swapping"
    assert refused(part | {"swapped": [{"temple": 1}, {}]}, complete=True) == "swapping"
    assert refused(part | {"due": 1}, complete=True) == "swapping"
    assert refused(part | {"actions_left": 0}, complete=True) == "swapping"


def test_an_end_has_its_reason_on_the_board_or_in_the_bag():
    part = {"seats": 2, "phase": "scoring", "hands": [{"farm": 5}, {"farm": 6}]}
    assert refused(part | {"ending": "treasures"}, complete=True) == "ending"
    assert data_of(game.complete(part | {"ending": "treasures", "treasures": "B2 P2"}, SeededRng(1)))["jokers"] == [4, 4]
    assert refused(part | {"ending": "bag"}, complete=True) == "ending"
    assert due(game.complete(part | {"ending": "bag", "bag": {}}, SeededRng(1))) == -2
    assert refused(part | {"ending": "bag", "bag": {}, "hands": [{"farm": 6}] * 2}, complete=True) == "ending"
    assert refused(part | {"ending": "swap", "bag": {}, "active": 1}, complete=True) == "ending"  # its hand is full
    assert game.outcome(game.complete(part | {"phase": "end", "ending": "swap", "bag": {}}, SeededRng(1))).reason == "swap"


# Completing


def test_nothing_at_all_is_a_game_for_four_before_its_first_action():
    state = game.complete({}, SeededRng(4))
    data = data_of(state)
    assert (data["seats"], data["phase"], data["turn"], data["due"], data["actions_left"]) == (4, "action", 1, 0, 2)
    assert data["treasures"] == data["tiles"]["temple"] == "K1 B2 P2 F3 N5 I7 B8 O9 F10 K11"
    assert [sum(hand.values()) for hand in data["hands"]] == [6] * 4
    assert sum(data["bag"].values()) == 119
    assert data["gone"] == {}
    assert data_of(game.complete({}, SeededRng(5)))["hands"] != data["hands"]
    assert game.complete({"seats": 3, "phase": "start"}, SeededRng(1)) == game.setup(3, {})


def test_a_treasure_brings_its_temple_and_those_taken_go_round_the_seats():
    data = data_of(position(seats=3, treasures="B2 P2", tiles={"temple": "B2 A1"}))
    assert data["tiles"]["temple"] == "A1 B2 P2"
    assert data["jokers"] == [3, 3, 2]
    assert data_of(position(treasures=""))["tiles"] == {}


def test_a_treasure_below_a_monument_brings_no_other_temple():
    data = data_of(position(treasures="B2", built=[["black_red", "A1", "temple"]]))
    assert data["tiles"] == {}
    assert data["treasures"] == "B2"


def test_catastrophes_on_the_board_are_missing_before_the_seats():
    assert data_of(position(seats=2, catastrophes="A1 A2 A3"))["catastrophes_left"] == [0, 1]
    assert refused({"seats": 2, "catastrophes": "A1 A2 A3 H1 H2"}, complete=True) == "catastrophes_left"


def test_tiles_in_no_place_are_in_the_bag_or_have_left_the_game():
    hands = ["farm 6", "temple 2"]
    data = data_of(position(hands=hands, swapped=["market 3"]))
    assert data["bag"] == {"settlement": 30, "temple": 45, "farm": 30, "market": 27}
    data = data_of(position(hands=hands, gone="temple 40"))
    assert (data["bag"]["temple"], data["gone"]) == (5, {"temple": 40})
    data = data_of(position(hands=hands, bag="temple 2"))
    assert (data["bag"], data["gone"]) == ({"temple": 2}, {"settlement": 30, "temple": 43, "farm": 30, "market": 30})
    assert refused(data_from(hands=hands, bag="temple 46"), complete=True) == "tiles"
    assert refused(data_from(hands=hands, bag="temple 2", gone="temple 2"), complete=True) == "bag"


def test_hands_that_are_not_given_are_drawn_from_the_bag():
    state = position(seats=3, hands=["farm 6", None, "temple 1"], leaders=["", "", "king F9"])
    assert hand(state, 0) == {"farm": 6}
    assert sum(hand(state, 1).values()) == 6
    assert hand(state, 2) == {"temple": 1}
    assert leaders(state, 2) == {"king": "F9"}
    rest = {"tiles": data_of(state)["tiles"], "hands": [None] * 2, "bag": {"farm": 36, "market": 30, "settlement": 30, "temple": 35}}
    assert data_of(game.complete({"seats": 2} | rest, SeededRng(1)))["hands"] == [{"temple": 6}] * 2  # nothing else is left for them


def test_the_sides_of_a_conflict_follow_from_the_board():
    war = position(
        **(COURT | {"tiles": COURT["tiles"] | {"farm": "G9 H9"}}), phase="attack", placed="G9", conflict={"kind": "war", "role": "king"}
    )
    assert data_of(war)["conflict"] == WAR_OF_KINGS
    assert (data_of(war)["due"], data_of(war)["union"]) == (0, "G9")
    others = {"leaders": ["", "king F9", "king G10"], "hands": [None, "temple 2", "temple 3"], "active": 2, "gone": "temple 1"}
    revolt = position(**others, phase="defence", conflict={"kind": "revolt", "role": "king", "added": 1})
    assert data_of(revolt)["conflict"] == {"kind": "revolt", "role": "king", "attacker": 2, "defender": 1, "added": 1}
    assert data_of(revolt)["due"] == 1
    assert refused({"seats": 2, "phase": "attack", "conflict": {"kind": "revolt", "role": "king"}}, complete=True) == "conflict.attacker"


def test_a_part_with_a_field_that_is_wrong_names_it():
    assert refused({"seats": 7}, complete=True) == "seats"
    assert refused({"phase": "later"}, complete=True) == "phase"
    assert refused({"tiles": "B2"}, complete=True) == "tiles"
    assert refused({"built": [["black_red", "A1"]]}, complete=True) == "built[0]"
    assert refused({"hands": [{"temple": 1}]}, complete=True) == "hands"
    assert refused({"options": 3}, complete=True) == "options"
    assert refused({"leaders": [{"king": "A1"}, {}, {}, {}]}, complete=True) == "leaders[0].king"
    assert refused({"gods": 1}, complete=True) == "gods"
    with pytest.raises(PositionError, match="state: expected an object"):
        game.complete([], SeededRng(1))


def test_a_picture_is_a_position():
    state = drawn(
        "E9",
        """
        .  k0 .  .
        t0 T  .  #
        .  S  p1 T
        """,
        hands=["farm 6", "farm 6"],
    )
    assert leaders(state, 0) == {"king": "F9", "trader": "E10"}
    assert leaders(state, 1) == {"priest": "G11"}
    assert tiles(state, "settlement") == "F11"
    assert tiles(state, "temple").split()[-3:] == ["F10", "H11", "K11"]
    assert data_of(state)["catastrophes"] == "H10"


# Positions of play


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_play_survives_and_is_short(seats):
    rng = SeededRng(seats)
    longest, phases = 0, set()
    for number in range(6):
        state = game.setup(seats, {"open_totals": number % 2 == 1})
        while actors := game.actors(state):
            action = game.sample_chance(state, rng) if actors[0] == -1 else game.sample_action(state, actors[0], rng)
            state, _ = game.apply(state, actors[0], action)
            data = data_of(state)
            text = json.dumps(data, separators=(",", ":"))
            longest = max(longest, len(text))
            phases.add(data["phase"])
            assert game.state_from_json(json.loads(text)) == state
            lying = [data["bag"], data["gone"], *data["hands"], *data["swapped"]]
            for kind, count in zip(KINDS, COUNTS, strict=True):
                on_board = len(data["tiles"].get(kind, "").split()) + 4 * sum(below == kind for _, _, below in data["built"])
                assert on_board + sum(place.get(kind, 0) for place in lying) == count
    assert longest < 1650
    assert phases >= {"action", "attack", "defence", "treasure", "drawing", "scoring", "end"}
