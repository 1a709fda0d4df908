"""People and games for the tests of positions and of what other sites show."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.portal.clubs.conftest import club, guest, olga, private, zoe
from tests.portal.notices.conftest import browser
from tests.portal.tables.conftest import alice, bob, charlie, fixed_secret
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

__all__ = ["alice", "bob", "browser", "charlie", "club", "fixed_secret", "guest", "olga", "private", "zoe"]


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def ended(alice, fixed_secret):
    """A finished game of Babel at which Alice played."""
    return play(opened(alice, "babel"))


@pytest.fixture
def running(alice, fixed_secret):
    """A rated game of Babel of Alice's, under way: she has a hand that nobody else may see."""
    return play(opened(alice, "babel"), records=14)
