"""Every reason for refusing an action, with its paragraph (after_the_flood#act-2)."""

from __future__ import annotations

import pytest

from games.after_the_flood import game
from games.after_the_flood.actions import RELOCATIONS
from games.after_the_flood.components import UR
from games.core.contract import CHANCE, SCORER, IllegalAction
from tests.engine.after_the_flood.builders import ask, position, refusal

FOUR = "sippar babylon nippur umma"
ALL_NINE = [FOUR, "shuruppak uruk ur lagash", "eridu"]


def empire(area: str = "akkad", available: int = 5, **fields):
    """Return a position of turn 1 in which seat 0 has an empire of one army."""
    armies = [area, "", ""] if area else ["", "", ""]
    return position(**{"empires": ["akkad", None, None], "ranking": [0], "armies": armies, "armies_available": [available, 0, 0]} | fields)


def two_empires(own: str, enemy: str, **fields):
    """Return a position of turn 1 in which seats 0 and 1 have empires."""
    basis = {"empires": ["akkad", "sumer", None], "ranking": [0, 1], "armies": [own, enemy, ""], "armies_available": [5, 0, 0]}
    return position(**basis | fields)


def rolling(**fields):
    """Return a position in which dice are due for an attack on Babylon."""
    return two_empires("akkad", "babylon", phase="rolling", doing={"target": "babylon"}, **fields)


CASES = [
    ("finished", lambda: position(phase="end", turn=5, passed=[0, 1, 2]), "pass", 0, "end-1"),
    ("not_by_hand", position, "roll 1 2", 0, "combat-1"),
    ("not_by_hand", position, "order 0 1 2", 0, "setup-1"),
    ("no_roll", position, "roll 1 2", CHANCE, "combat-1"),
    ("not_scoring", position, "score", SCORER, "points-1"),
    ("order_first", lambda: position(phase="start"), "pass", 0, "turn-2"),
    ("dice_first", rolling, "stop", 0, "turn-2"),
    ("scoring_first", lambda: position(phase="scoring", passed=[0, 1, 2]), "pass", 0, "turn-2"),
    ("not_your_turn", position, "pass", 1, "act-1"),
    ("choose_action", position, "done", None, "act-2"),
    ("placing_first", lambda: position(phase="placing", goods=["grain", "", ""]), "pass", None, "place-1"),
    ("trading_first", lambda: position(phase="trading"), "pass", None, "trade-1"),
    ("empire_first", lambda: empire("", phase="mustering", ranking=[]), "pass", None, "found-6"),
    (
        "home_first",
        lambda: empire("", empires=["sumer", None, None], phase="homing", doing={"fight": "founding"}),
        "garrison 1",
        None,
        "found-4",
    ),
    ("garrison_first", lambda: empire("", phase="garrisoning", doing={"target": "akkad", "fight": "founding"}), "done", None, "found-8"),
    (
        "attack_first",
        lambda: two_empires("akkad", "babylon", phase="attacking", doing={"target": "babylon"}),
        "done",
        None,
        "combat-4",
    ),
    ("expanding_first", lambda: empire(phase="expanding"), "pass", None, "expand-6"),
    ("bidding_first", lambda: position(phase="bidding", passed=[0], goods=["grain", "", ""]), "pass", None, "pass-2"),
    ("growing_first", lambda: position(phase="growing", passed=[0, 1, 2], goods=["wood 2", "", ""], cities=["ur", "", ""]), "pass", None, "growth-1"),
    # paying
    ("pay_first", lambda: position(phase="paying", passed=[1]), "build ur", None, "pass-3"),
    ("nothing_to_pay", lambda: position(goods=["grain", "", ""]), "pay grain", None, "pass-3"),
    (
        "nothing_left_to_do",
        lambda: position(phase="paying", turn=2, passed=[1], cities=ALL_NINE, goods=["grain", "", ""], available=[1, 0, 0]),
        "pay grain",
        None,
        "pass-6",
    ),
    ("paid_already", lambda: position(passed=[1], doing={"paid": True}), "pass", None, "pass-6"),
    ("good_not_held", lambda: position(phase="paying", passed=[1]), "pay gold", None, "pass-3"),
    ("no_worker_available", lambda: position(phase="paying", passed=[1], available=[0, 0, 0]), "pay worker", None, "pass-3"),
    ("no_army_available", lambda: position(phase="paying", passed=[1]), "pay army", None, "pass-3"),
    # cities
    ("no_city_left", lambda: position(cities=[FOUR, "", ""]), "build ur", None, "build-3"),
    ("city_left", lambda: position(cities=["ur", "", ""]), "relocate ur uruk", None, "build-3"),
    ("no_own_city", lambda: position(cities=[FOUR, "ur", ""]), "relocate ur uruk", None, "build-3"),
    ("city_there", lambda: position(cities=["", "ur", ""]), "build ur", None, "build-2"),
    ("enemy_army_there", lambda: two_empires("akkad", "ur"), "build ur", None, "build-2"),
    # workers
    ("placed_already", lambda: position(phase="placing", goods=["grain", "", ""], doing={"placed": True}), "place grain guti 1", None, "place-1"),
    ("good_not_held", position, "place grain guti 1", None, "place-1"),
    ("too_few_workers", lambda: position(goods=["wood", "", ""], available=[1, 0, 0]), "place wood guti 2", None, "place-1"),
    ("too_many_scribes", lambda: position(goods=["wood", "", ""], workers=["scribes", "", ""]), "place wood scribes 2", None, "scribes-2"),
    ("too_many_scribes", lambda: position(workers=["scribes used_scribes", "", ""]), "scribe available scribes", None, "scribes-2"),
    ("no_scribe", position, "scribe available guti", None, "scribes-1"),
    ("new_scribe", lambda: position(phase="placing", workers=["scribes", "", ""], doing={"usable": 0}), "scribe available guti", None, "scribes-5"),
    ("no_worker_available", lambda: position(workers=["scribes", "", ""], available=[0, 0, 0]), "scribe available guti", None, "scribes-1"),
    ("no_worker_there", lambda: position(workers=["scribes", "", ""]), "scribe guti elam", None, "scribes-3"),
    # trade
    ("no_trader", lambda: position(goods=["textile", "", ""]), "trade egypt gold textile", None, "trade-1"),
    (
        "army_blocks_trade",
        lambda: position(
            turn=3, workers=["egypt", "", ""], empires=[None, "egypt", None], ranking=[1], armies=["", "egypt", ""], goods=["textile", "", ""]
        ),
        "trade egypt gold textile",
        None,
        "trade-5",
    ),
    (
        "traders_used",
        lambda: position(phase="trading", workers=["amorites", "", ""], goods=["textile", "", ""], doing={"traded": {"amorites": [1, ["wood"]]}}),
        "trade amorites oil textile",
        None,
        "trade-2",
    ),
    (
        "good_taken",
        lambda: position(phase="trading", workers=["amorites 2", "", ""], goods=["grain", "", ""], doing={"traded": {"amorites": [1, ["wood"]]}}),
        "trade amorites wood grain",
        None,
        "trade-2",
    ),
    (
        "good_taken",
        lambda: position(
            phase="trading",
            cities=["sippar", "", ""],
            workers=["amorites 2", "", ""],
            goods=["grain", "", ""],
            doing={"traded": {"amorites": [1, ["wood"]]}, "extra": True},
        ),
        "trade amorites wood grain",
        None,
        "trade-7",
    ),
    (
        "good_out_of_stock",
        lambda: position(workers=["egypt", "", ""], goods=["textile", "gold 7", ""]),
        "trade egypt gold textile",
        None,
        "trade-4",
    ),
    ("good_not_held", lambda: position(workers=["egypt", "", ""]), "trade egypt gold textile", None, "trade-3"),
    ("no_tool_maker", lambda: position(goods=["metal", "", ""]), "tool", None, "tools-1"),
    ("good_not_held", lambda: position(workers=["tool_makers", "", ""]), "tool", None, "tools-1"),
    ("no_tool_left", lambda: position(workers=["tool_makers", "", ""], goods=["metal", "tool 12", ""]), "tool", None, "tools-3"),
    # empires
    ("empire_founded", empire, "found guti", None, "found-2"),
    ("empire_not_now", position, "found assyria", None, "found-1"),
    ("empire_taken", lambda: position(active=1, empires=["akkad", None, None], ranking=[0], armies=["akkad", "", ""]), "found akkad", None, "found-2"),
    ("no_worker_at_home", position, "found akkad", None, "found-3"),
    ("others_have_more", lambda: position(workers=["akkad", "akkad 2", ""]), "found akkad", None, "found-3"),
    ("equipping_begun", lambda: empire("", phase="equipping", ranking=[], goods=["grain", "", ""]), "recruit grain", None, "found-6"),
    ("good_not_held", lambda: empire("", phase="mustering", ranking=[]), "recruit grain", None, "found-6"),
    ("good_not_held", lambda: empire("", phase="equipping", ranking=[]), "equip gold", None, "equip-1"),
    ("no_army_in_reserve", lambda: empire("", 20, phase="mustering", ranking=[], goods=["grain", "", ""]), "recruit grain", None, "found-6"),
    (
        "too_few_armies",
        lambda: empire("", 1, phase="garrisoning", doing={"target": "akkad", "fight": "founding"}),
        "garrison 2",
        None,
        "found-8",
    ),
    # expansion
    ("no_empire", position, "invade ur", None, "expand-1"),
    ("no_army_available", lambda: empire(available=0), "invade babylon", None, "expand-1"),
    ("armies_on_map", empire, "refound", None, "expand-8"),
    ("refound_where", lambda: empire("", empires=["sumer", None, None]), "refound", None, "expand-8"),
    ("refound_home", lambda: empire(""), "refound ur", None, "expand-8"),
    ("home_lost", lambda: empire(""), "invade babylon", None, "expand-8"),
    ("repeat_too_dear", lambda: empire(available=1, phase="expanding"), "invade babylon", None, "expand-6"),
    ("own_army_there", lambda: empire("akkad babylon"), "invade babylon", None, "expand-2"),
    ("not_a_neighbour", empire, "invade ur", None, "expand-2"),
    ("never_invaded", empire, "invade dilmun", None, "expand-4"),
    ("no_own_army_there", empire, "destroy ur", None, "destroy-1"),
    ("no_own_army_there", empire, "reinforce ur", None, "expand-5"),
    ("two_armies_there", lambda: empire("akkad 2"), "reinforce akkad", None, "expand-5"),
    ("no_city_there", lambda: empire("babylon"), "destroy babylon", None, "destroy-1"),
    ("own_city", lambda: empire("babylon", cities=["babylon", "", ""]), "destroy babylon", None, "destroy-1"),
    ("destroy_too_dear", lambda: empire("babylon", 1, cities=["", "babylon", ""]), "destroy babylon", None, "destroy-1"),
    ("destroy_too_dear", lambda: empire("babylon", 2, cities=["", "babylon shuruppak", ""]), "destroy babylon", None, "destroy-3"),
    # bids and growth
    ("good_not_held", lambda: position(phase="bidding", passed=[0], goods=["grain", "", ""]), "bid gold", None, "pass-2"),
    ("no_own_city", lambda: position(phase="growing", passed=[0, 1, 2], goods=["wood 2", "", ""], cities=["ur", "", ""]), "grow umma", None, "growth-1"),
    (
        "grown_already",
        lambda: position(phase="growing", passed=[0, 1, 2], goods=["wood 2", "", ""], cities=["ur umma", "", ""], grown=["umma"]),
        "grow umma",
        None,
        "growth-3",
    ),
    ("too_little_wood", lambda: position(phase="growing", passed=[0, 1, 2], goods=["wood", "", ""], cities=["ur", "", ""]), "grow ur", None, "growth-1"),
    (
        "good_not_held",
        lambda: position(phase="growing", passed=[0, 1, 2], goods=["wood 2", "", ""], cities=["ur", "", ""]),
        "grow ur gold",
        None,
        "growth-1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "build", "text", "actor", "rule"), CASES, ids=[f"{case[0]} {case[4]}" for case in CASES])
def test_an_action_is_refused_with_its_paragraph(reason, build, text, actor, rule):
    state = build()
    assert refusal(state, text, actor) == (reason, f"after_the_flood#{rule}")


@pytest.mark.parametrize(("reason", "build", "text", "actor", "rule"), [case for case in CASES if case[3] is None])
def test_a_question_tells_why_a_chosen_action_is_not_possible(reason, build, text, actor, rule):
    asked = ask(build(), text)
    assert asked.action is None
    if reason == "refound_where":  # the start of an action with an area
        assert asked.chosen == text
        return
    assert asked.refusal is not None
    assert asked.refusal.rule is not None


@pytest.mark.rule("after_the_flood#build-3")
def test_a_city_does_not_move_to_where_it_is():
    """The text of such an action does not exist; a board may still ask."""
    state = position(cities=["sippar babylon nippur ur", "", ""])
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, 0, RELOCATIONS[UR][UR])
    assert (refused.value.reason, refused.value.rule) == ("refused.same_area", "after_the_flood#build-3")
    assert ask(state, "relocate ur").closed["area-ur"].text == game.phrases["refused.same_area"]


def test_every_reason_is_shown_by_a_case():
    reasons = {key.removeprefix("refused.") for key in game.phrases if key.startswith("refused.")}
    assert reasons - {case[0] for case in CASES} == {"same_area", "no_action"}  # tests/engine/test_every_action.py
