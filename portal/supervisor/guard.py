"""Runs one service, and ends everything the service started when the pipe on standard input closes.

The supervisor holds the other end of the pipe, so a supervisor that dies, even by SIGKILL, leaves nothing behind.
Children that start process groups of their own (Postgres) or lose their parent (Celery, granian) are found as well:
the guard is the reaper of all its descendants. Run as a script, with only the standard library, because there is one
guard for each service and it must stay small; the guard of a forked service is a fork as well (`forks`).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PIPE = 0  # standard input
_libc = ctypes.CDLL(None, use_errno=True)


class Process(Protocol):
    """What a guard needs of its service; `subprocess.Popen` has it."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self) -> int: ...
    def send_signal(self, sig: int, /) -> None: ...


def become_reaper() -> None:
    """Make orphans among the descendants of this process its own children (Linux; elsewhere nothing happens)."""
    if hasattr(_libc, "prctl"):
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def dies_with_parent(sig: int) -> Callable[[], None]:
    """Return what a child runs before exec, so that it gets `sig` when its parent dies."""
    parent = os.getpid()

    def before_exec() -> None:
        if hasattr(_libc, "prctl"):
            _libc.prctl(PR_SET_PDEATHSIG, sig, 0, 0, 0)
        if os.getppid() != parent:  # the parent died before the call above
            os._exit(1)

    return before_exec


def descendants(root: int) -> list[int]:
    """Return the live processes below `root`, without it, as /proc shows them now."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(name)] = int(fields[1])
    found = []
    for pid in parents:
        above = parents.get(pid)
        while above is not None and above != root:
            above = parents.get(above)
        if above == root:
            found.append(pid)
    return found


def kill_below(root: int, within_s: float = 2.0) -> None:
    """SIGKILL every descendant of `root` until none is left, and reap those that became our children."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        left = descendants(root)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if not left:
            return
        time.sleep(0.01)


def _reap_others(service: int) -> None:
    """Collect orphans that ended; the service itself is left to its own object."""
    while True:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None or ended.si_pid == service:
            return
        os.waitpid(ended.si_pid, 0)


def main(spec: dict[str, Any], start: Callable[[dict[str, Any]], Process] | None = None) -> int:
    """Run the service of `spec` and return its exit code. `start` starts it; by default as a program."""
    for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sig, signal.SIG_IGN)  # only the pipe ends a guard cleanly
    become_reaper()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        service = (start or _program)(spec)
    except OSError as error:
        print(f"cannot start {spec['argv'][0]}: {error}", flush=True)
        return 127
    while service.poll() is None:
        readable, _, _ = select.select([PIPE, woken], [], [], 5.0)
        if woken in readable:
            os.read(woken, 1024)
            _reap_others(service.pid)
        if PIPE in readable and not os.read(PIPE, 64):
            _end(service, spec)
            break
    kill_below(os.getpid())
    code = service.wait()
    return code if code >= 0 else 128 - code


def _program(spec: dict[str, Any]) -> Process:
    user = {"user": spec["uid"], "group": spec["gid"], "extra_groups": []} if spec.get("uid") is not None else {}
    fresh = as_service(dies_with_parent(spec["stop_signal"]))
    return subprocess.Popen(spec["argv"], stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=fresh, **user)


def as_service(then: Callable[[], None]) -> Callable[[], None]:
    """Return what a service runs first: signals as they are by default, as many files as it may have, and `then`."""

    def first() -> None:
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(sig, signal.SIG_DFL)
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the usual limit of 1,024 files is fewer than the web server's streams
        then()

    return first


def _end(service: Process, spec: dict[str, Any]) -> None:
    for sig, wait_s in ((spec["stop_signal"], spec["grace_s"]), (spec["last_signal"], 0.5)):
        if service.poll() is not None:
            return
        service.send_signal(sig)
        end = time.monotonic() + wait_s
        while service.poll() is None and time.monotonic() < end:
            time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
