"""Services in forks of the supervisor, which has the portal loaded: they start in a tenth of the time and share most of their memory.

The supervisor has one thread and no open connections when it forks. The guard of such a service is a fork too, and the service a fork of its guard.
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from setproctitle import setproctitle

from portal.supervisor import guard

IS_SAFE = sys.platform == "linux"  # libraries of other systems may not survive a fork
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Fork:
    """A fork that runs `work` and ends with the code it returns; the part of `subprocess.Popen` that supervisor and guard use."""

    def __init__(self, work: Callable[[], int]) -> None:
        self.returncode: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until the fork has left the handlers of its parent behind
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _run(work)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        if self.returncode is None:
            self._collect(os.WNOHANG)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired after `timeout` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            self._collect(0 if end is None else os.WNOHANG)
            if self.returncode is None and end is not None:
                if time.monotonic() > end:
                    raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0.0)
                time.sleep(0.005)
        return self.returncode

    def _collect(self, options: int) -> None:
        try:
            pid, status = os.waitpid(self.pid, options)
        except ChildProcessError:  # somebody else collected it
            self.returncode = -signal.SIGKILL
            return
        if pid:
            self.returncode = os.waitstatus_to_exitcode(status)

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(work: Callable[[], int]) -> NoReturn:
    """Do the work of a fork. Nothing of the parent's stack goes on."""
    code = 70
    atexit._clear()  # what the parent registered is for the parent
    try:
        for sig in _ENDING:
            signal.signal(sig, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        code = work()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass
        os._exit(code)


def fork_guarded(
    name: str,
    spec: Mapping[str, Any],
    *,
    pipe: int,
    log: int,
    keep: Collection[int],
    environment: Mapping[str, str],
    folder: str,
    settle: Callable[[], None],
) -> Fork:
    """Fork a guard, which forks the service and ends it when `pipe` closes. `keep` are files that only the guard keeps open.

    `settle` is called in the service, after its environment is set and before its program begins.
    """

    def service(dies_with_guard: Callable[[], None]) -> int:
        guard.as_service(dies_with_guard)()
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), guard.PIPE)
        _close_all_but(())
        os.chdir(folder)
        os.environ.update(environment)
        setproctitle(" ".join(spec["argv"][2:] if spec["argv"][1] == "-m" else spec["argv"]))
        settle()
        return run_program(spec["argv"])

    def start(_spec: dict[str, Any]) -> Fork:
        return Fork(partial(service, guard.dies_with_parent(spec["stop_signal"])))

    def guard_it() -> int:
        os.setsid()
        for target, source in ((guard.PIPE, pipe), (1, log), (2, log)):
            os.dup2(source, target)
        _close_all_but(keep)
        sys.stdout, sys.stderr = (open(fd, "w", buffering=1, closefd=False) for fd in (1, 2))  # noqa: SIM115 (whatever they were in the parent)
        setproctitle(f"ziggurat: guard.py of {name}")
        return guard.main(dict(spec), start)

    return Fork(guard_it)


def run_program(argv: Sequence[str]) -> int:
    """Run `python -m MODULE ...` or `python FILE ...` in this process, as the interpreter would, and return its exit code."""
    sys.argv = list(argv[2:] if argv[1] == "-m" else argv[1:])
    try:
        if argv[1] == "-m":
            runpy.run_module(argv[2], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(argv[1], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    return 0


def _close_all_but(keep: Collection[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:  # the one of the listing itself
                pass
