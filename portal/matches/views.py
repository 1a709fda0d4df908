"""The pages of matches of bots. Anyone can read them; what is hidden at the tables is left out by the selectors."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.names import MAX_NAME_CHARS
from portal.bots.selectors import bots_of
from portal.common import errors
from portal.common.limits import count_use
from portal.common.refusals import NotAllowed, Refusal, WrongMoment
from portal.matches import selectors, services
from portal.matches.forms import MatchForm
from portal.matches.refusals import MatchNotFound, TooManyMatchesMade
from portal.matches.showing import copied, player_rows
from portal.ratings.bots import shares_drawing
from portal.tables.pace import said

ON_A_PAGE: Final = 30  # games
MAX_DIGITS: Final = 5  # of the number of a page


@never_cache
@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match; while it runs, the page asks for its region every few seconds, and is told 204 if ?v= is what it shows already."""
    try:
        version = selectors.version_of(pk)
        if request.GET.get("v") == version:
            return HttpResponse(status=204)
        context = _context(request, pk) | {"version": version}
    except MatchNotFound:
        raise Http404 from None
    is_part = request.headers.get("HX-Request") == "true"
    return render(request, "matches/_match.html" if is_part else "matches/match.html", context)


@never_cache
@require_safe
def all_matches(request: HttpRequest) -> HttpResponse:
    """List matches, the latest first; ?player=name only those of a bot account."""
    number, player = number_of(request), request.GET.get("player", "")[:MAX_NAME_CHARS]
    start = (number - 1) * ON_A_PAGE
    found = list(selectors.listed(player)[start : start + ON_A_PAGE + 1])
    if not found and number > 1:
        raise Http404
    rows = [(one, GAMES[one.game], [selectors.name_of(each) for each in one.players.all()]) for one in found[:ON_A_PAGE]]
    kept = f"{urlencode({'player': player})}&" if player else ""
    context = {"rows": rows, "player": player, **paging(number, has_next=len(found) > ON_A_PAGE, kept=kept)}
    return render(request, "matches/matches.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """Show the form of a new match. A POST starts it and leads there."""
    user = cast(User, request.user)
    form = MatchForm(request.POST if request.method == "POST" else None, own=[bot.user.username for bot in bots_of(user)])
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            count_use("match", str(user.pk), limit=services.MADE_PER_HOUR, window_s=3600, refusal=TooManyMatchesMade)
            try:
                return redirect("match", services.make_match(owner=user, **form.chosen()).pk)
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
    return render(request, "matches/new.html", {"form": form}, status=status)


@login_required
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Open no more games of a match, and go back to it."""
    if not isinstance(request.user, User):
        raise Http404
    try:
        services.cancel(pk, by=request.user)
    except MatchNotFound:
        raise Http404 from None
    except NotAllowed as refusal:
        return errors.permission_denied(request, refusal)
    except WrongMoment as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Match cancelled. Games that are running are played to their end."))
    response = redirect("match", pk)
    response.status_code = 303
    return response


# Parts


def number_of(request: HttpRequest) -> int:
    """Return the number of the page that is asked for, from 1. Raises Http404."""
    number = request.GET.get("page", "1")
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS and int(number)):
        raise Http404
    return int(number)


def paging(number: int, *, has_next: bool, kept: str = "") -> dict[str, Any]:
    """Return what `clubs/_pages.html` shows; `kept` are other parameters, with a final "&"."""
    return {
        "number": number,
        "previous_url": f"?{kept}page={number - 1}" if number > 1 else "",
        "next_url": f"?{kept}page={number + 1}" if has_next else "",
    }


def _context(request: HttpRequest, pk: int) -> dict[str, Any]:
    number = number_of(request)
    page = selectors.match_page(pk)
    start = (number - 1) * ON_A_PAGE
    found = list(selectors.games_of(pk).order_by("-number")[start : start + ON_A_PAGE + 1])
    if not found and number > 1:
        raise Http404
    rows = player_rows(page)
    address = request.build_absolute_uri(reverse("match", args=[pk]))
    return {
        "section": "play",
        "page": page,
        "rows": rows,
        "pace": said(page.pace),
        "drawn": shares_drawing([(row.name, row.line.win_rate or 0.0, row.line.low, row.line.high) for row in rows])
        if page.played
        else None,
        "games": [
            (
                game,
                [(rows[player].name, place, score) for player, place, score in _seated(game)],
                [rows[player].name for player in game.due],
            )
            for game in selectors.game_lines(found[:ON_A_PAGE])
        ],
        "copied": copied(page, rows, address),
        "may_cancel": selectors.may_cancel(page.match, request.user if isinstance(request.user, User) else None),
        **paging(number, has_next=len(found) > ON_A_PAGE),
    }


def _seated(game: selectors.GameLine) -> list[tuple[int, int | None, int | None]]:
    """Return player, place and score by place; without a result only the players, by seat."""
    if not game.places:
        return [(player, None, None) for player in game.players]
    return sorted(zip(game.players, game.places, game.scores, strict=True), key=itemgetter(1))
