"""The wheels, built and installed beside nothing but what the client needs: no Django, no portal."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).parent / "uv"
NEEDED = ("httpx", "httpcore", "h11", "anyio", "idna", "certifi", "sniffio", "typing_extensions")  # httpx and what it needs
NEEDED_BY_GAMES = ("msgspec", "numpy")


def build(project: Path, into: Path) -> Path:
    """Build the wheel of a project and return it. uv brings what it builds with, so nothing is downloaded."""
    subprocess.run([UV, "build", "--wheel", "--offline", "-q", "-o", into], cwd=project, check=True, capture_output=True, text=True)
    (wheel,) = into.glob("*.whl")
    return wheel


def install(wheel: Path, into: Path, needed: tuple[str, ...] = NEEDED) -> Path:
    """Unpack a wheel into an empty folder, with what it needs as the tests have that."""
    argv = [UV, "pip", "install", "--offline", "--no-deps", "-q", "--python", sys.executable, "--target", into, wheel]
    subprocess.run(argv, check=True, capture_output=True, text=True)
    for name in needed:
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:  # not every version of Python needs all of them
            continue
        for file in found.files or ():
            if ".." not in file.parts:
                target = into / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    return into


def python(folder: Path, *argv: str | Path) -> list[str]:
    """Return the command line of a Python that sees the standard library and `folder`; `-S` leaves out all that is installed."""
    start = (
        f"import sys, runpy; sys.path.insert(0, {str(folder)!r}); sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    return [sys.executable, "-S", "-E", "-c", start, *map(str, argv)]


def build_games(into: Path) -> Path:
    """Build the wheel of the engines and return it."""
    found = importlib.util.spec_from_file_location("games_build", ROOT / "clients" / "games" / "build.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    module.build(into, UV)
    (wheel,) = into.glob("*.whl")
    return wheel
