"""Trading and tool makers (after_the_flood#trade, #tools)."""

from __future__ import annotations

import pytest

from tests.engine.after_the_flood.builders import data_of, due, game, goods, keys, legal, play, position, refusal, told, workers

RED_EMPIRE = {"turn": 4, "empires": ["hittites", None, None], "ranking": [0], "armies_available": [1, 0, 0]}
PURPLE_EMPIRE = {"turn": 4, "empires": [None, "hittites", None], "ranking": [1], "armies_available": [0, 1, 0]}
PRICES = {
    "wood": ["grain", "textile", "tool"],
    "metal": ["grain", "textile", "tool"],
    "oil": ["textile", "tool"],
    "gold": ["textile", "tool", "oil"],
    "lapis": ["tool", "oil", "gold"],
}


@pytest.mark.rule("after_the_flood#trade-3", "after_the_flood#components-5", "after_the_flood#trade-11", "after_the_flood#corrections-3")
def test_goods_are_exchanged_at_the_rates_of_the_table():
    everything = "grain 9 wood 2 metal 2 textile 9 tool 2 oil 2 gold 2 lapis 2"
    state = position(goods=[everything, "", ""], workers=["dilmun 4 kassites", "", ""])
    expected = {f"trade dilmun {get} {give}" for get in ("wood", "metal", "oil", "gold") for give in PRICES[get]}
    expected |= {f"trade kassites lapis {give}" for give in PRICES["lapis"]}
    assert set(legal(state, "trade")) == expected
    for text in ("trade egypt wood grain", "trade kassites lapis wood", "trade dilmun gold grain", "trade guti wood grain"):
        with pytest.raises(ValueError, match="a good that is sold there"):
            game.parse_action(text)


@pytest.mark.rule("after_the_flood#trade-1", "after_the_flood#trade-2")
def test_one_worker_makes_one_exchange_and_each_good_is_sold_once_an_area():
    state = position(goods=["grain 3 textile 3", "", ""], workers=["amorites 2 mittani", "", ""])
    state = play(state, "trade amorites wood grain")
    assert refusal(state, "trade amorites wood grain") == ("good_taken", "after_the_flood#trade-2")
    state = play(state, "trade amorites oil textile")
    assert refusal(state, "trade amorites wood grain") == ("traders_used", "after_the_flood#trade-2")
    state = play(state, "trade mittani wood grain")
    assert goods(state, 0) == {"grain": 1, "textile": 2, "wood": 2, "oil": 1}
    assert due(state) == 1, "nothing is left to exchange"


@pytest.mark.rule("after_the_flood#trade-2")
def test_a_third_worker_finds_nothing_more_to_buy():
    state = position(goods=["grain 9", "", ""], workers=["amorites 5 hittites 2", "", ""])
    state = play(state, "trade amorites wood grain", "trade hittites metal grain")
    assert due(state) == 1


@pytest.mark.rule("after_the_flood#trade-4", "after_the_flood#trade-9")
def test_goods_come_from_the_stock_only_and_goods_given_can_be_taken_again():
    state = position(goods=["gold 6 oil textile", "gold", ""], workers=["egypt kassites", "", ""])
    assert game.view_for(state, 0).stock["gold"] == 0
    assert refusal(state, "trade egypt gold oil") == ("good_out_of_stock", "after_the_flood#trade-4")
    after = play(state, "trade kassites lapis gold")
    assert "trade egypt gold textile" in legal(after)


@pytest.mark.rule("after_the_flood#trade-4", "after_the_flood#turnend-3", "after_the_flood#trade-9")
def test_goods_in_bids_and_equipment_are_not_in_the_stock():
    fields = {"turn": 2, "workers": ["egypt", "", ""], "empires": [None, "isin", None], "ranking": [1]}
    state = position(
        goods=["textile", "", ""], bids=["", "", "gold 3"], passed=[2], equipment=["", "gold 4", ""], doing={"paid": True}, **fields
    )
    assert refusal(state, "trade egypt gold textile") == ("good_out_of_stock", "after_the_flood#trade-4")


@pytest.mark.rule("after_the_flood#trade-5", "after_the_flood#forgotten-4", "after_the_flood#forgotten-5")
def test_an_enemy_army_blocks_trade_and_your_own_armies_trade_instead_of_workers():
    under = position(
        goods=["grain 4 textile 4", "", ""], workers=["amorites 2", "", ""], armies=["", "amorites", ""], active=0, **PURPLE_EMPIRE
    )
    assert legal(under, "trade") == []
    assert refusal(under, "trade amorites wood grain") == ("army_blocks_trade", "after_the_flood#trade-5")
    mine = position(goods=["", "grain 4 textile 4", ""], armies=["", "amorites", ""], active=1, **PURPLE_EMPIRE)
    assert due(play(mine, "trade amorites wood grain")) == 2, "one army is one trader"
    one = position(goods=["grain 4 textile 4", "", ""], workers=["amorites 3", "", ""], armies=["amorites", "", ""], **RED_EMPIRE)
    assert due(play(one, "trade amorites wood grain")) == 1, "the workers under an own army do not trade"
    two = position(goods=["grain 4 textile 4", "", ""], armies=["amorites 2", "", ""], **RED_EMPIRE)
    assert due(play(two, "trade amorites wood grain")) == 0
    assert due(play(two, "trade amorites wood grain", "trade amorites oil textile")) == 1


@pytest.mark.rule("after_the_flood#trade-6", "after_the_flood#tools-2", "after_the_flood#forgotten-2")
def test_goods_gained_are_used_at_once_metal_to_tool_to_lapis():
    state = position(goods=["grain", "", ""], workers=["elam kassites tool_makers", "", ""])
    after = play(state, "trade elam metal grain", "tool", "trade kassites lapis tool")
    assert goods(after, 0) == {"lapis": 1}
    assert workers(after, 0)["used_tool_makers"] == 1
    assert due(after) == 1


@pytest.mark.rule("after_the_flood#trade-7", "after_the_flood#cities-6", "after_the_flood#trade-10")
def test_sippar_gives_an_extra_exchange_in_one_area_of_the_same_good_or_another():
    state = position(goods=["textile 9", "", ""], workers=["mittani 2 egypt", "", ""], cities=["sippar", "", ""])
    state = play(state, "trade egypt gold textile", "trade mittani wood textile", "trade mittani metal textile")
    assert set(legal(state, "trade")) == {
        "trade egypt gold textile", "trade mittani wood textile", "trade mittani metal textile",
    }  # fmt: skip
    assert keys(told(state, "trade egypt gold textile")) == ["traded_extra"]
    state = play(state, "trade egypt gold textile")
    assert goods(state, 0) == {"textile": 5, "gold": 2, "wood": 1, "metal": 1}
    assert due(state) == 1
    other = position(goods=["textile 9", "", ""], workers=["amorites", "", ""], cities=["sippar", "", ""])
    other = play(other, "trade amorites wood textile", "trade amorites oil textile")
    assert goods(other, 0) == {"textile": 7, "wood": 1, "oil": 1}
    nobody = position(goods=["textile 9", "", ""], cities=["sippar", "", ""])
    assert refusal(nobody, "trade amorites wood textile") == ("no_trader", "after_the_flood#trade-1")


@pytest.mark.rule("after_the_flood#trade-7", "after_the_flood#trade-10")
def test_the_extra_exchange_of_sippar_works_with_an_army_and_comes_back_with_each_action():
    state = position(goods=["textile 9", "", ""], armies=["amorites", "", ""], cities=["sippar", "", ""], **RED_EMPIRE)
    once = play(state, "trade amorites wood textile", "trade amorites wood textile")
    assert goods(once, 0) == {"textile": 7, "wood": 2}
    again = play(once, "build ur", "build umma")
    assert due(again) == 0
    assert goods(play(again, "trade amorites wood textile", "trade amorites wood textile"), 0)["wood"] == 4


@pytest.mark.rule("after_the_flood#tools-1", "after_the_flood#trade-8")
def test_tools_alone_are_a_trade_action_each_maker_works_once_a_turn_with_any_metal():
    state = position(goods=["metal 2", "", ""], workers=["tool_makers 3", "", ""])
    after = play(state, "tool", "tool")
    assert goods(after, 0) == {"tool": 2}
    assert workers(after, 0) == {"tool_makers": 1, "used_tool_makers": 2}
    assert due(after) == 1
    assert refusal(position(goods=["metal", "", ""], workers=["used_tool_makers", "", ""]), "tool") == (
        "no_tool_maker",
        "after_the_flood#tools-1",
    )
    assert refusal(position(workers=["tool_makers", "", ""]), "tool") == ("good_not_held", "after_the_flood#tools-1")
    assert "done" not in legal(state), "a trade action needs an exchange or a tool"


@pytest.mark.rule("after_the_flood#tools-3")
def test_without_a_tool_in_the_stock_none_is_made_unless_the_option_says_so():
    fields = {"goods": ["metal", "tool 12", ""], "workers": ["tool_makers", "", ""]}
    assert refusal(position(**fields), "tool") == ("no_tool_left", "after_the_flood#tools-3")
    free = play(position(options={"tool_stock": "unlimited"}, **fields), "tool")
    assert goods(free, 0) == {"tool": 1}
    assert game.state_from_json(data_of(free)) == free


@pytest.mark.rule("after_the_flood#trade-1")
def test_each_trade_action_counts_its_exchanges_from_scratch():
    state = play(position(goods=["grain 2 textile", "", ""], workers=["mittani", "", ""]), "trade mittani wood grain")
    assert due(state) == 1
    state = play(state, "build ur", "build umma")
    assert goods(play(state, "trade mittani wood grain"), 0)["wood"] == 2
