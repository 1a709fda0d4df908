"""People and tables for the tests of the chat: Alice and Bob play, Charlie watches."""

from __future__ import annotations

import pytest

from tests.portal.clubs.conftest import club, guest, olga, private, zoe
from tests.portal.notices.conftest import browser
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "browser", "charlie", "club", "duel", "fixed_secret", "guest", "olga", "private", "table", "zoe"]


@pytest.fixture
def says(browser, duel):
    """Post a line as the form does; returns the answer."""

    def say(user, text="Hello there", room="players", table=None, **fields):
        return browser(user).post(f"/tables/{(table or duel).pk}/talk/say/", {"room": room, "text": text, **fields})

    return say


@pytest.fixture
def reads(browser, duel):
    """The page of the chat as a person reads it."""

    def read(user, language="en", table=None):
        return browser(user, language).get(f"/tables/{(table or duel).pk}/talk/").content.decode()

    return read
