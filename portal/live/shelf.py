"""The files of archives at their addresses. They come and go while the server runs, so each is looked for when it is asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from whitenoise.responders import MissingFileError, StaticFile

PREFIX: Final = "/archives/files/"
ADDRESS: Final = re.compile(
    r"/archives/files/(?P<folder>[a-z_]{1,40})/(?P<name>[a-z_]{1,40}-[0-9]{4}-[0-9]{2}(?:\.json|-[0-9a-f]{12}\.(?:jsonl\.zst|parquet)))"
)
TYPES: Final = {"json": "application/json", "zst": "application/zstd", "parquet": "application/vnd.apache.parquet"}


class Shelf:
    """The archives in a folder, in which each game has its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, path: str) -> StaticFile | None:
        """Return the file at an address; None if there is none, or it is no file of an archive.

        Browsers and proxies ask each time whether it has changed: when somebody deletes their account, names in it go. Any site may read it.
        """
        found = ADDRESS.fullmatch(path)
        if found is None:
            return None
        headers = [
            ("Cache-Control", "public, no-cache"),
            ("Access-Control-Allow-Origin", "*"),
            ("Content-Type", TYPES[found["name"].rpartition(".")[2]]),
        ]
        try:
            return StaticFile(str(self.folder / found["folder"] / found["name"]), headers)
        except (MissingFileError, OSError):
            return None
