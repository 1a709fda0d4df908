"""Finished games for the tests of standings, without playing them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from portal.accounts.models import User
from portal.tables.models import Seat, Table

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
BOTS = ("apprentice", "scribe")


def person(name):
    return User.objects.get_or_create(username=name)[0]


def finished(number, seats, *, left=(), scores=None, game="ra", at=None, **values):
    """A finished table; seats are (name or bot level, place), `left` the seats whose people left."""
    table = Table.objects.create(
        game=game,
        seat_count=len(seats),
        rules_version=1,
        status="finished",
        finish_number=number,
        finished_at=at or NEW_YEAR + timedelta(minutes=number),
        secret=b"0" * 32,
        commitment="0" * 64,
        **values,
    )
    for index, (name, place) in enumerate(seats):
        seat = Seat(table=table, index=index, place=place, score=scores[index] if scores else 50 - 10 * place)
        if index in left:
            seat.left_user, seat.bot_level = person(name), "apprentice"
        elif name in BOTS:
            seat.bot_level, seat.bot_name = name, f"bot{index}"
        else:
            seat.user = person(name)
        seat.save()
    return table
