"""Learning a game: the overview, the way into the guided first game, and out of it into a free one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES, Entry
from portal.common.limits import count_use
from portal.common.refusals import Refusal, TooMany
from portal.tables import refusals, teaching
from portal.tables.how_views import A_YEAR_S
from portal.tables.lobby_views import TABLES_PER_HOUR, person_of, viewer_of
from portal.tables.overview import overview_of, style_of, style_version
from portal.tables.page import sprite_symbols
from rules_docs.teaching import is_taught


@require_safe
def learn(request: HttpRequest, game: str) -> HttpResponse:
    """Show the overview of a game, at its first screen or at ?screen=3."""
    entry = _taught(game)
    shown = overview_of(entry, str(request.LANGUAGE_CODE))
    if shown is None:
        raise Http404
    asked = request.GET.get("screen", "")
    now = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 3 else 1
    names = {
        "goal": gettext("Goal"),
        "turn": gettext("A turn"),
        "scoring": gettext("Scoring"),
        "end": gettext("The end"),
        "advice": gettext("Advice"),
    }
    context = {
        "section": "play",
        "entry": entry,
        "meta": entry.game.meta,
        "shown": shown,
        "now": now if 1 <= now <= len(shown.screens) else 1,
        "screens": [
            {
                "told": screen,
                "name": names[screen.key],
                "back": screen.number - 1,
                "on": screen.number + 1 if screen.number < len(shown.screens) else 0,
            }
            for screen in shown.screens
        ],
        "style_url": f"{reverse('learn-parts', args=[entry.key])}?v={style_version(entry.key)}",
        "symbols": sprite_symbols(entry),
    }
    return render(request, "tables/learn.html", context)


@require_safe
def parts(request: HttpRequest, game: str) -> HttpResponse:
    """Give the style sheet that fades what a screen of the overview does not mean."""
    style = style_of(_taught(game).key)
    response = HttpResponse(style, content_type="text/css; charset=utf-8")
    if request.GET.get("v") == style_version(game):
        patch_cache_control(response, public=True, max_age=A_YEAR_S, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, game: str) -> HttpResponse:
    """Start the guided first game, or go back to the one that is running; a visitor becomes a guest on the way."""
    entry = _taught(game)
    if request.method != "POST":
        return redirect("learn", entry.key)
    user = person_of(request)
    if (begun := teaching.running_lesson(user, entry.key)) is not None:
        return redirect("table", begun)
    count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=refusals.TooManyTables)
    loaded = teaching.start_lesson(owner=user, game_key=entry.key, lang=str(request.LANGUAGE_CODE))
    return redirect("table", loaded.table.pk)


@require_POST
def on(request: HttpRequest, pk: int) -> HttpResponse:
    """End a lesson and go on in a free game from its position."""
    user = viewer_of(request)
    if user is None:
        raise Http404
    try:
        loaded = teaching.play_on(table_id=pk, user=user)
    except refusals.TableNotFound:
        raise Http404 from None
    except TooMany:
        raise
    except Refusal as error:
        return render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status)
    url = reverse("table", args=[loaded.table.pk])
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(url)
    response = HttpResponse(status=204)  # the button stands in the region of the lesson's table
    response["HX-Redirect"] = url
    return response


def _taught(game: str) -> Entry:
    if game not in GAMES or not is_taught(game):
        raise Http404
    return GAMES[game]
