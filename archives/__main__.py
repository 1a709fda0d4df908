"""`python -m archives check MANIFEST...`: checksums, equal rows in both files, every game played again. `show` prints what there is, `rows` the games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from archives.manifest import JSONL, SUFFIXES, ArchiveError
from archives.reading import Archive
from archives.rows import to_line
from games.registry import game


def main() -> int:
    """Return the exit code: 1 for a faulty archive."""
    parser = ArgumentParser(prog="python -m archives", description="Reads archives of games; docs/archives.md explains them.")
    parser.add_argument("what", choices=("show", "check", "rows"))
    parser.add_argument("manifest", nargs="+", type=Path, help="the manifest (JSON) beside the files of an archive")
    parser.add_argument("--files-only", action="store_true", help="check files and rows, but don't play the games again")
    parser.add_argument("--kind", choices=SUFFIXES, default=JSONL, help="the file that `rows` reads")
    given = parser.parse_args()
    for path in given.manifest:
        try:
            archive = Archive(path)
            if given.what == "rows":
                for row in archive.rows(given.kind):
                    sys.stdout.buffer.write(to_line(row))
            elif given.what == "check":
                rows = archive.verify(game, games=not given.files_only)
                sys.stdout.write(f"{archive.manifest.name}: {rows} games are in order\n")
            else:
                sizes = ", ".join(f"{file.name} {file.bytes} bytes" for file in archive.manifest.files)
                sys.stdout.write(f"{archive.manifest.name}: {archive.manifest.rows} games; {sizes}\n")
        except ArchiveError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
