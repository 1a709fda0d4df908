"""Who may see a table. Every page, answer, list, stream and record asks here.

Everybody sees a public table without a club. Members see one of a private club, and only the people seated at it see one of an unrevealed
duplicate set; one that is open by link only is seen by invited people and by those who follow its link. The people at a table always see it.
To everybody else it does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from portal.accounts.models import User
from portal.clubs.models import Club, DuplicateSet, Membership
from portal.clubs.refusals import ClubNotFound
from portal.tables.loading import Loaded, load
from portal.tables.models import Invitation, Seat, Table
from portal.tables.refusals import TableBusy, TableNotFound, TableRefusal

ASKED: Final = (Invitation.State.PENDING, Invitation.State.COUNTERED)
LET_IN: Final = (*ASKED, Invitation.State.ACCEPTED, Invitation.State.WATCHING)  # whose people see a table that is open by link only

Viewer = User | AnonymousUser | None


@dataclass(frozen=True, slots=True)
class Circle:
    """The club, league and duplicate set of a table, and one viewer's relation to them."""

    slug: str
    name: str
    is_private: bool
    is_closed: bool
    role: str | None  # of the viewer; None for outsiders
    set_id: int | None
    set_name: str
    is_sealed: bool  # in an unrevealed set: nobody gets secret and record
    season_id: int | None
    league_id: int | None
    league_name: str

    @property
    def shows_to_others(self) -> bool:
        """Whether the viewer may see the table without sitting at it."""
        return not self.is_sealed and (not self.is_private or self.role is not None)


def _lets_in() -> Q:
    """Return the condition for invitations that let their people see a table; those that nobody answered in time no longer do."""
    return Q(state__in=LET_IN) & (~Q(state__in=ASKED) | Q(expires_at__gt=timezone.now()))


def visible(tables: QuerySet[Table], user: Viewer) -> QuerySet[Table]:
    """Return the tables that `user` (None or anonymous: a visitor) may see."""
    open_to = Q(club=None, privacy=Table.Privacy.PUBLIC) | Q(club__is_private=False)
    told = Q(duplicate=None) | Q(duplicate__revealed_at__isnull=False)
    if user is None or not user.pk:
        return tables.filter(open_to, told)
    clubs = Membership.objects.filter(user=user).values("club_id")
    own = Exists(Seat.objects.filter(Q(user=user) | Q(left_user=user, is_away=True), table=OuterRef("pk")))
    asked = Q(privacy=Table.Privacy.LINK) & Q(Exists(Invitation.objects.filter(_lets_in(), table=OuterRef("pk"), user=user)))
    return tables.filter((open_to | Q(club__in=clubs)) & told | asked | own)


def may_see(table: Loaded | Table, user: Viewer) -> bool:
    """Say whether `user` may know of a table. No statement if it is public, and has no club and a deal of its own, else at most one for a loaded table."""
    row = table.table if isinstance(table, Loaded) else table
    if row.club_id is None and row.duplicate_id is None and row.privacy == Table.Privacy.PUBLIC:
        return True
    if isinstance(table, Loaded):
        sits = table.seat_of(user) is not None or seat_kept_for(table, user) is not None
    else:
        sits = user is not None and user.pk is not None and row.seats.filter(Q(user=user) | Q(left_user=user, is_away=True)).exists()
    if sits:
        return True
    if row.club_id is None and row.duplicate_id is not None:  # a deal of a match, which is public when all its games are over
        return not is_sealed(table, user)
    if row.club_id is None:
        return isinstance(user, User) and row.invitations.filter(_lets_in(), user=user).exists()
    circle = circle_of(table, user)
    return circle is not None and circle.shows_to_others


def seat_kept_for(loaded: Loaded, user: Viewer) -> int | None:
    """Return the seat that a bot keeps for somebody who ran out of time, or None."""
    if user is None or not user.pk:
        return None
    return next((seat.index for seat in loaded.seats if seat.is_away and seat.left_user_id == user.pk), None)


def load_for(table_id: Any, user: Viewer, *, lock: bool = False) -> Loaded:
    """Read a table that `user` may see. Raises TableNotFound, alike for a hidden table and for one that does not exist."""
    loaded = load(table_id, lock=lock)
    if not may_see(loaded, user):
        raise TableNotFound
    return loaded


def told_to(user: Viewer, table_id: int, error: TableRefusal) -> TableRefusal:
    """Return what `user` may read of a refusal: a busy table was not seen yet, and a hidden one is not there, busy or not."""
    if isinstance(error, TableBusy):
        try:
            load_for(table_id, user)
        except TableNotFound as hidden:
            return hidden
    return error


def circle_of(table: Loaded | Table, user: Viewer) -> Circle | None:
    """Return the club of a table and the role of `user` in it with one statement, cached on a loaded table; None without a club."""
    row = table.table if isinstance(table, Loaded) else table
    if row.club_id is None:
        return None
    viewer = user.pk if user is not None and user.pk else 0
    kept = table.circles if isinstance(table, Loaded) else {}
    if viewer not in kept:
        kept[viewer] = _read(row, viewer)
    circle: Circle = kept[viewer]
    return circle


def is_sealed(table: Loaded | Table, user: Viewer) -> bool:
    """Say whether a table shares its deal with games that are not over: nobody gets its secret and record yet.

    No statement for a table with a deal of its own.
    """
    row = table.table if isinstance(table, Loaded) else table
    if row.duplicate_id is None:
        return False
    circle = circle_of(table, user)
    if circle is not None:
        return circle.is_sealed
    return DuplicateSet.objects.filter(pk=row.duplicate_id, revealed_at=None).exists()


def hold_club(club: Club) -> Club:
    """Return the club, and lock it and its members until the end of the transaction. Raises ClubNotFound.

    Every change to a club or its members first locks the club's row as well.
    """
    found = Club.objects.select_for_update(no_key=True).filter(pk=club.pk).first()
    if found is None:
        raise ClubNotFound
    return found


def hold_membership(club_id: int, user: Viewer) -> bool:
    """Say whether `user` is a member of a club, and lock the membership until the end of the transaction.

    A concurrent removal waits for it, and finds the seat that was taken. Only for somebody without a seat at the already locked table,
    because a removal waits for the tables where the person sits.
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
