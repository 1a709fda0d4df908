"""Writes archives row by row: both files under temporary names, then their own, the manifest last. Memory holds `GROUP` rows, whatever their number."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from archives.columns import SCHEMA, batch_of
from archives.manifest import JSONL, MARK, NAME, PARQUET, SUFFIXES, ArchiveError, File, Manifest, digest_of, read_manifest, write_manifest
from archives.rows import Row, to_line

GROUP: Final = 250  # rows that are held, and that form a row group of Parquet


class Writer:
    """`with Writer(folder, name, game=..., month=..., source=...) as out: out.add(row)`; `out.manifest` is there at the end.

    Whatever fails before leaves an earlier archive of the name as it was. One process at a time may write to a folder.
    """

    def __init__(self, folder: Path, name: str, *, game: str, month: str | None, source: dict[str, Any]) -> None:
        """Raises ArchiveError for a name that no archive can have."""
        if not NAME.fullmatch(name):
            raise ArchiveError(f"{name[:80]!r} can't be the name of an archive")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.name, self.game, self.month, self.source = folder, name, game, month, source
        self.rows = 0
        self.manifest: Manifest | None = None
        self._held: list[Row] = []
        self._versions: set[int] = set()
        self._drafts = {kind: folder / f".{name}.{kind}.{os.getpid()}.part" for kind in SUFFIXES}

    def __enter__(self) -> Writer:
        self._lines = pa.CompressedOutputStream(pa.OSFile(str(self._drafts[JSONL]), "wb"), "zstd")
        self._parquet = pq.ParquetWriter(str(self._drafts[PARQUET]), SCHEMA, compression="zstd", version="2.6")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._flush()
            with contextlib.suppress(*((pa.ArrowException, OSError) if kind is not None else ())):
                self._lines.close()
                self._parquet.close()
            if kind is None:
                self._finish()
        finally:
            for draft in self._drafts.values():
                draft.unlink(missing_ok=True)

    def add(self, row: Row) -> None:
        """Add a game. Raises ArchiveError if it is of another game."""
        if row["game"] != self.game:
            raise ArchiveError(f"{self.name}: takes no game of {row['game']!r}")
        self._held.append(row)
        self._versions.add(row["rules_version"])
        self.rows += 1
        if len(self._held) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            self._lines.write(b"".join(map(to_line, self._held)))
            self._parquet.write_batch(batch_of(self._held), row_group_size=GROUP)
            self._held.clear()

    def _finish(self) -> None:
        files = []
        for kind, draft in self._drafts.items():
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            digest = digest_of(draft)
            name = f"{self.name}-{digest[:MARK]}.{kind}"
            files.append(File(name, kind, draft.stat().st_size, digest))
            draft.replace(self.folder / name)
        self.manifest = Manifest(
            name=self.name,
            game=self.game,
            month=self.month,
            rows=self.rows,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            rules_versions=sorted(self._versions),
            source=self.source,
            files=files,
        )
        write_manifest(self.folder, self.manifest)
        tidy(self.folder, self.name)


def tidy(folder: Path, name: str) -> list[str]:
    """Remove files of an archive that its manifest doesn't name, and drafts of killed writers; return their names."""
    try:
        kept = {file.name for file in read_manifest(folder / f"{name}.json").files}
    except ArchiveError:
        kept = set()
    ours = re.compile(rf"{re.escape(name)}-[0-9a-f]{{{MARK}}}\.({'|'.join(map(re.escape, SUFFIXES))})|\.{re.escape(name)}\..*\.part")
    gone = sorted(path.name for path in folder.iterdir() if ours.fullmatch(path.name) and path.name not in kept)
    for left in gone:
        (folder / left).unlink(missing_ok=True)
    return gone


def remove(folder: Path, name: str) -> None:
    """Remove an archive, its manifest first."""
    (folder / f"{name}.json").unlink(missing_ok=True)
    if folder.exists():
        tidy(folder, name)
