"""The questions of After the Flood: every action can be reached, and the sentences are correct (after_the_flood#act-2)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games.after_the_flood.components import SYMBOLS
from games.after_the_flood.state import PHASES
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import ask, game, legal, play, position
from tests.engine.after_the_flood.questions import labels, random_positions, said, told, walk, whys

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
        "You pay 1 gold and place 1 worker (Egypt). Available workers left: 2.",
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
    assert said(asked.hint) == "Available: 4 workers, 0 armies. As things stand, you lose 4 workers in next turn's decline."
    assert labels(asked) == {
        "build": "Build a city (7 areas of Sumer open)",
        "place grain": "grain: up to 1 worker",
        "place wood": "wood: up to 2 workers",
        "place metal": "metal: up to 2 workers",
        "scribe": "Have a scribe place or move a worker (unused: 1)",
        "trade": "Trade: Amorites",
        "tool": "Have a tool maker turn 1 metal into a tool (metal: 1)",
        "found guti": "Start Guti: 8 armies, but 1 worker will return to the reserve",
        "found sumer": "Start Sumer: 3 armies",
        "pass": "Pass for the rest of the turn",
    }
    assert [said(entry.group) for entry in asked.options] == [
        *["Cities", *["Pay a good to place workers"] * 3, "Use a scribe"],
        *["Trade", "Trade", "Start an empire", "Start an empire", "Pass"],
    ]
    assert whys(asked) == {
        "Why can't I start this empire (Akkad)?": ("You have no workers in the home area (Akkad).", "after_the_flood#found-3"),
        "Why can't I expand?": ("You haven't started an empire this turn.", "after_the_flood#expand-1"),
    }
    assert [entry.text for entry in asked.options if entry.irreversible] == ["pass"]


@pytest.mark.rule("after_the_flood#act-3")
def test_why_nothing_but_passing_is_left():
    full = ["sippar babylon nippur umma", "shuruppak uruk ur lagash", "eridu"]
    state = position(turn=2, cities=full, available=[0, 0, 0], workers=["egypt tool_makers", "amorites", ""], goods=["", "wood", ""])
    asked = ask(state)
    assert [entry.text for entry in asked.options] == ["pass"]
    assert said(asked.title) == "Your turn: you can only pass"
    assert {question: rule.removeprefix("after_the_flood#") for question, (_, rule) in whys(asked).items()} == {
        "Why can't I build a city?": "build-2",
        "Why can't I place workers?": "place-1",
        "Why can't I use a scribe?": "scribes-1",
        "Why can't I trade there (Egypt)?": "trade-3",
        "Why can't I make a tool?": "tools-1",
        "Why can't I start this empire (Amorites)?": "found-3",
        "Why can't I start this empire (Isin)?": "found-3",
        "Why can't I start this empire (Larsa)?": "found-3",
        "Why can't I expand?": "expand-1",
    }
    assert (
        whys(asked)[("Why can't I trade there (Egypt)?")][0]
        == "You have nothing to trade there (Egypt). Goods accepted: textile, tool and oil."
    )


@pytest.mark.rule("after_the_flood#pass-3", "after_the_flood#pass-5", "after_the_flood#pass-6")
def test_paying_comes_first_when_somebody_has_passed():
    state = position(phase="paying", passed=[1], goods=["grain 2", "", ""], available=[3, 0, 0])
    asked = ask(state)
    assert said(asked.title) == "Another player has passed: pay for an action, or pass"
    assert {entry.text: (entry.number, entry.target) for entry in asked.options} == {
        "pay grain": (2, "good-grain"),
        "pay worker": (3, "available"),
        "pass": (None, None),
    }
    assert told(ask(state, "pay worker")) == ["You pay 1 worker, then choose your action."]
    paid = play(state, "pay worker")
    assert said(ask(paid).title) == "You have paid: choose your action"
    assert whys(ask(paid))["Why can't I pass?"][1] == "after_the_flood#pass-6"
    poor = ask(position(phase="paying", passed=[1], available=[0, 0, 0]))
    assert said(poor.title) == "Another player has passed and you can't pay for an action: pass"
    assert whys(poor)["Why can't I act?"][1] == "after_the_flood#pass-5"
    full = ["sippar babylon nippur umma", "shuruppak uruk ur lagash", "eridu"]
    last = position(phase="paying", turn=2, passed=[1], cities=full, goods=["grain wood", "", ""], available=[1, 0, 0])
    assert "Why can't I pay 1 worker?" in whys(ask(last))


@pytest.mark.rule("after_the_flood#pass-1", "after_the_flood#pass-2", "after_the_flood#turnend-2")
def test_passing_says_that_it_is_final_and_what_is_left_unused():
    state = position(goods=["wood", "", ""], workers=["dilmun 2", "", ""], available=[4, 0, 0])
    assert told(ask(state, "pass")) == [
        "You can't act again this turn. The others can still attack your armies and cities.",
        "From now on, the others pay for every action.",
        "You won't start an empire this turn, although you could: Sumer.",
        "At the end of the turn, anything unused returns to your reserve: 4 workers, 0 armies.",
        "There is a decline next turn. As things stand, you lose 2 workers: 2 Dilmun.",
        "You can then bid goods for the order of play.",
    ]
    later = "Your cities can still grow at the end of the turn."
    assert told(ask(position(cities=["ur", "", ""]), "pass"))[1] == later
    assert later not in told(ask(position(cities=["ur", "", ""], grown=["ur"]), "pass"))
    bidding = ask(play(state, "pass"), "bid wood")
    assert told(bidding) == [
        "You spend 1 wood. Your total bid is 2.",
        "Order of play with these bids: Anna, Ben, Cleo.",
        "Then it is Ben's turn.",
    ]
    assert told(ask(play(state, "pass"), "done"))[0] == "You bid nothing and keep all your goods."


# Cities


@pytest.mark.rule("after_the_flood#build-2", "after_the_flood#cities-2", "after_the_flood#cities-10")
def test_building_says_what_the_city_brings():
    state = position(cities=["", "ur", ""], workers=["scribes 2", "", ""])
    asked = ask(state, "build")
    assert asked.on_board
    assert labels(asked)["build uruk"] == "Uruk: a free scribe, but you can't take one now"
    assert labels(asked)["build eridu"] == "Eridu: a free tool maker at once"
    assert said(asked.closed["area-ur"]) == "Ben has a city in Ur. Choose another area."
    assert asked.closed["area-egypt"].rule == "after_the_flood#build-1"
    assert told(ask(position(), "build uruk"))[1:3] == [
        "You place a worker from your reserve in Scribes at once.",
        "A new scribe can't work until your next action.",
    ]
    assert told(ask(state, "build eridu")) == [
        "You build a city in Eridu. Cities left to build: 3.",
        "You place a worker from your reserve in Tool Makers at once.",
        "Then it is Ben's turn.",
    ]


@pytest.mark.rule("after_the_flood#build-3")
def test_moving_a_city_names_what_is_lost():
    state = position(cities=["sippar babylon nippur umma", "", ""], grown=["nippur"])
    assert labels(ask(state, "relocate"))["relocate nippur"] == "Nippur: already grown, loses its growth marker"
    assert told(ask(state, "relocate nippur ur"))[:3] == [
        "You move your city from Nippur to Ur.",
        "Its growth marker is removed: the city can grow again, and you keep the points.",
        "You lose the city rule of Nippur.",
    ]
    assert ask(state, "relocate").closed["area-ur"].rule == "after_the_flood#build-3"


# Workers


def beside_map(asked):
    """Return the places that are listed besides the map, because a phone does not show them."""
    assert asked.stem is not None
    return [option.text for option in asked.options if option.is_place is False]


@pytest.mark.rule("after_the_flood#place-4", "after_the_flood#found-3", "after_the_flood#decline-3")
def test_placing_says_who_has_most_and_which_empires_open():
    state = position(goods=["wood", "", ""], workers=["irrigation", "akkad irrigation 2", "amorites"])
    asked = ask(state, "place wood")
    assert labels(asked)["place wood akkad"] == "Akkad: you 0, Ben 1, Cleo 0"
    assert asked.closed["area-ur"].rule == "after_the_flood#place-4"
    assert asked.closed["box-used_scribes"].rule == "after_the_flood#place-2"
    assert beside_map(asked) == ["place wood irrigation", "place wood weaving", "place wood scribes", "place wood tool_makers"]
    assert told(ask(state, "place wood akkad 2")) == [
        "You pay 1 wood and place 2 workers (Akkad). Available workers left: 6.",
        "Workers there afterwards: you 2, Ben 1, Cleo 0.",
        "You will be able to start this empire: Akkad.",
        "You would lose 1 worker there in next turn's decline.",
        "Then it is Ben's turn.",
    ]
    assert "You will be able to start this empire: Akkad." in told(ask(state, "place wood akkad 1"))
    assert "As things stand, Irrigation gives you 6 grain next turn instead of 4." in told(ask(state, "place wood irrigation 2"))
    homes = told(ask(state, "place wood amorites 2"))
    assert "As things stand, you could start an empire there after next turn's decline: Amorites." in homes
    assert "As things stand, you couldn't start an empire there after next turn's decline: Amorites." in told(
        ask(state, "place wood amorites 1")
    )


@pytest.mark.rule("after_the_flood#scribes-5", "after_the_flood#trade-5")
def test_placing_says_what_newcomers_cannot_do_yet():
    new_scribe, blocked = "A new scribe can't work until your next action.", "Ben has an army there, so your workers"
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
    assert f"{blocked} can't trade there now." in told(ask(state, "place wood egypt 2"))
    assert f"{blocked} can't trade there now." in told(ask(state, "scribe available egypt"))
    assert "Your own armies are there, so they trade instead of your workers." in told(ask(state, "place wood mittani 1"))
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
    assert beside_map(asked) == ["scribe scribes", "scribe used_scribes", "scribe used_tool_makers", "scribe available"]
    assert asked.closed["area-guti"].rule == "after_the_flood#scribes-3"
    assert told(ask(state, "scribe akkad available")) == [
        "Your scribe makes a worker available again (Akkad). Available workers: 2.",
        "You will no longer be able to start this empire: Akkad.",
        "You can then place or move more workers, or finish.",
    ]
    back = ask(state, "scribe used_scribes")
    assert back.closed["box-scribes"].rule == "after_the_flood#scribes-7"
    assert ask(state, "scribe akkad").closed["box-scribes"].rule == "after_the_flood#scribes-2"
    placing = play(state, "scribe available guti")
    assert said(ask(placing).hint) == "Unused scribes: 1."
    assert whys(ask(placing))["Why can't I place workers?"][1] == "after_the_flood#place-1"
    assert told(ask(placing, "done"))[:2] == [
        "Your action ends. Available workers left: 0.",
        "Unused scribes kept for later actions: 1.",
    ]


# Trade


@pytest.mark.rule("after_the_flood#trade-2")
def test_more_traders_than_goods_make_no_more_exchanges():
    state = position(goods=["textile 2 grain 2", "", ""], workers=["hittites 3 mittani 4", "", ""])
    assert labels(ask(state, "trade")) == {
        "trade hittites": "Hittites: metal (1 exchange left)",
        "trade mittani": "Mittani: wood and metal (2 exchanges left)",
    }
    assert told(ask(state, "trade hittites metal grain"))[1] == "Exchanges left there this action: 0."
    assert told(ask(state, "trade mittani wood grain"))[1] == "Exchanges left there this action: 1."
    after = play(state, "trade mittani wood grain")
    assert labels(ask(after))["trade mittani"] == "Mittani: metal (1 exchange left)"


@pytest.mark.rule("after_the_flood#trade-2", "after_the_flood#trade-7")
def test_exchanges_are_counted_with_the_extra_one_of_sippar():
    state = position(goods=["textile 2 grain 2", "", ""], workers=["amorites", "", ""], cities=["sippar", "", ""])
    asked = ask(state, "trade")
    assert labels(asked) == {"trade amorites": "Amorites: wood and oil (2 exchanges left)"}
    assert asked.closed["area-egypt"].rule == "after_the_flood#trade-1"
    assert labels(ask(state, "trade amorites"))["trade amorites oil textile"] == "1 oil for 1 textile (in stock: 7)"
    assert told(ask(state, "trade amorites oil textile")) == [
        "You trade 1 textile for 1 oil.",
        "Exchanges left there this action: 0.",
        "You can then keep trading, or finish.",
    ]
    trading = play(state, "trade amorites oil textile")
    assert ask(trading).on_board
    assert labels(ask(trading, "trade amorites"))["trade amorites oil textile"] == (
        "1 oil for 1 textile, Sippar's extra exchange (in stock: 6)"
    )
    assert told(ask(trading, "trade amorites wood grain"))[1] == "This is Sippar's extra exchange, one per trade."


@pytest.mark.rule("after_the_flood#trade-5")
def test_why_no_trade_under_an_enemy_army():
    state = position(
        turn=3, workers=["egypt", "", ""], empires=[None, "egypt", None], ranking=[1], armies=["", "egypt", ""], goods=["textile", "", ""]
    )
    answer = ("Ben's army blocks trade there (Egypt).", "after_the_flood#trade-5")
    assert whys(ask(state))["Why can't I trade there (Egypt)?"] == answer
