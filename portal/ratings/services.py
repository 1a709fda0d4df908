"""Standings are written here and nowhere else: strictly in the order of finish numbers, exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q

from portal.ratings.books import (
    Books,
    CalibrationKey,
    EffectKey,
    Line,
    MeetingKey,
    RatingKey,
    RecordKey,
    TallyKey,
    apply,
    ladder_key,
    ladder_keys,
)
from portal.ratings.followers import write_all
from portal.ratings.formula import bucket_of
from portal.ratings.models import (
    Calibration,
    ClubRecord,
    Ladder,
    Meeting,
    RankBucket,
    Rating,
    RatingChange,
    RatingClock,
    SeatEffect,
    Tally,
)
from portal.ratings.results import Result, read_results
from portal.tables.models import Table

BATCH = 200  # games per transaction
LINE_FIELDS = ("mu", "sigma", "games", "wins", "place_sum", "seat_sum", "last_table_id", "last_at")
RATING_FIELDS = (*LINE_FIELDS, "order_value", "trend")
TALLY_FIELDS = ("games", "left", "wins", "places", "score_games", "score_sum", "best_score", "best_table_id")
MEETING_FIELDS = ("games", "low_ahead", "high_ahead", "last_at")
EFFECT_FIELDS = ("games", "wins", "expected", "variance", "place_sum", "score_sum")
CALIBRATION_FIELDS = ("cases", "predicted", "real", "variance")
RECORD_FIELDS = ("value", "user_id", "table_id", "at")


def apply_pending() -> int:
    """Bring the standings up to the last finished game; return how many games were applied.

    Holds the row of the clock, so two workers never apply a game twice and never out of order.
    """
    applied = 0
    while True:
        with transaction.atomic():
            clock = locked_clock()
            done, more = _advance(clock, BATCH)
        applied += done
        if not more:
            return applied


def apply_missed(**_signal: object) -> None:
    """Apply the games whose task was lost, when the tables' reconciler runs."""
    apply_pending()


@contextmanager
def standings_locked() -> Iterator[RatingClock]:
    """Apply what is pending and lock the clock: inside, nobody else writes standings, and they contain the games up to its number.

    Games that end meanwhile are applied afterwards.
    """
    apply_pending()
    with transaction.atomic():
        clock = locked_clock()
        while _advance(clock, BATCH)[1]:
            pass
        yield clock


def locked_clock() -> RatingClock:
    RatingClock.objects.get_or_create(pk=1)
    return RatingClock.objects.select_for_update().get(pk=1)


def last_finished() -> int:
    """Return the finish number of the game that ended last, 0 before the first."""
    return Table.objects.aggregate(last=Max("finish_number"))["last"] or 0


def _advance(clock: RatingClock, limit: int) -> tuple[int, bool]:
    """Apply up to `limit` games; return how many, and whether there may be more."""
    last = last_finished()
    up_to = min(last, clock.applied_up_to + limit)
    if up_to == clock.applied_up_to:
        return 0, False
    results = [result for part in read_results(after=clock.applied_up_to, up_to=up_to) for result in part]
    write_all(results)
    apply_results([result for result in results if result.is_rated])
    clock.applied_up_to = up_to
    clock.save(update_fields=["applied_up_to"])
    return len(results), up_to < last


def apply_results(results: Sequence[Result]) -> None:
    """Apply these rated games, in order, to all standings. The caller holds the clock."""
    if not results:
        return
    ladders = _ladders({key for result in results for key, _ in ladder_keys(result)}, results)
    books, stored = _opened(results, ladders)
    read = {id(row): _values(row, fields) for rows, fields in _kinds(books) for row in rows}
    buckets = {key: bucket_of(row.order_value) for key, row in books.ratings.items()}
    for result in results:
        apply(result, books)
    _store_ratings(books, ladders, buckets, stored)
    for rows, fields in _kinds(books):
        _store(rows, fields, read)


def _kinds(books: Books) -> list[tuple[list[Any], Sequence[str]]]:
    """Return the rows of each kind except ratings, with the fields that games change."""
    return [
        (list(books.tallies.values()), TALLY_FIELDS),
        (list(books.meetings.values()), MEETING_FIELDS),
        (list(books.effects.values()), EFFECT_FIELDS),
        (list(books.calibrations.values()), CALIBRATION_FIELDS),
        (list(books.records.values()), RECORD_FIELDS),
    ]


def _values(row: Any, fields: Sequence[str]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value, list) else value for value in (getattr(row, field) for field in fields))


# Reading rows into the books


def _ladders(keys: set[str], results: Iterable[Result]) -> dict[str, Ladder]:
    """Return the ladders with these keys, creating those that are missing."""
    found = {row.key: row for row in Ladder.objects.filter(key__in=keys)}
    if len(found) < len(keys):
        wanted = new_ladders(results)
        Ladder.objects.bulk_create([row for key, row in wanted.items() if key not in found], ignore_conflicts=True)
        found = {row.key: row for row in Ladder.objects.filter(key__in=keys)}
    return found


def new_ladders(results: Iterable[Result]) -> dict[str, Ladder]:
    """Return unsaved ladders for everything that these games move."""
    made: dict[str, Ladder] = {}
    for result in results:
        pool = result.pool
        places: list[tuple[int | None, int | None]] = [(None, None)]
        if result.club_id is not None:
            places.append((result.club_id, None))
            places += [(result.club_id, season) for season in result.season_ids]
        for club, season in places:
            for game in (result.game, ""):
                key = ladder_key(pool, game, club_id=club, season_id=season)
                if key not in made:
                    made[key] = Ladder(key=key, pool=pool, game=game, club_id=club, season_id=season)
    return made


def _opened(results: Sequence[Result], ladders: dict[str, Ladder]) -> tuple[Books, dict[RatingKey, Rating]]:
    """Return books with all stored rows that these games may touch, reading each kind with one statement, and the rows of ratings."""
    people = {user for result in results for user, _ in result.who if user is not None}
    levels = {level for result in results for _, level in result.who if level}
    games = {result.game for result in results}
    pools = {result.pool for result in results}
    clubs = {result.club_id for result in results if result.club_id is not None}
    books = Books()
    names = {row.pk: key for key, row in ladders.items()}
    whose = Q(user__in=people) | Q(user=None, bot_level__in=levels)
    stored = {(names[row.ladder_id], (row.user_id, row.bot_level)): row for row in Rating.objects.filter(whose, ladder__in=names)}
    for key, row in stored.items():
        books.ratings[key] = Line(earlier=row.trend, pk=row.pk, **{name: getattr(row, name) for name in LINE_FIELDS})
    for tally in Tally.objects.filter(user__in=people, game__in=games, pool__in=pools):
        books.tallies[tally_key(tally)] = tally
    for meeting in Meeting.objects.filter(low__in=people, high__in=people, game__in=games):
        books.meetings[meeting_key(meeting)] = meeting
    for effect in SeatEffect.objects.filter(game__in=games, pool__in=pools):
        books.effects[effect_key(effect)] = effect
    for calibration in Calibration.objects.filter(game__in=games, pool__in=pools):
        books.calibrations[calibration_key(calibration)] = calibration
    if clubs:
        for record in ClubRecord.objects.filter(club__in=clubs, game__in=games):
            books.records[record_key(record)] = record
    return books, stored


def tally_key(row: Tally) -> TallyKey:
    return row.user_id, row.game, row.pool, row.seats, row.seat


def meeting_key(row: Meeting) -> MeetingKey:
    return row.low_id, row.high_id, row.game


def effect_key(row: SeatEffect) -> EffectKey:
    return row.game, row.pool, row.seats, row.seat


def calibration_key(row: Calibration) -> CalibrationKey:
    return row.game, row.pool, row.kind, row.tenth


def record_key(row: ClubRecord) -> RecordKey:
    return row.club_id, row.game, row.seats, row.kind


# Writing them


def _store(rows: Sequence[Any], fields: Sequence[str], read: dict[int, tuple[Any, ...]]) -> None:
    """Write new rows, and those whose fields differ from what was read."""
    new = [row for row in rows if row.pk is None]
    old = [row for row in rows if row.pk is not None and read.get(id(row)) != _values(row, fields)]
    if new:
        type(new[0]).objects.bulk_create(new, batch_size=2000)
    if old:
        type(old[0]).objects.bulk_update(old, [field.removesuffix("_id") for field in fields], batch_size=500)


def _store_ratings(books: Books, ladders: dict[str, Ladder], before: dict[RatingKey, int], stored: dict[RatingKey, Rating]) -> None:
    arrived: dict[int, int] = {}
    moved: dict[tuple[int, int], int] = {}
    new: list[tuple[Line, Rating]] = []
    changed: list[Rating] = []
    for key, line in books.ratings.items():
        ladder = ladders[key[0]]
        bucket, old = bucket_of(line.order_value), before.get(key)
        if bucket != old:
            moved[ladder.pk, bucket] = moved.get((ladder.pk, bucket), 0) + 1
            if old is not None:
                moved[ladder.pk, old] = moved.get((ladder.pk, old), 0) - 1
        if (row := stored.get(key)) is None:
            new.append((line, rating_of(key, line, ladder.pk)))
            arrived[ladder.pk] = arrived.get(ladder.pk, 0) + 1
        elif row.games != line.games:
            for name in RATING_FIELDS:
                setattr(row, name, getattr(line, name))
            changed.append(row)
    Rating.objects.bulk_create([row for _, row in new], batch_size=2000)
    for line, row in new:
        line.pk = row.pk
    Rating.objects.bulk_update(changed, [name.removesuffix("_id") for name in RATING_FIELDS], batch_size=500)
    RatingChange.objects.bulk_create(changes_of(books), batch_size=2000)
    for ladder_id, count in arrived.items():
        Ladder.objects.filter(pk=ladder_id).update(players=F("players") + count)
    _move_buckets({place: by for place, by in moved.items() if by})


def rating_of(key: RatingKey, line: Line, ladder_id: int) -> Rating:
    """Return a new row from its line in the books."""
    user_id, level = key[1]
    values = {name: getattr(line, name) for name in RATING_FIELDS}
    return Rating(pk=line.pk, ladder_id=ladder_id, user_id=user_id, bot_level=level, **values)


def _move_buckets(moved: dict[tuple[int, int], int]) -> None:
    if not moved:
        return
    found = {
        (row.ladder_id, row.bucket): row
        for row in RankBucket.objects.filter(ladder__in={ladder for ladder, _ in moved}, bucket__in={bucket for _, bucket in moved})
    }
    for (ladder_id, bucket), by in moved.items():
        row = found.setdefault((ladder_id, bucket), RankBucket(ladder_id=ladder_id, bucket=bucket))
        row.ratings += by
    _store([found[place] for place in moved], ["ratings"], {})


def changes_of(books: Books) -> Iterator[RatingChange]:
    """Yield the collected changes as rows; their ratings must have been saved."""
    for key, table_id, number, place, mu, sigma, new_mu, new_sigma in books.changes:
        yield RatingChange(
            rating_id=books.ratings[key].pk or 0,
            table_id=table_id,
            number=number,
            place=place,
            mu_before=mu,
            sigma_before=sigma,
            mu_after=new_mu,
            sigma_after=new_sigma,
        )
