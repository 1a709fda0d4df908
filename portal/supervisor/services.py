"""One service under its guard, and the loop that brings dead ones back."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portal.supervisor import forks, guard

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 10.0
STEADY_AFTER_S = 30.0  # a service that ran this long restarts without a pause
HEAD_START_S = 0.1  # head start of one stage of the stop before the next
LOG_LIMIT_BYTES = 10_000_000
LOGS_KEPT = 4  # older ones of each service, .1 to .4
ROTATE_EVERY_S = 30.0


@dataclass
class Service:
    """What to run; `stage` orders the stop (lowest first)."""

    name: str
    argv: Sequence[str]
    log: Path
    stage: int
    stop_signal: int = signal.SIGTERM
    last_signal: int = signal.SIGKILL
    grace_s: float = 2.0
    uid: int | None = None
    gid: int | None = None
    env: dict[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    is_server: bool = False  # others need it until the end
    is_job: bool = False  # ends by itself, and is not started again
    is_loaded: bool = False  # a Python program that the supervisor has loaded: it runs in a fork


class Running:
    """A service that was started. The open pipe keeps it alive. `settle` prepares a fork for its work."""

    def __init__(self, service: Service, inherit: Sequence[int] = (), settle: Callable[[], None] = lambda: None) -> None:
        self.service = service
        self.since = time.monotonic()
        rotate(service.log)
        reading, self._pipe = os.pipe()
        try:
            with open(service.log, "ab") as log:
                if service.is_loaded and forks.IS_SAFE:
                    self.process: subprocess.Popen[bytes] | forks.Fork = self._fork(log.fileno(), reading, inherit, settle)
                else:
                    self.process = self._program(log.fileno(), reading, inherit)
        finally:
            os.close(reading)

    def _fork(self, log: int, reading: int, inherit: Sequence[int], settle: Callable[[], None]) -> forks.Fork:
        service = self.service
        return forks.fork_guarded(
            service.name,
            _spec(service),
            pipe=reading,
            log=log,
            keep=inherit,
            environment=service.env,
            folder=str(service.cwd or "."),
            settle=settle,
        )

    def _program(self, log: int, reading: int, inherit: Sequence[int]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, json.dumps(_spec(self.service))],
            stdin=reading,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **self.service.env},
            cwd=self.service.cwd,
            start_new_session=True,
            pass_fds=inherit,
        )

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def let_go(self) -> None:
        """Tell the guard to end the service; returns at once."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def stop(self) -> None:
        """End the service and wait for it, for its grace period and the final kill."""
        self.let_go()
        try:
            self.process.wait(self.service.grace_s + 3.0)
        except subprocess.TimeoutExpired:
            guard.kill_below(self.process.pid)
            self.process.kill()
            self.process.wait()

    def tail(self, lines: int = 5) -> str:
        """Return the end of the log, for a message."""
        try:
            text = self.service.log.read_text(errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-lines:])


def _spec(service: Service) -> dict[str, object]:
    return {
        "argv": list(service.argv),
        "stop_signal": int(service.stop_signal),
        "last_signal": int(service.last_signal),
        "grace_s": service.grace_s,
        "uid": service.uid,
        "gid": service.gid,
    }


def rotate(log: Path) -> None:
    """Move the lines of a long log into `.1`, and those of the older ones one further; the service goes on writing into the same file.

    The service has the file open, so it is copied and emptied; what is written in between, a few lines at most, is lost.
    """
    if not log.exists() or log.stat().st_size <= LOG_LIMIT_BYTES:
        return
    older = [log.with_name(f"{log.name}.{number}") for number in range(1, LOGS_KEPT + 1)]
    for newer, name in zip(reversed(older[:-1]), reversed(older[1:]), strict=True):
        if newer.exists():
            newer.replace(name)
    shutil.copyfile(log, older[0])
    older[0].chmod(stat.S_IMODE(log.stat().st_mode))
    os.truncate(log, 0)


class Supervisor:
    """Keeps services alive until told to stop. One thread checks the children five times a second; with more it could not fork safely.

    `settle` is called in each fork before its program begins, with the environment of its service.
    """

    def __init__(self, say: Callable[[str], None], inherit: Sequence[int] = (), settle: Callable[[], None] = lambda: None) -> None:
        self.say = say
        self._inherit = tuple(inherit)
        self._settle = settle
        self._running: dict[str, Running] = {}
        self._pause: dict[str, float] = {}
        self._due: dict[str, float] = {}
        guard.become_reaper()

    def start(self, service: Service) -> Running:
        self._running[service.name] = running = Running(service, self._inherit, self._settle)
        return running

    def runs(self, name: str) -> bool:
        return name in self._running

    def restart(self, name: str, why: str) -> None:
        """End a service; the next ticks start it again."""
        self.say(f"{name}: {why}; ending it")
        guard.kill_below(self._running[name].process.pid, within_s=0.5)  # what is frozen notices no other signal

    def age_of(self, name: str) -> float:
        """Return the seconds since a service was started last."""
        return time.monotonic() - self._running[name].since

    def tick(self) -> None:
        """Restart what died, each with a pause that grows while it keeps dying."""
        now = time.monotonic()
        for name, running in list(self._running.items()):
            if running.is_alive():
                continue
            if running.service.is_job:
                self._end_job(name, running)
            elif name not in self._due:
                running.let_go()
                self._kill_orphans()
                pause = FIRST_PAUSE_S if now - running.since > STEADY_AFTER_S else self._pause.get(name, FIRST_PAUSE_S)
                self._pause[name] = min(pause * 2, LONGEST_PAUSE_S)
                self._due[name] = now + pause
                self.say(f"{name} ended (exit code {running.process.returncode}); starting it again. Its log: {running.service.log}")
            elif now >= self._due[name]:
                del self._due[name]
                self.start(running.service)

    def _end_job(self, name: str, running: Running) -> None:
        running.let_go()
        del self._running[name]
        if code := running.process.returncode:
            self.say(f"{name} failed (exit code {code}). Its log: {running.service.log}. It ends with: {running.tail(1)}")

    def _kill_orphans(self) -> None:
        """End what a dead guard left behind: its service has become our child."""
        guards = {running.process.pid for running in self._running.values() if running.process.returncode is None}
        ours = guard.descendants(os.getpid())
        kept = guards.union(*(guard.descendants(pid) for pid in guards)) if guards else set()
        orphans = [pid for pid in ours if pid not in kept]
        end = time.monotonic() + 2.0
        while orphans and time.monotonic() < end:
            for pid in orphans:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
            orphans = [pid for pid in guard.descendants(os.getpid()) if pid in orphans]
        for pid in ours:
            if pid not in guards:
                try:
                    os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:
                    pass

    def run(self, *also: Callable[[], None]) -> None:
        """Watch, and call each of `also` every time, until an exception (Ctrl-C, SIGTERM) ends it."""
        rotate_at = 0.0
        while True:
            self.tick()
            for look in also:
                look()
            if time.monotonic() >= rotate_at:
                rotate_at = time.monotonic() + ROTATE_EVERY_S
                for running in self._running.values():
                    with contextlib.suppress(OSError):  # a full disk is no reason to stop
                        rotate(running.service.log)
            time.sleep(0.2)

    def stop(self) -> None:
        """Tell the stages to end in turn, each with a head start over the next; servers wait until all others are gone."""
        stages: dict[int, list[Running]] = {}
        for running in self._running.values():
            stages.setdefault(running.service.stage, []).append(running)
        told: list[Running] = []
        for _, members in sorted(stages.items()):
            if any(running.service.is_server for running in members):
                self._wait(told)
                told = []
            for running in members:
                running.let_go()
            told += members
            head_start_ends = time.monotonic() + HEAD_START_S
            while time.monotonic() < head_start_ends and any(running.is_alive() for running in members):
                time.sleep(0.01)
        self._wait(told)
        self._running.clear()
        guard.kill_below(os.getpid())

    def _wait(self, told: list[Running]) -> None:
        for running in told:
            running.stop()
