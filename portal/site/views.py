"""Pages that draw on every part of the portal: front page, profiles, the home of a club."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.registry import GAMES
from portal.clubs import evenings
from portal.clubs import selectors as clubs
from portal.clubs.forms import AskForm
from portal.clubs.pages import club_context, of_club, viewer_of
from portal.clubs.permissions import Verb
from portal.clubs.selectors import ClubPage
from portal.common import errors
from portal.people.profiles import profile_page
from portal.ratings.models import Pool
from portal.ratings.selectors import leaderboard
from portal.site.going_on import going_on
from portal.site.offers import offers
from portal.tables import selectors as tables
from portal.tables.club_views import finished_games, live_tables
from portal.tables.forms import QUICK_LEVEL
from portal.tables.invited import waiting_for
from portal.tables.lists import finished_rows, table_rows
from portal.tables.lobby_views import MINE_ROWS, joinable

HOME_ROWS = 5
MINE_SHOWN = 4  # one row on a desk
TOP = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: the tables that wait for the reader, the games, open tables, the latest results."""
    user = viewer_of(request)
    mine = table_rows(tables.my_tables(user)[:MINE_ROWS], user) if user is not None else []
    first_game = next(iter(GAMES.values()))
    return render(
        request,
        "tables/home.html",
        {
            "offers": offers(str(request.LANGUAGE_CODE), user),
            "quick_level": QUICK_LEVEL,
            "mine": mine[:MINE_SHOWN],
            "more_mine": len(mine) > MINE_SHOWN,
            "due": [row for row in mine if row.is_due],
            "invitations": waiting_for(user),
            "open": table_rows(joinable(user)[:HOME_ROWS], user),
            "finished": finished_rows(tables.recent_finished(viewer=user)[:HOME_ROWS], user),
            "top_game": first_game,
            "top": leaderboard(pool=Pool.PEOPLE, game=first_game.key).lines[:TOP],
        },
    )


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A player: name, ratings with their meaning, last finished games."""
    page = profile_page(username, viewer=request.user)
    if page is None:
        return errors.page_not_found(request, LookupError(username))
    rival = request.user.username if request.user.is_authenticated and not page.is_me else ""
    return render(request, "accounts/profile.html", {"page": page, "rival": rival, "now": timezone.now()})


@require_safe
@of_club
def club(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The home of a club: description, announcements, next club night, what is on, tables, latest games, the top of its ladder."""
    announcements, more_announcements = clubs.announcements_of(page.club, size=HOME_ROWS)
    finished, _more = finished_games(page, size=HOME_ROWS)
    about, language = clubs.about_of(page.club)
    requests = page.club.requests.count() if Verb.DECIDE in page.may else 0
    return render(
        request,
        "clubs/club.html",
        club_context(
            page,
            "home",
            about=about,
            about_language=language,
            way_in=clubs.way_in(page),
            ask_form=AskForm(auto_id="ask_%s"),
            announcements=announcements,
            more_announcements=more_announcements,
            next_evening=next((row for row in evenings.evenings_of(page.club, page.user, limit=3) if not row.evening.called_off), None),
            on=going_on(page.club, page.user),
            live=live_tables(page, HOME_ROWS),
            finished=finished,
            requests=requests,
            board=leaderboard(pool=Pool.PEOPLE, game="", club=page.club, limit=HOME_ROWS, viewer=page.user),
        ),
    )


@require_safe
@cache_control(max_age=86400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Let search engines read rules and lists, and keep them from forms and from tables in play."""
    lines = [
        "User-agent: *",
        *(
            f"Disallow: {path}"
            for path in ("/accounts/", "/settings/", "/tables/", "/api/", "/admin/", "/events/", "/invitations/", "/invite/")
        ),
        f"Sitemap: {settings.BASE_URL}{reverse('rules:sitemap')}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
