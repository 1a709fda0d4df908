"""For the commands that measure: a database of their own, rows by the million, and times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from django.db import connection, models

from portal.configuration import broker_url, redis_database

BROKER_DATABASE, LIVE_DATABASE = 8, 10  # counted from the portal's first; a portal on the same server uses 0 to 2
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one operation, repeated many times."""

    p50: float
    p99: float
    most: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        parts = statistics.quantiles(seconds, n=100)
        return cls(parts[49] * 1000, parts[98] * 1000, max(seconds) * 1000)


class Unfit(Exception):
    """The measurement can't run here; nothing was touched."""


@contextmanager
def own_queues() -> Iterator[None]:
    """Send tasks and versions into databases of Valkey that no portal reads, and empty them at the end. Raises Unfit when they hold something.

    The tables of the measurement have the numbers of real ones: their bots and readers must not be told.
    """
    usual = settings.LIVE_REDIS_URL, current_app.conf.broker_url
    broker, live = (redis_database(settings.REDIS_URL, number) for number in (BROKER_DATABASE, LIVE_DATABASE))
    with redis.Redis.from_url(broker) as first, redis.Redis.from_url(live) as second:
        try:
            keys = first.dbsize() + second.dbsize()
        except redis.RedisError as error:
            raise Unfit(f"Valkey cannot be used for the measurement: {error}") from None
        if keys:
            raise Unfit(f"databases {broker.rpartition('=')[2]} and {live.rpartition('=')[2]} of Valkey hold {keys} keys of somebody")
        settings.LIVE_REDIS_URL, current_app.conf.broker_url = live, broker_url(broker)
        try:
            yield
        finally:
            settings.LIVE_REDIS_URL, current_app.conf.broker_url = usual
            first.flushdb()
            second.flushdb()


@contextmanager
def own_database(say: Say) -> Iterator[None]:
    """Create a database beside the portal's, connect to it, and drop it at the end."""
    say("making a database for the measurement")
    name = str(connection.settings_dict["NAME"])
    names = connection.settings_dict.setdefault("TEST", {})
    usual, names["NAME"] = names.get("NAME"), f"{name}_bench"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        names["NAME"] = usual


def copies(model: type[models.Model], template: models.Model, values: Mapping[str, str], source: str, params: Mapping[str, Any]) -> None:
    """Insert one row for each row of `source`: like `template` except for `values` (SQL by column)."""
    table = model._meta.db_table
    columns = [str(field.column) for field in model._meta.local_fields if not field.primary_key]
    picked = [values.get(column, f'template."{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(  # the names come from the models
            f'INSERT INTO "{table}" ({names}) SELECT {", ".join(picked)} FROM "{table}" template, {source} AND template.id = %(template)s',  # noqa: S608
            {**params, "template": template.pk},
        )


def vacuum() -> None:
    """Leave no dead rows, and fresh statistics."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
