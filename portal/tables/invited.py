"""Who is invited to a table: what other services have to know of it, and the lists that invited people and owners see."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.utils import timezone

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.tables import refusals
from portal.tables.loading import Loaded
from portal.tables.models import Invitation, Table
from portal.tables.seating import is_free
from portal.tables.signals import invitation_changed

CODE_BYTES: Final = 12  # of randomness in a link: nobody guesses 96 bits
OPEN: Final = (Invitation.State.PENDING, Invitation.State.COUNTERED)
SHOWN: Final = 10  # invitations in a person's list


def new_code() -> str:
    """Return the secret part of a new link."""
    return secrets.token_urlsafe(CODE_BYTES)


def still_open() -> Q:
    """Return the condition for invitations that can be answered, by the invited person or by the owner."""
    return Q(state__in=OPEN, expires_at__gt=timezone.now())


def open_invitations(table: Table) -> list[Invitation]:
    """Return the invitations for which a seat of an open table is kept, oldest first."""
    return list(Invitation.objects.filter(still_open(), table=table).order_by("pk"))


def tell(invitation: Invitation, what: str) -> None:
    """Tell who listens that an invitation was stored."""
    invitation_changed.send(Invitation, invitation=invitation, what=what)


def keep(table: Table, count: int) -> None:
    """Store how many free seats of a locked table are kept."""
    if table.kept != count:
        table.kept = count
        table.save(update_fields=["kept"])


def recount(table: Table) -> None:
    """Count the seats that are kept at a locked table."""
    keep(table, len(open_invitations(table)))


def claim(loaded: Loaded, user: User, answered: Invitation | None = None) -> None:
    """Accept what `user` was invited by to a locked open table, where they are about to sit down; `answered` is such an invitation too.

    Raises SeatsKept if every free seat is kept for somebody else. No statement at a table to which nobody is invited.
    """
    if not loaded.table.kept and answered is None:
        return
    waiting = open_invitations(loaded.table)
    own = [one for one in waiting if one.user_id == user.pk or (answered is not None and one.pk == answered.pk)]
    if sum(map(is_free, loaded.seats)) <= len(waiting) - len(own):
        raise refusals.SeatsKept
    for invitation in own:
        invitation.state, invitation.answered_at, invitation.user = Invitation.State.ACCEPTED, timezone.now(), user
        invitation.save(update_fields=["state", "answered_at", "user"])
        tell(invitation, "accepted")
    keep(loaded.table, len(waiting) - len(own))


def close(table: Table) -> None:
    """Let the open invitations to a locked table expire, because it starts or is closed. No statement where nobody is invited."""
    if table.kept:
        Invitation.objects.filter(table=table, state__in=OPEN).update(state=Invitation.State.EXPIRED, answered_at=timezone.now())
        keep(table, 0)


@dataclass(frozen=True, slots=True)
class Waiting:
    """An invitation that waits for somebody's answer."""

    id: int
    entry: Entry
    by: str  # name; "" if the account is gone
    seat_count: int
    is_rated: bool


def waiting_for(user: User | None) -> list[Waiting]:
    """Return the invitations that wait for a person's answer, newest first; one statement."""
    if user is None or not user.pk:
        return []
    found = Invitation.objects.filter(
        user=user, state=Invitation.State.PENDING, expires_at__gt=timezone.now(), table__status=Table.Status.OPEN
    )
    values = found.order_by("-made_at").values_list("pk", "table__game", "by__username", "table__seat_count", "table__is_rated")
    return [Waiting(pk, GAMES[game], by or "", seats, is_rated) for pk, game, by, seats, is_rated in values[:SHOWN]]


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as the table's owner sees it."""

    id: int
    name: str  # of the person, or the email address
    is_person: bool
    is_bot: bool
    state: str
    made_at: datetime
    answered_at: datetime | None
    expires_at: datetime
    seats: int | None
    is_rated: bool | None
    message: str

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


def invited_to(table: Table) -> list[Invited]:
    """Return the invitations to an open table for its owner, oldest first, without withdrawn ones; one statement."""
    found = Invitation.objects.filter(table=table).exclude(way=Invitation.Way.LINK).exclude(state=Invitation.State.TAKEN_BACK)
    return [shown(one) for one in _newest(found.select_related("user").order_by("pk"))]


def own_invitation(loaded: Loaded, user: User | None) -> int | None:
    """Return the number of the invitation by which `user` may take a seat, if any. No statement at a table to which nobody is invited."""
    if not loaded.table.kept or user is None or not user.pk or loaded.seat_of(user) is not None:
        return None
    return Invitation.objects.filter(still_open(), table=loaded.table, user=user).values_list("pk", flat=True).first()


def _newest(invitations: Iterable[Invitation]) -> list[Invitation]:
    """Return the last invitation of each person or address: somebody who was invited again is told of once."""
    return list({(one.email or one.user_id): one for one in invitations}.values())


def shown(one: Invitation) -> Invited:
    """Return an invitation as the table's owner sees it."""
    is_late = one.state in OPEN and one.expires_at <= timezone.now()
    return Invited(
        id=one.pk,
        name=one.email or (one.user.username if one.user is not None else ""),
        is_person=not one.email,
        is_bot=one.user is not None and one.user.is_bot,
        state=Invitation.State.EXPIRED if is_late else one.state,
        made_at=one.made_at,
        answered_at=one.answered_at,
        expires_at=one.expires_at,
        seats=one.seats,
        is_rated=one.is_rated,
        message=one.message,
    )
