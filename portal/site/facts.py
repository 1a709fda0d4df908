"""How the parts of the site are doing, for the status page and for monitors. Each part that is away is left out; nothing here fails."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import redis
from django.conf import settings
from django.db import Error, connection

from portal.common import weights
from portal.common.health import QUEUES
from portal.common.tracking import SENT_AT
from portal.supervisor import backup_clock, pulse
from portal.tables.tasks import SILENT_AFTER_S

FAILING_FOR: Final = "1 hour"  # mail that was tried and not sent in this time

# Waking a table restarts its wait, so the wake-ups count as waiting too. The partial index on what is playing serves it.
_GAMES: Final = """
SELECT waits_for, count(*), coalesce(max(extract(epoch FROM now() - due_since) + nudges * %s), 0)
FROM tables_table WHERE status = 'playing' GROUP BY waits_for
"""
_MAIL: Final = """
SELECT count(*) FILTER (WHERE due_at <= now()), extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now())),
       count(*) FILTER (WHERE attempts > 0 AND created_at > now() - %s::interval)
FROM accounts_outgoingmail WHERE sent_at IS NULL
"""
_UNRATED: Final = """
SELECT coalesce((SELECT max(last) FROM tables_finishcounter), 0) - coalesce((SELECT max(applied_up_to) FROM ratings_ratingclock), 0)
"""


@dataclass(frozen=True, slots=True)
class Data:
    """What the database says."""

    games: dict[str, int]  # running games, by what they wait for
    waiting_s: dict[str, float]  # the longest that one of them has waited for a bot or for the scorer
    mail: int  # due and not sent
    mail_waiting_s: float
    mail_failing: int  # tried in vain within the last hour
    unrated: int  # finished games that are not in the standings yet


@dataclass(frozen=True, slots=True)
class Line:
    """One line of work: its state and its age are those of `portal.supervisor.pulse.health`."""

    state: str
    waiting: int
    oldest_s: float  # the age of the message that has waited longest, 0 without one
    taken_s: float | None
    seen_s: float | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What was found at a moment (seconds since 1970). A part that did not answer is None."""

    at: float
    data: Data | None
    lines: dict[str, Line] | None
    backup_age_s: float | None
    weights: Sequence[str] = ()  # what is wrong with the weights of bots, a line each, starting with the game's key


def gather() -> Facts:
    """Ask all parts: three statements, and five requests to Valkey. Never raises."""
    now = time.time()
    return Facts(now, _data(), _lines(now), _backup_age(now), weights.told(settings.STATE_DIR))


def _data() -> Data | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_GAMES, [SILENT_AFTER_S])
            games = cursor.fetchall()
            cursor.execute(_MAIL, [FAILING_FOR])
            mail, mail_waiting_s, failing = cursor.fetchone()
            cursor.execute(_UNRATED)
            (unrated,) = cursor.fetchone()
    except Error:
        return None
    return Data(
        games={waits_for or "nobody": count for waits_for, count, _ in games},
        waiting_s={waits_for: float(waited) for waits_for, _, waited in games if waits_for in ("bot", "scorer")},
        mail=mail,
        mail_waiting_s=float(mail_waiting_s or 0),
        mail_failing=failing,
        unrated=max(0, unrated),
    )


def _lines(now: float) -> dict[str, Line] | None:
    options = settings.REDIS_OPTIONS
    try:
        with (
            redis.Redis.from_url(settings.LIVE_REDIS_URL, **options) as live,
            redis.Redis.from_url(settings.BROKER_REDIS_URL, **options) as broker,
        ):
            known = pulse.health(live, broker, QUEUES)
            oldest = _oldest(broker, now)
    except (redis.RedisError, OSError):
        return None
    return {queue: Line(oldest_s=oldest[queue], **facts) for queue, facts in known.items()}


def _oldest(broker: redis.Redis, now: float) -> dict[str, float]:
    """Return how long the first message of each queue has waited, in seconds; of each priority, because lower ones may starve."""
    with broker.pipeline(transaction=False) as together:
        for queue in QUEUES:
            for suffix in pulse.PRIORITIES:
                together.lindex(queue + suffix, -1)
        found = together.execute()
    size = len(pulse.PRIORITIES)
    return {queue: max(_age(message, now) for message in found[at * size : (at + 1) * size]) for at, queue in enumerate(QUEUES)}


def _age(message: Any, now: float) -> float:
    if not message:
        return 0.0
    try:
        return max(0.0, now - float(json.loads(message)["headers"][SENT_AT]))
    except (ValueError, KeyError, TypeError):
        return 0.0  # of a release that didn't note it


def _backup_age(now: float) -> float | None:
    """Return the seconds since the newest backup by date began; None where there is none, as with backups made elsewhere."""
    try:
        known = backup_clock.dated(settings.STATE.backups)
    except OSError:
        return None
    return now - known[-1][0].timestamp() if known else None
