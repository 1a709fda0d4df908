"""The spectators of a table, as one reader may know them: people by name, if they show it, and how many others there are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q

from portal.accounts.models import Block, User
from portal.accounts.pseudonyms import named
from portal.live.spectators import watching
from portal.tables.loading import Loaded
from portal.tables.models import Table

MOST_NAMES: Final = 50


@dataclass(frozen=True)
class Watchers:
    """`names`: of those whose names the reader may know, as the alphabet has them; `others`: how many more watch; `bots`: those of `names` that are bot accounts."""

    names: tuple[str, ...] = ()
    others: int = 0
    bots: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many watch."""
        return len(self.names) + self.others

    @property
    def marked(self) -> list[tuple[str, str]]:
        """The names, each with how readers see it."""
        return [(name, named(name, name in self.bots)) for name in self.names]


def watchers_of(loaded: Loaded, user: User | None) -> Watchers:
    """Return who watches a table that the reader may see: two statements at most.

    People at the table learn names, and those who are noted as its spectators themselves, so nobody can ask from afar where somebody is.
    If one of two people blocks the other, neither learns that the other is there.
    """
    if loaded.table.status not in (Table.Status.OPEN, Table.Status.PLAYING):
        return Watchers()
    found = watching(loaded.table.pk, time.time())
    seated = {seat.user_id for seat in loaded.seats}  # also somebody who has just sat down
    ids, others = found.named - seated, len(found.hidden - seated) + found.visitors
    if user is None or not ids or user.pk not in seated | found.named | found.hidden:
        return Watchers(others=len(ids) + others)
    apart = Block.objects.filter(Q(user=OuterRef("pk"), blocked=user) | Q(user=user, blocked=OuterRef("pk")))
    shown = User.objects.filter(~Exists(apart), pk__in=ids, shows_watching=True, is_active=True)
    people = list(shown.order_by("username").values_list("username", "is_bot")[:MOST_NAMES])
    return Watchers(tuple(name for name, _ in people), len(ids) - len(people) + others, tuple(name for name, is_bot in people if is_bot))
