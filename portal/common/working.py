"""A worker's own watch: it tells its pulse, and ends itself if it takes no work (see `portal.supervisor.pulse`)."""

from __future__ import annotations

import os
import signal
import socket
import threading
from typing import Any

from celery import current_app
from celery.signals import task_received, worker_ready
from django.conf import settings

from portal.supervisor.pulse import Heart

END_WITHIN_S = 2.0


@worker_ready.connect
def watch(**_: Any) -> None:
    """Tell the pulse of this worker, and end it if it stops taking work."""
    from celery.worker import state as work  # only a worker needs it

    queues = list(current_app.amqp.queues.consume_from)
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
