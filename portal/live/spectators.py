"""The spectators of a table: kept in Valkey for a minute, nowhere else.

The web process that holds a spectator's stream notes it a moment after it has opened and then now and then, so no request is slower for it,
and whoever has closed the page is gone soon. Each table has a sorted set of its spectators by the time until which they count. A member is
`n7@1f` for person 7 who shows their name, `u7@1f` for one who doesn't, `v12@1f` for the 12th visitor of a process; behind the `@` is the
process, so that one that loses a spectator doesn't take the stream that another one holds. Who may read names is decided elsewhere.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from secrets import token_hex
from typing import Final, cast

import redis
from django.conf import settings

from portal.live.breaker import Breaker
from portal.live.tokens import Pass

log = logging.getLogger(__name__)
EVERY_S: Final = 20.0  # a table's spectators are noted again
KEPT_S: Final = 60
QUIET_S: Final = 10.0  # a crowd comes and goes all the time: its changes wait so long
CROWD: Final = 20
AT_ONCE: Final = 300  # tables noted in one step: 5,000 of them take 0.4 s of the processor in all, which pages would feel
_breaker = Breaker(pause_s=1.0)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS)


def key_of(table: int) -> str:
    """Return the key of a table's spectators."""
    return f"table:{table}:spectators"


def heads(members: Iterable[bytes | str]) -> set[str]:
    """Return each spectator once, without the process: {"n7", "v12@1f"}. Visitors of two processes are two."""
    names = (member.decode() if isinstance(member, bytes) else member for member in members)
    return {name if name.startswith("v") else name.partition("@")[0] for name in names}


@dataclass(frozen=True)
class Note:
    """What a process has to say of a table: the spectators that count for another while, and those that have left."""

    table: int
    here: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass
class _Crowd:
    members: Counter[str] = field(default_factory=Counter)
    noted: frozenset[str] = frozenset()
    at: float = float("-inf")
    is_changed: bool = False


class Spectators:
    """The spectators with open streams in one process, by table."""

    def __init__(self) -> None:
        self._crowds: dict[int, _Crowd] = {}
        self._process = token_hex(4)
        self._visitors = itertools.count()

    @contextmanager
    def counted(self, table: int, reader: Pass) -> Iterator[None]:
        """Count a stream within the block, if its reader watches."""
        if not reader.watches:
            yield
            return
        who = f"v{next(self._visitors)}" if not reader.viewer else f"{'n' if reader.is_named else 'u'}{reader.viewer}"
        member = f"{who}@{self._process}"
        crowd = self._crowds.setdefault(table, _Crowd())
        crowd.members[member] += 1
        crowd.is_changed = True
        try:
            yield
        finally:
            crowd.members[member] -= 1
            if not crowd.members[member]:
                del crowd.members[member]
            crowd.is_changed = True

    def due(self, now: float) -> list[Note]:
        """Return what is to be noted by now, and take it as noted: each table now and then, and soon after its spectators have changed.

        At most AT_ONCE tables; the others come the next time, those first that have waited longest.
        """
        notes: list[Note] = []
        for table, crowd in list(self._crowds.items()):
            waits_s = (QUIET_S if len(crowd.members) > CROWD else 0.0) if crowd.is_changed else EVERY_S
            if now - crowd.at < waits_s:
                continue
            if len(notes) == AT_ONCE:
                break
            here = frozenset(crowd.members)
            notes.append(Note(table, tuple(here), tuple(crowd.noted - here)))
            crowd.noted, crowd.at, crowd.is_changed = here, now, False
            del self._crowds[table]
            if here:
                self._crowds[table] = crowd  # at the end
        return notes


@dataclass(frozen=True)
class Watching:
    """The spectators of a table: the ids of the people who show their names, of those who don't, and how many visitors there are."""

    named: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    visitors: int = 0


def watching(table: int, now: float) -> Watching:
    """Return the spectators of a table at a time (s since the epoch). While Valkey is away, there are none."""
    try:
        found = cast("list[bytes]", _breaker.call(lambda: _client().zrangebyscore(key_of(table), now, "+inf")))
    except (redis.RedisError, OSError) as error:
        log.warning("spectators of table %s not read: %s", table, error)
        return Watching()
    who = heads(found)
    named = frozenset(int(one[1:]) for one in who if one.startswith("n"))
    hidden = frozenset(int(one[1:]) for one in who if one.startswith("u")) - named  # who has changed their mind counts once
    return Watching(named, hidden, sum(one.startswith("v") for one in who))
