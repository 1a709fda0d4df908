"""What pages may read of clubs. All go through `club_for`, which raises ClubNotFound for anyone who may not know of the club."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import get_language

from portal.accounts.models import User
from portal.clubs.journal import Line, line_of
from portal.clubs.models import Announcement, Ban, Club, Invitation, JoinRequest, Membership
from portal.clubs.permissions import Verb, may
from portal.clubs.refusals import ClubNotFound

LISTED: Final = 30  # clubs on a page
MEMBERS: Final = 100
LOG_LINES: Final = 100


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
    """Return a club for a reader, with one statement. Raises ClubNotFound if there is none or it is private to others."""
    person = user if user is not None and user.pk else None
    rows = Club.objects.filter(slug=slug)
    if person is not None:
        role_rows = Membership.objects.filter(club=OuterRef("pk"), user=person).values("role")[:1]
        rows = rows.annotate(viewer_role=Subquery(role_rows))
    club = rows.first()
    if club is None:
        raise ClubNotFound
    page = page_of(club, getattr(club, "viewer_role", None), person)
    if Verb.VIEW not in page.may:
        raise ClubNotFound
    return page


def page_of(club: Club, role: str | None, user: User | None) -> ClubPage:
    """Return the same for a club and a role that are already known."""
    return ClubPage(club, role, frozenset(verb for verb in Verb if may(verb, club, role)), user)


# Lists of clubs


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club in a list; what it says about itself in the reader's language, and which language that is."""

    club: Club
    role: str | None
    about: str
    about_language: str
    requests: int = 0  # requests that wait for the reader as an officer


def about_of(club: Club, language: str | None = None) -> tuple[str, str]:
    """Return (text, language) of a club's description: in `language` (default: the reader's), else in the first it has."""
    wanted = (language or get_language() or "en")[:2]
    for code in (wanted, "en", "hu", "ru"):
        if said := getattr(club, f"about_{code}", ""):
            return said, code
    return "", wanted


def public_clubs(*, page: int, search: str = "") -> tuple[list[ClubRow], bool]:
    """Return a page of the public clubs, largest first, and whether more follow; closed ones are left out."""
    first = (page - 1) * LISTED
    found = list(open_to_all(search).order_by("-member_count", "id")[first : first + LISTED + 1])
    return [row_of(club) for club in found[:LISTED]], len(found) > LISTED


def row_of(club: Club) -> ClubRow:
    """Return a club as a list shows it to anybody."""
    return ClubRow(club, None, *about_of(club))


def open_to_all(search: str = "") -> QuerySet[Club]:
    """Return the public clubs that are not closed, in no order; with `search`, those whose name contains it."""
    rows = Club.objects.filter(is_private=False, closed_at=None)
    return rows.filter(name__icontains=search) if search else rows


def my_clubs(user: User) -> list[ClubRow]:
    """Return the clubs of a person by name, closed ones last, each with the requests that wait for them as an officer."""
    waiting = JoinRequest.objects.filter(club=OuterRef("club")).order_by().values("club").annotate(n=Count("pk")).values("n")
    memberships = (
        Membership.objects.filter(user=user)
        .select_related("club")
        .annotate(waiting=Coalesce(Subquery(waiting), 0))
        .order_by(F("club__closed_at").asc(nulls_first=True), "club__name")
    )
    return [ClubRow(m.club, m.role, *about_of(m.club), requests=m.waiting if may(Verb.DECIDE, m.club, m.role) else 0) for m in memberships]


def invitations_for(user: User) -> list[Invitation]:
    """Return the invitations that wait for a person, with club and sender, newest first."""
    return list(Invitation.objects.filter(user=user, club__closed_at=None).select_related("club", "by").order_by("-id"))


def requests_of(user: User) -> list[JoinRequest]:
    """Return a person's open requests to join, newest first."""
    return list(JoinRequest.objects.filter(user=user).select_related("club").order_by("-id"))


# Parts of a club


def members_of(club: Club, *, page: int) -> tuple[list[Membership], bool]:
    """Return a page of the members, owner and officers first, then by name, and whether more follow."""
    first = (page - 1) * MEMBERS
    found = list(ranked_members(club)[first : first + MEMBERS + 1])
    return found[:MEMBERS], len(found) > MEMBERS


def ranked_members(club: Club) -> QuerySet[Membership]:
    """Return the members in order, each with its `rank` (0: the owner, 1: an officer, 2: anyone else) and its `name`, by which it goes."""
    rank = Case(When(role="owner", then=Value(0)), When(role="officer", then=Value(1)), default=Value(2), output_field=IntegerField())
    return club.memberships.select_related("user").annotate(rank=rank, name=F("user__username")).order_by("rank", "name")


def waiting_for_officers(club: Club) -> tuple[list[JoinRequest], list[Invitation], list[Ban]]:
    """Return requests, open invitations and bans of a club, oldest first."""
    return (
        list(club.requests.select_related("user").order_by("id")),
        list(club.invitations.select_related("user", "by").order_by("id")),
        list(club.bans.select_related("user", "by").order_by("id")),
    )


def way_in(page: ClubPage) -> str:
    """Say which way to join the club is open to a person.

    One of: member, closed, visitor, guest, banned, invited, asked, open, request, invitation. At most one statement.
    """
    user = page.user
    if page.is_member:
        return "member"
    if page.is_closed:
        return "closed"
    if user is None:
        return "visitor"
    if user.is_guest:
        return "guest"
    mine = {"club": page.club, "user": user}
    state = (
        User.objects.filter(pk=user.pk)
        .annotate(
            banned=Exists(Ban.objects.filter(**mine)),
            invited=Exists(Invitation.objects.filter(**mine)),
            asked=Exists(JoinRequest.objects.filter(**mine)),
        )
        .values("banned", "invited", "asked")
        .get()
    )
    return next((key for key in ("banned", "invited", "asked") if state[key]), page.club.joining)


def announcements_of(club: Club, *, page: int = 1, size: int = 20) -> tuple[list[Announcement], bool]:
    """Return a page of the announcements, pinned ones first, then the newest, and whether more follow."""
    first = (page - 1) * size
    rows = club.announcements.select_related("author").order_by("-is_pinned", "-id")
    found = list(rows[first : first + size + 1])
    return found[:size], len(found) > size


def log_of(club: Club, *, page: int) -> tuple[list[Line], bool]:
    """Return a page of the club's log as sentences, newest first, and whether more follow."""
    first = (page - 1) * LOG_LINES
    found = list(club.entries.select_related("actor", "subject").order_by("-id")[first : first + LOG_LINES + 1])
    return [line_of(entry) for entry in found[:LOG_LINES]], len(found) > LOG_LINES
