"""How members go: they leave, are removed, or are banned. How they join is in ways_in.py."""

from __future__ import annotations

from django.db import transaction

from portal.accounts import names
from portal.accounts.models import User
from portal.accounts.refusals import StillOwner
from portal.clubs import refusals
from portal.clubs.journal import note
from portal.clubs.models import Ban, Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Role, Verb, require, require_over, role_of
from portal.clubs.services import lock, membership_of
from portal.clubs.signals import member_gone
from portal.clubs.texts import clean_line
from portal.clubs.waiting import recount


@transaction.atomic
def leave(*, club: Club, user: User | None) -> None:
    """Leave a club. The owner has to hand it over first."""
    club = lock(club)
    if role_of(club, user) == Role.OWNER:
        raise refusals.OwnerCannotLeave
    require(Verb.LEAVE, club, user)
    assert user is not None
    _take_out(club, user)
    note(club, "left", user, user)


def owned_by(user: User) -> list[Club]:
    """Return the clubs that somebody has to hand over or close before they can delete their account."""
    return list(Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER, closed_at=None).order_by("name"))


def leave_all(*, user: User, **_signal: object) -> bool:
    """Take somebody who goes for good out of every club. Their row need not stay for that. Raises StillOwner for the owner of a club."""
    for member in list(user.memberships.select_related("club").order_by("club_id")):
        club = lock(member.club)
        if club.closed_at is None and role_of(club, user) == Role.OWNER:
            raise StillOwner
        _take_out(club, user)
        if club.closed_at is None:
            note(club, "left", user, user)
    return False


@transaction.atomic
def remove(*, club: Club, actor: User | None, member: User) -> None:
    """Remove a member of a lower role; they may come back."""
    club = lock(club)
    require(Verb.REMOVE, club, actor)
    if actor == member:
        raise refusals.CannotRemoveYourself
    membership_of(club, member)
    require_over(Verb.REMOVE, club, actor, member)
    _take_out(club, member)
    note(club, "removed", actor, member)


@transaction.atomic
def ban(*, club: Club, actor: User | None, person: User, reason: str = "") -> Ban:
    """Ban a person (a member of a lower role or an outsider) until the ban is lifted. Only officers see the reason."""
    club = lock(club)
    require(Verb.BAN, club, actor)
    if actor == person:
        raise refusals.CannotBanYourself
    require_over(Verb.BAN, club, actor, person)
    if Ban.objects.filter(club=club, user=person).exists():
        raise refusals.AlreadyBanned
    found = Ban.objects.create(club=club, user=person, by=actor, reason=clean_line(reason, field="reason"))
    _take_out(club, person)
    JoinRequest.objects.filter(club=club, user=person).delete()
    if Invitation.objects.filter(club=club, user=person).delete()[0]:
        recount(person.pk)
    note(club, "banned", actor, person)
    return found


@transaction.atomic
def lift_ban(*, club: Club, actor: User | None, ban_id: int) -> None:
    """Lift the ban: the person may join again by any way that is open to others."""
    club = lock(club)
    require(Verb.BAN, club, actor)
    found = Ban.objects.select_related("user").filter(club=club, pk=ban_id).first()
    if found is None:
        raise refusals.BanLifted
    found.delete()
    note(club, "ban_lifted", actor, found.user)


def person_named(username: object, *, field: str = "username") -> User:
    """Return the person with this name. Raises BadValue."""
    name = clean_line(username, field=field, limit=150)
    found = names.person_named(name)
    if found is None:
        raise refusals.NobodyOfThatName(field=field)
    return found


def count_members(club: Club) -> None:
    """Update the member count of a locked club."""
    club.member_count = Membership.objects.filter(club=club).count()
    club.save(update_fields=["member_count"])


def _take_out(club: Club, user: User) -> None:
    """End a membership, and announce it."""
    if not Membership.objects.filter(club=club, user=user).delete()[0]:
        return
    count_members(club)
    member_gone.send(Club, club=club, user=user)
