"""Alice, Bob and Charlie, who don't know each other yet."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "browser", "charlie", "duel", "fixed_secret", "fresh", "table"]


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


@pytest.fixture
def browser():
    def signed_in(user=None):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return signed_in
