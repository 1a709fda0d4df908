"""The page of a game's report, linked from its result: asked for by a button, worked out by workers, with its progress until it is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from portal.accounts.models import User
from portal.common.limits import count_use
from portal.common.templatetags.site import level_name
from portal.tables import refusals, selectors
from portal.tables.access import load_for
from portal.tables.hint import best_level, path_to, quick_level
from portal.tables.replay import Replay, replay_of
from portal.tables.replay_page import address
from portal.tables.report import summary, turning_points
from portal.tables.speaker import Speaker
from portal.tables.thoughts import BEHIND, EVERYTHING, REPORT, found, thought_of
from portal.tables.thoughts_said import move_said, reasons_said, said_no
from portal.tables.why_views import private, who_asks

LOOK_AGAIN_S: Final = 3
REPORTS_PER_HOUR: Final = 20
WIDTH, HEIGHT = 720, 330
LEFT, RIGHT, TOP, BOTTOM = 44, 704, 16, 286
DASHES: Final = ("", "10 4", "3 4", "14 4 3 4", "6 3", "2 6")  # so that colour does not speak alone


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the report of a finished game, or how far it is; a POST asks for it."""
    user = request.user if isinstance(request.user, User) else None
    try:
        loaded = load_for(pk, user)
        page = selectors.page_of(loaded, user)
        if page.seal.secret is None:
            raise refusals.NoReport
        level = best_level(loaded.game)
        if request.method == "POST":
            count_use("report", who_asks(request), limit=REPORTS_PER_HOUR, window_s=3600, refusal=refusals.TooManyReports)
            thought_of(pk, REPORT, 0, EVERYTHING, level, who=who_asks(request), priority=BEHIND)
            return redirect("table-report", pk)
        thought = found(pk, REPORT, 0, EVERYTHING, level, priority=BEHIND)
        replay = replay_of(loaded, page) if thought is not None and thought.answer is not None else None
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.TableRefusal as error:
        return private(render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status))
    speaker = Speaker(page.entry.key, str(request.LANGUAGE_CODE), page.names, page.my_seat)
    work = (thought.work if thought is not None else None) or {}
    context = {
        "page": page,
        "section": "play",
        "title": gettext("Game report"),
        "table_title": gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id},
        "is_asked": thought is not None,
        "is_open": thought is not None and thought.answer is None,
        "done": work.get("done", 0),
        "of": work.get("of", 0),
        "level": level_name(level),
        "quick": level_name(quick_level(loaded.game)),
    }
    if thought is not None and thought.answer is not None:
        context |= {"no": said_no(thought.answer)}
        if replay is not None and "chart" in thought.answer:
            context |= shown(replay, thought.answer, speaker)
    response = render(request, "tables/report.html", context)
    if context["is_open"]:
        response["Refresh"] = str(LOOK_AGAIN_S)
    return private(response)


def shown(replay: Replay, answer: Mapping[str, Any], speaker: Speaker) -> dict[str, Any]:
    """Return chart, table of the same figures, and what is said of each person's choices, the reader's first."""
    page = replay.page
    seats = sorted({choice["seat"] for choice in answer["choices"]}, key=lambda seat: (seat != page.my_seat, seat))
    return {
        "chart": chart_of(replay, answer["chart"]),
        "playouts": answer["playouts"],
        "people": [_person(replay, answer, seat, speaker) for seat in seats],
    }


def chart_of(replay: Replay, rows: Sequence[Any]) -> dict[str, Any]:
    """Return the lines of the expected places as coordinates, and the same figures as rows of a table; the real places come last."""
    page = replay.page
    last, seats = max(2, page.seat_count), range(page.seat_count)
    outcome = page.outcome
    assert outcome is not None
    figures = [(at, [row[0] for row in each]) for at, each in rows] + [(len(replay.line), [float(place) for place in outcome.places])]
    end = max(1, figures[-1][0])

    def x(at: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * at / end, 1)

    def y(place: float) -> float:
        return round(TOP + (BOTTOM - TOP) * (place - 1) / (last - 1), 1)

    lines = [
        {
            "number": seat + 1,
            "name": page.names[seat],
            "points": " ".join(f"{x(at)},{y(places[seat])}" for at, places in figures),
            "dash": DASHES[seat % len(DASHES)],
            "end": str(y(figures[-1][1][seat])),
        }
        for seat in seats
    ]
    steps = [step_at(replay, at) for at, _ in figures]
    table = [
        {
            "step": step,
            "url": address(replay, step),
            "cells": [f"{place:.0f}" if number == len(figures) - 1 else _number(place) for place in places],
        }
        for number, (step, (_, places)) in enumerate(zip(steps, figures, strict=True))
    ]
    grid = [{"place": place, "y": str(y(place))} for place in range(1, last + 1)]
    ends = [{"side": "first", "x": str(x(figures[0][0])), "step": steps[0]}, {"side": "last", "x": str(RIGHT), "step": steps[-1]}]
    return {"lines": lines, "rows": table, "grid": grid, "ends": ends, "width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT}


def step_at(replay: Replay, at: int) -> int:
    """Return the first step of the replay whose picture has more than `at` entries behind it."""
    return next((number for number in range(1, replay.count + 1) if replay.entries_at(number) > at), replay.count)


def _number(value: float) -> Any:
    return round(value, 1)


def _person(replay: Replay, answer: Mapping[str, Any], seat: int, speaker: Speaker) -> dict[str, Any]:
    count, same, among = summary(answer, seat)
    return {
        "number": seat + 1,
        "name": replay.page.names[seat],
        "is_me": seat == replay.page.my_seat,
        "count": count,
        "same": same,
        "among": among,
        "points": [_turning_point(replay, choice, speaker) for choice in turning_points(answer, seat)],
    }


def _turning_point(replay: Replay, choice: Mapping[str, Any], speaker: Speaker) -> dict[str, Any]:
    at, seat = choice["at"], choice["seat"]
    game = replay.loaded.game
    view = game.view_for(replay.state_after_entries(at), seat)
    path = path_to(game, view, choice["action"])
    step = step_at(replay, at)
    return {
        "step": step,
        "url": address(replay, step, str(seat + 1)),
        "played": [speaker.say(line.event) for line in replay.lines[at]],
        "instead": move_said(path, speaker) or choice["action"],
        "reasons": reasons_said(choice, speaker),
    }
