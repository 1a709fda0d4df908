"""What every game of the registry promises (games/core/contract.py). A new game is tested by being registered.

A game gives `tests/engine/<game>/secrets.py` with `vary(state, seat, rng)`: a state that differs only in what `seat` may not know
(`NOTHING_IS_HIDDEN = True` if that is nothing), and `SHOWN_BY`: keys of events that reveal hidden cards to all, if an action can cause
them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from importlib import import_module
from itertools import cycle
from typing import Any

import pytest

from games.core.contract import CHANCE, SCORER, ActionFormatError, IllegalAction, score_of
from games.core.events import events_for
from games.core.records import replay, result_of
from games.core.rng import SeededRng
from games.core.undo import can_undo
from games.registry import GAMES
from tests.engine.played import Ply, every_table, options_of, plies, random_games


@every_table
def test_legal_actions_are_complete_distinct_and_never_empty_while_a_seat_is_due(key, seats):
    game = GAMES[key].game
    for ply in plies(key, seats):
        assert ply.actor in game.actors(ply.before)
        if ply.actor == CHANCE:
            continue
        legal = game.legal_actions(ply.before, ply.actor)
        assert ply.action in legal
        texts = [str(action) for action in legal]
        assert len(set(texts)) == len(texts)
        if ply.actor == SCORER:
            assert texts == ["score"]
        assert texts == [str(action) for action in game.legal_actions(ply.before, ply.actor)]  # a fixed order


@every_table
def test_every_legal_action_can_be_applied_and_seats_that_are_not_due_have_none(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::7]:
        for actor in range(seats):
            legal = game.legal_actions(ply.before, actor)
            if actor not in game.actors(ply.before):
                assert legal == []
                with pytest.raises(IllegalAction) as refused:
                    game.apply(ply.before, actor, ply.action)
                assert refused.value.reason in game.phrases
                assert refused.value.rule.startswith(f"{key}#")
            for action in legal:
                game.apply(ply.before, actor, action)


@every_table
def test_apply_never_changes_its_input(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::3]:
        before = pickle.dumps(game.state_to_json(ply.before))
        game.apply(ply.before, ply.actor, ply.action)
        assert pickle.dumps(game.state_to_json(ply.before)) == before


@every_table
def test_applying_twice_gives_the_same(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::5]:
        again, events = game.apply(ply.before, ply.actor, ply.action)
        assert again == ply.after
        assert events == ply.events


@every_table
def test_states_survive_json(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::4]:
        data = game.state_to_json(ply.after)
        read = game.state_from_json(json.loads(json.dumps(data)))
        assert read == ply.after
        assert game.state_to_json(read) == data
        assert game.complete(data, SeededRng(1)) == ply.after


@every_table
def test_actions_survive_their_text_form(key, seats):
    game = GAMES[key].game
    for ply in plies(key, seats):
        actions = [ply.action] if ply.actor == CHANCE else game.legal_actions(ply.before, ply.actor)
        for action in actions:
            assert game.parse_action(str(action)) == action


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("text", ["", " ", "?", "draw now", "DRAW", "score 3", "x" * 5000, "deal", "\x00", "draw\n", " draw", "bid", "१"])
def test_other_texts_are_no_actions(key, text):
    with pytest.raises(ActionFormatError):
        GAMES[key].game.parse_action(text)


@every_table
def test_a_log_replays_without_a_generator(key, seats):
    game = GAMES[key].game
    for number, line in enumerate(random_games(key, seats)):
        record = {
            "format": "ziggurat-record/1",
            "game": key,
            "rules_version": game.meta.rules_version,
            "options": options_of(key, number),
            "seats": seats,
            "actions": [[ply.actor, str(ply.action)] for ply in line],
        }
        _, state = replay(json.loads(json.dumps(record)), lambda name: GAMES[name].game)
        assert state == line[-1].after


@every_table
def test_games_end_with_an_outcome_and_not_before(key, seats):
    game = GAMES[key].game
    for line in random_games(key, seats):
        assert all(game.outcome(ply.before) is None for ply in line)
        end = line[-1].after
        outcome = game.outcome(end)
        assert outcome is not None
        assert game.actors(end) == ()
        assert all(game.legal_actions(end, seat) == [] for seat in range(seats))
        assert len(outcome.places) == len(outcome.scores) == len(outcome.derivation) == seats
        assert min(outcome.places) == 1
        assert f"end.{outcome.reason}" in game.phrases
        for seat, rounds in enumerate(outcome.derivation):
            assert score_of(outcome, seat) == outcome.scores[seat]
            for name, lines in rounds:
                assert f"round.{name}" in game.phrases
                assert all(f"score.{line.key}" in game.phrases and line.rule.startswith(f"{key}#") for line in lines)
        assert result_of(game, end) == {"places": list(outcome.places), "scores": list(outcome.scores), "reason": outcome.reason}


@every_table
def test_sample_action_covers_the_legal_actions_and_nothing_else(key, seats):
    game = GAMES[key].game
    rng = SeededRng(5)
    tried = 0
    for ply in plies(key, seats):
        if ply.actor < 0:
            continue
        legal = {str(action) for action in game.legal_actions(ply.before, ply.actor)}
        assert str(game.sample_action(ply.before, ply.actor, rng)) in legal
        if tried < 60 and 2 < len(legal) <= 12:
            tried += 1
            found = {str(game.sample_action(ply.before, ply.actor, rng)) for _ in range(150 * len(legal))}
            assert found == legal
    assert tried > 10


@every_table
def test_a_playout_reaches_the_end(key, seats):
    game = GAMES[key].game
    for seed in range(5):
        state = game.setup(seats, {})
        moves = game.playout_moves(state, SeededRng(seed))
        assert moves > seats
        assert game.outcome(state) is not None


@every_table
def test_a_playout_is_the_same_game_as_apply_by_apply(key, seats):
    game = GAMES[key].game
    for seed in range(3):
        fast, rng = game.setup(seats, {}), SeededRng(seed)
        moves = game.playout_moves(fast, rng)
        state, rng, count = game.setup(seats, {}), SeededRng(seed), 0
        while actors := game.actors(state):
            actor = actors[0]
            action = game.sample_chance(state, rng) if actor == CHANCE else game.sample_action(state, actor, rng)
            count += actor >= 0
            state, _ = game.apply(state, actor, action)
        assert (state, count) == (fast, moves)


@every_table
def test_every_event_can_be_said_and_names_its_paragraph(key, seats):
    game = GAMES[key].game
    for ply in plies(key, seats):
        for event in ply.events:
            assert event.key in game.phrases
            assert event.rule is not None
            assert event.rule.startswith(f"{key}#")
            json.dumps([dict(event.params), {str(seat): dict(values) for seat, values in event.secret.items()}])
        if ply.actor >= 0:
            assert ply.events


# Secrets


def viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


def looks(key: str, seats: int, step: int) -> Iterator[tuple[Ply, int | None]]:
    """Return each `step`th ply twice, with two of the viewers, who take turns."""
    everybody = cycle(viewers(seats))
    for ply in list(plies(key, seats))[::step]:
        yield from ((ply, next(everybody)) for _ in range(2))


@every_table
def test_states_that_differ_only_in_secrets_give_equal_views_and_questions(key, seats):
    game = GAMES[key].game
    secrets = import_module(f"tests.engine.{key}.secrets")
    rng = SeededRng(8)
    different = 0
    for ply, seat in looks(key, seats, 5):
        other = secrets.vary(ply.before, seat, rng)
        different += other != ply.before
        view, twin = game.view_for(ply.before, seat), game.view_for(other, seat)
        if not game_shows_all(ply.before):
            assert view == twin
            assert repr(view) == repr(twin)
            assert game.ask(view) == game.ask(twin)
            assert game.orders(view) == game.orders(twin)
    assert (different > 50) != getattr(secrets, "NOTHING_IS_HIDDEN", False)


def game_shows_all(state: Any) -> bool:
    """Options that reveal secrets make views differ; the tests of the game cover these states."""
    return bool(getattr(state, "open_fame", False))


@every_table
def test_events_as_a_viewer_reads_them_tell_no_secret(key, seats):
    """One action on two states that look alike to a viewer: the viewer reads and then sees the same, unless an event reveals something."""
    game = GAMES[key].game
    secrets = import_module(f"tests.engine.{key}.secrets")
    rng = SeededRng(9)
    compared = 0
    shown = getattr(secrets, "SHOWN_BY", frozenset())
    for ply, seat in looks(key, seats, 4):
        if game_shows_all(ply.before) or game.outcome(ply.after) is not None:
            continue
        other = secrets.vary(ply.before, seat, rng)
        try:
            after, events = game.apply(other, ply.actor, ply.action)
        except IllegalAction:
            assert ply.actor != seat  # the tile is not in the other bag, or not in the other hand
            continue
        compared += 1
        if shown & {event.key for event in (*ply.events, *events) if event.reveals}:
            continue
        assert events_for(ply.events, seat) == events_for(events, seat)
        assert game.view_for(after, seat) == game.view_for(ply.after, seat)
    assert compared > 100


@every_table
def test_what_can_be_taken_back_has_shown_nobody_anything(key, seats):
    game = GAMES[key].game
    secrets = import_module(f"tests.engine.{key}.secrets")
    rng = SeededRng(10)
    undoable = compared = 0
    for ply, seat in looks(key, seats, 3):
        line = [(ply.actor, ply.events)]
        if ply.actor < 0:
            assert not any(can_undo(line, seat) for seat in range(seats))
            continue
        assert not any(can_undo(line, seat) for seat in range(seats) if seat != ply.actor)
        if not can_undo(line, ply.actor) or game_shows_all(ply.before):
            continue
        undoable += 1
        try:
            after, _ = game.apply(secrets.vary(ply.before, seat, rng), ply.actor, ply.action)
        except IllegalAction:
            assert ply.actor != seat  # what was played is not in the other hand
            continue
        compared += 1
        assert game.view_for(after, seat) == game.view_for(ply.after, seat)
    assert undoable > 50
    assert compared > 50


@every_table
def test_a_sampled_state_fits_the_view_and_can_be_played_to_the_end(key, seats):
    game = GAMES[key].game
    rng = SeededRng(12)
    for ply, seat in looks(key, seats, 9):
        view = game.view_for(ply.before, seat)
        state = game.sample_state(view, rng)
        assert game.state_from_json(game.state_to_json(state)) == state  # every invariant of a position holds
        assert game.actors(state) == game.actors(ply.before)
        assert game.legal_for_view(game.view_for(state, seat)) == game.legal_for_view(view)
        if seat == 0:
            game.playout_moves(state, rng)
            assert game.outcome(state) is not None


@every_table
def test_a_view_knows_the_legal_actions_of_its_seat_and_of_no_other(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::6]:
        due = game.actors(ply.before)
        for seat in viewers(seats):
            view = game.view_for(ply.before, seat)
            expected = game.legal_actions(ply.before, seat) if seat in due else []
            assert game.legal_for_view(view) == expected
            assert (game.ask(view) is None) == (seat not in due)


# Questions


@every_table
def test_every_legal_action_is_reached_by_following_the_options_of_the_question(key, seats):
    game = GAMES[key].game
    seen, line = 0, list(plies(key, seats))
    for ply in line[:: max(4, len(line) // 300)]:
        if ply.actor < 0:
            continue
        view = game.view_for(ply.before, ply.actor)
        legal = {str(action) for action in game.legal_for_view(view)}
        if len(legal) > 40:
            continue
        seen += 1
        reached, todo, done = set(), [""], set()
        while todo:
            chosen = todo.pop()
            if chosen in done:
                continue
            done.add(chosen)
            ask = game.ask(view, chosen)
            assert ask is not None
            assert ask.chosen == chosen
            assert ask.options
            if ask.action is not None:
                assert ask.action in legal
                assert ask.confirm is not None
                assert ask.consequence is not None
                reached.add(ask.action)
            if ask.back is not None:
                assert game.ask(view, ask.back).chosen == ask.back
            todo += [option.text for option in ask.options]
        assert reached == legal
    assert seen > 20


@every_table
@pytest.mark.parametrize("junk", ["nonsense", "bid", "bid 99", "god god", "discard ra", "pass pass", "draw draw", "x" * 5000, "\x00"])
def test_a_prefix_of_no_use_is_cut_back(key, seats, junk):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::40]:
        if ply.actor >= 0:
            view = game.view_for(ply.before, ply.actor)
            ask = game.ask(view, junk)
            assert ask is not None
            assert game.ask(view, ask.chosen) == ask
            assert ask.action is None or ask.action in [str(action) for action in game.legal_for_view(view)]


# Bots


@every_table
def test_random_answers_legal_actions_from_a_view(key, seats):
    game = GAMES[key].game
    for ply in list(plies(key, seats))[::5]:
        if ply.actor >= 0:
            view = game.view_for(ply.before, ply.actor)
            choice = game.choose_action(view, "random", SeededRng(2))
            assert choice.action in game.legal_for_view(view)


# Meta


@pytest.mark.parametrize("key", GAMES)
def test_the_box_is_labelled(key):
    meta = GAMES[key].game.meta
    assert meta.key == key
    assert list(meta.seats) == sorted(set(meta.seats))
    for spec in meta.options:
        assert spec.default in spec.choices
        assert spec.label
