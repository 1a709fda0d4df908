"""Mail is kept in a row until it is delivered exactly once, even when the broker or the mail server is down."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import ClassVar

import pytest
import time_machine
from celery import current_app
from django.core import mail as django_mail
from django.core.mail import EmailMultiAlternatives, send_mail
from django.db import connection, transaction
from django.utils import timezone

from portal.accounts import mail, tasks
from portal.accounts.models import OutgoingMail

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def queued(settings):
    settings.EMAIL_BACKEND = "portal.accounts.mail.QueuedMailBackend"
    settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def sent_tasks(monkeypatch):
    """The tasks that were enqueued."""
    handed = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_options: handed.append((name, *args)))
    return handed


def write(subject="Hello", to="alice@example.org"):
    return send_mail(subject, "A line.", None, [to])


def test_a_mail_is_kept_and_the_worker_is_woken_after_the_commit(sent_tasks, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert write() == 1
        assert not sent_tasks
    row = OutgoingMail.objects.get()
    assert sent_tasks == [(tasks.deliver_mail.name, row.pk)]
    assert not django_mail.outbox
    assert tasks.deliver_mail(row.pk) is True
    assert [message.to for message in django_mail.outbox] == [["alice@example.org"]]


def test_a_mail_of_a_transaction_that_fails_is_not_sent(sent_tasks, django_capture_on_commit_callbacks):
    def write_and_fail():
        with transaction.atomic():
            write()
            raise RuntimeError

    with django_capture_on_commit_callbacks(execute=True), pytest.raises(RuntimeError):
        write_and_fail()
    assert not sent_tasks
    assert not OutgoingMail.objects.exists()


def test_with_the_broker_away_the_periodic_task_delivers(monkeypatch, django_capture_on_commit_callbacks):
    def away(*_args, **_options):
        raise ConnectionError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        assert write() == 1, "the page answers"
    assert OutgoingMail.objects.get().sent_at is None
    assert tasks.send_due_mail() == 1
    assert len(django_mail.outbox) == 1


def test_a_mail_is_sent_once_however_often_the_task_runs(sent_tasks):
    write()
    row = OutgoingMail.objects.get()
    assert [tasks.deliver_mail(row.pk), tasks.deliver_mail(row.pk), tasks.send_due_mail()] == [True, False, 0]
    assert len(django_mail.outbox) == 1


def test_a_failure_is_tried_again_later_and_later(sent_tasks, settings):
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.NoServer"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        write()
        row = OutgoingMail.objects.get()
        waits = []
        for _ in range(3):
            assert tasks.deliver_mail(row.pk) is False
            assert tasks.send_due_mail() == 0, "not before it is due"
            row.refresh_from_db()
            waits.append((row.due_at - timezone.now()).total_seconds())
            clock.shift(waits[-1] + 1)
        assert waits == [60, 120, 240]
        assert "no mail server" in row.error
        settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert tasks.send_due_mail() == 1
    assert len(django_mail.outbox) == 1


def test_a_failure_is_logged_without_the_mail(sent_tasks, settings, caplog):
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.NoServer"
    write(subject="A new password")
    row = OutgoingMail.objects.get()
    assert tasks.deliver_mail(row.pk) is False
    row.refresh_from_db()
    assert "no mail server" in caplog.text
    for part in ("A line.", "A new password", "alice@example.org"):
        assert part not in caplog.text + row.error


class NoServer:
    """A mail server that cannot be reached."""

    def __init__(self, *_args, **_options):
        pass

    def send_messages(self, _messages):
        raise OSError("no mail server")


class Watched:
    """A mail server that records, while in use, whether a transaction is open and whether others could send the same mail."""

    seen: ClassVar[list[tuple[bool, bool]]] = []

    def __init__(self, *_args, **_options):
        pass

    def send_messages(self, _messages):
        row = OutgoingMail.objects.get()
        self.seen.append((connection.in_atomic_block, tasks.deliver_mail(row.pk)))


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_a_mail_goes_out_and_no_other_worker_takes_it(sent_tasks, settings):
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.Watched"
    Watched.seen.clear()
    write()
    assert tasks.send_due_mail() == 1
    assert Watched.seen == [(False, False)]


class Killed:
    """A mail server that kills the worker."""

    def __init__(self, *_args, **_options):
        pass

    def send_messages(self, _messages):
        raise SystemExit


def test_a_mail_that_a_killed_worker_had_in_hand_goes_out_later(sent_tasks, settings):
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.Killed"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        write()
        with pytest.raises(SystemExit):
            tasks.send_due_mail()
        settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert tasks.send_due_mail() == 0
        clock.shift(mail.IN_HAND)
        assert tasks.send_due_mail() == 1
    assert len(django_mail.outbox) == 1


@pytest.mark.parametrize("task", [tasks.deliver_mail, tasks.send_due_mail])
def test_a_mail_stays_in_hand_longer_than_its_worker_may_run(task):
    assert mail.IN_HAND.total_seconds() > task.time_limit


def test_a_mail_server_that_says_nothing_is_a_failure(sent_tasks, settings):
    settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert settings.EMAIL_TIMEOUT == 20
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host, port = silent.getsockname()
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = host, port, 0.05
        write()
        assert tasks.send_due_mail() == 0
    row = OutgoingMail.objects.get()
    assert row.attempts == 1
    assert row.error.endswith("timed out")


def test_a_delivered_mail_keeps_no_secret_and_goes_after_a_month(sent_tasks):
    write()
    tasks.send_due_mail()
    row = OutgoingMail.objects.get()
    assert row.body == ""
    assert row.html == ""
    OutgoingMail.objects.update(sent_at=timezone.now() - mail.KEEP_SENT - timedelta(days=1))
    tasks.send_due_mail()
    assert not OutgoingMail.objects.exists()


def test_html_is_kept_and_attachments_are_refused(sent_tasks):
    message = EmailMultiAlternatives("Hello", "A line.", None, ["alice@example.org"])
    message.attach_alternative("<p>A line.</p>", "text/html")
    message.send()
    tasks.send_due_mail()
    assert django_mail.outbox[0].alternatives[0][0] == "<p>A line.</p>"
    message.attach("a.txt", "text")
    with pytest.raises(ValueError, match="attachments"):
        message.send()


def test_the_tasks_go_to_the_mail_queue():
    from portal.celery import app

    for task in (tasks.deliver_mail, tasks.send_due_mail, tasks.remove_idle_guests):
        assert app.amqp.router.route({}, task.name)["queue"].name == "mail"
