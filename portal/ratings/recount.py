"""The standings recalculated from the finished games, to compare them with the stored ones or to write them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from portal.ratings.books import Books, Change, Line, apply, ladder_keys, rate
from portal.ratings.followers import FOLLOWERS, Check, write_all
from portal.ratings.formula import bucket_of
from portal.ratings.models import Calibration, ClubRecord, Ladder, Meeting, RankBucket, Rating, RatingChange, RatingClock, SeatEffect, Tally
from portal.ratings.results import Result, read_results
from portal.ratings.services import (
    CALIBRATION_FIELDS,
    EFFECT_FIELDS,
    MEETING_FIELDS,
    RATING_FIELDS,
    RECORD_FIELDS,
    TALLY_FIELDS,
    calibration_key,
    effect_key,
    last_finished,
    locked_clock,
    meeting_key,
    new_ladders,
    rating_of,
    record_key,
    tally_key,
)

Progress = Callable[[int], None]
OTHERS = (Tally, Meeting, SeatEffect, Calibration, ClubRecord)
CHANGE_COLUMNS = ("rating_id", "table_id", "number", "place", "mu_before", "sigma_before", "mu_after", "sigma_after")

# PostgreSQL's binary form of COPY: a head, each row with its number of fields and their lengths, an end.
_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_ROW = Struct("!h iq iq iq ih id id id id")
_END = b"\xff\xff"


@dataclass(slots=True)
class Recount:
    """Standings in memory, with everything needed to write or compare them. `only`: the key of a ladder; the rest is left out."""

    only: str = ""
    books: Books = field(default_factory=Books)
    ladders: dict[str, Ladder] = field(default_factory=dict)
    games: int = 0
    _keeps: dict[tuple[Any, ...], bool | None] = field(
        default_factory=dict
    )  # by kind of game: whether `only` keeps its changes; None: not moved

    def add(self, results: Sequence[Result]) -> None:
        """Apply the next games."""
        self.games += len(results)
        for result in results:
            if not result.is_rated:
                continue
            if not self.only:
                apply(result, self.books)
                continue
            kind = (result.pool, result.game, result.club_id, *result.season_ids)
            if kind not in self._keeps:
                self._keeps[kind] = dict(ladder_keys(result)).get(self.only)
            if (keeps := self._keeps[kind]) is not None:
                rate(result, self.books, self.only, keeps_changes=keeps)

    def buckets(self) -> dict[tuple[str, int], int]:
        """Return how many ratings are in each bucket of each ladder."""
        counts: dict[tuple[str, int], int] = {}
        for (key, _), row in self.books.ratings.items():
            place = key, bucket_of(row.order_value)
            counts[place] = counts.get(place, 0) + 1
        return counts

    def players(self) -> dict[str, int]:
        """Return how many ratings each ladder has."""
        counts: dict[str, int] = {}
        for key, _ in self.books.ratings:
            counts[key] = counts.get(key, 0) + 1
        return counts


# Comparing


def check(progress: Progress | None = None) -> tuple[Recount, list[str]]:
    """Recalculate everything and compare it with what is stored, row for row and bit for bit; one line for each difference.

    Games that end meanwhile wait only for the last part: most of it is calculated before the standings are locked.
    """
    look = _Look()
    up_to = RatingClock.objects.values_list("applied_up_to", flat=True).first() or 0
    look.at(0, up_to, progress)
    with transaction.atomic():
        clock = locked_clock()
        look.at(up_to, clock.applied_up_to, progress)
        lines = [*_compare(look.count), *look.lines]
        for follower in look.followers:
            lines += follower.differences()
        stored = RatingChange.objects.count()
        if stored != look.changes:
            lines.append(f"changes: {stored} stored, {look.changes} reckoned")
    return look.count, lines


@dataclass(slots=True)
class _Look:
    """A recount that compares rating changes as it goes, since a million games have too many to keep."""

    count: Recount = field(default_factory=Recount)
    followers: list[Check] = field(default_factory=lambda: [follower.check() for follower in FOLLOWERS])
    lines: list[str] = field(default_factory=list)
    changes: int = 0

    def at(self, after: int, up_to: int, progress: Progress | None) -> None:
        """Go through the games with after < number <= up_to."""
        for results in read_results(after=after, up_to=up_to):
            self.count.add(results)
            self.lines += _compare_changes(self.count.books.changes, [result.table_id for result in results])
            self.changes += len(self.count.books.changes)
            self.count.books.changes.clear()
            for follower in self.followers:
                follower.add(results)
            if progress is not None and results:
                progress(results[-1].number)


def _compare(count: Recount) -> Iterator[str]:
    books = count.books
    names = dict(Ladder.objects.values_list("pk", "key"))
    stored = {(names[row.ladder_id], (row.user_id, row.bot_level)): row for row in Rating.objects.all()}
    yield from _differences("rating", stored, books.ratings, RATING_FIELDS)
    is_listed = Q(user__is_active=True, user__is_guest=False)
    for rating in Rating.objects.filter(Q(is_listed, is_listed=False) | Q(~is_listed, is_listed=True), user__isnull=False).order_by("pk"):
        who = rating.user_id, rating.bot_level
        yield f"rating {(names[rating.ladder_id], who)}: stored is_listed {rating.is_listed}, the account says otherwise"
    yield from _differences("tally", {tally_key(row): row for row in Tally.objects.all()}, books.tallies, TALLY_FIELDS)
    yield from _differences("meeting", {meeting_key(row): row for row in Meeting.objects.all()}, books.meetings, MEETING_FIELDS)
    yield from _differences("seat effect", {effect_key(row): row for row in SeatEffect.objects.all()}, books.effects, EFFECT_FIELDS)
    calibrations = {calibration_key(row): row for row in Calibration.objects.all()}
    yield from _differences("calibration", calibrations, books.calibrations, CALIBRATION_FIELDS)
    yield from _differences("record", {record_key(row): row for row in ClubRecord.objects.all()}, books.records, RECORD_FIELDS)
    buckets = {(names[row.ladder_id], row.bucket): row.ratings for row in RankBucket.objects.exclude(ratings=0)}
    wanted = count.buckets()
    for key in sorted(set(buckets) | set(wanted)):
        if buckets.get(key, 0) != wanted.get(key, 0):
            yield f"bucket {key[0]} {key[1]}: stored {buckets.get(key, 0)}, reckoned {wanted.get(key, 0)}"
    players = count.players()
    for row in Ladder.objects.all():
        if row.players != players.get(row.key, 0):
            yield f"ladder {row.key}: stored {row.players} players, reckoned {players.get(row.key, 0)}"


def _differences(kind: str, stored: dict[Any, Any], wanted: dict[Any, Any], fields: Sequence[str]) -> Iterator[str]:
    for key in sorted(set(stored) | set(wanted), key=str):
        row, one = stored.get(key), wanted.get(key)
        name = f"{kind} {key}"
        if row is None:
            yield f"{name}: is missing"
        elif one is None:
            yield f"{name}: belongs to no finished game"
        else:
            for name_of in fields:
                if getattr(row, name_of) != getattr(one, name_of):
                    yield f"{name}: stored {name_of} {getattr(row, name_of)}, reckoned {getattr(one, name_of)}"


def _compare_changes(changes: Sequence[Change], tables: Sequence[int]) -> Iterator[str]:
    """Compare the recalculated changes from the games at these tables with the stored ones."""
    wanted = {(key, number): (table, *rest) for key, table, number, *rest in changes}
    names = ("rating__ladder__key", "rating__user_id", "rating__bot_level")
    rows = RatingChange.objects.filter(table__in=tables).values_list(*names, "number", "table_id", *CHANGE_COLUMNS[3:])
    for ladder, user, level, number, *rest in rows:
        found = wanted.pop(((ladder, (user, level)), number), None)
        if found != tuple(rest):
            yield f"change {ladder} {user or level} by game {number}: stored {tuple(rest)}, reckoned {found}"
    for (key, number), found in wanted.items():
        yield f"change {key} by game {number}: is missing, reckoned {found}"


# Writing


def rebuild(progress: Progress | None = None, *, only: str = "") -> Recount:
    """Rewrite all standings in one transaction, or with `only` those of one ladder; readers see the old ones until it is done.

    Raises Ladder.DoesNotExist when there is no ladder with that key.
    """
    alone = not connection.in_atomic_block  # otherwise another connection would not see what the caller has written
    with transaction.atomic(), ThreadPoolExecutor(1) as hand:
        clock = locked_clock()
        count = Recount(only)
        ladder = Ladder.objects.get(key=only) if only else None
        _delete(ladder)
        if ladder is None:
            for follower in FOLLOWERS:
                follower.clear()
        names = dict(Ladder.objects.values_list("key", "pk"))
        writer = _Writer(count, names, hand)
        up_to = clock.applied_up_to if ladder is not None else last_finished()
        with _no_garbage():
            for results in _read_ahead(up_to) if alone else read_results(after=0, up_to=up_to):
                count.add(results)
                writer.write_changes(results)
                if ladder is None:
                    writer.wait()
                    write_all(results)
                if progress is not None and results:
                    progress(results[-1].number)
        writer.finish(ladder)
        clock.applied_up_to = up_to
        clock.save(update_fields=["applied_up_to"])
    return count


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Switch garbage collection off: a recount creates no cycles, but a great many objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_ahead(up_to: int) -> Iterator[list[Result]]:
    """Yield all results, reading each part on a connection of its own while the previous one is processed."""
    parts = read_results(after=0, up_to=up_to)
    with ThreadPoolExecutor(1) as hand:
        try:
            coming = hand.submit(next, parts, None)
            while (results := coming.result()) is not None:
                coming = hand.submit(next, parts, None)
                yield results
        finally:
            hand.submit(_close)


def _close() -> None:
    """Close the connection of the thread that runs this."""
    connection.close()


def _delete(ladder: Ladder | None) -> None:
    if ladder is None:
        for model in (RatingChange, RankBucket, Rating, *OTHERS):
            model.objects.all()._raw_delete(using="default")
        Ladder.objects.update(players=0)
        return
    own = Rating.objects.filter(ladder=ladder)
    RatingChange.objects.filter(rating__in=own)._raw_delete(using="default")
    RankBucket.objects.filter(ladder=ladder).delete()
    own._raw_delete(using="default")


class _Writer:
    """Writes a recount. It assigns the ids of ratings, so that their changes can be copied before the ratings are final."""

    def __init__(self, count: Recount, ladders: dict[str, int], hand: ThreadPoolExecutor) -> None:
        self.count, self.ladders, self._hand = count, ladders, hand
        self._copying: Future[None] | None = None
        with connection.cursor() as cursor:
            cursor.execute("SELECT nextval(pg_get_serial_sequence('ratings_rating', 'id'))")
            self.next_id: int = cursor.fetchone()[0]

    def write_changes(self, results: Sequence[Result]) -> None:
        """Copy the changes collected since the last call into the database, while the next games are processed, and drop them."""
        books = self.count.books
        self.wait()
        self._number(results)
        ratings = books.ratings
        rows = [
            _ROW.pack(8, 8, ratings[key].pk, 8, table, 8, number, 2, place, 8, mu, 8, sigma, 8, new_mu, 8, new_sigma)
            for key, table, number, place, mu, sigma, new_mu, new_sigma in books.changes
        ]
        books.changes.clear()
        self._copying = self._hand.submit(self._copy, connection.connection, b"".join([_HEAD, *rows, _END]))

    def wait(self) -> None:
        """Wait until the connection is free again."""
        if self._copying is not None:
            self._copying.result()
            self._copying = None

    @staticmethod
    def _copy(line: Any, rows: bytes) -> None:
        with (
            line.cursor() as cursor,
            cursor.copy(f"COPY ratings_ratingchange ({', '.join(CHANGE_COLUMNS)}) FROM STDIN (FORMAT binary)") as copy,
        ):
            copy.write(rows)

    def _number(self, results: Sequence[Result]) -> None:
        """Give ids to new ratings in the order in which they appeared, and create their ladders."""
        if not self.count.only:
            missing = [row for key, row in new_ladders(r for r in results if r.is_rated).items() if key not in self.ladders]
            for row in Ladder.objects.bulk_create(missing):
                self.ladders[row.key] = row.pk
        fresh: list[Line] = []
        for line in reversed(self.count.books.ratings.values()):
            if line.pk is not None:
                break
            fresh.append(line)
        for line in reversed(fresh):
            line.pk = self.next_id
            self.next_id += 1

    def finish(self, ladder: Ladder | None) -> None:
        """Write everything else."""
        self.wait()
        books = self.count.books
        Rating.objects.bulk_create((rating_of(key, line, self.ladders[key[0]]) for key, line in books.ratings.items()), batch_size=2000)
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('ratings_rating', 'id'), %s)", [self.next_id])
        RankBucket.objects.bulk_create(
            (RankBucket(ladder_id=self.ladders[key], bucket=bucket, ratings=n) for (key, bucket), n in self.count.buckets().items()),
            batch_size=2000,
        )
        for rows in (books.tallies, books.meetings, books.effects, books.calibrations, books.records):
            values: list[Any] = list(rows.values())
            if values:
                type(values[0]).objects.bulk_create(values, batch_size=2000)
        players = self.count.players()
        rows_of = list(Ladder.objects.filter(pk=ladder.pk) if ladder is not None else Ladder.objects.all())
        for row in rows_of:
            row.players = players.get(row.key, 0)
        Ladder.objects.bulk_update(rows_of, ["players"], batch_size=1000)
