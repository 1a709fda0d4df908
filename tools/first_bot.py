"""Follows docs/first_bot.md to the letter against a portal of its own: `python -m tools.first_bot` (`make first-bot`).

The folder is empty but for a copy of `clients/`, and the commands see uv, Python and the system's programs. Packages come from wherever pip is
configured to find them. Of the page's programs only address, name and password are replaced.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.running import RunningPortal, clean_environment

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "first_bot.md"
WRITTEN: Final = {"http://127.0.0.1:8000": "url", "alice": "username", "lapis lazuli 9": "password"}
WITHIN_S: Final = 400.0
PERSON: Final = "from portal.accounts.models import User; User.objects.create_user({username!r}, None, {password!r})"
_BLOCK: Final = re.compile(r"^(?P<before>[^\n]*)\n\n?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_SAVED: Final = re.compile(r"[Ss]ave (?:it|this) as `(?P<name>\w+\.py)`")


class Unclear(ValueError):
    """A block of the page that is neither a program with a file's name nor commands."""


class Failed(RuntimeError):
    """A command of the page did not work."""


@dataclass(frozen=True, slots=True)
class Step:
    """A file to save (`name` and its `text`), or a command to run (`text`, no name)."""

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was run: how long it took, and what it printed."""

    command: str
    seconds: float
    output: str


def steps(page: str) -> list[Step]:
    """Return what a reader of the page does, in its order. Raises Unclear.

    >>> steps("Save this as `a.py`:\\n\\n```python\\nprint()\\n```\\n\\nRun it:\\n\\n```sh\\npython3 a.py\\n```\\n")
    [Step(text='print()\\n', name='a.py'), Step(text='python3 a.py', name='')]
    """
    found = []
    for block in _BLOCK.finditer(page):
        saved = _SAVED.search(block["before"])
        if block["kind"] == "python" and saved:
            found.append(Step(block["text"], saved["name"]))
        elif block["kind"] == "sh":
            found.extend(Step(line) for line in block["text"].splitlines() if line.strip())
        else:
            raise Unclear(f"first_bot.md: {block['before'] or block['text'][:60]!r}")
    if page.count("```") != 2 * len(_BLOCK.findall(page)):
        raise Unclear("first_bot.md: a block has no line before it, or no end")
    return found


def follow(
    page: str,
    folder: Path,
    *,
    url: str,
    username: str,
    password: str,
    instead: Mapping[str, Callable[[Path], None]] | None = None,
) -> list[Done]:
    """Do all steps in an empty folder, and return the commands as they went. Raises Failed.

    `instead` has a function of the folder for the start of a command that cannot be run here.
    """
    real = {"url": url, "username": username, "password": password}
    shutil.copytree(ROOT / "clients", folder / "clients", ignore=shutil.ignore_patterns("__pycache__"))
    environment = _environment(folder.parent / f"{folder.name}-uv")
    done = []
    for step in steps(page):
        if step.name:
            text = step.text
            for written, key in WRITTEN.items():
                text = text.replace(written, real[key])
            (folder / step.name).write_text(text)
            continue
        begin = time.monotonic()
        replaced = [act for start, act in (instead or {}).items() if step.text.startswith(start)]
        if replaced:
            replaced[0](folder)
            output = ""
        else:
            output = _run(step.text, folder, environment)
        done.append(Done(step.text, time.monotonic() - begin, output))
    return done


def _environment(place: Path) -> dict[str, str]:
    """Return a newcomer's environment: uv in a folder of its own, the Python beneath this one, and the system's programs."""
    place.mkdir()
    (place / "uv").symlink_to(Path(sys.executable).parent / "uv")
    kept = {name: value for name, value in clean_environment().items() if not name.startswith("PYTHON") and name != "VIRTUAL_ENV"}
    return kept | {"PATH": f"{place}:{Path(sys.base_prefix) / 'bin'}:/usr/local/bin:/usr/bin:/bin"}


def _run(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    ran = subprocess.run(
        ["sh", "-ec", command],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )
    if ran.returncode:
        raise Failed(f"{command}: ended with {ran.returncode}\n{ran.stderr or ran.stdout}")
    return ran.stdout


def make_person(portal: RunningPortal, username: str, password: str) -> None:
    """Make the account that the page's reader has."""
    code = PERSON.format(username=username, password=password)
    subprocess.run([sys.executable, "manage.py", "shell", "-v", "0", "-c", code], cwd=ROOT, env=portal.environment, check=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ziggurat-first-bot-") as place:
        os.chmod(place, 0o711)  # as root, PostgreSQL runs as another user
        folder = Path(place) / "mine"
        folder.mkdir()
        with RunningPortal(Path(place) / "state") as portal:
            make_person(portal, "alice", "lapis lazuli 9")
            try:
                done = follow(PAGE.read_text(), folder, url=portal.url, username="alice", password="lapis lazuli 9")
            except (Failed, Unclear) as error:
                sys.exit(str(error))
            for one in done:
                print(f"{one.seconds:6.1f} s  {one.command}")
            print(f"{sum(one.seconds for one in done):6.1f} s  altogether")


if __name__ == "__main__":
    main()
