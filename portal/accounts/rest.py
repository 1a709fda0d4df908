"""When a person's clocks by correspondence rest: quiet hours every day, and vacations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import User, Vacation
from portal.accounts.refusals import BadQuietHours, BadVacation, TooMuchVacation
from portal.accounts.signals import rest_changed, rest_changing

LONGEST_QUIET: Final = timedelta(hours=12)
VACATION_DAYS: Final = 42  # that begin within a year
YEAR: Final = timedelta(days=365)
FURTHEST: Final = timedelta(days=365)  # ahead


@contextmanager
def changing(user: User) -> Iterator[None]:
    """Change what a person's clocks rest by, in one transaction: time until now counts as it did before."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        rest_changing.send(User, user=user)
        yield
        rest_changed.send(User, user=user)


def set_quiet_hours(user: User, begin: time | None, end: time | None) -> None:
    """Set the local times between which the clocks rest every day, or None twice for no such hours.

    Raises BadQuietHours for one time alone, and for more than twelve hours.
    """
    if (begin is None) != (end is None):
        raise BadQuietHours
    if begin is not None and end is not None:
        length = datetime.combine(date.min, end) - datetime.combine(date.min, begin)
        if not length or length % timedelta(days=1) > LONGEST_QUIET:
            raise BadQuietHours
    with changing(user):
        user.quiet_from, user.quiet_to = begin, end
        user.save(update_fields=["quiet_from", "quiet_to"])


def add_vacation(user: User, first: date, last: date) -> Vacation:
    """Let the clocks rest from one day to another, both included; from now on if the first day is today.

    Raises BadVacation for days in the past, the wrong way round, too far ahead or taken already, and TooMuchVacation above 42 days in a year.
    """
    zone = ZoneInfo(user.time_zone)
    now = timezone.now()
    today = now.astimezone(zone).date()
    if not today <= first <= last <= today + FURTHEST:
        raise BadVacation
    since = max(datetime.combine(first, time(), zone).astimezone(UTC), now)
    until = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    with changing(user):
        others = Vacation.objects.filter(user=user, until__gt=since - YEAR, since__lt=until + YEAR)
        if others.filter(since__lt=until, until__gt=since).exists():
            raise BadVacation
        taken = sum((other.until - other.since for other in others if abs(other.since - since) < YEAR), until - since)
        if taken > timedelta(days=VACATION_DAYS):
            raise TooMuchVacation(days=VACATION_DAYS)
        return Vacation.objects.create(user=user, since=since, until=until)


def end_vacation(user: User, pk: int) -> None:
    """End a vacation now, or cancel one that has not begun; one that is over, or somebody else's, is left alone."""
    now = timezone.now()
    with changing(user):
        mine = Vacation.objects.filter(pk=pk, user=user)
        mine.filter(since__gt=now).delete()
        mine.filter(since__lte=now, until__gt=now).update(until=now)


def vacations(user: User) -> list[Vacation]:
    """Return the vacations of a person that are not over, the next first."""
    return list(Vacation.objects.filter(user=user, until__gt=timezone.now()))
