"""What the scoring worker does for matches, every five seconds. It may run twice or late, and rests during maintenance."""

from __future__ import annotations

from celery import shared_task

from portal.common import maintenance
from portal.matches import feeding


@shared_task(soft_time_limit=50, time_limit=60)
def feed() -> int:
    """Open games, write results and end matches; return how many games were opened."""
    return 0 if maintenance.is_on() else feeding.feed()
