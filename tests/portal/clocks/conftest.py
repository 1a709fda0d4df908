"""People, and tables with clocks."""

from __future__ import annotations

import pytest

from portal.accounts.models import User
from portal.tables import services
from portal.tables.pace import Kind, Pace

LIVE = Pace(Kind.LIVE, bank_s=600, add_s=15)
DAYS = Pace(Kind.DAYS, days=3)


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", "alice@example.org", "correct horse")


@pytest.fixture
def bob(db):
    return User.objects.create_user("bob", "bob@example.org", "correct horse")


@pytest.fixture
def charlie(db):
    return User.objects.create_user("charlie", "charlie@example.org", "correct horse")


@pytest.fixture
def fixed_secret(monkeypatch):
    """Tables open with a known secret, so that the draws are known as well."""
    monkeypatch.setattr("games.core.sealed.new_secret", lambda: bytes(range(32)))


@pytest.fixture
def opened(alice, bob, fixed_secret):
    """Return a function that starts a table of Alice and Bob at a pace."""

    def start(pace, *, game="tigris_euphrates", seats=2, bots=()):
        loaded = services.create_table(owner=alice, game_key=game, seats=seats, bots=list(bots), pace=pace)
        return services.join_table(table_id=loaded.table.pk, user=bob)

    return start
