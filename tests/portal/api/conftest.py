"""Alice owns the table, Bob plays with her, Charlie is a stranger."""

import pytest

from tests.portal.api.asking import Person
from tests.portal.clubs.conftest import guest
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "charlie", "duel", "fixed_secret", "guest", "table"]


@pytest.fixture
def hers(alice):
    return Person(alice)


@pytest.fixture
def his(bob):
    return Person(bob)


@pytest.fixture
def strangers(charlie):
    return Person(charlie)
