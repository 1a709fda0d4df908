"""Compile the engines and bots of the games with mypyc, from the same source: `make fast`.

An option for busy machines and for measuring bots: games are the same, move for move, only sooner (docs/performance.md says how much).
It needs a C compiler and takes some minutes a game; without it nothing changes, because plain Python plays everything.

    make fast                                all games whose compiled form is missing or no longer fits its source
    make fast ARGS="ra babel"                these games
    make fast ARGS=--list                    what is compiled, and whether it is used
    make fast ARGS=--equal                   play games from equal seeds in both forms and compare them, move for move
    make fast ARGS=--figures                 how much faster: both forms by turns, processor time, the best of three
    make fast ARGS="--test"                  the tests of the engines in both forms
    make slow                                remove it all (make fast ARGS=--undo)

The compiled modules are written to build/engines/, which git doesn't see. When a source changes, its game goes back to plain Python, with
one line that says so, until it is compiled again. ENGINES=plain in the environment leaves compiled engines alone for one command.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from games.core.compiled import FOLDER, PLAIN, ROOT, STAMP, SWITCH, digest, fault
from games.registry import GAMES
from tools.compiled import figures
from tools.compiled.sources import SHARED, chosen, copy, file_of

TOOL = ("tools/compiled/one.py", "tools/compiled/sources.py")  # what they write differs when they do
LINES = 12  # of a compiler's complaint


def needs() -> str | None:
    """Return what is missing for compiling, in one line; None if all is there."""
    cc = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(cc):
        return f"There is no C compiler ({cc}). On Debian and Ubuntu: sudo apt install gcc. Nothing was changed: plain Python plays everything."
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "Python's headers (Python.h) are missing. On Debian and Ubuntu: sudo apt install python3-dev. Nothing was changed."
    if not find_spec("setuptools"):
        return f"setuptools is missing: {sys.executable} -m pip install setuptools. Nothing was changed."
    return None


def title(key: str) -> str:
    return "shared by all" if key == SHARED else key  # without importing a game that may not work


def compile_game(key: str) -> tuple[str, float, str | None]:
    """Compile a game and put the result in place of the last one. Returns its key, the seconds, and what went wrong, if anything did."""
    began = time.monotonic()
    work = FOLDER / f"{key}.work"
    shutil.rmtree(work, ignore_errors=True)
    modules, others = chosen(key)
    sources = {str(path.relative_to(ROOT)): digest(path) for module in modules + others if (path := file_of(module))}
    sources |= {name: digest(ROOT / name) for name in TOOL}
    copy(key, modules, work / "src")
    argv = [sys.executable, "-m", "tools.compiled.one", str(work), *modules]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, env={**os.environ, SWITCH: PLAIN})
    lib = work / "lib"
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        shutil.rmtree(work)
        return key, time.monotonic() - began, "\n".join(said[-LINES:])
    files = {str(file.relative_to(lib)): file for file in sorted(lib.rglob("*" + EXTENSION_SUFFIXES[0]))}
    names = {name.removesuffix(EXTENSION_SUFFIXES[0]).replace("/", "."): name for name in files}
    for part in (ROOT / "games" / key).iterdir():  # data that modules find beside themselves
        if part.is_dir() and part.name != "__pycache__":
            (lib / "games" / key / part.name).symlink_to(part, target_is_directory=True)
    stamp = {"suffix": EXTENSION_SUFFIXES[0], "mypy": version("mypy"), "sources": sources, "modules": names}
    (lib / STAMP).write_text(json.dumps(stamp, indent=1) + "\n")
    shutil.rmtree(FOLDER / key, ignore_errors=True)
    lib.rename(FOLDER / key)
    shutil.rmtree(work)
    wrong = unequal(key)
    if wrong is not None:
        shutil.rmtree(FOLDER / key)
    return key, time.monotonic() - began, wrong


def unequal(key: str) -> str | None:
    """Return what goes wrong when a compiled game is played, or that it is another game than in plain Python; None if all is well."""
    try:
        found = figures.difference("babel" if key == SHARED else key, 2, key != SHARED)
    except SystemExit as fault:
        return str(fault)
    return None if found is None else f"games from equal seeds are not equal in both forms\n{found}"


def compile_all(keys: list[str], jobs: int) -> None:
    """Compile games, `jobs` at a time, with a line for each. Exits with 1 if one can't be compiled; the others are."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    faults = 0
    with ThreadPoolExecutor(jobs) as pool:
        _progress(0, len(keys))
        for done, (key, seconds, wrong) in enumerate(pool.map(compile_game, keys), 1):
            faults += wrong is not None
            mark, said = ("✓", "") if wrong is None else ("✗", f"  stays in plain Python:\n{wrong}")
            print(f"{_clear()}  {mark} {title(key):<24}{seconds:6.1f} s{said}", flush=True)
            _progress(done, len(keys))
    if faults:
        sys.exit(1)


def _clear() -> str:
    return "\r\033[K" if sys.stdout.isatty() else ""


def _progress(done: int, of: int) -> None:
    if sys.stdout.isatty() and done < of:
        print(f"  … compiling, {done} of {of} games done", end="", flush=True)


def is_current(key: str) -> bool:
    """Say whether a game's compiled form fits its source; a module that came since counts as a change."""
    folder = FOLDER / key
    if not folder.is_dir() or fault(folder) is not None:
        return False
    modules, others = chosen(key)
    names = {str(path.relative_to(ROOT)) for module in modules + others if (path := file_of(module))}
    return names | set(TOOL) == set(json.loads((folder / STAMP).read_text())["sources"])


def show(keys: list[str]) -> None:
    for key in keys:
        folder = FOLDER / key
        said = "plain Python" if not folder.is_dir() else fault(folder) or "compiled"
        print(f"  {title(key):<24}{said}")


def test(more: list[str]) -> None:
    """Run the tests of the engines in both forms; exits with the first status that isn't 0."""
    status = 0
    for form in figures.FORMS:
        print(f"{form}:", flush=True)
        argv = [sys.executable, "-m", "pytest", *(more or ["-n", "2", "tests/engine"])]
        status = status or subprocess.run(argv, cwd=ROOT, env=figures.environment(form)).returncode
    sys.exit(status)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make fast", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"all ({', '.join(GAMES)})")
    parser.add_argument("--again", action="store_true", help="compile even what is current")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games compiled at a time (all cores)")
    parser.add_argument("--undo", action="store_true", help="remove the compiled engines")
    parser.add_argument("--list", action="store_true", help="tell what is compiled and used")
    parser.add_argument(
        "--equal", type=int, nargs="?", const=figures.GAMES_EQUAL, metavar="N", help="compare N games (%(const)s) of each game and form"
    )
    parser.add_argument(
        "--figures",
        type=int,
        nargs="?",
        const=figures.GAMES_TIMED,
        metavar="N",
        help="time N games (%(const)s) of scribes and of masters in both forms",
    )
    parser.add_argument("--test", nargs=argparse.REMAINDER, help="run the tests of the engines in both forms; what follows goes to pytest")
    options = parser.parse_args()
    if unknown := set(options.games) - set(GAMES):
        sys.exit(f"There is no game {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}.")
    keys = options.games or list(GAMES)
    if options.undo:
        for key in keys:
            shutil.rmtree(FOLDER / key, ignore_errors=True)
        if not options.games:
            shutil.rmtree(FOLDER, ignore_errors=True)
        return None
    if options.list:
        return show([SHARED, *keys])
    if options.test is not None:
        return test(options.test)
    if options.equal is not None:
        return figures.compare(keys, options.equal)
    if options.figures is not None:
        return figures.measure(keys, options.figures)
    wanted = [key for key in (SHARED, *keys) if options.again or not is_current(key)]
    if wanted:
        if missing := needs():
            sys.exit(missing)
        compile_all(wanted, options.jobs)


if __name__ == "__main__":
    main()
