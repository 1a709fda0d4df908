"""Whatever keeps the portal from starting is reported in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from portal.supervisor.ports import free_port
from portal.supervisor.state import State
from tests.running import refused


def test_an_unreachable_database_refuses_without_showing_the_password(tmp_path: Path) -> None:
    said = refused(ZIGGURAT_STATE=str(tmp_path), PORT=str(free_port()), DATABASE_URL=f"postgres://me:hush@127.0.0.1:{free_port()}/x")
    assert said.returncode == 1
    assert said.stderr.startswith("DATABASE_URL names a database that cannot be used: ")
    assert said.stderr.count("\n") == 1
    assert "unset it for the embedded one" in said.stderr
    assert "hush" not in said.stderr
    assert "ready" not in said.stdout


def test_an_unreachable_broker_refuses(tmp_path: Path) -> None:
    database = os.environ.get("DATABASE_URL") or State.of(Path(os.environ["ZIGGURAT_TEST_STATE"])).database_url()
    said = refused(
        ZIGGURAT_STATE=str(tmp_path), PORT=str(free_port()), DATABASE_URL=database, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0"
    )
    assert said.returncode == 1
    assert said.stderr.startswith("REDIS_URL names a server that cannot be used: ")
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("PORT", "eighty", "a number from 1 to 65535"),
        ("WEB_PROCESSES", "0", "a number from 1 to 64"),
        ("DATABASE_URL", "mysql://x/y", "postgres://"),
    ],
)
def test_a_value_that_is_no_use_refuses(tmp_path: Path, name: str, value: str, hint: str) -> None:
    said = refused(**{"ZIGGURAT_STATE": str(tmp_path), name: value})
    assert said.returncode == 1
    assert said.stderr.startswith(name)
    assert hint in said.stderr
    assert "Traceback" not in said.stderr


def test_a_state_folder_that_is_a_file_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(ZIGGURAT_STATE=str(tmp_path / "file" / "state"), PORT=str(free_port()))
    assert said.returncode == 1
    assert said.stderr.startswith("Cannot use the state folder")
    assert said.stderr.count("\n") == 1
