"""What the forms and links of a question send: a partial choice, an action, a plan of several, or a basket."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.http import HttpRequest

from games.core.asking import THEN
from portal.tables import refusals
from portal.tables.services import MAX_ACTION_CHARS

MAX_CHOSEN_CHARS: Final = MAX_ACTION_CHARS  # choices made piece by piece become the text of an action
LOT: Final = "lot:"  # starts the name of a field that holds how much of a lot is taken


class Sent(NamedTuple):
    """The last action, those played before it, and what a basket's button says: that this is all."""

    before: list[str]
    action: str
    end: str | None


def chosen_of(request: HttpRequest) -> str:
    """Return the partial choice: ?a=, and the word that was typed after it (&w=)."""
    chosen = request.GET.get("a", "")
    for word in request.GET.get("w", "").split()[:1]:
        chosen = f"{chosen} {word}".lstrip()
    return chosen if len(chosen) <= MAX_CHOSEN_CHARS and chosen.isprintable() else ""


def sent_by(request: HttpRequest) -> Sent:
    """Return the actions that a form names. Raises BadAction for a basket that can't be read."""
    *before, action = _actions(request)
    if before and "basket" in request.POST:
        return Sent(before[:-1], before[-1], action)
    return Sent(before, action, None)


def _actions(request: HttpRequest) -> list[str]:
    """Return the actions that a form names, in order: those of a plan, or each lot of a basket as often as it was taken, then the button's."""
    last = request.POST.get("basket")
    if last is None:
        return request.POST.get("action", "").split(THEN)
    actions: list[str] = []
    for name, count in request.POST.items():
        text = name.removeprefix(LOT)
        if text == name or not count:
            continue
        if not isinstance(count, str) or not count.isdecimal() or len(count) > 2:
            raise refusals.BadAction
        actions += [text] * int(count)
    return [*actions, last]
