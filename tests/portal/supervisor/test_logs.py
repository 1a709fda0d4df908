"""Logs of running services are rotated: the service goes on writing, and only so many old ones are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.supervisor import services
from portal.supervisor.services import LOGS_KEPT, rotate


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(services, "LOG_LIMIT_BYTES", 100)
    return tmp_path / "web.log"


def test_a_short_log_and_a_missing_one_are_left_alone(log: Path) -> None:
    rotate(log)
    log.write_text("x" * 100)
    rotate(log)
    assert [path.name for path in log.parent.iterdir()] == ["web.log"]


def test_who_writes_goes_on_writing_and_the_oldest_goes(log: Path) -> None:
    with log.open("ab", buffering=0) as service:
        log.chmod(0o600)
        for round_number in range(LOGS_KEPT + 3):
            service.write(b"%d" % round_number * 101)
            rotate(log)
            assert log.stat().st_size == 0
        service.write(b"now")
    assert log.read_text() == "now"
    kept = {path.name: path.read_text()[0] for path in log.parent.iterdir() if path != log}
    assert kept == {f"web.log.{number}": str(LOGS_KEPT + 3 - number) for number in range(1, LOGS_KEPT + 1)}
    assert {path.stat().st_mode & 0o777 for path in log.parent.iterdir()} == {0o600}
