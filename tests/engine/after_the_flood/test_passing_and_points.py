"""Passing, extra costs, order of play, points, growth, the end (after_the_flood#pass, #order, #points, #growth, #end)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.contract import SCORER, score_of
from tests.engine.after_the_flood.builders import data_of, due, game, goods, keys, legal, play, position, refusal, told


@pytest.mark.rule("after_the_flood#pass-1", "after_the_flood#pass-2", "after_the_flood#forgotten-13", "after_the_flood#components-10")
def test_a_pass_is_final_and_bids_any_goods_or_none():
    state = position(goods=["wood gold", "grain", ""])
    state = play(state, "pass")
    assert legal(state) == ["bid wood", "bid gold", "done"]
    state = play(state, "bid gold", "done")
    assert game.view_for(state, 1).bid_values == (4, 0, 0)
    assert goods(state, 0) == {"wood": 1}
    state = play(state, "pay grain", "build ur")
    state = play(state, "pass")
    assert due(state) == 1, "seat 2 has no goods to bid; seat 0 is not asked again"


@pytest.mark.rule(
    "after_the_flood#pass-3", "after_the_flood#pass-4", "after_the_flood#pass-6", "after_the_flood#act-5", "after_the_flood#forgotten-14"
)
@pytest.mark.parametrize("passed", [[1], [1, 2]])
def test_once_another_has_passed_each_action_costs_a_good_a_worker_or_an_army_but_passing_does_not(passed):
    state = position(
        phase="paying", passed=passed, goods=["oil", "", ""], available=[2, 0, 0], turn=2, empires=["isin", None, None], ranking=[0],
        armies=["isin", "", ""], armies_available=[3, 0, 0],
    )  # fmt: skip
    assert legal(state) == ["pay oil", "pay worker", "pay army", "pass"]
    paid = play(state, "pay army")
    assert data_of(paid)["armies_available"][0] == 2
    assert "pass" not in legal(paid)
    assert refusal(state, "build ur") == ("pay_first", "after_the_flood#pass-3")
    assert refusal(paid, "pass") == ("paid_already", "after_the_flood#pass-6")
    worker = play(state, "pay worker")
    assert data_of(worker)["available"][0] == 1
    good = play(state, "pay oil", "build ur")
    assert goods(good, 0) == {}
    assert data_of(good)["phase"] == "paying"
    assert due(good) == (2 if passed == [1] else 0)
    assert refusal(position(), "pay worker") == ("nothing_to_pay", "after_the_flood#pass-3")


@pytest.mark.rule("after_the_flood#pass-5")
def test_a_player_without_the_payment_must_pass():
    state = position(phase="paying", passed=[1], available=[0, 0, 0])
    assert legal(state) == ["pass"]
    assert refusal(state, "pay worker") == ("no_worker_available", "after_the_flood#pass-3")
    assert refusal(state, "pay army") == ("no_army_available", "after_the_flood#pass-3")
    assert refusal(state, "pay gold") == ("good_not_held", "after_the_flood#pass-3")


@pytest.mark.rule("after_the_flood#pass-6", "after_the_flood#act-3")
def test_nobody_pays_for_an_action_that_is_then_impossible():
    full = {"cities": ["sippar babylon nippur shuruppak", "umma uruk ur lagash", "eridu"], "empires": [None, "sumer", None], "ranking": [1]}
    full |= {"turn": 3, "phase": "paying", "passed": [1], "workers": ["tool_makers", "", ""], "available": [0, 0, 0]}
    state = position(goods=["metal", "", ""], **full)
    assert legal(state) == ["pass"]
    assert refusal(state, "pay metal") == ("nothing_left_to_do", "after_the_flood#pass-6")
    two = position(goods=["metal 2", "", ""], **full)
    assert legal(two) == ["pay metal", "pass"]
    assert legal(play(two, "pay metal")) == ["tool"]
    worker = position(goods=["grain", "", ""], **(full | {"available": [1, 0, 0]}))
    assert legal(worker) == ["pass"], "the good or the worker, both are needed to place"


@pytest.mark.rule("after_the_flood#act-3")
def test_a_player_with_nothing_else_to_do_passes():
    full = {"cities": ["sippar babylon nippur shuruppak", "umma uruk ur lagash", "eridu"], "empires": [None, "sumer", None], "ranking": [1]}
    state = position(turn=3, available=[0, 0, 0], **full)
    assert legal(state) == ["pass"]


@pytest.mark.rule("after_the_flood#act-1", "after_the_flood#act-2")
def test_players_act_in_the_order_of_play_until_all_have_passed():
    state = position(order=[2, 0, 1], active=2, goods=["oil 2", "oil 2", "oil 2"])
    state = play(state, "build ur", "build umma", "build eridu")
    assert due(state) == 2
    state = play(state, "pass", "done", "pay oil", "build lagash", "pass", "done", "pay worker", "build nippur")
    assert due(state) == 0


@pytest.mark.rule("after_the_flood#order-1", "after_the_flood#order-2")
@pytest.mark.parametrize(
    ("bids", "order"),
    [(["", "", "textile"], [2, 1, 0]), (["", "", ""], [1, 0, 2]), (["gold", "gold", "lapis"], [2, 1, 0]), (["wood", "", ""], [0, 1, 2])],
)
def test_the_order_of_play_goes_by_bids_and_ties_keep_their_old_order(bids, order):
    state = position(order=[1, 0, 2], active=0, passed=[0, 1, 2], phase="bidding", bids=bids)
    after = play(state, "done")
    assert data_of(after)["order"] == order


@pytest.mark.rule("after_the_flood#points-1", "after_the_flood#points-2", "after_the_flood#cities-5", "after_the_flood#overview-2")
def test_each_area_with_an_army_scores_two_points_and_in_sumer_three_with_nippur():
    fields = {"turn": 1, "phase": "scoring", "passed": [0, 1, 2], "empires": ["akkad", None, None], "ranking": [0]}
    state = position(armies=["akkad babylon 2 ur assyria", "", ""], **fields)
    assert game.view_for(state, None).projected == (8, 0, 0)
    assert game.view_for(play(state, "score"), None).scores == (8, 0, 0)
    nippur = position(armies=["akkad babylon 2 ur assyria", "", ""], cities=["nippur", "", ""], **fields)
    assert game.view_for(play(nippur, "score"), None).scores == (10, 0, 0)


@pytest.mark.rule("after_the_flood#growth-1", "after_the_flood#growth-2", "after_the_flood#growth-3", "after_the_flood#overview-2")
@pytest.mark.parametrize(
    ("luxuries", "points"),
    [("", 4), (" tool", 7), (" tool oil", 10), (" tool oil gold", 14), (" tool oil gold lapis", 20), (" lapis", 7), (" gold lapis", 10)],
)
def test_growth_costs_two_wood_and_earns_by_the_number_of_luxuries(luxuries, points):
    state = position(phase="growing", active=0, passed=[0, 1, 2], cities=["uruk", "", ""], goods=["wood 2 tool oil gold lapis", "", ""])
    after = play(state, f"grow uruk{luxuries}")
    assert game.actors(after) == (SCORER,)
    assert game.view_for(play(after, "score"), None).scores == (points, 0, 0)
    assert data_of(after)["grown"] == ["uruk"]
    assert sum(goods(after, 0).values()) == 4 - len(luxuries.split())


@pytest.mark.rule("after_the_flood#growth-1", "after_the_flood#corrections-10")
def test_one_of_each_luxury_at_most_and_never_without_two_wood():
    with pytest.raises(ValueError, match="luxuries in the order"):
        game.parse_action("grow uruk oil oil")
    state = position(phase="growing", active=0, passed=[0, 1, 2], cities=["uruk", "", ""], goods=["wood oil 2", "", ""])
    assert refusal(state, "grow uruk") == ("too_little_wood", "after_the_flood#growth-1")
    assert refusal(state, "grow ur") == ("no_own_city", "after_the_flood#growth-1")


@pytest.mark.rule("after_the_flood#growth-3", "after_the_flood#growth-4", "after_the_flood#growth-5")
def test_several_cities_grow_each_once_also_under_an_enemy_army():
    state = position(
        turn=2, phase="growing", active=0, passed=[0, 1, 2], cities=["uruk ur", "", ""], goods=["wood 5 tool 2 oil", "", ""],
        empires=[None, "larsa", None], ranking=[1], armies=["", "uruk", ""],
    )  # fmt: skip
    state = play(state, "grow uruk tool oil")
    assert due(state) == 0
    assert refusal(state, "grow uruk") == ("grown_already", "after_the_flood#growth-3")
    after = play(state, "grow ur tool", "score")
    assert game.view_for(after, None).scores == (17, 2, 0)


@pytest.mark.rule("after_the_flood#points-3", "after_the_flood#growth-1", "after_the_flood#points-4", "after_the_flood#forgotten-12")
def test_cities_grow_in_the_new_order_of_play():
    state = position(
        order=[0, 1, 2], active=2, passed=[0, 1, 2], phase="bidding", bids=["", "", "gold"], cities=["ur", "umma", "uruk"],
        goods=["wood 2", "wood 2", "wood 2"],
    )  # fmt: skip
    state = play(state, "done")
    assert due(state) == 2
    state = play(state, "done")
    assert due(state) == 0
    assert due(play(state, "grow ur")) == 1


@pytest.mark.rule(
    "after_the_flood#end-1", "after_the_flood#end-2", "after_the_flood#end-3", "after_the_flood#order-3", "after_the_flood#overview-2"
)
def test_the_end_gives_majorities_to_the_single_player_with_most_workers():
    state = position(
        turn=5, phase="scoring", passed=[0, 1, 2], order=[2, 1, 0],
        workers=["egypt 2 irrigation 3 scribes 2 weaving", "egypt elam dilmun", "elam weaving akkad 3 tool_makers"],
    )  # fmt: skip
    state = play(state, "score")
    assert data_of(state)["phase"] == "closing"
    events = told(state, "score")
    assert [(event.params["seat"], event.params["place"], event.params["points"]) for event in events if event.key == "majority"] == [
        (0, "egypt", 4),
        (1, "dilmun", 2),
        (0, "irrigation", 3),
    ]
    outcome = game.outcome(play(state, "score"))
    assert (outcome.scores, outcome.places, outcome.reason) == ((7, 2, 0), (1, 2, 3), "points")
    assert [score_of(outcome, seat) for seat in range(3)] == [7, 2, 0]


@pytest.mark.rule("after_the_flood#end-4")
def test_a_tie_goes_to_the_player_who_comes_first_in_the_order_of_play():
    state = position(turn=5, phase="scoring", passed=[0, 1, 2], order=[2, 0, 1], workers=["guti", "assyria", ""])
    events = told(state, "score", "score")
    outcome = game.outcome(play(state, "score", "score"))
    assert (outcome.scores, outcome.places, outcome.reason) == ((2, 2, 0), (1, 2, 3), "order")
    assert keys(events)[-1] == "game_ended_by_order"


@pytest.mark.rule("after_the_flood#turn-1", "after_the_flood#turn-2", "after_the_flood#order-3", "after_the_flood#overview-2")
def test_a_game_of_nothing_but_passes_lasts_five_turns():
    state = play(game.setup(3, {}), "order 1 2 0")
    for turn in range(1, 6):
        assert data_of(state)["turn"] == turn
        for _ in range(3):
            state = play(state, "pass", "done")
        state = play(state, "score")
    state = play(state, "score")
    assert game.actors(state) == ()
    assert game.outcome(state).reason == "order"
    assert game.outcome(state).places == (3, 1, 2)


@pytest.mark.rule("after_the_flood#hidden-1")
def test_every_seat_and_every_spectator_sees_the_same():
    state = position(goods=["wood", "gold", ""], workers=["guti", "", ""], cities=["ur", "", ""])
    seen = [replace(game.view_for(state, seat), seat=None) for seat in (None, 0, 1, 2)]
    assert seen[0] == seen[1] == seen[2] == seen[3]


@pytest.mark.rule("after_the_flood#points-1", "after_the_flood#points-5")
def test_points_go_on_beyond_the_track():
    luxuries = ["tool", "oil", "gold", "lapis"]
    records = [[[9, 9, {"ur": luxuries, "uruk": luxuries}], [0, 0, {}], [0, 0, {}]], [[8, 0, {"umma": luxuries}], [0, 0, {}], [0, 0, {}]]]
    assert game.view_for(position(turn=3, records=records), None).scores == (18 + 9 + 40 + 16 + 20, 0, 0)


@pytest.mark.rule("after_the_flood#act-4", "after_the_flood#act-2")
def test_there_are_six_kinds_of_action_and_each_can_be_chosen_again():
    kinds = {
        "build": "building", "relocate": "building", "place": "placing", "scribe": "placing", "trade": "trading", "tool": "trading",
        "found": "starting", "invade": "expanding", "destroy": "expanding", "reinforce": "expanding", "pass": "passing",
    }  # fmt: skip
    fields = {"goods": ["grain 9 metal", "", ""], "workers": ["guti amorites scribes tool_makers", "", ""], "available": [9, 8, 8]}
    before = position(**fields)
    assert {kinds[text.split()[0]] for text in legal(before)} == {"building", "placing", "trading", "starting", "passing"}
    during = position(empires=["guti", None, None], ranking=[0], armies=["guti", "", ""], armies_available=[4, 0, 0], **fields)
    assert {kinds[text.split()[0]] for text in legal(during)} == {"building", "placing", "trading", "expanding", "passing"}
    again = play(before, "trade amorites wood grain", "tool", "build ur", "build umma")
    assert due(again) == 0
    assert legal(again, "trade"), "a second trade in the same turn"


@pytest.mark.rule("after_the_flood#pass-7")
def test_what_an_action_costs_extra_goes_to_the_stock_or_the_reserve():
    state = position(
        phase="paying", passed=[1], goods=["oil", "", ""], available=[2, 0, 0], turn=2, empires=["isin", None, None], ranking=[0],
        armies=["isin", "", ""], armies_available=[3, 0, 0],
    )  # fmt: skip

    def kept(found):
        view = game.view_for(found, None)
        return view.stock["oil"], view.reserve[0], view.armies_reserve[0]

    assert kept(state) == (6, 23, 16)
    assert [kept(play(state, f"pay {what}")) for what in ("oil", "worker", "army")] == [(7, 23, 16), (6, 24, 16), (6, 23, 17)]


@pytest.mark.rule("after_the_flood#expand-10", "after_the_flood#end-2")
def test_a_worker_beside_an_army_counts_at_the_end():
    fields = {"turn": 5, "phase": "scoring", "passed": [0, 1, 2], "workers": ["elam", "", ""]}
    state = position(empires=[None, "assyria", None], ranking=[1], armies=["", "elam", ""], **fields)
    assert game.outcome(play(state, "score", "score")).scores == (3, 2, 0), "the worker for Elam, the army for its empire"
