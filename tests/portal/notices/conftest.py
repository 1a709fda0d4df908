"""People and tables for the tests of the notices."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.portal.clubs.conftest import club, guest, olga, private, zoe
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
