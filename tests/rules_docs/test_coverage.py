"""Which tests cover which paragraph, read from the source of the tests, and why none covers the others."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules_docs import content, coverage, examples
from rules_docs.content import ContentError

MARKS = cache(coverage.marks)
SUITE = Path(__file__).resolve().parents[1]
FEWEST_EXAMPLES = 20

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


def rules_of(game: str) -> list[str]:
    """The paragraphs of a book but its background."""
    return [anchor for anchor in content.places(game) if not anchor.startswith("background-")]


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
    assert list(book) == rules_of("ra")
    assert book["auction-10"] == ["a test", "example auction"]


def run(*args: str) -> str:
    out = StringIO()
    call_command("rules_coverage", *args, stdout=out)
    return out.getvalue()


def test_the_command_lists_every_paragraph_and_the_sum() -> None:
    lines = run("ra").splitlines()
    anchors = rules_of("ra")
    assert [line.partition(":")[0] for line in lines[:-1]] == [f"ra#{anchor}" for anchor in anchors]
    assert f"of {len(anchors)} paragraphs are shown by a test or an example" in lines[-1]


def test_the_command_tells_the_reason_where_nothing_shows_a_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "marks", lambda folder: {"ra#auction-9": ["test_x"]})
    monkeypatch.setattr(coverage, "reasons", lambda game: {"overview-1": "Theme."})
    *lines, summary = run("ra").splitlines()
    assert {"ra#overview-1: Theme.", "ra#overview-2: -", "ra#auction-9: test_x"} <= set(lines)
    shown = len({examples.example("ra", name).anchor for name in examples.example_names("ra")}) + 1
    of = len(lines)
    assert summary == (
        f"ra: {shown} of {of} paragraphs are shown by a test or an example, 1 have a reason instead, {of - shown - 1} have neither"
    )


def test_only_what_nothing_shows_and_the_same_as_json() -> None:
    books = json.loads(run("--json"))
    assert set(books) == set(content.book_keys())
    for game, paragraphs in books.items():
        given = coverage.reasons(game)
        bare = [f"{game}#{anchor}: {given.get(anchor, '-')}" for anchor, names in paragraphs.items() if not names]
        assert run(game, "--bare").splitlines()[:-1] == bare


def test_every_rule_marker_of_the_suite_names_a_paragraph() -> None:
    marks = coverage.marks(SUITE)
    assert marks
    assert coverage.unknown(marks) == []


@pytest.mark.parametrize("game", content.written_keys())
def test_every_paragraph_is_held_or_has_a_reason(game: str) -> None:
    held = coverage.of_book(game, coverage.marks(SUITE))
    given = coverage.reasons(game)
    assert coverage.faults(held, given) == []
    assert coverage.without_reason(held, given) == []


@pytest.mark.parametrize("game", content.written_keys())
def test_every_book_has_enough_drawn_examples(game: str) -> None:
    assert len(examples.example_names(game)) >= FEWEST_EXAMPLES


def test_the_figures_in_the_docs_are_those_of_today() -> None:
    file = SUITE.parent / "docs" / "rules" / "coverage.md"
    assert file.read_text("utf-8") == coverage.matrix(coverage.marks(SUITE)), "run manage.py rules_coverage --matrix"


def test_a_reason_belongs_to_a_paragraph_that_nothing_holds() -> None:
    held = {"overview-1": [], "overview-2": ["test_x"], "overview-3": []}
    given = {"overview-1": "Theme.", "overview-2": "Theme.", "overview-9": "Theme."}
    assert coverage.faults(held, given) == [
        "overview-9: has a reason, but there is no such paragraph",
        "overview-2: has a reason, but test_x holds it",
    ]
    assert coverage.without_reason(held, given) == ["overview-3"]


def test_a_book_without_the_file_gives_no_reasons(tmp_path: Path) -> None:
    assert coverage.reasons("ra", tmp_path) == {}


@pytest.mark.parametrize("text", ["overview-1 = 1", 'overview-1 = " "', "[overview]\n1 = 'Theme.'", "overview-1 ="])
def test_what_is_no_reason_is_a_fault(tmp_path: Path, text: str) -> None:
    (tmp_path / "ra").mkdir()
    (tmp_path / "ra" / "unheld.toml").write_text(text)
    with pytest.raises(ContentError, match=r"unheld\.toml"):
        coverage.reasons("ra", tmp_path)


def test_a_mark_without_a_paragraph_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "marks", lambda folder: {NOWHERE: ["test_x"]})
    with pytest.raises(CommandError, match=rf"{NOWHERE} \(test_x\)"):
        run()


def test_an_unknown_book_is_refused() -> None:
    with pytest.raises(CommandError, match="no rule book 'chess'"):
        run("chess")
