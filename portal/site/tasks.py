"""The daily cleaning, in the queue `mail`: nobody waits for it, and it delays no game."""

from __future__ import annotations

from celery import shared_task

from portal.site import cleaning


@shared_task(soft_time_limit=600, time_limit=630)
def clean_up() -> dict[str, int]:
    """Remove what is of no use any longer."""
    return cleaning.clean_up()
