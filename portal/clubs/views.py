"""Club pages for reading: the list of clubs; one club's members, announcements, calendar and log. Apps above add others."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from portal.clubs import evenings, selectors
from portal.clubs.forms import AnnouncementForm, BanForm, InviteForm
from portal.clubs.models import NAME_CHARS
from portal.clubs.pages import club_context, of_club, page_number, paging, viewer_of
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.clubs.waiting import heard_by, remember

HOME_ROWS = 5


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The public clubs; the reader's clubs, invitations and requests."""
    viewer = viewer_of(request)
    number = page_number(request)
    search = "".join(c for c in request.GET.get("q", "") if c.isprintable()).strip()[:NAME_CHARS]
    public, has_next = selectors.public_clubs(page=number, search=search)
    if not public and number > 1:
        raise Http404
    mine = selectors.my_clubs(viewer) if viewer is not None else []
    invitations = selectors.invitations_for(viewer) if viewer is not None else []
    if viewer is not None:
        remember(viewer.pk, heard_by(viewer.pk).count() if invitations else 0)
    return render(
        request,
        "clubs/list.html",
        {
            "section": "clubs",
            "mine": mine,
            "invitations": invitations,
            "requests": selectors.requests_of(viewer) if viewer is not None else [],
            "public": public,
            "search": search,
            **paging(number, has_next, q=search),
        },
    )


@require_safe
@of_club
def club_members(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The members of the club; for officers also requests, invitations and bans."""
    return members_page(request, page)


def members_page(
    request: HttpRequest, page: ClubPage, *, invite_form: InviteForm | None = None, ban_form: BanForm | None = None, status: int = 200
) -> HttpResponse:
    """Return the page of the members, with a form that came back."""
    number = page_number(request)
    members, has_next = selectors.members_of(page.club, page=number)
    if not members:
        raise Http404
    requests, invitations, bans = selectors.waiting_for_officers(page.club) if Verb.DECIDE in page.may else ([], [], [])
    context = club_context(
        page,
        "members",
        members=members,
        requests=requests,
        invitations=invitations,
        bans=bans,
        way_in=selectors.way_in(page),
        invite_form=invite_form or InviteForm(auto_id="invite_%s"),
        ban_form=ban_form or BanForm(auto_id="ban_%s"),
        link=request.build_absolute_uri(f"/clubs/join/{page.club.link_code}/") if Verb.INVITE in page.may else "",
        **paging(number, has_next),
    )
    return render(request, "clubs/members.html", context, status=status)


@require_safe
@of_club
def club_announcements(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """All announcements, and for officers a form for a new one."""
    return announcements_page(request, page)


def announcements_page(request: HttpRequest, page: ClubPage, *, form: AnnouncementForm | None = None, status: int = 200) -> HttpResponse:
    """Return the page of the announcements, with a form that came back."""
    number = page_number(request)
    found, has_next = selectors.announcements_of(page.club, page=number)
    if not found and number > 1:
        raise Http404
    context = club_context(page, "home", announcements=found, form=form or AnnouncementForm(), **paging(number, has_next))
    return render(request, "clubs/announcements.html", context, status=status)


@require_safe
@of_club
def club_calendar(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Upcoming club nights with the answers, and past ones."""
    context = club_context(
        page,
        "calendar",
        coming=evenings.evenings_of(page.club, page.user),
        past=evenings.past_evenings_of(page.club, page.user),
    )
    return render(request, "clubs/calendar.html", context)


@require_safe
@of_club
def club_ics(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The calendar as a file for calendar programs."""
    address = request.build_absolute_uri(f"/clubs/{page.club.slug}/calendar/")
    response = HttpResponse(evenings.ics_of(page.club, address, request.get_host()), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{page.club.slug}.ics") or "attachment"
    return response


@require_safe
@of_club
def club_log(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The club's log, for members."""
    require(Verb.READ_LOG, page.club, page.user)
    number = page_number(request)
    lines, has_next = selectors.log_of(page.club, page=number)
    if not lines:
        raise Http404
    return render(request, "clubs/log.html", club_context(page, "log", lines=lines, **paging(number, has_next)))
