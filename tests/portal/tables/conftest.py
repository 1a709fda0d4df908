"""People and tables for the tests of the table service."""

from __future__ import annotations

import pytest

from portal.accounts.models import User
from portal.tables import services
from portal.tables.models import Table


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
def table(alice, bob, fixed_secret):
    """Ra with Alice, Bob and a bot, just started."""
    loaded = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"], word="one")
    services.join_table(table_id=loaded.table.pk, user=bob, word="two")
    return Table.objects.get(pk=loaded.table.pk)


@pytest.fixture
def duel(alice, bob, fixed_secret):
    """Ra for two people, just started."""
    loaded = services.create_table(owner=alice, game_key="ra", seats=2)
    services.join_table(table_id=loaded.table.pk, user=bob)
    return Table.objects.get(pk=loaded.table.pk)
