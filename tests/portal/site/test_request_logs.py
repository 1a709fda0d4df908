"""Ids of requests, and what log lines say about them: never an address with a secret in it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import logging.config
import re
import time

import pytest
from celery.exceptions import TimeLimitExceeded
from django.conf import settings as site_settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from django.test import Client
from structlog.contextvars import bound_contextvars, clear_contextvars, get_contextvars

from portal.common import measuring, tracking
from portal.common.logs import logging_config
from portal.live import request_ids
from portal.live.mux import Mux
from portal.live.pages import Pages
from portal.metrics.definitions import PLACES_TAKEN, TASK_WAIT, TASKS, TURNED_AWAY

CODE = "Zx81-join-code-nobody-may-read"


@pytest.fixture
def lines(monkeypatch):
    """Return the lines that web server and workers would write, each as a dictionary."""
    written = io.StringIO()
    config = logging_config(debug=False)
    monkeypatch.setattr("sys.stderr", written)
    logging.config.dictConfig(config)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    monkeypatch.undo()
    logging.config.dictConfig(site_settings.LOGGING)


def answer(path="/", headers=(), pages=None, query=b""):
    """Ask the front of the server; return status and headers of the answer."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(event):
        sent.append(event)

    async def plain(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b""})

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(b"host", b"localhost"), *headers],
        "client": ("192.0.2.1", 4711),
        "server": ("localhost", 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    asyncio.run(Mux(None, pages or plain)(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"])


def django_pages(environ, start_response):
    """Answer as the web server does, in a thread that keeps no connection."""
    try:
        return WSGIHandler()(environ, start_response)
    finally:
        connections.close_all()


def id_of(headers):
    return headers[b"x-request-id"].decode()


def test_every_answer_has_an_id_of_its_own():
    ids = [id_of(answer()[1]) for _ in range(3)]
    assert len(set(ids)) == 3
    assert all(re.fullmatch(r"[0-9a-f]{16}", each) for each in ids)
    assert request_ids.current() is None


@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [(0, "from-outside-1", False), (1, "from-the-proxy-1", True), (1, "short", False), (1, 'x" {"event": 1}', False), (1, "a" * 65, False)],
)
def test_only_a_proxy_may_give_the_id(settings, proxies, given, is_taken):
    settings.PROXY_COUNT = proxies
    assert (id_of(answer(headers=[(b"x-request-id", given.encode())])[1]) == given) is is_taken


def test_what_is_turned_away_has_an_id_too():
    assert id_of(answer(headers=[(b"content-length", b"9999999")])[1])


@pytest.mark.django_db
def test_lines_about_a_request_have_its_id_and_no_address(lines):
    """A page that is not there, with what could be a secret as its address and in its query."""
    status, headers = answer(f"/clubs/join/{CODE}/", query=f"token={CODE}".encode(), pages=Pages(django_pages, 1))
    assert status == 404
    (line,) = [line for line in lines() if line["logger"] == "django.request"]
    assert line["event"] == "Not Found: /clubs/join/<slug:code>/"
    assert line["request_id"] == id_of(headers)
    assert CODE not in json.dumps(lines())


@pytest.mark.django_db
def test_a_fault_is_logged_without_the_address(client, lines, monkeypatch):
    def broken(*_args):
        raise RuntimeError("no such brick")

    monkeypatch.setattr("portal.common.limits.Guesses.check", broken)
    client.raise_request_exception = False
    assert client.get(f"/clubs/join/{CODE}/?next={CODE}").status_code == 500
    text = json.dumps(lines())
    assert "no such brick" in text
    assert "/clubs/join/<slug:code>/" in text
    assert CODE not in text


def test_a_form_from_elsewhere_is_logged_without_the_page_it_came_from(lines):
    strict = Client(enforce_csrf_checks=True)
    referer = f"https://elsewhere.example.org/{CODE}?key={CODE}"
    response = strict.post("/language/", {"language": "hu"}, secure=True, headers={"Referer": referer})
    assert response.status_code == 403
    text = json.dumps(lines())
    assert "https://elsewhere.example.org does not match" in text
    assert CODE not in text


@pytest.mark.django_db
def test_a_slow_page_is_logged_by_its_view_and_a_quick_one_is_not(client, lines, monkeypatch, duel):
    client.get(f"/tables/{duel.pk}/?a={CODE}")
    assert lines() == []
    monkeypatch.setattr(measuring, "SLOW_S", 0.0)
    client.get(f"/tables/{duel.pk}/?a={CODE}")
    (line,) = lines()
    assert (line["event"], line["view"], line["status"], line["table"]) == ("slow request", "table", 200, duel.pk)
    assert 0 < line["ms"] < 60_000
    assert line["statements"] > 0
    assert re.fullmatch(r"[0-9a-f]{16}", line["request_id"])
    assert CODE not in json.dumps(line)
    assert get_contextvars() == {}


class Task:
    """What Celery gives to those who listen."""

    name = "portal.tables.tasks.play_bot"

    def __init__(self, **request):
        self.request = request


def test_a_task_carries_the_id_of_its_request():
    clear_contextvars()  # a task that an earlier test called by itself has left its table
    headers = {}
    with bound_contextvars(request_id="0123456789abcdef"):
        tracking._tell_origin(headers=headers)
    assert headers["request_id"] == "0123456789abcdef"
    task = Task(delivery_info={"routing_key": "bots"}, **headers)
    tracking._begin("id-1", task)
    try:
        assert get_contextvars() == {"task": "tables.play_bot", "task_id": "id-1", "request_id": "0123456789abcdef"}
        further = {}
        tracking._tell_origin(headers=further)  # what this task leads to is of the same request
        assert further["request_id"] == "0123456789abcdef"
    finally:
        tracking._end("id-1", task, state="SUCCESS")
    assert get_contextvars() == {}


def test_a_task_of_the_clock_has_no_request():
    headers = {}
    tracking._tell_origin(headers=headers)
    assert set(headers) == {"sent_at"}
    tracking._tell_origin()  # an old protocol without headers


def counted(number, **labels):
    """Return the value of a counter."""
    return number.labels(**labels)._value.get()


@pytest.mark.parametrize(("state", "outcome"), [("SUCCESS", "success"), ("FAILURE", "failure"), ("RETRY", "retry")])
def test_tasks_are_counted_by_how_they_end(state, outcome):
    before = counted(TASKS, task="tables.play_bot", outcome=outcome)
    tracking._begin("id-2", Task())
    tracking._end("id-2", Task(), state=state)
    tracking._end("id-2", Task(), state=state)  # which began in another process
    assert counted(TASKS, task="tables.play_bot", outcome=outcome) == before + 1


def test_a_task_whose_process_was_ended_is_counted_by_its_worker():
    before = counted(TASKS, task="tables.play_bot", outcome="killed")
    tracking._killed(sender=Task(), exception=TimeLimitExceeded(10))
    tracking._killed(sender=Task(), exception=ValueError())  # its own process tells that
    assert counted(TASKS, task="tables.play_bot", outcome="killed") == before + 1


def test_the_wait_in_a_queue_is_measured_for_queues_of_ours_only():
    sent_at = time.time() - 2
    for queue, more in (("bots", 1), ("somebody-elses", 0)):
        waits = TASK_WAIT.labels(queue) if more else None
        before = waits._sum.get() if waits else 0.0
        task = Task(delivery_info={"routing_key": queue}, sent_at=sent_at)
        tracking._begin("id-3", task)
        tracking._end("id-3", task, state="SUCCESS")
        if waits:
            assert 2 <= waits._sum.get() - before < 10
    assert {labels[0] for labels in TASK_WAIT._metrics} <= {"bots", "scoring", "mail"}


def test_what_is_turned_away_is_counted_by_its_reason():
    before = counted(TURNED_AWAY, reason="too_big")
    assert answer(headers=[(b"content-length", b"9999999")])[0] == 413
    assert counted(TURNED_AWAY, reason="too_big") == before + 1


def test_places_are_told_while_they_are_taken():
    taken = PLACES_TAKEN.labels("pages")._value
    seen = []

    async def pages(_scope, _receive, send):
        seen.append(taken.get())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    answer(pages=pages)
    assert [*seen, taken.get()] == [1, 0]
