"""The pages of clubs that are read: the list, and home, tables, games, members, announcements, calendar and log of one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header, urlencode
from django.views.decorators.http import require_safe

from games.registry import GAMES
from portal.clubs import evenings, selectors
from portal.clubs.forms import AnnouncementForm, AskForm, BanForm, InviteForm
from portal.clubs.going_on import going_on
from portal.clubs.models import NAME_CHARS
from portal.clubs.pages import club_context, of_club, page_number, viewer_of
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.clubs.waiting import remember
from portal.ratings.models import Pool
from portal.ratings.selectors import leaderboard

HOME_ROWS = 5


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The public clubs; one's own clubs, invitations and requests."""
    viewer = viewer_of(request)
    number = page_number(request)
    search = "".join(c for c in request.GET.get("q", "") if c.isprintable()).strip()[:NAME_CHARS]
    public, has_next = selectors.public_clubs(page=number, search=search)
    if not public and number > 1:
        raise Http404
    mine = selectors.my_clubs(viewer) if viewer is not None else []
    invitations = selectors.invitations_for(viewer) if viewer is not None else []
    if viewer is not None:
        remember(viewer.pk, len(invitations))
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
            **_paging(number, has_next, q=search),
        },
    )


@require_safe
@of_club
def club(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The home of a club: what it is, what it tells, its next evening, what is on, its tables, its last games, the top of its ladder."""
    announcements, more_announcements = selectors.announcements_of(page.club, size=HOME_ROWS)
    finished, _more = selectors.finished_games(page, size=HOME_ROWS)
    about, language = selectors.about_of(page.club)
    requests = page.club.requests.count() if Verb.DECIDE in page.may else 0
    return render(
        request,
        "clubs/club.html",
        club_context(
            page,
            "home",
            about=about,
            about_language=language,
            way_in=selectors.way_in(page),
            ask_form=AskForm(auto_id="ask_%s"),
            announcements=announcements,
            more_announcements=more_announcements,
            next_evening=next((row for row in evenings.evenings_of(page.club, page.user, limit=3) if not row.evening.called_off), None),
            on=going_on(page.club, page.user),
            live=selectors.live_tables(page, HOME_ROWS),
            finished=finished,
            requests=requests,
            board=leaderboard(pool=Pool.PEOPLE, game="", club=page.club, limit=HOME_ROWS, viewer=page.user),
        ),
    )


@require_safe
@of_club
def club_tables(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Open and running tables."""
    return render(request, "clubs/tables.html", club_context(page, "tables", live=selectors.live_tables(page, selectors.LIVE)))


@require_safe
@of_club
def club_games(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Finished games, newest first, of all games or of one."""
    number = page_number(request)
    game = request.GET.get("game", "")
    if game and game not in GAMES:
        raise Http404
    finished, has_next = selectors.finished_games(page, number=number, game=game)
    if not finished and number > 1:
        raise Http404
    context = club_context(page, "tables", finished=finished, game=game, **_paging(number, has_next, game=game))
    return render(request, "clubs/games.html", context)


@require_safe
@of_club
def club_members(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Who belongs to the club; for officers also who wants to, who is invited and who is banned."""
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
        **_paging(number, has_next),
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
    context = club_context(page, "home", announcements=found, form=form or AnnouncementForm(), **_paging(number, has_next))
    return render(request, "clubs/announcements.html", context, status=status)


@require_safe
@of_club
def club_calendar(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Evenings to come with the answers, and those that are over."""
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
    """Who did what in the club, for members."""
    require(Verb.READ_LOG, page.club, page.user)
    number = page_number(request)
    lines, has_next = selectors.log_of(page.club, page=number)
    if not lines:
        raise Http404
    return render(request, "clubs/log.html", club_context(page, "log", lines=lines, **_paging(number, has_next)))


def _paging(number: int, has_next: bool, **kept: str) -> dict[str, str | int]:
    """Return the addresses of the pages before and after; `kept` are the other values of the address."""

    def address(page: int) -> str:
        wanted: dict[str, str | int] = {**kept, "page": page if page > 1 else ""}
        return "?" + urlencode({key: value for key, value in wanted.items() if value})

    return {
        "number": number,
        "previous_url": address(number - 1) if number > 1 else "",
        "next_url": address(number + 1) if has_next else "",
    }
