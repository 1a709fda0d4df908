"""A worker that takes nothing although work waits is noticed: by itself, by the supervisor, and by whoever asks how the site is."""

from __future__ import annotations

import time

import pytest
import redis
from django.conf import settings

from portal.common.health import QUEUES
from portal.supervisor import moving, pulse
from portal.supervisor.moving import Moving
from portal.supervisor.pulse import Attention, Heart, Pulse


@pytest.fixture
def live() -> redis.Redis:
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.delete(pulse.KEY)
    return client


@pytest.fixture
def broker() -> redis.Redis:
    client = redis.Redis.from_url(settings.BROKER_REDIS_URL)
    client.delete(*(queue + suffix for queue in QUEUES for suffix in pulse.PRIORITIES))
    return client


def stuck_at(samples: list[tuple[float, int, bool, float]]) -> float | None:
    """Return the first moment at which a worker with these samples (now, waiting, busy, taken at) counts as stuck."""
    attention = Attention(5.0)
    return next((sample[0] for sample in samples if attention.is_stuck(*sample)), None)


def test_work_that_waits_and_is_not_taken_is_a_fault() -> None:
    assert stuck_at([(float(now), 3, False, 0.0) for now in range(100, 120)]) == 105


@pytest.mark.parametrize(
    "samples",
    [
        [(float(now), 0, False, 0.0) for now in range(100, 160)],  # nothing to do
        [(float(now), 3, True, 0.0) for now in range(100, 160)],  # one long task
        [(float(now), 3, False, now - 0.5) for now in range(100, 160)],  # a long queue, of which it takes one after another
        [(float(now), now % 4, False, 0.0) for now in range(100, 160)],  # others of the same queue take them
    ],
)
def test_a_worker_that_works_or_has_nothing_to_do_is_left_alone(samples: list[tuple[float, int, bool, float]]) -> None:
    assert stuck_at(samples) is None


def test_time_without_the_broker_does_not_count() -> None:
    attention = Attention(5.0)
    assert not attention.is_stuck(100.0, 1, False, 0.0)
    attention.forget()
    assert not attention.is_stuck(110.0, 1, False, 0.0)
    assert attention.is_stuck(115.0, 1, False, 0.0)


def test_a_stuck_worker_gives_up_once(live: redis.Redis, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY_S", 0.01)
    ended: list[bool] = []
    heart = Heart(
        "w",
        ["bots"],
        broker_url=settings.BROKER_REDIS_URL,
        live_url=settings.LIVE_REDIS_URL,
        is_busy=lambda: False,
        give_up=lambda: ended.append(True),
    )
    heart._attention = Attention(0.1)
    broker.lpush("bots", "work")
    heart.start()
    heart.join(10)
    assert ended == [True]
    assert pulse.read(live)["w"].waiting == 1


def test_a_queue_without_a_worker_a_stuck_one_and_a_moving_one_are_told_apart(live: redis.Redis, broker: redis.Redis) -> None:
    now = time.time()
    for worker, told in {
        "a": Pulse(["bots"], now, 4, False, now - 60),
        "b": Pulse(["bots"], now - 60, 0, False, now - 70),  # of a machine that was switched off
        "c": Pulse(["scoring", "mail"], now - 1, 4, True, now - 60),
    }.items():
        live.hset(pulse.KEY, worker, told.to_json())
    broker.lpush("bots", *"wxyz")
    assert pulse.health(live, broker, ["elsewhere"])["elsewhere"] == {"state": "no worker", "waiting": 0, "taken_s": None, "seen_s": None}
    found = pulse.health(live, broker, QUEUES)
    assert {queue: facts["state"] for queue, facts in found.items()} == {"bots": "stuck", "scoring": "moving", "mail": "moving"}
    assert found["bots"]["waiting"] == 4
    assert 60 <= found["bots"]["taken_s"] < 120  # on a machine that takes its time
    assert 1 <= found["mail"]["seen_s"] < 60


@pytest.mark.parametrize(
    ("told", "is_ended"),
    [
        (None, True),
        (lambda now: Pulse(["bots"], now - 30, 0, False, now - 30), True),
        (lambda now: Pulse(["bots"], now, 2, False, now - 60), True),
        (lambda now: Pulse(["bots"], now, 2, True, now - 60), False),
        (lambda now: Pulse(["bots"], now, 0, False, now - 600), False),
        (lambda now: Pulse(["bots"], now, 2, False, now - 1), False),
    ],
)
def test_the_supervisor_ends_what_is_silent_or_stuck_but_not_at_the_start(live: redis.Redis, told: object, is_ended: bool) -> None:
    ended: list[str] = []
    age_s = 0.0
    watch = Moving(settings.LIVE_REDIS_URL, {"worker-bots": "bots"}, lambda service, _why: ended.append(service), lambda _service: age_s)
    start = time.time()
    for age_s in (1.0, moving.PATIENCE_S + 2, moving.START_WITHIN_S + 1, moving.START_WITHIN_S + 2):
        if callable(told):  # what an earlier run of the worker left, until this one has begun
            live.hset(pulse.KEY, "bots", told(start + (age_s if age_s > moving.START_WITHIN_S else -1)).to_json())
        watch.look(start + age_s)
        if age_s < moving.START_WITHIN_S:
            assert ended == []
    assert ended == ["worker-bots"] * is_ended


def test_a_worker_that_freezes_soon_after_its_start_is_ended_without_waiting(live: redis.Redis) -> None:
    ended: list[str] = []
    age_s = 0.0
    watch = Moving(settings.LIVE_REDIS_URL, {"worker-bots": "bots"}, lambda service, _why: ended.append(service), lambda _service: age_s)
    start = time.time()
    live.hset(pulse.KEY, "bots", Pulse(["bots"], start + 3, 0, False, start + 3).to_json())
    for age_s in (2.0, 6.0, 3.0 + moving.PATIENCE_S + 1):
        watch.look(start + age_s)
    assert ended == ["worker-bots"]


def test_the_supervisor_blames_nobody_while_valkey_is_away(live: redis.Redis) -> None:
    ended: list[str] = []
    watch = Moving(
        "unix:///nowhere/valkey.sock", {"worker-bots": "bots"}, lambda service, _why: ended.append(service), lambda _service: 600.0
    )
    for after_s in (0, 60, 120):
        watch.look(time.time() + after_s)
    assert ended == []
