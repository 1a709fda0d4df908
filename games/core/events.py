"""Which parts of an event a reader may see."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.contract import Event


def event_for(event: Event, seat: int | None) -> Event:
    """Return the event cut to what `seat` may read (None is a spectator): other seats' secrets are gone.

    >>> drawn = Event("drew", {"seat": 0}, secret={0: {"tile": "gold"}, 1: {"tile": "?"}})
    >>> event_for(drawn, 0).secret, event_for(drawn, None).secret
    ({0: {'tile': 'gold'}}, {})
    """
    if not event.secret:
        return event
    own = {} if seat is None or seat not in event.secret else {seat: event.secret[seat]}
    return Event(event.key, event.params, event.rule, own, event.reveals)


def events_for(events: Iterable[Event], seat: int | None) -> list[Event]:
    """Return all events, each cut to what `seat` may read."""
    return [event_for(event, seat) for event in events]
