"""Leaderboards of the site and of clubs, as pages and as downloads."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import Any, cast

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.registry import GAMES, Entry
from portal.clubs.models import Club
from portal.clubs.pages import of_club, page_number, viewer_of
from portal.clubs.selectors import ClubPage
from portal.common.limits import client_address, count_use
from portal.common.templatetags.site import level_name
from portal.ratings import selectors
from portal.ratings.books import ALL_GAMES
from portal.ratings.formula import MU, SIGMA, shown
from portal.ratings.models import Pool
from portal.ratings.refusals import TooManyDownloads
from portal.ratings.selectors import Filters, Players, Standing

ALL: str = "all"  # in addresses: all games together
DOWNLOADS_PER_HOUR = 60


def chosen_game(key: str) -> Entry | None:
    """Return the game named in a URL; None for all games together. Raises Http404."""
    if key == ALL:
        return None
    if key not in GAMES:
        raise Http404
    return GAMES[key]


def chosen_pool(request: HttpRequest) -> str:
    """Return the pool that was asked for. Raises Http404 if there is no such pool."""
    pool = request.GET.get("pool", Pool.PEOPLE)
    if pool not in Pool.values:
        raise Http404
    return pool


def _chosen_filters(request: HttpRequest) -> Filters:
    players, days = request.GET.get("players", Players.ALL), request.GET.get("days", "0")
    name = request.GET.get("name", "").strip()
    if players not in Players.CHOICES or days not in ("0", *map(str, selectors.PERIODS)):
        raise Http404
    if len(name) > selectors.NAME_CHARS or not name.isprintable():
        raise Http404
    return Filters(players, name, int(days))


def _query(pool: str, filters: Filters, page: int = 1) -> str:
    """Return the query string of a list, leaving defaults out."""
    wanted: dict[str, Any] = {}
    if pool != Pool.PEOPLE:
        wanted["pool"] = pool
    if filters.players != Players.ALL:
        wanted["players"] = filters.players
    if filters.days:
        wanted["days"] = filters.days
    if filters.name:
        wanted["name"] = filters.name
    if page > 1:
        wanted["page"] = page
    return f"?{urlencode(wanted)}" if wanted else ""


def _address(game: str, club: Club | None, *, download: bool = False) -> str:
    tail = "-download" if download else ""
    return reverse(f"club-leaderboard{tail}", args=[club.slug, game]) if club else reverse(f"leaderboard{tail}", args=[game])


def _title(entry: Entry | None) -> str:
    return _("Leaderboard for %(game)s") % {"game": _(entry.game.meta.title)} if entry else _("Leaderboard for all games")


def _board(request: HttpRequest, game: str, club_page: ClubPage | None) -> HttpResponse:
    entry, pool, filters, number = chosen_game(game), chosen_pool(request), _chosen_filters(request), page_number(request)
    if number > selectors.MAX_PAGE:
        raise Http404
    club = club_page.club if club_page else None
    board = selectors.leaderboard(
        pool=pool, game=entry.key if entry else ALL_GAMES, club=club, page=number, filters=filters, viewer=viewer_of(request)
    )
    if not board.lines and number > 1:
        raise Http404
    base = _address(game, club)
    more = board.has_next and number < selectors.MAX_PAGE
    context = {
        "section": "clubs" if club else "leaderboard",
        "club": club,
        "page": club_page,
        "role": club_page.role if club_page else None,
        "may": club_page.may if club_page else (),
        "tab": "leaderboard",
        "title": _title(entry),
        "game": entry,
        "pool": pool,
        "filters": filters,
        "periods": selectors.PERIODS,
        "name_chars": selectors.NAME_CHARS,
        "board": board,
        "provisional": selectors.PROVISIONAL,
        "newcomer": shown(MU, SIGMA),
        "game_tabs": [
            (one, _address(one.key if one else ALL, club) + _query(pool, replace(filters, name=""))) for one in (None, *GAMES.values())
        ],
        "base_url": base,
        "people_url": base + _query(Pool.PEOPLE, filters),
        "bots_url": base + _query(Pool.BOTS, filters),
        "unfiltered_url": base + _query(pool, Filters()),
        "guests_url": base + _query(pool, Filters(players=Players.GUESTS)),
        "previous_url": base + _query(pool, filters, number - 1) if number > 1 else "",
        "next_url": base + _query(pool, filters, number + 1) if more else "",
        "download_url": _address(game, club, download=True) + _query(pool, filters),
    }
    return render(request, "ratings/leaderboard.html", context)


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """A ladder of the site: one game or all together, people only or with bots."""
    return _board(request, game, None)


@require_safe
@of_club
def club_leaderboard(request: HttpRequest, page: ClubPage, game: str) -> HttpResponse:
    """A ladder of a club; only members see a private club's."""
    return _board(request, game, page)


# Downloads


class _Echo:
    """A file object whose `write` returns what was written."""

    def write(self, text: str) -> str:
        return text


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: if it starts like one, it gets an apostrophe."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else text


def _cells(line: Standing) -> list[Any]:
    name = _("Bot, %(level)s") % {"level": level_name(line.bot_level)} if line.bot_level else line.username
    return [
        line.rank,
        harmless(name),
        _("bot") if line.bot_level or line.is_bot else _("guest") if line.is_guest else _("person"),
        line.points,
        line.plus_minus,
        _("yes") if line.is_provisional else _("no"),
        line.games,
        line.wins_percent,
        "" if line.mean_place is None else f"{line.mean_place:.2f}",
        "" if line.mean_seats is None else f"{line.mean_seats:.2f}",
        line.last_at.isoformat(timespec="seconds") if line.last_at else "",
    ]


def csv_of(lines: Iterable[Standing]) -> Iterator[str]:
    """Yield a leaderboard as CSV (RFC 4180) in UTF-8 with a byte order mark, which spreadsheets need."""
    writer: Any = csv.writer(_Echo())
    head = [_("Rank"), _("Player"), _("Kind"), _("Rating"), "±", _("Provisional"), _("Games"), _("Wins, %"), _("Mean place")]
    yield "\ufeff" + writer.writerow([*head, _("Mean table size"), _("Last game")])
    for line in lines:
        yield writer.writerow(_cells(line))


def _download(request: HttpRequest, game: str, club: Club | None) -> HttpResponseBase:
    entry, pool, filters, viewer = chosen_game(game), chosen_pool(request), _chosen_filters(request), viewer_of(request)
    count_use(
        "download", str(viewer.pk) if viewer else client_address(request), limit=DOWNLOADS_PER_HOUR, window_s=3600, refusal=TooManyDownloads
    )
    lines = selectors.all_lines(pool=pool, game=entry.key if entry else ALL_GAMES, club=club, filters=filters, viewer=viewer)
    kept = SpooledTemporaryFile(max_size=1 << 20)  # a slow reader must not hold a snapshot of the database  # noqa: SIM115
    for part in csv_of(lines):
        kept.write(part.encode())
    kept.seek(0)
    name = "-".join(part for part in ("leaderboard", club.slug if club else "", game, pool) if part)
    return FileResponse(kept, as_attachment=True, filename=f"{name}.csv", content_type="text/csv; charset=utf-8")


@require_safe
def download(request: HttpRequest, game: str) -> HttpResponseBase:
    """Download the list that the page shows, with all its lines."""
    return _download(request, game, None)


@require_safe
@of_club
def club_download(request: HttpRequest, page: ClubPage, game: str) -> HttpResponse:
    """The same for a club."""
    return cast(HttpResponse, _download(request, game, page.club))  # both kinds have everything that the wrapper uses
