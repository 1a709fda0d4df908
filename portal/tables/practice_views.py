"""Practice tables: a worked example of the rule book, played on from its position against bots. They are not rated."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.core.records import start_of_position
from games.registry import GAMES, game
from portal.accounts import services as accounts
from portal.common import errors
from portal.common.limits import allow
from portal.tables import services
from portal.tables.site_views import TABLES_PER_HOUR, TOO_MANY_GUESTS, TOO_MANY_TABLES, person_of
from rules_docs.examples import Example, ExampleError, example

PRACTICE_LEVEL = "scribe"


@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, game: str, example: str) -> HttpResponse:
    """Say what a practice table is and, by POST, open one; a visitor becomes a guest on the way."""
    shown = _example(game, example)
    if request.method == "GET":
        language = get_language() or "en"
        title = shown.title.get(language) or shown.title["en"]
        return render(request, "tables/practice.html", {"title": title, "game": GAMES[game], "level": PRACTICE_LEVEL, "example": shown})
    try:
        user = person_of(request)
    except accounts.TooManyGuests:
        return errors.too_many(request, _(TOO_MANY_GUESTS))
    if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
        return errors.too_many(request, _(TOO_MANY_TABLES))
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
    """Return the seat that decides first in an example: the one of a seat's first step, else who is due, else 0."""
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
