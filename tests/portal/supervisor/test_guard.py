"""A guard ends everything its service started, however well hidden."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from portal.supervisor.services import Running, Service
from tests.running import command_of, wait_until

# Starts a child in its own session, whose parent then ends, and a child that keeps running; both ignore SIGTERM.
FAMILY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(sys.argv[1] + "/orphan", "w").write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
if os.fork() == 0:
    open(sys.argv[1] + "/child", "w").write(str(os.getpid()))
    time.sleep(600)
os.wait()
open(sys.argv[1] + "/parent", "w").write(str(os.getpid()))
time.sleep(600)
"""


@pytest.fixture
def family(tmp_path: Path) -> tuple[Running, list[int]]:
    service = Service("family", [sys.executable, "-c", FAMILY, str(tmp_path)], tmp_path / "log", 1, grace_s=0.3)
    running = Running(service)
    names = [tmp_path / name for name in ("parent", "child", "orphan")]
    wait_until(lambda: all(name.exists() and name.read_text() for name in names))
    pids = [int(name.read_text()) for name in names]
    assert all(map(command_of, pids))
    return running, pids


def test_closing_the_pipe_ends_orphans_and_those_that_ignore_the_signal(family: tuple[Running, list[int]]) -> None:
    running, pids = family
    begin = time.monotonic()
    running.let_go()
    running.process.wait(10)
    assert not any(map(command_of, pids))
    assert 0.3 <= time.monotonic() - begin < 3


def test_a_service_that_ends_takes_its_descendants_along(family: tuple[Running, list[int]]) -> None:
    running, pids = family
    import os

    os.kill(pids[0], signal.SIGKILL)
    assert running.process.wait(10) == 128 + signal.SIGKILL
    assert not any(map(command_of, pids))
    running.let_go()


def test_a_killed_guard_ends_the_service_itself(tmp_path: Path) -> None:
    running = Running(Service("sleep", ["sleep", "600"], tmp_path / "log", 1))
    children: list[int] = []
    wait_until(lambda: bool(children.extend(_children(running.process.pid)) or [pid for pid in children if "sleep 600" in command_of(pid)]))
    running.process.kill()
    running.process.wait()
    wait_until(lambda: not any("sleep 600" in command_of(pid) for pid in children), 5)


def test_a_program_that_is_not_there_is_told_in_the_log(tmp_path: Path) -> None:
    running = Running(Service("nothing", ["/nowhere/at-all"], tmp_path / "log", 1))
    assert running.process.wait(10) == 127
    assert "cannot start /nowhere/at-all" in running.tail()
    running.let_go()


def _children(pid: int) -> list[int]:
    from portal.supervisor.guard import descendants

    return descendants(pid)
