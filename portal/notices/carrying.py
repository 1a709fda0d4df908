"""How a delivery leaves the site, by whatever channel but mail: claimed, compared with its notice, carried with no transaction open, and marked.

A worker that is killed meanwhile leaves the delivery claimed; it is due again when the claim expires, with the same `uid`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.db.models import F
from django.utils import timezone

from portal.notices.models import Channel, Delivery, Kind, Notice, Reach
from portal.notices.posting import Failed
from portal.notices.reach import after_quiet

SWEEP_S: Final = 20.0  # for all that one run of the task carries by a channel
IN_HAND: Final = timedelta(minutes=2)  # longer than a run of the task may take
RETRIES_S: Final = (60, 300, 1500, 7200)
MOST: Final = 500


class Nowhere(Exception):
    """The channel is switched off, or was never on."""


Carry = Callable[[Delivery], None]  # raises Failed, Nowhere


def send_due(channel: Channel, carry: Carry) -> int:
    """Carry what is due, what never failed first; return how many were taken. A receiver that fails has to wait for the next run."""
    end = time.monotonic() + SWEEP_S
    due = Delivery.objects.filter(channel=channel, status=Delivery.Status.WAITING, due_at__lte=timezone.now())
    sent = 0
    failed: set[int] = set()
    for pk, person in list(due.order_by("attempts", "due_at").values_list("pk", "user")[:MOST]):
        if time.monotonic() >= end:
            break
        if person in failed:
            continue
        outcome = _deliver(pk, carry)
        sent += outcome is True
        if outcome is False:
            failed.add(person)
    return sent


def _deliver(pk: int, carry: Carry) -> bool | None:
    """Claim and carry one delivery; None if it was not to be sent."""
    now = timezone.now()
    waiting = Delivery.objects.filter(pk=pk, status=Delivery.Status.WAITING, due_at__lte=now)
    if not waiting.update(due_at=now + IN_HAND, attempts=F("attempts") + 1):
        return None
    row = Delivery.objects.select_related("notice", "user").get(pk=pk)
    if not row.is_live:
        end(row, Delivery.Status.DROPPED, row.why_stale)
        return None
    free = after_quiet(Reach.objects.filter(user=row.user_id).first(), row.user, Kind(row.notice.kind), now)
    if free > now:
        Delivery.objects.filter(pk=pk).update(due_at=free, is_held=True, attempts=F("attempts") - 1)
        return None
    # From here on another turn at the table is another notice.
    Notice.objects.filter(pk=row.notice_id).update(is_unsent=False)
    try:
        carry(row)
    except Nowhere:
        end(row, Delivery.Status.DROPPED, "off")
        return None
    except Failed as failure:
        _try_again(row, str(failure)[:300])
        return False
    end(row, Delivery.Status.SENT, "")
    return True


def end(row: Delivery, status: Delivery.Status, why: str) -> None:
    """Write down what has become of a delivery."""
    Delivery.objects.filter(pk=row.pk).update(status=status, why=why, done_at=timezone.now())


def _try_again(row: Delivery, why: str) -> None:
    if row.attempts <= len(RETRIES_S):
        wait = timedelta(seconds=RETRIES_S[row.attempts - 1])
        Delivery.objects.filter(pk=row.pk).update(due_at=timezone.now() + wait, why=why)
    else:
        end(row, Delivery.Status.FAILED, why)
