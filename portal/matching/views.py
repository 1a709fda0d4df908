"""The page of somebody who looks for a table."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.registry import GAMES
from portal.common.limits import count_use
from portal.common.refusals import Refusal, TooMany
from portal.matching import refusals, services
from portal.matching.models import Search
from portal.tables.lobby_views import arriving, viewer_of
from portal.tables.pace import Kind, said

SEARCHES_PER_HOUR: Final = 60


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Start to look for a table; a visitor becomes a guest on the way."""
    seats = request.POST.get("seats", "") or "0"
    try:
        with arriving(request) as user:
            count_use("search", str(user.pk), limit=SEARCHES_PER_HOUR, window_s=3600, refusal=refusals.TooManySearches)
            search = services.look(
                user=user,
                game=request.POST.get("game", ""),
                kind=request.POST.get("pace", ""),
                seats=int(seats) if seats.isascii() and seats.isdecimal() and len(seats) < 3 else -1,
                is_rated=request.POST.get("unrated") != "on",
            )
    except TooMany:
        raise
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return _to("lobby")
    if search.table_id is not None:
        services.stop(user=user, game=search.game)
        return _to("table", search.table_id)
    return _to("find")


@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Look no longer for a table of one game."""
    user = viewer_of(request)
    if user is None:
        raise Http404
    services.stop(user=user, game=request.POST.get("game", ""))
    return _to("find" if services.of(user) else "lobby")


@never_cache
@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """What the reader looks for. The page asks again every few seconds, and goes to a table that was found for them."""
    user = viewer_of(request)
    searches = services.of(user)
    is_part = request.headers.get("HX-Request") == "true"
    for search in searches:
        services.seen(search)
    found = next((search for search in searches if search.table_id is not None), None)
    if user is not None and found is not None:
        services.stop(user=user, game=found.game)
        return _go(reverse("table", args=[found.table_id])) if is_part else redirect("table", found.table_id)
    if not searches:
        return _go(reverse("lobby")) if is_part else redirect("lobby")
    context = {"section": "play", "searches": [_shown(search) for search in searches], "lookers": services.waiting(user).lookers}
    return render(request, "matching/_find.html" if is_part else "matching/find.html", context)


def _shown(search: Search) -> dict[str, Any]:
    entry, tempo = GAMES[search.game], services.TEMPOS[search.kind]
    waited_s = int((timezone.now() - search.made_at).total_seconds())
    return {
        "search": search,
        "entry": entry,
        "pace": said(services.pace_for(entry, search.kind)),
        "is_live": search.kind == Kind.LIVE,
        "waited_minutes": waited_s // 60,
        "offers_bots": waited_s >= tempo.bots_after_s,
    }


def _to(name: str, *args: Any) -> HttpResponse:
    response = redirect(name, *args)
    response.status_code = 303
    return response


def _go(url: str) -> HttpResponse:
    """Let htmx load another page."""
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response
