"""What After the Flood asks of empires and their armies, of growing cities, and of goods that are spent together."""

from __future__ import annotations

import pytest

from games.after_the_flood.components import AREAS
from games.after_the_flood.state import value_of
from tests.engine.after_the_flood.builders import ask, game, play, position
from tests.engine.after_the_flood.builders import told as events_of
from tests.engine.after_the_flood.questions import labels, option, said, told, whys

# Empires


@pytest.mark.rule("after_the_flood#found-5", "after_the_flood#found-6", "after_the_flood#found-7", "after_the_flood#equip-2")
def test_founding_step_by_step():
    state = position(workers=["akkad 2", "", ""], cities=["babylon", "", ""], goods=["grain metal gold", "", ""])
    assert told(ask(state, "found akkad")) == [
        "You take 12 armies from your reserve.",
        "Two of them come from your city in Babylon.",
        "When you finish the empire, 2 workers will return from the home area (Akkad) to your reserve.",
        "You can then buy more armies and equip the empire.",
    ]
    muster = play(state, "found akkad")
    asked = ask(muster)
    assert labels(asked)["recruit metal"] == "1 metal: 2 armies"
    assert labels(asked)["equip gold"] == "1 gold: value 4, rating A"
    assert option(asked, "recruit metal").target is None, "the piece is taken for equipment"
    assert option(asked, "equip metal").target == "good-metal"
    instead = "You could use this good for equipment instead: choose that in the list."
    assert told(ask(muster, "recruit metal"))[1] == instead
    assert told(ask(muster, "equip gold")) == [
        "Your equipment value will be 4: rating A as things stand.",
        "After this you can't buy any more armies.",
    ]
    equipped = play(muster, "equip gold")
    assert whys(ask(equipped))["Why can't I buy armies?"][1] == "after_the_flood#found-6"
    assert told(ask(equipped, "ready")) == [
        "Your empire has a value of 4: rating A. It keeps this rating for the turn, unless a new empire is ranked above it.",
        "You return 2 workers from the home area (Akkad) to your reserve.",
        "The area is empty: you place one or two armies there.",
    ]
    garrison = ask(play(equipped, "ready"))
    assert said(garrison.hint).startswith("Nobody can invade this area, so one army is enough to hold it")
    sumer = ask(play(position(), "found sumer", "ready", "home uruk"))
    assert said(sumer.hint) == "A second army makes the area harder to take. You can expand with the armies you keep available."
    assert labels(garrison) == {"garrison 1": "1 army, leaving 11 available", "garrison 2": "2 armies, leaving 10 available"}
    assert told(ask(play(equipped, "ready"), "garrison 1"))[:2] == [
        "Your armies in the home area (Akkad): 1. Available armies left: 11.",
        "As things stand, your empire will score 2 points this turn.",
    ]


@pytest.mark.rule("after_the_flood#equip-2", "after_the_flood#found-9", "after_the_flood#combat-1")
def test_an_occupied_home_is_fought_for_with_the_rating_of_the_moment():
    state = position(
        active=1,
        empires=["akkad", "guti", None],
        ranking=[0],
        equipment=["wood", "", ""],
        armies=["akkad guti 2", "", ""],
        armies_available=[1, 4, 0],
        workers=["", "guti 3", ""],
        goods=["", "wood metal", ""],
        phase="mustering",
    )
    assert said(ask(state).hint) == "Available armies: 4. Equipment value: 0, currently rating B."
    assert labels(ask(state))["equip wood"] == "1 wood: value 2, rating B"
    ready = ask(state, "ready")
    assert option(ready, "ready").irreversible
    assert told(ready) == [
        "Your empire has a value of 0: rating B. It keeps this rating for the turn, unless a new empire is ranked above it.",
        "You return 3 workers from the home area (Guti) to your reserve.",
        "You attack Guti, held by Anna.",
        "You roll two dice at once and hit on 7 or more (58%). You can't undo this.",
        "If you fight to the end with 4 armies against 2 armies, your chance of winning is 90%. Average losses: 1.3.",
        "This attack continues until the area has no defenders or you have no available armies left.",
        "If you lose, your empire is off the map for the rest of the turn.",
    ]
    better = ask(play(state, "equip wood", "equip metal"), "ready")
    assert "You roll two dice at once and hit on 5 or more (83%). You can't undo this." in told(better)


# Expansion


@pytest.mark.rule("after_the_flood#expand-2", "after_the_flood#expand-6", "after_the_flood#combat-1", "after_the_flood#combat-3")
def test_an_invasion_shows_the_odds_and_what_a_repeat_costs():
    state = position(
        empires=["akkad", "sumer", None],
        ranking=[0, 1],
        armies=["akkad babylon", "nippur 2", ""],
        armies_available=[4, 0, 0],
        cities=["", "babylon", ""],
    )
    asked = ask(state, "invade")
    assert [entry.text for entry in asked.options][-1] == "invade nippur"
    assert labels(asked)["invade nippur"] == "Nippur: Ben, 2 armies; 5 or more, 83%"
    assert labels(asked)["invade sippar"] == "Sippar: no armies"
    assert option(asked, "invade nippur").irreversible
    assert not option(asked, "invade sippar").irreversible
    assert said(asked.closed["area-ur"]) == "You have no army next to Ur."
    assert asked.closed["area-isin"].rule == "after_the_flood#expand-4"
    chosen = ask(state, "invade nippur")
    assert said(chosen.confirm) == "Roll the dice"
    assert told(chosen) == [
        "You attack Nippur, held by Ben.",
        "You roll two dice at once and hit on 5 or more (83%). You can't undo this.",
        "If you fight to the end with 4 armies against 2 armies, your chance of winning is 99%. Average losses: 0.4.",
    ]
    assert told(ask(state, "destroy babylon")) == [
        "You pay 2 armies to destroy Ben's city in Babylon. Available armies left: 2.",
        "You can then pay an army to expand again.",
    ]
    assert told(ask(state, "invade sippar")) == [
        "You occupy Sippar with one army. Available armies left: 3.",
        "As things stand, your empire will score 6 points this turn.",
        "You can then pay an army to expand again.",
    ]
    again = play(state, "invade sippar")
    assert told(ask(again, "reinforce akkad"))[:2] == [
        "You reinforce Akkad with a second army. Available armies left: 1.",
        "To expand again, you pay an army first.",
    ]
    assert whys(ask(again)) == {}
    assert told(ask(again, "done"))[0] == "Your action ends. You have 3 armies still available."
    fight, _ = game.apply(play(state, "invade nippur"), -1, game.parse_action("roll 1 2"))
    asked = ask(fight)
    assert labels(asked) == {"attack": "Roll again: 5 or more, 83%", "stop": "End the attack with 3 armies available"}
    assert said(asked.hint) == "Defending armies: 2. Your available armies: 3. Each miss costs one of yours."
    assert told(ask(fight, "stop")) == ["The attack ends. You have 3 armies still available.", "You can then pay an army to expand again."]


@pytest.mark.rule("after_the_flood#destroy-3")
def test_why_a_city_cannot_be_destroyed():
    armies = {"empires": ["akkad", None, None], "ranking": [0], "armies": ["akkad 2 babylon 2", "", ""]}
    state = position(**armies, armies_available=[2, 0, 0], cities=["", "babylon shuruppak", ""])
    assert whys(ask(state))["Why can't I destroy a city?"] == (
        "Destroying this city costs 3 armies. Armies you can spend: 2.",
        "after_the_flood#destroy-3",
    )
    assert whys(ask(state))["Why can't I reinforce an area?"][1] == "after_the_flood#expand-5"
    rich = position(**armies, armies_available=[3, 0, 0], cities=["", "babylon shuruppak", ""], grown=["babylon"])
    assert told(ask(rich, "destroy babylon"))[:3] == [
        "You pay 3 armies to destroy Ben's city in Babylon. Available armies left: 0.",
        "It costs an extra army because Ben has a city in Shuruppak.",
        "Its growth marker is removed too; its owner keeps the points.",
    ]
    bare = position(**armies, armies_available=[3, 0, 0])
    assert whys(ask(bare))["Why can't I destroy a city?"][1] == "after_the_flood#destroy-1"


@pytest.mark.rule("after_the_flood#expand-8")
def test_an_empire_without_armies_on_the_map_begins_again():
    lost = {"ranking": [0], "armies_available": [3, 0, 0]}
    asked = ask(position(empires=["akkad", None, None], **lost))
    assert labels(asked)["refound"] == "Place your empire again, in its home area (Akkad)"
    assert whys(asked)["Why can't I invade?"][1] == "after_the_flood#expand-8"
    state = position(empires=["sumer", "guti", None], ranking=[1, 0], armies=["", "guti ur", ""], armies_available=[3, 0, 0])
    sumer = ask(state, "refound")
    assert len(sumer.options) == 9
    assert sumer.action is None
    assert sumer.on_board
    assert labels(sumer)["refound ur"] == "Ur: Ben, 1 army; 7 or more, 58%"
    none = position(empires=["akkad", None, None], ranking=[0])
    assert whys(ask(none))["Why can't I expand?"] == ("You have no available armies.", "after_the_flood#expand-1")


# Growth


@pytest.mark.rule("after_the_flood#growth-1", "after_the_flood#growth-2", "after_the_flood#growth-3", "after_the_flood#growth-4")
def test_growing_offers_every_set_of_luxuries_with_its_points():
    state = position(phase="growing", passed=[0, 1, 2], goods=["wood 4 oil gold", "", ""], cities=["ur umma eridu", "", ""], grown=["ur"])
    asked = ask(state)
    assert labels(asked) == {
        "grow umma": "Umma: up to 10 points",
        "grow eridu": "Eridu: up to 10 points",
        "done": "Don't grow any more cities",
    }
    assert asked.stem == "grow", "so that growing no more is not folded"
    assert asked.closed["area-ur"].rule == "after_the_flood#growth-3"
    city = ask(state, "grow umma")
    assert (city.chosen, city.action, city.back) == ("grow umma", "grow umma", "")
    assert labels(city) == {
        "grow umma": "4 points: 2 wood",
        "grow umma oil": "7 points: 2 wood and oil",
        "grow umma gold": "7 points: 2 wood and gold",
        "grow umma oil gold": "10 points: 2 wood, oil and gold",
    }
    full = ask(state, "grow umma oil gold")
    assert full.back == "grow umma"
    assert told(full) == [
        "You pay 2 wood, oil and gold to grow Umma and score 10 points.",
        "Cities you can then grow: Eridu.",
    ]
    assert told(ask(state, "done"))[0] == "Cities you could still grow: Umma and Eridu."


def test_all_areas_are_either_offered_or_closed_on_the_board():
    state = position(
        empires=["akkad", None, None], ranking=[0], armies=["akkad babylon", "", ""], armies_available=[4, 0, 0], goods=["wood", "", ""]
    )
    for prefix in ("build", "place wood", "invade", "reinforce"):
        asked = ask(state, prefix)
        known = {entry.target for entry in asked.options} | set(asked.closed)
        assert {f"area-{area}" for area in AREAS} <= known, prefix


# Goods that are spent together


@pytest.mark.rule("after_the_flood#equip-1", "after_the_flood#equip-2")
def test_equipment_is_a_basket_with_the_rating_it_brings():
    fields = {"phase": "mustering", "empires": ["akkad", "guti", None], "ranking": [1], "equipment": ["", "grain 2 oil", ""]}
    state = position(goods=["grain 3 wood 2 gold", "", ""], armies_available=[5, 0, 0], **fields)
    asked = ask(state)
    basket = asked.basket
    assert [(lot.text, lot.have, lot.worth) for lot in basket.lots] == [("equip grain", 3, 1), ("equip wood", 2, 2), ("equip gold", 1, 4)]
    assert (basket.base, basket.last) == (0, "ready")
    assert [(value, level.params["rating"]) for value, level in basket.levels] == [(0, "rating_b"), (6, "rating_a")]
    offered = {entry.text for entry in asked.options}
    assert {basket.last, *(lot.text for lot in basket.lots)} <= offered
    everything = [lot.text for lot in basket.lots for _ in range(lot.have)]
    after = play(state, *everything)
    assert ask(after).basket is None, "there is nothing left to take"
    assert value_of(after.equipment, 0) == basket.base + sum(lot.have * lot.worth for lot in basket.lots)
    half = play(state, "equip gold")
    assert ask(half).basket.base == 4
    for value, level in basket.levels:
        taken = {0: [], 6: ["equip gold", "equip wood"]}[value]
        events = events_of(state, *taken, "ready")
        assert next(event.params["rating"] for event in events if "rating" in event.params) == level.params["rating"]


@pytest.mark.rule("after_the_flood#pass-2")
def test_a_bid_is_a_basket():
    state = position(phase="bidding", goods=["grain 2 lapis", "", ""], bids=["wood", "", ""], passed=[0])
    basket = ask(state).basket
    assert [(lot.text, lot.have, lot.worth) for lot in basket.lots] == [("bid grain", 2, 1), ("bid lapis", 1, 5)]
    assert (basket.base, basket.last, basket.levels) == (2, "done", ())
    assert ask(state, "bid grain").basket is None
    assert ask(position(goods=["grain", "", ""])).basket is None


@pytest.mark.rule("after_the_flood#place-1")
def test_a_good_that_places_one_worker_asks_for_no_number():
    state = position(goods=["grain textile", "", ""], available=[3, 0, 0])
    one = ask(state, "place grain")
    assert one.on_board
    assert one.stem == "place grain"
    assert option(one, "place grain egypt 1").target == "area-egypt"
    assert {entry.text.split()[2] for entry in one.options} | {name.partition("-")[2] for name in one.closed} >= {"egypt", "ur", "weaving"}
    assert option(ask(state, "place textile"), "place textile egypt").target == "area-egypt"
    last = ask(position(goods=["textile", "", ""], available=[1, 0, 0]), "place textile")
    assert option(last, "place textile egypt 1").target == "area-egypt"
    assert ask(state, "place grain egypt").chosen == "place grain"
