"""The registry with another game, and the places of its template, style and sprite."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games import registry
from tests.portal.tables.conftest import alice, bob

HERE = Path(__file__).parent
NIM = registry.Entry("nim", "tests.portal.sixth.nim")

__all__ = ["alice", "bob"]


@pytest.fixture
def nim(db, settings, monkeypatch):
    """The registry line; folders replace the files that a real game puts beside the others."""
    monkeypatch.setitem(registry.GAMES, "nim", NIM)
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], HERE / "templates"]}]
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, HERE / "static"]
    finders.get_finder.cache_clear()
    yield NIM
    finders.get_finder.cache_clear()
