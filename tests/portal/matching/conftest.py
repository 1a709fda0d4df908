"""People who look for a table."""

from __future__ import annotations

import pytest

from portal.matching import services
from tests.portal.notices.conftest import browser
from tests.portal.tables.conftest import alice, bob, charlie

__all__ = ["alice", "bob", "browser", "charlie"]


@pytest.fixture(autouse=True)
def tasks(monkeypatch):
    """What would be enqueued when a search begins; the tests pair by themselves."""
    enqueued: list[str] = []
    monkeypatch.setattr(services, "later", enqueued.append)
    return enqueued


@pytest.fixture
def looks():
    """Start a search for a live game of Ra."""

    def look(user, **wanted):
        return services.look(user=user, **({"game": "ra", "kind": "live", "seats": 2} | wanted))

    return look
