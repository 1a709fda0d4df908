"""Programs of Debian that the examples in deploy/ are for: those of the system, or what `make test-install` unpacked."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.running import ROOT

UNPACKED = ROOT / ".venv" / "debian" / "usr"
LIBRARIES = [str(folder) for folder in (UNPACKED / "lib").glob("*-linux-gnu*")]


def program(name: str) -> str:
    """Return the path of a program; the test is skipped if there is none."""
    for folder in (UNPACKED / "sbin", UNPACKED / "bin"):
        if (folder / name).exists():
            return str(folder / name)
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if not found:
        pytest.skip(f"{name} is missing; make test-install unpacks it where apt-get works")
    return found


def environment(home: Path, libraries: Sequence[str] = LIBRARIES) -> dict[str, str]:
    """Return the environment in which it finds its libraries, and keeps what it keeps in `home`."""
    return {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": ":".join(libraries), "HOME": str(home), "XDG_DATA_HOME": str(home)}


def copied(name: str, home: Path) -> tuple[str, dict[str, str]]:
    """Return a copy of a program in `home`, for a user who may not reach this checkout, and its environment."""
    libraries = home / "libraries"
    for folder in LIBRARIES:
        shutil.copytree(folder, libraries, dirs_exist_ok=True)
    return shutil.copy(program(name), home), environment(home, [str(libraries)])


def example(name: str, changes: dict[str, str]) -> str:
    """Return a file of deploy/ with its values replaced; each must be there."""
    text = (ROOT / "deploy" / name).read_text()
    for old, new in changes.items():
        assert old in text, f"{name} has no {old!r}"
        text = text.replace(old, new)
    return text
