"""Backups: one file with a dump of the database, and a manifest that tells what is in it and who can read it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.supervisor import dumps
from portal.supervisor.state import Problem

FORMAT = 1
MANIFEST, DUMP, SECRET = "manifest.json", "database.dump", "secret_key"
LARGEST_MANIFEST = 10_000_000
Bars = Callable[[str, int], Bar]


@dataclass(frozen=True)
class Manifest:
    """What a backup tells about itself."""

    format: int
    portal: str  # its version
    made_at: str
    postgresql: int  # major version of the server
    migrations: list[list[str]]  # applied ones, as [app, name]
    rules: dict[str, int]  # game -> version of its rules
    records: dict[str, int]  # database table -> rows
    dump_bytes: int
    dump_sha256: str

    @classmethod
    def from_json(cls, text: bytes) -> Manifest:
        """Raises ValueError when it is none, and Problem when a newer portal wrote it."""
        data = json.loads(text)
        if not isinstance(data, dict) or not isinstance(data.get("format"), int):
            raise ValueError("no format")
        if data["format"] > FORMAT:
            raise Problem("This backup was written by a newer release of Ziggurat. Install that release, then restore it.")
        kinds = {"int": int, "str": str, "list[list[str]]": list, "dict[str, int]": dict}
        for name, kind in cls.__annotations__.items():
            if not isinstance(data.get(name), kinds[kind]):
                raise ValueError(name)
        return cls(**{name: data[name] for name in cls.__annotations__})


# Names and places


def folder() -> Path:
    """Return the folder of backups without a name of their own, which is created for its owner only."""
    place: Path = settings.STATE.backups
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


# Writing


def write(file: Path, *, force: bool = False, bars: Bars = Bar) -> Manifest:
    """Write a backup of the database as it is now, while the portal runs. Raises Problem.

    It gets its name when it is complete; until then it is a hidden file beside it, which nobody else can read.
    """
    if not force:
        _refuse_existing(file)
    draft = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        _remove_abandoned(file)
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as out:
            manifest = _fill(out, bars)
            out.flush()
            os.fsync(out.fileno())
        if not force:
            _refuse_existing(file)
        draft.replace(file)
        _sync_folder(file.parent)
    except OSError as error:
        raise Problem(f"The backup cannot be written to {file}: {error.strerror}. Choose another place, or make room.") from None
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _refuse_existing(file: Path) -> None:
    if file.exists():
        raise Problem(f"{file} exists already. Choose another name, or overwrite it with --force.")


def _remove_abandoned(file: Path) -> None:
    """Remove what killed backups have left in this folder."""
    for left in file.parent.glob(".*.part"):
        number = left.name.split(".")[-2]
        if number.isdigit() and not Path(f"/proc/{number}").exists():
            left.unlink(missing_ok=True)


def _sync_folder(place: Path) -> None:
    with contextlib.suppress(OSError):  # not every file system can
        number = os.open(place, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _fill(out: io.BufferedRandom, bars: Bars) -> Manifest:
    params = database_params()
    made_at = datetime.now(UTC)
    with zipfile.ZipFile(out, "w") as archive, dumps.snapshot(params) as (looking, snapshot):
        migrations = _applied(looking)
        major = dumps.server_major(looking)
        tools = dumps.find_tools(major)
        with bars("tables counted", 0) as bar:
            records = dumps.count_rows(looking, _follow(bar))
        digest, size = hashlib.sha256(), 0
        with bars("records saved", sum(records.values())) as bar, archive.open(_entry(DUMP, made_at), "w", force_zip64=True) as inside:
            for piece in dumps.dump(tools, params, snapshot, _advance(bar, records)):
                inside.write(piece)
                digest.update(piece)
                size += len(piece)
            bar.at(bar.total)
        manifest = Manifest(
            format=FORMAT,
            portal=portal_version(),
            made_at=made_at.isoformat(timespec="seconds"),
            postgresql=major,
            migrations=migrations,
            rules={key: game(key).meta.rules_version for key in GAMES},
            records=records,
            dump_bytes=size,
            dump_sha256=digest.hexdigest(),
        )
        if secret := _own_secret():
            archive.writestr(_entry(SECRET, made_at), secret)
        archive.writestr(_entry(MANIFEST, made_at), json.dumps(asdict(manifest), indent=1))
    return manifest


def _entry(name: str, made_at: datetime) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, made_at.timetuple()[:6])
    entry.external_attr = 0o600 << 16  # unpacked by hand, it is for the owner only as well
    return entry


def _follow(bar: Bar) -> Callable[[int, int], None]:
    def at(done: int, total: int) -> None:
        bar.total = total
        bar.at(done)

    return at


def _advance(bar: Bar, records: Mapping[str, int]) -> Callable[[str], None]:
    """Return what moves the bar on by the rows of a table when the next one begins."""
    previous: list[str] = []

    def at(table: str) -> None:
        bar.at(bar.done + sum(records.get(name, 0) for name in previous))
        previous[:] = [table]

    return at


def _applied(looking: psycopg.Connection[Any]) -> list[list[str]]:
    try:
        return [list(row) for row in looking.execute("SELECT app, name FROM django_migrations ORDER BY id")]
    except psycopg.errors.UndefinedTable:
        raise Problem("The database holds no portal yet. Start the portal once, or restore a backup.") from None


def _own_secret() -> str:
    """Return the key that this portal made for itself, or nothing when its host keeps one in the environment."""
    return "" if os.environ.get("SECRET_KEY") else settings.STATE.secret("secret_key")


def database_params() -> dict[str, Any]:
    """Return how libpq opens the portal's database."""
    return dumps.libpq_params(connection.get_connection_params())


def portal_version() -> str:
    return str(tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]["version"])


# Reading


class Backup:
    """A backup that was read and checked: complete, undamaged, and one that this portal can use."""

    def __init__(self, file: Path, bars: Bars = Bar) -> None:
        """Raises Problem, with what to do."""
        self.file = file
        broken = f"{file} is damaged or incomplete. Copy it again from where it was written, or restore another backup."
        try:
            with zipfile.ZipFile(file) as archive:
                names = archive.namelist()
                if MANIFEST not in names or DUMP not in names or archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                    raise Problem(f"{file} is not a backup of Ziggurat. Name a file that `manage.py backup` wrote.")
                self.manifest = Manifest.from_json(archive.read(MANIFEST))
                self.secret = archive.read(SECRET).decode() if SECRET in names else ""
            digest = hashlib.sha256()
            for piece in self.pieces("kB checked", bars):
                digest.update(piece)
        except OSError as error:
            raise Problem(f"{file} cannot be read: {error.strerror or error}.") from None
        except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError, EOFError):
            raise Problem(broken) from None
        if digest.hexdigest() != self.manifest.dump_sha256:
            raise Problem(broken)
        self._check_release()

    def pieces(self, what: str, bars: Bars = Bar) -> Iterator[bytes]:
        """Yield the dump."""
        done = 0
        with zipfile.ZipFile(self.file) as archive, archive.open(DUMP) as inside, bars(what, self.manifest.dump_bytes // 1024) as bar:
            while piece := inside.read(dumps.PIECE_BYTES):
                yield piece
                done += len(piece)
                bar.at(done // 1024)

    def _check_release(self) -> None:
        newer = f"{self.file} was written by Ziggurat {self.manifest.portal}, which has {{}} that this release does not know. Install that release, then restore the backup."
        known = set(MigrationLoader(None).disk_migrations)
        for app, name in map(tuple, self.manifest.migrations):
            if (app, name) not in known:
                raise Problem(newer.format(f"the database change {app}.{name}"))
        for key, version in self.manifest.rules.items():
            try:
                rules = game(key)
            except KeyError:
                raise Problem(newer.format(f"the game {key}")) from None
            if version > rules.meta.rules_version:
                raise Problem(newer.format(f"version {version} of the rules of {key}"))

    def check_server(self, major: int) -> None:
        """Raise Problem when a server of this major version is too old for the backup."""
        if major < self.manifest.postgresql:
            raise Problem(
                f"{self.file} comes from PostgreSQL {self.manifest.postgresql}, and this portal has {major}. A dump cannot go back to an older "
                f"version: use PostgreSQL {self.manifest.postgresql} or newer."
            )
