"""What the page of friends shows: their names, which of them are here, and what they play and study that the reader may see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import F

from games.registry import entry
from portal.accounts.models import User
from portal.friends.selectors import Circle, Person, circle_of
from portal.live.presence import where_are
from portal.studies.access import listed as studies_listed
from portal.studies.list_views import row_of
from portal.tables.access import visible
from portal.tables.lists import TableRow, table_rows
from portal.tables.models import Seat, Table
from portal.tables.selectors import listed

TABLES_SHOWN: Final = 10
STUDIES_SHOWN: Final = 10
LIVE: Final = (Table.Status.OPEN, Table.Status.PLAYING)


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend in the list. `table` is only set if the reader may see it."""

    person: Person
    is_here: bool = False
    is_at_table: bool = False
    table: Table | None = None

    @property
    def title(self) -> str:
        """Return the name of the game at the table."""
        return entry(self.table.game).game.meta.title if self.table is not None else ""


@dataclass(frozen=True, slots=True)
class FriendsPage:
    """The page of friends of one person."""

    circle: Circle
    friends: list[Friend]
    tables: list[TableRow] = field(default_factory=list)
    studies: list[dict[str, Any]] = field(default_factory=list)


def friends_page(user: User) -> FriendsPage:
    """Return the page of a person's friends. One statement; with friends three more, or five if some of them are at tables now."""
    circle = circle_of(user)
    if not circle.friends:
        return FriendsPage(circle, [])
    ids = [person.user_id for person in circle.friends]
    return FriendsPage(circle, present(user, circle.friends), _tables_of(user, ids), _studies_of(user, ids))


def present(user: User, friends: Sequence[Person]) -> list[Friend]:
    """Say which friends are here, those first: only if the reader shows the same, and of those who do.

    "At a table" is somebody who has a table open at which they sit. What else they look at is nobody's business, and which table it is
    is told to those who may see it.
    """
    shown_by = [person.user_id for person in friends if person.shows_presence]
    here = where_are(shown_by) if user.shows_presence else {}
    open_tables = {table for tables in here.values() for table in tables}
    sits: dict[int, list[int]] = {}
    seen: dict[int, Table] = {}
    if open_tables:
        seats = Seat.objects.filter(user__in=here, table__in=open_tables, table__status__in=LIVE)
        for person, table in seats.order_by("table").values_list("user", "table"):
            if table in here[person]:
                sits.setdefault(person, []).append(table)
        at_tables = Table.objects.filter(pk__in={table for tables in sits.values() for table in tables})
        seen = {table.pk: table for table in visible(at_tables, user).only("pk", "game")} if sits else {}
    found = [
        Friend(
            person,
            is_here=person.user_id in here,
            is_at_table=person.user_id in sits,
            table=next((seen[table] for table in sits.get(person.user_id, ()) if table in seen), None),
        )
        for person in friends
    ]
    return sorted(found, key=lambda one: not one.is_here)


def _tables_of(user: User, friends: Collection[int]) -> list[TableRow]:
    """Return games of friends that the reader may watch, those first where something happened last; not games to practise or to learn.

    Tables that are open by link only are in no list of others, whoever may see them.
    """
    theirs = Seat.objects.filter(user__in=friends, table__status=Table.Status.PLAYING).values("table")
    games = Table.objects.filter(pk__in=theirs, status=Table.Status.PLAYING, privacy=Table.Privacy.PUBLIC)
    games = games.filter(by_hand=False, lesson="", position__isnull=True)
    games = visible(games.exclude(seats__user=user), user)
    return table_rows(listed(games).order_by(F("due_since").desc(nulls_last=True), "-pk")[:TABLES_SHOWN], user)


def _studies_of(user: User, friends: Collection[int]) -> list[dict[str, Any]]:
    """Return studies of friends that the reader may see, those first that changed last."""
    found = studies_listed(user).filter(owner__in=friends).select_related("owner", "club").defer("position").order_by("-changed_at")
    return [row_of(study, user) for study in found[:STUDIES_SHOWN]]
