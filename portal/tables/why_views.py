"""Why a bot made a move: a page of its own, and the same for the page's script (`why.js`), which puts it beside the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from portal.accounts.models import User
from portal.common.limits import client_network
from portal.common.templatetags.site import level_name
from portal.tables import refusals, selectors
from portal.tables.access import load_for
from portal.tables.choosing import SUBSTITUTE_LEVEL
from portal.tables.page import sprite_symbols
from portal.tables.reel import Follower
from portal.tables.replay import Replay, replay_of
from portal.tables.replay_page import address
from portal.tables.speaker import Speaker
from portal.tables.thoughts import EVERYTHING, WHY, thought_of
from portal.tables.thoughts_said import reasons_said, said_no, weighed_said
from portal.tables.why import BY_BOTS, explained_for

LOOK_AGAIN_S = 2  # a page without script


@require_safe
def why(request: HttpRequest, pk: int, seq: int) -> HttpResponse:
    """Explain the move of record `seq`, as seen from a seat (?seat=2) if the reader may choose; the page's script gets the explanation alone."""
    user = request.user if isinstance(request.user, User) else None
    try:
        loaded = load_for(pk, user)
        page = selectors.page_of(loaded, user)
        seat = explained_for(page)
        if seat is None:
            raise refusals.NotExplained
        replay = replay_of(loaded, page, seat=request.GET.get("seat", ""))
        context = explanation(replay, seq, seat, str(request.LANGUAGE_CODE), who=who_asks(request))
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.TableRefusal as error:
        return private(render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status))
    if "HX-Request" in request.headers:
        return private(render(request, "tables/why.html#reasons", context))
    response = render(request, "tables/why.html", context | {"symbols": sprite_symbols(page.entry)})
    if context["is_open"]:
        response["Refresh"] = str(LOOK_AGAIN_S)
    return private(response)


def who_asks(request: HttpRequest) -> str:
    """Return who is counted when something is asked: a person, or a visitor's network."""
    return str(request.user.pk) if request.user.is_authenticated else client_network(request)


def explanation(replay: Replay, seq: int, seat: int, lang: str, *, who: str) -> dict[str, Any]:
    """Return what the template shows of a move: what was done, the reasons in words, the board with what they point at.

    Raises NoSuchStep if no bot chose it, and TooMany.
    """
    number = next((at for at, entry in enumerate(replay.line) if entry.seq == seq and entry.by in BY_BOTS), None)
    if number is None:
        raise refusals.NoSuchStep
    entry, page = replay.line[number], replay.page
    speaker = Speaker(page.entry.key, lang, page.names, replay.seat)
    thought = thought_of(page.id, WHY, seq, seat, who=who)
    answer = thought.answer or {}
    step = next((at for at, step in enumerate(replay.steps, 1) if step.entry == number + 1), 0)
    level = SUBSTITUTE_LEVEL if entry.by == "substitute" else page.seats[entry.actor].bot_level or ""
    marks = answer.get("marks", ())
    return {
        "page": page,
        "section": "play",
        "title": gettext("Why this move?"),
        "table_title": gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id},
        "is_open": thought.answer is None,
        "name": page.names[entry.actor],
        "number": entry.actor + 1,
        "level": level_name(level),
        "told": [speaker.say(line.event) for line in replay.lines[number]],
        "reasons": reasons_said(answer, speaker),
        "weighed": weighed_said(answer),
        "no": said_no(answer),
        "is_outside": seat != EVERYTHING,
        "step_url": address(replay, step) if step else None,
        "board": replay.picture(step, speaker, Follower(), marks)["board"] if step else "",
        "is_marked": bool(marks) and bool(step),
        "ids": _places(replay, marks) if seat != EVERYTHING else (),
    }


def _places(replay: Replay, marks: Iterable[str]) -> list[str]:
    """Return which of the marks of an earlier move can be shown on the present board: places that everybody sees, so not the mover's own pieces."""
    game = replay.page.entry.game
    targets = game.scene(game.view_for(replay.loaded.state, None))["targets"]
    return [name for name in marks if "word" in targets.get(name, ())]


def private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response
