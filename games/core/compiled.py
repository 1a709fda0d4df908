"""Engines compiled by `make fast`: found before their sources, and only while these are what was compiled.

The folder of a compiled game (FOLDER / its key) holds the compiled modules and `stamp.json`: their names and files, and the SHA-256 of each
source that went into them. A game of which one of those sources has changed is played by plain Python, with one line in the log. So is
every game if the environment says ENGINES=plain, and if nothing was compiled: then this module costs one look for a folder.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FOLDER: Final = ROOT / "build" / "engines"
STAMP: Final = "stamp.json"
SWITCH: Final = "ENGINES"  # in the environment; "plain" leaves the compiled modules alone
PLAIN: Final = "plain"

_log = logging.getLogger("games.compiled")


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, "" if there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def stamp_of(folder: Path) -> dict[str, Any] | None:
    """Return the stamp of a compiled game, None if it isn't compiled or the stamp is damaged."""
    try:
        stamp = json.loads((folder / STAMP).read_bytes())
    except (OSError, ValueError):
        return None
    whole = isinstance(stamp, dict) and all(isinstance(stamp.get(part), dict) for part in ("sources", "modules"))
    return stamp if whole else None


def fault(folder: Path, root: Path = ROOT) -> str | None:
    """Return why the compiled game in `folder` can't be used, in words; None if it can, or if there is nothing compiled."""
    if not folder.is_dir():
        return None
    stamp = stamp_of(folder)
    if stamp is None:
        return f"{STAMP} is missing or damaged"
    if stamp.get("suffix") != EXTENSION_SUFFIXES[0]:
        return f"it was compiled for {stamp.get('suffix')}, this Python takes {EXTENSION_SUFFIXES[0]}"
    changed = [name for name, wanted in stamp["sources"].items() if digest(root / name) != wanted]
    if changed:
        return f"{changed[0]} has changed" + (f", and {len(changed) - 1} more" if changed[1:] else "")
    missing = [name for name in stamp["modules"].values() if not (folder / name).is_file()]
    return f"{missing[0]} is missing" if missing else None


class Finder:
    """Finds the compiled modules of the games in `folder`. Whether a game's may be used is decided once, at its first import."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self.folder, self.root = folder, root
        self.games: set[str] = set()  # decided
        self.files: dict[str, Path] = {}  # by module

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.startswith("games."):
            key = name.split(".")[1]
            if key not in self.games:
                self.games.add(key)
                self._decide(key)
        file = self.files.get(name)
        if file is None or not file.is_file():  # `make slow` may have removed it since; plain modules work with compiled ones
            return None
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, str(file)))

    def _decide(self, key: str) -> None:
        folder = self.folder / key
        why = fault(folder, self.root)
        if why is not None:
            _log.warning("Compiled engine of %s not used: %s. `make fast` compiles it again, `make slow` removes it.", key, why)
        elif (stamp := stamp_of(folder)) is not None:
            self.files.update({name: folder / file for name, file in stamp["modules"].items()})


def install() -> None:
    """Let imports find compiled engines, if there are any and the environment doesn't forbid them."""
    if os.environ.get(SWITCH) != PLAIN and FOLDER.is_dir():
        sys.meta_path.insert(0, Finder(FOLDER))


def is_compiled(key: str) -> bool:
    """Return whether the rules of a game, as imported here, are compiled."""
    rules = sys.modules.get(f"games.{key}.rules")
    return rules is not None and isinstance(getattr(rules, "__loader__", None), ExtensionFileLoader)
