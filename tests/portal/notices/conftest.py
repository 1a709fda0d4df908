"""People and tables for the tests of the notices."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from portal.notices import hooks
from tests.portal.clubs.conftest import club, guest, olga, private, zoe
from tests.portal.notices.catchers import HookCatcher, MailCatcher, running
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "charlie", "club", "duel", "fixed_secret", "guest", "olga", "private", "table", "zoe"]


@pytest.fixture
def browser():
    """A browser with a person signed in, by name of the language."""

    def sign_in(user=None, language="en"):
        client = Client()
        client.cookies["django_language"] = language
        if user is not None:
            client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def confirmed(alice):
    """Alice, whose address is hers."""
    EmailAddress.objects.create(user=alice, email="alice@example.org", primary=True, verified=True)
    return alice


@pytest.fixture
def mails(settings):
    """A mail server on loopback to which the queue delivers."""
    with running(MailCatcher()) as server:
        settings.EMAIL_BACKEND = "portal.accounts.mail.QueuedMailBackend"
        settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


@pytest.fixture
def hook(settings, alice):
    """A web address of Alice's on loopback."""
    settings.HOOKS_TO_PRIVATE = True
    with running(HookCatcher()) as server:
        server.secret = hooks.save_hook(alice, server.url)
        yield server
