"""The one place that knows which games there are: everything else looks a game up by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from games.core.contract import AnyGame


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as the site knows it. `package.game` is its `Game`; files are relative to templates/ and static/."""

    key: str
    package: str
    has_map: bool = False  # its board is a map of places
    has_window: bool = False  # its board can be moved and resized
    imports: bool = False  # it reads games in a notation of others (`positions` of its module `importing`)

    @property
    def game(self) -> AnyGame:
        return _load(self.package)

    @property
    def folder(self) -> Path:
        """Its package: data of the game that is not code."""
        return Path(import_module(self.package).__path__[0])

    def imported(self, text: str) -> Sequence[Any]:
        """Return the positions of a written game, each with `line`, `text` and `position`. Raises PositionError naming a line."""
        found: Sequence[Any] = import_module(f"{self.package}.importing").positions(text)
        return found

    @property
    def board_template(self) -> str:
        return f"games/{self.key}/board.html"

    @property
    def emblem_template(self) -> str:
        return f"games/{self.key}/emblem.html"

    @property
    def plate_template(self) -> str:
        return f"games/{self.key}/plate.html"

    @property
    def css(self) -> str:
        return f"css/games/{self.key}.css"

    @property
    def sprite(self) -> str:
        return f"art/{self.key}.svg"

    @property
    def symbols(self) -> Mapping[str, str]:
        """The sprite symbol of each piece by its glossary id."""
        symbols: Mapping[str, str] = import_module(f"{self.package}.components").SYMBOLS
        return symbols


_ENTRIES = (
    Entry("ra", "games.ra"),
    Entry("tigris_euphrates", "games.tigris_euphrates", has_window=True, imports=True),
    Entry("babel", "games.babel"),
    Entry("after_the_flood", "games.after_the_flood", has_map=True, has_window=True),
    Entry("history_of_the_world", "games.history_of_the_world", has_map=True, has_window=True),
)
GAMES: dict[str, Entry] = {entry.key: entry for entry in _ENTRIES}


@cache
def _load(package: str) -> AnyGame:
    game: AnyGame = import_module(package).game
    return game


def entry(key: str) -> Entry:
    """Return the entry of a game. Raises KeyError, listing the known keys, if there is none."""
    try:
        return GAMES[key]
    except KeyError:
        raise KeyError(f"no game {key!r}; known: {', '.join(GAMES)}") from None


def game(key: str) -> AnyGame:
    """Return the game itself."""
    return entry(key).game
