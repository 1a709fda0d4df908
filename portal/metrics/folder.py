"""The folder in which the processes of one machine keep their numbers, so that any web process can tell those of all.

Web processes and workers (those with ZIGGURAT_WORK) keep them in files that are mapped into memory: counting costs no call to the system,
and what a killed process has counted is still there. The files are those of the library's multiprocess mode, and its collector reads them. Any
other process counts for itself only. Which it is, is decided at the first number of each process, forks included. This module must be imported
before the first number is defined.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict, mmap_key

from portal.configuration import state_folder

FOLDER: Final = state_folder(os.environ) / "metrics"
ADDED_UP: Final = ("counter", "histogram")  # what a process has counted outlives it
SIZES: Final = {"counter": 3 << 18, "histogram": 3 << 19, "gauge_livesum": 1 << 16}  # bytes; twice what all views and tasks need
ENDED: Final = "ended"  # stands for all processes that have ended

_lock = Lock()
_settled_for = 0  # the process that `_files` are of
_files: dict[str, MmapedDict] = {}  # by kind; none of a process that counts for itself
_values: list[Value] = []


def is_shared() -> bool:
    """Say whether this process is one of those whose numbers are told together."""
    return bool(os.environ.get("ZIGGURAT_WORK"))


class Value:
    """One number of this process. The library makes them; threads share them, a fork begins at 0."""

    def __init__(
        self, kind: str, metric: str, name: str, labels: Any, label_values: Any, says: str, multiprocess_mode: str = "", **_: Any
    ) -> None:
        self._kind = f"{kind}_{multiprocess_mode}" if kind == "gauge" else kind
        self._key = mmap_key(metric, name, labels, label_values, says)
        with _lock:
            _settle()
            self.begin()
            _values.append(self)

    def begin(self) -> None:
        """Go on with what the file of this process has, or at 0 without one. The caller holds the lock."""
        self._file = _files.get(self._kind)
        self._value: float = self._file.read_value(self._key)[0] if self._file else 0.0

    def inc(self, amount: float) -> None:
        with _lock:
            _settle()
            self._write(self._value + amount)

    def set(self, value: float, timestamp: float | None = None) -> None:
        with _lock:
            _settle()
            self._write(value)

    def _write(self, value: float) -> None:
        self._value = value
        if self._file:
            self._file.write_value(self._key, value, 0.0)

    def get(self) -> float:
        with _lock:
            _settle()
            return self._value

    def set_exemplar(self, exemplar: Any) -> None:
        """Exemplars would name single requests; we have none."""

    def get_exemplar(self) -> None:
        return None


def _after_fork() -> None:
    """Free the lock: the thread that may have held it is not in the fork."""
    global _lock
    _lock = Lock()


os.register_at_fork(after_in_child=_after_fork)
values.ValueClass = Value  # as the library's documentation does it for processes that have names of their own


def _settle() -> None:
    """In a new process: open its files, if its numbers are told. The caller holds the lock."""
    global _settled_for
    if (pid := os.getpid()) == _settled_for:
        return
    _settled_for = pid
    _files.clear()
    if is_shared():
        try:
            _reserve(pid)
            _files.update({kind: MmapedDict(str(FOLDER / f"{kind}_{pid}.db")) for kind in SIZES})
        except OSError:
            _files.clear()  # the disk is full, or not ours: this process counts unseen
    for value in _values:
        value.begin()


def _reserve(owner: int | str) -> None:
    """Make the files with all their blocks: writing to a mapped file on a full disk ends a process. Raises OSError, and leaves nothing then."""
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = {FOLDER / f"{kind}_{owner}.db": size for kind, size in SIZES.items()}
    try:
        for file, size in files.items():
            with open(os.open(file, os.O_CREAT | os.O_RDWR, 0o600), "r+b") as opened:
                os.posix_fallocate(opened.fileno(), 0, size)
    except OSError:
        for file in files:
            file.unlink(missing_ok=True)
        raise


def use(part: str) -> None:
    """Note that this process does a part of the portal's work (`web`, or the name of a worker); its memory and CPU are told under that name."""
    if is_shared():
        with suppress(OSError):
            FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
            (FOLDER / f"{os.getpid()}.part").write_text(part)


def parts() -> dict[int, str]:
    """Return the live processes of this machine, and the part of each."""
    found = {}
    for file in FOLDER.glob("*.part"):
        with suppress(OSError):
            if _is_alive(int(file.stem)):
                found[int(file.stem)] = file.read_text()
    return found


def _is_alive(pid: int) -> bool:
    """Say whether a process counts on; one that has ended and whose parent hasn't noticed yet does not."""
    with suppress(OSError):
        return not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" Z")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def clean() -> None:
    """Forget everything, when the portal starts. Numbers begin at 0 again, which Prometheus understands."""
    for file in (*FOLDER.glob("*.db"), *FOLDER.glob("*.part")):
        file.unlink(missing_ok=True)


@contextmanager
def still() -> Iterator[None]:
    """Hold the folder for reading: nobody else adds up or removes files meanwhile. Raises OSError if it can't be held."""
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(FOLDER / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def add_up_ended() -> None:
    """Put what processes that have ended had counted into one file for all of them; what they were doing (gauges) ended with them.

    The caller holds the folder. On a full disk everything stays as it is.
    """
    for file in FOLDER.glob("*.*"):
        kind, _, owner = file.stem.rpartition("_")
        if not owner.isdecimal() or _is_alive(int(owner)):
            continue
        if kind in ADDED_UP:
            try:
                _reserve_once(ENDED)
            except OSError:
                return
            all_of_them = MmapedDict(str(FOLDER / f"{kind}_{ENDED}.db"))
            for key, value, _at, _position in MmapedDict.read_all_values_from_file(str(file)):
                all_of_them.write_value(key, all_of_them.read_value(key)[0] + value, 0.0)
            all_of_them.close()
        file.unlink()


def _reserve_once(owner: str) -> None:
    if not all((FOLDER / f"{kind}_{owner}.db").exists() for kind in SIZES):
        _reserve(owner)
