"""One backup of the suite's own database, and altered copies of it."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from portal.common import backups

Alter = Callable[..., Path]


@pytest.fixture(scope="module")
def good(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return an undamaged backup."""
    with django_db_blocker.unblock():
        file = tmp_path_factory.mktemp("backups") / "good.zip"
        backups.write(file)
        connection.close()
    return file


@pytest.fixture
def altered(good: Path, tmp_path: Path) -> Alter:
    """Return a function that writes a copy with other entries in its manifest, or another dump whose checksum is right."""

    def write(dump: Callable[[bytes], bytes] = bytes, **entries: Any) -> Path:
        file = tmp_path / "altered.zip"
        with zipfile.ZipFile(good) as source, zipfile.ZipFile(file, "w") as target:
            inside = dump(source.read(backups.DUMP))
            manifest = json.loads(source.read(backups.MANIFEST))
            manifest |= {"dump_bytes": len(inside), "dump_sha256": hashlib.sha256(inside).hexdigest()} | entries
            target.writestr(backups.DUMP, inside)
            target.writestr(backups.MANIFEST, json.dumps({name: value for name, value in manifest.items() if value is not None}))
        return file

    return write
