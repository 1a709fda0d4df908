"""Study a game from a step of its replay: a practice table that starts from that position, against bots or with all seats by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games.core.records import POSITION_FORMAT
from portal.common.limits import count_use
from portal.common.refusals import Refusal, TooMany
from portal.tables import refusals, selectors, services
from portal.tables.access import load_for
from portal.tables.forms import QUICK_LEVEL
from portal.tables.lobby_views import TABLES_PER_HOUR, arriving, viewer_of
from portal.tables.replay import Replay, replay_of, whole
from portal.tables.replay_page import address
from portal.tables.speaker import Speaker
from portal.tables.study import position_of

BY_HAND: Final = "hand"  # in place of a level: no bots


@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what a study table is and let the reader choose a seat (?step=12); a POST opens one. A visitor becomes a guest on the way."""
    user = viewer_of(request)
    try:
        loaded = load_for(pk, user)
    except refusals.TableNotFound:
        raise Http404 from None
    asked: Mapping[str, Any] = request.POST if request.method == "POST" else request.GET
    try:
        replay = replay_of(loaded, selectors.page_of(loaded, user))
        step = whole(str(asked.get("step", "")) or "0")
        state = position_of(replay, step)
        if request.method == "POST":
            return _open(request, replay, state, str(asked.get("seat", "")), str(asked.get("level", "")))
    except TooMany:
        raise
    except Refusal as error:
        return render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status)
    speaker = Speaker(replay.page.entry.key, str(request.LANGUAGE_CODE), replay.page.names, replay.seat)
    told = replay.told(step, speaker)["text"] if step else gettext("The first position")
    first = first_seat(replay, state, str(asked.get("seat", "")))
    seats = [{"number": seat + 1, "name": name, "is_chosen": seat == first} for seat, name in enumerate(replay.page.names)]
    context = {
        "page": replay.page,
        "section": "play",
        "step": step,
        "count": replay.count,
        "told": told,
        "seats": seats,
        "levels": [{"key": level, "is_chosen": level == QUICK_LEVEL} for level in replay.loaded.game.meta.bot_levels],
        "by_hand": BY_HAND,
        "is_over": replay.may_choose,
        "back_url": address(replay, step),
    }
    response = render(request, "tables/study.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


def first_seat(replay: Replay, state: Any, seat: str = "") -> int:
    """Return the seat to offer: the one from which the reader looked (its number), else the reader's, else the one that decides."""
    if seat.isdecimal() and 1 <= int(seat[:3]) <= replay.page.seat_count:
        return int(seat[:3]) - 1
    if replay.page.my_seat is not None:
        return replay.page.my_seat
    return next((seat for seat in replay.loaded.game.actors(state) if seat >= 0), 0)


def _open(request: HttpRequest, replay: Replay, state: Any, seat: str, level: str) -> HttpResponse:
    """Open the table and go there. What is drawn from then on comes from a secret of its own, like at every table."""
    table, game, circle = replay.loaded.table, replay.loaded.game, replay.page.circle
    number = whole(seat)
    if not 1 <= number <= table.seat_count:
        raise refusals.NoSuchStep
    club = table.club if circle is not None and circle.is_private else None  # what happened there stays there
    position = {
        "format": POSITION_FORMAT,
        "game": table.game,
        "rules_version": table.rules_version,
        "options": table.options,
        "seats": table.seat_count,
        "state": game.state_to_json(state),
    }
    with arriving(request) as user:
        count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=refusals.TooManyTables)
        opened = services.create_table(
            owner=user,
            game_key=table.game,
            seats=table.seat_count,
            options=table.options,
            bots=[] if level == BY_HAND else [level or QUICK_LEVEL] * (table.seat_count - 1),
            position=position,
            owner_seat=number - 1,
            by_hand=level == BY_HAND,
            club=club,
            privacy=table.privacy,  # likewise
        )
    return redirect("table", opened.table.pk)
