"""Data sets of self-play: an archive of games that bots play on all cores, resumed where it was interrupted.

Finished pieces of `PIECE` games are files of their own, written at once, and are not played again; the archive is written from them at the end.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Final

from archives.manifest import ArchiveError, Manifest, digest_of, read_manifest
from archives.rows import Row, to_line
from archives.selfplay import Plan, play
from games.core.contract import GameFinder

PIECE: Final = 50  # games
At = Callable[[int], None]


def name_of(plan: Plan, games: int, rules_version: int) -> str:
    """Return the name of a data set, which tells plans, numbers of games and versions of the rules apart."""
    level = plan.levels[0] if len(set(plan.levels)) == 1 else "mixed"
    return f"{plan.game}-{len(plan.levels)}-{level}-{games}-{_mark(plan, rules_version)}"


def _mark(plan: Plan, rules_version: int) -> str:
    return hashlib.sha256(f"{plan.name}/{rules_version}".encode()).hexdigest()[:8]


def make(find: GameFinder, folder: Path, plan: Plan, games: int, jobs: int = 1, at: At | None = None) -> Manifest:
    """Return the manifest of a data set, which is played and written as far as it isn't there; `at(n)` is told how many games are ready.

    `find` must be importable by the other processes. Raises ArchiveError or OSError where files can't be written.
    """
    version = find(plan.game).meta.rules_version
    name = name_of(plan, games, version)
    if (done := _finished(folder, name, games)) is not None:
        if at is not None:
            at(games)
        return done
    parts = folder / f".{plan.game}-{_mark(plan, version)}.pieces"
    _play_missing(find, parts, plan, games, jobs, at or (lambda _: None))
    from archives.writing import Writer  # loads pyarrow: after the bots have played, so that none of their processes has it

    source = {"kind": "self-play", **asdict(plan)}
    with Writer(folder, name, game=plan.game, month=None, source=source) as out:
        for row in _rows(parts, games):
            out.add(row)
    shutil.rmtree(parts)
    assert out.manifest is not None
    return out.manifest


def _finished(folder: Path, name: str, games: int) -> Manifest | None:
    try:
        manifest = read_manifest(folder / f"{name}.json")
        is_whole = all(digest_of(folder / file.name) == file.sha256 for file in manifest.files)
    except (ArchiveError, OSError):
        return None
    return manifest if is_whole and manifest.rows == games else None


def _sizes(games: int) -> list[int]:
    return [min(PIECE, games - first) for first in range(0, games, PIECE)]


def _path(parts: Path, piece: int) -> Path:
    return parts / f"{piece:06d}.jsonl.gz"


def _play_missing(find: GameFinder, parts: Path, plan: Plan, games: int, jobs: int, at: At) -> None:
    parts.mkdir(parents=True, exist_ok=True)
    sizes = _sizes(games)
    missing = [piece for piece, size in enumerate(sizes) if _count(_path(parts, piece)) < size]
    ready = games - sum(sizes[piece] for piece in missing)
    at(ready)
    if jobs <= 1 or len(missing) <= 1:
        for piece in missing:
            ready += _play_piece(find, parts, plan, piece, sizes[piece])
            at(ready)
        return
    with ProcessPoolExecutor(min(jobs, len(missing))) as pool:
        running = [pool.submit(_play_piece, find, parts, plan, piece, sizes[piece]) for piece in missing]
        try:
            for done in as_completed(running):
                ready += done.result()
                at(ready)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _play_piece(find: GameFinder, parts: Path, plan: Plan, piece: int, games: int) -> int:
    game, first, path = find(plan.game), piece * PIECE, _path(parts, piece)
    lines = b"".join(to_line(play(game, plan, number)) for number in range(first, first + games))
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(gzip.compress(lines, 5, mtime=0))
    draft.replace(path)
    return games


def _piece(path: Path) -> list[Row]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def _count(path: Path) -> int:
    try:
        return len(_piece(path))
    except (OSError, EOFError, ValueError):
        return 0


def _rows(parts: Path, games: int) -> Iterator[Row]:
    """Yield the games in order, a piece at a time in memory; a piece may have more than are wanted, from a longer run."""
    for piece, size in enumerate(_sizes(games)):
        yield from _piece(_path(parts, piece))[:size]
