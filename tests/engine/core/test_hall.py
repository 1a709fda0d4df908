"""The hall: masters of several generations at one table, each by its own weights."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from games.core import hall, ladder, simulate
from games.core import learner as learners
from games.core.contract import Choice
from games.core.net import save
from games.core.rng import SeededRng
from games.registry import game as find_game
from tests.engine.nets import adding

RA = find_game("ra")
LEARNER = RA.learner()
PLAYED: list[tuple[str, object]] = []  # (level, net) of every answer


def find(key):
    """Ra, whose bots play anything and note by which weights."""
    assert key == "ra"

    def choose(view, /, level, rng, budget_s=None):
        PLAYED.append((level, learners.found(LEARNER, view.seats)))
        return Choice(RA.legal_for_view(view)[0])

    return replace(RA, choose_action=choose)


@pytest.fixture
def trained(tmp_path):
    """Generations 0, 2 and 10 with weights for two seats, each of which adds up something else."""
    for name, slope in (("0", 1.0), ("2", 2.0), ("10", 3.0)):
        (tmp_path / name).mkdir()
        save(adding(LEARNER.names, own_sun_sum=slope), tmp_path / name / "master-2.npz", {})
    (tmp_path / "notes").mkdir()
    PLAYED.clear()
    return tmp_path


def test_generations_are_those_with_weights_in_their_order(trained):
    (trained / "11").mkdir()
    assert hall.generations(trained) == ["0", "2", "10"]


def test_each_bot_of_a_match_plays_by_its_own_weights(trained):
    folders = hall.named(RA, ["kept", "2", "10", "scribe"], trained, 2)
    assert folders == {"kept": None, "2": trained / "2", "10": trained / "10"}
    of = {name: learners.read(LEARNER, folder or LEARNER.weights, 2) for name, folder in folders.items()}
    game = hall.finder(find, folders)("ra")
    for names in (("2", "10"), ("10", "kept")):
        PLAYED.clear()
        simulate.play_game(game, ladder.Edge(*names, 2).match("ra", 1), 0)
        assert {level for level, _ in PLAYED} == {"master"}
        assert {id(net) for _, net in PLAYED} == {id(of[name]) for name in names}
    PLAYED.clear()
    simulate.play_game(game, ladder.Edge("2", "scribe", 2).match("ra", 1), 0)
    assert {level for level, _ in PLAYED} == {"master", "scribe"}
    assert learners.found(LEARNER, 2) is of["kept"], "afterwards the site's own weights are in use again"


def test_each_one_plays_those_before_it():
    assert [(edge.better, edge.than) for edge in hall.pairs(["kept", "0", "1"], 3)] == [("0", "kept"), ("1", "kept"), ("1", "0")]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("--among", "kept"), "a hall needs two different masters, not kept"),
        (("--among", "0,0"), "a hall needs two different masters, not 0, 0"),
        (("--among", "kept,sage"), "sage is no level of Ra .* and has no weights for 2 seats"),
        (("--among", "kept,7"), "7 is no level of Ra .* and has no weights for 2 seats"),
    ],
)
def test_what_cannot_be_compared_is_told(trained, args, line):
    with pytest.raises(CommandError, match=line):
        call_command("hall", "ra", "--seats", "2", "--out", str(trained), *args)


def test_the_command_compares_all_generations_with_the_kept_weights_and_with_each_other(trained, capsys):
    call_command("hall", "ra", "--seats", "2", "--out", str(trained), "--among", "kept,0,10", "--games", "2", "--jobs", "1", "--json")
    rows = json.loads(capsys.readouterr().out)
    assert [(row["better"], row["than"], row["games"]) for row in rows] == [("0", "kept", 2), ("10", "kept", 2), ("10", "0", 2)]
    call_command("hall", "ra", "--seats", "2", "--out", str(trained), "--games", "2", "--jobs", "2")
    table = capsys.readouterr().out
    assert [line.split()[:2] for line in table.splitlines()[1:]][-1] == ["10", "2"]


def test_answers_are_those_of_the_game_itself(trained):
    game = hall.finder(find_game, hall.named(RA, ["kept"], trained, 2))("ra")
    state = RA.setup(2, {spec.key: spec.default for spec in RA.meta.options})
    state, _ = RA.apply(state, -1, RA.sample_chance(state, SeededRng(1)))
    view = RA.view_for(state, RA.actors(state)[0])
    assert game.choose_action(view, "kept", SeededRng(2)) == RA.choose_action(view, "master", SeededRng(2))
