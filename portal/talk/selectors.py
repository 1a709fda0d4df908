"""What is read of the chat, by somebody who may see the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q, QuerySet

from portal.accounts.blocks import ids_blocked_by
from portal.accounts.models import User
from portal.tables.loading import Loaded
from portal.talk.models import Line, Listener, Room
from portal.talk.refusals import NoSuchLine
from portal.talk.rooms import rooms_for

SHOWN: Final = 100  # lines of a room on one page
MOST_UNREAD: Final = 99


def heard(loaded: Loaded, user: User | None, rooms: Sequence[Room]) -> QuerySet[Line]:
    """Return the lines of some rooms, without those of people whom the reader blocks."""
    lines = Line.objects.filter(table=loaded.table, room__in=rooms)
    return lines if user is None else lines.filter(Q(writer=None) | ~Q(writer__in=ids_blocked_by(user)))


def lines_of(loaded: Loaded, user: User | None, room: Room, *, since: int = 0, before: int | None = None) -> tuple[list[Line], bool]:
    """Return the newest lines of a room after the line `since` and before `before`, oldest first, and whether there are earlier ones."""
    lines = heard(loaded, user, [room]).filter(pk__gt=since).select_related("writer")
    if before is not None:
        lines = lines.filter(pk__lt=before)
    found = list(lines.order_by("-pk")[: SHOWN + 1])
    return found[SHOWN - 1 :: -1] if len(found) > SHOWN else found[::-1], len(found) > SHOWN


def line_for(loaded: Loaded, user: User | None, line_id: int) -> Line:
    """Return a line that a person may read. Raises NoSuchLine."""
    found = heard(loaded, user, rooms_for(loaded, user).read).filter(pk=line_id).select_related("writer").first()
    if found is None:
        raise NoSuchLine
    return found


def listener_of(loaded: Loaded, user: User | None) -> Listener:
    """Return what a person has at a table; an unsaved one if that is nothing yet."""
    found = Listener.objects.filter(table=loaded.table, user=user).first() if user is not None else None
    return found or Listener(table=loaded.table, user=user)


def unread_at(loaded: Loaded, user: User) -> int:
    """Return how many lines of others a person has not read, at most MOST_UNREAD; 0 at a table that they have muted.

    Of the rooms in which they may write: nobody is called for what others say among themselves.
    """
    listener = listener_of(loaded, user)
    if listener.is_muted:
        return 0
    lines = heard(loaded, user, rooms_for(loaded, user).write).filter(pk__gt=listener.seen, hidden_at=None)
    return lines.exclude(writer=user)[:MOST_UNREAD].count()
