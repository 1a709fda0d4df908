"""What every bot level of every game promises: it knows only its view, plays legal actions, says why, and beats the level below.

A game gives `tests/engine/<game>/facts.py`: REASONS, how many different reasons each level gives at least in these positions;
THOUGHT, the `Outlook` method that the scribe calls to evaluate something, and how often at most, without a budget and with none left;
GAIN, by how many points at least each level must beat the one below it in the same place; PLACES, in how many of them (6).
Win rates are figures: `manage.py ladder`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path

import pytest

from games.core import fuzz_bots
from games.core.contract import CHANCE
from games.core.learner import problems
from games.core.rng import SeededRng
from games.core.simulate import RANDOM
from games.registry import GAMES
from games.registry import game as game_of
from tests.engine.played import apprentice_games, bot_action, choices_met, every_game, every_table, only_in_plain_python, phase_of, plies

LEVELS = ("apprentice", "journeyman", "scribe", "master")
every_level = pytest.mark.parametrize(("key", "level"), [(key, level) for key in GAMES for level in GAMES[key].game.meta.bot_levels])
steps = [(key, *pair) for key in GAMES for pair in pairwise((RANDOM, *GAMES[key].game.meta.bot_levels))]
POSITIONS = 40
FILES = 90  # position files from nowhere


def facts(key):
    return import_module(f"tests.engine.{key}.facts")


def secrets(key):
    return import_module(f"tests.engine.{key}.secrets")


@cache
def anchors(key):
    folder = Path(__file__).parents[2] / "rules_docs/content" / key / "en"
    return {anchor for file in folder.glob("*.md") for anchor in re.findall(r"\{#([a-z0-9-]+)\}", file.read_text(encoding="utf-8"))}


@every_game
def test_the_lobby_offers_levels_by_their_common_names_from_the_weakest_up(key):
    offered = GAMES[key].game.meta.bot_levels
    assert tuple(offered) == tuple(level for level in LEVELS if level in offered)
    assert {"apprentice", "scribe"} <= set(offered)


@every_level
def test_an_answer_is_allowed_follows_from_view_and_generator_alone_and_gives_reasons(key, level):
    game, vary, seen = GAMES[key].game, secrets(key).vary, Counter()
    changed, marked, phases = 0, 0, set()
    for number, (state, seat) in enumerate(choices_met(key, POSITIONS)):
        view = game.view_for(state, seat)
        choice = game.choose_action(view, level, SeededRng(9))
        assert choice.action in game.legal_actions(state, seat)
        assert view == game.view_for(state, seat)
        other = vary(state, seat, SeededRng(number))
        changed += other != state
        assert game.choose_action(game.view_for(other, seat), level, SeededRng(9)) == choice  # another table that looks the same
        legal = game.legal_actions(state, seat)
        assert all(action in legal for action, _ in choice.ranked)
        assert {type(worth) for _, worth in choice.ranked} <= {float}
        assert [worth for _, worth in choice.ranked] == sorted([worth for _, worth in choice.ranked], reverse=True)
        phases.add(phase_of(game, state))
        assert choice.reasons
        assert len({reason for reason, _, _ in choice.reasons}) == len(choice.reasons), "a reason said twice is about another move"
        assert set(choice.marks) <= set(game.scene(view)["targets"])
        marked += bool(choice.marks)
        for reason, value, rule in choice.reasons:
            seen[reason] += 1
            assert f"bot.{reason}" in game.phrases
            assert type(value) is float, "compiled engines would turn it into one, and the two forms would differ"
            assert rule is None or (rule.partition("#") == (key, "#", rule.partition("#")[2]) and rule.partition("#")[2] in anchors(key))
    assert (changed > 15) != getattr(secrets(key), "NOTHING_IS_HIDDEN", False)
    assert len(seen) >= facts(key).REASONS[level], seen
    assert marked > POSITIONS / 4


@every_table
def test_the_only_possible_answer_is_given_and_said_to_be_the_only_one(key, seats):
    game, found = GAMES[key].game, 0
    alone = (ply for ply in plies(key, seats) if ply.actor >= 0 and len(game.legal_actions(ply.before, ply.actor)) == 1)
    for ply in islice(alone, 20):
        for level in game.meta.bot_levels:
            choice = game.choose_action(game.view_for(ply.before, ply.actor), level, SeededRng(1))
            assert (choice.action, choice.reasons[0][0]) == (ply.action, "only")
            found += 1
    assert found or key == "history_of_the_world"  # whoever is due there can always change a standing order


@every_table
def test_unknown_levels_and_seats_that_are_not_due_get_no_answer(key, seats):
    game = GAMES[key].game
    for ply in islice(plies(key, seats), 0, 90, 9):
        due = game.actors(ply.before)
        for seat in (None, *range(seats)):
            for level in ("sage", *(game.meta.bot_levels if seat not in due else ())):
                with pytest.raises(ValueError, match=r"no bot|not due"):
                    game.choose_action(game.view_for(ply.before, seat), level, SeededRng(1))


@every_game
def test_the_random_level_picks_among_all_that_is_allowed(key):
    game, tried = GAMES[key].game, 0
    for state, seat in choices_met(key, POSITIONS):
        legal = game.legal_actions(state, seat)
        if 2 < len(legal) < 8:
            view, tried = game.view_for(state, seat), tried + 1
            assert {game.choose_action(view, RANDOM, SeededRng(seed)).action for seed in range(20 * len(legal))} == set(legal)
    assert tried


@every_game
def test_a_scribe_weighs_no_more_than_it_may(key, monkeypatch):
    """Thought is counted in positions and pieces evaluated, never in seconds."""
    only_in_plain_python(key)
    game, outlook = GAMES[key].game, import_module(f"games.{key}.evaluation").Outlook
    name, most, least = facts(key).THOUGHT
    weigh, weighed = getattr(outlook, name), 0

    def counted(*args, **kwargs):
        nonlocal weighed
        weighed += 1
        return weigh(*args, **kwargs)

    monkeypatch.setattr(outlook, name, counted)
    counts = Counter()
    for state, seat in choices_met(key, POSITIONS)[::2]:
        for budget in (None, 0.0):
            weighed = 0
            choice = game.choose_action(game.view_for(state, seat), "scribe", SeededRng(9), budget_s=budget)
            assert choice.action in game.legal_actions(state, seat)
            counts[budget] = max(counts[budget], weighed)
    assert 0 < counts[None] <= most
    assert counts[0.0] <= least


@every_level
def test_an_answer_to_any_position_that_loads_is_allowed_and_thought_is_counted(key, level, monkeypatch):
    """`manage.py fuzz GAME --positions N --bots all` asks at more positions. Without a budget nothing but counts ends a thought."""
    game, weighed = GAMES[key].game, Counter()
    outlook = import_module(f"games.{key}.evaluation").Outlook
    name, most, _ = facts(key).THOUGHT
    weigh = getattr(outlook, name)

    def counted(*args, **kwargs):
        weighed["now"] += 1
        return weigh(*args, **kwargs)

    monkeypatch.setattr(outlook, name, counted)
    choose = game.choose_action

    def choose_counted(view, level, rng, budget_s=None):
        weighed["now"] = 0
        choice = choose(view, level, rng, budget_s)
        weighed["most"] = max(weighed["most"], weighed["now"])
        return choice

    monkeypatch.setitem(vars(game), "choose_action", choose_counted)
    found = fuzz_bots.run(game_of, key, game.meta.seats, 1, range(FILES), {level: None})
    assert found.fault is None, found.fault.line()
    assert found.answers[level] >= 20
    if level != "master":
        assert weighed["most"] <= 3 * most  # odd positions offer more than games do


@pytest.mark.parametrize("key", GAMES)
def test_a_master_that_is_offered_has_its_weights(key):
    assert problems(GAMES[key].game) == []


# Each level is better than the one below it


def gain(key, better, below, games):
    """Return how many more points a bot of level `better` scores than one of `below` in the same place, in the last part of some games.

    Both play each position to its end against seats of level `below`, with the same generator for chance.
    """
    game, gained = GAMES[key].game, 0.0
    for number in range(games):
        at = number % len(game.meta.seats)
        line = apprentice_games(key)[at]
        start = len(line) * 2 // 3 + number
        seat = next(actor for _, actor in line[start:] if actor >= 0)
        gained += margin(game, line[start][0], seat, better, below) - margin(game, line[start][0], seat, below, below)
    return gained / games


def margin(game, state, seat, level, others):
    """Return by how many points a seat of one level finishes ahead of the mean of the others, which are of another level."""
    chance, rng = SeededRng("chance"), SeededRng("bots")
    while actors := game.actors(state):
        actor = actors[0]
        action = bot_action(game, state, actor, level if actor == seat else others, chance if actor == CHANCE else rng)
        state, _ = game.apply(state, actor, action)  # raises if it is not allowed
    scores = game.outcome(state).scores
    return scores[seat] - (sum(scores) - scores[seat]) / (len(scores) - 1)


@pytest.mark.parametrize(("key", "below", "better"), steps)
def test_a_level_gains_more_than_the_one_below_it_in_the_same_place(key, below, better):
    assert gain(key, better, below, getattr(facts(key), "PLACES", 6)) >= facts(key).GAIN[better]
