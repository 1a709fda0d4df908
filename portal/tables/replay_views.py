"""The pages of a replay: a step as a page of its own, and steps for the page's script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.tables import outside, refusals, selectors
from portal.tables.access import load_for
from portal.tables.loading import Loaded
from portal.tables.page import sprite_symbols
from portal.tables.replay import Replay, replay_of, steps_of, whole
from portal.tables.replay_page import control_of, edit_address, new_study_address, seats_of, study_address
from portal.tables.result import is_for_others, step_pictures
from portal.tables.speaker import Speaker
from rules_docs import heads


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one step of a game (?step=12, from the first position on), as a seat sees it (?seat=2; 0: as everybody)."""

    def shown(replay: Replay, speaker: Speaker) -> HttpResponse:
        step = _step(request, replay, least=0)
        page = replay.page
        context = {
            "page": page,
            "section": "play",
            "title": gettext("Replay"),
            "table_title": gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id},
            "symbols": sprite_symbols(page.entry),
            "replay": control_of(replay, step, speaker),
            "seats": seats_of(replay, step),
            "study_url": study_address(replay, step),
            "new_study_url": new_study_address(replay, step),
            "edit_url": edit_address(replay, step),
            **_for_others(replay, step, speaker),
        }
        return render(request, "tables/replay.html", context)

    return _answer(request, pk, shown)


def _for_others(replay: Replay, step: int, speaker: Speaker) -> dict[str, Any]:
    """Return what other sites show of a step, and how they do; nothing of a table that not everybody may see."""
    page = replay.page
    if not is_for_others(page):
        return {}
    here = reverse("table-replay", args=[page.id], query={"step": step})
    title = gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id}
    head = heads.of_page(here, speaker.lang, f"{title}: {gettext('Replay')}", ", ".join(page.names), page.entry.key)
    head = outside.step_preview(page.entry.game, head, page.id, speaker.lang, step)
    return {
        "head": head,
        "pictures": step_pictures(page, step, speaker.lang),
        "frame": outside.frame(outside.table_frame(page.id, {"lang": speaker.lang, "step": str(step)}), title),
        "oembed": outside.oembed_address(heads.absolute(here)),
    }


@require_safe
def steps(request: HttpRequest, pk: int) -> HttpResponse:
    """Give as JSON some steps from ?step= on, each with what it changes, and the picture before them."""

    def given(replay: Replay, speaker: Speaker) -> HttpResponse:
        step = _step(request, replay, least=1)
        return JsonResponse(steps_of(replay, speaker, step, have=request.headers.get("X-Have", "")))

    return _answer(request, pk, given)


def _answer(request: HttpRequest, pk: int, make: Callable[[Replay, Speaker], HttpResponse]) -> HttpResponse:
    """Answer with the replay that the reader asks for, or with the reason why there is none."""
    user = request.user if isinstance(request.user, User) else None
    loaded = _loaded(pk, user)
    try:
        replay = replay_of(loaded, selectors.page_of(loaded, user), seat=request.GET.get("seat", ""))
        response = make(replay, Speaker(replay.page.entry.key, str(request.LANGUAGE_CODE), replay.page.names, replay.seat))
    except refusals.TableRefusal as error:
        response = _refused(request, pk, error)
        response["Cache-Control"] = "private, no-store"
    else:
        response["Cache-Control"] = "private, no-cache" if replay.seat is None else "private, no-store"
    response["Vary"] = "Cookie, Accept-Language"
    return response


def _loaded(pk: int, user: User | None) -> Loaded:
    try:
        return load_for(pk, user)
    except refusals.TableNotFound:
        raise Http404 from None


def _step(request: HttpRequest, replay: Replay, *, least: int) -> int:
    step = whole(request.GET.get("step", "") or str(least))
    if not least <= step <= replay.count:
        raise refusals.NoSuchStep
    return step


def _refused(request: HttpRequest, pk: int, error: refusals.TableRefusal) -> HttpResponse:
    if request.path.endswith("/steps/"):
        told: dict[str, Any] = {"error": {"code": error.code, "reason": str(error)}}
        return JsonResponse(told, status=error.status)
    return render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status)
