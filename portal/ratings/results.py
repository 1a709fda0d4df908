"""Finished games as the standings need them, read in the order of their finish numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

from portal.clubs.models import Season
from portal.ratings.models import Pool

Who = tuple[int | None, str]  # (user id, "") or (None, bot level)
Span = tuple[int, datetime, datetime, int, int | None, str]  # season: id, starts, ends, after, frozen number, game
CHUNK = 5000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds_of(column: str) -> str:
    """Return SQL for a moment as a number, for `moment`: the driver takes ten times as long to read a timestamp."""
    return f"(extract(epoch FROM {column}) * 1000000)::bigint"


def moment(microseconds: int) -> datetime:
    """Return the exact moment that `microseconds_of` read."""
    return _EPOCH + timedelta(microseconds=microseconds)


# The seats of each game by the index of its table: a join would read all seats for each part.
_SQL = f"""
SELECT t.id, t.game, t.finish_number, {microseconds_of("t.finished_at")}, t.club_id, t.is_rated AND t.position IS NULL, seats.*
FROM tables_table t, LATERAL (
    SELECT array_agg(s.user_id ORDER BY s.index), array_agg(s.left_user_id ORDER BY s.index), array_agg(s.bot_level ORDER BY s.index),
           array_agg(s.place ORDER BY s.index), array_agg(s.score ORDER BY s.index),
           coalesce(bool_or(coalesce(s.left_user_id, s.user_id) IN (SELECT id FROM accounts_user WHERE is_bot)), false)
    FROM tables_seat s WHERE s.table_id = t.id
) seats
WHERE t.finish_number > %s AND t.finish_number <= %s ORDER BY t.finish_number
"""  # noqa: S608


@dataclass(slots=True)
class Result:
    """A finished game; lists are indexed by seat. A person who left keeps their seat here, with the last place."""

    table_id: int
    game: str
    number: int
    finished_at: datetime
    club_id: int | None
    is_rated: bool
    who: list[Who]
    left: list[bool]
    places: list[int]
    scores: list[int]
    season_ids: list[int] = field(default_factory=list)
    has_bot_account: bool = False  # one of the people is a bot account, at the end or before it left

    @property
    def pool(self) -> str:
        return Pool.BOTS if self.has_bot_account or any(user is None for user, _ in self.who) else Pool.PEOPLE


class Seasons:
    """Which seasons of which clubs count a game, read once for many results."""

    def __init__(self) -> None:
        self._spans: dict[int, list[Span]] = {}
        rows = Season.objects.order_by("id").values_list("club_id", "id", "starts_at", "ends_at", "after_number", "frozen_number", "game")
        for club, *span in rows:
            self._spans.setdefault(club, []).append(tuple(span))  # type: ignore[arg-type]

    def of(self, club_id: int | None, game: str, number: int, at: datetime) -> list[int]:
        """Return the seasons that count a game; the rule is in `Season`."""
        if club_id is None:
            return []
        return [
            key
            for key, starts, ends, after, frozen, only in self._spans.get(club_id, ())
            if number > after and (frozen is None or number <= frozen) and starts <= at < ends and only in ("", game)
        ]


def read_results(*, after: int, up_to: int) -> Iterator[list[Result]]:
    """Yield the finished games with after < number <= up_to, in their order, some thousands at a time.

    A practice position, an unrated table, and a game in which fewer than two competitors are left to compare are yielded as not rated; so
    is one that everybody left. A person who left counts as last and the bot that took over not at all: the others have their places among
    themselves.
    """
    seasons = Seasons()
    while after < up_to:
        end = min(after + CHUNK, up_to)
        with connection.cursor() as cursor:
            cursor.execute(_SQL, [after, end])
            rows = cursor.fetchall()
        yield [_result(row, seasons) for row in rows]
        after = end


def _result(row: Any, seasons: Seasons) -> Result:
    table_id, game, number, microseconds, club_id, is_rated, users, gone, levels, places, scores, has_bot_account = row
    at = moment(microseconds)
    if any(gone):
        users = [user if left is None else left for user, left in zip(users, gone, strict=True)]
        stayed = [place for left, place in zip(gone, places, strict=True) if left is None]
        places = [
            len(places) if left is not None else 1 + sum(other < place for other in stayed)
            for left, place in zip(gone, places, strict=True)
        ]
    who: list[Who] = [(user, "") if user is not None else (None, level) for user, level in zip(users, levels, strict=True)]
    is_rated = is_rated and len(set(who)) > 1 and not all(gone) and (None, "") not in who  # (None, ""): a person whose row is gone
    left_seats = [left is not None for left in gone]
    return Result(
        table_id,
        game,
        number,
        at,
        club_id,
        is_rated,
        who,
        left_seats,
        list(places),
        list(scores),
        seasons.of(club_id, game, number, at),
        has_bot_account,
    )
