"""Builds the wheel of the engines: `python clients/games/build.py FOLDER`. The build takes a copy, because `games/` is two folders up."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def build(into: Path, uv: str | Path = "uv") -> None:
    """Put the wheel into a folder, without its tests, caches or compiled modules."""
    with tempfile.TemporaryDirectory(prefix="ziggurat-games-") as folder:
        project = Path(folder)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(HERE / name, project)
        shutil.copytree(ROOT / "games", project / "games", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyc"))
        subprocess.run([uv, "build", "--wheel", "--offline", "-q", "-o", into.resolve()], cwd=project, check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
