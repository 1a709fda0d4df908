"""Founding, armies, equipment, homes, empires that come back (after_the_flood#found, #equip, #expand-8)."""

from __future__ import annotations

import pytest

from games.after_the_flood.view import view_for
from tests.engine.after_the_flood.builders import armies, data_of, due, game, goods, keys, legal, play, position, refusal, told, workers


@pytest.mark.rule("after_the_flood#found-1", "after_the_flood#found-3", "after_the_flood#found-4", "after_the_flood#found-16")
def test_an_empire_needs_a_worker_at_home_and_nobody_with_more_but_a_sumer_empire_needs_none():
    state = position(workers=["guti akkad", "guti akkad 2", ""])
    assert legal(state, "found") == ["found guti", "found sumer"]
    assert refusal(state, "found akkad") == ("others_have_more", "after_the_flood#found-3")
    assert refusal(position(), "found akkad") == ("no_worker_at_home", "after_the_flood#found-3")
    assert refusal(position(), "found elam") == ("empire_not_now", "after_the_flood#found-1")
    assert legal(position(active=1, order=[1, 0, 2], workers=["guti akkad", "guti akkad 2", ""]), "found") == [
        "found akkad",
        "found guti",
        "found sumer",
    ]


@pytest.mark.rule("after_the_flood#found-2")
def test_each_player_founds_one_empire_a_turn_and_each_empire_is_founded_once():
    state = play(position(workers=["guti akkad", "guti", "akkad"]), "found guti", "ready", "garrison 1")
    assert refusal(state, "found guti") == ("empire_taken", "after_the_flood#found-2")
    state = play(state, "found sumer", "ready", "home ur", "garrison 1", "build umma")
    assert due(state) == 0
    assert refusal(state, "found akkad") == ("empire_founded", "after_the_flood#found-2")


@pytest.mark.rule("after_the_flood#found-5", "after_the_flood#cities-7")
def test_babylon_gives_two_armies_more_up_to_the_limit():
    plain = play(position(workers=["guti", "", ""]), "found guti")
    assert data_of(plain)["armies_available"] == [8, 0, 0]
    more = play(position(workers=["guti", "", ""], cities=["babylon", "", ""]), "found guti")
    assert data_of(more)["armies_available"] == [10, 0, 0]


@pytest.mark.rule("after_the_flood#found-6", "after_the_flood#corrections-9")
def test_grain_metal_and_tools_buy_armies_as_far_as_twenty():
    state = play(position(workers=["guti", "", ""], goods=["grain metal 5 tool wood", "", ""]), "found guti")
    assert [text for text in legal(state) if text.startswith("recruit")] == ["recruit grain", "recruit metal", "recruit tool"]
    state = play(state, "recruit grain", "recruit tool", "recruit metal", "recruit metal", "recruit metal")
    assert data_of(state)["armies_available"][0] == 18
    state = play(state, "recruit metal")
    assert data_of(state)["armies_available"][0] == 20
    assert refusal(state, "recruit metal") == ("no_army_in_reserve", "after_the_flood#found-6")
    nearly = position(turn=5, workers=["assyria", "", ""], goods=["tool 3", "", ""])
    nearly = play(nearly, "found assyria", "recruit tool", "recruit tool", "recruit tool")
    assert data_of(nearly)["armies_available"][0] == 20, "the surplus of the last tool is lost"
    assert goods(nearly, 0) == {}
    with pytest.raises(ValueError, match="grain, metal or tool"):
        game.parse_action("recruit wood")


@pytest.mark.rule("after_the_flood#equip-1", "after_the_flood#found-6", "after_the_flood#found-17", "after_the_flood#components-10")
def test_any_goods_equip_and_once_it_has_begun_no_more_armies_are_bought():
    state = play(position(workers=["guti", "", ""], goods=["grain wood lapis", "", ""]), "found guti", "equip lapis", "equip wood")
    assert view_for(state, 0).equipment_values == (7, 0, 0)
    assert refusal(state, "recruit grain") == ("equipping_begun", "after_the_flood#found-6")


@pytest.mark.rule("after_the_flood#equip-2", "after_the_flood#equip-3", "after_the_flood#equip-4")
def test_ratings_go_by_value_and_an_equal_one_stands_below_the_earlier():
    state = position(workers=["guti", "akkad", ""], goods=["", "textile", "grain"])
    state = play(state, "found guti", "ready", "garrison 1")
    assert data_of(state)["ranking"] == [0]
    state = play(state, "found akkad", "equip textile", "ready", "garrison 1")
    assert data_of(state)["ranking"] == [1, 0]
    better = play(state, "found sumer", "equip grain", "ready", "home ur", "garrison 1")
    assert data_of(better)["ranking"] == [1, 2, 0]
    equal = play(state, "found sumer", "ready", "home ur", "garrison 1")
    assert data_of(equal)["ranking"] == [1, 0, 2]


@pytest.mark.rule("after_the_flood#found-7", "after_the_flood#found-8", "after_the_flood#found-10", "after_the_flood#found-12")
def test_the_player_s_workers_leave_the_home_for_the_reserve_and_others_stay():
    state = position(workers=["guti 3", "guti 2", ""], available=[4, 0, 0])
    after = play(state, "found guti", "ready", "garrison 2")
    assert workers(after, 0) == {}
    assert workers(after, 1) == {"guti": 2}
    assert data_of(after)["available"][0] == 4
    assert view_for(after, 0).reserve[0] == 21
    assert armies(after, 0) == {"guti": 2}
    assert data_of(after)["armies_available"][0] == 6
    assert due(after) == 1


@pytest.mark.rule("after_the_flood#found-4", "after_the_flood#forgotten-9")
def test_a_sumer_empire_begins_anywhere_in_sumer_also_under_a_city_of_another():
    state = play(position(cities=["", "uruk", ""], goods=["grain", "", ""]), "found sumer", "recruit grain", "ready")
    assert len(legal(state)) == 9
    after = play(state, "home uruk", "garrison 1")
    assert armies(after, 0) == {"uruk": 1}
    assert data_of(after)["cities"][1] == ["uruk"]


HELD = {"turn": 3, "empires": [None, "mittani", None], "ranking": [1], "armies": ["", "egypt 2", ""], "armies_available": [0, 5, 0]}


@pytest.mark.rule("after_the_flood#found-9", "after_the_flood#equip-2", "after_the_flood#forgotten-6")
def test_an_occupied_home_is_fought_for_without_stopping_and_workers_leave_before():
    state = play(position(workers=["egypt", "", ""], goods=["wood", "", ""], active=0, **HELD), "found egypt", "equip wood", "ready")
    assert workers(state, 0) == {}
    assert game.actors(state) == (-1,)
    state = play(state, "roll 2 2")
    assert game.actors(state) == (-1,), "there is no choice to stop"
    assert data_of(state)["armies_available"][0] == 4
    state = play(state, "roll 1 4", "roll 6 6")
    assert legal(state) == ["garrison 1", "garrison 2"]
    after = play(state, "garrison 2")
    assert armies(after, 0) == {"egypt": 2}
    assert armies(after, 1) == {}
    assert data_of(after)["armies_available"][0] == 2


@pytest.mark.rule("after_the_flood#found-9", "after_the_flood#found-13", "after_the_flood#equip-4", "after_the_flood#expand-9")
def test_a_lost_founding_leaves_an_empire_without_armies_that_keeps_its_rating():
    state = play(position(workers=["egypt", "", ""], active=0, **HELD), "found egypt", "ready")
    assert data_of(state)["ranking"] == [1, 0]
    events = told(state, *["roll 1 1"] * 5)
    assert keys(events)[-2:] == ["missed", "ran_out"]
    after = play(state, *["roll 1 1"] * 5)
    assert due(after) == 1
    while due(after) != 0:
        after = play(after, "pass" if "pass" in legal(after) else "done")
    if data_of(after)["phase"] == "paying":
        after = play(after, "pay worker")
    assert refusal(after, "refound") == ("no_army_available", "after_the_flood#expand-1")
    assert data_of(after)["empires"] == ["egypt", "mittani", None]
    assert data_of(after)["ranking"] == [1, 0]
    assert armies(after, 1) == {"egypt": 2}


WIPED = {"turn": 3, "ranking": [0, 1], "armies_available": [4, 5, 0], "active": 0}


@pytest.mark.rule("after_the_flood#expand-8")
def test_a_wiped_out_empire_comes_back_through_its_home_without_workers_and_goes_on():
    state = position(empires=["egypt", "mittani", None], armies=["", "mittani", ""], **WIPED)
    assert [text for text in legal(state) if text.split()[0] in ("invade", "refound", "reinforce")] == ["refound"]
    assert refusal(state, "invade amorites") == ("home_lost", "after_the_flood#expand-8")
    after = play(state, "refound", "garrison 2")
    assert armies(after, 0) == {"egypt": 2}
    assert data_of(after)["phase"] == "expanding"
    after = play(after, "invade amorites")
    assert armies(after, 0) == {"amorites": 1, "egypt": 2}
    assert data_of(after)["armies_available"][0] == 0


@pytest.mark.rule("after_the_flood#expand-8")
def test_an_occupied_home_of_a_wiped_out_empire_is_fought_for_to_the_end():
    state = position(empires=["egypt", "mittani", None], armies=["", "egypt", ""], **WIPED)
    state = play(state, "refound", "roll 1 1")
    assert game.actors(state) == (-1,)
    assert legal(play(state, "roll 3 2"), "garrison") == ["garrison 1", "garrison 2"]
    assert due(play(state, *["roll 1 1"] * 3)) == 1


@pytest.mark.rule("after_the_flood#expand-8", "after_the_flood#found-4")
def test_a_wiped_out_sumer_empire_may_come_back_in_any_sumer_area():
    state = position(empires=["sumer", "mittani", None], armies=["", "mittani", ""], **WIPED)
    assert len(legal(state, "refound")) == 9
    assert refusal(state, "refound") == ("refound_where", "after_the_flood#expand-8")
    assert armies(play(state, "refound lagash", "garrison 1"), 0) == {"lagash": 1}
    here = position(empires=["egypt", "mittani", None], armies=["amorites", "mittani", ""], **WIPED)
    assert refusal(here, "refound") == ("armies_on_map", "after_the_flood#expand-8")


@pytest.mark.rule("after_the_flood#found-11")
def test_the_right_to_start_an_empire_is_checked_when_the_action_is_chosen():
    state = position(workers=["guti", "", "guti"], goods=["", "textile", ""], available=[0, 2, 0])
    late = play(state, "build ur", "place textile guti 2", "build umma")
    assert due(late) == 0
    assert refusal(late, "found guti") == ("others_have_more", "after_the_flood#found-3"), "at the start of the turn it was allowed"
    assert "found guti" in legal(state)


@pytest.mark.rule("after_the_flood#found-12", "after_the_flood#found-6")
def test_the_armies_of_babylon_count_towards_the_twenty():
    state = position(turn=5, workers=["assyria", "", ""], cities=["babylon", "", ""], goods=["tool 3", "", ""])
    state = play(state, "found assyria")
    assert data_of(state)["armies_available"][0] == 14
    state = play(state, "recruit tool", "recruit tool")
    assert data_of(state)["armies_available"][0] == 20
    assert refusal(state, "recruit tool") == ("no_army_in_reserve", "after_the_flood#found-6")


@pytest.mark.rule("after_the_flood#expand-10", "after_the_flood#found-3")
def test_a_worker_beside_an_army_counts_for_starting_an_empire():
    state = position(workers=["egypt", "egypt 2", ""], active=0, **(HELD | {"armies": ["", "egypt", ""]}))
    assert refusal(state, "found egypt") == ("others_have_more", "after_the_flood#found-3")
    alone = position(workers=["egypt", "", ""], active=0, **(HELD | {"armies": ["", "egypt", ""]}))
    assert "found egypt" in legal(alone), "the army of another over the worker does not matter"
