"""`python -m tools.memory` knows the parts of a portal by their command lines, and counts each process once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import memory


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("/x/.venv/bin/python manage.py up", "supervisor"),
        ("/x/.venv/bin/python -I -S /x/portal/supervisor/guard.py {...valkey-server...}", "guards"),
        ("ziggurat: guard.py of worker-bots", "guards"),
        ("[celeryd: bots@box:ForkPoolWorker-1]", "bots"),
        ("[celeryd: scoring@box-1a2b3c:MainProcess] -active- (-A portal.celery:app worker -Q scoring,mail)", "scoring, mail"),
        ("celery -A portal.celery:app worker -Q mail -n mail@box", "scoring, mail"),
        ("[celery beat] -A portal.celery:app beat -s /x/var/beat-schedule", "beat"),
        ("granian --interface asgi portal.asgi:application", "web"),
        ("/x/pginstall/bin/postgres -D /x/var/pg18", "PostgreSQL"),
        ("postgres: checkpointer ", "PostgreSQL"),
        ("/x/valkey-server *:0", "Valkey"),
        ("sleep 5", "others"),
    ],
)
def test_a_command_line_belongs_to_a_part(command: str, part: str) -> None:
    assert memory.part_of(command) == part


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells the memory of a process")
def test_a_process_is_measured_with_those_below_it() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        parts = memory.measure(os.getpid())
        assert sum(count for count, _ in parts.values()) >= 2
        assert memory.pss_kb(child.pid) > 1000
    finally:
        child.kill()
        child.wait()
    assert memory.pss_kb(child.pid) == 0


def test_without_a_portal_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIGGURAT_STATE", str(tmp_path))
    with pytest.raises(SystemExit, match="No portal runs on"):
        memory.running()
    (tmp_path / "lock").write_text("process 4711, http://localhost:8000\n")
    assert memory.running() == 4711
