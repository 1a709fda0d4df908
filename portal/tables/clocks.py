"""The clocks of a table, kept by the server: what a seat has left, from when, and when somebody must look again.

A clock runs while its seat has to decide and a person sits there: not while a bot thinks, points are counted or somebody else decides. Where
several decide at once, all of their clocks run. Time is taken off in the transaction that changes the table, so between two changes there is
nothing to write. `Table.clocks` is {"at": seconds since 1970 up to which time was taken off, "left": [milliseconds for each seat],
"warned": [seats], "until": {seat: seconds since 1970 when its running clock will have nothing left}}; `Table.alarm_at` is the next moment at
which a clock asks for a warning or has run out.

A move that arrives after the clock has run out, but before the table has noticed, counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from portal.accounts.models import User, Vacation
from portal.tables.loading import Loaded
from portal.tables.models import Seat, Standstill, Table
from portal.tables.pace import Kind, Pace, pace_of
from portal.tables.rest import Rest, Span, counted, runs_out

DAY_MS: Final = 86_400_000
WARN_LIVE_MS: Final = 60_000
WARN_SHARE: Final = 0.25  # of a move by correspondence: when a quarter of its time is left
BACK_MS: Final = 60_000  # the least that somebody has who comes back to a live table


def begin(loaded: Loaded, now: datetime) -> None:
    """Put the starting time on all clocks, when a game starts."""
    pace = pace_of(loaded.table.pace)
    if pace.has_clock:
        loaded.table.clocks = {"at": now.timestamp(), "left": [pace.bank_s * 1000 for _ in loaded.seats], "warned": [], "until": {}}


def save(loaded: Loaded) -> None:
    """Stop all clocks, and keep what is left on them until `resume`. The caller has called `charge`."""
    table = loaded.table
    table.saved = {"pace": table.pace, "left": table.clocks["left"]}
    table.pace, table.clocks, table.alarm_at = {}, {}, None


def resume(loaded: Loaded, now: datetime) -> None:
    """Let the clocks run again from where they stood. The caller calls `settle`."""
    table = loaded.table
    table.pace = table.saved["pace"]
    table.clocks = {"at": now.timestamp(), "left": table.saved["left"], "warned": [], "until": {}}
    table.saved = {}


def charge(loaded: Loaded, now: datetime) -> None:
    """Take the time since the last change off the clocks that ran, before anything else changes.

    No statement at a table without clocks, else one or two.
    """
    table = loaded.table
    if not table.clocks:
        return
    since = datetime.fromtimestamp(table.clocks["at"], UTC)
    left = list(table.clocks["left"])
    rests = _rests(loaded, since)
    for seat in _running(loaded):
        left[seat] -= round(counted(since, now, rests[seat]) / timedelta(milliseconds=1))
    table.clocks = table.clocks | {"at": now.timestamp(), "left": left}


def settle(loaded: Loaded, ran: Sequence[int], *, is_undo: bool = False) -> None:
    """After a change: give their time to those who have to decide now and did not before (`ran`), and set the alarm.

    By an undo nobody gains time: whoever no longer has to decide gives back what they got for it, and nothing is added for the others.
    """
    table = loaded.table
    if not table.clocks:
        return
    pace = pace_of(table.pace)
    left, warned = list(table.clocks["left"]), set(table.clocks["warned"])
    runs = _running(loaded)
    for seat in set(runs) - set(ran):
        left[seat] = _with_turn(pace, left[seat], is_undo=is_undo)
        warned.discard(seat)
    for seat in set(ran) - set(runs):
        if is_undo and pace.kind == Kind.LIVE:
            left[seat] = max(left[seat] - pace.add_s * 1000, 0)
    table.clocks = table.clocks | {"left": left, "warned": sorted(warned)}
    set_alarm(loaded)


def _with_turn(pace: Pace, left: int, *, is_undo: bool) -> int:
    """Return what is on a clock that starts to run."""
    if pace.kind == Kind.DAYS:
        return pace.days * DAY_MS if not is_undo else max(left, 0)
    return max(left, 0) + (0 if is_undo else pace.add_s * 1000)


def set_alarm(loaded: Loaded) -> None:
    """Work out when a clock asks for something next: None while no clock runs."""
    table = loaded.table
    pace = pace_of(table.pace)
    if not table.clocks or table.status != Table.Status.PLAYING:
        table.alarm_at = None
        return
    since = datetime.fromtimestamp(table.clocks["at"], UTC)
    rests = _rests(loaded, since)
    until, moments = {}, []
    for seat in _running(loaded):
        left = max(table.clocks["left"][seat], 0)
        ends = runs_out(since, timedelta(milliseconds=left), rests[seat])
        until[str(seat)] = ends.timestamp()
        if seat not in table.clocks["warned"] and left > warn_ms(pace):
            ends = runs_out(since, timedelta(milliseconds=left - warn_ms(pace)), rests[seat])
        moments.append(ends)
    table.clocks = table.clocks | {"until": until}
    table.alarm_at = min(moments, default=None)


def warn_ms(pace: Pace) -> int:
    """Return how much time is left when somebody is warned."""
    return WARN_LIVE_MS if pace.kind == Kind.LIVE else round(pace.days * DAY_MS * WARN_SHARE)


def out_of_time(loaded: Loaded) -> list[int]:
    """Return the seats whose clock runs and has nothing left, after `charge`."""
    if not loaded.table.clocks:
        return []
    return [seat for seat in _running(loaded) if loaded.table.clocks["left"][seat] <= 0]


def to_warn(loaded: Loaded) -> list[int]:
    """Return the seats that have little time left and have not been told, and note that they have, after `charge`."""
    table = loaded.table
    if not table.clocks:
        return []
    limit, warned = warn_ms(pace_of(table.pace)), set(table.clocks["warned"])
    found = [seat for seat in _running(loaded) if 0 < table.clocks["left"][seat] <= limit and seat not in warned]
    table.clocks = table.clocks | {"warned": sorted(warned | set(found))}
    return found


def welcome_back(loaded: Loaded, seat: int) -> None:
    """Give somebody who comes back enough time for a move; a clock that starts to run gets its turn's time besides."""
    table = loaded.table
    if not table.clocks:
        return
    left = list(table.clocks["left"])
    left[seat] = max(left[seat], BACK_MS)
    table.clocks = table.clocks | {"left": left}


def grant(loaded: Loaded, seat: int) -> None:
    """Give a seat more time by the others' leave: half of what a live clock starts with, at least a minute; the days of a move by correspondence."""
    table = loaded.table
    pace = pace_of(table.pace)
    more = pace.days * DAY_MS if pace.kind == Kind.DAYS else max(pace.bank_s * 500, BACK_MS)
    left = list(table.clocks["left"])
    left[seat] = max(left[seat], 0) + more
    table.clocks = table.clocks | {"left": left, "warned": [other for other in table.clocks["warned"] if other != seat]}


def run_out_at(loaded: Loaded, seat: int) -> datetime | None:
    """Return when the running clock of a seat will have nothing left; None if it doesn't run."""
    at = loaded.table.clocks.get("until", {}).get(str(seat)) if loaded.table.status == Table.Status.PLAYING else None
    return None if at is None else datetime.fromtimestamp(at, UTC)


def left_ms(loaded: Loaded, seat: Seat) -> int | None:
    """Return what was on a seat's clock when time was last taken off; None without a clock, and for a bot."""
    clocks = loaded.table.clocks
    return max(clocks["left"][seat.index], 0) if clocks and seat.user_id is not None else None


def runs(loaded: Loaded) -> list[int]:
    """Return the seats whose clock runs; none at a table without clocks."""
    return _running(loaded) if loaded.table.clocks else []


def _running(loaded: Loaded) -> list[int]:
    """Return the seats in which a person has to decide."""
    table = loaded.table
    if table.status != Table.Status.PLAYING:
        return []
    return [seat for seat in table.due if seat >= 0 and loaded.seats[seat].user_id is not None]


def _rests(loaded: Loaded, since: datetime) -> dict[int, Rest]:
    """Return when the clocks of all people at the table stand still, from a moment on; read once for a loaded table."""
    people = {seat.index: seat.user for seat in loaded.seats if seat.user is not None}
    if loaded.rests is None or loaded.rests.keys() != people.keys():
        pace = pace_of(loaded.table.pace)
        still = _standstills(since)
        if pace.kind == Kind.DAYS:
            away = _vacations([user.pk for user in people.values()], since)
            loaded.rests = {seat: rest_of(user, [*still, *away.get(user.pk, ())], weekends=pace.weekends) for seat, user in people.items()}
        else:
            loaded.rests = {seat: Rest(ZoneInfo("UTC"), spans=still) for seat in people}
    return loaded.rests


def rest_of(user: User, spans: Sequence[Span], *, weekends: bool) -> Rest:
    """Return when the clock of a person rests by correspondence, besides some spans."""
    quiet = (user.quiet_from, user.quiet_to) if user.quiet_from is not None and user.quiet_to is not None else None
    return Rest(ZoneInfo(user.time_zone), quiet, weekends, spans)


def _standstills(since: datetime) -> list[Span]:
    now = datetime.now(UTC)
    found = Standstill.objects.filter(Q(until=None) | Q(until__gt=since)).values_list("since", "until")
    return [(begin, end or now + timedelta(days=366)) for begin, end in found]


def _vacations(people: Iterable[int], since: datetime) -> dict[int, list[Span]]:
    found: dict[int, list[Span]] = {}
    for person, begin, end in Vacation.objects.filter(user__in=people, until__gt=since).values_list("user", "since", "until"):
        found.setdefault(person, []).append((begin, end))
    return found
