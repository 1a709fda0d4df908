"""When the supervisor writes a backup, which earlier ones stay, and what happens to a job that ends."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from portal.supervisor import guard
from portal.supervisor.backup_clock import AGAIN_AFTER_S, FIRST_LOOK_AFTER_S, LOOK_EVERY_S, BackupClock, dated_name, rotate
from portal.supervisor.services import Service, Supervisor
from tests.running import wait_until


class Recorder(Supervisor):
    """Counts the starts; `busy` says that the last one still runs."""

    def __init__(self) -> None:
        self.starts, self.busy = 0, False

    def start(self, service: Service) -> None:  # type: ignore[override]
        self.starts += 1

    def runs(self, name: str) -> bool:
        return self.busy


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 11, 23, 4, tzinfo=UTC).timestamp()
        monkeypatch.setattr(time, "time", lambda: self.now)

    def touch(self, folder: Path, hours_ago: float) -> Path:
        file = folder / dated_name(datetime.fromtimestamp(self.now, UTC) - timedelta(hours=hours_ago))
        file.touch()
        return file


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


JOB = Service("backup", ["true"], Path("/dev/null"), 0, is_job=True)


def test_the_first_backup_waits_until_the_start_is_over(clock: Clock, tmp_path: Path) -> None:
    supervisor = Recorder()
    backups = BackupClock(supervisor, JOB, tmp_path / "backups", 24)
    backups.look()
    clock.now += FIRST_LOOK_AFTER_S - 1
    backups.look()
    assert supervisor.starts == 0
    clock.now += 1
    backups.look()
    assert supervisor.starts == 1


def test_a_backup_is_due_when_the_newest_is_old_enough(clock: Clock, tmp_path: Path) -> None:
    clock.touch(tmp_path, 48)
    clock.touch(tmp_path, 23)
    clock.touch(tmp_path, -5)  # written while the machine's clock was wrong: it says nothing
    supervisor = Recorder()
    backups = BackupClock(supervisor, JOB, tmp_path, 24)
    clock.now += FIRST_LOOK_AFTER_S
    backups.look()
    assert supervisor.starts == 0
    clock.now += 3600
    backups.look()
    assert supervisor.starts == 1


def test_a_backup_that_failed_is_tried_again_an_hour_later(clock: Clock, tmp_path: Path) -> None:
    supervisor = Recorder()
    backups = BackupClock(supervisor, JOB, tmp_path, 24)
    clock.now += FIRST_LOOK_AFTER_S
    backups.look()
    clock.now += AGAIN_AFTER_S - 1
    backups.look()
    assert supervisor.starts == 1
    supervisor.busy = True
    clock.now += 1
    backups.look()
    assert supervisor.starts == 1, "the first still runs"
    supervisor.busy = False
    clock.now += LOOK_EVERY_S
    backups.look()
    assert supervisor.starts == 2


def test_zero_hours_means_never(clock: Clock, tmp_path: Path) -> None:
    supervisor = Recorder()
    backups = BackupClock(supervisor, JOB, tmp_path, 0)
    clock.now += 10 * FIRST_LOOK_AFTER_S
    backups.look()
    assert supervisor.starts == 0


def test_only_the_oldest_backups_with_names_by_date_are_deleted(clock: Clock, tmp_path: Path) -> None:
    files = [clock.touch(tmp_path, hours) for hours in (72, 48, 24, 0)]
    others = [tmp_path / name for name in ("ziggurat-2020-13-01-000000.zip", "ziggurat-friday.zip", "before-restore-2020-01-01-000000.zip")]
    for other in others:
        other.touch()
    assert rotate(tmp_path, 2) == files[:2]
    assert sorted(tmp_path.iterdir()) == sorted([*files[2:], *others])
    assert rotate(tmp_path, 5) == []


@pytest.fixture
def _harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervisor in the process of the suite neither adopts nor ends the suite's own servers."""
    monkeypatch.setattr(guard, "become_reaper", lambda: None)
    monkeypatch.setattr(guard, "kill_below", lambda _pid: None)


@pytest.mark.usefixtures("_harmless")
@pytest.mark.parametrize("code", [0, 3])
def test_a_job_that_ends_is_not_started_again_and_a_failure_is_told(tmp_path: Path, code: int) -> None:
    said: list[str] = []
    supervisor = Supervisor(said.append)
    script = f"print('no room left'); raise SystemExit({code})"
    supervisor.start(Service("backup", [sys.executable, "-c", script], tmp_path / "log", 0, is_job=True))
    assert supervisor.runs("backup")
    wait_until(lambda: supervisor.tick() or not supervisor.runs("backup"))
    supervisor.tick()
    assert (tmp_path / "log").read_text().count("no room left") == 1
    assert said == ([] if code == 0 else [f"backup failed (exit code 3). Its log: {tmp_path / 'log'}. It ends with: no room left"])


@pytest.mark.usefixtures("_harmless")
def test_a_job_ends_with_the_portal(tmp_path: Path) -> None:
    supervisor = Supervisor(lambda _text: None)
    running = supervisor.start(Service("backup", [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "log", 0, is_job=True))
    begin = time.monotonic()
    supervisor.stop()
    assert not running.is_alive()
    assert time.monotonic() - begin < 10
