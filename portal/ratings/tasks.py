"""Ratings in the scoring worker."""

from __future__ import annotations

from celery import shared_task

from portal.ratings import services


@shared_task(soft_time_limit=50, time_limit=60)
def apply_results() -> int:
    """Apply every finished game that is not yet in the ratings; running twice does no harm."""
    return services.apply_pending()
