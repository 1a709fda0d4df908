"""Engine tests: no database, no server, seconds."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(anchor, ...): the paragraphs of the rule book that the scenario is about, as 'ra#auction-3'")
