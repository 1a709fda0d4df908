"""Two hundred turns, of which every third is taken meanwhile, while the worker is killed again and again at any point: each once, and no other."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from portal.accounts import tasks as mail_tasks
from portal.notices import carrying, hooks, mailing, outbox, posting, tasks
from portal.notices.models import Delivery

pytestmark = pytest.mark.django_db
TABLES = range(1, 201)
TAKEN = range(1, 201, 3)


class Killed(BaseException):
    """The worker is killed: nothing catches it."""


def test_every_turn_is_sent_once_in_effect_and_none_that_was_taken(confirmed, hook, mails, monkeypatch):
    alice, rng = confirmed, random.Random(1)

    def perilous(place, name, chance):
        """Let the worker die before or after a step, now and then."""
        step = getattr(place, name)

        def wrapped(*args, **values):
            if rng.random() < chance:
                raise Killed
            found = step(*args, **values)
            if rng.random() < chance:
                raise Killed
            return found

        monkeypatch.setattr(place, name, wrapped)

    def work():
        for task in (tasks.send_due, mail_tasks.send_due_mail):
            try:
                task()
            except Killed:
                pass

    for place, name, chance in ((posting, "post", 0.02), (carrying, "end", 0.02), (mailing, "_message", 0.3), (hooks, "body_of", 0.01)):
        perilous(place, name, chance)
    with time_machine.travel(datetime(2026, 11, 27, 12, 0, tzinfo=UTC), tick=False) as clock:
        for table_id in TABLES:
            outbox.turns(
                table_id=table_id, version=3, path=f"/tables/{table_id}/", due={alice.pk: {"game": "ra", "names": ["bob"]}}, over=[]
            )
        clock.shift(timedelta(seconds=10))
        for table_id in TAKEN:
            outbox.turns(table_id=table_id, version=4, path=f"/tables/{table_id}/", due={}, over=[alice.pk])
        for _ in range(60):
            clock.shift(timedelta(minutes=3))
            work()
        monkeypatch.undo()
        assert not Delivery.objects.filter(status="waiting").exists()
    open_turns = set(TABLES) - set(TAKEN)
    by_id = {said["id"]: said["table"] for said in hook.said}
    assert sorted(by_id.values()) == sorted(open_turns), "each once, by its id, and none for a turn that was taken"
    assert len(hook.said) < len(by_id) + 30, "only the few that were in the hand of a killed worker came again"
    text = "".join(mail.get_payload()[0].get_payload(decode=True).decode() for mail in mails.mails)
    assert len({mail["Message-ID"] for mail in mails.mails}) == len(mails.mails)
    told = Delivery.objects.filter(channel="mail")
    assert set(told.values_list("status", flat=True)) == {"sent"}
    assert told.count() == len(open_turns)
    assert "your turn in Ra" in text
