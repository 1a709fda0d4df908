"""The Celery application: queues `scoring`, `bots` and `mail` (settings say which task goes where)."""

import logging
import os
import signal
import socket
import threading
from typing import Any

from celery import Celery
from celery.signals import task_received, worker_init, worker_ready
from celery.worker import state as work

from portal.supervisor.pulse import Heart

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
app = Celery("ziggurat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
log = logging.getLogger(__name__)
END_WITHIN_S = 2.0


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


@worker_ready.connect
def watch(**_: Any) -> None:
    """Tell the pulse of this worker, and end it if it stops taking work."""
    from django.conf import settings

    queues = list(app.amqp.queues.consume_from)
    heart = Heart(
        settings.WORKER_NAME or f"{queues[0]}@{socket.gethostname()}:{os.getpid()}",
        queues,
        broker_url=settings.BROKER_REDIS_URL,
        live_url=settings.LIVE_REDIS_URL,
        is_busy=lambda: bool(work.reserved_requests),
        give_up=_end,
    )
    task_received.connect(lambda **_: heart.took(), weak=False)
    heart.start()


def _end() -> None:
    """End this worker, although its main thread may wait for an answer that never comes."""
    threading.Timer(END_WITHIN_S, os._exit, [os.EX_TEMPFAIL]).start()
    os.kill(os.getpid(), signal.SIGQUIT)  # a cold shutdown: its processes end as well
