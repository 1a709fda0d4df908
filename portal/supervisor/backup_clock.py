"""When the supervisor writes a backup, and which of the earlier ones stay."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path

from portal.supervisor.services import Service, Supervisor

DATED = "%Y-%m-%d-%H%M%S"
NAME = re.compile(r"ziggurat-(\d{4}-\d\d-\d\d-\d{6})\.zip")
FIRST_LOOK_AFTER_S = 600.0  # a start has other work to do, and whoever only tries the portal needs no backup
LOOK_EVERY_S = 60.0
AGAIN_AFTER_S = 3600.0  # after a start of the job: when it failed, it is due at once


def dated_name(now: datetime) -> str:
    return f"ziggurat-{now.astimezone(UTC):{DATED}}.zip"


def dated(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the backups with names by date, the oldest first."""
    found = []
    for file in folder.glob("ziggurat-*.zip"):
        if match := NAME.fullmatch(file.name):
            try:
                found.append((datetime.strptime(match.group(1), DATED).replace(tzinfo=UTC), file))
            except ValueError:
                continue  # such as a thirteenth month: no name of ours
    return sorted(found)


def rotate(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` backups with names by date; return those deleted."""
    gone = [file for _, file in dated(folder)[:-keep]]
    for file in gone:
        file.unlink()
    return gone


class BackupClock:
    """Starts `job` when the newest backup in `folder` is `every_h` hours old, or when there is none; 0 means never.

    The names tell the age, so that neither a restart of the portal nor a backup made by hand leads to an extra one.
    """

    def __init__(self, supervisor: Supervisor, job: Service, folder: Path, every_h: int) -> None:
        self._supervisor, self._job, self._folder, self._every_h = supervisor, job, folder, every_h
        self._look_at = time.time() + FIRST_LOOK_AFTER_S

    def look(self) -> None:
        """Start the job if it is due. Called often; looks once a minute."""
        now = time.time()
        if not self._every_h or now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY_S
        if self._is_due(now) and not self._supervisor.runs(self._job.name):
            self._supervisor.start(self._job)
            self._look_at = now + AGAIN_AFTER_S

    def _is_due(self, now: float) -> bool:
        past = [moment.timestamp() for moment, _ in dated(self._folder) if moment.timestamp() <= now]
        return not past or now - max(past) >= self._every_h * 3600
