"""Reads archives: checksums, rows of either file, and each game played again by its rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from archives.columns import SCHEMA
from archives.manifest import JSONL, PARQUET, ArchiveError, Manifest, digest_of, read_manifest
from archives.rows import Row, from_values
from games.core import records
from games.core.contract import AnyGame, GameFinder, PositionError

LONGEST_LINE = 1_000_000  # bytes
_PIECE = 1 << 18


class Archive:
    """An archive beside its manifest. Every row is yielded as the line of JSON says it, from either file."""

    def __init__(self, manifest: Path) -> None:
        """Raises ArchiveError if there is no manifest."""
        self.folder = manifest.parent
        self.manifest: Manifest = read_manifest(manifest)

    def path(self, kind: str) -> Path:
        return self.folder / self.manifest.file(kind).name

    def check_files(self) -> None:
        """Compare the files with their sizes and checksums. Raises ArchiveError."""
        for file in self.manifest.files:
            path = self.folder / file.name
            try:
                if path.stat().st_size != file.bytes or digest_of(path) != file.sha256:
                    raise ArchiveError(f"{path}: is damaged or incomplete; download it again")
            except OSError as error:
                raise ArchiveError(f"{path}: can't be read ({error.strerror})") from None

    def rows(self, kind: str = JSONL) -> Iterator[Row]:
        """Yield the rows, a few at a time in memory. Raises ArchiveError where a file can't be read."""
        path = self.path(kind)
        try:
            yield from _lines(path) if kind == JSONL else _parquet(path)
        except (OSError, pa.ArrowException, ValueError, KeyError, TypeError) as error:
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"{path}: can't be read ({error})") from None

    def verify(self, find: GameFinder, *, games: bool = True, at: Callable[[int], None] | None = None) -> int:
        """Check everything: files, that both have the same rows, and, with `games`, that each game was possible, with its draws and result.

        `at(n)` is told how many rows were checked. Returns their number. Raises ArchiveError for the first fault.
        """
        self.check_files()
        done = 0
        for line, values in zip_longest(self.rows(JSONL), self.rows(PARQUET)):
            if line is None or values is None or line != values:
                raise ArchiveError(f"{self.manifest.name}: row {done} differs between its two files")
            if games:
                check_game(line, find)
            done += 1
            if at is not None:
                at(done)
        if done != self.manifest.rows:
            raise ArchiveError(f"{self.manifest.name}: has {done} rows, and its manifest says {self.manifest.rows}")
        return done


def check_game(row: Row, find: GameFinder) -> None:
    """Play a game again: actions, sealed draws, result. Raises ArchiveError."""
    try:
        verdict = records.verify_record(row, find)
    except PositionError as error:
        raise ArchiveError(f"table {row.get('table')}: {error}") from None
    if not verdict.is_good:
        raise ArchiveError(f"table {row.get('table')}: {verdict.problems[0]}")


def replay(row: Row, find: GameFinder, visit: Callable[[int, int, str, Any], None] | None = None) -> tuple[AnyGame, Any]:
    """Return the game and its last position; `visit(index, actor, text, position)` is called before each action. Raises PositionError."""
    return records.replay(row, find, visit)


def _lines(path: Path) -> Iterator[Row]:
    left = b""
    with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as file:
        while piece := file.read(_PIECE):
            *whole, left = (left + piece).split(b"\n")
            if len(left) > LONGEST_LINE:
                raise ArchiveError(f"{path}: has a line that is too long")
            for line in whole:
                yield json.loads(line)
    if left:
        raise ArchiveError(f"{path}: ends in the middle of a line")


def _parquet(path: Path) -> Iterator[Row]:
    with pq.ParquetFile(str(path)) as file:
        if not file.schema_arrow.equals(SCHEMA):
            raise ArchiveError(f"{path}: has other columns than this release reads")
        for number in range(file.num_row_groups):
            for values in file.read_row_group(number, use_threads=False).to_pylist():
                yield from_values(values)
