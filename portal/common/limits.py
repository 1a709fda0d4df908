"""How often somebody may do something: counters in the cache, or in this process while the cache is down."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.core.cache import cache
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from portal.common.refusals import TooMany, TooManyGuesses
from portal.live.protocol import address_of, network_of

DAY: Final = timedelta(days=1)
_local: dict[str, int] = {}
_lock = threading.Lock()


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind PROXY_COUNT proxies, the address that the outermost proxy saw."""
    return address_of(request.META.get("HTTP_X_FORWARDED_FOR", ""), request.META.get("REMOTE_ADDR", ""))


def client_network(request: HttpRequest) -> str:
    """Return the client's address, of IPv6 only the first 64 bits: whoever has one such address usually has all of its network."""
    return network_of(client_address(request))


@dataclass(frozen=True, slots=True)
class Use:
    """What one use leaves: the uses that are left in the window, below zero if this one was too many, and after how many seconds the next one starts."""

    left: int
    reset_s: int

    @property
    def is_allowed(self) -> bool:
        return self.left >= 0


def allow(what: str, who: str, *, limit: int, window_s: int) -> bool:
    """Count one use of `what` by `who` and say whether it is within `limit` uses of the current window."""
    return use(what, who, limit=limit, window_s=window_s).is_allowed


def count_use(what: str, who: str, *, limit: int, window_s: int = 3600, refusal: type[TooMany] = TooMany) -> None:
    """Count one use of `what` by `who`. Raises `refusal` above `limit` uses of the current window, with the seconds until the next one."""
    counted = use(what, who, limit=limit, window_s=window_s)
    if not counted.is_allowed:
        raise refusal(retry_after_s=counted.reset_s)


def check_last_day(rows: QuerySet[Any], at: str, *, limit: int, refusal: type[TooMany], more: int = 1) -> None:
    """Raise `refusal` if, with `more` of these rows, there would be over `limit` whose time `at` is in the last 24 hours; it says when there is room.

    One statement.
    """
    now = timezone.now()
    if more > limit:
        raise refusal(retry_after_s=int(DAY.total_seconds()))
    room_after = rows.filter(**{f"{at}__gt": now - DAY}).order_by(f"-{at}").values_list(at, flat=True)[limit - more : limit - more + 1]
    for last in room_after:
        raise refusal(retry_after_s=max(1, ceil((last + DAY - now).total_seconds())))


def seconds_left(window_s: int) -> int:
    """Return after how many seconds the next window starts: 1 to `window_s`."""
    return window_s - int(time.time()) % window_s


def use(what: str, who: str, *, limit: int, window_s: int) -> Use:
    """Count one use of `what` by `who` in the current window, and say what is left of `limit`.

    Without the cache the count is kept in this process, so that nobody is locked out and limits still hold.
    """
    key, window = _key(what, who, window_s)
    try:
        cache.add(key, 0, window_s)
        used = cache.incr(key)
    except Exception:  # a cache that is down raises its driver's errors, a tolerant one ValueError
        used = _count_here(key, window)
    return Use(int(limit - used), seconds_left(window_s))


@dataclass(frozen=True, slots=True)
class Guesses:
    """Wrong guesses at one kind of secret that an address may make in a window, or that may be made at what one person has. After that even the right one is refused.

    What is right is not counted, so nobody who shares an address with others is held up by what they do. Guesses that are made at the same moment
    are all looked at before the first is counted: there can be as many more as one address may have requests at the same moment.
    """

    what: str
    limit: int
    window_s: int

    def check(self, request: HttpRequest, *, of: str | None = None) -> None:
        """Raises TooManyGuesses when the address of a request has no guesses left, or the person `of` whose secret it is."""
        key, window = _key(self.what, of or client_network(request), self.window_s)
        used = max(cache.get(key) or 0, _local.get(f"{window}:{key}", 0))
        if used >= self.limit:
            raise TooManyGuesses(retry_after_s=seconds_left(self.window_s))

    def count(self, request: HttpRequest, *, of: str | None = None) -> None:
        """Count a wrong guess."""
        allow(self.what, of or client_network(request), limit=self.limit, window_s=self.window_s)


def _key(what: str, who: str, window_s: int) -> tuple[str, int]:
    window = int(time.time()) // window_s
    return f"limit:{what}:{who}:{window}", window


def _count_here(key: str, window: int) -> int:
    with _lock:
        if len(_local) > 10_000:
            _local.clear()
        name = f"{window}:{key}"
        _local[name] = _local.get(name, 0) + 1
        return _local[name]
