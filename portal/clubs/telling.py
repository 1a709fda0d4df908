"""What people are told of clubs when they are not there: invitations, answers to their requests, club nights."""

from __future__ import annotations

from django.urls import reverse

from portal.accounts.blocks import blocks
from portal.accounts.models import User
from portal.clubs.models import Club, Evening, Invitation, Membership
from portal.notices import outbox
from portal.notices.models import Kind


def tell_invited(invitation: Invitation, by: User | None) -> None:
    """Tell a person that somebody invites them, unless they block that one: then only their list of clubs shows it."""
    if by is not None and blocks(user=invitation.user, person=by):
        return
    facts = {"who": by.username if by is not None else invitation.club.name, "club": invitation.club.name}
    outbox.tell([invitation.user_id], kind=Kind.CLUB, key="invited", path=_path(invitation), facts=facts)


def withdraw_invited(invitation: Invitation, answer: str = "") -> None:
    """Withdraw that once the invitation is gone, with the person's answer if they gave one. To be called before it is deleted."""
    outbox.withdraw(kind=Kind.CLUB, path=_path(invitation), people=[invitation.user_id], answer=answer)


def tell_decided(club: Club, person: User, *, granted: bool) -> None:
    """Tell somebody how their request to join was answered."""
    path = reverse("club", args=[club.slug]) if granted or not club.is_private else reverse("clubs")
    outbox.tell([person.pk], kind=Kind.CLUB, key="granted" if granted else "declined", path=path, facts={"club": club.name})


def tell_evening(club: Club, evening: Evening, by: User | None, *, cancelled: bool = False) -> None:
    """Tell the other members of a club night, or that it is cancelled."""
    members = Membership.objects.filter(club=club, user__is_active=True).values_list("user", flat=True)
    people = [person for person in members if by is None or person != by.pk]
    facts = {"club": club.name, "title": evening.title, "at": evening.starts_at.isoformat()}
    key = "cancelled" if cancelled else "evening"
    outbox.tell(people, kind=Kind.CLUB, key=key, path=reverse("club-calendar", args=[club.slug]), facts=facts)


def _path(invitation: Invitation) -> str:
    return f"{reverse('clubs')}#invitation-{invitation.pk}"
