"""The task that sends what is due, every quarter of a minute and when something was told. It may run twice, late, or be killed at any point."""

from __future__ import annotations

from celery import shared_task

from portal.notices import carrying, hooks, mailing, planning, push
from portal.notices.models import Channel


@shared_task(soft_time_limit=60, time_limit=90)
def send_due() -> int:
    """Plan and send; return how many messages left. What another worker has in hand is left to it."""
    planning.plan()
    sent = mailing.send_due()
    return sent + carrying.send_due(Channel.PUSH, push.carry) + carrying.send_due(Channel.HOOK, hooks.carry)
