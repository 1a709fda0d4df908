"""Answers in advance are known only to their seat; bots, tasks, logs and the event stream carry nothing hidden."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
import redis
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.hashers import make_password
from django.test import Client

from games.core.rng import SeededRng
from games.ra.view import View
from games.registry import GAMES, game
from portal.live.hub import Hub
from portal.live.publish import publish_version
from portal.live.tokens import make_token
from portal.live.wire import channel_prefix
from portal.tables import services, tasks, wake
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from tests.portal.tables.driver import play_on

from .eyes import Eyes, differences

pytestmark = pytest.mark.django_db


@pytest.fixture
def auction(table):
    """Alice must bid, Bob bids later, and he may answer in advance."""

    def reached(loaded):
        if loaded.table.status != "playing" or loaded.table.due != [0]:
            return False
        return bool(loaded.game.orders(loaded.game.view_for(loaded.state, 1))) and loaded.game.view_for(loaded.state, 1).bids[1] is None

    loaded = play_on(table.pk, until=reached)
    assert loaded.table.status == "playing"
    return loaded


def some_order(loaded, seat=1):
    return loaded.game.orders(loaded.game.view_for(loaded.state, seat))[0].text


@pytest.fixture
def subscription():
    """A subscriber to everything; it has received its own message, so its silence means something."""
    with redis.Redis.from_url(settings.LIVE_REDIS_URL) as client, client.pubsub(ignore_subscribe_messages=True) as subscription:
        subscription.psubscribe(channel_prefix() + "*")
        subscription.get_message(timeout=1)
        publish_version(999_999, 1)
        assert heard(subscription) == [(f"{channel_prefix()}999999", "1")]
        yield subscription


def heard(subscription):
    messages = []
    while (message := subscription.get_message(timeout=0.3)) is not None:
        messages.append((message["channel"].decode(), message["data"].decode()))
    return messages


def test_an_answer_in_advance_is_invisible_to_all_others(auction, alice, bob, charlie, subscription, django_capture_on_commit_callbacks):
    table_id = auction.table.pk
    others = [Eyes(alice), Eyes(charlie), Eyes()]
    before = [eyes.see(table_id) for eyes in others]
    own_before = Eyes(bob).see(table_id)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        services.set_order(table_id=table_id, user=bob, order=some_order(auction))
    assert callbacks == []
    assert heard(subscription) == []
    after = load(table_id).table
    assert (after.version, after.seq, after.decided_since, after.due_since) == (
        auction.table.version,
        auction.table.seq,
        auction.table.decided_since,
        auction.table.due_since,
    )
    for eyes, seen in zip(others, before, strict=True):
        assert differences(seen, eyes.see(table_id)) == []
    assert differences(own_before, Eyes(bob).see(table_id)), "Bob himself does not see his answer"


def test_a_withdrawn_answer_leaves_no_trace(auction, bob, alice):
    table_id = auction.table.pk
    before = Table.objects.filter(pk=table_id).values().get()
    services.set_order(table_id=table_id, user=bob, order=some_order(auction))
    services.clear_order(table_id=table_id, user=bob)
    assert Table.objects.filter(pk=table_id).values().get() == before
    assert load(table_id).seats[1].order == ""


def test_another_seats_answer_does_not_change_what_i_am_refused(auction, alice, bob):
    """The same illegal actions of the seat due, with and without an answer in advance from the next seat."""
    table_id = auction.table.pk

    def tries():
        client = Client()
        client.force_login(alice)
        answers = []
        for text in ("bid 1", "bid 13", "call", "draw", "god gold", "discard civ_art"):
            response = client.post(
                f"/api/v1/tables/{table_id}/actions/", {"action": text, "expected_version": 0}, content_type="application/json"
            )
            answers.append((response.status_code, response.content))
        return answers

    without = tries()
    services.set_order(table_id=table_id, user=bob, order=some_order(auction))
    assert tries() == without
    assert Table.objects.get(pk=table_id).version == auction.table.version


def test_the_record_says_nothing_of_unused_answers(auction, bob):
    table_id = auction.table.pk
    order = some_order(auction)
    services.set_order(table_id=table_id, user=bob, order=order)
    services.leave_table(table_id=table_id, user=bob)
    assert load(table_id).seats[1].order == ""
    texts = ActionRecord.objects.filter(table_id=table_id).values_list("text", flat=True)
    assert order not in texts or order.startswith(("bid", "pass"))


def test_a_bot_is_given_its_view_and_a_generator_of_its_own(table, monkeypatch):
    """Neither the state nor the sealed stream, nor anything that leads to them, reaches `choose_action`."""
    given = []
    rules = game("ra")
    original = rules.choose_action

    def spying(*args, **kwargs):
        given.append((args, kwargs))
        return original(*args, **kwargs)

    monkeypatch.setitem(vars(rules), "choose_action", spying)
    play_on(table.pk, until=lambda loaded: loaded.game.view_for(loaded.state, None).epoch == 2 and loaded.table.due == [2])
    loaded = load(table.pk)
    tasks.play_bot(table.pk, loaded.table.version, 2)
    assert len(given) > 5
    for args, kwargs in given:
        view, level, rng, budget = args
        assert budget is None  # only a master has one
        assert kwargs == {}
        assert type(view) is View
        assert view.seat == 2
        assert level == "apprentice"
        assert type(rng) is SeededRng
    view = given[-1][0][0]
    assert [fame is None for fame in view.fame] == [True, True, False]
    assert view == loaded.game.view_for(loaded.state, 2)


def test_a_bots_choice_depends_on_nothing_hidden(table):
    from tests.engine.ra.secrets import vary

    loaded = play_on(table.pk, until=lambda loaded: loaded.game.view_for(loaded.state, None).epoch == 3 and loaded.table.due == [2])
    for level in GAMES["ra"].game.meta.bot_levels:
        choices = set()
        for seed in range(5):
            state = vary(loaded.state, 2, SeededRng(seed))
            choices.add(str(loaded.game.choose_action(loaded.game.view_for(state, 2), level, SeededRng(1)).action))
        assert len(choices) == 1, level


def test_tasks_carry_numbers_alone(table, monkeypatch):
    """The broker holds only a table, a version and a seat."""
    sent = []
    monkeypatch.setattr(wake, "enqueue", lambda task, *args, priority=0: sent.append((task, args)))
    for waits, due in (("bot", [2]), ("scorer", [-2])):
        wake.enqueue_due(table.pk, 7, due, waits, None)
    assert sent == [("portal.tables.tasks.play_bot", (table.pk, 7, 2, False)), ("portal.tables.tasks.score", (table.pk, 7))]


def test_the_wire_and_the_stream_say_a_version_and_nothing_else(table, alice, bob, subscription, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        loaded = play_on(table.pk, until=lambda loaded: loaded.table.version >= 6)
    messages = heard(subscription)
    assert {channel for channel, _ in messages} == {f"{channel_prefix()}{table.pk}"}
    assert [data for _, data in messages] == [str(version) for version in range(table.version + 1, loaded.table.version + 1)]
    streams = {viewer: asyncio.run(first_bytes(table.pk, viewer)) for viewer in (alice.pk, bob.pk, 0)}
    assert set(streams.values()) == {b"retry: 1000\n\nevent: version\ndata: %d\n\n" % loaded.table.version}


async def first_bytes(table_id, viewer):
    hub = Hub(settings.LIVE_REDIS_URL)
    sent: asyncio.Queue = asyncio.Queue()
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/events/tables/{table_id}/",
        "query_string": f"token={make_token(table_id, viewer)}".encode(),
        "headers": [],
    }

    async def never():
        await asyncio.Event().wait()

    task = asyncio.ensure_future(hub(scope, never, sent.put))
    start = await asyncio.wait_for(sent.get(), 5)
    assert start["status"] == 200
    assert dict(start["headers"])[b"cache-control"] == b"no-store"
    body = (await asyncio.wait_for(sent.get(), 5))["body"]
    await hub.close()
    await asyncio.wait_for(task, 5)
    return body


@pytest.mark.parametrize("token", ["", "x", "..", "%00", "a" * 5000])
def test_a_stream_opens_with_its_own_token_only(table, token):
    async def status():
        sent = []

        async def send(message):
            sent.append(message)

        query = f"token={token}".encode()
        scope = {"type": "http", "method": "GET", "path": f"/events/tables/{table.pk}/", "query_string": query, "headers": []}
        await Hub(settings.LIVE_REDIS_URL)(scope, None, send)
        return sent[0]["status"]

    assert asyncio.run(status()) == 403


def test_the_administration_has_no_seats_records_tokens_and_sessions():
    """The site's operator plays there too. What the pages of tables and people show is compared in `tests/portal/site/test_moderating.py`."""
    models = {model._meta.label for model in admin.site._registry}
    kept_out = {label for label in models if label.startswith(("tables.", "accounts.", "sessions."))}
    assert kept_out == {"tables.Table", "accounts.User"}


def test_logs_hold_no_secret_no_password_no_token_and_no_answer(auction, alice, bob, caplog, capsys):
    """A sign-in, answers in advance, refused and failing requests: log lines have at most people's ids and the names of pages."""
    caplog.set_level(logging.DEBUG)
    table_id = auction.table.pk
    password = "a horse of lapis lazuli"
    bob.password = make_password(password)
    bob.save()
    order = some_order(auction)
    client = Client(raise_request_exception=False)
    client.post("/accounts/login/", {"login": "bob", "password": password})
    client.post("/accounts/login/", {"login": "bob", "password": password + "!"})
    token = client.post("/api/v1/token/", {"username": "bob", "password": password}, content_type="application/json").json()["token"]
    client.post("/api/v1/token/", {"username": "bob", "password": password + "?"}, content_type="application/json")
    headers = {"Authorization": f"Token {token}"}
    assert (
        client.put(f"/api/v1/tables/{table_id}/order/", {"order": order}, content_type="application/json", headers=headers).status_code
        == 200
    )
    client.put(f"/api/v1/tables/{table_id}/order/", {"order": order + " x"}, content_type="application/json", headers=headers)
    stream = client.get(f"/api/v1/tables/{table_id}/stream/", headers=headers).json()["url"]
    client.force_login(bob)
    client.post(f"/tables/{table_id}/order/", {"order": order + " y"})
    client.post(f"/tables/{table_id}/act/", {"action": "bid 13", "then": order, "expected_version": "x"})
    secret = bytes(load(table_id).table.secret)
    lines = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith(("asyncio", "django.db")))
    printed = capsys.readouterr()
    text = lines + printed.out + printed.err
    session = client.cookies["sessionid"].value
    found = [
        what
        for what in (password, token, order, secret.hex(), repr(secret), stream.partition("token=")[2], session)
        if what in text or json.dumps(what) in text
    ]
    assert found == []
    assert "/tables/<int:pk>/act/" in text, "nothing was logged at all"
