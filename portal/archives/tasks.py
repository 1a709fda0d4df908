"""The nightly look at the archives, and one soon after a name has gone, in the queue `mail`: they only start a process."""

from __future__ import annotations

from celery import shared_task

from portal.archives import renewing
from portal.common import maintenance


@shared_task(soft_time_limit=20, time_limit=30)
def renew() -> None:
    """Write the archives of the months that are over, and those whose games or names have changed since; running it twice does no harm."""
    if not maintenance.is_on():
        renewing.start()


@shared_task(soft_time_limit=20, time_limit=30)
def renew_names() -> None:
    """Write the archives again with names that have gone since the last time, however many; during maintenance they wait."""
    if not maintenance.is_on():
        renewing.start_for_names()
