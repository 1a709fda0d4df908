"""Seats people who look for a table. May run twice or late without harm."""

from __future__ import annotations

from celery import shared_task

from portal.matching import services


@shared_task
def pair() -> None:
    """Seat everybody for whom there are others."""
    services.pair_all()
