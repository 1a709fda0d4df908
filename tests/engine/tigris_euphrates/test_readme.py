"""The table of readings in games/tigris_euphrates/README.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import games.tigris_euphrates

PACKAGE = Path(games.tigris_euphrates.__file__).parent
README = (PACKAGE / "README.md").read_text(encoding="utf-8")
TESTS = {
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)
}


def test_every_reading_has_a_test_that_exists():
    rows = dict(re.findall(r"^\| (R\d+) \|.*\| (.*) \|$", README, re.M))
    assert list(rows) == [f"R{n}" for n in range(1, 64)]
    for number, cell in rows.items():
        named = re.findall(r"`(test_\w+)`", cell)
        assert named, number
        assert set(named) <= TESTS, number
    assert set(re.findall(r"`(test_\w+)`", README)) <= TESTS


def test_every_module_is_named():
    files = README.partition("## Files")[2].partition("Beside the state")[0]
    assert set(re.findall(r"`(\w+)`", files)) == {file.stem for file in PACKAGE.glob("*.py")} - {"__init__"}
