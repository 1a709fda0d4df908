"""The table of readings in games/after_the_flood/README.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import games.after_the_flood

README = (Path(games.after_the_flood.__file__).parent / "README.md").read_text(encoding="utf-8")
TESTS = {
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)
}


def test_every_reading_has_a_test_that_exists():
    rows = dict(re.findall(r"^\| (R\d+) \|.*\| (.*) \|$", README, re.M))
    assert list(rows) == [f"R{n}" for n in range(1, 41)]
    for number, cell in rows.items():
        named = re.findall(r"`(test_\w+)`", cell)
        assert named
        assert set(named) <= TESTS, number
