"""The lists of studies, and the page that starts one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.registry import Entry, entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.common.limits import client_network, count_use
from portal.common.refusals import Refusal, TooMany
from portal.studies import services
from portal.studies.access import Visibility, club_told, in_clubs_of, listed
from portal.studies.models import MAX_TITLE_CHARS, Study
from portal.studies.page import node_url
from portal.studies.services import MAX_STUDIES
from portal.studies.views import private, reader
from portal.tables import refusals, selectors
from portal.tables.access import load_for
from portal.tables.lobby_views import arriving
from portal.tables.replay import Replay, replay_of, whole
from portal.tables.replay_page import address, study_address
from portal.tables.speaker import Speaker
from portal.tables.study import position_of

SET_UP_A_MINUTE: Final = 60
OTHERS: Final = 50  # in a list of others' studies, the ones that changed last


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """List the reader's studies, those shared with them and with their clubs, and those that are open to everyone."""
    user = reader(request)
    found = listed(user).select_related("owner", "club").defer("position")
    others = found.exclude(owner=user) if user is not None else found
    parts: list[tuple[str, QuerySet[Study]]] = [(_("Open to everyone"), others.filter(visibility=Visibility.PUBLIC)[:OTHERS])]
    if user is not None:
        parts = [
            (_("My studies"), found.filter(owner=user)[:MAX_STUDIES]),
            (_("Shared with me"), others.exclude(visibility=Visibility.PUBLIC).exclude(in_clubs_of(user))[:OTHERS]),
            (_("In my clubs"), others.filter(in_clubs_of(user))[:OTHERS]),
            *parts,
        ]
    lists = [
        {"title": title, "id": f"list-{number}", "rows": [row_of(one, user) for one in rows]} for number, (title, rows) in enumerate(parts)
    ]
    return private(render(request, "studies/list.html", {"lists": lists, "section": "play"}))


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what a study is, from a step of a game (?step=12); a POST starts one. A visitor becomes a guest on the way."""
    user = reader(request)
    try:
        loaded = load_for(pk, user)
    except refusals.TableNotFound:
        raise Http404 from None
    asked: Mapping[str, Any] = request.POST if request.method == "POST" else request.GET
    fault: Refusal | None = None
    try:
        replay = replay_of(loaded, selectors.page_of(loaded, user))
        step = whole(str(asked.get("step", "")) or "0")
        position_of(replay, step)
        if request.method == "POST":
            try:
                with arriving(request) as person:
                    study = services.start(replay=replay, step=step, user=person, title=str(asked.get("title", "")))
                return private(redirect(node_url(study, 0)))
            except TooMany:
                raise
            except Refusal as error:
                fault = error
    except refusals.TableRefusal as error:
        return private(render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status))
    context = _new_context(request, replay, step) | {"error": str(fault) if fault is not None else ""}
    if fault is not None:
        context["title"] = str(asked.get("title", ""))
    return private(render(request, "studies/new.html", context, status=fault.status if fault is not None else 200))


@require_http_methods(["GET", "HEAD", "POST"])
def new_set_up(request: HttpRequest) -> HttpResponse:
    """Say what a study is, from the position file in the form; with a title it is started. A visitor becomes a guest on the way."""
    if request.method != "POST":
        return redirect("position-editors")  # a position is set up there
    count_use("study-set-up", client_network(request), limit=SET_UP_A_MINUTE, window_s=60)
    text, title, fault = request.POST.get("position", ""), request.POST.get("title"), None
    found: Entry | None = None
    try:
        position = services.position_in(text)
        rules, _state = services.set_up(position)
        found = entry(rules.meta.key)
        if title is not None:
            with arriving(request) as person:
                study = services.start_set_up(position=position, user=person, title=title)
            return private(redirect(node_url(study, 0)))
    except TooMany:
        raise
    except Refusal as error:
        fault = error
    usual = _("%(game)s: a position") % {"game": _(found.game.meta.title)} if found is not None else ""
    context = {
        "section": "play",
        "entry": found,
        "position": text,
        "title": usual if title is None else title,
        "most_title": MAX_TITLE_CHARS,
        "error": str(fault) if fault is not None else "",
    }
    return private(render(request, "studies/new_set_up.html", context, status=fault.status if fault is not None else 200))


def _new_context(request: HttpRequest, replay: Replay, step: int) -> dict[str, Any]:
    page = replay.page
    speaker = Speaker(page.entry.key, str(request.LANGUAGE_CODE), page.names, replay.seat)
    game = _(page.entry.game.meta.title)
    return {
        "page": page,
        "section": "play",
        "table_title": _("%(game)s, table %(id)s") % {"game": game, "id": page.id},
        "step": step,
        "count": replay.count,
        "told": replay.told(step, speaker)["text"] if step else _("The first position"),
        "title": (_("%(game)s, table %(id)s, step %(step)s") % {"game": game, "id": page.id, "step": step})[:MAX_TITLE_CHARS],
        "most_title": MAX_TITLE_CHARS,
        "is_over": replay.may_choose,
        "back_url": address(replay, step),
        "practice_url": study_address(replay, step),
    }


def row_of(study: Study, user: User | None) -> dict[str, Any]:
    """Return a study as a line of a list for a reader; its owner and club are loaded."""
    club = club_told(study, user)
    return {
        "title": study.title,
        "url": node_url(study, 0),
        "game": _(entry(study.game).game.meta.title),
        "entry": entry(study.game),
        "owner": name_of(study.owner),
        "changed_at": study.changed_at,
        "visibility": club.name if club is not None else study.get_visibility_display(),
    }
