"""Hints and evaluations of the reader's own practice game: pages of their own, and the same for the page's script (`why.js`)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.common.templatetags.site import level_name
from portal.tables import refusals, selectors
from portal.tables.access import load_for
from portal.tables.hint import STEPS, best_level, may_think_aloud, quick_level
from portal.tables.loading import Loaded
from portal.tables.models import Thought
from portal.tables.page import sprite_symbols
from portal.tables.reel import Follower, picture_of
from portal.tables.replay import whole
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker
from portal.tables.thoughts import HINT, VALUE, thought_of
from portal.tables.thoughts_said import bars_said, hint_said, reasons_said, said_no
from portal.tables.why_views import LOOK_AGAIN_S, private, who_asks


@require_safe
def hint(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a hint for the reader's move, up to step ?n=: where to look, which kind of move, which move. ?seq= is the record that was last then."""

    def shown(loaded: Loaded, page: TablePage, speaker: Speaker) -> dict[str, Any]:
        seat = _seat(page)
        if seat not in page.turn.due:
            raise refusals.NotDue
        level = best_level(loaded.game)
        thought = thought_of(pk, HINT, loaded.table.seq, seat, level, who=who_asks(request))
        step = min(STEPS, max(1, whole(request.GET.get("n", "") or "1")))
        if request.GET.get("seq", str(loaded.table.seq)) != str(loaded.table.seq):
            step = 1  # of another position
        answer = thought.answer or {}
        told = hint_said(answer, page, speaker) if "action" in answer else {}
        context = {
            "title": gettext("Hint"),
            "part": "hint",
            "hint": told,
            "step": step,
            "more": f"?n={step + 1}&seq={loaded.table.seq}" if told and step < STEPS else None,
            "reasons": reasons_said(answer, speaker),
            "level": level_name(level),
        }
        return context | _of(thought) | _board(loaded, page, speaker, told.get("ids", ()))

    return _answer(request, pk, shown)


@require_safe
def chances(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which place each seat can expect, as far as the reader can know."""

    def shown(loaded: Loaded, page: TablePage, speaker: Speaker) -> dict[str, Any]:
        level = quick_level(loaded.game)
        thought = thought_of(pk, VALUE, loaded.table.seq, _seat(page), level, who=who_asks(request))
        context = {
            "title": gettext("Chances"),
            "part": "chances",
            "bars": bars_said(thought.answer or {}, page),
            "seat_count": page.seat_count,
            "playouts": (thought.answer or {}).get("playouts"),
            "level": level_name(level),
        }
        return context | _of(thought) | _board(loaded, page, speaker, ())

    return _answer(request, pk, shown)


def _answer(request: HttpRequest, pk: int, shown: Any) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    try:
        loaded = load_for(pk, user)
        page = selectors.page_of(loaded, user)
        if not may_think_aloud(page):
            raise refusals.NoHints
        speaker = Speaker(page.entry.key, str(request.LANGUAGE_CODE), page.names, page.my_seat)
        context = {
            "page": page,
            "section": "play",
            "table_title": gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id},
            **shown(loaded, page, speaker),
        }
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.TableRefusal as error:
        return private(render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status))
    if "HX-Request" in request.headers:
        return private(render(request, "tables/thought.html#thought", context))
    response = render(request, "tables/thought.html", context | {"symbols": sprite_symbols(page.entry)})
    if context["is_open"]:
        response["Refresh"] = str(LOOK_AGAIN_S)
    return private(response)


def _seat(page: TablePage) -> int:
    assert page.my_seat is not None, "own practice"
    return page.my_seat


def _of(thought: Thought) -> dict[str, Any]:
    return {"is_open": thought.answer is None, "no": said_no(thought.answer or {})}


def _board(loaded: Loaded, page: TablePage, speaker: Speaker, ids: Any) -> dict[str, Any]:
    return {"board": picture_of(loaded, page, speaker, Follower(), loaded.state, (), ids)["board"]}
