"""Tasks by name: every requested one exists and is enqueued after the commit, and a broker that is down stops nobody."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings
from django.db import transaction

from portal.common.later import FIRST, enqueue, later


def names_in(file):
    """Return the strings of a file that look like names of tasks."""
    strings = (node.value for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Constant))
    return {text for text in strings if isinstance(text, str) and text.startswith("portal.") and ".tasks." in text and "*" not in text}


def test_every_task_that_is_asked_for_by_name_is_registered():
    current_app.loader.import_default_modules()
    named = set().union(*(names_in(file) for file in (Path(settings.BASE_DIR) / "portal").rglob("*.py")))
    assert {"portal.tables.tasks.play_bot", "portal.ratings.tasks.apply_results", "portal.clubs.tasks.freeze_due"} <= named
    assert named <= set(current_app.tasks)


@pytest.mark.django_db
def test_a_task_is_enqueued_after_the_commit_and_not_without_one(monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: sent.append((name, args, options)))

    def ask_and_fail():
        with transaction.atomic():
            later("portal.tables.tasks.score", 2, 7)
            raise RuntimeError

    with django_capture_on_commit_callbacks(execute=True):
        later("portal.tables.tasks.score", 1, 7)
        with pytest.raises(RuntimeError):
            ask_and_fail()
        assert not sent
    assert sent == [("portal.tables.tasks.score", (1, 7), {"retry": False, "priority": FIRST, "expires": None})]


def test_a_broker_that_is_away_is_no_error(monkeypatch, caplog):
    def away(*_args, **_options):
        raise ConnectionError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    enqueue("portal.tables.tasks.score", 1, 7)
    assert "not enqueued: portal.tables.tasks.score(1, 7): no broker" in caplog.text
