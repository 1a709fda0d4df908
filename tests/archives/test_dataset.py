"""Data sets of self-play: the same for any number of processes, and after an interruption; what is there is not played again."""

from __future__ import annotations

import pytest

from archives import dataset
from archives.reading import Archive
from archives.selfplay import Plan, play
from games.registry import game

PLAN = Plan("ra", ("apprentice", "apprentice"), 3, strays=10)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(dataset, "PIECE", 2)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".json"}


def test_a_data_set_is_an_archive_of_the_plan_s_games(tmp_path):
    told = []
    manifest = dataset.make(game, tmp_path, PLAN, 5, at=told.append)
    archive = Archive(tmp_path / f"{manifest.name}.json")
    assert archive.verify(game) == 5
    assert list(archive.rows()) == [play(game("ra"), PLAN, number) for number in range(5)]
    assert told == [0, 2, 4, 5]
    assert archive.manifest.source == {"kind": "self-play", "game": "ra", "levels": ["apprentice"] * 2, "seed": 3, "strays": 10}
    assert len(list(tmp_path.iterdir())) == 3  # no pieces are left


def test_several_processes_make_the_same_files(tmp_path):
    dataset.make(game, tmp_path / "one", PLAN, 5)
    dataset.make(game, tmp_path / "two", PLAN, 5, jobs=2)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_an_interrupted_run_goes_on_where_it_was(tmp_path, monkeypatch):
    played = []

    def counted(rules, plan, number):
        if len(played) == 3:
            played.append(None)
            raise KeyboardInterrupt
        played.append(number)
        return play(rules, plan, number)

    monkeypatch.setattr(dataset, "play", counted)
    with pytest.raises(KeyboardInterrupt):
        dataset.make(game, tmp_path / "one", PLAN, 5)
    assert not list((tmp_path / "one").glob("*.json"))
    dataset.make(game, tmp_path / "one", PLAN, 5)
    assert played == [0, 1, 2, None, 2, 3, 4]
    dataset.make(game, tmp_path / "one", PLAN, 5)
    assert len(played) == 7
    dataset.make(game, tmp_path / "two", PLAN, 5)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_damaged_data_set_and_a_damaged_piece_are_made_again(tmp_path):
    manifest = dataset.make(game, tmp_path, PLAN, 3)
    whole = files(tmp_path)
    (tmp_path / manifest.files[0].name).write_bytes(b"x")
    pieces = tmp_path / f".ra-{manifest.name.rpartition('-')[2]}.pieces"
    pieces.mkdir()
    (pieces / "000000.jsonl.gz").write_bytes(b"half")
    dataset.make(game, tmp_path, PLAN, 3)
    assert files(tmp_path) == whole


def test_plans_have_names_of_their_own():
    plans = [PLAN, Plan("ra", PLAN.levels, 4, 10), Plan("ra", PLAN.levels, 3), Plan("ra", ("scribe", "apprentice"), 3, 10)]
    assert len({dataset.name_of(plan, 5, 1) for plan in plans} | {dataset.name_of(PLAN, 5, 2), dataset.name_of(PLAN, 6, 1)}) == 6
    assert dataset.name_of(plans[3], 5, 1).startswith("ra-2-mixed-5-")
