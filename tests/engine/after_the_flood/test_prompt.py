"""The questions of After the Flood: every action can be reached, and what is said is right (after_the_flood#act-2)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games.after_the_flood.components import AREAS, SYMBOLS
from games.after_the_flood.state import PHASES
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import ask, game, legal, play, position
from tests.engine.after_the_flood.questions import labels, option, random_positions, said, told, walk, whys

TARGET = re.compile(r"area-([a-z]+)|box-(\w+)|available|good-([a-z]+)|empire-([a-z]+)")


# Reaching every action


def test_choosing_options_reaches_exactly_the_legal_actions():
    phases = Counter()
    for state in random_positions(1, 4, every=40):
        actions = {asked.action for asked in walk(state)} - {None}
        assert actions == set(legal(state))
        phases[PHASES[state.phase]] += 1
    assert len(phases) >= 5


def test_the_short_phases_are_asked_for_completely_too():
    seen = Counter()
    for state in random_positions(2, 8):
        phase = PHASES[state.phase]
        if phase in ("action", "placing") or seen[phase] > 12:
            continue
        seen[phase] += 1
        assert {asked.action for asked in walk(state)} - {None} == set(legal(state))
    assert set(seen) >= {
        "paying",
        "trading",
        "mustering",
        "equipping",
        "homing",
        "garrisoning",
        "attacking",
        "expanding",
        "bidding",
        "growing",
    }


def test_each_whole_action_can_be_asked_for_at_once():
    rng = SeededRng(5)
    for state in random_positions(3, 3, every=9):
        texts = legal(state)
        for text in {texts[rng.below(len(texts), "t")] for _ in range(6)}:
            asked = ask(state, text)
            assert (asked.chosen, asked.action) == (text, text)
            assert asked.confirm is not None
            assert asked.consequence is not None
            assert asked.refusal is None
            assert ask(state, asked.back).chosen.startswith(asked.back)
            assert [entry.text for entry in asked.options if entry.selected] == [text]


def test_nobody_else_is_asked():
    state = position()
    assert game.ask(game.view_for(state, 1)) is None
    assert game.ask(game.view_for(state, None)) is None
    end = position(phase="end", turn=5, passed=[0, 1, 2])
    assert all(game.ask(game.view_for(end, seat)) is None for seat in range(3))


def test_every_question_is_well_formed():
    rng = SeededRng(4)
    for state in random_positions(4, 3, every=45):
        for asked in walk(state):
            texts = [entry.text for entry in asked.options]
            assert len(set(texts)) == len(texts)
            targets = [entry.target for entry in asked.options if entry.target]
            assert len(set(targets)) == len(targets)
            assert all(TARGET.fullmatch(target) for target in [*targets, *asked.closed])
            assert not set(targets) & set(asked.closed)
            assert all(entry.picture in (None, *SYMBOLS.values()) for entry in asked.options)
            headings = [entry.group.text if entry.group else "" for entry in asked.options]
            assert [h for n, h in enumerate(headings) if n == 0 or headings[n - 1] != h] == list(dict.fromkeys(headings))
            if asked.on_board:
                stem = texts[0].rpartition(" ")[0]
                assert stem
                for target, why in asked.closed.items():
                    if rng.below(20, "closed"):
                        continue
                    word = target.partition("-")[2] or target
                    again = ask(state, f"{stem} {word}")
                    assert again.action is None
                    assert again.refusal == why
            elif asked.closed:
                raise AssertionError("closed places in a question that is not for places")


# Cutting back


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("x" * 5000, ""),
        ("nonsense", ""),
        ("build nowhere", "build"),
        ("build ur uruk", "build"),
        ("place", ""),
        ("place wood", "place wood"),
        ("place wood ur", "place wood"),
        ("place gold", ""),
        ("place wood egypt 3", "place wood egypt"),
        ("place wood egypt 2 2", "place wood egypt"),
        ("  build   ur ", "build ur"),
        ("BUILD UR", ""),
        ("pass now", ""),
    ],
)
def test_a_prefix_of_no_use_is_cut_back(text, chosen):
    state = position(goods=["wood", "", ""])
    asked = ask(state, text)
    assert asked.chosen == chosen
    assert asked.action == (chosen if chosen in legal(state) else None)
    assert [entry.text for entry in asked.options] == [entry.text for entry in ask(state, chosen or "").options] or chosen == "build ur"


def test_of_the_numbers_of_workers_the_highest_is_chosen_at_first():
    state = position(goods=["gold", "", ""], available=[3, 8, 8])
    asked = ask(state, "place gold egypt")
    assert (asked.chosen, asked.action, asked.back, asked.refusal) == ("place gold egypt", "place gold egypt 3", "place gold", None)
    assert [entry.text for entry in asked.options if entry.selected] == ["place gold egypt 3"]
    assert labels(asked) == {"place gold egypt 1": "1 worker", "place gold egypt 2": "2 workers", "place gold egypt 3": "3 workers"}
    assert told(ask(state, "place gold egypt 1"))[:2] == [
        "You give up a good (gold) and place 1 worker: Egypt. Left available: 2.",
        "Its value would allow 4 workers; the rest is lost.",
    ]


# A turn


@pytest.mark.rule("after_the_flood#act-1", "after_the_flood#act-2")
def test_a_turn_begins_with_all_that_can_be_done():
    state = position(
        goods=["wood metal grain", "", ""],
        workers=["scribes tool_makers amorites guti", "", ""],
        cities=["ur", "uruk", ""],
        available=[4, 0, 0],
    )
    asked = ask(state)
    assert said(asked.title) == "Your turn: choose an action"
    assert said(asked.hint) == "Available: 4 workers, 0 armies. In the decline of the next turn you would now lose 4 workers."
    assert labels(asked) == {
        "build": "Build a city (7 areas of Sumer open)",
        "place grain": "grain: up to 1 worker",
        "place wood": "wood: up to 2 workers",
        "place metal": "metal: up to 2 workers",
        "scribe": "Let a scribe place or move a worker (unused: 1)",
        "trade": "Trade: Amorites",
        "tool": "Let a tool maker turn a metal into a tool (metal: 1)",
        "found guti": "Guti: 8 armies, but 1 worker will leave the home area",
        "found sumer": "Sumer: 3 armies",
        "pass": "Pass for the rest of the turn",
    }
    assert [said(entry.group) for entry in asked.options] == [
        *["Cities", *["Give up a good and place workers"] * 3, "Use a scribe"],
        *["Trade", "Trade", "Start an empire", "Start an empire", "Pass"],
    ]
    assert whys(asked) == {
        "Why not start this empire: Akkad?": ("You have no worker in the home area: Akkad.", "after_the_flood#found-3"),
        "Why not expand?": ("You have started no empire in this turn.", "after_the_flood#expand-1"),
    }
    assert [entry.text for entry in asked.options if entry.irreversible] == ["pass"]


@pytest.mark.rule("after_the_flood#act-3")
def test_why_nothing_but_passing_is_left():
    full = ["sippar babylon nippur umma", "shuruppak uruk ur lagash", "eridu"]
    state = position(turn=2, cities=full, available=[0, 0, 0], workers=["egypt tool_makers", "amorites", ""], goods=["", "wood", ""])
    asked = ask(state)
    assert [entry.text for entry in asked.options] == ["pass"]
    assert said(asked.title) == "Your turn: nothing but passing is left"
    assert {question: rule.removeprefix("after_the_flood#") for question, (_, rule) in whys(asked).items()} == {
        "Why not build a city?": "build-2",
        "Why not place workers?": "place-1",
        "Why not use a scribe?": "scribes-1",
        "Why not trade here: Egypt?": "trade-3",
        "Why not make a tool?": "tools-1",
        "Why not start this empire: Amorites?": "found-3",
        "Why not start this empire: Isin?": "found-3",
        "Why not start this empire: Larsa?": "found-3",
        "Why not expand?": "expand-1",
    }
    assert whys(asked)["Why not trade here: Egypt?"][0] == "You have nothing that is taken there (Egypt); taken: textile, tool and oil."


@pytest.mark.rule("after_the_flood#pass-3", "after_the_flood#pass-5", "after_the_flood#pass-6")
def test_paying_comes_first_when_somebody_has_passed():
    state = position(phase="paying", passed=[1], goods=["grain 2", "", ""], available=[3, 0, 0])
    asked = ask(state)
    assert said(asked.title) == "Somebody has passed: pay for an action, or pass"
    assert {entry.text: (entry.number, entry.target) for entry in asked.options} == {
        "pay grain": (2, "good-grain"),
        "pay worker": (3, "available"),
        "pass": (None, None),
    }
    assert told(ask(state, "pay worker")) == ["You give it up (worker) and then choose your action."]
    paid = play(state, "pay worker")
    assert said(ask(paid).title) == "You have paid: choose your action"
    assert whys(ask(paid))["Why not pass?"][1] == "after_the_flood#pass-6"
    poor = ask(position(phase="paying", passed=[1], available=[0, 0, 0]))
    assert said(poor.title) == "Somebody has passed, and you cannot pay for an action: pass"
    assert whys(poor)["Why not act?"][1] == "after_the_flood#pass-5"
    full = ["sippar babylon nippur umma", "shuruppak uruk ur lagash", "eridu"]
    last = position(phase="paying", turn=2, passed=[1], cities=full, goods=["grain wood", "", ""], available=[1, 0, 0])
    assert "Why not pay with this: worker?" in whys(ask(last))


@pytest.mark.rule("after_the_flood#pass-1", "after_the_flood#pass-2", "after_the_flood#turnend-2")
def test_passing_says_that_it_is_final_and_what_is_left_unused():
    state = position(goods=["wood", "", ""], workers=["dilmun 2", "", ""], available=[4, 0, 0])
    assert told(ask(state, "pass")) == [
        "You act no more in this turn; the others can still take your armies and cities.",
        "From then on the others pay for every action.",
        "You start no empire in this turn, although you could: Sumer.",
        "Unused at the end of the turn go back to the reserve: 4 workers, 0 armies.",
        "The next turn brings a decline. As things stand you lose 2 workers then: 2 Dilmun.",
        "Then you can bid goods for the order of play.",
    ]
    later = "Your cities can still grow at the end of the turn."
    assert told(ask(position(cities=["ur", "", ""]), "pass"))[1] == later
    assert later not in told(ask(position(cities=["ur", "", ""], grown=["ur"]), "pass"))
    bidding = ask(play(state, "pass"), "bid wood")
    assert told(bidding) == [
        "The good is spent (wood). Your bid is 2 then.",
        "Order of play as the bids stand then: Anna, Ben, Cleo.",
        "Then it is the turn of Ben.",
    ]
    assert told(ask(play(state, "pass"), "done"))[0] == "You bid nothing and keep all of your goods."


# Cities


@pytest.mark.rule("after_the_flood#build-2", "after_the_flood#cities-2", "after_the_flood#cities-10")
def test_building_says_what_the_city_brings():
    state = position(cities=["", "ur", ""], workers=["scribes 2", "", ""])
    asked = ask(state, "build")
    assert asked.on_board
    assert labels(asked)["build uruk"] == "Uruk: a free scribe, but not for you now"
    assert labels(asked)["build eridu"] == "Eridu: a free tool maker at once"
    assert said(asked.closed["area-ur"]) == "A city of Ben stands there: Ur."
    assert asked.closed["area-egypt"].rule == "after_the_flood#build-1"
    assert told(ask(position(), "build uruk"))[1:3] == [
        "A worker from your reserve goes there at once: Scribes.",
        "A new scribe works in your next action at the earliest.",
    ]
    assert told(ask(state, "build eridu")) == [
        "Your city stands there then (Eridu). Cities left to build: 3.",
        "A worker from your reserve goes there at once: Tool Makers.",
        "Then it is the turn of Ben.",
    ]


@pytest.mark.rule("after_the_flood#build-3")
def test_moving_a_city_names_what_is_lost():
    state = position(cities=["sippar babylon nippur umma", "", ""], grown=["nippur"])
    assert labels(ask(state, "relocate"))["relocate nippur"] == "Nippur: it has grown, and its marker comes off"
    assert told(ask(state, "relocate nippur ur"))[:3] == [
        "Your city leaves one area (Nippur) and stands in the other (Ur).",
        "Its growth marker comes off: the city can grow again, and the points stay.",
        "You lose the city rule there: Nippur.",
    ]
    assert ask(state, "relocate").closed["area-ur"].rule == "after_the_flood#build-3"


# Workers


@pytest.mark.rule("after_the_flood#place-4", "after_the_flood#found-3", "after_the_flood#decline-3")
def test_placing_says_who_has_most_and_which_empires_open():
    state = position(goods=["wood", "", ""], workers=["irrigation", "akkad irrigation 2", "amorites"])
    asked = ask(state, "place wood")
    assert labels(asked)["place wood akkad"] == "Akkad: you 0, Ben 1, Cleo 0"
    assert asked.closed["area-ur"].rule == "after_the_flood#place-4"
    assert asked.closed["box-used_scribes"].rule == "after_the_flood#place-2"
    assert told(ask(state, "place wood akkad 2")) == [
        "You give up a good (wood) and place 2 workers: Akkad. Left available: 6.",
        "There then: you 2, Ben 1, Cleo 0.",
        "You can start this empire then: Akkad.",
        "The decline of the next turn would take 1 worker of yours from there.",
        "Then it is the turn of Ben.",
    ]
    assert "You can start this empire then: Akkad." in told(ask(state, "place wood akkad 1"))
    assert "As things stand, Irrigation brings you 6 grain in the next turn, not 4." in told(ask(state, "place wood irrigation 2"))
    homes = told(ask(state, "place wood amorites 2"))
    assert "After the decline of the next turn you could start an empire there, as things stand: Amorites." in homes
    assert "After the decline of the next turn you could not start an empire there, as things stand: Amorites." in told(
        ask(state, "place wood amorites 1")
    )


@pytest.mark.rule("after_the_flood#scribes-5", "after_the_flood#trade-5")
def test_placing_says_what_newcomers_cannot_do_yet():
    new_scribe, blocked = "A new scribe works in your next action at the earliest.", "An army of Ben stands there, so your workers"
    state = position(
        turn=3,
        goods=["wood", "", ""],
        workers=["scribes guti", "", ""],
        armies=["mittani", "egypt assyria", ""],
        empires=["mittani", "egypt", None],
        ranking=[0, 1],
    )
    assert new_scribe in told(ask(state, "place wood scribes 1"))
    assert new_scribe in told(ask(state, "scribe guti scribes"))
    assert new_scribe not in told(ask(state, "place wood tool_makers 1"))
    assert f"{blocked} cannot trade there now." in told(ask(state, "place wood egypt 2"))
    assert f"{blocked} cannot trade there now." in told(ask(state, "scribe available egypt"))
    assert "Your own armies stand there and trade now, not your workers." in told(ask(state, "place wood mittani 1"))
    for quiet in ("assyria", "amorites", "dilmun"):  # nothing to trade, or no army
        assert not any("trade" in line for line in told(ask(state, f"place wood {quiet} 1")))


@pytest.mark.rule("after_the_flood#scribes-2", "after_the_flood#scribes-3", "after_the_flood#scribes-4", "after_the_flood#scribes-7")
def test_a_scribe_places_or_moves_a_worker():
    state = position(workers=["scribes 2 akkad used_tool_makers", "", ""], available=[1, 0, 0])
    asked = ask(state, "scribe")
    assert labels(asked) == {
        "scribe akkad": "Akkad: 1 worker",
        "scribe scribes": "Scribes: 1 worker",
        "scribe used_scribes": "Used scribes: 1 worker",
        "scribe used_tool_makers": "Used tool makers: 1 worker",
        "scribe available": "Place an available worker (available: 1)",
    }
    assert asked.closed["area-guti"].rule == "after_the_flood#scribes-3"
    assert told(ask(state, "scribe akkad available")) == [
        "Your scribe makes a worker available again (Akkad). Available then: 2.",
        "You can no longer start this empire then: Akkad.",
        "Then you can place or move more workers, or say that you are done.",
    ]
    back = ask(state, "scribe used_scribes")
    assert back.closed["box-scribes"].rule == "after_the_flood#scribes-7"
    assert ask(state, "scribe akkad").closed["box-scribes"].rule == "after_the_flood#scribes-2"
    placing = play(state, "scribe available guti")
    assert said(ask(placing).hint) == "Unused scribes that can still work: 1."
    assert whys(ask(placing))["Why not place workers?"][1] == "after_the_flood#place-1"
    assert told(ask(placing, "done"))[:2] == [
        "Your action ends. Available workers left: 0.",
        "Unused scribes stay for your next actions: 1.",
    ]


# Trade


@pytest.mark.rule("after_the_flood#trade-2")
def test_more_traders_than_goods_make_no_more_exchanges():
    state = position(goods=["textile 2 grain 2", "", ""], workers=["hittites 3 mittani 4", "", ""])
    assert labels(ask(state, "trade")) == {
        "trade hittites": "Hittites: metal (1 exchange left)",
        "trade mittani": "Mittani: wood and metal (2 exchanges left)",
    }
    assert told(ask(state, "trade hittites metal grain"))[1] == "Exchanges left there in this action: 0."
    assert told(ask(state, "trade mittani wood grain"))[1] == "Exchanges left there in this action: 1."
    after = play(state, "trade mittani wood grain")
    assert labels(ask(after))["trade mittani"] == "Mittani: metal (1 exchange left)"


@pytest.mark.rule("after_the_flood#trade-2", "after_the_flood#trade-7")
def test_exchanges_are_counted_with_the_extra_one_of_sippar():
    state = position(goods=["textile 2 grain 2", "", ""], workers=["amorites", "", ""], cities=["sippar", "", ""])
    asked = ask(state, "trade")
    assert labels(asked) == {"trade amorites": "Amorites: wood and oil (2 exchanges left)"}
    assert asked.closed["area-egypt"].rule == "after_the_flood#trade-1"
    assert labels(ask(state, "trade amorites"))["trade amorites oil textile"] == "oil for textile (in stock: 7)"
    assert told(ask(state, "trade amorites oil textile")) == [
        "You give up one thing (textile) and get the other (oil).",
        "Exchanges left there in this action: 0.",
        "Then you can trade on, or say that you are done.",
    ]
    trading = play(state, "trade amorites oil textile")
    assert ask(trading).on_board
    assert labels(ask(trading, "trade amorites"))["trade amorites oil textile"] == (
        "oil for textile, the extra exchange of Sippar (in stock: 6)"
    )
    assert told(ask(trading, "trade amorites wood grain"))[1] == "This is the extra exchange of Sippar, one in each trade."


@pytest.mark.rule("after_the_flood#trade-5")
def test_why_no_trade_under_an_enemy_army():
    state = position(
        turn=3, workers=["egypt", "", ""], empires=[None, "egypt", None], ranking=[1], armies=["", "egypt", ""], goods=["textile", "", ""]
    )
    answer = ("An army of Ben blocks the trade there: Egypt.", "after_the_flood#trade-5")
    assert whys(ask(state))["Why not trade here: Egypt?"] == answer


# Empires


@pytest.mark.rule("after_the_flood#found-5", "after_the_flood#found-6", "after_the_flood#found-7", "after_the_flood#equip-2")
def test_founding_step_by_step():
    state = position(workers=["akkad 2", "", ""], cities=["babylon", "", ""], goods=["grain metal gold", "", ""])
    assert told(ask(state, "found akkad")) == [
        "You take 12 armies from your reserve.",
        "Two of them come from your city in Babylon.",
        "When the empire is ready, 2 workers of yours will go from the home area to the reserve: Akkad.",
        "Then you can buy more armies and equip the empire.",
    ]
    muster = play(state, "found akkad")
    asked = ask(muster)
    assert labels(asked)["recruit metal"] == "metal: 2 armies more"
    assert labels(asked)["equip gold"] == "gold: a value of 4 then, rating A"
    assert option(asked, "recruit metal").target == "good-metal"
    assert option(asked, "equip metal").target is None
    instead = "The same good could equip your armies instead: choose that in the list."
    assert told(ask(muster, "recruit metal"))[1] == instead
    assert told(ask(muster, "equip gold")) == [
        "The value of your equipment is 4 then: rating A as things stand.",
        "From then on you can buy no more armies.",
    ]
    equipped = play(muster, "equip gold")
    assert whys(ask(equipped))["Why not buy armies?"][1] == "after_the_flood#found-6"
    assert told(ask(equipped, "ready")) == [
        "Your empire has a value of 4: rating A. It stays so for the turn, unless a new empire is put above it.",
        "From the home area to the reserve (Akkad): 2 workers of yours.",
        "Nobody stands there: you put one or two armies in.",
    ]
    garrison = ask(play(equipped, "ready"))
    assert said(garrison.hint).startswith("Nobody can invade this area, so one army is enough")
    sumer = ask(play(position(), "found sumer", "ready", "home uruk"))
    assert said(sumer.hint) == "A second army makes the area harder to take; what stays available can expand."
    assert labels(garrison) == {"garrison 1": "1 army, leaving 11", "garrison 2": "2 armies, leaving 10"}
    assert told(ask(play(equipped, "ready"), "garrison 1"))[:2] == [
        "Your armies in the home area then (Akkad): 1. Available armies left: 11.",
        "Your empire brings 2 points in this turn as it stands then.",
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
    assert said(ask(state).hint) == "Available armies: 4. Value of the equipment: 0, which is rating B as things stand."
    assert labels(ask(state))["equip wood"] == "wood: a value of 2 then, rating B"
    ready = ask(state, "ready")
    assert option(ready, "ready").irreversible
    assert told(ready) == [
        "Your empire has a value of 0: rating B. It stays so for the turn, unless a new empire is put above it.",
        "From the home area to the reserve (Guti): 3 workers of yours.",
        "You attack Anna: Guti.",
        "You roll two dice at once: 7 or more hits, 58 %. It cannot be taken back.",
        "With 4 armies against 2 armies you win with a chance of 90 % when you fight to the end, losing 1.3 on average.",
        "This fight goes on until nobody defends the area, or you have no available army left.",
        "If you lose it, your empire is off the map for the rest of the turn.",
    ]
    better = ask(play(state, "equip wood", "equip metal"), "ready")
    assert "You roll two dice at once: 5 or more hits, 83 %. It cannot be taken back." in told(better)


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
    assert labels(asked)["invade nippur"] == "Nippur: 2 armies of Ben, 5 or more, 83 %"
    assert labels(asked)["invade sippar"] == "Sippar: no army there"
    assert option(asked, "invade nippur").irreversible
    assert not option(asked, "invade sippar").irreversible
    assert said(asked.closed["area-ur"]) == "No army of yours stands beside it: Ur."
    assert asked.closed["area-isin"].rule == "after_the_flood#expand-4"
    chosen = ask(state, "invade nippur")
    assert said(chosen.confirm) == "Roll the dice"
    assert told(chosen) == [
        "You attack Ben: Nippur.",
        "You roll two dice at once: 5 or more hits, 83 %. It cannot be taken back.",
        "With 4 armies against 2 armies you win with a chance of 99 % when you fight to the end, losing 0.4 on average.",
    ]
    assert told(ask(state, "destroy babylon")) == [
        "You give up 2 armies, and Ben loses the city: Babylon. Available armies left: 2.",
        "You can expand once more then, for an army.",
    ]
    assert told(ask(state, "invade sippar")) == [
        "One army goes into the area: Sippar. Available armies left: 3.",
        "Your empire brings 6 points in this turn as it stands then.",
        "You can expand once more then, for an army.",
    ]
    again = play(state, "invade sippar")
    assert told(ask(again, "reinforce akkad"))[:2] == [
        "Two armies of yours stand there then: Akkad. Available armies left: 1.",
        "To expand once more you give up an army first.",
    ]
    assert whys(ask(again)) == {}
    assert told(ask(again, "done"))[0] == "Your action ends, and you keep 3 armies available."
    fight, _ = game.apply(play(state, "invade nippur"), -1, game.parse_action("roll 1 2"))
    asked = ask(fight)
    assert labels(asked) == {"attack": "Roll again: 5 or more, 83 %", "stop": "Stop, with 3 armies available"}
    assert said(asked.hint) == "Defending armies: 2. Your available armies: 3. A miss costs one of them."
    assert told(ask(fight, "stop")) == ["The attack ends, and you keep 3 armies available.", "You can expand once more then, for an army."]


@pytest.mark.rule("after_the_flood#destroy-3")
def test_why_a_city_cannot_be_destroyed():
    armies = {"empires": ["akkad", None, None], "ranking": [0], "armies": ["akkad 2 babylon 2", "", ""]}
    state = position(**armies, armies_available=[2, 0, 0], cities=["", "babylon shuruppak", ""])
    assert whys(ask(state))["Why not destroy a city?"] == (
        "Destroying this city costs 3 armies. Armies that you can spend on it: 2.",
        "after_the_flood#destroy-3",
    )
    assert whys(ask(state))["Why not reinforce an area?"][1] == "after_the_flood#expand-5"
    rich = position(**armies, armies_available=[3, 0, 0], cities=["", "babylon shuruppak", ""], grown=["babylon"])
    assert told(ask(rich, "destroy babylon"))[:3] == [
        "You give up 3 armies, and Ben loses the city: Babylon. Available armies left: 0.",
        "It is one army more than usual, because Ben has a city in Shuruppak.",
        "Its growth marker goes back too; the points that it brought stay.",
    ]
    bare = position(**armies, armies_available=[3, 0, 0])
    assert whys(ask(bare))["Why not destroy a city?"][1] == "after_the_flood#destroy-1"


@pytest.mark.rule("after_the_flood#expand-8")
def test_an_empire_without_armies_on_the_map_begins_again():
    lost = {"ranking": [0], "armies_available": [3, 0, 0]}
    asked = ask(position(empires=["akkad", None, None], **lost))
    assert labels(asked)["refound"] == "Begin again in the home area: Akkad"
    assert whys(asked)["Why not invade?"][1] == "after_the_flood#expand-8"
    state = position(empires=["sumer", "guti", None], ranking=[1, 0], armies=["", "guti ur", ""], armies_available=[3, 0, 0])
    sumer = ask(state, "refound")
    assert len(sumer.options) == 9
    assert sumer.action is None
    assert sumer.on_board
    assert labels(sumer)["refound ur"] == "Ur: 1 army of Ben, 7 or more, 58 %"
    none = position(empires=["akkad", None, None], ranking=[0])
    assert whys(ask(none))["Why not expand?"] == ("You have no available army.", "after_the_flood#expand-1")


# Growth


@pytest.mark.rule("after_the_flood#growth-1", "after_the_flood#growth-2", "after_the_flood#growth-3", "after_the_flood#growth-4")
def test_growing_offers_every_set_of_luxuries_with_its_points():
    state = position(phase="growing", passed=[0, 1, 2], goods=["wood 4 oil gold", "", ""], cities=["ur umma eridu", "", ""], grown=["ur"])
    asked = ask(state)
    assert labels(asked) == {"grow umma": "Umma: up to 10 points", "grow eridu": "Eridu: up to 10 points", "done": "No city grows any more"}
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
        "You give up 2 wood, oil and gold and get 10 points for this city: Umma.",
        "Then another city of yours can grow: Eridu.",
    ]
    assert told(ask(state, "done"))[0] == "These could still grow now: Umma and Eridu."


def test_all_areas_are_either_offered_or_closed_on_the_board():
    state = position(
        empires=["akkad", None, None], ranking=[0], armies=["akkad babylon", "", ""], armies_available=[4, 0, 0], goods=["wood", "", ""]
    )
    for prefix in ("build", "place wood", "invade", "reinforce"):
        asked = ask(state, prefix)
        known = {entry.target for entry in asked.options} | set(asked.closed)
        assert {f"area-{area}" for area in AREAS} <= known, prefix
