"""People who have not finished a game yet: front page and tables offer them to learn it."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from portal.accounts.models import User
from portal.tables.models import Table
from portal.tables.selectors import TablePage
from rules_docs.teaching import is_taught

KNOWN_S: Final = 30 * 24 * 3600  # that somebody has finished a game never changes
ASKED_S: Final = 600  # and after the first one, the offer stays for so long


def finished_games(user: User) -> set[str]:
    """Return the games of which a person has finished at least one; one statement."""
    mine = Table.objects.filter(status=Table.Status.FINISHED, seats__user=user)
    return set(mine.order_by().values_list("game", flat=True).distinct())


def has_finished(user: User, game: str) -> bool:
    """Return whether a person has finished a game; asked seldom, because every page of a table wants to know it."""
    key = f"finished:{user.pk}:{game}"
    known = cache.get(key)
    if known is None:
        known = Table.objects.filter(status=Table.Status.FINISHED, game=game, seats__user=user).exists()
        cache.set(key, known, KNOWN_S if known else ASKED_S)
    return bool(known)


def may_want_to_learn(page: TablePage, user: User | None) -> bool:
    """Return whether a running table offers its reader to learn the game."""
    if user is None or page.my_seat is None or page.status != "playing" or page.lesson is not None:
        return False
    return is_taught(page.entry.key) and not has_finished(user, page.entry.key)
