"""The status page: does the site work now? In plain words for players; monitors read `/readyz` and `/metrics`."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.site.facts import Data, Facts, Line, gather

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

KEPT_S: Final = 5.0  # asked this seldom, however many people look
SLOW_AFTER_S: Final = 20.0  # four wake-ups by the reconciler
MAIL_SLOW_AFTER_S: Final = 300.0  # beat looks every minute

GOOD, SLOW, BAD = "good", "slow", "bad"  # the better first


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the site as players see it; `says` has a sentence for each state that it can have."""

    name: _StrPromise
    says: dict[str, _StrPromise]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the page."""

    name: _StrPromise
    state: str
    sentence: _StrPromise


HEADLINES: Final = {
    GOOD: _("Everything is working."),
    SLOW: _("The site is working, but some things are taking longer than usual."),
    BAD: _("Part of the site isn't working right now."),
}
PAGES: Final = Part(
    _("Pages"),
    {
        GOOD: _("Pages load."),
        BAD: _("Most pages can't be shown right now. Nothing that was saved is lost."),
    },
)
GAMES: Final = Part(
    _("Games"),
    {
        GOOD: _("Your moves are accepted and saved."),
        BAD: _("Moves can't be accepted right now. Try again in a few minutes."),
    },
)
BOTS: Final = Part(
    _("Bots"),
    {
        GOOD: _("Bots are moving normally."),
        SLOW: _("Bots are taking longer than usual to move."),
        BAD: _("Bots can't move right now. Your games wait for them and then carry on."),
    },
)
SCORING: Final = Part(
    _("Scoring"),
    {
        GOOD: _("Points and ratings are counted."),
        SLOW: _("Points and ratings are being counted later than usual."),
        BAD: _("Points and ratings can't be counted right now. They will be counted later, and none are lost."),
    },
)
MAIL: Final = Part(
    _("Mail"),
    {
        GOOD: _("Mail is sent."),
        SLOW: _("Some mail is arriving later than usual."),
        BAD: _("Mail can't be sent right now. It is being held and will be sent later."),
    },
)
LIVE: Final = Part(
    _("Live updates"),
    {
        GOOD: _("The table you're looking at updates at once."),
        SLOW: _("The table you're looking at updates only every 20 seconds."),
    },
)


class _Kept:
    """The last facts, for everybody who asks within `KEPT_S`. One thread asks; others take what there is meanwhile."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._facts: Facts | None = None
        self._until = 0.0

    def get(self) -> Facts:
        if monotonic() >= self._until and self._asking.acquire(blocking=self._facts is None):
            try:
                if monotonic() >= self._until:
                    self._facts = gather()
                    self._until = monotonic() + KEPT_S
            finally:
                self._asking.release()
        assert self._facts is not None
        return self._facts

    def forget(self) -> None:
        self._until = 0.0


kept = _Kept()


@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    """Say in plain words how the parts of the site are doing. A script asks for the part that changes."""
    facts = kept.get()
    found = rows(facts)
    worst = max((row.state for row in found), key=(GOOD, SLOW, BAD).index)
    context = {"rows": found, "worst": worst, "headline": HEADLINES[worst], "at": datetime.fromtimestamp(facts.at, UTC)}
    is_part = "part" in request.GET
    return render(request, "site/status.html#now" if is_part else "site/status.html", context)


def rows(facts: Facts) -> list[Row]:
    """Return the lines of the page."""
    data, lines = facts.data, facts.lines or {}
    states = (
        (PAGES, GOOD if data else BAD),
        (GAMES, GOOD if data else BAD),
        (BOTS, _work(data, lines.get("bots"), "bot")),
        (SCORING, _work(data, lines.get("scoring"), "scorer")),
        (MAIL, _mail(data, lines.get("mail"))),
        (LIVE, GOOD if lines else SLOW),
    )
    return [Row(part.name, state, part.says[state]) for part, state in states]


def _work(data: Data | None, line: Line | None, waits_for: str) -> str:
    if data is None or line is None or line.state != "moving":
        return BAD
    return SLOW if data.waiting_s.get(waits_for, 0.0) > SLOW_AFTER_S else GOOD


def _mail(data: Data | None, line: Line | None) -> str:
    if data is None or line is None or line.state != "moving":
        return BAD
    return SLOW if data.mail_failing or data.mail_waiting_s > MAIL_SLOW_AFTER_S else GOOD
