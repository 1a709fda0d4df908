"""Setting up on a machine that lacks something: one line that says what to do, and nothing left half-done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "a checkout"
    shutil.copytree(ROOT / "tools", root / "tools")
    for name in ("Makefile", "requirements.lock", "requirements-test.lock", "requirements-uv.lock"):
        shutil.copy2(ROOT / name, root / name)
    return root


def make(checkout: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    argv = ["make", *words, f"PYTHON={sys.executable}"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # this is not part of `make test`
    return subprocess.run(argv, cwd=checkout, env=inherited | environment, capture_output=True, text=True, timeout=120)


def test_a_bare_call_lists_the_targets(checkout: Path) -> None:
    said = make(checkout)
    assert said.returncode == 0
    listed = {line.split()[1] for line in said.stdout.splitlines()}
    assert {"install", "run", "test", "check", "fmt", "types", "lint", "fuzz", "bench", "ladder", "golden", "browser", "messages"} <= listed
    assert {"rules-coverage", "seed"} <= listed
    assert not said.stderr


def test_a_missing_venv_module_is_told(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "ensurepip.py").write_text("raise ImportError('No module named ensurepip')")
    said = make(checkout, "run", PYTHONPATH=str(tmp_path))
    assert said.returncode != 0
    assert said.stderr.splitlines()[0].startswith("Python's venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv")
    assert not (checkout / ".venv").exists()


def test_a_complete_environment_is_left_alone(checkout: Path) -> None:
    import hashlib

    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to(sys.executable)
    stamp = checkout / ".venv" / "requirements.sha256"
    stamp.write_text(hashlib.sha256((checkout / "requirements.lock").read_bytes()).hexdigest())
    said = make(checkout, "install")
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_a_missing_browser_is_told_to_those_who_may_not_install_it(checkout: Path, tmp_path: Path) -> None:
    code = "import sys; sys.path.insert(0, 'tools'); import bootstrap; bootstrap.find_browser()"
    said = subprocess.run([sys.executable, "-c", code], cwd=checkout, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert said.returncode == 1
    assert said.stderr == "The browser tests need Chromium. On Debian and Ubuntu: sudo apt install chromium\n"
