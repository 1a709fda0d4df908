"""The learning core: a short run learns, can be repeated and resumed, and damaged weights stop no table."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import numpy as np
import pytest

from games.core import averaged, selfplay, training
from games.core import learner as learners
from games.core import net as nets
from games.core.contract import CHANCE
from games.core.net import Data, Net, WeightsError
from games.core.rng import SeededRng
from games.core.selfplay import CHUNK, Recorded, SelfPlay
from games.registry import game as find_game

RA = find_game("ra")
SMALL = replace(
    RA.learner(), teacher="apprentice", stray_level="random", kept=0.25, settings=nets.Settings(hidden=(12,), batch=64, rounds=12)
)
PUPIL = replace(RA, learner=lambda: SMALL)  # plays fast
GAMES = CHUNK + 5


def find(key):
    assert key == "ra"
    return PUPIL


def run_in(folder, **changes):
    return replace(training.Run("ra", GAMES, 3, (2,), folder, match=0), **changes)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    return folder, training.make(find, run_in(folder))


@pytest.fixture
def weights(made, tmp_path):
    """A copy of the trained weights, used by Ra in this test."""
    for name in ("master-2.npz", "master-2.json"):
        (tmp_path / name).write_bytes((made[0] / "0" / name).read_bytes())
    learners.use("ra", tmp_path)
    nets.cached.cache_clear()
    yield tmp_path / "master-2.npz"
    learners.use("ra", None)
    nets.cached.cache_clear()


# A short run


def test_a_short_run_predicts_games_it_has_not_seen_better_than_an_untrained_net_and_the_mean(made):
    _, report = made
    (figures,) = report["seats"]
    assert (figures["games"], figures["seats"]) == (GAMES, [2])
    assert figures["error"] < 0.98 * min(figures["error_untrained"], figures["error_of_the_mean"])
    assert figures["bytes"] < 500_000


def test_the_same_command_gives_the_same_weights(made, tmp_path):
    training.make(find, run_in(tmp_path))
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.suffix in (".npz", ".gz")]
    assert len(files) == 3
    assert all((tmp_path / file).read_bytes() == (made[0] / file).read_bytes() for file in files)


def test_an_interrupted_run_goes_on_where_it_was_and_ends_the_same(made, tmp_path, monkeypatch):
    def break_off(step, done, total):
        if done >= CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.make(find, run_in(tmp_path), break_off)
    folder = tmp_path / "0" / "apprentice-2-3"
    assert sorted([path.name for path in folder.iterdir()]) == ["00000.json.gz", "00000.seconds"]
    (folder / "00000.seconds").write_text("7200\n")
    played = []
    record = selfplay.record_game
    monkeypatch.setattr(selfplay, "record_game", lambda game, play, number: played.append(number) or record(game, play, number))
    training.make(find, run_in(tmp_path))
    assert played == list(range(CHUNK, GAMES))
    hours = json.loads((tmp_path / "0/master-2.json").read_text())["machine_hours"]
    assert 2 <= hours < 2.1, "the time of games that were played before counts"
    assert (tmp_path / "0/master-2.npz").read_bytes() == (made[0] / "0/master-2.npz").read_bytes()


def test_a_piece_that_was_damaged_is_played_again(made, tmp_path):
    play = SelfPlay("ra", 2, 3, "apprentice", "random", SMALL.strays)
    for damage in (b"", b"\x1f\x8b\x08", b"[]"):
        path = selfplay.chunk_path(tmp_path, play, 0)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(damage)
        assert selfplay.generate(find, tmp_path, play, 2) == [path]
        assert [game.number for game in selfplay.read_chunk(path)] == [0, 1]


def test_a_recorded_game_is_replayed_to_its_end(made):
    play = SelfPlay("ra", 2, 3, "apprentice", "random", SMALL.strays)
    recorded = selfplay.read_chunk(selfplay.chunk_path(made[0] / "0", play, 0))[0]
    assert isinstance(recorded, Recorded)
    *positions, end = selfplay.replayed(PUPIL, recorded)
    assert PUPIL.outcome(end)
    assert all(PUPIL.actors(state) for state in positions)
    assert recorded.moves[0][0] == CHANCE


def test_the_weights_tell_how_they_were_made(made):
    about = json.loads((made[0] / "0/master-2.json").read_text())
    assert about["command"] == f"manage.py train ra --games {GAMES} --seed 3 --seats 2"
    assert about["figures"]["games"] == GAMES
    assert about["features"] == list(SMALL.names)
    assert about["played_by"] == "apprentice"


def test_a_later_generation_needs_the_one_before(made, tmp_path):
    with pytest.raises(training.TrainingError, match=r"no weights for 2 seats: master-2.json is missing"):
        training.make(find, run_in(tmp_path, generation=1))
    learners.use("ra", None)


def test_too_few_games_are_refused(tmp_path):
    with pytest.raises(training.TrainingError, match="too few"):
        training.make(find, run_in(tmp_path, games=3))


# The net


def line(n=400):
    rng = np.random.default_rng(1)
    x = rng.normal(5, 2, (n, 3)).astype(np.float32)
    return Data(x, (3 * x[:, 0] - x[:, 1]).astype(np.float32), np.arange(n))


def test_a_net_learns_a_line_and_its_slopes():
    learned = nets.train("abc", line(), 1, nets.Settings(hidden=(16, 8), batch=16, rate=1e-2, rounds=60, patience=60))
    assert learned.error < 0.15 * learned.spread
    x = [5.0, 5.0, 5.0]
    assert learned.net.value(x) == pytest.approx(float(learned.net.values([x, x])[1]), rel=1e-5)
    assert learned.net.slopes(x) == pytest.approx([3, -1, 0], abs=0.5)
    for at in range(3):
        step = [value + 0.05 * (n == at) for n, value in enumerate(x)]
        assert learned.net.slopes(x)[at] == pytest.approx((learned.net.value(step) - learned.net.value(x)) / 0.05, abs=0.05)


def test_an_unheard_of_feature_gives_no_absurd_answer():
    net = nets.train("abc", line(), 1).net
    assert net.value([1e30, 5, 5]) == net.value([1e20, 5, 5])
    assert net.slopes([1e30, 5, 5])[0] == 0


# Several nets, and parts of a game


def test_the_mean_of_nets_is_one_net():
    made = [nets.train("abc", line(), seed, nets.Settings(hidden=(8, 4), rounds=2)).net for seed in (1, 2, 3)]
    mean = averaged.mean_of(made)
    x = line(20).x
    assert mean.values(x) == pytest.approx(np.mean([net.values(x) for net in made], axis=0), rel=1e-4)
    assert mean.slopes(x[0]) == pytest.approx(np.mean([net.slopes(x[0]) for net in made], axis=0), rel=1e-3)
    assert averaged.mean_of(made[:1]) is made[0]
    with pytest.raises(ValueError, match="no mean"):
        averaged.mean_of([made[0], replace(made[1], unit=2.0)])


def test_several_nets_miss_by_less_than_each_of_them():
    settings = nets.Settings(hidden=(16,), rounds=3, members=4)
    data = line()
    noisy = Data(data.x, data.y + np.random.default_rng(2).normal(0, 5, len(data)).astype(np.float32), data.games)
    rounds = []
    together = averaged.train_several("abc", noisy, 1, settings, rounds.append)
    alone = [nets.train("abc", noisy, seed, settings).error for seed in range(1, 5)]
    assert together.error < np.mean(alone)
    assert rounds == sorted(rounds)
    assert rounds[-1] <= 4 * 3


def test_targets_come_from_the_next_part_as_far_as_it_is_trusted():
    net = nets.train("abc", line(), 1).net
    data = Data(line(4).x, np.array([0, 10, 20, 30], dtype=np.float32), np.arange(4))
    ahead = averaged.Ahead(line(2).x + 1, np.array([1, averaged.NOWHERE, 0, 1]))
    told = [float(value) for value in net.values(ahead.x)]
    soon = averaged.foreseen(data, ahead, net, 0.75).y
    assert soon == pytest.approx([0.75 * told[1], 10, 0.25 * 20 + 0.75 * told[0], 0.25 * 30 + 0.75 * told[1]], rel=1e-5)
    assert data.y[0] == 0, "the old targets stay"


def test_a_position_learns_from_where_the_next_part_of_its_game_begins(made):
    (path,) = sorted((made[0] / "0").glob("*/00000.json.gz"))
    found = training.examples(find, "ra", path)
    x, rows, epoch = found.data.x, found.ahead.rows, SMALL.names.index("epoch_2")
    last = SMALL.names.index("epoch_3")
    assert len(rows) == len(x)
    assert ((rows == averaged.NOWHERE) == (x[:, last] == 1)).all(), "only the last epoch has none after it"
    ahead = found.ahead.x[rows[rows != averaged.NOWHERE]]
    before = x[rows != averaged.NOWHERE]
    assert (ahead[:, epoch] == 1 - before[:, epoch]).all()
    assert (ahead[:, last] == before[:, epoch]).all()
    assert (ahead[:, SMALL.names.index("tiles_on_track")] == 0).all()


# Damaged weights


def _without(path):
    path.unlink()


def _without_json(path):
    path.with_suffix(".json").unlink()


def _cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def _other_names(path):
    about = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(about | {"features": ["age"]}))


def _no_json(path):
    path.with_suffix(".json").write_text("{")


def _other_format(path):
    path.with_suffix(".json").write_text("[]")


def _saved_anew(path, **changes):
    net = nets.load(path, SMALL.names)
    nets.save(replace(net, **changes), path, {})


def _not_finite(path):
    _saved_anew(path, mean=np.full(len(SMALL.names), np.nan, dtype=np.float32))


def _wrong_shape(path):
    _saved_anew(path, scale=np.ones(3, dtype=np.float32))


DAMAGE = {
    _without: "master-2.npz is missing",
    _without_json: "master-2.json is missing",
    _cut: "master-2.npz is damaged: its digest differs from the one in master-2.json",
    _other_names: "master-2.npz was trained with other features; train it again",
    _no_json: "master-2.json cannot be read",
    _other_format: "master-2.json is not of format 1",
    _not_finite: "master-2.npz has numbers that are not finite",
    _wrong_shape: "master-2.npz has arrays of the wrong shape",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_weights_are_refused_in_one_clear_line(weights, damage):
    assert isinstance(nets.load(weights, SMALL.names), Net)
    damage(weights)
    with pytest.raises(WeightsError) as error:
        nets.load(weights, SMALL.names)
    assert str(error.value).startswith(DAMAGE[damage])
    assert "\n" not in str(error.value)


def test_with_damaged_weights_the_master_plays_as_the_scribe_and_says_so_once(weights, caplog):
    _cut(weights)
    learners._told.clear()
    state = RA.apply(RA.setup(2, {}), CHANCE, RA.parse_action("deal 0 1"))[0]
    view = RA.view_for(state, RA.actors(state)[0])
    with caplog.at_level(logging.WARNING, "games.learner"):
        answers = {str(RA.choose_action(view, level, SeededRng(1))) for level in ("scribe", "master") for _ in range(3)}
    assert len(answers) == 1
    assert [record.getMessage() for record in caplog.records] == [
        "ra: master plays as scribe: master-2.npz is damaged: its digest differs from the one in master-2.json"
    ]


def test_what_is_wrong_with_the_weights_can_be_asked_for(weights):
    offered = replace(RA, meta=replace(RA.meta, seats=(2,), bot_levels=("apprentice", "scribe", "master")))
    assert learners.problems(offered) == []
    _cut(weights)
    nets.cached.cache_clear()
    (line,) = learners.problems(offered)
    assert line.startswith("ra: master plays as scribe: master-2.npz is damaged")
    assert learners.problems(replace(offered, learner=None)) == []
