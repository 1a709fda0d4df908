"""Tells all open pages that a table or a study has a new version, the number and nothing else, or that something was said in a table's chat."""

from __future__ import annotations

import logging
from functools import cache

import redis
from django.conf import settings

from portal.live.breaker import Breaker
from portal.live.wire import VERSION_KEPT_S, channel_prefix, place_of_study, version_key
from portal.metrics.definitions import PUBLISHED

log = logging.getLogger(__name__)

# Two commits may publish in the other order: the kept version only grows.
_KEEP_AND_PUBLISH = """
local known = tonumber(redis.call('GET', KEYS[1]) or '-1')
if tonumber(ARGV[1]) >= known then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
return redis.call('PUBLISH', ARGV[3], ARGV[1])
"""


_breaker = Breaker(pause_s=1.0)  # other pages should hear soon of a server that is back


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS)


def publish_version(table_id: int, version: int) -> bool:
    """Publish that the table is at `version`; return whether that was sent. Never raises: pages poll as well."""
    return _publish((version_key(table_id), version, VERSION_KEPT_S, f"{channel_prefix()}{table_id}"), f"table {table_id}")


def publish_study(study_id: int, version: int) -> bool:
    """Publish that the study is at `version`, likewise."""
    place = place_of_study(study_id)
    return _publish((version_key(place), version, VERSION_KEPT_S, f"{channel_prefix('study')}{study_id}"), f"study {study_id}")


def _publish(told: tuple[str, int, int, str], of: str) -> bool:
    try:
        _breaker.call(lambda: _client().eval(_KEEP_AND_PUBLISH, 1, *told))
    except (redis.RedisError, OSError) as error:
        log.warning("version %s of %s not published: %s", told[1], of, error)
        PUBLISHED.labels("lost").inc()
        return False
    PUBLISHED.labels("sent").inc()
    return True


def publish_talk(table_id: int) -> None:
    """Publish that something was said at a table, not what, by whom or where. Never raises: open chats ask now and then as well."""
    try:
        _breaker.call(lambda: _client().publish(f"{channel_prefix('talk')}{table_id}", 1))
    except (redis.RedisError, OSError) as error:
        log.warning("talk at table %s not published: %s", table_id, error)


def publish_news() -> None:
    """Publish that operators have something new to say, or no longer. Never raises: pages that miss it find it when they are next loaded."""
    try:
        _breaker.call(lambda: _client().publish(f"{channel_prefix('news')}0", 1))
    except (redis.RedisError, OSError) as error:
        log.warning("news not published: %s", error)
