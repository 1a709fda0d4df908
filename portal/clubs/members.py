"""Members go: by themselves, removed, or banned. How they come is in ways_in.py."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.clubs.errors import BadValue, NotAllowed, WrongMoment
from portal.clubs.journal import note
from portal.clubs.models import Ban, Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Role, Verb, require, require_over, role_of
from portal.clubs.services import lock, membership_of
from portal.clubs.texts import clean_line
from portal.clubs.waiting import recount
from portal.tables import services as tables
from portal.tables.errors import TableError
from portal.tables.models import Table


@transaction.atomic
def leave(*, club: Club, user: User | None) -> None:
    """Leave a club. The owner has to hand it over before."""
    club = lock(club)
    if role_of(club, user) == Role.OWNER:
        raise NotAllowed(_("The owner cannot leave. Hand the club over first, or close it."))
    require(Verb.LEAVE, club, user)
    assert user is not None
    _take_out(club, user)
    note(club, "left", user, user)


@transaction.atomic
def remove(*, club: Club, actor: User | None, member: User) -> None:
    """Remove a member of a lower role; they may come back."""
    club = lock(club)
    require(Verb.REMOVE, club, actor)
    if actor == member:
        raise NotAllowed(_("You cannot remove yourself. To go, leave the club."))
    membership_of(club, member)
    require_over(Verb.REMOVE, club, actor, member)
    _take_out(club, member)
    note(club, "removed", actor, member)


@transaction.atomic
def ban(*, club: Club, actor: User | None, person: User, reason: str = "") -> Ban:
    """Keep a person out, who is a member of a lower role or an outsider, until the ban is lifted. The reason is for officers."""
    club = lock(club)
    require(Verb.BAN, club, actor)
    if actor == person:
        raise NotAllowed(_("You cannot ban yourself. To go, leave the club."))
    require_over(Verb.BAN, club, actor, person)
    if Ban.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("This person is banned already."))
    found = Ban.objects.create(club=club, user=person, by=actor, reason=clean_line(reason, field="reason"))
    _take_out(club, person)
    JoinRequest.objects.filter(club=club, user=person).delete()
    if Invitation.objects.filter(club=club, user=person).delete()[0]:
        recount(person.pk)
    note(club, "banned", actor, person)
    return found


@transaction.atomic
def lift_ban(*, club: Club, actor: User | None, ban_id: int) -> None:
    """Let a person come back by any road that is open to others."""
    club = lock(club)
    require(Verb.BAN, club, actor)
    found = Ban.objects.select_related("user").filter(club=club, pk=ban_id).first()
    if found is None:
        raise WrongMoment(_("This ban is lifted already."))
    found.delete()
    note(club, "ban_lifted", actor, found.user)


def person_named(username: object, *, field: str = "username") -> User:
    """Return the person of a name. Raises BadValue."""
    name = clean_line(username, field=field, limit=150)
    found = User.objects.filter(username=name, is_active=True).first() if name else None
    if found is None:
        raise BadValue(_("There is nobody of that name."), field)
    return found


def count_members(club: Club) -> None:
    """Bring the count of a locked club up to its members."""
    club.member_count = Membership.objects.filter(club=club).count()
    club.save(update_fields=["member_count"])


def _take_out(club: Club, user: User) -> None:
    """End a membership and give back seats at open tables of the club; running games are played out."""
    if not Membership.objects.filter(club=club, user=user).delete()[0]:
        return
    count_members(club)
    _give_back_seats(club, user)
    # Somebody who sat down at this very moment was still a member for the table.
    transaction.on_commit(lambda: _give_back_seats(club, user), robust=True)


def _give_back_seats(club: Club, user: User) -> None:
    if Membership.objects.filter(club=club, user=user).exists():
        return  # back already
    open_tables = Table.objects.filter(club=club, status=Table.Status.OPEN, seats__user=user)
    for table_id in list(open_tables.order_by("pk").values_list("pk", flat=True)):
        with suppress(TableError):  # it has begun, or ended, while we waited for it
            tables.leave_table(table_id=table_id, user=user, before_start=True)
