"""Pages of the tables and games of a club."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.registry import GAMES
from portal.clubs.pages import club_context, of_club, page_number, paging
from portal.clubs.permissions import Verb
from portal.clubs.selectors import ClubPage
from portal.tables.access import visible
from portal.tables.lists import FinishedRow, TableRow, finished_rows, table_rows
from portal.tables.models import Table
from portal.tables.selectors import listed

GAMES_LISTED: Final = 30
LIVE: Final = 100  # open and running tables


@require_safe
@of_club
def club_tables(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Open and running tables."""
    return render(request, "clubs/tables.html", club_context(page, "tables", live=live_tables(page, LIVE)))


@require_safe
@of_club
def club_games(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Finished tables, newest first, of all games or of one."""
    number = page_number(request)
    game = request.GET.get("game", "")
    if game and game not in GAMES:
        raise Http404
    finished, has_next = finished_games(page, number=number, game=game)
    if not finished and number > 1:
        raise Http404
    context = club_context(page, "tables", finished=finished, game=game, **paging(number, has_next, game=game))
    return render(request, "clubs/games.html", context)


def tables_of(page: ClubPage, *statuses: str) -> QuerySet[Table]:
    """Return the club's tables of these states that the reader may see, with seats and people loaded."""
    return listed(visible(Table.objects.filter(club=page.club, status__in=statuses), page.user))


def live_tables(page: ClubPage, limit: int) -> list[TableRow]:
    """Return open and running tables of the club: those waiting for the reader first, then open ones, then the newest."""
    rows = tables_of(page, Table.Status.OPEN, Table.Status.PLAYING).order_by("status", "-created_at")  # "open" < "playing"
    found = table_rows(rows[:LIVE], page.user, can_join=Verb.SIT_DOWN in page.may)
    return [replace(row, club=None) for row in found[:limit]]  # the page already names the club


def finished_games(page: ClubPage, *, number: int = 1, size: int = GAMES_LISTED, game: str = "") -> tuple[list[FinishedRow], bool]:
    """Return a page of the club's finished games, newest first, and whether more follow."""
    rows = tables_of(page, Table.Status.FINISHED).order_by("-finished_at", "-id")
    if game:
        rows = rows.filter(game=game)
    first = (number - 1) * size
    found = [replace(row, club=None) for row in finished_rows(rows[first : first + size + 1], page.user)]
    return found[:size], len(found) > size
