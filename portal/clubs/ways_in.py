"""The ways into a club: at once, by asking, by invitation, by the link. A ban closes all of them."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.clubs.errors import BadValue, NotAllowed, WrongMoment
from portal.clubs.journal import note
from portal.clubs.members import count_members
from portal.clubs.models import Ban, Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Role, Verb, require
from portal.clubs.selectors import no_such_club
from portal.clubs.services import club_by_code, lock, require_account
from portal.clubs.texts import clean_line
from portal.clubs.waiting import recount

MAX_WAITING: Final = 200  # requests, and invitations, that a club may have open


@transaction.atomic
def join(*, club: Club, user: User | None) -> Membership:
    """Join a club that is open to everybody."""
    club = lock(club)
    require(Verb.VIEW, club, user)
    person = _newcomer(club, user)
    if club.joining != Club.Joining.OPEN:
        raise NotAllowed(_("This club is not open to everybody."))
    return _admit(club, person, "joined", person)


@transaction.atomic
def join_by_link(*, code: str, user: User | None) -> Membership:
    """Join the club of a link, whatever else its way in is."""
    club = lock(club_by_code(code))
    if club.link_code != code:
        raise no_such_club()
    return _admit(club, person := _newcomer(club, user), "joined_by_link", person)


@transaction.atomic
def ask(*, club: Club, user: User | None, message: str = "") -> JoinRequest:
    """Ask to be let into a club."""
    club = lock(club)
    require(Verb.VIEW, club, user)
    person = _newcomer(club, user)
    if club.joining == Club.Joining.OPEN:
        raise WrongMoment(_("This club is open to everybody: join it at once."))
    if club.joining == Club.Joining.INVITATION:
        raise NotAllowed(_("New members come into this club by invitation."))
    if JoinRequest.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("You have asked already."))
    if Invitation.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("You are invited already: accept the invitation."))
    if JoinRequest.objects.filter(club=club).count() >= MAX_WAITING:
        raise WrongMoment(_("Too many people are asking just now. Try again later."))
    request = JoinRequest.objects.create(club=club, user=person, message=clean_line(message))
    note(club, "asked", person, person)
    return request


@transaction.atomic
def withdraw_request(*, club: Club, user: User | None) -> None:
    """No longer ask to be let in; possible as long as nobody has answered, even when the club has become private."""
    club = lock(club)
    deleted = JoinRequest.objects.filter(club=club, user=user).delete()[0] if user is not None and user.pk else 0
    if not deleted:
        require(Verb.VIEW, club, user)
        raise WrongMoment(_("You are not asking to join this club."))
    note(club, "request_withdrawn", user, user)


@transaction.atomic
def decide(*, club: Club, actor: User | None, request_id: int, granted: bool) -> Membership | None:
    """Say yes or no to somebody who asks."""
    club = lock(club)
    require(Verb.DECIDE, club, actor)
    request = JoinRequest.objects.select_related("user").filter(club=club, pk=request_id).first()
    if request is None:
        raise WrongMoment(_("This request has been answered or withdrawn already."))
    person = request.user
    if granted:
        return _admit(club, _newcomer(club, person), "request_granted", actor)
    request.delete()
    note(club, "request_declined", actor, person)
    return None


@transaction.atomic
def invite(*, club: Club, actor: User | None, person: User) -> Invitation:
    """Invite somebody who has an account and is not in the club."""
    club = lock(club)
    require(Verb.INVITE, club, actor)
    if person.is_guest or not person.is_active:
        raise BadValue(_("Guests cannot be invited: to be in a club one needs an account."), "username")
    if Membership.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("This person is a member already."))
    if Ban.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("This person is banned. Lift the ban first."))
    if Invitation.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("This person is invited already."))
    if JoinRequest.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("This person is asking to join: answer the request."))
    if Invitation.objects.filter(club=club).count() >= MAX_WAITING:
        raise WrongMoment(_("Too many invitations are open. Take some of them back first."))
    invitation = Invitation.objects.create(club=club, user=person, by=actor)
    note(club, "invited", actor, person)
    recount(person.pk)
    return invitation


@transaction.atomic
def withdraw_invitation(*, club: Club, actor: User | None, invitation_id: int) -> None:
    """Take back an invitation that has not been answered."""
    club = lock(club)
    require(Verb.INVITE, club, actor)
    invitation = Invitation.objects.select_related("user").filter(club=club, pk=invitation_id).first()
    if invitation is None:
        raise _answered()
    invitation.delete()
    note(club, "invitation_withdrawn", actor, invitation.user)
    recount(invitation.user_id)


@transaction.atomic
def answer_invitation(*, invitation_id: int, user: User | None, accepted: bool) -> Club:
    """Accept or decline an invitation of one's own. Those of others are as good as none."""
    club_id = Invitation.objects.filter(pk=invitation_id, user=user).values_list("club_id", flat=True).first() if user is not None else None
    if club_id is None:
        raise _answered()
    club = lock(club_id)
    invitation = Invitation.objects.filter(pk=invitation_id, user=user).first()
    if invitation is None:
        raise _answered()
    assert user is not None
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
        raise WrongMoment(_("This club is closed; nothing changes in it any more."))
    if Ban.objects.filter(club=club, user=person).exists():
        raise NotAllowed(_("This club has banned you. Only its officers can change that."))
    if Membership.objects.filter(club=club, user=person).exists():
        raise WrongMoment(_("You are a member already."))
    return person


def _admit(club: Club, person: User, verb: str, actor: User | None) -> Membership:
    """Make a person a member of a locked club; whatever else waited for them there is settled."""
    membership = Membership.objects.create(club=club, user=person, role=Role.MEMBER)
    JoinRequest.objects.filter(club=club, user=person).delete()
    if Invitation.objects.filter(club=club, user=person).delete()[0]:
        recount(person.pk)
    count_members(club)
    note(club, verb, actor, person)
    return membership


def _answered() -> WrongMoment:
    return WrongMoment(_("This invitation has been answered or taken back."))
