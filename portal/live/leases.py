"""How many streams somebody holds in all web processes together: each is a lease in Valkey that its process renews.

A sorted set for each holder has the leases by the time at which they end. A process that is killed renews nothing, so its leases are free
after KEPT_S. While Valkey is away, every lease is granted: then the limits of each process alone hold, and what is open is noted when it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable
from secrets import token_hex
from typing import Final

import redis.asyncio
from redis.exceptions import RedisError

from portal.live.places import NoPlace

log = logging.getLogger(__name__)
EVERY_S: Final = 10.0  # leases are renewed
KEPT_S: Final = 30
AT_ONCE: Final = 500  # renewed in one step
_TAKE: Final = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
"""


def key_of(holder: str) -> str:
    """Return the key of a holder's leases."""
    return f"streams:{holder}"


class Leases:
    """The leases of one process: at most `each` of one holder in all processes that share a Valkey.

    `connection` gives a client in the event loop. What it does must end soon when Valkey doesn't answer.
    """

    def __init__(self, connection: Callable[[], redis.asyncio.Redis], each: int) -> None:
        self.each = each
        self._connection = connection
        self._process = token_hex(4)
        self._numbers = itertools.count()
        self._held: dict[str, str] = {}  # the holder of each lease
        self._renewing: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def take(self, holder: str) -> AsyncIterator[None]:
        """Hold a lease within the block. Raises NoPlace when this holder has all that one may have."""
        lease = f"{self._process}:{next(self._numbers)}"
        now = time.time()
        try:
            given = await self._connection().eval(_TAKE, 1, key_of(holder), str(now), str(now + KEPT_S), lease, str(self.each), str(KEPT_S))
        except (RedisError, OSError) as error:
            log.warning("streams of all processes not counted: %s", error)
            given = 1
        if not given:
            raise NoPlace
        self._held[lease] = holder
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.ensure_future(self._renew_forever())
        try:
            yield
        finally:
            del self._held[lease]
            with contextlib.suppress(RedisError, OSError):  # it ends by itself
                await self._connection().zrem(key_of(holder), lease)

    def close(self) -> None:
        """Renew nothing from now on."""
        if self._renewing:
            self._renewing.cancel()

    async def _renew_forever(self) -> None:
        while self._held:
            await asyncio.sleep(EVERY_S)
            held = list(self._held.items())
            for first in range(0, len(held), AT_ONCE):
                with contextlib.suppress(RedisError, OSError):  # the next time
                    await self._renew(held[first : first + AT_ONCE])

    async def _renew(self, held: list[tuple[str, str]]) -> None:
        until = time.time() + KEPT_S
        pipeline = self._connection().pipeline(transaction=False)
        for lease, holder in held:
            if lease in self._held:  # else it was given back meanwhile
                pipeline.zadd(key_of(holder), {lease: until})
                pipeline.expire(key_of(holder), KEPT_S)
        await pipeline.execute()
