"""How many invitations wait for a person: the number in the menu of every page, read from the cache, never from the database.

The number is written whenever it changes, at each sign-in, and by the list of clubs, which knows it. A cache that was emptied
shows none until then.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet

from portal.accounts.models import Block, User
from portal.clubs.models import Invitation
from portal.clubs.telling import withdraw_invited

_KEY = "clubs:invitations:{}"


def recount(*user_ids: int) -> None:
    """Count again for these people, after the commit."""
    for user_id in user_ids:
        transaction.on_commit(lambda user_id=user_id: _count(user_id))  # type: ignore[misc]


def invitations_of(user_id: int) -> int:
    """Return how many invitations wait for a person, as far as the cache knows."""
    found = cache.get(_KEY.format(user_id), 0)
    return found if isinstance(found, int) else 0


def recount_at_sign_in(*, user: User, **_signal: object) -> None:
    """Count again for somebody who has just signed in."""
    if not user.is_guest:
        _count(user.pk)


def _count(user_id: int) -> None:
    remember(user_id, heard_by(user_id).count())


def heard_by(user_id: int) -> QuerySet[Invitation]:
    """Return the invitations that a person is told of: not those of somebody they block. Their list of clubs has all of them."""
    blocked = Block.objects.filter(user=user_id).values("blocked")
    return Invitation.objects.filter(user_id=user_id, club__closed_at=None).filter(Q(by=None) | ~Q(by__in=blocked))


def forget_blocked(*, user: User, person: User, **_signal: object) -> None:
    """Withdraw what somebody was told of invitations by a person whom they block from now on."""
    for invitation in Invitation.objects.filter(user=user, by=person):
        withdraw_invited(invitation)
    recount(user.pk)


def remember(user_id: int, waiting: int) -> None:
    """Store a known number."""
    if waiting:
        cache.set(_KEY.format(user_id), waiting, None)
    else:
        cache.delete(_KEY.format(user_id))
