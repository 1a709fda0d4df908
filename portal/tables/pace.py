"""How fast a table is played: without a clock, live with a clock for each player, or by correspondence with days for each move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db import models
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from games.core.contract import Meta
from portal.tables import refusals


class Kind(models.TextChoices):
    RELAXED = "relaxed", pgettext_lazy("pace", "Relaxed")
    LIVE = "live", pgettext_lazy("pace", "Live")
    DAYS = "days", gettext_lazy("By correspondence")


class Out(models.TextChoices):
    """What becomes of the seat of somebody whose time has run out."""

    BOT = "bot", gettext_lazy("A bot plays until they come back")
    LOST = "lost", gettext_lazy("A bot takes the seat for good")


DAYS: Final = (1, 2, 3, 5, 7, 14)  # for a move by correspondence
USUAL_DAYS: Final = 3
MINUTES: Final = (3, 5, 10, 15, 20, 30, 45, 60, 90)  # on a live clock
LONGEST_ADD_S: Final = 300
MINUTES_IF_UNKNOWN: Final = (60, 60)
SHARES: Final = (0.5, 1.0, 2.0)  # of the time that a player has in a usual game: the presets
ADD_PER_MINUTE_S: Final = 1.5  # that a preset adds each turn, for each minute on its clock


@dataclass(frozen=True, slots=True)
class Pace:
    """A table's pace, as it is kept with it: `bank_s` at the start and `add_s` each time it is one's move, or `days` for a move."""

    kind: str = Kind.RELAXED
    bank_s: int = 0
    add_s: int = 0
    days: int = 0
    weekends: bool = False  # the clocks rest on Saturdays and Sundays
    out: str = Out.BOT

    @property
    def has_clock(self) -> bool:
        return self.kind != Kind.RELAXED

    def to_json(self) -> dict[str, Any]:
        """Return what is kept: only what says something, so nothing for a relaxed table.

        >>> Pace("days", days=3).to_json()
        {'kind': 'days', 'days': 3, 'out': 'bot'}
        """
        return (
            {key: str(value) if key in ("kind", "out") else value for key, value in asdict(self).items() if value} if self.has_clock else {}
        )


RELAXED: Final = Pace()


def pace_of(kept: Mapping[str, Any]) -> Pace:
    """Return the pace that a table keeps."""
    return Pace(**kept) if kept else RELAXED


def checked(pace: Pace) -> Pace:
    """Return a pace without what its kind has no use for. Raises BadPace if a table can't be played like this."""
    if pace.out not in Out.values:
        raise refusals.BadPace
    if pace.kind == Kind.RELAXED:
        return RELAXED
    if pace.kind == Kind.LIVE:
        if not MINUTES[0] * 60 <= pace.bank_s <= MINUTES[-1] * 60 or not 0 <= pace.add_s <= LONGEST_ADD_S:
            raise refusals.BadPace
        return Pace(Kind.LIVE, bank_s=pace.bank_s, add_s=pace.add_s, out=pace.out)
    if pace.kind == Kind.DAYS and pace.days in DAYS:
        return Pace(Kind.DAYS, days=pace.days, weekends=bool(pace.weekends), out=pace.out)
    raise refusals.BadPace


def presets(meta: Meta) -> list[tuple[int, int]]:
    """Return the live clocks that suit a game, the quickest first: seconds on the clock, and seconds added each turn.

    They follow from how long the game usually takes and how many play it.

    >>> from games.registry import game
    >>> presets(game("ra").meta)
    [(300, 10), (900, 20), (1200, 30)]
    """
    shortest, longest = meta.minutes or MINUTES_IF_UNKNOWN
    each = (shortest + longest) / (meta.seats[0] + meta.seats[-1])
    found: list[tuple[int, int]] = []
    for share in SHARES:
        minutes = min(MINUTES, key=lambda choice: abs(choice - each * share))
        if any(bank == minutes * 60 for bank, _ in found):
            minutes = min((choice for choice in MINUTES if choice * 60 > found[-1][0]), default=MINUTES[-1])
        found.append((minutes * 60, max(5, round(minutes * ADD_PER_MINUTE_S / 5) * 5)))
    return found


def said(pace: Pace) -> str:
    """Return a pace in words."""
    if pace.kind == Kind.LIVE:
        return live_said(pace.bank_s, pace.add_s)
    if pace.kind == Kind.DAYS:
        text = days_said(pace.days)
        return gettext("%(pace)s, not on weekends") % {"pace": text} if pace.weekends else text
    return ""


def live_said(bank_s: int, add_s: int) -> str:
    return gettext("%(minutes)s min + %(seconds)s s a turn") % {"minutes": bank_s // 60, "seconds": add_s}


def days_said(days: int) -> str:
    return ngettext("%(n)s day a move", "%(n)s days a move", days) % {"n": days}
