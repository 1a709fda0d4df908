"""What holds in every game of Babel, checked in random games; legality against a slow oracle; counts of all lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from games.babel.actions import Power, parse_action
from games.babel.components import PEOPLES
from games.babel.invariants import check_invariants
from games.babel.state import RUNS_IN
from games.core.contract import CHANCE
from games.core.rng import SeededRng
from tests.engine.babel.builders import data_of, due, first_turn, game, legal, play, position
from tests.engine.babel.oracle import legal_texts, runs

GAMES = 250
POWERS = ("destroy", "steal", "expel", "switch", "skip", "halve")


def busy_game(seed: int) -> Iterator[tuple[Any, int, Any, Any, list]]:
    """Yield (before, actor, action, after, events) of a random game that settles in few lands and prefers powers."""
    rng = SeededRng(f"busy {seed}")
    state = game.setup(2, {"start_hands": "3/5" if seed % 3 == 0 else "5/5"})
    while actors := game.actors(state):
        actor = actors[0]
        action = game.sample_chance(state, rng) if actor == CHANCE else choose(state, actor, rng)
        after, events = game.apply(state, actor, action)
        yield state, actor, action, after, events
        state = after


def choose(state: Any, actor: int, rng: SeededRng) -> Any:
    """Pick a power if there is one, else build, else settle to make a run, mostly in two lands where both seats settle."""
    actions = game.legal_actions(state, actor)
    texts = [str(action) for action in actions]
    if rng.below(10, "t") == 0:
        return actions[rng.below(len(actions), "t")]
    column = state.columns[actor * 5 + state.pawns[actor]] if state.pawns[actor] >= 0 else b""
    wanted = [
        [text for text in texts if text.split()[0] in POWERS[:-1] and rng.below(3, "t")],
        [text for text in texts if text.startswith(("build", "halve"))],
        [f"settle {PEOPLES[column[-1]]}"] if column else [],
        [text for text in texts if text.startswith("settle")] if len(column) < 3 else [],
        [text for text in texts if text in ("move medes", "move persians") and rng.below(2, "t")],
        [text for text in texts if text.startswith("migrate") and text.endswith(("medes", "persians"))],
        ["end"],
        texts,
    ]
    for choices in wanted:
        found = [text for text in choices if text in texts]
        if found:
            return parse_action(found[rng.below(len(found), "t")])
    raise AssertionError(texts)


@pytest.mark.rule("babel#components-1", "babel#components-2", "babel#migration-4", "babel#powers-1", "babel#temples-1")
def test_cards_are_conserved_and_everything_changes_by_the_rules_only():
    verbs, reasons = Counter(), Counter()
    for seed in range(GAMES):
        for before, actor, action, after, _ in busy_game(seed):
            assert check_invariants(after, before) is None, (seed, str(action))
            verbs[str(action).split()[0]] += 1
            if isinstance(action, Power):
                own = before.columns[before.active * 5 + before.pawns[before.active]]
                people = parse_people(action)
                lost = own.count(people) - after.columns[before.active * 5 + before.pawns[before.active]].count(people)
                assert lost == 1 or (action.verb == "switch" and lost <= 1)
            if actor >= 0 and before.phase == 0:
                assert after.scores[actor] >= before.scores[actor]
                assert after.scores[1 - actor] <= before.scores[1 - actor]
            assert_only_its_own_verbs_change(before, str(action).split()[0], after)
        reasons[game.outcome(after).reason] += 1
    assert min(verbs[verb] for verb in (*POWERS, "move", "settle", "build", "migrate", "end", "discard")) > 50
    assert reasons["deck"] > 100


def assert_only_its_own_verbs_change(before: Any, verb: str, after: Any) -> None:
    """Temples, stocks, the temple deck, pawns and migration change only through the actions meant for them."""
    if before.active < 0:
        return
    own, other = slice(before.active * 5, before.active * 5 + 5), slice(5 - before.active * 5, 10 - before.active * 5)
    changes = {
        ("build", "skip", "steal"): before.temples[own] != after.temples[own],
        ("destroy", "steal"): before.temples[other] != after.temples[other],
        ("build", "skip", "reveal"): before.stocks != after.stocks,
        ("destroy", "reveal"): (before.deck, before.deck_top) != (after.deck, after.deck_top),
        ("move",): before.pawns != after.pawns,
        ("migrate", "reveal"): before.migrated != after.migrated,
        ("expel", "switch"): before.columns[other] != after.columns[other],
        ("discard", "draw"): before.hands[other] != after.hands[other],
    }
    assert [verbs for verbs, has_changed in changes.items() if has_changed and verb not in verbs] == [], verb
    assert sum(map(len, after.columns[own])) == sum(map(len, before.columns[own])) + GROWTH.get(verb, 0) or verb == "switch"


GROWTH = {"settle": 1} | dict.fromkeys(("destroy", "steal", "expel", "skip", "halve"), -1)


def parse_people(action: Power) -> int:
    return action.argument if action.verb == "halve" else ("destroy", "steal", "expel", "switch", "skip").index(action.verb)


@pytest.mark.rule("babel#turn-1", "babel#migration-4")
def test_turns_alternate_and_migrate_once():
    for seed in range(30):
        migrations: Counter[int] = Counter()
        seats: dict[int, int] = {}
        for before, actor, action, _, _ in busy_game(seed):
            if actor >= 0 and before.phase == 0:
                assert seats.setdefault(before.turn, actor) == actor
                migrations[before.turn] += str(action).startswith("migrate")
        assert max(migrations.values()) == 1
        turns = sorted(seats)
        assert turns == list(range(1, len(turns) + 1))
        assert all(seats[turn] != seats[turn + 1] for turn in turns[:-1])


@pytest.mark.rule("babel#destroy-2", "babel#end-5")
def test_the_temple_deck_shrinks_by_two_a_turn_and_grows_by_what_is_destroyed():
    destroyed = 0
    for seed in range(60):
        expected = 43
        for _, _, action, after, events in busy_game(seed):
            for event in events:
                if event.key == "destroyed":
                    levels = event.params["levels"].split(", ")
                    assert game.view_for(after, None).deck_top[: len(levels)] == tuple(map(int, levels))
                    expected += len(levels)
                    destroyed += 1
            if str(action).startswith("reveal"):
                expected -= len(action.levels)
            assert game.view_for(after, None).deck_count == expected
    assert destroyed > 30


@pytest.mark.rule("babel#turn-3", "babel#powers-5", "babel#start-2")
def test_a_slow_and_plain_reading_of_the_rules_finds_the_same_actions():
    compared, sizes = 0, Counter()
    for seed in range(120):
        for number, (before, actor, _, _, _) in enumerate(busy_game(1000 + seed)):
            if actor < 0 or number % 5 or (before.phase == 1 and sum(before.hands[before.due * 5 : before.due * 5 + 5]) > 12):
                continue
            expected = legal_texts(data_of(before))
            found = legal(before)
            if before.turn <= 2 and "end" not in found:
                expected.discard("end")  # the duty of a first turn has its own tests
            assert set(found) == expected
            assert len(found) == len(expected)
            compared += 1
            sizes[before.phase] += 1
    assert compared > 1500
    assert sizes[1] > 20


@pytest.mark.rule("babel#powers-1", "babel#powers-4")
def test_runs_are_found_in_every_short_column():
    for length in range(8):
        for cards in product("AS", repeat=length):
            column = "".join(cards)
            found = RUNS_IN[bytes("AHMSP".index(card) for card in column)]
            assert [("AHMSP"[people], number) for people, number, _ in found] == runs(column)
            assert all(column[place : place + 3] == column[place] * 3 for _, _, place in found)
            assert all(place == 0 or column[place - 1] != column[place] for _, _, place in found)


# Perft: how many lines of a given length start at a position. Changing the rules changes the counts.


def perft(state: Any, depth: int) -> int:
    """Count the lines of seats; when chance is due, one fixed outcome is taken."""
    actors = game.actors(state)
    if depth == 0 or not actors:
        return 1
    if actors[0] < 0:
        action = game.sample_chance(state, SeededRng(9)) if actors[0] == CHANCE else game.legal_actions(state, actors[0])[0]
        return perft(game.apply(state, actors[0], action)[0], depth)
    actions = game.legal_actions(state, actors[0])
    return len(actions) if depth == 1 else sum(perft(game.apply(state, actors[0], action)[0], depth - 1) for action in actions)


POSITIONS = {
    "first turn": lambda: first_turn(hand="AAHMMSPP", other="AHMSP"),
    "powers": lambda: position(
        """
        0> medes | AM
        1  medes | AHMSP
        medes: AAAHHHMMMSSSPPP 1 | ASS 123
        stocks: 2 | 3
        """
    ),
    "long turn": lambda: position(
        """
        0> hittites | AHS
        1  hittites | AHHMP
        hittites:  SSSSAPP . | PSAAM 123456
        sumerians: PP .      | . .
        assyrians: HH .      | . 123
        """
    ),
    "a lead in reach": lambda: position(
        """
        0> medes | MM
        1  persians | AAP
        medes: HHHP 12 | A 1234
        persians: . 6 | . .
        assyrians: . 6 | . 5
        stocks: 3 | 3
        """
    ),
}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("first turn", [5, 43, 359, 2717]),
        ("powers", [20, 283, 3670, 41452]),
        ("long turn", [14, 156, 1509, 12990]),
        ("a lead in reach", [10, 29, 118, 585, 3093]),
    ],
)
def test_the_number_of_lines_from_a_position(name, counts):
    state = POSITIONS[name]()
    assert [perft(state, depth + 1) for depth in range(len(counts))] == counts


def test_a_game_that_is_won_has_no_lines_more():
    state = POSITIONS["a lead in reach"]()
    assert "steal" in legal(state)
    assert due(play(state, "steal")) < 0
