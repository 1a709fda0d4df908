"""Small parts that games share: chance, undo, what a reader may see of an event, reading JSON."""

from __future__ import annotations

import doctest
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pkgutil import walk_packages

import pytest

import games
from games.core import jsonio
from games.core.contract import CHANCE, NO_SEAT, SCORER, Event, Outcome, PositionError, ScoreLine, score_of
from games.core.events import event_for
from games.core.rng import SeededRng, shuffled
from games.core.undo import can_undo, undo_depth
from games.registry import GAMES, game

SEAT_FIELDS = ("active", "due", "ra_player", "best_seat", "attacker", "defender")
MODULES = [info.name for info in walk_packages(games.__path__, "games.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_hold(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_nobody_is_no_actor():
    assert len({CHANCE, SCORER, NO_SEAT}) == 3
    assert max(CHANCE, SCORER, NO_SEAT) < 0


@pytest.mark.parametrize("key", GAMES)
def test_whoever_is_due_or_active_is_a_seat_or_nobody(key):
    game_, rng = game(key), SeededRng(f"seats {key}")
    seats = game_.meta.seats[-1]
    state = game_.setup(seats, {})
    seen = Counter()
    while actors := game_.actors(state):
        for name in SEAT_FIELDS:
            seat = getattr(state, name, 0)
            assert 0 <= seat < seats or seat == NO_SEAT, name
            seen[seat == NO_SEAT] += 1
        action = game_.sample_chance(state, rng) if actors[0] == CHANCE else game_.sample_action(state, actors[0], rng)
        state, _ = game_.apply(state, actors[0], action)
    assert seen[True]


def test_games_are_known_before_their_boards_and_bots_are_loaded():
    code = "import sys; from games.registry import GAMES; print([e.game.meta.key for e in GAMES.values()] and sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "'games.ra.rules'" in loaded
    assert [name for name in MODULES if name.endswith((".scene", ".bot", ".evaluation")) and f"'{name}'" in loaded] == []


def test_a_seeded_source_is_even_and_repeatable():
    rng = SeededRng(1)
    found = Counter(rng.below(6, "dice") for _ in range(12000))
    assert sorted(found) == list(range(6))
    assert sum((count - 2000) ** 2 / 2000 for count in found.values()) < 20.5  # chi-square, 5 degrees: one in a thousand
    assert [SeededRng("a").below(1000, "x") for _ in range(3)] == [SeededRng("a").below(1000, "y") for _ in range(3)]


def test_a_shuffle_gives_each_order_alike():
    rng = SeededRng(2)
    found = Counter(tuple(shuffled(3, rng, "setup")) for _ in range(6000))
    assert len(found) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in found.values()) < 20.5


SEEN = Event("bid")
SECRET = Event("drew", {"seat": 0}, secret={0: {"tile": "gold"}, 1: {"tile": "any"}}, reveals=True)


def test_undo_goes_back_to_the_last_barrier():
    assert undo_depth([(0, [SEEN]), (0, [SEEN])], 0) == 2
    assert undo_depth([(0, [SEEN]), (1, [SEEN]), (0, [SEEN])], 0) == 1  # another seat acted
    assert undo_depth([(0, [SEEN]), (CHANCE, [SEEN]), (0, [])], 0) == 1  # chance was drawn
    assert undo_depth([(0, [SECRET]), (0, [SEEN])], 0) == 1  # something was revealed
    assert undo_depth([(0, [SEEN]), (0, [SECRET])], 0) == 0
    assert undo_depth([], 0) == 0
    assert not can_undo([(0, [SEEN])], 1)
    assert not can_undo([], 0)
    assert can_undo([(1, [SECRET]), (0, [SEEN])], 0)


def test_a_score_is_the_sum_of_a_derivation_or_the_least_of_its_rounds():
    rounds = [("red", [ScoreLine("tiles", 4, "x#1"), ScoreLine("wars", 3, "x#2")]), ("blue", [ScoreLine("tiles", 5, "x#1")])]
    assert score_of(Outcome([1], [12], "bag", [rounds]), 0) == 12
    assert score_of(Outcome([1], [5], "bag", [rounds], total="least"), 0) == 5


def test_an_event_is_cut_to_its_reader():
    assert event_for(SECRET, 0).secret == {0: {"tile": "gold"}}
    assert event_for(SECRET, 2).secret == {}
    assert event_for(SECRET, None) == Event("drew", {"seat": 0}, reveals=True)
    assert event_for(SEEN, None) is SEEN


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: jsonio.integer(True, "a", 0, 1), "a: expected a whole number from 0 to 1, found True"),
        (lambda: jsonio.integer(2, "a.b", 0, 1), "a.b: expected a whole number from 0 to 1, found 2"),
        (lambda: jsonio.integer("1", "a", 0, 1), "a: expected a whole number from 0 to 1, found '1'"),
        (lambda: jsonio.boolean(1, "a"), "a: expected true or false, found 1"),
        (lambda: jsonio.one_of("z", "a", ("x", "y")), "a: expected one of x, y; found 'z'"),
        (lambda: jsonio.one_of(None, "a", ("x",)), "a: expected one of x; found None"),
        (lambda: jsonio.items({}, "a"), "a: expected a list, found {}"),
        (lambda: jsonio.items([1], "a", 2), "a: expected 2 entries, found 1"),
        (lambda: jsonio.fields([], "", ()), "state: expected an object, found []"),
        (lambda: jsonio.fields({"b": 1}, "a", ("c",)), "a.b: is not known"),
        (lambda: jsonio.fields({}, "a", ("c",), ("c",)), "a.c: is missing"),
    ],
)
def test_a_wrong_value_is_named_with_its_field(read, message):
    with pytest.raises(PositionError) as error:
        read()
    assert str(error.value) == message


def test_a_long_wrong_value_is_cut():
    assert len(jsonio.shown("x" * 1000)) < 50
    assert len(jsonio.shown(list(range(1000)))) <= 60
