"""Is the site up? Asked by the supervisor, by proxies and by monitors."""

from __future__ import annotations

import time
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from portal.common import maintenance, weights
from portal.supervisor import pulse

QUEUES = ("bots", "scoring", "mail")
AWAY = {queue: {"state": "unknown", "waiting": None, "taken_s": None, "seen_s": None} for queue in QUEUES}


def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when pages can be served, 503 when the database is down. A broker that is down, or a queue that stands still, is told.

    So is maintenance: it is on purpose, and pages can be read, so nobody needs to be alarmed or to lead readers elsewhere.
    """
    database = _database_answers()
    broker, queues = _queues()
    states = {queue: facts["state"] for queue, facts in queues.items()}
    told = {"database": database, "broker": broker, "queues": states, "maintenance": maintenance.is_on()}
    return _told(told, is_well=database)


def readyz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when everything works, 503 when any part does not, with the state and the age of each part.

    Weights of bots that can't be used are told and are no reason for 503: those masters play like scribes. Nor is maintenance.
    """
    begin = time.monotonic()
    database = _database_answers()
    asked_s = time.monotonic() - begin
    broker, queues = _queues()
    is_well = database and broker and all(facts["state"] == "moving" for facts in queues.values())
    return _told(
        {
            "ready": is_well,
            "database": {"answers": database, "asked_s": round(asked_s, 3)},
            "broker": {"answers": broker},
            "queues": queues,
            "maintenance": maintenance.is_on(),
            "weights": weights.told(settings.STATE_DIR),
        },
        is_well=is_well,
    )


def _told(facts: dict[str, Any], *, is_well: bool) -> JsonResponse:
    response = JsonResponse(facts, status=200 if is_well else 503)
    response["Cache-Control"] = "no-store"
    return response


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _queues() -> tuple[bool, dict[str, dict[str, Any]]]:
    """Return whether the broker answers, and the state of each queue."""
    options = settings.REDIS_OPTIONS
    try:
        with (
            redis.Redis.from_url(settings.LIVE_REDIS_URL, **options) as live,
            redis.Redis.from_url(settings.BROKER_REDIS_URL, **options) as broker,
        ):
            return True, pulse.health(live, broker, QUEUES)
    except (redis.RedisError, OSError):
        return False, AWAY
