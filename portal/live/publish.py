"""Telling all open pages that a table has a new version. Never more than the number."""

from __future__ import annotations

import logging
from functools import cache

import redis
from django.conf import settings

from portal.live.wire import VERSION_KEPT_S, channel_prefix, version_key

log = logging.getLogger(__name__)

# Two commits may publish in the other order: the kept version only grows.
_KEEP_AND_PUBLISH = """
local known = tonumber(redis.call('GET', KEYS[1]) or '-1')
if tonumber(ARGV[1]) >= known then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
return redis.call('PUBLISH', ARGV[3], ARGV[1])
"""


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS)


def publish_version(table_id: int, version: int) -> bool:
    """Publish that the table is at `version`; returns whether that went out. Never raises: pages poll as well."""
    try:
        _client().eval(_KEEP_AND_PUBLISH, 1, version_key(table_id), version, VERSION_KEPT_S, f"{channel_prefix()}{table_id}")
    except (redis.RedisError, OSError) as error:
        log.warning("version %s of table %s not published: %s", version, table_id, error)
        return False
    return True
