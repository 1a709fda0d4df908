"""Writes the archives that are due, and the figures from them. Whatever is interrupted goes on with the next run; nothing is written twice."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from archives.figures import Figures as Found
from archives.figures import Totals, figures_of
from archives.manifest import PARQUET, ArchiveError, Manifest, read_manifest
from portal.archives.models import Archive, Figures, OpeningMove
from portal.archives.source import Key, Source, rows_of, sources
from portal.common.progress import Bar

Bars = Callable[[str, int], Bar]
BATCH = 1000
COUNTS = ("lengths", "scores", "winning", "reasons")
COUNTED_AS = "1 "  # another number has figures added up again after an update
AGAIN = 3  # looks for what changed while it worked
MARK = ".again"  # left by a process that was refused: there may be more to write


class Running(Exception):
    """Another process writes archives here."""


@dataclass(slots=True)
class Made:
    """What a run did: archives written (by name, with their games), names of those removed, games whose figures were added up."""

    written: dict[str, int] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    has_run: bool = False  # once; the rest is another process's, if there is one


def folder_of(game: str) -> Path:
    return Path(settings.ARCHIVES_DIR) / game


def name_of(game: str, month: date) -> str:
    return f"{game}-{month:%Y-%m}"


def this_month() -> date:
    """Return the first day of the month that isn't over yet, in UTC."""
    return datetime.now(UTC).date().replace(day=1)


def make(
    *,
    games: Collection[str] | None = None,
    month: date | None = None,
    again: bool = False,
    bars: Bars = Bar,
) -> Made:
    """Write what is due of these games (None: all) and this month (None: all that are over), and their figures.

    `again` writes what has not changed, too. Raises Running.
    """
    made = Made()
    folder = Path(settings.ARCHIVES_DIR)
    while True:
        try:
            with _alone(folder):
                (folder / MARK).unlink(missing_ok=True)
                for _ in range(AGAIN):
                    if not _write_due(made, games, month, again=again, bars=bars):
                        break
                    again = False
                _add_up(made, games, bars)
        except Running:
            if made.has_run:  # another process has begun since, and sees what is left
                return made
            raise
        made.has_run = True
        if not (folder / MARK).exists():
            return made
        games = month = None  # another process was refused meanwhile: what it knew of may be in any of them


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "a") as lock:
        if not _is_locked(lock):
            (folder / MARK).touch()  # the other process looks again before it ends,
            if not _is_locked(lock):  # unless it has ended between the two
                raise Running
        yield


def _is_locked(lock: IO[str]) -> bool:
    """Lock a file if no other process has it; say whether it is locked now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _write_due(made: Made, games: Collection[str] | None, month: date | None, *, again: bool, bars: Bars) -> int:
    def is_meant(key: Key) -> bool:
        return (games is None or key[0] in games) and (month is None or key[1] == month)

    there = {key: source for key, source in sources(this_month()).items() if is_meant(key)}
    known = {(row.game, row.month): row for row in Archive.objects.all() if is_meant((row.game, row.month))}
    due = sorted(key for key, source in there.items() if again or not _is_good(known.get(key), source))
    gone = sorted(known.keys() - there.keys())
    for key in gone:
        _remove(key)
        made.removed.append(name_of(*key))
    if due:
        with bars("games", sum(there[key].rows for key in due)) as bar:
            for key in due:
                made.written[name_of(*key)] = _write(key, there[key], bar)
    return len(due) + len(gone)


def _is_good(row: Archive | None, source: Source) -> bool:
    """Say whether an archive was made from this source, and its files are there."""
    if row is None or row.source != source.text:
        return False
    try:
        manifest = read_manifest(folder_of(row.game) / f"{name_of(row.game, row.month)}.json")
        sizes = [(folder_of(row.game) / file.name).stat().st_size for file in manifest.files]
    except (ArchiveError, OSError):
        return False
    return manifest.to_json() == row.manifest and sizes == [file.bytes for file in manifest.files]


def _write(key: Key, source: Source, bar: Bar) -> int:
    from archives.writing import Writer  # loads pyarrow, which the portal can do without

    game, month = key
    told = {"kind": "site", "url": settings.BASE_URL}
    done = bar.done
    with Writer(folder_of(game), name_of(game, month), game=game, month=f"{month:%Y-%m}", source=told) as out:
        for row in rows_of(game, month):
            out.add(row)
            bar.at(done + out.rows)
    assert out.manifest is not None
    values = {"rows": out.rows, "manifest": out.manifest.to_json(), "source": source.text, "made_at": timezone.now()}
    Archive.objects.update_or_create(game=game, month=month, defaults=values)
    return out.rows


def _remove(key: Key) -> None:
    from archives.writing import remove

    remove(folder_of(key[0]), name_of(*key))
    Archive.objects.filter(game=key[0], month=key[1]).delete()


# Figures


def _add_up(made: Made, games: Collection[str] | None, bars: Bars) -> None:
    """Add up the figures of games whose archives have changed since."""
    there: dict[str, list[Manifest]] = {}
    for row in Archive.objects.order_by("game", "month"):
        there.setdefault(row.game, []).append(Manifest.from_json(row.manifest, str(row)))
    counted = dict(Figures.objects.values_list("game", "made_from"))
    for game in sorted(there.keys() | counted.keys()):
        manifests = there.get(game, [])
        made_from = hashlib.sha256((COUNTED_AS + "".join(file.sha256 for each in manifests for file in each.files)).encode()).hexdigest()
        if (games is None or game in games) and counted.get(game) != (made_from if manifests else None):
            files = [folder_of(game) / each.file(PARQUET).name for each in manifests]
            _store(game, _figures(files, sum(each.rows for each in manifests), bars), made_from)
            made.figures.append(game)


def _figures(files: list[Path], rows: int, bars: Bars) -> Found:
    if not files:
        return Found()
    from archives.glance import games_of

    def games() -> Iterator[Any]:
        with bars("games counted", rows) as bar:
            for number, game in enumerate(games_of(files), 1):
                yield game
                bar.at(number)

    return figures_of(games)


def _store(game: str, found: Found, made_from: str) -> None:
    """Put figures in the place of earlier ones, at once for readers."""
    totals = [
        Figures(game=game, seats=seats, company=company, games=sums.games, totals=_json(sums), made_from=made_from)
        for (seats, company), sums in found.totals.items()
    ]
    moves = (
        OpeningMove(
            game=game,
            seats=seats,
            company=company,
            after="".join(f"{move}\n" for move in line[:-1]),
            move=line[-1],
            **{name: getattr(sums, name) for name in ("games", "wins", "places", "squares", "table")},
        )
        for (seats, company), lines in found.moves.items()
        for line, sums in lines.items()
    )
    with transaction.atomic():
        Figures.objects.filter(game=game).delete()
        OpeningMove.objects.filter(game=game).delete()
        Figures.objects.bulk_create(totals)
        OpeningMove.objects.bulk_create(moves, batch_size=BATCH)


def _json(sums: Totals) -> dict[str, Any]:
    """Return totals as JSON: counts of values as pairs in order, because keys of JSON are texts."""
    counts = {name: [[value, count] for value, count in sorted(getattr(sums, name).items())] for name in COUNTS}
    return {"seats": [asdict(seat) for seat in sums.seats], **counts}
