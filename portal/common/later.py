"""Tasks enqueued by their registered names, so that the code that asks for work need not import the code that does it.

A broker that is down is not an error and delays nobody: a periodic task finds whatever was to be enqueued here.
"""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction

from portal.metrics.definitions import NOT_ENQUEUED

log = logging.getLogger(__name__)
FIRST, LATER = 0, 6  # priorities within a queue: the broker gives out the lowest number first


def later(task: str, *args: object) -> None:
    """Enqueue a task after the commit of the running transaction."""
    transaction.on_commit(lambda: enqueue(task, *args), robust=True)


def enqueue(task: str, *args: object, priority: int = FIRST, expires_s: float | None = None) -> None:
    """Enqueue a task at once, with a single attempt; it is dropped if no worker has taken it after `expires_s` seconds."""
    try:
        current_app.send_task(task, args, retry=False, priority=priority, expires=expires_s)
    except Exception as error:  # the broker can fail in many ways
        NOT_ENQUEUED.inc()
        log.warning("not enqueued: %s%r: %s", task, args, error)
