"""Ratings are written here and nowhere else: strictly in the order of finish numbers, exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from portal.ratings.formula import MU, SIGMA, new_strengths, order_value, shared_win
from portal.ratings.models import Rating, RatingChange, RatingClock
from portal.tables.models import Seat, Table

BATCH = 200
Who = tuple[int | None, str]  # (user id, "") or (None, bot level)
Finished = tuple[int, str, int, datetime, object]  # id, game, finish number, time, position file or None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game as the ratings need it; lists are indexed by seat."""

    table_id: int
    game: str
    finish_number: int
    finished_at: datetime
    who: list[Who]
    places: list[int]

    @property
    def pool(self) -> str:
        return Rating.Pool.BOTS if any(user is None for user, _ in self.who) else Rating.Pool.PEOPLE


@dataclass(slots=True)
class Standing:
    """One rating in memory while results are applied."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    wins: float = 0.0
    last_table_id: int | None = None
    last_at: datetime | None = None

    @property
    def order_value(self) -> float:
        return order_value(self.mu, self.sigma)


Key = tuple[str, str, Who]  # pool, game, who


def apply_pending() -> int:
    """Bring the ratings up to the last finished game; return how many games were applied.

    Holds the row of the clock, so two workers never apply a game twice and never out of order.
    """
    applied = 0
    while True:
        with transaction.atomic():
            clock, _ = RatingClock.objects.get_or_create(pk=1)
            clock = RatingClock.objects.select_for_update().get(pk=1)
            results = list(read_results(after=clock.applied_up_to, limit=BATCH))
            for result in results:
                _apply(result)
            if results:
                clock.applied_up_to = results[-1].finish_number
                clock.save(update_fields=["applied_up_to"])
        applied += len(results)
        if len(results) < BATCH:
            return applied


def read_results(*, after: int = 0, limit: int | None = None) -> Iterable[Result]:
    """Yield finished games in the order of their finish numbers.

    A person who left counts as last, and the bot that took over is not rated for that game. A game in which fewer than
    two seats are left to compare is passed over with its number.
    """
    tables = Table.objects.filter(finish_number__gt=after).order_by("finish_number")
    rows = tables.values_list("pk", "game", "finish_number", "finished_at", "position")
    if limit is not None:
        rows = rows[:limit]
    chunk: list[Finished] = []
    for table_id, game, number, at, position in rows.iterator(chunk_size=2000):
        assert number is not None and at is not None, "the finishing transaction writes both"
        chunk.append((table_id, game, number, at, position))
        if len(chunk) == 2000:
            yield from _with_seats(chunk)
            chunk = []
    if chunk:
        yield from _with_seats(chunk)


def _with_seats(chunk: list[Finished]) -> Iterable[Result]:
    seats: dict[int, list[tuple[int | None, int | None, str, int]]] = {}
    fields = ("table_id", "user_id", "left_user_id", "bot_level", "place")
    for table_id, user, left, level, place in (
        Seat.objects.filter(table_id__in=[row[0] for row in chunk]).order_by("table_id", "index").values_list(*fields)
    ):
        seats.setdefault(table_id, []).append((user, left, level, place))
    for table_id, game, number, at, position in chunk:
        rows = seats.get(table_id, [])
        last = len(rows)
        who: list[Who] = [
            (left, "") if left is not None else ((user, "") if user is not None else (None, level)) for user, left, level, _ in rows
        ]
        places = [last if left is not None else place for _, left, _, place in rows]
        if position is not None or any(user is None and not level for user, level in who):
            who, places = [], []  # a practice position, or a person whose row is gone: nothing to compare
        yield Result(table_id, game, number, at, who, places)


def advance(result: Result, standing: Callable[[Key], Standing]) -> list[tuple[Key, Standing, int, float, float]]:
    """Apply one game to the standings in memory; return (key, standing, place, mu before, sigma before) for each rated one."""
    if len(set(result.who)) < 2:
        return []
    strengths = {}
    for who in result.who:
        one = standing((result.pool, result.game, who))
        strengths[who] = (one.mu, one.sigma)
    after = new_strengths(result.who, strengths, result.places)
    changed = []
    for who, (mu, sigma) in after.items():
        key = (str(result.pool), result.game, who)
        one = standing(key)
        own = [place for seat, place in zip(result.who, result.places, strict=True) if seat == who]
        changed.append((key, one, min(own), one.mu, one.sigma))
        one.mu, one.sigma = mu, sigma
        one.games += 1
        one.wins += sum(shared_win(place, result.places) for place in own)
        one.last_table_id, one.last_at = result.table_id, result.finished_at
    return changed


def _apply(result: Result) -> None:
    rows: dict[Key, Rating] = {}

    def standing(key: Key) -> Rating:
        if key not in rows:
            pool, game, (user_id, level) = key
            same = Rating.objects.filter(pool=pool, game=game, user=user_id, bot_level=level)
            fresh = Rating(pool=pool, game=game, user_id=user_id, bot_level=level, mu=MU, sigma=SIGMA, order_value=order_value(MU, SIGMA))
            rows[key] = same.first() or fresh
        return rows[key]

    changes = []
    for _key, one, place, mu, sigma in advance(result, standing):  # type: ignore[arg-type]
        rating: Rating = one  # type: ignore[assignment]
        rating.order_value = order_value(rating.mu, rating.sigma)
        rating.save()
        changes.append(
            RatingChange(
                table_id=result.table_id,
                rating=rating,
                place=place,
                mu_before=mu,
                sigma_before=sigma,
                mu_after=rating.mu,
                sigma_after=rating.sigma,
            )
        )
    RatingChange.objects.bulk_create(changes)


def recompute(progress: Callable[[int], None] | None = None) -> tuple[dict[Key, Standing], int]:
    """Return all standings computed anew from the finished games, and the last finish number."""
    standings: dict[Key, Standing] = {}
    last = 0

    def standing(key: Key) -> Standing:
        return standings.setdefault(key, Standing())

    for n, result in enumerate(read_results(), start=1):
        advance(result, standing)
        last = result.finish_number
        if progress is not None and n % 500 == 0:
            progress(n)
    return standings, last


def differences(standings: dict[Key, Standing]) -> list[str]:
    """Compare stored ratings with computed ones, row for row and bit for bit; one line for each difference."""
    lines = []
    stored = {(row.pool, row.game, (row.user_id, row.bot_level)): row for row in Rating.objects.all()}
    for key in sorted(set(stored) | set(standings), key=str):
        row, one = stored.get(key), standings.get(key)
        name = f"{key[0]}/{key[1]}/{key[2][1] or key[2][0]}"
        if row is None or one is None:
            lines.append(f"{name}: {'is missing' if row is None else 'belongs to no finished game'}")
        elif (row.mu, row.sigma, row.games, row.wins, row.order_value) != (one.mu, one.sigma, one.games, one.wins, one.order_value):
            lines.append(f"{name}: stored {row.mu}±{row.sigma} of {row.games}, computed {one.mu}±{one.sigma} of {one.games}")
    return lines


def rebuild(progress: Callable[[int], None] | None = None) -> int:
    """Write all ratings and changes anew from the finished games, in one transaction; return the number of ratings."""
    with transaction.atomic():
        RatingClock.objects.get_or_create(pk=1)
        RatingClock.objects.select_for_update().get(pk=1)
        Rating.objects.all().delete()
        standings: dict[Key, Standing] = {}
        rows: dict[Key, Rating] = {}
        log: list[tuple[Key, int, int, float, float, float, float]] = []
        last = 0

        def standing(key: Key) -> Standing:
            return standings.setdefault(key, Standing())

        for n, result in enumerate(read_results(), start=1):
            for key, one, place, mu, sigma in advance(result, standing):
                log.append((key, result.table_id, place, mu, sigma, one.mu, one.sigma))
            last = result.finish_number
            if progress is not None and n % 500 == 0:
                progress(n)
        for key, one in standings.items():
            pool, game, (user_id, level) = key
            rows[key] = Rating(
                pool=pool,
                game=game,
                user_id=user_id,
                bot_level=level,
                mu=one.mu,
                sigma=one.sigma,
                order_value=one.order_value,
                games=one.games,
                wins=one.wins,
                last_table_id=one.last_table_id,
                last_at=one.last_at,
            )
        Rating.objects.bulk_create(rows.values(), batch_size=2000)
        RatingChange.objects.bulk_create(
            (
                RatingChange(
                    rating=rows[key], table_id=table, place=place, mu_before=mu, sigma_before=sigma, mu_after=mu2, sigma_after=sigma2
                )
                for key, table, place, mu, sigma, mu2, sigma2 in log
            ),
            batch_size=2000,
        )
        RatingClock.objects.filter(pk=1).update(applied_up_to=last)
    return len(rows)
