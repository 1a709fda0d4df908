"""Tables where people of about one's own strength sit: an app above, which knows ratings, registers here how they are found."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from portal.accounts.models import User
from portal.tables.models import Table

Near = Callable[[User | None, QuerySet[Table]], QuerySet[Table]]
_found_by: list[Near] = []


def register(near: Near) -> None:
    """Find such tables with `near`, which gets the reader and some tables."""
    if near not in _found_by:
        _found_by.append(near)


def near(user: User | None, tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return those of some tables at which everybody is of about the reader's strength; without a part that knows ratings, all of them."""
    for found_by in _found_by:
        tables = found_by(user, tables)
    return tables
