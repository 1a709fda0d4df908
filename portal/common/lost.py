"""What workers of lost machines held goes back into the queues, and the workers are forgotten in time."""

from __future__ import annotations

import logging

import redis
from django.conf import settings

from portal.celery import app
from portal.configuration import worker_options
from portal.supervisor import pulse

log = logging.getLogger(__name__)

LOST_AFTER_S = (
    10.0  # a worker that says nothing for so long is dead, frozen or cut off; whatever it still does comes too late and is dropped
)
FORGOTTEN_AFTER_S = 3600.0


def take_over() -> int:
    """Requeue what silent workers held; return how many messages it was. Raises redis.RedisError or OSError if Valkey is away.

    The reconciler of the tables would wake them anyway. This is for everything else, such as mail.
    """
    with redis.Redis.from_url(settings.LIVE_REDIS_URL, **settings.REDIS_OPTIONS) as live:
        at = pulse.now(live)
        found = 0
        for worker, told in pulse.read(live).items():
            silent_s = at - told.at
            if silent_s < LOST_AFTER_S:
                continue
            if count := requeue(worker):
                log.warning("worker %s has said nothing for %.0f s: its messages are in the queues again (%s)", worker, silent_s, count)
                found += count
            elif silent_s > FORGOTTEN_AFTER_S:
                live.hdel(pulse.KEY, worker)
        return found


def requeue(worker: str) -> int:
    """Put what the worker of this name has not acknowledged back into its queues; return how many messages it was.

    Each message is moved in one transaction, so of several processes that do this at once only one succeeds. Raises the driver's errors.
    """
    options = {**app.conf.broker_transport_options, **worker_options(worker)}
    with app.connection_for_write(transport_options=options) as connection:
        channel = connection.default_channel
        tags = channel.client.hkeys(channel.unacked_key)
        for tag in tags:
            channel.qos.restore_by_tag(tag)
        return len(tags)
