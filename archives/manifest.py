"""The manifest of an archive: what is in it, its files with their checksums, its licence, and what the columns mean."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from archives.rows import COLUMNS

FORMAT: Final = "ziggurat-archive/1"
JSONL, PARQUET = SUFFIXES = ("jsonl.zst", "parquet")
NAME: Final = re.compile(r"[a-z_]{1,40}-[0-9a-z-]{1,40}")  # of an archive: `ra-2026-10`
MARK: Final = 12  # hex digits of the checksum in the name of a file
LICENCE: Final = {"id": "CC0-1.0", "url": "https://creativecommons.org/publicdomain/zero/1.0/"}
SCHEMA: Final = [{"name": column.name, "type": column.type, "in_json": column.path, "says": column.says} for column in COLUMNS]
LARGEST: Final = 1_000_000
_CHUNK: Final = 1 << 20


class ArchiveError(ValueError):
    """An archive that is damaged, incomplete or none at all: one line that names the file."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of an archive; `name` is relative to the manifest's folder."""

    name: str
    kind: str  # of SUFFIXES
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive tells about itself. `source` says where the games are from; `month` is as `2026-10`, or None for self-play."""

    name: str
    game: str
    month: str | None
    rows: int
    made_at: str
    rules_versions: list[int]
    source: dict[str, Any]
    files: list[File]

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as it is written, with format, licence and schema."""
        return {"format": FORMAT, **asdict(self), "licence": LICENCE, "schema": SCHEMA}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Manifest:
        """Raises ArchiveError, starting with `where`, if it is none."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ArchiveError(f"{where}: is no manifest of the format {FORMAT}")
        try:
            files = [File(str(each["name"]), str(each["kind"]), int(each["bytes"]), str(each["sha256"])) for each in data["files"]]
            values = {name: data[name] for name in ("name", "game", "month", "rows", "made_at", "rules_versions", "source")}
            kinds: tuple[type | tuple[type, ...], ...] = (str, str, (str, type(None)), int, str, list, dict)
            faulty = [name for (name, value), kind in zip(values.items(), kinds, strict=True) if not isinstance(value, kind)]
        except (KeyError, TypeError, ValueError) as error:
            raise ArchiveError(f"{where}: a field is missing or wrong ({error})") from None
        if faulty or any(not plain(file.name) or file.kind not in SUFFIXES for file in files):
            raise ArchiveError(f"{where}: a field is wrong ({', '.join(faulty) or 'files'})")
        return cls(**values, files=files)

    def file(self, kind: str) -> File:
        """Return the file of a kind. Raises ArchiveError if there is none."""
        found = next((file for file in self.files if file.kind == kind), None)
        if found is None:
            raise ArchiveError(f"{self.name}: has no file of the kind {kind}")
        return found


def plain(name: str) -> bool:
    """Say whether a file's name stays in its folder."""
    return bool(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name))


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in a file. Raises ArchiveError."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ArchiveError(f"{path}: is larger than a manifest")
        return Manifest.from_json(json.loads(text), str(path))
    except OSError as error:
        raise ArchiveError(f"{path}: can't be read ({error.strerror})") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ArchiveError(f"{path}: is no JSON") from None


def write_manifest(folder: Path, manifest: Manifest) -> Path:
    """Write a manifest at once, in the place of an earlier one; its files must be there."""
    path = folder / f"{manifest.name}.json"
    draft = folder / f".{path.name}.{os.getpid()}.part"
    with draft.open("w", encoding="utf-8") as out:
        json.dump(manifest.to_json(), out, ensure_ascii=False, indent=1)
        out.write("\n")
        out.flush()
        os.fsync(out.fileno())
    draft.replace(path)
    return path


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()
