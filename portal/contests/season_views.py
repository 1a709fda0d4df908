"""Pages of the seasons of a club, and its hall of honours."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES
from portal.clubs.forms import carried_out
from portal.clubs.models import Season
from portal.clubs.pages import club_context, done, limited, of_club
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.contests import season_selectors as selectors
from portal.contests import seasons as services
from portal.contests.season_forms import SeasonForm
from portal.ratings.books import ALL_GAMES
from portal.ratings.models import Pool
from portal.ratings.selectors import ladder_lines

CHANGES_PER_HOUR = 60
LINES = 100
ALL = "all"  # in addresses: all games together


@require_safe
@of_club
def seasons(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """All seasons of the club: running, planned, over."""
    rows = selectors.seasons_of(page.club)
    context = club_context(
        page,
        "seasons",
        running=[row for row in rows if row.state in ("running", "over")],
        planned=[row for row in reversed(rows) if row.state == "planned"],
        frozen=[row for row in rows if row.state == "frozen"],
    )
    return render(request, "clubs/seasons/list.html", context)


@require_safe
@of_club
def honours(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The hall of honours: the first places of all seasons that are frozen, and of all leagues that have ended."""
    rows = [row for row in selectors.seasons_of(page.club) if row.honours]
    return render(request, "clubs/seasons/honours.html", club_context(page, "seasons", rows=rows))


@require_safe
@of_club
def season(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """One season: its ladders, leagues and honours."""
    row = selectors.season_of(page.club, pk)
    found = selectors.ladders_of(row.season)
    usual = row.season.game or ALL_GAMES
    pool = request.GET.get("pool") or (Pool.BOTS if (Pool.BOTS, usual) in found and (Pool.PEOPLE, usual) not in found else Pool.PEOPLE)
    game = request.GET.get("game") or (usual or ALL)
    if pool not in Pool.values or (game != ALL and game not in GAMES) or row.season.game not in ("", game):
        raise Http404
    played = [usual, *(key for key in GAMES if not row.season.game and {(Pool.PEOPLE, key), (Pool.BOTS, key)} & found)]
    base = reverse("season", args=[page.club.slug, pk])
    key = ALL_GAMES if game == ALL else game
    context = club_context(
        page,
        "seasons",
        row=row,
        pool=pool,
        board=ladder_lines(pool=pool, game=key, club=page.club, season=row.season, limit=LINES, viewer=page.user),
        board_entry=GAMES.get(key),
        game_tabs=[(GAMES.get(one), f"{base}?game={one or ALL}&pool={pool}", (one or ALL) == game) for one in played],
        people_url=f"{base}?game={game}&pool={Pool.PEOPLE}",
        bots_url=f"{base}?game={game}&pool={Pool.BOTS}",
    )
    return render(request, "clubs/seasons/season.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("season", limit=CHANGES_PER_HOUR)
@of_club
def season_new(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Make a season."""
    require(Verb.SEASONS, page.club, page.user)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        made: list[Season] = []
        status = carried_out(form, lambda **values: made.append(services.make_season(club=page.club, actor=page.user, **values)))
        if made:
            return done(request, "season", page.club.slug, made[0].pk, said=_("The season has been created."))
    return render(request, "clubs/seasons/form.html", club_context(page, "seasons", form=form, row=None), status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("season", limit=CHANGES_PER_HOUR)
@of_club
def season_edit(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Change whatever is still in the future of a season."""
    require(Verb.SEASONS, page.club, page.user)
    row = selectors.season_of(page.club, pk)
    form = SeasonForm(request.POST if request.method == "POST" else None, season=row.season)
    status = 200
    if request.method == "POST":
        status = carried_out(form, partial(services.edit_season, club=page.club, actor=page.user, season_id=pk))
        if not status:
            return done(request, "season", page.club.slug, pk, said=_("Saved."))
    return render(request, "clubs/seasons/form.html", club_context(page, "seasons", form=form, row=row), status=status)


@require_POST
@limited("season", limit=CHANGES_PER_HOUR)
@of_club
def season_end(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """End a running season now."""
    services.end_season(club=page.club, actor=page.user, season_id=pk)
    return done(
        request, "season", page.club.slug, pk, said=_("The season has ended. Its standings are being worked out and will then be final.")
    )


@require_POST
@limited("season", limit=CHANGES_PER_HOUR)
@of_club
def season_delete(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Delete a season that has not started."""
    services.delete_season(club=page.club, actor=page.user, season_id=pk)
    return done(request, "club-seasons", page.club.slug, said=_("The season has been deleted."))
