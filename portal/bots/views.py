"""The list of bot accounts, and the form that challenges one."""

from __future__ import annotations

from typing import Any, Final, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.registry import GAMES
from portal.accounts.models import User
from portal.bots import services
from portal.bots.challenge_form import ChallengeForm
from portal.bots.challenging import challenge
from portal.bots.refusals import BotNotFound
from portal.bots.selectors import bots_playing, open_bots, ratings_of_bots, shown_to
from portal.clubs.pages import page_number, viewer_of
from portal.common import errors
from portal.common.refusals import Refusal, TooMany

ROWS: Final = 30
MAX_PAGE: Final = 1000


@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """List people's bots, the newest first: all, or those that play the game ?game=."""
    game, number = request.GET.get("game", ""), page_number(request)
    if (game and game not in GAMES) or number > MAX_PAGE:
        raise Http404
    found = (bots_playing(game) if game else open_bots()).order_by("-made_at", "-pk")
    bots = list(found[(number - 1) * ROWS : number * ROWS + 1])
    if not bots and number > 1:
        raise Http404
    has_next, bots = len(bots) > ROWS, bots[:ROWS]
    ratings = ratings_of_bots(bots, game)
    context = {
        "rows": [(shown, ratings.get(bot.user_id)) for bot, shown in zip(bots, shown_to(viewer_of(request), bots), strict=True)],
        "game": GAMES.get(game),
        "games": list(GAMES.values()),
        "number": number,
        "previous_url": _address(game, number - 1) if number > 1 else "",
        "next_url": _address(game, number + 1) if has_next and number < MAX_PAGE else "",
    }
    return render(request, "bots/accounts.html", context)


def _address(game: str, number: int) -> str:
    wanted: dict[str, Any] = {"game": game} if game else {}
    if number > 1:
        wanted["page"] = number
    return f"{reverse('bot-accounts')}{'?' if wanted else ''}{urlencode(wanted)}"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def challenge_bot(request: HttpRequest, username: str) -> HttpResponse:
    """Show the form that challenges a bot. A POST opens a table with it and leads there."""
    user = cast(User, request.user)
    try:
        bot = services.bot_named(username)
    except BotNotFound as refusal:
        return errors.page_not_found(request, refusal)
    form = ChallengeForm(request.POST if request.method == "POST" else None, bot=bot)
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                return redirect("table", challenge(by=user, **form.chosen()).table.pk)
            except TooMany:
                raise
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
    shown = shown_to(user, [bot])[0]
    return render(request, "bots/challenge.html", {"bot": shown, "form": form}, status=status)
