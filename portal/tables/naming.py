"""Names that somebody begins to type when they invite people."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, Value, When
from django.db.models.functions import Upper

from portal.accounts.blocks import ids_blocked_by
from portal.accounts.models import User
from portal.accounts.names import MAX_NAME_CHARS
from portal.clubs.models import Membership
from portal.friends.selectors import friend_ids
from portal.tables.models import Seat

FEWEST_LETTERS: Final = 2
SHOWN: Final = 8


class Found(NamedTuple):
    """Somebody who was found."""

    name: str
    is_bot: bool


def names_like(user: User, start: str) -> list[Found]:
    """Return names that start with what was typed: friends first, then people met at a table, members of the same clubs, and others; one statement.

    Guests are found only by those who have met them, and people whom the reader blocks not at all. Nothing else of a person is looked at or told.
    """
    start = start.strip()
    if not FEWEST_LETTERS <= len(start) <= MAX_NAME_CHARS or not start.isprintable():
        return []
    met = Exists(Seat.objects.filter(user=OuterRef("pk"), table__in=Seat.objects.filter(user=user).values("table")))
    clubs = Membership.objects.filter(user=user, club__closed_at=None).values("club")
    clubmate = Exists(Membership.objects.filter(user=OuterRef("pk"), club__in=clubs))
    found = User.objects.filter(username__istartswith=start, is_active=True).exclude(pk=user.pk).filter(Q(is_guest=False) | met)
    found = found.exclude(pk__in=ids_blocked_by(user))
    friend = When(pk__in=friend_ids(user), then=Value(0))
    nearness = Case(friend, When(met, then=Value(1)), When(clubmate, then=Value(2)), default=Value(3), output_field=IntegerField())
    order = found.annotate(nearness=nearness).order_by("nearness", Upper("username"))
    return [Found(*row) for row in order.values_list("username", "is_bot")[:SHOWN]]
