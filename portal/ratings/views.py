"""The leaderboard of a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from games.registry import GAMES
from portal.accounts.models import User
from portal.ratings.formula import MU, SIGMA, shown
from portal.ratings.models import Rating
from portal.ratings.selectors import leaderboard as read

MAX_PAGE_DIGITS = 6


@require_GET
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Ratings of one game: games among people, or games with bots; guests are shown on request."""
    if game not in GAMES:
        raise Http404
    pool = request.GET.get("pool", Rating.Pool.PEOPLE)
    if pool not in Rating.Pool.values:
        raise Http404
    guests = request.GET.get("guests") == "1"
    raw = request.GET.get("page", "1")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_PAGE_DIGITS and int(raw) >= 1):
        raise Http404
    viewer = request.user if isinstance(request.user, User) else None
    page = read(pool=pool, game=game, page=int(raw), show_guests=guests, viewer=viewer)
    if not page.lines and page.page > 1:
        raise Http404

    def address(**changes: str | int) -> str:
        wanted: dict[str, str | int] = {"pool": pool, "guests": int(guests), "page": 1, **changes}
        return "?" + urlencode({key: value for key, value in wanted.items() if value not in (0, "people") and (key, value) != ("page", 1)})

    return render(
        request,
        "ratings/leaderboard.html",
        {
            "section": "leaderboard",
            "game": GAMES[game],
            "pool": pool,
            "guests": guests,
            "board": page,
            "newcomer": shown(MU, SIGMA),
            "people_url": address(pool="people"),
            "bots_url": address(pool="bots"),
            "guests_url": address(guests=int(not guests)),
            "previous_url": address(page=page.page - 1) if page.page > 1 else "",
            "next_url": address(page=page.page + 1) if page.has_next else "",
        },
    )
