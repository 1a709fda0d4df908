"""Works out by which channels each new notice goes out, and when: one row for each, which is sent later."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.accounts.models import User
from portal.notices.models import Channel, Delivery, Device, Hook, Kind, Notice, Reach
from portal.notices.reach import TURN_WAITS, address_of, after_quiet, channels_of, due_at, is_digest

BATCH: Final = 200
_FIRST: Final = min(TURN_WAITS.values())


def plan() -> int:
    """Write the deliveries of new notices; return how many notices there were. Running twice at once does no harm."""
    planned = 0
    while found := _plan_some(timezone.now()):
        planned += found
    return planned


@transaction.atomic
def _plan_some(now: datetime) -> int:
    """Plan a batch. Turns wait a little: most are taken or seen at once, and are never planned."""
    fresh = Notice.objects.filter(planned_at=None, withdrawn_at=None, read_at=None)
    due = fresh.filter(~Q(kind=Kind.TURN) | Q(made_at__lte=now - _FIRST)).order_by("made_at")
    notices = list(due.select_for_update(skip_locked=True)[:BATCH])
    if not notices:
        return 0
    people = User.objects.in_bulk({notice.user_id for notice in notices})
    reaches = Reach.objects.in_bulk(people)
    hooks = set(Hook.objects.filter(user__in=people, off_at=None).values_list("user", flat=True))
    devices = set(Device.objects.filter(user__in=people, off_at=None).values_list("user", flat=True))
    addresses = {pk: address_of(user) for pk, user in people.items()}
    rows = []
    for notice in notices:
        user, reach, kind = people[notice.user_id], reaches.get(notice.user_id), Kind(notice.kind)
        for channel in sorted(channels_of(reach, kind)):
            is_there = {
                Channel.MAIL: bool(addresses[user.pk]) and not (reach is not None and reach.mail_off_at),
                Channel.PUSH: user.pk in devices,
                Channel.HOOK: user.pk in hooks,
            }
            if is_there[channel]:
                rows.append(delivery_of(notice, user, reach, channel))
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(planned_at=now)
    return len(notices)


def delivery_of(notice: Notice, user: User, reach: Reach | None, channel: Channel) -> Delivery:
    """Return the unsaved delivery of a notice by a channel."""
    kind = Kind(notice.kind)
    at = due_at(reach, user, kind, channel, notice.made_at, str(notice.facts.get("pace", "")))
    free = after_quiet(reach, user, kind, at)
    return Delivery(
        notice=notice,
        user=user,
        channel=channel,
        version=notice.version,
        is_digest=is_digest(reach, kind, channel),
        is_held=free > at,
        due_at=free,
    )
