"""Clocks in words. The page's script counts them down; without it they say until when somebody has time."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from portal.common.templatetags.site import near
from portal.tables.pace import Kind, Pace
from portal.tables.selectors import SeatInfo, TablePage


def shown_clock(seat: SeatInfo, pace: Pace) -> dict[str, Any] | None:
    """Return a seat's clock as the templates read it; None where there is nothing to say, as for a move by correspondence that isn't due."""
    if seat.clock_ms is None or (seat.runs_out_at is None and pace.kind != Kind.LIVE):
        return None
    until = seat.runs_out_at
    if until is None:
        return {"text": counted_down(seat.clock_ms // 1000), "until": None, "is_live": True}
    return {"text": gettext("until %(time)s") % {"time": near(until)}, "until": until, "is_live": pace.kind == Kind.LIVE}


def turn_clock(page: TablePage) -> dict[str, Any] | None:
    """Return the clock that the turn bar shows: the reader's own if it runs, else the first that does."""
    running = [seat for seat in page.seats if seat.runs_out_at is not None]
    seat = next((seat for seat in running if seat.is_me), running[0] if running else None)
    return shown_clock(seat, page.pace) if seat is not None else None


def counted_down(seconds: int) -> str:
    """Return what a live clock shows, as its script does.

    >>> counted_down(605), counted_down(9), counted_down(5400)
    ('10:05', '0:09', '1:30:00')
    """
    hours, rest = divmod(max(seconds, 0), 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
