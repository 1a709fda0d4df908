"""A guard ends everything its service started, however well hidden."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from portal.supervisor.forks import Fork
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


@pytest.fixture(params=["program", "fork"])
def family(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Running, list[int]]:
    (tmp_path / "family.py").write_text(FAMILY)
    argv = [sys.executable, str(tmp_path / "family.py"), str(tmp_path)]
    service = Service("family", argv, tmp_path / "log", 1, grace_s=0.3, is_loaded=request.param == "fork")
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


def loaded(tmp_path: Path, script: str, settle: Callable[[], None] = lambda: None, **options: object) -> Running:
    (tmp_path / "work.py").write_text(script)
    argv = [sys.executable, str(tmp_path / "work.py"), "one", "two"]
    return Running(Service("work", argv, tmp_path / "log", 1, is_loaded=True, cwd=tmp_path, **options), settle=settle)  # type: ignore[arg-type]


def test_a_fork_runs_like_a_program_of_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys; print(__name__, sys.argv[1:], os.environ['WORK'], os.environ['SETTLED'], os.getcwd(), os.getsid(0) == os.getpid())"
    )
    running = loaded(tmp_path, script, settle=lambda: os.environ.update(SETTLED=os.environ["WORK"] * 2), env={"WORK": "tasks"})
    assert running.process.wait(10) == 0
    assert running.tail() == f"__main__ ['one', 'two'] tasks taskstasks {tmp_path} True"
    assert "WORK" not in os.environ
    running.let_go()


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit('no room left')", 1, "no room left"),
        ("raise ValueError('spoilt')", 70, "ValueError: spoilt"),
        ("import os; os.kill(os.getpid(), 9)", 137, ""),
        ("import atexit; atexit.register(print, 'tidied')", 0, "tidied"),
    ],
)
def test_how_a_fork_ends_is_told(tmp_path: Path, script: str, code: int, said: str) -> None:
    running = loaded(tmp_path, script)
    assert running.process.wait(10) == code
    assert running.tail(1) == said
    running.let_go()


def test_what_the_parent_does_at_its_end_is_not_done_by_its_forks(tmp_path: Path) -> None:
    """The suite removes its servers' folder then."""
    tidy = partial((tmp_path / "gone").touch)
    atexit.register(tidy)
    try:
        assert Fork(lambda: 0).wait(10) == 0
    finally:
        atexit.unregister(tidy)
    assert not (tmp_path / "gone").exists()


def test_a_fork_keeps_no_files_of_the_supervisor_open(tmp_path: Path) -> None:
    """A pipe left open in a fork would keep the other services alive after the supervisor's death; a lock would keep the next one out."""
    with open(tmp_path / "lock", "w") as lock, open(tmp_path / "secret", "w"):
        script = "import os\nfor name in sorted(os.listdir('/proc/self/fd'))[:-1]: print(name, os.readlink('/proc/self/fd/' + name))"
        (tmp_path / "work.py").write_text(script)
        service = Service("work", [sys.executable, str(tmp_path / "work.py")], tmp_path / "log", 1, is_loaded=True)
        running = Running(service, inherit=(lock.fileno(),))
        assert running.process.wait(10) == 0
    log = str(tmp_path / "log")
    assert running.tail().splitlines() == ["0 /dev/null", f"1 {log}", f"2 {log}"]
    running.let_go()


def test_a_signal_to_a_fresh_fork_never_reaches_the_handlers_of_its_parent(tmp_path: Path) -> None:
    told = tmp_path / "told"
    before = signal.signal(signal.SIGTERM, lambda *_: told.touch())
    try:
        for _ in range(20):
            child = Fork(lambda: time.sleep(10) or 0)
            child.send_signal(signal.SIGTERM)
            assert child.wait(5) == -signal.SIGTERM
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not told.exists()


def _children(pid: int) -> list[int]:
    from portal.supervisor.guard import descendants

    return descendants(pid)
