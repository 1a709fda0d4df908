"""Is the site up? Asked by the supervisor, by proxies and by monitors."""

from __future__ import annotations

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when pages can be served, 503 when the database is down. A broker that is down is only reported."""
    database = _database_answers()
    response = JsonResponse({"database": database, "broker": _broker_answers()}, status=200 if database else 503)
    response["Cache-Control"] = "no-store"
    return response


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    try:
        with redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
