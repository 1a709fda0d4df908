"""Webhooks: signed, to public addresses only, once, and switched off when they fail."""

from __future__ import annotations

import hashlib
import hmac
import socket
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import override_settings

from portal.notices import carrying, choosing, hooks, outbox, planning, posting, tasks
from portal.notices.models import Delivery, Hook, Kind
from portal.notices.refusals import BadHook, HookNotFound, HookNotPublic

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 11, 27, 12, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def invite(user):
    outbox.tell([user.pk], kind=Kind.INVITATION, key="invited", path="/tables/", facts={"who": "bob", "game": "ra"})


def test_a_notice_is_posted_once_signed_and_says_what_the_page_says(alice, hook, clock):
    invite(alice)
    for _ in range(3):
        tasks.send_due()
    ((body, headers),) = hook.posts
    assert headers["ziggurat-signature"] == "sha256=" + hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest()
    (said,) = hook.said
    assert said["text"] == "bob invites you to a game of Ra."
    assert said["at"] == "2026-11-27T12:00:00+00:00"
    assert said["url"].endswith("/tables/")
    assert set(said) == {"id", "at", "kind", "what", "text", "url", "table"}
    assert Delivery.objects.get().status == "sent"


def test_a_turn_that_is_over_is_not_posted(alice, hook, clock):
    for table_id in (7, 8):
        outbox.turns(table_id=table_id, version=3, path="/tables/7/", due={alice.pk: {"game": "ra", "names": ["bob"]}}, over=[])
    clock.shift(timedelta(seconds=21))
    planning.plan()
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[alice.pk])
    tasks.send_due()
    assert [said["table"] for said in hook.said] == [8]


def test_a_failure_is_tried_again_later_with_the_same_id(alice, hook, clock, browser):
    hook.status = 500
    invite(alice)
    tasks.send_due()
    tasks.send_due()
    assert len(hook.posts) == 1
    assert "Webhook failed (500), next attempt" in browser(alice).get("/notices/").content.decode()
    hook.status = 200
    clock.shift(timedelta(minutes=2))
    tasks.send_due()
    first, second = hook.said
    assert first["id"] == second["id"]
    assert Hook.objects.get().failures == 0


def test_a_hook_that_keeps_failing_is_switched_off_with_the_reason(alice, hook, clock, browser):
    hook.status = 503
    for _ in range(hooks.MOST_FAILURES):
        invite(alice)
        clock.shift(timedelta(days=1))
        tasks.send_due()
    assert Hook.objects.get().off_at is not None
    seen = len(hook.posts)
    invite(alice)
    clock.shift(timedelta(days=1))
    tasks.send_due()
    assert len(hook.posts) == seen
    client = browser(alice)
    page = client.get("/notices/settings/").content.decode()
    assert "it failed too often" in page
    assert "503" in page
    client.post("/notices/settings/hook/", {"do": "on"})
    assert Hook.objects.get().off_at is None


def test_an_address_that_is_gone_is_switched_off_at_once(alice, hook, clock):
    hook.status = 410
    invite(alice)
    tasks.send_due()
    assert Hook.objects.get().off_at is not None


def test_no_redirect_is_followed(alice, hook, clock):
    hook.status, hook.location = 302, hook.url
    invite(alice)
    tasks.send_due()
    assert len(hook.posts) == 1
    assert Delivery.objects.get().why == "302"


def test_a_worker_killed_in_the_middle_posts_it_later_with_the_same_id(alice, hook, clock, monkeypatch):
    invite(alice)

    def die(*_args, **_values):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(carrying, "end", die)
        with pytest.raises(SystemExit):
            tasks.send_due()
    tasks.send_due()
    assert len(hook.posts) == 1, "it is in that worker's hand"
    clock.shift(carrying.IN_HAND)
    tasks.send_due()
    tasks.send_due()
    assert len(hook.posts) == 2
    assert len({said["id"] for said in hook.said}) == 1


def test_a_receiver_that_trickles_is_cut_off(alice, settings, monkeypatch):
    settings.HOOKS_TO_PRIVATE = True
    monkeypatch.setattr(posting, "LIMIT_S", 0.5)
    listening = socket.create_server(("127.0.0.1", 0))

    def trickle():
        connection, _ = listening.accept()
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                for number in range(100):
                    connection.sendall(b"X-%d: y\r\n" % number)
                    time.sleep(0.1)
            except OSError:
                pass

    thread = threading.Thread(target=trickle)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(posting.Failed):
        posting.post(f"http://127.0.0.1:{listening.getsockname()[1]}/", {}, b"{}")
    assert time.monotonic() - begin < 3
    thread.join()
    listening.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://alice:secret@example.org/",
        "https://example.org:22/",
        "https://example.org:99999/",
        "https:///x",
        "https://example.org/ x",
        "https://example.org/\r\nHost: x",
        "https://" + "a" * 600,
        "",
        "javascript:alert(1)",
        "https://[::1",
    ],
)
def test_odd_addresses_are_refused(alice, url):
    with pytest.raises((BadHook, HookNotFound)):
        hooks.save_hook(alice, url)
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "[::1]",
        "[fe80::1]",
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "0.0.0.0",
        "224.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
    ],
)
def test_private_addresses_are_refused_in_whatever_form(alice, host):
    with pytest.raises((HookNotPublic, HookNotFound)):
        hooks.save_hook(alice, f"https://{host}/")
    assert not Hook.objects.exists()


def test_a_name_with_one_private_address_is_refused_when_it_is_used_too(alice, hook, monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("9.9.9.9", "10.0.0.1")]
    monkeypatch.setattr(posting.socket, "getaddrinfo", lambda *_args, **_values: found)
    with override_settings(HOOKS_TO_PRIVATE=False), pytest.raises(posting.Failed, match="public"):
        posting.post("https://example.org/", {}, b"{}")


def test_the_connection_goes_to_the_address_that_was_looked_at(alice, hook, monkeypatch):
    """A name that resolves to something else a moment later changes nothing."""
    answers = iter([[(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]])
    monkeypatch.setattr(posting.socket, "getaddrinfo", lambda *_args, **_values: next(answers))
    connect = socket.create_connection
    asked = []

    def watched(where, timeout):
        asked.append(where[0])
        monkeypatch.undo()
        return connect(where, timeout)

    monkeypatch.setattr(posting.socket, "create_connection", watched)
    posting.post(hook.url.replace("127.0.0.1", "hooks.example.org"), {}, b"{}")
    assert asked == ["127.0.0.1"]
    assert hook.posts[0][1]["host"].startswith("hooks.example.org")


def test_the_secret_is_shown_once_and_a_test_takes_the_usual_road(alice, hook, clock, browser):
    client = browser(alice)
    page = client.post("/notices/settings/hook/", {"url": hook.url}).content.decode()
    secret = Hook.objects.get().secret
    assert secret in page
    assert secret not in client.get("/notices/settings/").content.decode()
    client.post("/notices/settings/test/", {"channel": "hook"})
    tasks.send_due()
    assert [said["kind"] for said in hook.said] == ["test"]
    assert "Webhook: sent" in client.get("/notices/").content.decode()
    client.post("/notices/settings/hook/", {"do": "remove"})
    assert not Hook.objects.exists()


def test_tests_are_limited(alice, browser):
    client = browser(alice)
    answers = [client.post("/notices/settings/test/", {"channel": "mail"}).status_code for _ in range(choosing.TESTS_PER_HOUR + 1)]
    assert answers[-2:] == [302, 429]
    assert client.post("/notices/settings/test/", {"channel": "pigeon"}).status_code == 404
