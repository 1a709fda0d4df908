"""The Celery application: queues `scoring`, `bots` and `mail` (settings say which task goes where)."""

import logging
import os
import resource
from pathlib import Path
from typing import Any

from billiard.compat import mem_rss
from celery import Celery
from celery.signals import celeryd_init, worker_init
from kombu.transport import redis, virtual

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
app = Celery("ziggurat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
log = logging.getLogger(__name__)


class Receipts(redis.QoS):
    """Acknowledges messages, and does not wait for ever if Valkey stalls meanwhile.

    An acknowledgement that times out would remain among the messages being worked on: with one at a time, the worker would never ask for
    the next. Here the message counts as done, and Valkey hears of it with the next one. Until then it may come back, which does no harm.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owed: list[str] = []

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message and those before it that Valkey has not heard of."""
        self._owed.append(delivery_tag)
        try:
            while self._owed:
                self._remove_from_indices(self._owed[0]).execute()
                self._owed.pop(0)
        finally:
            virtual.QoS.ack(self, delivery_tag)


redis.Channel.QoS = Receipts


@celeryd_init.connect
def bound_growth(conf: Any, **_: Any) -> None:
    """Have a process of the pool replaced after its task when it has grown by ZIGGURAT_GROWTH_KB, if that is given.

    The bound counts from what this worker has loaded, and its forks share: a fixed bound below that would replace a process after every task.
    """
    growth = os.environ.get("ZIGGURAT_GROWTH_KB")
    if growth:
        conf.worker_max_memory_per_child = _resident_kb() + int(growth)


def _resident_kb() -> int:
    """Return how much memory this process takes now. What getrusage says may be that of the process that started it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024
    except OSError:  # not Linux
        return int(mem_rss())


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
