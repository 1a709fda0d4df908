"""Which tests cover which paragraph, read from the source of the tests."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules_docs import content, coverage

MARKS = cache(coverage.marks)
NOWHERE = "ra#no-such-paragraph"
TESTS = """
import pytest
pytestmark = pytest.mark.rule("ra#overview-1")

@pytest.mark.rule("ra#auction-3", "ra#auction-4")
def test_bid(): ...

class TestGods:
    @pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.rule("ra#gods-1"))])
    def test_use(self, n): ...

def test_plain(): "ra#gods-2"
"""


@pytest.fixture(autouse=True)
def _read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the source of the suite once for all tests of this file."""
    monkeypatch.setattr(coverage, "marks", MARKS)


def test_marks_are_found_on_modules_functions_and_parameters(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_a.py").write_text(TESTS)
    (tmp_path / "helper.py").write_text(TESTS)
    assert coverage.marks(tmp_path) == {
        "ra#overview-1": ["deep/test_a.py"],
        "ra#auction-3": ["deep/test_a.py::test_bid"],
        "ra#auction-4": ["deep/test_a.py::test_bid"],
        "ra#gods-1": ["deep/test_a.py::TestGods.test_use"],
    }


def test_a_mark_without_a_paragraph_is_unknown() -> None:
    marks = {"ra#auction-3": ["a"], NOWHERE: ["b"], "chess#opening": ["c"]}
    assert coverage.unknown(marks) == [(NOWHERE, "b"), ("chess#opening", "c")]


def test_examples_count_for_the_paragraph_that_they_show() -> None:
    book = coverage.of_book("ra", {"ra#auction-10": ["a test"]})
    assert list(book) == list(content.places("ra"))
    assert book["auction-10"] == ["a test", "example auction"]


def run(*args: str) -> str:
    out = StringIO()
    call_command("rules_coverage", *args, stdout=out)
    return out.getvalue()


def test_the_command_lists_every_paragraph_and_the_sum() -> None:
    lines = run("ra").splitlines()
    anchors = list(content.places("ra"))
    assert [line.partition(":")[0] for line in lines[:-1]] == [f"ra#{anchor}" for anchor in anchors]
    assert lines[-1].endswith(f"of {len(anchors)} paragraphs are shown by a test or an example")


def test_only_what_nothing_shows_and_the_same_as_json() -> None:
    books = json.loads(run("--json"))
    assert set(books) == set(content.book_keys())
    for game, paragraphs in books.items():
        bare = [f"{game}#{anchor}: -" for anchor, names in paragraphs.items() if not names]
        assert run(game, "--bare").splitlines()[:-1] == bare


def test_every_rule_marker_of_the_suite_names_a_paragraph() -> None:
    marks = coverage.marks(Path(__file__).resolve().parents[1])
    assert marks
    assert coverage.unknown(marks) == []


def test_a_mark_without_a_paragraph_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "marks", lambda folder: {NOWHERE: ["test_x"]})
    with pytest.raises(CommandError, match=rf"{NOWHERE} \(test_x\)"):
        run()


def test_an_unknown_book_is_refused() -> None:
    with pytest.raises(CommandError, match="no rule book 'chess'"):
        run("chess")
