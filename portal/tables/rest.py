"""When a clock by correspondence stands still, and what time counts: quiet hours, weekends, vacations, standstills of the site.

Everything is counted in moments, so it is right on the days when the clocks are put forward or back. No Django in here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]  # from a moment until another one, both aware

SATURDAY: Final = 5
LONGEST: Final = timedelta(days=400)  # no clock is followed further: by then somebody has come back, or the rest has changed


@dataclass(frozen=True, slots=True)
class Rest:
    """When the clock of one person stands still."""

    zone: ZoneInfo
    quiet: tuple[time, time] | None = None  # every day from one local time to another, over midnight if the second is the earlier one
    weekends: bool = False  # Saturday and Sunday, where the person lives
    spans: Sequence[Span] = ()  # vacations, and when the site stood still

    @property
    def is_none(self) -> bool:
        return self.quiet is None and not self.weekends and not self.spans


def counted(begin: datetime, end: datetime, rest: Rest) -> timedelta:
    """Return how much of the time between two moments counts; never less than nothing.

    >>> night = Rest(ZoneInfo("Europe/Budapest"), (time(22), time(7)))
    >>> noon = datetime(2026, 3, 28, 12, tzinfo=UTC)  # in the night after it, the clocks are put forward
    >>> str(counted(noon, noon + timedelta(days=1), night))
    '16:00:00'
    """
    if end <= begin:
        return timedelta()
    total = end - begin
    for start, stop in _resting(begin, end, rest):
        total -= stop - start
    return total


def runs_out(begin: datetime, left: timedelta, rest: Rest) -> datetime:
    """Return the moment at which so much time has counted since `begin`; at most LONGEST after it."""
    if rest.is_none or left <= timedelta():
        return begin + max(left, timedelta())
    at = begin
    for start, stop in _resting(begin, begin + LONGEST, rest):
        if at + left <= start:
            return at + left
        left -= max(start - at, timedelta())
        at = max(at, stop)
    return min(at + left, begin + LONGEST)


def _resting(begin: datetime, end: datetime, rest: Rest) -> Iterator[Span]:
    """Yield when the clock stands still between two moments: in order, not touching each other."""
    if rest.is_none:
        return
    held: Span | None = None
    for start, stop in _merged(begin, end, rest):
        start, stop = max(start, begin), min(stop, end)
        if start >= stop:
            continue
        if held is not None and start <= held[1]:
            held = held[0], max(held[1], stop)
            continue
        if held is not None:
            yield held
        held = start, stop
    if held is not None:
        yield held


def _merged(begin: datetime, end: datetime, rest: Rest) -> Iterator[Span]:
    """Yield all spans that may lie between two moments, by their beginning."""
    given = sorted(span for span in rest.spans if span[1] > begin and span[0] < end)
    at = 0
    if rest.quiet is not None or rest.weekends:
        for span in _daily(begin, end, rest):
            while at < len(given) and given[at][0] <= span[0]:
                yield given[at]
                at += 1
            yield span
    yield from given[at:]


def _daily(begin: datetime, end: datetime, rest: Rest) -> Iterator[Span]:
    """Yield the quiet hours and days of each local day, by their beginning, from the day before `begin`."""
    day = begin.astimezone(rest.zone).date() - timedelta(days=1)
    last = end.astimezone(rest.zone).date()
    while day <= last:
        spans = []
        if rest.weekends and day.weekday() >= SATURDAY:
            spans.append((_moment(day, time(), rest.zone), _moment(day + timedelta(days=1), time(), rest.zone)))
        if rest.quiet is not None:
            start, stop = rest.quiet
            spans.append((_moment(day, start, rest.zone), _moment(day + timedelta(days=stop <= start), stop, rest.zone)))
        yield from sorted(spans)
        day += timedelta(days=1)


def _moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return a local time as a moment. One that comes twice is the first, one that is left out is as long after the gap began."""
    return datetime.combine(day, at, zone).astimezone(UTC)
