"""Practice tables: play on from a worked example of the rule book against bots. They are not rated."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from games.core.records import start_of_position
from games.registry import GAMES, game
from portal.common.limits import count_use
from portal.tables import services
from portal.tables.lobby_views import TABLES_PER_HOUR, person_of
from portal.tables.refusals import TooManyTables
from rules_docs.examples import Example, ExampleError, example

PRACTICE_LEVEL = "scribe"


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, game: str, example: str) -> HttpResponse:
    """Say what a practice table is; a POST opens one. A visitor becomes a guest on the way."""
    shown = _example(game, example)
    if request.method != "POST":
        language = get_language() or "en"
        title = shown.title.get(language) or shown.title["en"]
        return render(request, "tables/practice.html", {"title": title, "game": GAMES[game], "level": PRACTICE_LEVEL, "example": shown})
    user = person_of(request)
    count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=TooManyTables)
    seats = int(shown.position["seats"])
    loaded = services.create_table(
        owner=user,
        game_key=game,
        seats=seats,
        options=shown.position["options"],
        bots=[PRACTICE_LEVEL] * (seats - 1),
        position=shown.position,
        owner_seat=first_seat(shown),
    )
    return redirect("table", loaded.table.pk)


def first_seat(shown: Example) -> int:
    """Return the seat that decides first in an example: the seat of its first step that has one, else the seat due, else 0."""
    rules, state = start_of_position(shown.position, game)
    steps = [step.actor for step in shown.steps if step.actor >= 0]
    return next(iter([*steps, *(actor for actor in rules.actors(state) if actor >= 0), 0]))


def _example(key: str, name: str) -> Example:
    if key not in GAMES:
        raise Http404
    try:
        return example(key, name)
    except ExampleError:
        raise Http404 from None
