"""The table of readings in games/history_of_the_world/README.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import games.history_of_the_world

README = (Path(games.history_of_the_world.__file__).parent / "README.md").read_text(encoding="utf-8")
TESTS = {
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)
}


def test_every_reading_has_a_test_that_exists():
    rows = dict(re.findall(r"^\| (\d+a?) \|.*\| (.*) \|$", README, re.M))
    assert list(rows) == [*map(str, range(1, 36)), "35a", *map(str, range(36, 44))]
    for number, cell in rows.items():
        named = re.findall(r"`(test_\w+)`", cell)
        assert named
        assert set(named) <= TESTS, number
