"""Pages of the archives: what there is to download, and of each game openings, seats, lengths and scores, also as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from archives.figures import ALL, COMPANY, DEPTH, WIN
from archives.manifest import LICENCE
from games.registry import GAMES, Entry
from portal.archives import pages
from portal.archives.models import Archive
from portal.live.shelf import Shelf
from portal.ratings.views import harmless

DOWNLOADS: Final = ("openings", "seats", "lengths", "scores")


@require_safe
def archives(request: HttpRequest) -> HttpResponse:
    """The archives of all games, with sizes and checksums, and how to read them."""
    found = pages.shelf()
    context = {
        "shelf": found,
        "games": sum(games for _entry, _lines, games in found),
        "licence": LICENCE,
        "example": found[0][1][0] if found else None,
    }
    return render(request, "archives/archives.html", context)


@require_safe
def figures(request: HttpRequest, game: str) -> HttpResponse:
    """Openings, seats, lengths and scores of a game, from its archives. Five statements."""
    entry = _entry(game)
    groups = pages.groups_of(game)
    context: dict[str, Any] = {"section": "leaderboard", "game": entry, "groups": groups}
    context["archives"] = [pages.archive_line(row) for row in pages.archive_rows(Archive.objects.filter(game=game))]
    if groups.games:
        try:
            group = _group(request, groups)
            found = pages.figures_of(game, *group)
            opening = pages.opening_of(game, group, found.games, _line(request))
        except pages.NoFigures:
            raise Http404 from None
        context |= {
            "found": found,
            "opening": opening,
            "moves": [(move, _address(game, group, move.line) if opening.is_open else "") for move in opening.moves],
            "steps": [(text, _address(game, group, line)) for text, line in opening.steps],
            "start_url": _address(game, group, ()),
            "sizes": [(seats, groups.games[seats, ALL], _address(game, (seats, ALL), ())) for seats in groups.sizes],
            "companies": [(company, _address(game, (group[0], company), ())) for company in groups.companies(group[0])],
            "downloads": {kind: f"{reverse('archive-csv', args=[game, kind])}?{_query(group)}" for kind in DOWNLOADS},
        }
    return render(request, "archives/figures.html", context)


@require_safe
def download(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """The same as CSV (RFC 4180), in UTF-8 with a byte order mark."""
    _entry(game)
    if kind not in DOWNLOADS:
        raise Http404
    try:
        group = _group(request, pages.groups_of(game))
        rows = _rows(kind, game, group)
    except pages.NoFigures:
        raise Http404 from None
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{game}-{group[0]}-{group[1]}-{kind}.csv"'
    return response


@require_safe
def file(request: HttpRequest, game: str, name: str) -> HttpResponseBase:
    """A file of an archive. Where the portal's own server runs, its event loop answers before."""
    found = Shelf(settings.ARCHIVES_DIR).find(request.path)
    if found is None:
        raise Http404
    answer = found.get_response(request.method, request.META)
    response = FileResponse(answer.file or (), status=int(answer.status))
    del response["Content-Type"]
    for header, value in answer.headers:
        response[header] = value
    return response


def _entry(game: str) -> Entry:
    if game not in GAMES:
        raise Http404
    return GAMES[game]


def _group(request: HttpRequest, groups: pages.Groups) -> tuple[int, str]:
    return groups.chosen(*asked_group(request.GET.get("seats", ""), request.GET.get("company", "")))


def asked_group(seats: str, company: str) -> tuple[int | None, str]:
    """Return the number of players (None: not said) and the company that a query asks for. Raises NoFigures."""
    if seats and not (seats.isascii() and seats.isdigit() and len(seats) == 1):
        raise pages.NoFigures
    if company and company not in COMPANY:
        raise pages.NoFigures
    return int(seats) if seats else None, company or ALL


def _line(request: HttpRequest) -> list[str]:
    return checked_line(request.GET.getlist("move"))


def checked_line(moves: Sequence[str]) -> list[str]:
    """Return the moves of a line. Raises NoFigures for what can't be one."""
    if len(moves) >= DEPTH or any(not move.isprintable() or len(move) > 500 for move in moves):
        raise pages.NoFigures
    return list(moves)


def _query(group: tuple[int, str], line: Sequence[str] = ()) -> str:
    return urlencode([("seats", group[0]), *([("company", group[1])] if group[1] != ALL else []), *(("move", move) for move in line)])


def _address(game: str, group: tuple[int, str], line: Sequence[str]) -> str:
    return f"{reverse('archive-figures', args=[game])}?{_query(group, line)}"


def _rows(kind: str, game: str, group: tuple[int, str]) -> Iterable[list[Any]]:
    if kind == "openings":
        yield [_("Moves before"), _("Move"), _("Games"), _("Wins"), _("Mean place"), _("Game with it")]
        for move in pages.all_moves(game, group):
            before = harmless(", ".join(move.after.splitlines()))
            yield [before, harmless(move.move), move.games, f"{move.wins / WIN:g}", f"{move.places / move.games:.3f}", move.table]
        return
    found = pages.figures_of(game, *group)
    if kind == "seats":
        yield [_("Seat"), _("Games"), _("Wins"), _("Wins, %"), _("from, %"), _("to, %"), _("Mean place"), _("Mean score")]
        for seat in found.by_seat:
            share = seat.share
            figures = [f"{value:.2f}" for value in (share.percent, share.low, share.high, seat.place.value, seat.score)]
            yield [seat.number, share.games, f"{share.wins:g}", *figures]
    elif kind == "lengths":
        yield [_("Moves"), _("Games")]
        yield from map(list, found.lengths)
    else:
        winning = dict(found.winning)
        yield [_("Score"), _("Seats"), _("Winners")]
        for score, count in found.scores:
            yield [score, count, winning.get(score, 0)]
