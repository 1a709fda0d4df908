"""Thousands of finished games with a known effect, written as rows of tables and seats like those of played games."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta

from django.db import connection

from portal.accounts.models import User
from portal.tables.models import Seat, Table

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def people(count):
    User.objects.bulk_create([User(username=f"g{number}", password="!") for number in range(count)])
    return list(User.objects.filter(username__startswith="g").order_by("id").values_list("pk", flat=True))


def write(games, *, game="ra"):
    """Store games; each is a list of (user id, place, score) by seat. They are numbered in this order."""
    tables = Table.objects.bulk_create(
        [
            Table(
                game=game,
                seat_count=len(seats),
                rules_version=1,
                status="finished",
                finish_number=number,
                finished_at=NEW_YEAR + timedelta(minutes=number),
                secret=b"0" * 32,
                commitment="0" * 64,
            )
            for number, seats in enumerate(games, start=1)
        ],
        batch_size=2000,
    )
    Seat.objects.bulk_create(
        [
            Seat(table=table, index=index, user_id=user, place=place, score=score)
            for table, seats in zip(tables, games, strict=True)
            for index, (user, place, score) in enumerate(seats)
        ],
        batch_size=5000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tables_table, tables_seat")  # as the server does on its own while games arrive one by one


def draw(weights, rng):
    """Return the seats in finishing order: each place goes to one of the remaining seats, weighted."""
    rest, order = list(range(len(weights))), []
    while rest:
        pick = rng.choices(rest, [weights[seat] for seat in rest])[0]
        rest.remove(pick)
        order.append(pick)
    return order


def with_seat_effect(users, count, shift, *, seed):
    """Return games of players of different strength in random seats; `shift` is added to each seat's chance to win."""
    rng = random.Random(seed)
    strength = {user: math.exp(rng.gauss(0, 0.25)) for user in users}
    games = []
    for _ in range(count):
        seated = rng.sample(users, len(shift))
        weights = [strength[user] for user in seated]
        chances = [weight / sum(weights) + by for weight, by in zip(weights, shift, strict=True)]
        first = rng.choices(range(len(shift)), chances)[0]
        rest = [seat for seat in range(len(shift)) if seat != first]
        order = [first, *(rest[at] for at in draw([weights[seat] for seat in rest], rng))]
        places = {seat: place for place, seat in enumerate(order, start=1)}
        games.append([(user, places[seat], 60 - 10 * places[seat] + rng.randrange(9)) for seat, user in enumerate(seated)])
    return games
