"""What holds in every game of After the Flood, checked in random games; legality against a slow oracle; counts from fixed positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.after_the_flood.actions import parse_action
from games.after_the_flood.invariants import check_invariants
from games.after_the_flood.state import END
from games.core.contract import CHANCE, SCORER
from games.core.rng import SeededRng
from games.core.undo import undo_depth
from tests.engine.after_the_flood.builders import data_of, due, game, legal, play, position, told
from tests.engine.after_the_flood.oracle import legal_texts

GAMES = 60
KINDS = ("found", "invade", "destroy", "trade", "tool", "grow", "scribe", "recruit", "equip", "relocate", "refound", "attack", "reinforce")


def busy_game(seed: int) -> Iterator[tuple[Any, int, Any, Any, list]]:
    """Yield (before, actor, action, after, events) of a random game that prefers rare kinds of actions to passes."""
    rng = SeededRng(f"busy {seed}")
    options = {"ur_textile": "weaver", "tool_stock": "unlimited"} if seed % 3 == 0 else {}
    state = game.setup(3, options)
    while actors := game.actors(state):
        actor = actors[0]
        action = game.sample_chance(state, rng) if actor == CHANCE else choose(state, actor, rng)
        after, events = game.apply(state, actor, action)
        yield state, actor, action, after, events
        state = after


def choose(state: Any, actor: int, rng: SeededRng) -> Any:
    """Pick rare kinds more often than their number of actions suggests, and passes seldom."""
    texts = [str(action) for action in game.legal_actions(state, actor)]
    verbs = sorted({text.split()[0] for text in texts})
    rare = [verb for verb in verbs if verb in KINDS]
    if rare and rng.below(3, "t"):
        verbs = rare
    elif len(verbs) > 1 and rng.below(8, "t"):
        verbs = [verb for verb in verbs if verb != "pass"]
    verb = verbs[rng.below(len(verbs), "t")]
    found = [text for text in texts if text.split()[0] == verb]
    return parse_action(found[rng.below(len(found), "t")])


@pytest.mark.rule("after_the_flood#components-1", "after_the_flood#components-2", "after_the_flood#expand-5", "after_the_flood#scribes-2")
def test_pieces_are_conserved_and_everything_changes_by_the_rules_only():
    verbs, reasons = Counter(), Counter()
    for seed in range(GAMES):
        for before, actor, action, after, events in busy_game(seed):
            assert check_invariants(after, before) is None, (seed, str(action))
            verbs[str(action).split()[0]] += 1
            assert_only_its_own_verbs_change(before, actor, str(action).split()[0], after)
            shown = any(event.reveals for event in events)
            assert shown == (actor == CHANCE or after.phase == END)
        reasons[game.outcome(after).reason] += 1
        assert sorted(game.outcome(after).places) == [1, 2, 3]
    assert verbs["refound"]
    assert min(verbs[verb] for verb in ({*KINDS} - {"refound"}) | {"build", "place", "pay", "bid", "garrison", "home"}) > 10, verbs
    assert reasons["points"] > 30


def assert_only_its_own_verbs_change(before: Any, actor: int, verb: str, after: Any) -> None:
    """Scores change only in scoring, cities with three verbs, armies on the map with five, the order of play between turns."""
    if actor != SCORER:
        assert after.scores == before.scores
    if verb not in ("build", "relocate", "destroy"):
        assert after.cities == before.cities
    if verb not in ("garrison", "home", "ready", "refound", "invade", "reinforce", "roll", "score"):
        assert (after.armies, after.doubles) == (before.armies, before.doubles)
    if after.order != before.order:
        assert verb == "order" or after.passed == 0b111
    if verb in ("build", "relocate", "trade", "tool", "found", "recruit", "equip", "bid", "pass", "invade", "destroy"):
        assert sum(after.workers) - sum(before.workers) in (0, 1)


def test_the_legal_actions_are_those_of_the_oracle():
    phases = Counter()
    for seed in range(100, 100 + GAMES // 3):
        for before, actor, *_ in busy_game(seed):
            if actor >= 0:
                found = data_of(before)
                assert set(legal(before)) == legal_texts(found), (seed, found)
                phases[found["phase"]] += 1
    assert {*phases} == {
        *("paying", "action", "placing", "trading", "mustering", "equipping", "homing", "garrisoning", "attacking", "expanding"),
        *("bidding", "growing"),
    }


@pytest.mark.parametrize(
    ("state", "one", "two"),
    [
        (position(goods=["wood metal tool oil gold grain 5 textile 3", "", ""], available=[10, 8, 8]), 296, 3244),
        (
            position(
                turn=4, goods=["textile 2 tool", "", ""], workers=["hittites 2 amorites scribes", "kassites", ""], cities=["sippar ur", "uruk", ""],
                empires=["hittites", "kassites", None], ranking=[1, 0], armies=["hittites amorites", "kassites 2 uruk", ""], armies_available=[5, 4, 0],
            ),
            170,
            12720,
        ),
        (
            position(phase="growing", active=0, passed=[0, 1, 2], cities=["uruk ur", "umma", ""], goods=["wood 4 tool oil", "wood 2 gold", ""]),
            9,
            29,
        ),
    ],
    ids=["first action", "war", "growth"],
)  # fmt: skip
def test_the_number_of_lines_from_fixed_positions(state, one, two):
    """Frozen counts, which change only when the rules do; computed once and compared with the oracle."""
    firsts = legal(state)
    assert len(firsts) == one == len(legal_texts(data_of(state)))
    count = 0
    for text in firsts:
        after = play(state, text)
        if game.actors(after)[0] >= 0:
            assert len(legal(after)) == len(legal_texts(data_of(after)))
            count += len(legal(after))
        else:
            count += 36 if data_of(after)["phase"] == "rolling" else 1
    assert count == two


@pytest.mark.rule("after_the_flood#combat-1")
def test_the_small_steps_of_an_action_are_taken_back_up_to_the_dice():
    state = position(
        turn=4, empires=["hittites", "kassites", None], ranking=[0, 1], armies=["amorites", "babylon", ""], armies_available=[4, 0, 0]
    )
    line = []
    for text in ("invade sippar", "invade babylon", "roll 6 6"):
        actor = due(state)
        state, events = game.apply(state, actor, parse_action(text))
        line.append((actor, events))
    assert undo_depth(line[:2], 0) == 2
    assert undo_depth(line, 0) == 0
    trade = position(goods=["grain 2 textile", "", ""], workers=["mittani 2", "", ""])
    assert undo_depth([(0, told(trade, "trade mittani wood grain"))], 0) == 1
