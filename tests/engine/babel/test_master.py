"""The master of Babel: its features, what it learns from, and that it judges by what was learned."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import numpy as np
import pytest

from games.babel.bot import LEVELS
from games.babel.evaluation import DEFAULT, Outlook
from games.babel.features import HELD, NAMES, STANDINGS, features, held, settled, standing
from games.babel.learner import LEARNER, won
from games.babel.master import Experience, corrections, known_corrections
from games.babel.state import ACTION, REVEALING, deck_count
from games.babel.view import known_state
from games.core import learner as learners
from games.core import net as nets
from games.core import training
from games.core.net import Net
from games.core.rng import SeededRng
from tests.engine.babel.builders import due, game, position
from tests.engine.played import choices_met, plies

GAMES = 200


def net(seed: int = 1, **slopes: float) -> Net:
    """Return a net of one layer with these slopes, and random ones for the other features."""
    drawn = np.random.default_rng(seed).normal(0, 0.3, len(NAMES))
    values = dict(zip(NAMES, drawn, strict=True)) | {"worth": 0.5} | slopes
    column = np.array([[values[name]] for name in NAMES], dtype=np.float32)
    ones = np.ones(len(NAMES), dtype=np.float32)
    return Net(NAMES, ones * 0, ones * 1000, ((column * 1000, np.zeros(1, dtype=np.float32)),), 0.0, 1.0)


# Features


def test_what_the_master_adds_to_the_scribes_worth_is_the_sum_of_its_corrected_features():
    learned = net()
    slopes = np.array([float(slope) for slope in learned.slopes([0.0] * len(NAMES))])
    seen = 0
    for state, seat in choices_met("babel", 40):
        view = game.view_for(state, seat)
        known = known_state(view)
        row = features(Outlook(view, known, seat), known)
        assert len(row) == len(NAMES) == len(set(NAMES))
        experience = Experience(view, known, seat, known_corrections(learned))
        worth = sum(experience.terms(known))
        assert worth == pytest.approx(row @ slopes / slopes[0], abs=1e-3)
        found = known_corrections(learned)
        assert found.base + found.slope * worth == pytest.approx(learned.value(row), abs=1e-2)  # log odds of winning
        seen += state.phase == ACTION
    assert seen > 20


def test_features_count_a_simple_position():
    state = position("""
        turn: 9
        0> hittites | AAAHS
        1 medes | 3
        hittites: HHHPA 12 | MMP 123
        medes:    . .      | MMHS 1234
    """)
    view = game.view_for(state, 0)
    known = known_state(view)
    row = dict(zip(NAMES, features(Outlook(view, known, 0), known), strict=True))
    assert (row["own_score"], row["other_score"]) == (2, 7)
    assert [row[f"own_{name}"] for name in HELD] == [5, 4, 3, 1, 1, 0, 0]
    assert (row["other_cards"], row["other_first_cards"], row["other_many_cards"]) == (3, 3, 0)
    assert (row["own_runs_hittites"], row["own_runs_assyrians"], row["other_runs_medes"]) == (1, 0, 0)
    assert (row["own_height_2"], row["other_height_3"], row["other_height_4"]) == (1, 1, 1)
    assert [row[f"own_{name}"] for name in STANDINGS] == [1, 0, 0, 4, 0, 0]
    assert [row[f"other_{name}"] for name in STANDINGS] == [0, 0, 0, 5, 0, 0]
    assert (row["own_settlers"], row["own_spare"], row["own_idle"]) == (4, 1, 0)


@pytest.mark.parametrize(
    ("settlers", "height", "name"), [(0, 0, "one_missing"), (4, 3, "enough"), (6, 2, "two_beyond"), (1, 5, "three_missing")]
)
def test_how_settlers_stand_to_the_next_level(settlers, height, name):
    assert STANDINGS[standing(settlers, height)] == name


def test_settlers_are_of_use_up_to_two_above_the_temple_then_spare_then_idle():
    assert settled(9, 1) == (3, 3, 3)
    assert settled(2, 1) == (2, 0, 0)
    assert held([4, 1, 0, 2, 3]) == (10, 4, 4, 3, 2, 1, 2)


# What is learned from


def test_a_position_is_learned_from_when_a_turn_is_over_but_not_when_the_deck_decides():
    kept = [ply.before for ply in plies("babel", 2) if LEARNER.seats_at(ply.before)]
    assert len(kept) > 20
    assert all(state.phase == REVEALING and deck_count(state) > 2 for state in kept)
    assert all(list(LEARNER.seats_at(state)) == [state.active] for state in kept)


def test_the_target_is_the_result():
    ends = [ply.after for ply in plies("babel", 2) if not game.actors(ply.after)]
    assert ends
    for end in ends:
        results = [won(end, end, seat) for seat in (0, 1)]
        assert sum(results) == 1
        places = game.outcome(end).places
        assert results == [0.5, 0.5] if places == (1, 1) else results[places.index(1)] == 1


def find(key):
    assert key == "babel"
    settings = replace(LEARNER.settings, hold_out=3)  # so that there are enough games to measure by
    return replace(game, learner=lambda: replace(LEARNER, teacher="apprentice", settings=settings))  # plays fast


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    return folder, training.make(find, training.Run("babel", GAMES, 3, (2,), folder, match=0))


def test_a_short_run_foretells_the_winners_of_games_it_has_not_seen_better_than_the_scribes_value_and_the_mean(made):
    folder, report = made
    (figures,) = report["seats"]
    assert (figures["games"], figures["seats"]) == (GAMES, [2])
    assert figures["error"] < figures["error_untrained"] < figures["error_of_the_mean"]
    assert figures["bytes"] < 500_000
    about = json.loads((folder / "0/master.json").read_text())
    assert about["command"] == f"manage.py train babel --games {GAMES} --seed 3 --seats 2"
    assert nets.load(folder / "0/master.npz", NAMES).value([0.0] * len(NAMES)) < 100


def test_the_same_command_gives_the_same_weights(made, tmp_path):
    games = "0/apprentice-2-3"
    (tmp_path / "0").mkdir()
    (tmp_path / games).symlink_to(made[0] / games)
    training.make(find, training.Run("babel", GAMES, 3, (2,), tmp_path, match=0))
    assert (tmp_path / "0/master.npz").read_bytes() == (made[0] / "0/master.npz").read_bytes()


def test_the_games_to_learn_from_are_played_by_a_level_that_is_not_offered_and_errs():
    assert LEARNER.teacher == "quick"
    assert "quick" in LEVELS
    assert "quick" not in game.meta.bot_levels
    differ = 0
    for state, seat in choices_met("babel", 20):
        view = game.view_for(state, seat)
        answers = [game.choose_action(view, "quick", SeededRng(seed)) for seed in (1, 1, 2)]
        assert answers[0] == answers[1]
        assert answers[0].action in game.legal_actions(state, seat)
        differ += answers[0].ranked != answers[2].ranked
    assert differ > 5


# The weights


def test_weights_that_do_not_count_on_the_scribes_worth_are_refused():
    with pytest.raises(ValueError, match="do not correct"):
        corrections(net(worth=-0.1))


def test_corrections_are_points_for_each_point_of_the_scribes_worth():
    found = corrections(net(worth=0.5, threats=0.25, own_height_3=-1.0, other_runs_persians=0.1))
    assert found.threats == pytest.approx(0.5, abs=1e-5)
    assert found.own.heights[3] == pytest.approx(-2.0, abs=1e-5)
    assert found.other.runs[-1] == pytest.approx(0.2, abs=1e-5)


def test_the_weights_in_use_start_from_the_scribes_value():
    weights = learners.found(LEARNER, 2)
    assert isinstance(weights, Net)
    found = corrections(weights)
    assert -0.9 < found.threats < 2
    state = position("turn: 9\n0> hittites | AAH\n1 medes | 3\nhittites: HHP 12 | MMP 12")
    view = game.view_for(state, due(state))
    known = known_state(view)
    worth, other = (outlook.value(known) for outlook in (Experience(view, known, 0, found), Outlook(view, known, 0, DEFAULT)))
    assert worth != other


def test_without_weights_the_master_plays_as_the_scribe_and_says_so_once(tmp_path, caplog):
    learners.use("babel", tmp_path)
    learners._told.clear()
    try:
        with caplog.at_level(logging.WARNING, "games.learner"):
            for state, seat in choices_met("babel", 10):
                view = game.view_for(state, seat)
                given = [game.choose_action(view, level, SeededRng(1)) for level in ("scribe", "master")]
                assert given[0] == given[1]
    finally:
        learners.use("babel", None)
    assert [record.getMessage() for record in caplog.records] == ["babel: master plays as scribe: master.json is missing"]
