"""How often somebody may do something: counters in the cache, or in this process while the cache is down."""

from __future__ import annotations

import threading
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

_local: dict[str, int] = {}
_lock = threading.Lock()


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind PROXY_COUNT proxies, the address that the outermost proxy saw."""
    hops = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    count: int = settings.PROXY_COUNT
    if 0 < count <= len(hops):
        return str(hops[-count][:64])
    return str(request.META.get("REMOTE_ADDR", ""))


def allow(what: str, who: str, *, limit: int, window_s: int) -> bool:
    """Count one use of `what` by `who` and say whether it is within `limit` uses of the current window.

    Without the cache the count is kept in this process, so that nobody is locked out and limits still hold.
    """
    window = int(time.time()) // window_s
    key = f"limit:{what}:{who}:{window}"
    try:
        cache.add(key, 0, window_s)
        used = cache.incr(key)
    except Exception:  # a cache that is down raises its driver's errors, a tolerant one ValueError
        used = _count_here(key, window)
    return bool(used <= limit)


def _count_here(key: str, window: int) -> int:
    with _lock:
        if len(_local) > 10_000:
            _local.clear()
        name = f"{window}:{key}"
        _local[name] = _local.get(name, 0) + 1
        return _local[name]
