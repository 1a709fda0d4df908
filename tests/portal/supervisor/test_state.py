"""Paths of a state folder: the same at every start, reachable for the server, short enough for sockets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from portal.supervisor.state import SOCKET_PATH_LIMIT, Problem, State
from portal.supervisor.valkey import Valkey

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="asks who may reach the data of root's server")


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """Return a folder that everybody can reach, if tmp_path can be opened up."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    return tmp_path


def test_data_lie_in_the_state_folder_when_the_server_reaches_it(open_folder: Path) -> None:
    assert State.of(open_folder / "var").cluster == open_folder / "var"


@only_root
def test_data_of_root_lie_outside_a_private_folder_and_where_txt_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    state = State.of(tmp_path / "var")
    state.prepare()
    state.prepare_servers()
    try:
        assert state.cluster.parent == Path("/var/tmp")
        assert Path((state.folder / "where.txt").read_text().strip()) == state.cluster
        tmp_path.chmod(0o711)
        assert State.of(tmp_path / "var").cluster == state.cluster
    finally:
        _remove(state)


@only_root
def test_data_left_by_a_removed_state_folder_are_put_aside(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    state = State.of(tmp_path / "var")
    state.cluster.mkdir()
    (state.cluster / "older").touch()
    state.prepare()
    state.prepare_servers()
    aside = list(Path("/var/tmp").glob(f"{state.cluster.name}.old-*"))
    try:
        assert not list(state.cluster.iterdir())
        assert [path.name for path in aside[0].iterdir()] == ["older"]
    finally:
        _remove(state)
        (aside[0] / "older").unlink()
        aside[0].rmdir()


@only_root
def test_data_that_became_unreachable_are_not_forgotten(open_folder: Path) -> None:
    state = State.of(open_folder / "var")
    state.prepare()
    state.prepare_servers()
    (state.folder / "pg18").mkdir()
    (state.folder / "pg18" / "PG_VERSION").touch()
    state.folder.chmod(0o700)
    with pytest.raises(Problem, match="chmod"):
        State.of(open_folder / "var").prepare_servers()


@pytest.mark.parametrize("name", ["short", "with spaces", "ő", "long" * 30])
def test_sockets_fit_and_are_the_same_at_every_start(tmp_path: Path, name: str) -> None:
    state = State.of(tmp_path / name)
    assert len(os.fsencode(state.sockets / ".s.PGSQL.5432.lock")) <= SOCKET_PATH_LIMIT
    assert " " not in str(state.sockets)
    assert State.of(tmp_path / name).sockets == state.sockets


def test_a_secret_is_made_once_and_is_ours_alone(tmp_path: Path) -> None:
    state = State.of(tmp_path)
    made = state.secret("key")
    assert len(made) > 40
    assert State.of(tmp_path).secret("key") == made
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["key"]


def _remove(state: State) -> None:
    state.cluster.rmdir()
    if state.sockets.parent == Path("/tmp"):
        state.sockets.rmdir()


def test_nobody_else_reads_what_is_in_the_state_folder(tmp_path: Path) -> None:
    state = State.of(tmp_path / "var")
    state.prepare()
    assert state.folder.stat().st_mode & 0o077 == (0o011 if os.geteuid() == 0 else 0)
    (state.folder / "valkey").mkdir(mode=0o755)
    for _ in range(2):
        Valkey(state).service()
        assert (state.folder / "valkey").stat().st_mode & 0o077 == 0
