"""What pages may read of clubs. `club_for` is the one door: who may not know of a club gets ClubNotFound there."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.clubs.errors import ClubNotFound
from portal.clubs.models import Club, Membership
from portal.clubs.permissions import Verb, may


@dataclass(frozen=True, slots=True)
class ClubPage:
    """A club as one reader sees it: their role (None for outsiders and visitors) and what they may do."""

    club: Club
    role: str | None
    may: frozenset[Verb]  # templates ask `"edit" in page.may`
    user: User | None

    @property
    def is_member(self) -> bool:
        return self.role is not None

    @property
    def is_closed(self) -> bool:
        return self.club.closed_at is not None


def club_for(slug: str, user: User | None) -> ClubPage:
    """Return a club for a reader, by one statement. Raises ClubNotFound where there is none or it is private to others."""
    person = user if user is not None and user.pk else None
    rows = Club.objects.filter(slug=slug)
    if person is not None:
        role_rows = Membership.objects.filter(club=OuterRef("pk"), user=person).values("role")[:1]
        rows = rows.annotate(viewer_role=Subquery(role_rows))
    club = rows.first()
    if club is None:
        raise no_such_club()
    page = page_of(club, getattr(club, "viewer_role", None), person)
    if Verb.VIEW not in page.may:
        raise no_such_club()
    return page


def page_of(club: Club, role: str | None, user: User | None) -> ClubPage:
    """Return the same of a club and a role that are known already."""
    return ClubPage(club, role, frozenset(verb for verb in Verb if may(verb, club, role)), user)


def no_such_club() -> ClubNotFound:
    return ClubNotFound(_("There is no such club, or it is not open to you."))
