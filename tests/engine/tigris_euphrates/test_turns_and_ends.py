"""The set-up, the course of a turn, and how the game ends (tigris_euphrates#setup, #turn, #end, #hidden)."""

from __future__ import annotations

import pytest

from games.core.contract import CHANCE, SCORER
from games.core.events import events_for
from games.core.rng import SeededRng
from tests.engine.tigris_euphrates.builders import (
    act,
    data_of,
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
    tiles,
)

MONUMENT = {"built": [["black_red", "G5", "temple"]], "tiles": {"temple": "I5"}}


def phase_of(state):
    data = data_of(state)
    return data["phase"], data["due"]


# The start


@pytest.mark.rule(
    "tigris_euphrates#setup-3",
    "tigris_euphrates#setup-4",
    "tigris_euphrates#setup-5",
    "tigris_euphrates#setup-6",
    "tigris_euphrates#setup-9",
)
@pytest.mark.parametrize(("seats", "left"), [(2, 131), (3, 125), (4, 119)])
def test_chance_picks_who_starts_and_each_player_draws_six_tiles_from_there_on(seats, left):
    state = game.setup(seats, {})
    assert (due(state), data_of(state)["phase"]) == (CHANCE, "start")
    assert data_of(state)["leaders"] == [{}] * seats  # one dynasty for each player, the others are not in play
    assert data_of(state)["catastrophes_left"] == [2] * seats
    state = play(state, "start 1")
    order = []
    while data_of(state)["phase"] == "drawing":
        order.append(data_of(state)["due"])
        state = play(state, "draw temple temple temple temple temple farm")
    assert order == [(1 + step) % seats for step in range(seats)]
    assert sum(data_of(state)["bag"].values()) == left
    assert (phase_of(state), data_of(state)["turn"], data_of(state)["active"]) == (("action", 1), 1, 1)


@pytest.mark.rule("tigris_euphrates#setup-5", "tigris_euphrates#readings-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_can_be_the_one_who_starts(seats):
    rng = SeededRng(1)
    assert {str(game.sample_chance(game.setup(seats, {}), rng)) for _ in range(200)} == {f"start {seat}" for seat in range(seats)}
    if seats < 4:
        assert refusal(game.setup(seats, {}), f"start {seats}", CHANCE) == ("refused.no_start", "tigris_euphrates#setup-5")


@pytest.mark.rule("tigris_euphrates#setup-5", "tigris_euphrates#setup-4")
def test_what_chance_decides_nobody_else_does():
    state = game.setup(3, {})
    assert refusal(state, "start 0", 0) == ("refused.not_by_hand", "tigris_euphrates#setup-4")
    assert refusal(state, "pass", 0) == ("refused.chance_first", "tigris_euphrates#setup-4")
    state = play(state, "start 2")
    assert refusal(state, "start 1", CHANCE) == ("refused.no_start", "tigris_euphrates#setup-5")
    assert refusal(state, "draw temple", 2) == ("refused.not_by_hand", "tigris_euphrates#setup-4")
    assert refusal(state, "draw temple", CHANCE) == ("refused.draw_count", "tigris_euphrates#turn-5")
    few = play(position(hands=["temple", "farm 6"], bag="temple 3, farm 9"), "pass")
    assert refusal(few, "draw temple temple temple temple farm", CHANCE) == ("refused.tile_not_left", "tigris_euphrates#setup-2")
    assert refusal(position(), "draw temple", CHANCE) == ("refused.no_draw", "tigris_euphrates#turn-5")


# A turn


@pytest.mark.rule("tigris_euphrates#turn-1", "tigris_euphrates#turn-2", "tigris_euphrates#turn-7")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tile market G6", "tile farm E1"),
        ("tile market G6", "tile market H6"),
        ("tile market G6", "catastrophe G6"),
        ("catastrophe G6", "catastrophe H6"),
        ("leader king C2", "leader priest B3"),
        ("leader king C2", "leader king K2"),
        ("leader king C2", "withdraw king"),
        ("catastrophe G6", "swap market"),
    ],
)
def test_a_turn_has_two_actions_of_any_kinds_twice_the_same_as_well(first, second):
    state = play(position(hands=["market 3, farm 3", "temple 6"]), first)
    assert (phase_of(state), data_of(state)["actions_left"]) == (("action", 0), 1)
    state = play(state, second)
    assert phase_of(state) in (("drawing", 0), ("action", 1))
    if data_of(state)["phase"] == "drawing":
        missing = data_of(state)["swapping"] or 6 - sum(hand(state, 0).values())
        state = play(state, "draw " + " ".join(["temple"] * missing))
    assert (phase_of(state), data_of(state)["active"]) == (("action", 1), 1)


@pytest.mark.rule("tigris_euphrates#turn-1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_turn_goes_round_clockwise(seats):
    state = position(seats=seats, hands=["temple 6"] * seats, active=1)
    order = []
    for _ in range(seats + 1):
        order.append(due(state))
        state = play(state, "pass")
    assert order == [(1 + step) % seats for step in range(seats + 1)]
    assert data_of(state)["turn"] == 1 + seats + 1


@pytest.mark.rule("tigris_euphrates#overview-5")
def test_two_three_or_four_play_with_two_actions_a_turn_and_ten_treasures_each_time():
    assert game.meta.seats == (2, 3, 4)
    for seats in game.meta.seats:
        state, rng = game.setup(seats, {}), SeededRng(seats)
        while due(state) == -1:
            state = game.apply(state, -1, game.sample_chance(state, rng))[0]
        started = data_of(state)
        assert (started["actions_left"], len(started["treasures"].split())) == (2, 10)
        assert [sum(held.values()) for held in started["hands"]] == [6] * seats


@pytest.mark.rule("tigris_euphrates#turn-3")
@pytest.mark.parametrize("actions", [(), ("leader king C2",), ("leader king C2", "leader priest B3")])
def test_a_turn_may_have_none_one_or_two_actions(actions):
    state = position(hands=["temple 6", "temple 6"])
    for action in actions:
        assert "pass" in legal(state)
        state = play(state, action)
    if len(actions) < 2:
        state, events = act(state, "pass")
        assert keys(events) == ["passed"]
    assert phase_of(state) == ("action", 1)
    assert data_of(state)["actions_left"] == 2


@pytest.mark.rule("tigris_euphrates#turn-1", "tigris_euphrates#turn-2")
def test_nobody_acts_but_the_active_player():
    state = position(seats=3, active=1)
    for actor in (0, 2):
        assert refusal(state, "pass", actor) == ("refused.not_your_turn", "tigris_euphrates#turn-1")
        assert refusal(state, "tile temple A1", actor) == ("refused.not_your_turn", "tigris_euphrates#turn-1")
        assert game.legal_actions(state, actor) == []
    assert refusal(state, "score", 1) == ("refused.not_scoring", "tigris_euphrates#scoring-2")


@pytest.mark.rule("tigris_euphrates#turn-6", "tigris_euphrates#turn-5")
def test_a_hand_below_six_is_filled_at_the_end_of_the_turn_and_not_before():
    state = position(hands=["market 5, farm", "temple 6"])
    state = play(state, "tile market G6")
    assert hand(state, 0) == {"market": 4, "farm": 1}
    assert phase_of(state) == ("action", 0)
    state = play(state, "tile market H8")
    assert phase_of(state) == ("drawing", 0)
    state = play(state, "draw settlement temple")
    assert hand(state, 0) == {"settlement": 1, "temple": 1, "market": 3, "farm": 1}
    assert phase_of(state) == ("action", 1)


@pytest.mark.rule("tigris_euphrates#turn-5", "tigris_euphrates#monuments-10")
def test_at_the_end_of_a_turn_monuments_bring_points_before_anybody_draws():
    state = position(**MONUMENT, leaders=["king J5"], hands=["market 5", "temple 6"])
    state, events = act(state, "pass")
    assert keys(events) == ["passed", "monument_point"]
    assert phase_of(state) == ("drawing", 0)
    assert points(state, 0) == {"black": 1}


@pytest.mark.rule("tigris_euphrates#turn-5", "tigris_euphrates#conflicts-6")
def test_the_active_player_draws_first_and_then_the_others_in_turn_order():
    state = position(hands=["temple 5", "temple 4", "temple 3", "temple 6"], active=2)
    state = play(state, "pass")
    order = []
    while data_of(state)["phase"] == "drawing":
        order.append((data_of(state)["due"], 6 - sum(hand(state, data_of(state)["due"]).values())))
        state = play(state, "draw " + " ".join(["market"] * order[-1][1]))
    assert order == [(2, 3), (0, 1), (1, 2)]
    assert phase_of(state) == ("action", 3)


@pytest.mark.rule("tigris_euphrates#turn-4", "tigris_euphrates#monuments-5", "tigris_euphrates#treasures-1", "tigris_euphrates#turn-8")
def test_inside_an_action_conflicts_come_first_then_a_monument_then_treasures():
    """I10 unites two kingdoms with a trader and a treasure each, and completes four markets."""
    state = position(
        tiles={"market": "H10 H11 I11", "settlement": "G10 J10 K10"},
        leaders=["trader E10", "trader L11"],
        hands=["market", ""],
    )
    phases = []
    for text in ("tile market I10", "support 0 market", "support 0 market", "build green_red H10", "treasure K11"):
        state = play(state, text)
        phases.append(data_of(state)["phase"])
        assert data_of(state)["actions_left"] == (1 if text == "treasure K11" else 2)
    assert phases == ["attack", "defence", "monument", "treasure", "action"]
    assert points(state, 0) == {"green": 1}


# The end by treasures


JOINED = {"tiles": {"market": "G10 H10 I10 J10"}, "leaders": ["trader E10"]}


@pytest.mark.rule("tigris_euphrates#end-1", "tigris_euphrates#end-5", "tigris_euphrates#monuments-10")
def test_with_fewer_than_three_treasures_left_the_game_ends_after_the_turn_with_its_second_action_and_monument_points():
    state = position(
        built=[["black_red", "G5", "temple"]],
        tiles={"market": "G10 H10 I10 J10", "temple": "I5"},
        leaders=["trader E10, king J5"],
        hands=["market 2, farm 4", "temple 6", "temple 6"],
        treasures="B2 F10 K11",
    )
    state = play(state, "tile market K10", "treasure F10")
    assert data_of(state)["treasures"] == "B2 K11"
    assert (phase_of(state), data_of(state)["actions_left"]) == (("action", 0), 1)  # not yet
    state, events = act(state, "tile farm E1")
    assert keys(events) == ["placed", "monument_point"]
    assert phase_of(state) == ("drawing", 0)
    state, events = act(state, "draw temple temple")
    assert keys(events) == ["drew", "ended_by_treasures"]
    assert (data_of(state)["phase"], data_of(state)["ending"], due(state)) == ("scoring", "treasures", SCORER)  # seat 1 has no turn
    assert points(state, 0)["black"] == 1


@pytest.mark.rule("tigris_euphrates#end-1")
@pytest.mark.parametrize(("treasures", "is_end"), [("B2 B8 F10 K11", False), ("B2 F10 K11", True), ("F10 K11", True)])
def test_the_game_ends_below_three_treasures_and_not_at_three(treasures, is_end):
    hands = ["market 6", "temple 6"]
    state = position(tiles=JOINED["tiles"], leaders=JOINED["leaders"], hands=hands, treasures=treasures)
    state = play(state, "tile market K10", "treasure F10", "pass", "draw temple")
    assert (data_of(state)["phase"] == "scoring") == is_end
    assert data_of(state)["ending"] == ("treasures" if is_end else None)


@pytest.mark.rule("tigris_euphrates#end-1", "tigris_euphrates#treasures-1", "tigris_euphrates#end-6")
def test_the_game_ends_as_well_when_treasures_go_from_three_to_one_in_one_action():
    """Mistake 9 of this game's programs: the end needs exactly two treasures instead of fewer than three."""
    state = position(
        tiles={"market": "G10 H10 I10 K10 J7 J8", "farm": "J9"},
        leaders=["", "trader E10"],
        hands=["market 6", "temple 6"],
        treasures="F10 I7 K11",
    )
    state = play(state, "tile market J10", "treasure F10", "treasure I7")
    assert data_of(state)["treasures"] == "K11"
    state = play(state, "pass", "draw temple")
    assert data_of(state)["ending"] == "treasures"


# The end by the bag


@pytest.mark.rule("tigris_euphrates#end-2", "tigris_euphrates#monuments-10", "tigris_euphrates#turn-5")
def test_the_game_ends_when_the_bag_cannot_fill_a_hand_and_points_of_that_turn_are_kept():
    state = position(**MONUMENT, leaders=["king J5"], hands=["market 4", "temple 6"], bag="farm 1")
    state, events = act(state, "pass")
    assert keys(events) == ["passed", "monument_point"]
    assert phase_of(state) == ("drawing", 0)
    state, events = act(state, "draw farm")  # what is left is drawn
    assert keys(events) == ["drew", "ended_by_bag"]
    assert hand(state, 0) == {"farm": 1, "market": 4}
    assert (data_of(state)["phase"], data_of(state)["ending"], due(state)) == ("scoring", "bag", SCORER)
    assert points(state, 0) == {"black": 1}


@pytest.mark.rule("tigris_euphrates#end-2")
def test_with_an_empty_bag_nobody_draws_before_the_end():
    _, events = act(position(hands=["market 5", "temple 6"], bag=""), "pass")
    assert keys(events) == ["passed", "ended_by_bag"]


@pytest.mark.rule("tigris_euphrates#end-2", "tigris_euphrates#turn-5")
def test_the_hand_that_cannot_be_filled_may_be_another_player_s():
    state = position(hands=["market 4", "temple 6", "temple 5"], bag="farm 2")
    state, events = act(play(state, "pass"), "draw farm farm")
    assert keys(events) == ["drew", "ended_by_bag"]
    assert sum(hand(state, 0).values()) == 6


@pytest.mark.rule("tigris_euphrates#end-3", "tigris_euphrates#end-2", "tigris_euphrates#readings-12")
def test_a_bag_that_is_emptied_exactly_does_not_end_the_game():
    """Mistake 7 of this game's programs. The game continues as long as nobody lacks a tile."""
    state = position(hands=["market 4", "temple 6"], bag="farm 2")
    state = play(state, "pass", "draw farm farm")
    assert data_of(state)["bag"] == {}
    assert (phase_of(state), data_of(state)["active"]) == (("action", 1), 1)
    state = play(state, "leader king C2", "catastrophe G6")
    assert (phase_of(state), data_of(state)["active"]) == (("action", 0), 0)
    state, events = act(play(state, "tile market G7"), "pass")
    assert keys(events) == ["passed", "ended_by_bag"]


@pytest.mark.rule("tigris_euphrates#end-5")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_the_round_is_not_completed(active):
    state = position(seats=3, hands=[{"market": 5}] * 3, bag="farm 1", active=active)
    state = play(state, "pass", "draw farm")
    assert data_of(state)["phase"] == "scoring"


@pytest.mark.rule("tigris_euphrates#end-1", "tigris_euphrates#scoring-2")
def test_after_the_end_nothing_but_the_scoring_is_left():
    state = play(position(hands=["market 5", "temple 6"], bag=""), "pass")
    assert [str(action) for action in game.legal_actions(state, SCORER)] == ["score"]
    assert refusal(state, "pass", 0) == ("refused.scoring_first", "tigris_euphrates#scoring-2")
    assert refusal(state, "score", 0) == ("refused.not_scoring", "tigris_euphrates#scoring-2")
    state = play(state, "score")
    assert game.actors(state) == ()
    for actor in (0, SCORER, CHANCE):
        text = {0: "pass", SCORER: "score", CHANCE: "draw temple"}[actor]
        assert refusal(state, text, actor) == ("refused.finished", "tigris_euphrates#end-1")


# What is hidden


@pytest.mark.rule("tigris_euphrates#hidden-1", "tigris_euphrates#hidden-2", "tigris_euphrates#hidden-3")
def test_hands_and_totals_are_hidden_and_all_the_rest_is_public():
    state = position(
        leaders=["king C2", "priest J7"],
        hands=["temple 2, farm", "market 4"],
        points=[{"red": 3}, {"blue": 2}],
        catastrophes="G6",
        treasures="B2 F3 I7 N5 O9 P2 B8",
    )
    view = game.view_for(state, 0)
    assert (view.hands[0]["temple"], view.hands[0]["farm"], view.hands[1]) == (2, 1, None)
    assert view.hand_counts == (3, 4)
    assert view.points == ({"black": 0, "red": 3, "blue": 0, "green": 0}, None)
    assert view.jokers == (2, None)
    public = game.view_for(state, None)
    assert (public.hands, public.points, public.jokers) == ((None, None), (None, None), (None, None))
    assert public.hand_counts == (3, 4)
    assert public.bag_count == sum(data_of(state)["bag"].values())
    assert public.leaders[1]["priest"] == "J7"
    assert public.leaders[1]["king"] is None  # in hand, which everybody may see
    assert public.catastrophes_left == tuple(data_of(state)["catastrophes_left"])


@pytest.mark.rule("tigris_euphrates#hidden-5", "tigris_euphrates#hidden-2")
def test_with_open_totals_everybody_sees_points_and_treasures_but_no_hands():
    state = position(points=[{"red": 3}, {"blue": 2}], options={"open_totals": True}, treasures="B2 F3 I7 N5 O9 P2 B8")
    for viewer in (0, 1, None):
        view = game.view_for(state, viewer)
        assert [points["red"] for points in view.points] == [3, 0]
        assert view.jokers == (2, 1)
    assert game.view_for(state, None).hands == (None, None)


@pytest.mark.rule("tigris_euphrates#hidden-2", "tigris_euphrates#hidden-1")
def test_points_are_told_to_all_as_they_come_and_drawn_tiles_only_to_the_player_who_draws():
    state = position(leaders=["", "trader C2"], hands=["market 6", "temple 6"])
    state, events = act(state, "tile market D2")
    assert events_for(events, 0) == events_for(events, 1) == events_for(events, None)
    assert event(events, "tile_point").params == {"seat": 1, "colour": "green", "points": 1}
    state, events = act(play(state, "pass"), "draw farm")
    assert events_for(events, 1) == events_for(events, None) != events_for(events, 0)
    assert event(events, "drew").params == {"seat": 0, "n": 1}


# The sample game of the rule book


@pytest.mark.rule(
    "tigris_euphrates#tiles-6",
    "tigris_euphrates#tiles-7",
    "tigris_euphrates#revolts-3",
    "tigris_euphrates#turn-5",
    "tigris_euphrates#sample-2",
    "tigris_euphrates#sample-3",
    "tigris_euphrates#sample-4",
    "tigris_euphrates#sample-5",
    "tigris_euphrates#sample-6",
)
def test_the_opening_of_the_sample_game():
    hands = ["temple 2, market 4", "farm 2, temple 4", "temple 3, market 3", "temple 4, settlement 2"]
    state = position(hands=hands, leaders=["", "", "", ""])
    state = play(state, "leader king H7", "leader priest C2")
    assert len(state.kingdoms) == 2
    assert (phase_of(state), data_of(state)["active"]) == (("action", 1), 1)  # six tiles: nobody draws
    state = play(state, "leader farmer I8", "tile farm I9")
    assert points(state, 1) == {"blue": 1}
    state = play(state, "draw market", "leader king J11", "tile temple J10")
    assert points(state, 2) == {"red": 1}  # by the king
    state = play(state, "draw market")
    state, events = act(state, "leader priest B3")
    began = event(events, "revolt_began").params
    assert (began["seat"], began["other"], began["n"], began["m"]) == (3, 0, 1, 1)
    state, events = act(play(state, "support 3 temple"), "support 0 temple")
    assert (event(events, "revolt_won").params["n"], event(events, "revolt_won").params["m"]) == (4, 1)
    assert leaders(state, 0) == {"king": "H7"}
    assert points(state, 3) == {"red": 1}
    state = play(state, "tile temple A2")
    assert points(state, 3) == {"red": 2}
    assert phase_of(state) == ("drawing", 3)
    assert sum(hand(state, 3).values()) == 2
    state = play(state, "draw farm farm farm farm")
    assert (phase_of(state), data_of(state)["gone"]) == (("action", 0), {"temple": 3})
    assert "A2" in tiles(state, "temple")
