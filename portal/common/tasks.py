"""Care for the queues themselves."""

from __future__ import annotations

from celery import shared_task

from portal.common import lost


@shared_task(soft_time_limit=20, time_limit=30)
def take_over() -> int:
    """Requeue what workers of lost machines held; repeating it does no harm."""
    return lost.take_over()
