"""An archive is what was put into it, from either file; whatever is damaged is found; and it is written in constant memory."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import weakref

import pyarrow.parquet as pq
import pytest

from archives import reading, rows, writing
from archives.manifest import JSONL, PARQUET, ArchiveError, Manifest, read_manifest
from archives.reading import Archive, check_game, replay
from archives.selfplay import Plan, play
from archives.writing import GROUP, Writer
from games.registry import GAMES, game
from tests.archives.conftest import rows_of, written
from tests.engine.played import every_game


@every_game
def test_both_files_give_back_every_row_and_its_game(key, tmp_path):
    given = rows_of(key)
    manifest = written(tmp_path, given, f"{key}-2026-10", key).manifest
    archive = Archive(tmp_path / f"{key}-2026-10.json")
    assert archive.manifest == manifest
    assert list(archive.rows(JSONL)) == list(archive.rows(PARQUET)) == given
    assert archive.verify(game) == len(given) == manifest.rows
    rules, state = replay(given[0], game)
    assert list(rules.outcome(state).places) == given[0]["result"]["places"]


def test_times_options_and_names_come_back_from_parquet(tmp_path):
    row = copy.deepcopy(rows_of("ra", 1)[0])
    row |= {
        "started_at": "2026-10-01T00:00:00+00:00", "finished_at": "2026-10-03T12:34:56.789012+00:00", "options": {"a": [1, None, "ő"]},
        "players": ["Zimri-Lim", "deleted player"], "kinds": ["person", "deleted"], "left": [False, True], "table": 2**40,
    }  # fmt: skip
    written(tmp_path, [row])
    assert list(Archive(tmp_path / "ra-2026-10.json").rows(PARQUET)) == [row]


def test_a_row_says_no_more_than_its_columns(tmp_path):
    """Every field of a line is in a column, or the same in all lines."""
    row = rows_of("ra", 1)[0]
    paths = {column.path for column in rows.COLUMNS}
    leaves = {f"{outer}.{inner}" for outer in ("result", "chance") for inner in row[outer]} | (row.keys() - {"result", "chance"})
    assert leaves - paths == {"format", "position", "chance.scheme"}
    assert row["position"] is None


def test_no_more_rows_are_held_however_many_are_written(tmp_path, monkeypatch):
    """Rows are counted while they live, and how many go into a batch."""

    class Counted(dict):
        live = most = 0

        def __init__(self, *args):
            super().__init__(*args)
            Counted.live += 1
            Counted.most = max(Counted.most, Counted.live)
            weakref.finalize(self, self.gone)

        @staticmethod
        def gone():
            Counted.live -= 1

    sizes = []
    batch_of = writing.batch_of
    monkeypatch.setattr(writing, "batch_of", lambda held: sizes.append(len(held)) or batch_of(held))
    held = []
    for count in (GROUP, 4 * GROUP + 7):
        Counted.live = Counted.most = 0
        out = written(tmp_path, (Counted(rows_of("ra")[number % 3]) for number in range(count)))
        held.append(Counted.most)
        assert out.rows == count
        assert Counted.live == 0
    assert held == [GROUP, GROUP]
    assert sizes == [GROUP] * 5 + [7]
    with pq.ParquetFile(Archive(tmp_path / "ra-2026-10.json").path(PARQUET)) as file:
        assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [GROUP] * 4 + [7]


def test_what_fails_leaves_the_earlier_archive(tmp_path):
    written(tmp_path, rows_of("ra"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def stopping():
        yield rows_of("ra")[0]
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        written(tmp_path, stopping())
    with pytest.raises(ArchiveError, match="takes no game"):
        written(tmp_path, [rows_of("ra")[0], rows_of("babel")[0]])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_second_writing_replaces_the_files_and_clears_what_killed_ones_left(tmp_path):
    first = written(tmp_path, rows_of("ra")).manifest
    (tmp_path / ".ra-2026-10.parquet.1.part").write_bytes(b"half")
    (tmp_path / "ra-2026-11-0123456789ab.parquet").write_bytes(b"of another archive")
    second = written(tmp_path, rows_of("ra")[:1]).manifest
    assert not {file.name for file in first.files} & {file.name for file in second.files}
    assert {path.name for path in tmp_path.iterdir()} == {
        "ra-2026-10.json", "ra-2026-11-0123456789ab.parquet", *(file.name for file in second.files)
    }  # fmt: skip
    writing.remove(tmp_path, "ra-2026-10")
    assert [path.name for path in tmp_path.iterdir()] == ["ra-2026-11-0123456789ab.parquet"]


def test_the_same_rows_make_the_same_files(tmp_path):
    one, two = (written(tmp_path / name, rows_of("ra")).manifest for name in "ab")
    assert one.files == two.files


def test_an_archive_without_games_is_one(tmp_path):
    written(tmp_path, [])
    assert Archive(tmp_path / "ra-2026-10.json").verify(game) == 0


@pytest.mark.parametrize("kind", [JSONL, PARQUET])
def test_a_damaged_file_is_found(kind, tmp_path):
    written(tmp_path, rows_of("ra"))
    archive = Archive(tmp_path / "ra-2026-10.json")
    path = archive.path(kind)
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], b""):
        path.write_bytes(damaged)
        with pytest.raises(ArchiveError, match="damaged"):
            archive.verify(game)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArchiveError):
        list(archive.rows(kind))
    path.unlink()
    with pytest.raises(ArchiveError, match="can't be read"):
        archive.verify(game)


def test_a_false_draw_action_or_result_is_found():
    row = rows_of("ra", 1)[0]
    check_game(row, game)
    draw = next(at for at, (actor, text) in enumerate(row["actions"]) if text.startswith("tile"))
    for spoil in (
        lambda it: it["actions"].__setitem__(draw, [-1, "tile " + ("ra" if row["actions"][draw][1] != "tile ra" else "god")]),
        lambda it: it["actions"].pop(1),
        lambda it: it["result"]["scores"].__setitem__(0, 99),
        lambda it: it["chance"].__setitem__("secret", "00" * 32),
        lambda it: it.__setitem__("game", "chess"),
    ):
        spoilt = copy.deepcopy(row)
        spoil(spoilt)
        with pytest.raises(ArchiveError, match=f"table {row['table']}: "):
            check_game(spoilt, game)


def test_a_manifest_that_is_none_is_refused(tmp_path):
    manifest = written(tmp_path, rows_of("ra")).manifest
    path = tmp_path / "ra-2026-10.json"
    good = json.loads(path.read_text())
    assert Manifest.from_json(good, "") == manifest
    assert good["licence"]["id"] == "CC0-1.0"
    assert [column["name"] for column in good["schema"]] == [column.name for column in rows.COLUMNS]
    outside = [{**good["files"][0], "name": "../secret_key"}]
    for bad in ({}, [], good | {"format": "ziggurat-archive/9"}, good | {"rows": "3"}, good | {"files": outside}, good | {"files": [1]}):
        path.write_text(json.dumps(bad))
        with pytest.raises(ArchiveError, match=r"2026-10\.json"):
            read_manifest(path)
    for text in (b"\xff", b"{", b"[" * 100_000, b" " * 1_000_001):
        path.write_bytes(text)
        with pytest.raises(ArchiveError):
            read_manifest(path)


def test_rows_that_differ_between_the_files_are_found(tmp_path, monkeypatch):
    written(tmp_path, rows_of("ra"))
    archive = Archive(tmp_path / "ra-2026-10.json")
    other = reading._parquet
    monkeypatch.setattr(reading, "_parquet", lambda path: (row | {"players": ["x"]} for row in other(path)))
    with pytest.raises(ArchiveError, match="row 0 differs"):
        archive.verify(game)


def test_self_play_is_the_same_again_and_levels_move_on():
    rules = game("ra")
    plan = Plan("ra", ("apprentice", "scribe"), 7)
    assert play(rules, plan, 3) == play(rules, plan, 3)
    assert play(rules, plan, 3)["levels"] == ["scribe", "apprentice"]
    assert play(rules, plan, 4)["levels"] == ["apprentice", "scribe"]
    others = {str(play(rules, other, 3)["actions"]) for other in (plan, Plan("ra", plan.levels, 8), Plan("ra", plan.levels, 7, strays=100))}
    assert len(others) == 3


def test_the_reader_is_a_command_too(tmp_path):
    written(tmp_path, rows_of("ra"))
    manifest = tmp_path / "ra-2026-10.json"

    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "archives", *arguments], capture_output=True, text=True)

    assert run("check", str(manifest)).stdout == "ra-2026-10: 3 games are in order\n"
    lines = run("rows", str(manifest), "--kind", "parquet").stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows_of("ra")
    Archive(manifest).path(JSONL).write_bytes(b"")
    failed = run("check", str(manifest))
    assert failed.returncode == 1
    assert "damaged" in failed.stderr


def test_archives_need_no_django():
    loaded = (
        "import sys, archives.reading, archives.selfplay, archives.glance; print([n for n in sys.modules if n.split('.')[0] == 'django'])"
    )
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_game_can_be_named():
    for key in GAMES:
        assert writing.NAME.fullmatch(f"{key}-2026-10")
    with pytest.raises(ArchiveError):
        Writer(None, "../x", game="ra", month=None, source={})
