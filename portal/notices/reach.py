"""Where and when notices reach a person: what they have chosen, or the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from allauth.account.models import EmailAddress

from portal.accounts.models import User
from portal.notices.models import Channel, Kind, Reach

DEFAULTS: Final[Mapping[Kind, frozenset[Channel]]] = {
    Kind.TURN: frozenset(Channel),
    Kind.TIME: frozenset(Channel),
    Kind.INVITATION: frozenset(Channel),
}
DIGEST_AT: Final = time(18)  # in the person's time zone
# How long a turn may be taken, or seen on the page, before it is sent: in a game at one sitting it always is.
TURN_WAITS: Final[Mapping[Channel, timedelta]] = {
    Channel.MAIL: timedelta(minutes=10),
    Channel.PUSH: timedelta(seconds=20),
    Channel.HOOK: timedelta(seconds=20),
}
# For mail at a pace, by what the fact `pace` of the notice says. At a live table whoever doesn't move for so long is away, and still has some time;
# by correspondence several turns in a row become one mail.
MAIL_WAITS: Final[Mapping[str, timedelta]] = {"live": timedelta(minutes=3), "days": timedelta(minutes=5)}


def channels_of(reach: Reach | None, kind: Kind) -> frozenset[Channel]:
    """Return the channels that a person has chosen for a kind."""
    chosen = reach.choices.get(kind) if reach is not None else None
    return DEFAULTS.get(kind, frozenset()) if chosen is None else frozenset(Channel(name) for name in chosen if name in Channel.values)


def is_digest(reach: Reach | None, kind: Kind, channel: Channel) -> bool:
    """Return whether mail about a kind comes once a day."""
    return reach is not None and channel == Channel.MAIL and kind in reach.digests


def due_at(reach: Reach | None, user: User, kind: Kind, channel: Channel, made_at: datetime, pace: str = "") -> datetime:
    """Return when a notice goes out by a channel, before quiet hours are looked at. `pace` is that of the table whose turn it is."""
    if is_digest(reach, kind, channel):
        return _next(DIGEST_AT, made_at, zone_of(user))
    if kind != Kind.TURN:
        return made_at
    return made_at + (MAIL_WAITS.get(pace, TURN_WAITS[channel]) if channel == Channel.MAIL else TURN_WAITS[channel])


def after_quiet(reach: Reach | None, user: User, kind: Kind, at: datetime) -> datetime:
    """Return `at`, or the end of the quiet hours that it falls into."""
    begin, end = user.quiet_from, user.quiet_to
    if begin is None or end is None or kind == Kind.TEST:
        return at
    if kind == Kind.TIME and (reach is None or reach.time_breaks_through):
        return at
    zone = zone_of(user)
    local = at.astimezone(zone).time()
    is_quiet = begin <= local < end if begin <= end else local >= begin or local < end
    return _next(end, at, zone) if is_quiet else at


def zone_of(user: User) -> ZoneInfo:
    """Return a person's time zone; UTC if the system no longer knows it."""
    try:
        return ZoneInfo(user.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def address_of(user: User) -> str:
    """Return the address that mail to a person goes to; empty if they have confirmed none: it could be anybody's."""
    if user.is_guest or not user.is_active:
        return ""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return confirmed.values_list("email", flat=True).first() or ""


def _next(at: time, after: datetime, zone: ZoneInfo) -> datetime:
    """Return the next moment at which the clocks of a zone show `at`. What a change of the clocks leaves out comes as much later."""
    day = after.astimezone(zone).date()
    for ahead in (0, 1, 2):
        moment = datetime.combine(day + timedelta(days=ahead), at, zone).astimezone(UTC)
        if moment > after:
            return moment
    raise AssertionError("a day has at most 25 hours")
