"""A whole portal of its own for tests: `manage.py up` as a newcomer runs it, on a free port and a fresh state folder."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from portal.supervisor.guard import descendants, dies_with_parent
from portal.supervisor.ports import free_port
from portal.supervisor.state import State

ROOT = Path(__file__).resolve().parent.parent
NOT_INHERITED = (
    "DATABASE_URL",
    "REDIS_URL",
    "ZIGGURAT_STATE",
    "ZIGGURAT_TEST_STATE",
    "DJANGO_SETTINGS_MODULE",
    "PORT",
    "HOST",
    "SECRET_KEY",
)
READY_WITHIN_S = 120.0


def clean_environment(**changes: str) -> dict[str, str]:
    """Return the environment of a newcomer, with `changes`."""
    return {name: value for name, value in os.environ.items() if name not in NOT_INHERITED} | changes


def refused(*arguments: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py up` where it must refuse, and return its message."""
    argv = [sys.executable, "manage.py", "up", *arguments]
    return subprocess.run(argv, cwd=root, env=clean_environment(**environment), capture_output=True, text=True, timeout=60)


class RunningPortal:
    """`with RunningPortal(state) as portal:` and then `portal.url`. Everything it started has ended afterwards."""

    def __init__(
        self,
        state: Path,
        *,
        root: Path = ROOT,
        environment: Mapping[str, str] | None = None,
        host: str = "127.0.0.1",
        prefix: Sequence[str] = (),
        arguments: Sequence[str] = (),
        dies_with_us: bool = False,
    ) -> None:
        """With `dies_with_us` it ends with the thread that starts it, even if that is killed."""
        self.port = free_port()
        self.url = f"http://{host}:{self.port}"
        self.root = root
        self.folder = state
        own = {"HOST": host, "PORT": str(self.port), "ZIGGURAT_STATE": str(state), "WEB_PROCESSES": "1"}  # one is enough, and starts sooner
        self.environment = clean_environment(**own | dict(environment or {}))
        self.argv = [*prefix, sys.executable, "manage.py", "up", *arguments]
        self._dies_with_us = dies_with_us
        self.output: list[str] = []
        self.errors: list[str] = []

    @property
    def state(self) -> State:
        return State.of(self.folder)

    def start(self) -> float:
        """Start, wait for the address, and return the seconds it took."""
        begin = time.monotonic()
        self.output.clear()
        self.process = subprocess.Popen(
            self.argv,
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=dies_with_parent(signal.SIGINT) if self._dies_with_us else None,
        )
        ready: queue.Queue[bool] = queue.Queue()
        assert self.process.stdout
        assert self.process.stderr
        threading.Thread(target=self._read, args=(self.process.stdout, ready), daemon=True).start()
        threading.Thread(target=lambda pipe: self.errors.extend(pipe), args=(self.process.stderr,), daemon=True).start()
        assert ready.get(timeout=READY_WITHIN_S), "".join([*self.output, *self.errors])
        return time.monotonic() - begin

    def _read(self, pipe: object, ready: queue.Queue[bool]) -> None:
        for line in pipe:  # type: ignore[attr-defined]
            self.output.append(line)
            if line.startswith("Ziggurat is ready"):
                ready.put(True)
        ready.put(False)

    def stop(self, sig: int = signal.SIGINT) -> float:
        """Ask it to end, wait, and return the seconds it took."""
        begin = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(sig)
        self.process.wait(30)
        return time.monotonic() - begin

    def processes(self) -> dict[int, str]:
        """Return all processes below the supervisor, each with its command line."""
        return {pid: command for pid in descendants(self.process.pid) if (command := command_of(pid))}

    def find(self, *words: str) -> list[int]:
        """Return the processes whose command line has all `words`, guards left out, lowest first."""
        return sorted(pid for pid, line in self.processes().items() if all(word in line for word in words) and "guard.py" not in line)

    def get(self, path: str, timeout: float = 10) -> tuple[int, str]:
        """Return status and text of a page."""
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(self.url + path, timeout=timeout) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def __enter__(self) -> RunningPortal:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()


def command_of(pid: int) -> str:
    """Return the command line of a process, or nothing when it is gone or a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def wait_until(condition: object, within_s: float = 30.0) -> None:
    """Wait until `condition()` is true."""
    end = time.monotonic() + within_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, f"not within {within_s} s"
        time.sleep(0.05)
