"""What the scoring worker does for clubs, every half minute and when something ends. Everything may run twice or late, and
rests during maintenance."""

from __future__ import annotations

from celery import shared_task

from portal.common import maintenance
from portal.contests import leagues, seasons


@shared_task(name="portal.clubs.tasks.freeze_due", soft_time_limit=100, time_limit=120)
def freeze_due() -> int:
    """Freeze the seasons whose end has come."""
    return 0 if maintenance.is_on() else seasons.freeze_due()


@shared_task(name="portal.clubs.tasks.tend_leagues", soft_time_limit=100, time_limit=120)
def tend_leagues() -> int:
    """Do what is due in the leagues: open games of only bots, void pairings not started in time, end leagues that are over."""
    return 0 if maintenance.is_on() else leagues.tend_all()
