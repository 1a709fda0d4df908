"""The ways to join a club: at once, by request, by invitation, by the link. A ban closes all of them."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from portal.accounts.models import User
from portal.clubs import refusals
from portal.clubs.journal import note
from portal.clubs.members import count_members
from portal.clubs.models import Ban, Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Role, Verb, require
from portal.clubs.services import club_by_code, lock, require_account
from portal.clubs.telling import tell_decided, tell_invited, withdraw_invited
from portal.clubs.texts import clean_line
from portal.clubs.waiting import recount

MAX_WAITING: Final = 200  # requests, and likewise invitations, that a club may have open


@transaction.atomic
def join(*, club: Club, user: User | None) -> Membership:
    """Join a club that is open to everybody."""
    club = lock(club)
    require(Verb.VIEW, club, user)
    person = _newcomer(club, user)
    if club.joining != Club.Joining.OPEN:
        raise refusals.NotOpenToEverybody
    return _admit(club, person, "joined", person)


@transaction.atomic
def join_by_link(*, code: str, user: User | None) -> Membership:
    """Join the club of a link, however else people join it."""
    club = lock(club_by_code(code))
    if club.link_code != code:
        raise refusals.ClubNotFound
    return _admit(club, person := _newcomer(club, user), "joined_by_link", person)


@transaction.atomic
def ask(*, club: Club, user: User | None, message: str = "") -> JoinRequest:
    """Ask to join a club."""
    club = lock(club)
    require(Verb.VIEW, club, user)
    person = _newcomer(club, user)
    if club.joining == Club.Joining.OPEN:
        raise refusals.JoinAtOnce
    if club.joining == Club.Joining.INVITATION:
        raise refusals.ByInvitationOnly
    if JoinRequest.objects.filter(club=club, user=person).exists():
        raise refusals.AlreadyAsking
    if Invitation.objects.filter(club=club, user=person).exists():
        raise refusals.YouAreInvited
    if JoinRequest.objects.filter(club=club).count() >= MAX_WAITING:
        raise refusals.TooManyAsking
    request = JoinRequest.objects.create(club=club, user=person, message=clean_line(message))
    note(club, "asked", person, person)
    return request


@transaction.atomic
def withdraw_request(*, club: Club, user: User | None) -> None:
    """Withdraw a request to join; possible until it is answered, even when the club has become private."""
    club = lock(club)
    deleted = JoinRequest.objects.filter(club=club, user=user).delete()[0] if user is not None and user.pk else 0
    if not deleted:
        require(Verb.VIEW, club, user)
        raise refusals.NotAsking
    note(club, "request_withdrawn", user, user)


@transaction.atomic
def decide(*, club: Club, actor: User | None, request_id: int, granted: bool) -> Membership | None:
    """Accept or decline a request to join."""
    club = lock(club)
    require(Verb.DECIDE, club, actor)
    request = JoinRequest.objects.select_related("user").filter(club=club, pk=request_id).first()
    if request is None:
        raise refusals.RequestGone
    person = request.user
    if granted:
        membership = _admit(club, _newcomer(club, person), "request_granted", actor)
        tell_decided(club, person, granted=True)
        return membership
    request.delete()
    note(club, "request_declined", actor, person)
    tell_decided(club, person, granted=False)
    return None


@transaction.atomic
def invite(*, club: Club, actor: User | None, person: User) -> Invitation:
    """Invite somebody who has an account and is not in the club."""
    club = lock(club)
    require(Verb.INVITE, club, actor)
    if person.is_guest or not person.is_active:
        raise refusals.GuestInvited
    if person.is_bot:
        raise refusals.BotsInNoClub
    if Membership.objects.filter(club=club, user=person).exists():
        raise refusals.AlreadyMember
    if Ban.objects.filter(club=club, user=person).exists():
        raise refusals.PersonBanned
    if Invitation.objects.filter(club=club, user=person).exists():
        raise refusals.AlreadyInvited
    if JoinRequest.objects.filter(club=club, user=person).exists():
        raise refusals.PersonIsAsking
    if Invitation.objects.filter(club=club).count() >= MAX_WAITING:
        raise refusals.TooManyInvitations
    invitation = Invitation.objects.create(club=club, user=person, by=actor)
    note(club, "invited", actor, person)
    recount(person.pk)
    tell_invited(invitation, actor)
    return invitation


@transaction.atomic
def withdraw_invitation(*, club: Club, actor: User | None, invitation_id: int) -> None:
    """Withdraw an invitation that has not been answered."""
    club = lock(club)
    require(Verb.INVITE, club, actor)
    invitation = Invitation.objects.select_related("user").filter(club=club, pk=invitation_id).first()
    if invitation is None:
        raise refusals.InvitationGone
    withdraw_invited(invitation)
    invitation.delete()
    note(club, "invitation_withdrawn", actor, invitation.user)
    recount(invitation.user_id)


@transaction.atomic
def answer_invitation(*, invitation_id: int, user: User | None, accepted: bool) -> Club:
    """Accept or decline your own invitation. For anyone else's, the answer is the same as for none."""
    club_id = Invitation.objects.filter(pk=invitation_id, user=user).values_list("club_id", flat=True).first() if user is not None else None
    if club_id is None:
        raise refusals.InvitationGone
    club = lock(club_id)
    invitation = Invitation.objects.filter(pk=invitation_id, user=user).first()
    if invitation is None:
        raise refusals.InvitationGone
    assert user is not None
    withdraw_invited(invitation, "accepted" if accepted else "declined")
    if accepted:
        _admit(club, _newcomer(club, user), "invitation_accepted", user)
    else:
        invitation.delete()
        note(club, "invitation_declined", user, user)
        recount(user.pk)
    return club


def _newcomer(club: Club, user: User | None) -> User:
    """Return a person who can become a member of a locked club. Raises NotAllowed, WrongMoment."""
    person = require_account(user)
    if club.closed_at is not None:
        raise refusals.ClosedForGood
    if Ban.objects.filter(club=club, user=person).exists():
        raise refusals.YouAreBanned
    if Membership.objects.filter(club=club, user=person).exists():
        raise refusals.YouAreMember
    return person


def _admit(club: Club, person: User, verb: str, actor: User | None) -> Membership:
    """Make a person a member of a locked club; their open request or invitation there is settled."""
    membership = Membership.objects.create(club=club, user=person, role=Role.MEMBER)
    JoinRequest.objects.filter(club=club, user=person).delete()
    if Invitation.objects.filter(club=club, user=person).delete()[0]:
        recount(person.pk)
    count_members(club)
    note(club, verb, actor, person)
    return membership
