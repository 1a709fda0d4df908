"""Prepares .venv from the locks: `python3 tools/bootstrap.py [--test]`. Standard library only; does nothing if all is there.

With --test it also installs the tools of the test suite, and Chromium for the browser tests (with apt when we are root). The servers that
the examples in deploy/ are tried with are Debian's, unpacked into .venv/debian and not installed: nothing of them starts by itself.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OLDEST = (3, 11)
UNPACKED = VENV / "debian"
SERVERS = ("nginx", "caddy", "pgbouncer", "libevent-2.1-7", "libc-ares2")


def main() -> None:
    if sys.version_info < OLDEST:
        sys.exit(f"Ziggurat needs Python 3.11 or newer, this is {sys.version.split()[0]}. Name another one: make PYTHON=python3.11 ...")
    test = "--test" in sys.argv[1:]
    lock = ROOT / ("requirements-test.lock" if test else "requirements.lock")
    stamp = VENV / f"{lock.stem}.sha256"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not (stamp.exists() and stamp.read_text() == wanted and works()):
        stamp.unlink(missing_ok=True)
        if not works():
            make_venv()
        install(lock)
        stamp.write_text(wanted)
    if test:
        find_browser()
        unpack_servers()


def works() -> bool:
    """Say whether the environment is intact; one that was moved or whose Python is gone is not."""
    if not PYTHON.exists():
        return False
    return subprocess.run([PYTHON, "-c", "import pip"], capture_output=True).returncode == 0


def make_venv() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        sys.exit(f"Python's venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv (this is {sys.executable})")
    with Step("Python environment (.venv)"):
        run([sys.executable, "-m", "venv", "--clear", str(VENV)], "Cannot create .venv")


def install(lock: Path) -> None:
    """Install the lock with uv, which takes seconds, or with pip, which is always there."""
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "-q", "install", "--require-hashes"]
    with Step("Installer"):
        got_uv = subprocess.run([*pip, "-r", str(ROOT / "requirements-uv.lock")], capture_output=True).returncode == 0
    with Step(f"Packages of {lock.name}"):
        if got_uv:
            uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON), "--require-hashes", "-r", str(lock)]
            if subprocess.run(uv, cwd=ROOT, capture_output=True).returncode == 0:
                return
        run([*pip, "-r", str(lock)], "The packages cannot be installed; is the network there?")


def find_browser() -> None:
    if any(shutil.which(name) for name in BROWSERS):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit("The browser tests need Chromium. On Debian and Ubuntu: sudo apt install chromium")
    with Step("Chromium (apt)"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "-qq", "update"], "apt-get update failed", quiet)
        shell = "chromium-headless-shell"  # headless Chromium: smaller and faster; Debian has it
        package = shell if subprocess.run(["apt-cache", "show", shell], capture_output=True).returncode == 0 else "chromium"
        run(["apt-get", "-qq", "install", "-y", "--no-install-recommends", package], "Chromium cannot be installed", quiet)


def unpack_servers() -> None:
    """Unpack what of SERVERS there is; without it (no apt, no network) its tests are skipped. Tried once."""
    if UNPACKED.exists() or not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return
    with Step("nginx, Caddy, PgBouncer"), tempfile.TemporaryDirectory() as folder:
        got = [_download(package, folder) for package in SERVERS]
        if not any(got) and os.geteuid() == 0:  # the lists of packages may be missing
            subprocess.run(["apt-get", "-qq", "update"], capture_output=True)
            got = [_download(package, folder) for package in SERVERS]
        UNPACKED.mkdir()
        for file in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", file, UNPACKED], capture_output=True)


def _download(package: str, folder: str) -> bool:
    return subprocess.run(["apt-get", "-qq", "download", package], cwd=folder, capture_output=True).returncode == 0


def run(argv: list[str], fault: str, env: dict[str, str] | None = None) -> None:
    """Run a command; if it fails, show the end of its output and stop."""
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-8:])
        sys.exit(f"\n{said}\n{fault}: {' '.join(argv[:4])} ... ended with {done.returncode}")


class Step:
    """Shows the current step, then a tick and the seconds it took."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.start = time.monotonic()
        if sys.stdout.isatty():
            print(f"  … {self.name}", end="", flush=True)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            back = "\r" if sys.stdout.isatty() else ""
            print(f"{back}  ✓ {self.name:<24}{time.monotonic() - self.start:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
