"""How a game plays: a page with one turn, its steps for the reel, and the picture of the board for the front page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from games.registry import GAMES, Entry
from portal.tables.how import how_it_plays, kept_address, picture, version_of
from portal.tables.page import sprite_symbols

Drawn = TypeVar("Drawn")
A_YEAR_S: Final = 365 * 24 * 3600


@require_safe
def how(request: HttpRequest, game: str) -> HttpResponse:
    """Show how a game plays: at the end of its turn, or with ?step=2 after that step; 0 is the position before it."""
    entry = _entry(game)
    language = str(request.LANGUAGE_CODE)
    shown = how_it_plays(entry, language)
    if shown is None:
        raise Http404
    last = len(shown.stills) - 1
    asked = request.GET.get("step", "")
    step = min(int(asked), last) if asked.isdecimal() and len(asked) < 4 else last
    context = {
        "section": "play",
        "entry": entry,
        "meta": entry.game.meta,
        "stills": shown.stills[1:],
        "now": shown.stills[step],
        "is_asked": bool(asked),
        "back": step - 1 if step else None,
        "forward": step + 1 if step < last else None,
        "reel_url": kept_address("how-steps", entry.key, language),
        "symbols": sprite_symbols(entry),
    }
    return render(request, "tables/how.html", context)


@require_safe
def steps(request: HttpRequest, game: str) -> HttpResponse:
    """Give the steps of a game's turn as JSON, in the language ?lang=."""
    return _kept(request, game, how_it_plays, lambda shown: JsonResponse(shown.steps))


@require_safe
def board(request: HttpRequest, game: str) -> HttpResponse:
    """Give the board of a game in full play as markup, in the language ?lang=."""
    return _kept(request, game, picture, HttpResponse)


def _entry(game: str, lang: str = "en") -> Entry:
    if game not in GAMES or lang not in settings.INTERFACE_LANGUAGES:
        raise Http404
    return GAMES[game]


def _kept(
    request: HttpRequest, game: str, draw: Callable[[Entry, str], Drawn | None], answer: Callable[[Drawn], HttpResponse]
) -> HttpResponse:
    """Answer with what is drawn of a game in the language ?lang=. Browsers keep what was asked for by its version: the next has another address."""
    lang = request.GET.get("lang", "")
    entry = _entry(game, lang)
    drawn = draw(entry, lang)
    if drawn is None:
        raise Http404
    response = answer(drawn)
    if request.GET.get("v") == version_of(entry.key):
        patch_cache_control(response, public=True, max_age=A_YEAR_S, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response
