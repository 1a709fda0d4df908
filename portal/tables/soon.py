"""Has moves by webhook posted right after the commit that makes somebody due, not with the next of the runs that come every few seconds.

Nothing depends on it: whatever is missed here, because Valkey or the worker is away, is found by those runs (`posted.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.core.cache import cache

from portal.common.briefly import Briefly
from portal.common.later import enqueue
from portal.notices.models import Hook

POST_MOVES: Final = "portal.tables.tasks.post_moves"
ENQUEUED: Final = "moves:enqueued"  # in the cache: a run that hasn't begun yet
KEPT_S: Final = 10
LOOK_S: Final = 5.0


def _read() -> frozenset[int]:
    hooks = Hook.objects.filter(takes_moves=True, off_at=None, failures=0, user__is_active=True)
    return frozenset(hooks.values_list("user_id", flat=True))


takers: Final[Briefly[frozenset[int]]] = Briefly(
    _read, LOOK_S, otherwise=frozenset()
)  # whose webhook takes moves and has taken the last one


def post_soon(people: Iterable[int | None]) -> None:
    """Enqueue a run if one of these people, who have to move, takes moves by webhook. Called after the commit.

    A run that is enqueued and hasn't begun finds them as well, so there is never more than one such.
    """
    if not takers.get().isdisjoint(people) and cache.add(ENQUEUED, 1, KEPT_S):
        enqueue(POST_MOVES, expires_s=KEPT_S)


def begin() -> None:
    """Let the next move enqueue a run again. Called before the run looks who is due."""
    cache.delete(ENQUEUED)
