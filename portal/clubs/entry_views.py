"""Founding, joining and leaving a club: the forms of people who are not in it yet or want to leave."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.models import User
from portal.accounts.views import next_address
from portal.clubs import members, refusals, services, ways_in
from portal.clubs.forms import AskForm, FoundingForm, carried_out
from portal.clubs.models import Ban, Club, ClubEntry
from portal.clubs.pages import done, limited, of_club, refused, viewer_of
from portal.clubs.permissions import role_of
from portal.clubs.selectors import ClubPage, about_of
from portal.common.limits import Guesses, check_last_day
from portal.common.refusals import Refusal

CLUBS_PER_DAY = 3
FORMS_PER_HOUR = 30
REQUESTS_PER_HOUR = 20
JOINS_PER_HOUR = 20
LINKS: Final = Guesses("club-link", limit=30, window_s=3600)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("club", limit=FORMS_PER_HOUR)
def club_new(request: HttpRequest) -> HttpResponse:
    """Found a club. Visitors sign in first; guests are asked to create an account."""
    user = viewer_of(request)
    if user is None:
        return redirect_to_login(request.get_full_path())
    if request.method == "POST":
        require_few_founded(user)
    form = FoundingForm(request.POST or None, initial={"joining": Club.Joining.REQUEST})
    status = 200
    if request.method == "POST":
        made: list[Club] = []
        try:
            status = carried_out(form, lambda **values: made.append(services.create_club(owner=user, **values)))
        except Refusal as error:
            return refused(request, error)
        if made:
            return done(request, "club", made[0].slug, said=_("Your club has been created. Invite people or send them the link."))
    return render(request, "clubs/new.html", {"section": "clubs", "form": form}, status=status)


def require_few_founded(user: User) -> None:
    """Raises TooManyClubs for somebody who has founded as many clubs as one may in a day."""
    check_last_day(ClubEntry.objects.filter(actor=user, verb="founded"), "at", limit=CLUBS_PER_DAY, refusal=refusals.TooManyClubs)


@require_POST
@limited("club-join", limit=JOINS_PER_HOUR)
@of_club
def join(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Join an open club at once."""
    ways_in.join(club=page.club, user=page.user)
    return done(request, "club", page.club.slug, said=_("You are a member now."))


@require_POST
@limited("club-ask", limit=REQUESTS_PER_HOUR)
@of_club
def ask(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Ask to join."""
    form = AskForm(request.POST)
    if not form.is_valid():
        raise refusals.BadCharacters
    ways_in.ask(club=page.club, user=page.user, message=form.cleaned_data["message"])
    return done(request, "club", page.club.slug, said=_("Request sent. An officer will reply."))


@require_POST
def withdraw_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw the request; possible even when the club has become private in the meantime."""
    user = viewer_of(request)
    try:
        ways_in.withdraw_request(club=club_asked(slug, user), user=user)
    except Refusal as error:
        return refused(request, error)
    return done(request, "clubs", said=_("Request withdrawn."))


def club_asked(slug: str, user: User | None) -> Club:
    """Return the club that somebody has asked to join, whether they may see it or not. Raises NotAsking."""
    club = Club.objects.filter(slug=slug, requests__user=user).first() if user is not None else None
    if club is None:
        raise refusals.NotAsking
    return club


@require_POST
@of_club
def leave(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Leave the club; a checkbox confirms it."""
    if request.POST.get("sure") != "yes":
        raise refusals.LeavingNotConfirmed
    members.leave(club=page.club, user=page.user)
    return done(request, "clubs", said=_("You have left the club."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("club-join", limit=JOINS_PER_HOUR)
def join_by_link(request: HttpRequest, code: str) -> HttpResponse:
    """The page behind a club's link: what the club is, and the button to join it."""
    user = viewer_of(request)
    LINKS.check(request)
    try:
        club = services.club_by_code(code)
        if request.method == "POST":
            ways_in.join_by_link(code=code, user=user)
            return done(request, "club", club.slug, said=_("You are a member now."))
        if role_of(club, user) is not None:
            return redirect("club", club.slug)
        if club.closed_at is not None:
            raise refusals.ClosedForGood
        is_banned = user is not None and Ban.objects.filter(club=club, user=user).exists()
    except refusals.DeadLink as error:
        LINKS.count(request)
        return refused(request, error)
    except Refusal as error:
        return refused(request, error)
    about, language = about_of(club)
    context = {"section": "clubs", "club": club, "about": about, "about_language": language, "is_banned": is_banned}
    return render(request, "clubs/join.html", context)


@require_POST
@limited("club-join", limit=JOINS_PER_HOUR)
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an invitation, also from the page `next`."""
    accepted = request.POST.get("do") == "accept"
    try:
        if not accepted and request.POST.get("do") != "decline":
            raise refusals.InvitationNotAnswered
        club = ways_in.answer_invitation(invitation_id=pk, user=viewer_of(request), accepted=accepted)
    except Refusal as error:
        return refused(request, error)
    back = [next_address(request, "")]
    if accepted:
        return done(request, *(back if back[0] else ["club", club.slug]), said=_("You are a member now."))
    return done(request, *(back if back[0] else ["clubs"]), said=_("Invitation declined."))
