"""What was measured about a game's bots: `ladder.json` in the game's package, written by `manage.py ladder --save` and never by hand.

The file has one line for each edge of the ladder (one bot of a level against bots of another, at a player count) and for each balance
(the same level in every seat, counted by the order of play at the start). The page for players and the tables of `docs/bots.md` show these figures.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

FILE: Final = "ladder.json"
FORMAT: Final = 1
_NOT_BOTS: Final = re.compile(r"(prompt|scene|phrases|previews|refusals|bot_phrases|\w+_phrases)\w*\.py|README\.md|ladder\.json")


@dataclass(frozen=True, slots=True)
class Source:
    """How figures came about. `bots` is a short hash of the code and weights that played (`bots_mark`)."""

    command: str
    date: str  # "2026-11-26"
    cores: int  # of the machine
    machine: str  # its processor and Python: "AMD EPYC, CPython 3.11.2"
    seed: int
    bots: str


@dataclass(frozen=True, slots=True)
class EdgeFigures:
    """One bot of a level among bots of another. Times are milliseconds of the processor for a move with a choice, of the level `better`."""

    better: str
    than: str
    seats: int
    games: int
    wins: float  # ties share a win
    low: float  # 95 % interval of the win rate
    high: float
    mean_score: float
    other_mean_score: float
    moves: int  # of `better`, with a choice
    p50_ms: float
    p95_ms: float
    max_ms: float
    source: Source

    @property
    def key(self) -> tuple[str, str, int]:
        return self.better, self.than, self.seats

    @property
    def win_rate(self) -> float:
        return self.wins / self.games


@dataclass(frozen=True, slots=True)
class OrderFigures:
    """The same level in every seat: what each place in the order of play is worth. Sequences are indexed by that place at the start of a game."""

    level: str
    seats: int
    games: int
    wins: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    mean_scores: Sequence[float]
    source: Source

    @property
    def key(self) -> tuple[str, int]:
        return self.level, self.seats

    @property
    def win_rates(self) -> tuple[float, ...]:
        return tuple([wins / self.games for wins in self.wins])


@dataclass(frozen=True, slots=True)
class Figures:
    """All that was measured about one game's bots."""

    edges: Sequence[EdgeFigures] = ()
    balance: Sequence[OrderFigures] = ()

    def edge(self, better: str, than: str, seats: int) -> EdgeFigures | None:
        return next((edge for edge in self.edges if edge.key == (better, than, seats)), None)

    def balance_of(self, level: str, seats: int) -> OrderFigures | None:
        return next((row for row in self.balance if row.key == (level, seats)), None)


def read(folder: Path) -> Figures:
    """Return the figures in a game's package; none if nothing was measured yet. Raises ValueError that names the file if it is damaged."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Figures()
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r}")
        return Figures(
            tuple([_row(EdgeFigures, row) for row in data["edges"]]), tuple([_row(OrderFigures, row) for row in data["balance"]])
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a file of figures: {error}") from None


def _row(kind: Any, data: Mapping[str, Any]) -> Any:
    if set(data) != {field.name for field in fields(kind)}:
        raise ValueError(f"fields {', '.join(data)}")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return kind(**values | {"source": Source(**data["source"])})


def save(folder: Path, row: EdgeFigures | OrderFigures) -> None:
    """Put a row into the file, in the place of an older one of the same kind. Several processes may do so at once."""
    with _locked(folder):
        old = read(folder)
        if isinstance(row, EdgeFigures):
            new = replace(old, edges=(*[edge for edge in old.edges if edge.key != row.key], row))
        else:
            new = replace(old, balance=(*[other for other in old.balance if other.key != row.key], row))
        part = folder / f"{FILE}.part"
        part.write_text(_text(new), encoding="utf-8")
        part.replace(folder / FILE)


def _text(figures: Figures) -> str:
    """Return the file's text: one line a row, always in the same order, so that two versions compare and merge line by line."""
    parts = []
    for name, rows in (("edges", sorted(figures.edges, key=_order)), ("balance", sorted(figures.balance, key=_order))):
        lines = ",\n    ".join(json.dumps(asdict(row), ensure_ascii=False) for row in rows)
        parts.append(f'  "{name}": [\n    {lines}\n  ]' if lines else f'  "{name}": []')
    return f'{{\n  "format": {FORMAT},\n' + ",\n".join(parts) + "\n}\n"


def _order(row: EdgeFigures | OrderFigures) -> tuple[Any, ...]:
    return row.key


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def bots_mark(folder: Path) -> str:
    """Return a short hash of a game's code and weights, without what only talks or draws: equal marks play equal games from equal seeds."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".npz", ".json", ".toml") and not _NOT_BOTS.fullmatch(path.name) and "__pycache__" not in path.parts:
            found.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:10]


def source(command: str, seed: int, bots: str) -> Source:
    """Return how figures come about that are measured here and today."""
    return Source(command, f"{datetime.now(UTC):%Y-%m-%d}", len(os.sched_getaffinity(0)), machine(), seed, bots)


def machine() -> str:
    """Return processor and Python of this machine in words."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    processor = " ".join(found[1].split()) if found else platform.machine()
    return f"{processor}, {platform.python_implementation()} {platform.python_version()}"
