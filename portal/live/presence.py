"""Who is here, and at which tables: kept in Valkey for a minute or three, nowhere else, and only of people who show it to their friends.

Streams are noted by the web process that holds them, a page without one when it asks for unread notices, as open pages do every two minutes.
So no request is slower for it, and what was noted is gone soon after a page is closed. Who may read it is decided elsewhere.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import redis
from django.conf import settings

from portal.live.breaker import Breaker

log = logging.getLogger(__name__)
EVERY_S: Final = 20.0  # a stream is noted
STREAM_KEPT_S: Final = 60
PAGE_KEPT_S: Final = 180
MOST_TABLES: Final = 5  # of one person
_breaker = Breaker(pause_s=1.0)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS)


def page_key(viewer: int) -> str:
    """Return the key that is there while somebody has a page open."""
    return f"here:{viewer}"


def stream_key(viewer: int) -> str:
    """Return the key that is there while somebody has a stream open, and holds the numbers of the tables."""
    return f"here:{viewer}:tables"


class Present:
    """The people with open streams in one process who show that they are here, with the tables and studies of each."""

    def __init__(self) -> None:
        self._places: dict[int, Counter[int]] = {}
        self._noted: dict[int, float] = {}  # when each was noted last

    @contextmanager
    def counted(self, viewer: int, place: int) -> Iterator[None]:
        """Count a stream within the block."""
        places = self._places.setdefault(viewer, Counter())
        places[place] += 1
        self._noted.pop(viewer, None)
        try:
            yield
        finally:
            places[place] -= 1
            if not places[place]:
                del places[place]
                self._noted.pop(viewer, None)
            if not places:
                del self._places[viewer]

    def due(self, now: float) -> dict[str, str]:
        """Return what is to be noted by now, and take it as noted: each person now and then, and whenever their tables have changed."""
        people = [viewer for viewer in self._places if now - self._noted.get(viewer, -EVERY_S) >= EVERY_S]
        self._noted |= dict.fromkeys(people, now)
        return {stream_key(viewer): self._tables(viewer) for viewer in people}

    def _tables(self, viewer: int) -> str:
        return ",".join(str(place) for place in sorted(self._places[viewer], reverse=True)[:MOST_TABLES] if place > 0)


def seen(viewer: int) -> None:
    """Note that somebody has a page open. Never raises."""
    try:
        _breaker.call(lambda: _client().set(page_key(viewer), "", ex=PAGE_KEPT_S))
    except (redis.RedisError, OSError) as error:
        log.warning("presence of %s not noted: %s", viewer, error)


def where_are(viewers: Collection[int]) -> dict[int, frozenset[int]]:
    """Return those of some people who are here, with the tables that each has open. While Valkey is away, nobody is here."""
    people = sorted(viewers)
    if not people:
        return {}
    keys = [*map(page_key, people), *map(stream_key, people)]
    try:
        found = _breaker.call(lambda: _client().mget(keys))
    except (redis.RedisError, OSError) as error:
        log.warning("presence not read: %s", error)
        return {}
    pages, streams = found[: len(people)], found[len(people) :]
    return {
        viewer: frozenset(int(table) for table in str(stream, "ascii").split(",")) if isinstance(stream, bytes) and stream else frozenset()
        for viewer, page, stream in zip(people, pages, streams, strict=True)
        if page is not None or stream is not None
    }
