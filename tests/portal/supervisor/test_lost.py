"""What workers of a lost machine held goes back into the queues, whatever kind of task it is."""

from __future__ import annotations

import pytest
import redis
from celery.app.base import Celery
from django.conf import settings

from portal.celery import app
from portal.common import lost
from portal.common.tasks import take_over
from portal.configuration import worker_options
from portal.supervisor import pulse
from portal.supervisor.pulse import Pulse

QUEUE = "lost-and-found"


@pytest.fixture
def live() -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.delete(pulse.KEY)
    with app.connection_for_write() as connection:
        connection.default_channel.client.delete(QUEUE, *(f"unacked{part}:mail@left" for part in ("", "_index")))
    return client


def hold(worker: str, celery: Celery = app) -> None:
    """Let a worker of this name take a mail from the queue, and end without a word."""
    options = {**celery.conf.broker_transport_options, **worker_options(worker)}
    with celery.connection_for_write(transport_options=options) as connection:
        celery.send_task("portal.accounts.tasks.deliver_mail", [7], queue=QUEUE, connection=connection)
        channel = connection.default_channel
        assert channel.basic_get(QUEUE, no_ack=False)
        channel.qos._delivered.clear()  # a channel that is closed gives them back; a machine that has gone doesn't


def found(worker: str) -> tuple[int, int]:
    """Return how many messages wait, and how many this worker holds."""
    with app.connection_for_write() as connection:
        client = connection.default_channel.client
        return client.llen(QUEUE), client.hlen(f"unacked:{worker}")


def tell(live: redis.Redis, worker: str, silent_s: float) -> None:
    at = pulse.now(live) - silent_s
    live.hset(pulse.KEY, worker, Pulse(["mail"], at, 0, False, at).to_json())


def test_mail_that_a_lost_worker_held_is_in_the_queue_again(live: redis.Redis) -> None:
    hold("mail@left")
    assert found("mail@left") == (0, 1)
    tell(live, "mail@left", lost.LOST_AFTER_S + 1)
    assert take_over() == 1
    assert found("mail@left") == (1, 0)
    assert take_over() == 0


def test_what_a_worker_holds_that_lives_stays_with_it(live: redis.Redis) -> None:
    hold("mail@left")
    tell(live, "mail@left", lost.LOST_AFTER_S - 5)
    assert take_over() == 0
    assert found("mail@left") == (0, 1)
    assert lost.requeue("mail@left") == 1  # as it does itself when it starts again


@pytest.mark.parametrize(("silent_s", "is_known"), [(lost.FORGOTTEN_AFTER_S - 60, True), (lost.FORGOTTEN_AFTER_S + 1, False)])
def test_a_worker_that_has_long_been_silent_is_forgotten(live: redis.Redis, silent_s: float, is_known: bool) -> None:
    tell(live, "mail@left", silent_s)
    tell(live, "mail@right", 0)
    take_over()
    assert set(pulse.read(live)) == {"mail@right"} | ({"mail@left"} if is_known else set())


def test_a_worker_is_forgotten_only_after_what_it_held(live: redis.Redis) -> None:
    hold("mail@left")
    tell(live, "mail@left", lost.FORGOTTEN_AFTER_S + 1)
    assert take_over() == 1
    assert "mail@left" in pulse.read(live)
    assert take_over() == 0
    assert pulse.read(live) == {}
