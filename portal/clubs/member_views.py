"""What officers and the owner do with people: invite, decide, remove, ban, make officers. Each form goes back to the members."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.clubs import members, services, ways_in
from portal.clubs.forms import BanForm, InviteForm, carried_out
from portal.clubs.members import person_named
from portal.clubs.pages import done, limited, of_club, person_of
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import NoButtonPressed
from portal.clubs.selectors import ClubPage
from portal.clubs.views import members_page

INVITATIONS_PER_HOUR = 60
CHANGES_PER_HOUR = 120


@require_POST
@limited("club-invite", limit=INVITATIONS_PER_HOUR)
@of_club
def invite(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Invite somebody by name."""
    require(Verb.INVITE, page.club, page.user)  # before saying anything about names
    form = InviteForm(request.POST, auto_id="invite_%s")
    status = carried_out(form, lambda username: ways_in.invite(club=page.club, actor=page.user, person=person_named(username)))
    if status:
        return members_page(request, page, invite_form=form, status=status)
    return done(request, "club-members", page.club.slug, said=_("Invitation sent."), anchor="invitations")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def withdraw_invitation(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    ways_in.withdraw_invitation(club=page.club, actor=page.user, invitation_id=pk)
    return done(request, "club-members", page.club.slug, said=_("Invitation withdrawn."), anchor="invitations")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def decide(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Accept or decline a request."""
    granted = _yes_or_no(request, "grant", "decline")
    ways_in.decide(club=page.club, actor=page.user, request_id=pk, granted=granted)
    said = _("A new member has joined.") if granted else _("Request declined.")
    return done(request, "club-members", page.club.slug, said=said, anchor="requests")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def remove(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Remove a member."""
    members.remove(club=page.club, actor=page.user, member=person_of(pk))
    return done(request, "club-members", page.club.slug, said=_("The member has been removed."))


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def ban(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Ban somebody by name, member or not."""
    require(Verb.BAN, page.club, page.user)
    form = BanForm(request.POST, auto_id="ban_%s")
    status = carried_out(
        form, lambda username, reason: members.ban(club=page.club, actor=page.user, person=person_named(username), reason=reason)
    )
    if status:
        return members_page(request, page, ban_form=form, status=status)
    return done(request, "club-members", page.club.slug, said=_("This person is banned."), anchor="bans")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def lift_ban(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Lift a ban."""
    members.lift_ban(club=page.club, actor=page.user, ban_id=pk)
    return done(request, "club-members", page.club.slug, said=_("The ban has been lifted."), anchor="bans")


@require_POST
@limited("club-change", limit=CHANGES_PER_HOUR)
@of_club
def set_role(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Make a member an officer, or an officer a member."""
    is_officer = _yes_or_no(request, "officer", "member")
    services.set_officer(club=page.club, actor=page.user, member=person_of(pk), is_officer=is_officer)
    said = _("This member is now an officer.") if is_officer else _("This member is no longer an officer.")
    return done(request, "club-members", page.club.slug, said=said)


def _yes_or_no(request: HttpRequest, yes: str, no: str) -> bool:
    """Return which of the two buttons was pressed. Raises BadValue."""
    if (pressed := request.POST.get("do")) not in (yes, no):
        raise NoButtonPressed
    return pressed == yes
