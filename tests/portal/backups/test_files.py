"""A backup file: who can read it, what it tells, and which files a restore refuses before it touches anything."""

from __future__ import annotations

import os
import stat
import subprocess
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.registry import GAMES, game
from portal.common import backups
from portal.supervisor import dumps
from portal.supervisor.state import Problem
from tests.portal.backups.conftest import Alter


def refusal(file: Path) -> str:
    with pytest.raises(CommandError) as caught:
        call_command("restore", str(file), check=True)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_manifest_tells_what_is_in_the_file(good: Path) -> None:
    made = backups.Backup(good).manifest
    assert made.portal == backups.portal_version()
    assert ["tables", "0001_initial"] in made.migrations
    assert made.rules == {key: game(key).meta.rules_version for key in GAMES}
    assert made.records["django_migrations"] == len(made.migrations)
    assert {"tables_table", "tables_actionrecord", "accounts_user"} <= made.records.keys()
    assert (datetime.now(UTC) - datetime.fromisoformat(made.made_at)).total_seconds() < 3600
    call_command("restore", str(good), check=True)


def test_only_the_owner_reads_a_backup_and_its_folder(good: Path) -> None:
    assert stat.S_IMODE(good.stat().st_mode) == 0o600
    assert stat.S_IMODE(backups.folder().stat().st_mode) == 0o700
    assert [name for name in os.listdir(good.parent) if name.endswith(".part")] == []


def test_an_existing_file_is_kept_unless_forced(good: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    file.write_text("mine")
    with pytest.raises(Problem, match=r"exists already.*--force"):
        backups.write(file)
    assert file.read_text() == "mine"


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_fails_leaves_the_file_from_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.zip"
    file.write_text("mine")
    monkeypatch.setattr(dumps, "LOCK_WAIT_MS", 200)
    with dumps.connect(backups.database_params()) as other:
        other.execute("LOCK TABLE tables_table IN ACCESS EXCLUSIVE MODE")
        monkeypatch.setattr(dumps, "count_rows", lambda *_: {})  # it would wait for the table as well
        with pytest.raises(Problem, match=r"pg_dump failed: .*statement timeout"):
            backups.write(file, force=True)
    assert os.listdir(tmp_path) == ["mine.zip"]
    assert file.read_text() == "mine"


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_backup_left_is_removed_by_the_next(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / f".old.zip.{ended.pid}.part").touch()
    (tmp_path / f".other.zip.{os.getppid()}.part").touch()  # of one that still writes
    backups.write(tmp_path / "new.zip")
    assert sorted(os.listdir(tmp_path)) == [f".other.zip.{os.getppid()}.part", "new.zip"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"cannot be written to .*No such file or directory"):
        backups.write(tmp_path / "nowhere" / "x.zip")


def test_rows_are_counted_in_the_snapshot_of_the_dump(django_db_blocker: object, good: Path) -> None:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        params = backups.database_params()
    with dumps.snapshot(params) as (looking, _):
        before = dumps.count_rows(looking)
        with dumps.connect(params) as other:
            other.execute("INSERT INTO django_content_type (app_label, model) VALUES ('late', 'late')")
        assert dumps.count_rows(looking) == before
    with dumps.connect(params) as other:
        other.execute("DELETE FROM django_content_type WHERE app_label = 'late'")


# Files that are refused


def test_a_cut_file_is_refused(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    for length in (0, 100, len(whole) // 2, len(whole) - 10):
        (tmp_path / "cut.zip").write_bytes(whole[:length])
        assert "damaged or incomplete" in refusal(tmp_path / "cut.zip")


def test_a_changed_byte_anywhere_in_the_dump_is_noticed(good: Path, tmp_path: Path) -> None:
    whole = bytearray(good.read_bytes())
    whole[len(whole) // 3] ^= 1
    (tmp_path / "flipped.zip").write_bytes(whole)
    assert "damaged or incomplete" in refusal(tmp_path / "flipped.zip")


def test_a_wrong_checksum_is_refused(altered: Alter) -> None:
    assert "damaged or incomplete" in refusal(altered(dump_sha256="0" * 64))


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "missing.zip")
    assert "Is a directory" in refusal(tmp_path)
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("photo.jpg", b"x")
    assert "is not a backup of Ziggurat" in refusal(tmp_path / "photos.zip")
    (tmp_path / "text").write_text("hello")
    assert "damaged or incomplete" in refusal(tmp_path / "text")


@pytest.mark.parametrize("entries", [{"migrations": None}, {"records": []}, {"format": "1"}, {"format": None}, {"dump_sha256": 5}])
def test_a_manifest_that_makes_no_sense_is_refused(altered: Alter, entries: dict[str, object]) -> None:
    assert "damaged or incomplete" in refusal(altered(**entries))


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"migrations": [["tables", "0001_initial"], ["tables", "9001_boards_of_gold"]]}, "tables.9001_boards_of_gold"),
        ({"migrations": [["trade", "0001_initial"]]}, "trade.0001_initial"),
        ({"rules": {"ra": 99}}, "version 99 of the rules of ra"),
        ({"rules": {"go": 1}}, "the game go"),
        ({"format": 2}, "newer release"),
    ],
)
def test_a_backup_of_a_newer_release_is_refused(altered: Alter, entries: dict[str, object], said: str) -> None:
    message = refusal(altered(portal="9.0.0", **entries))
    assert said in message
    assert "Install that release" in message


def test_a_backup_of_a_newer_server_is_refused(altered: Alter) -> None:
    backup = backups.Backup(altered(postgresql=99))
    with pytest.raises(Problem, match="comes from PostgreSQL 99, and this portal has 18"):
        backup.check_server(18)
    backups.Backup(altered(postgresql=15)).check_server(18)


def test_without_programs_for_the_server_it_is_told_which_to_install() -> None:
    with pytest.raises(Problem, match="postgresql-client-99"):
        dumps.find_tools(99)


def test_programs_of_the_servers_own_version_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for major in (16, 20, 18):
        place = tmp_path / str(major)
        place.mkdir()
        for name in ("pg_dump", "pg_restore"):
            (place / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {major}.1'\n")
            (place / name).chmod(0o755)
    monkeypatch.setattr(dumps, "_folders", lambda: sorted(tmp_path.iterdir()))
    assert [dumps.find_tools(server).major for server in (16, 17, 18, 19)] == [16, 18, 18, 20]
    with pytest.raises(Problem, match="postgresql-client-15"):
        dumps.find_tools(15)  # pg_restore 17 and newer set what an older server does not know


def test_the_password_is_in_no_argument() -> None:
    params = {"dbname": "x", "user": "me", "password": "hush", "host": "db"}
    assert "hush" not in " ".join(dumps._named(params))


def test_keep_needs_names_by_date() -> None:
    with pytest.raises(CommandError, match="--keep is for backups with dated names"):
        call_command("backup", "x.zip", keep=3)


def test_an_empty_database_has_nothing_to_save(tmp_path: Path, django_db_blocker: object, monkeypatch: pytest.MonkeyPatch) -> None:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        params = backups.database_params()
    monkeypatch.setattr(backups, "database_params", lambda: params | {"dbname": "postgres"})
    with pytest.raises(Problem, match="holds no portal yet"):
        backups.write(tmp_path / "x.zip")
    with pytest.raises(Problem, match="cannot be reached"):
        dumps.connect(params | {"dbname": "nowhere"})
