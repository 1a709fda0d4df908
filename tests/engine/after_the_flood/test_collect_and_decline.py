"""Phases 1 and 2: grain, textiles, workers, decline (after_the_flood#collect, #decline)."""

from __future__ import annotations

import pytest

from games.core.contract import CHANCE, SCORER
from games.core.options import SetupError
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import act, armies, data_of, due, game, goods, keys, play, position, told, workers


def next_turn(turn: int, **fields):
    """Return the position after the scorer has ended the turn before `turn`."""
    state = position(turn=turn - 1, phase="scoring", passed=[0, 1, 2], available=[0, 0, 0], **fields)
    assert game.actors(state) == (SCORER,)
    return play(state, "score")


def gained(state, good):
    return [goods(state, seat).get(good, 0) for seat in range(3)]


@pytest.mark.rule("after_the_flood#setup-1", "after_the_flood#setup-2", "after_the_flood#setup-3", "after_the_flood#setup-4")
def test_setup_gives_each_two_workers_in_boxes_five_goods_and_ten_available_workers_in_turn_1():
    start = game.setup(3, {})
    assert due(start) == CHANCE
    assert {str(game.sample_chance(start, SeededRng(seed))) for seed in range(60)} == {
        "order 0 1 2", "order 0 2 1", "order 1 0 2", "order 1 2 0", "order 2 0 1", "order 2 1 0",
    }  # fmt: skip
    state, events = act(start, "order 2 0 1")
    found = data_of(state)
    assert (found["order"], found["active"], found["turn"], found["phase"]) == ([2, 0, 1], 2, 1, "action")
    assert found["available"] == [10, 10, 10]
    assert [workers(state, seat) for seat in range(3)] == [{"irrigation": 1, "weaving": 1}] * 3
    assert goods(state, 0) == {"wood": 1, "metal": 1, "tool": 1, "oil": 1, "gold": 1, "grain": 5, "textile": 3}
    assert keys(events) == ["order_drawn", "turn_began", "collected", "collected", "collected"]
    assert game.view_for(state, 0).reserve == (13, 13, 13)


@pytest.mark.rule(
    "after_the_flood#collect-1",
    "after_the_flood#collect-2",
    "after_the_flood#collect-3",
    "after_the_flood#collect-4",
    "after_the_flood#collect-9",
    "after_the_flood#forgotten-1",
)
@pytest.mark.parametrize(
    ("counts", "grain", "textiles"),
    [
        ((2, 2, 2), [5, 5, 5], [3, 3, 3]),
        ((2, 2, 1), [6, 6, 4], [3, 3, 2]),
        ((3, 1, 1), [6, 4, 4], [3, 2, 2]),
        ((3, 2, 1), [6, 4, 3], [3, 2, 1]),
        ((3, 0, 0), [6, 0, 0], [3, 0, 0]),  # seats without any count as a rank and get nothing
        ((2, 2, 0), [6, 6, 0], [3, 3, 0]),
        ((3, 1, 0), [6, 4, 0], [3, 2, 0]),
        ((0, 0, 0), [0, 0, 0], [0, 0, 0]),
    ],
)
def test_grain_and_textiles_go_by_rank_and_to_nobody_without_a_worker_there(counts, grain, textiles):
    state = next_turn(3, workers=[{"irrigation": count, "weaving": count} for count in counts])
    assert gained(state, "grain") == grain
    assert gained(state, "textile") == textiles


@pytest.mark.rule("after_the_flood#collect-5", "after_the_flood#cities-4")
def test_ur_brings_a_textile_also_without_a_weaver_unless_the_option_asks_for_one():
    at_ur = {"cities": ["ur", "", ""]}
    assert gained(next_turn(3, **at_ur), "textile") == [1, 0, 0]
    assert gained(next_turn(3, **at_ur, workers=["weaving", "", ""]), "textile") == [4, 0, 0]
    weaver = {"options": {"ur_textile": "weaver"}}
    assert gained(next_turn(3, **at_ur, **weaver), "textile") == [0, 0, 0]
    assert gained(next_turn(3, **at_ur, **weaver, workers=["weaving", "", ""]), "textile") == [4, 0, 0]


@pytest.mark.rule("after_the_flood#cities-4", "after_the_flood#build-4")
def test_ur_brings_its_textile_even_where_an_enemy_army_stood():
    state = position(
        turn=2, phase="scoring", passed=[0, 1, 2], cities=["ur", "", ""], empires=[None, "isin", None],
        ranking=[1], armies=["", "ur", ""], available=[0, 0, 0],
    )  # fmt: skip
    assert gained(play(state, "score"), "textile") == [1, 0, 0]


@pytest.mark.rule("after_the_flood#collect-8")
def test_grain_and_textiles_never_run_out():
    state = next_turn(3, goods=["grain 20 textile 15", "grain 9", ""], workers=["irrigation weaving"] * 3)
    assert gained(state, "grain") == [25, 14, 5]
    assert gained(state, "textile") == [18, 3, 3]
    assert game.view_for(state, None).stock["grain"] == 22 - 44
    assert game.state_from_json(game.state_to_json(state)) == state


@pytest.mark.rule("after_the_flood#collect-6", "after_the_flood#setup-5", "after_the_flood#corrections-5", "after_the_flood#corrections-7")
def test_eight_workers_come_as_far_as_the_reserve_goes_and_are_never_made_up_for():
    state = next_turn(3, workers=["egypt 20", "egypt 10", ""])
    assert data_of(state)["available"] == [5, 8, 8]
    after = next_turn(4, workers=["egypt 20", "egypt 10", ""])  # the decline after it takes one from Egypt
    assert data_of(after)["available"] == [5, 8, 8]
    assert workers(after, 0) == {"egypt": 19}
    assert game.view_for(after, None).reserve[0] == 1


@pytest.mark.rule("after_the_flood#collect-7")
def test_used_scribes_and_tool_makers_come_back_to_the_unused_side():
    state = next_turn(3, workers=["scribes used_scribes used_tool_makers 3", "", ""])
    assert workers(state, 0) == {"scribes": 2, "tool_makers": 3}


@pytest.mark.rule("after_the_flood#decline-2", "after_the_flood#decline-3", "after_the_flood#decline-6", "after_the_flood#corrections-2")
def test_a_decline_takes_one_worker_per_area_outside_sumer_and_all_of_dilmun():
    state = next_turn(2, workers=["egypt 3 amorites dilmun 4", "egypt 2 larsa 2", ""])
    assert workers(state, 0) == {"egypt": 2}
    assert workers(state, 1) == {"egypt": 1, "larsa": 1}
    assert data_of(state)["available"] == [8, 8, 8]
    assert game.view_for(state, None).reserve == (25 - 8 - 2, 25 - 8 - 2, 25 - 8)


@pytest.mark.rule("after_the_flood#decline-4")
@pytest.mark.parametrize(
    ("before", "after"),
    [((4, 3, 1), (2, 1, 0)), ((2, 2, 1), (2, 2, 1)), ((5, 5, 2), (2, 2, 0)), ((1, 0, 0), (1, 0, 0)), ((3, 0, 3), (2, 0, 2))],
)
@pytest.mark.parametrize("box", ["irrigation", "weaving"])
def test_the_leaders_of_a_production_box_keep_two_and_the_others_lose_the_same_number(box, before, after):
    state = next_turn(4, workers=[{box: count} for count in before])
    assert tuple(workers(state, seat).get(box, 0) for seat in range(3)) == after


@pytest.mark.rule("after_the_flood#decline-5", "after_the_flood#decline-1", "after_the_flood#corrections-8")
def test_a_decline_takes_a_scribe_and_a_tool_maker_after_they_have_come_back():
    state = next_turn(2, workers=["scribes used_scribes tool_makers used_tool_makers 2", "used_scribes", ""])
    assert workers(state, 0) == {"scribes": 1, "tool_makers": 2}
    assert workers(state, 1) == {}


@pytest.mark.rule("after_the_flood#decline-1")
@pytest.mark.parametrize("turn", [3, 5])
def test_there_is_no_decline_in_the_odd_turns(turn):
    held = "egypt dilmun 2 scribes tool_makers"
    assert workers(next_turn(turn, workers=[held, "", ""]), 0) == {"egypt": 1, "dilmun": 2, "scribes": 1, "tool_makers": 1}


@pytest.mark.rule("after_the_flood#decline-1", "after_the_flood#turn-2")
def test_production_comes_before_the_decline():
    state = position(turn=1, phase="scoring", passed=[0, 1, 2], available=[0, 0, 0], workers=["irrigation 4", "irrigation 3", "irrigation"])
    events = told(state, "score")
    assert keys(events).index("collected") < keys(events).index("declined")
    after = play(state, "score")
    assert gained(after, "grain") == [6, 4, 3]
    assert [workers(after, seat).get("irrigation", 0) for seat in range(3)] == [2, 1, 0]


@pytest.mark.rule("after_the_flood#turnend-1", "after_the_flood#turnend-2", "after_the_flood#turnend-3")
def test_a_turn_ends_with_empty_boxes_no_armies_and_goods_kept():
    state = position(
        turn=2, phase="scoring", passed=[0, 1, 2], available=[3, 0, 0], goods=["lapis", "gold 2", ""],
        empires=["isin", None, None], ranking=[0], armies=["isin 2 shuruppak", "", ""], armies_available=[4, 0, 0],
        equipment=["oil", "", ""], bids=["", "wood 2", ""],
    )  # fmt: skip
    after = play(state, "score")
    found = data_of(after)
    assert (found["turn"], found["phase"], found["passed"], found["ranking"]) == (3, "action", [], [])
    assert found["empires"] == [None] * 3
    assert armies(after, 0) == {}
    assert found["equipment"] == found["bids"] == [{}, {}, {}]
    assert found["armies_available"] == [0, 0, 0]
    assert found["available"] == [8, 8, 8]
    assert goods(after, 0) == {"lapis": 1}
    view = game.view_for(after, None)
    assert view.armies_reserve == (20, 20, 20)
    assert view.reserve == (17, 17, 17)
    assert (view.stock["oil"], view.stock["wood"], view.stock["gold"]) == (7, 12, 5)


@pytest.mark.rule("after_the_flood#overview-4")
def test_after_the_flood_is_for_exactly_three_players():
    assert data_of(game.setup(3, {}))["phase"] == "start"
    for seats in (2, 4):
        with pytest.raises(SetupError):
            game.setup(seats, {})


@pytest.mark.rule("after_the_flood#cities-11", "after_the_flood#destroy-2")
def test_the_rule_of_an_area_goes_to_whoever_has_the_city_there():
    state = position(
        turn=2, empires=["amorites", None, None], ranking=[0], armies=["ur", "", ""], armies_available=[2, 0, 0], cities=["", "ur", ""],
    )  # fmt: skip
    passes = ["pass"] * 3
    assert gained(play(state, *passes, "score"), "textile") == [0, 1, 0], "an army in the area does not take the rule away"
    gone = play(state, "destroy ur", "build umma", "build lagash")
    assert gained(play(gone, *passes, "score"), "textile") == [0, 0, 0]
    assert gained(play(gone, "build ur", "pass", "pass", "pass", "score"), "textile") == [1, 0, 0], "it is the new owner's now"
