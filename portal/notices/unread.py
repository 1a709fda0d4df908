"""How many notices a person has not read: the number in the header of every page, read from the cache, never from the database.

It is written whenever it changes, at each sign-in, and by the inbox. If the cache was emptied, nobody knows it until the page's script asks.
"""

from __future__ import annotations

import logging

from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.db.models import Count

from portal.accounts.models import User
from portal.notices.models import Notice

log = logging.getLogger(__name__)
_KEY = "notices:unread:{}"


def recount_later(*people: int) -> None:
    """Count again for these people, after the commit of the running transaction."""
    transaction.on_commit(lambda: _recount(people), robust=True)


def known(person: int) -> int | None:
    """Return how many notices a person has not read, without a statement; None if nobody knows."""
    found = cache.get(_KEY.format(person))
    return found if isinstance(found, int) else None


def counted(person: int) -> int:
    """Return the same, counting if need be."""
    found = known(person)
    return _count([person])[person] if found is None else found


def recount_at_sign_in(*, user: User, **_signal: object) -> None:
    """Count again for somebody who has just signed in."""
    _recount([user.pk])


def _recount(people: list[int] | tuple[int, ...]) -> None:
    try:
        _count(people)
    except DatabaseError as error:  # what was told is committed; a number that is not known is asked for again
        log.warning("unread notices not counted: %s", error)
        cache.delete_many([_KEY.format(person) for person in people])


def _count(people: list[int] | tuple[int, ...]) -> dict[int, int]:
    """Count with one statement, and keep the numbers."""
    unread = Notice.objects.filter(user__in=people, read_at=None, withdrawn_at=None).order_by()
    numbers = dict.fromkeys(people, 0) | dict(unread.values_list("user").annotate(n=Count("pk")))
    cache.set_many({_KEY.format(person): number for person, number in numbers.items()}, None)
    return numbers
