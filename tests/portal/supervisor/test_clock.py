"""Of several beats one works, and another takes its place when it ends, dies or is cut off."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import redis
from django.conf import settings

from portal.celery import app
from portal.common import clock
from portal.common.clock import Clock, Place


@pytest.fixture(autouse=True)
def _free_place() -> None:
    redis.Redis.from_url(settings.LIVE_REDIS_URL).delete(clock.KEY)


def place(name: str, held_s: float = 8.0) -> Place:
    return Place(settings.LIVE_REDIS_URL, name, held_s)


def test_one_of_two_has_the_place_and_keeps_it() -> None:
    left, right = place("beat@left"), place("beat@right")
    assert [left.claim(), right.claim(), left.claim(), right.claim()] == [True, False, True, False]
    assert (left.is_ours(), right.is_ours()) == (True, False)


def test_a_beat_that_starts_again_has_its_place_at_once() -> None:
    assert place("beat@left").claim()
    assert place("beat@left").claim()


def test_the_place_of_a_silent_one_is_taken_and_it_knows() -> None:
    left, right = place("beat@left", 0.2), place("beat@right")
    assert left.claim()
    assert not right.claim()
    time.sleep(0.25)
    assert not left.is_ours()  # without asking: it may be cut off
    assert right.claim()
    assert not left.claim()


def test_whoever_leaves_makes_room_at_once_but_only_its_own() -> None:
    left, right = place("beat@left"), place("beat@right")
    assert left.claim()
    right.leave()
    assert not right.claim()
    left.leave()
    assert not left.is_ours()
    assert right.claim()


def test_while_valkey_is_away_the_last_claim_holds_until_its_end() -> None:
    away = Place("unix:///nowhere/valkey.sock", "beat@left")
    assert not away.claim()
    away._ours_until = time.monotonic() + 5
    assert away.claim()


def sent_by(clocks: list[Clock], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Let each of `clocks` tick until nothing is due, and return who sent what."""
    sent: list[tuple[str, str]] = []
    for one in clocks:
        monkeypatch.setattr(one, "apply_async", lambda entry, one=one, **_: sent.append((one.place._name, entry.name)))
        for _ in range(20):
            if one.tick() > 0:
                break
    return sent


def test_only_the_one_with_the_place_sends_and_the_other_goes_on_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = []
    for name in ("beat@left", "beat@right"):
        monkeypatch.setattr(settings, "WORKER_NAME", name)
        clocks.append(Clock(app, schedule_filename=str(tmp_path / name)))
        for entry in clocks[-1].schedule.values():
            entry.last_run_at = entry.last_run_at.replace(year=2000)
    sent = sent_by(clocks, monkeypatch)
    assert {who for who, _ in sent} == {"beat@left"}
    assert {what for _, what in sent} >= {"reconcile", "lost"}
    clocks[0].close()
    assert sent_by(clocks[1:], monkeypatch) == []  # it has the place, and what the other had sent isn't due again
    assert clocks[1].place.is_ours()
    clocks[1].close()
