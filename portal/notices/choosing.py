"""What a person chooses in the settings of notices, and the tests they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Final

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.refusals import BadQuietHours
from portal.accounts.rest import set_quiet_hours
from portal.common.limits import count_use
from portal.notices import refusals
from portal.notices.models import CHOSEN, Channel, Kind, Notice, Reach
from portal.notices.planning import delivery_of
from portal.notices.reach import channels_of

TESTS_PER_HOUR: Final = 6


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of notice in the matrix: (channel, chosen) in the order of the columns."""

    kind: Kind
    boxes: list[tuple[Channel, bool]]
    is_digest: bool


def rows_of(reach: Reach | None) -> list[Row]:
    """Return the matrix of a person."""
    found = []
    for kind in CHOSEN:
        chosen = channels_of(reach, kind)
        found.append(Row(kind, [(channel, channel in chosen) for channel in Channel], reach is not None and kind in reach.digests))
    return found


@transaction.atomic
def choose(user: User, sent: Mapping[str, str]) -> Reach:
    """Store a whole form: boxes named `turn.mail`, times, and whether lack of time breaks through.

    The quiet hours are also those of the person's clocks (`accounts.rest`). Raises BadQuietHours, changing nothing.
    """
    begin, end = _time(sent.get("quiet_from", "")), _time(sent.get("quiet_to", ""))
    if (begin, end) != (user.quiet_from, user.quiet_to):
        set_quiet_hours(user, begin, end)
    Reach.objects.get_or_create(user=user)
    reach = Reach.objects.select_for_update().get(user=user)
    reach.choices = {kind: [channel for channel in Channel if f"{kind}.{channel}" in sent] for kind in CHOSEN}
    reach.digests = [kind for kind in CHOSEN if sent.get(f"{kind}.when") == "digest"]
    reach.time_breaks_through = "time_breaks_through" in sent
    reach.save()
    return reach


@transaction.atomic
def ask_for_test(user: User, channel: Channel) -> None:
    """Send a test by a channel, on the road that all notices take. Raises TooManyTests."""
    count_use("notice-test", str(user.pk), limit=TESTS_PER_HOUR, window_s=3600, refusal=refusals.TooManyTests)
    now = timezone.now()
    notice = Notice.objects.create(user=user, kind=Kind.TEST, key="test", path="/notices/", made_at=now, read_at=now, planned_at=now)
    delivery_of(notice, user, None, channel).save()


def mail_again(user: User) -> None:
    """Send mail again to somebody whose address was refused."""
    Reach.objects.filter(user=user).update(mail_off_at=None, mail_error="")


def _time(raw: str) -> time | None:
    """Return a time of day as a form gives it. Raises BadQuietHours if it is none."""
    if not raw.strip():
        return None
    try:
        found = time.fromisoformat(raw.strip())
    except ValueError:
        raise BadQuietHours from None
    return found.replace(second=0, microsecond=0, tzinfo=None)
