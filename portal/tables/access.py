"""Who may see a table: asked by every page, answer, list, stream and record.

A table without a club is seen by everybody. One of a private club is seen by its members, one of a duplicate set that is
not revealed by nobody but those who sit at it; who sits at a table always sees it. To all others it does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.clubs.errors import ClubNotFound
from portal.clubs.models import Club, Membership
from portal.tables.errors import TableNotFound
from portal.tables.loading import Loaded, load
from portal.tables.models import Seat, Table

Viewer = User | AnonymousUser | None


@dataclass(frozen=True, slots=True)
class Circle:
    """The club, league and duplicate set of a table, and how one viewer stands to them."""

    slug: str
    name: str
    is_private: bool
    is_closed: bool
    role: str | None  # of the viewer; None for outsiders
    set_id: int | None
    set_name: str
    is_sealed: bool  # of a set that is not revealed: secret and record are given to nobody
    season_id: int | None
    league_id: int | None
    league_name: str

    @property
    def shows_to_others(self) -> bool:
        """Whether the viewer may see the table without sitting at it."""
        return not self.is_sealed and (not self.is_private or self.role is not None)


def visible(tables: QuerySet[Table], user: Viewer) -> QuerySet[Table]:
    """Return those of the tables that `user` (None or anonymous: a visitor) may see."""
    open_to = Q(club=None) | Q(club__is_private=False)
    told = Q(duplicate=None) | Q(duplicate__revealed_at__isnull=False)
    if user is None or not user.pk:
        return tables.filter(open_to, told)
    clubs = Membership.objects.filter(user=user).values("club_id")
    own = Exists(Seat.objects.filter(table=OuterRef("pk"), user=user))
    return tables.filter((open_to | Q(club__in=clubs)) & told | own)


def may_see(table: Loaded | Table, user: Viewer) -> bool:
    """Say whether `user` may know of a table: without a statement when it has no club, else with at most one of a loaded one."""
    row = table.table if isinstance(table, Loaded) else table
    if row.club_id is None:
        return True
    if isinstance(table, Loaded):
        sits = table.seat_of(user) is not None
    else:
        sits = user is not None and user.pk is not None and row.seats.filter(user=user).exists()
    if sits:
        return True
    circle = circle_of(table, user)
    return circle is not None and circle.shows_to_others


def load_for(table_id: Any, user: Viewer, *, lock: bool = False) -> Loaded:
    """Read a table that `user` may see. Raises TableNotFound, the same for a table that is hidden as for one that is not there."""
    loaded = load(table_id, lock=lock)
    if not may_see(loaded, user):
        raise TableNotFound("there is no such table")
    return loaded


def circle_of(table: Loaded | Table, user: Viewer) -> Circle | None:
    """Return the club of a table and the role of `user` in it by one statement, kept with a loaded table; None without a club."""
    row = table.table if isinstance(table, Loaded) else table
    if row.club_id is None:
        return None
    viewer = user.pk if user is not None and user.pk else 0
    kept = table.circles if isinstance(table, Loaded) else {}
    if viewer not in kept:
        kept[viewer] = _read(row, viewer)
    circle: Circle = kept[viewer]
    return circle


def hold_club(club: Club) -> Club:
    """Return the club as it is now, and keep it and its members so to the end of the transaction. Raises ClubNotFound.

    Whoever changes a club or its members locks its row as well, first of all.
    """
    found = Club.objects.select_for_update(no_key=True).filter(pk=club.pk).first()
    if found is None:
        raise ClubNotFound(_("There is no such club, or it is not open to you."))
    return found


def hold_membership(club_id: int, user: Viewer) -> bool:
    """Say whether `user` is a member of a club, and keep it so to the end of the transaction.

    Who is removed meanwhile waits for it, and finds the seat that was taken. For somebody without a seat at a table that is
    locked already: the removal waits for the tables at which they sit.
    """
    if user is None or not user.pk:
        return False
    return Membership.objects.select_for_update().filter(club=club_id, user=user).first() is not None


def _read(table: Table, viewer: int) -> Circle:
    role = Membership.objects.filter(club=OuterRef("club_id"), user=viewer).values("role")
    values = (
        Table.objects.filter(pk=table.pk)
        .annotate(viewer_role=Subquery(role[:1]))
        .values_list(
            "club__slug", "club__name", "club__is_private", "club__closed_at", "viewer_role",
            "duplicate_id", "duplicate__name", "duplicate__revealed_at",
            "pairing__league__season_id", "pairing__league_id", "pairing__league__name",
        )
        .get()
    )  # fmt: skip
    slug, name, is_private, closed_at, viewer_role, set_id, set_name, revealed_at, season_id, league_id, league_name = values
    return Circle(
        slug=slug,
        name=name,
        is_private=is_private,
        is_closed=closed_at is not None,
        role=viewer_role,
        set_id=set_id,
        set_name=set_name or "",
        is_sealed=set_id is not None and revealed_at is None,
        season_id=season_id,
        league_id=league_id,
        league_name=league_name or "",
    )
