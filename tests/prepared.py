"""The state of a portal that was started before, made once for a run: most tests of whole portals are not about the first start."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from portal.supervisor.postgres import FAST_SETTINGS, Postgres
from portal.supervisor.services import Running
from portal.supervisor.state import State
from tests.running import ROOT, clean_environment

FIRST_START = """
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("load_rules", verbosity=0)
"""


def prepare(folder: Path) -> None:
    """Give a portal that starts in `folder` a database with all tables and rule books, but its own secrets."""
    place = Path(os.environ["ZIGGURAT_TEST_STATE"]) / "prepared"
    with open(f"{place}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            _make(place)
            (place / "done").touch()
    made, state = State.of(place), State.of(folder)
    state.prepare()
    state.prepare_servers()
    subprocess.run(["cp", "-a", str(Postgres(made).data), str(state.cluster)], check=True)  # as root, it belongs to another user
    state.replace_secret("postgres_password", made.secret("postgres_password"))


def _make(place: Path) -> None:
    state = State.of(place)
    state.prepare()
    state.prepare_servers()
    server = Postgres(state, FAST_SETTINGS)
    server.prepare()
    running = Running(server.service())
    try:
        server.wait_ready(running)
        argv = [sys.executable, "manage.py", "shell", "-v", "0", "-c", FIRST_START]
        subprocess.run(argv, cwd=ROOT, env=clean_environment(ZIGGURAT_STATE=str(place)), check=True)
    finally:
        running.stop()
