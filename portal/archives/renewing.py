"""Has archives written in a process of its own: what pyarrow takes doesn't stay in a worker, and no other task waits."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from portal.supervisor.services import rotate

NAME_GONE: Final = "archives:name-gone"  # in the cache; should it be lost, the nightly run finds the names
KEPT_S: Final = 2 * 24 * 3600
_NOT_OURS: Final = ("ZIGGURAT_WORK", "ZIGGURAT_WORKER", "ZIGGURAT_GROWTH_KB")  # of the worker: its limits and its name
_started: list[subprocess.Popen[bytes]] = []


def start() -> subprocess.Popen[bytes]:
    """Start `manage.py archive`; its output goes to `logs/archive.log`. One that runs already does the work of both."""
    _started[:] = [child for child in _started if child.poll() is None]
    log = settings.STATE.logs / "archive.log"
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    rotate(log)
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_OURS}
    with log.open("ab") as out:
        child = subprocess.Popen(
            [sys.executable, "manage.py", "archive"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=settings.BASE_DIR,
            env=environment,
        )
    _started.append(child)
    return child


def forget_name(**_signal: object) -> None:
    """Have the archives written again that name somebody who has left, or whose name was replaced, within a minute of the commit."""
    transaction.on_commit(lambda: cache.set(NAME_GONE, 1, KEPT_S), robust=True)


def start_for_names() -> bool:
    """Start one process for all names that have gone since the last time; return whether there were any."""
    is_due: bool = cache.delete(NAME_GONE)
    if is_due:
        start()
    return is_due
