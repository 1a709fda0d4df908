"""What the scoring worker does for clubs, every half minute and when something ends. All of it may run twice or late."""

from __future__ import annotations

from celery import shared_task

from portal.clubs import leagues, seasons


@shared_task(soft_time_limit=100, time_limit=120)
def freeze_due() -> int:
    """Freeze the seasons whose end has come."""
    return seasons.freeze_due()


@shared_task(soft_time_limit=100, time_limit=120)
def tend_leagues() -> int:
    """Do what is due in the leagues: open games of bots alone, void what was not played in time, end what is over."""
    return leagues.tend_all()
