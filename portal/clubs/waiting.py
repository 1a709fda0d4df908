"""How many invitations wait for a person: the number at the menu of every page, read from the cache and never by a statement.

The number is written whenever it changes. A cache that was emptied shows none until then; the list of clubs shows all at any time.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import transaction

from portal.clubs.models import Invitation

_KEY = "clubs:invitations:{}"


def recount(*user_ids: int) -> None:
    """Count anew for these people, when the transaction is through."""
    for user_id in user_ids:
        transaction.on_commit(lambda user_id=user_id: _store(user_id))  # type: ignore[misc]


def invitations_of(user_id: int) -> int:
    """Return how many invitations wait for a person, as far as the cache knows."""
    found = cache.get(_KEY.format(user_id), 0)
    return found if isinstance(found, int) else 0


def _store(user_id: int) -> None:
    waiting = Invitation.objects.filter(user_id=user_id).count()
    if waiting:
        cache.set(_KEY.format(user_id), waiting, None)
    else:
        cache.delete(_KEY.format(user_id))
