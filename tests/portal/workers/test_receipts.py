"""An acknowledgement that is lost because Valkey stalls does not keep a worker from the next message."""

from __future__ import annotations

import pytest
import redis

from portal.celery import Receipts, app

QUEUE = "receipts"


@pytest.fixture
def channel():
    with app.connection_for_write() as connection:
        found = connection.default_channel
        found.client.delete(QUEUE)
        found.queue_declare(QUEUE)
        found.basic_qos(0, 1, False)
        yield found
        found.queue_delete(QUEUE)


def take(channel):
    with app.producer_pool.acquire() as producer:
        producer.publish({}, routing_key=QUEUE, exchange="", retry=False)
    message = channel.basic_get(QUEUE, no_ack=False)
    assert message is not None
    return message


def stalled(*_args, **_kwargs):
    raise redis.TimeoutError("Timeout reading from socket")


def test_the_next_message_comes_although_valkey_never_heard_of_the_last_one(channel, monkeypatch):
    assert isinstance(channel.qos, Receipts)
    first = take(channel)
    assert not channel.qos.can_consume()
    with monkeypatch.context() as patch:
        patch.setattr(channel.qos, "_remove_from_indices", stalled)
        with pytest.raises(redis.TimeoutError):
            first.ack()
    assert channel.qos.can_consume()
    assert channel.client.hexists(channel.unacked_key, first.delivery_tag), "it may come back"

    second = take(channel)
    second.ack()
    assert channel.qos.can_consume()
    for message in (first, second):
        assert not channel.client.hexists(channel.unacked_key, message.delivery_tag)
        assert channel.client.zscore(channel.unacked_index_key, message.delivery_tag) is None
