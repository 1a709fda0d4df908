"""Seats people who look for a table. May run twice or late without harm."""

from __future__ import annotations

from celery import shared_task

from portal.common import maintenance
from portal.matching import services


@shared_task
def pair() -> None:
    """Seat everybody for whom there are others, but nobody while the site is worked on."""
    if not maintenance.is_on():
        services.pair_all()
