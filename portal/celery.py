"""The Celery application: queues `scoring`, `bots` and `mail` (settings say which task goes where)."""

import logging
import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
app = Celery("ziggurat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
log = logging.getLogger(__name__)


@worker_init.connect
def take_back(**_: Any) -> None:
    """Put whatever this worker was doing when it was killed back into the queues. Tasks may run twice and do no harm."""
    from django.conf import settings

    if not settings.WORKER_NAME:
        return  # other workers may hold what is under the shared key; the visibility timeout recovers it
    try:
        with app.connection_for_write() as connection:
            channel = connection.default_channel
            for tag in channel.client.hkeys(channel.unacked_key):
                channel.qos.restore_by_tag(tag)
    except Exception as error:  # the broker is down: the tables' reconciler does the rest
        log.warning("nothing taken back: %s", error)
