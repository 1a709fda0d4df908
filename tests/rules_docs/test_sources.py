"""The lists of the sources: complete, numbered, led to paragraphs that exist in every language; and every fault said with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules_docs import content, sources

Write = Callable[..., Path]
BASE = Path(__file__).resolve().parents[2]
BOOKS = content.written_keys()
HU = "Egyszer körbe. {#auction-1}\n\nÉrtelmezésünk. {#auction-2}\n\nMásik. {#auction-3}\n"
EN = "Once round. {#auction-1}\n\nOur interpretation. {#auction-2}\n\nAnother. {#auction-3}\n"
LIST = """source_revision = 1

own = [
    { anchors = ["auction-2..3"], why = "our interpretations" },
]

[[headings]]
title = "Bidding"
count = 2
entries = [
    { n = 1, kind = "text", what = "once round", in = ["auction-1"] },
    { n = 2, kind = "picture", what = "the board", out = "our pages draw it" },
]
"""


@pytest.mark.parametrize("game", BOOKS)
def test_every_paragraph_of_the_source_is_covered_and_every_one_of_ours_explained(game: str) -> None:
    assert sources.problems(game) == []


@pytest.mark.parametrize("game", BOOKS)
def test_no_heading_of_the_source_is_empty(game: str) -> None:
    told = sources.read(game)
    assert told.headings
    assert [heading.title for heading in told.headings if not heading.count] == []
    titles = [heading.title for heading in told.headings]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("game", BOOKS)
def test_what_is_no_rule_stands_in_chapters_of_its_own_at_the_end(game: str) -> None:
    book = content.book(game)
    kinds = [chapter.kind for chapter in book.chapters]
    assert kinds[-1] != "rules"  # every source holds something beside rules
    assert kinds == sorted(kinds, key=lambda kind: kind != "rules")
    for chapter in book.chapters:
        assert chapter.is_rules or chapter.slug == chapter.kind
    apart = {chapter.slug for chapter in book.chapters if not chapter.is_rules}
    for anchor, place in content.places(game).items():
        assert (place.chapter in apart) == (anchor.rpartition("-")[0] in apart)


@pytest.mark.parametrize("game", BOOKS)
def test_notes_on_a_source_name_paragraphs_that_exist(game: str) -> None:
    text = (BASE / "docs" / "rules" / f"{game}_source_map.md").read_text("utf-8")
    assert f"{game}/{sources.FILE}" in text
    assert {anchor for anchor in re.findall(r"\b[a-z]+(?:-[a-z]+)*-\d+\b", text) if anchor not in content.places(game)} == set()


# ---------------------------------------------------------------- faults


def faults(write_book: Write, told: str, *, hu: str = HU, en: str = EN, **revisions: int) -> list[str]:
    root = write_book(hu, en, **revisions)
    (root / "ra" / sources.FILE).write_text(told, "utf-8")
    return [fault.removeprefix(f"{root}/") for fault in sources.problems("ra", root)]


def test_a_list_that_fits_its_book_has_no_fault(write_book: Write) -> None:
    assert faults(write_book, LIST) == []


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (
            ', out = "our pages draw it"',
            "",
            "ra/sources.toml:12: name the paragraphs that cover it (in = …), or say why it is left out (out = …)",
        ),
        ('out = "our pages draw it"', 'out = " "', "ra/sources.toml:12: name the paragraphs that cover it (in = …), or say why"),
        ('"once round"', '""', "ra/sources.toml:11: say in a few words what the paragraph is about"),
        ('"picture"', '"photo"', "ra/sources.toml:12: kind 'photo' is not one of text, list, table"),
        ("n = 2", "n = 3", "ra/sources.toml:12: 'Bidding' goes on with 3; its next paragraph is 2"),
        ("n = 2", "n = 1", "ra/sources.toml:12: 'Bidding' goes on with 1; its next paragraph is 2"),
        ("count = 2", "count = 3", "ra/sources.toml:7: 'Bidding' has 2 entries, but the source has 3 paragraphs there"),
        ("count = 2", "count = 1", "ra/sources.toml:7: 'Bidding' has 2 entries, but the source has 1 paragraphs there"),
        ('why = "our interpretations"', 'why = ""', "ra/sources.toml:4: say why we have these paragraphs"),
        (
            '["auction-2..3"]',
            '["auction-1..3"]',
            "ra/sources.toml:4: 'auction-1' covers an entry below; take it off the list of what is ours",
        ),
        ('["auction-2..3"]', '["auction-2..3", "auction-2"]', "ra/sources.toml:4: 'auction-2' is already listed as ours in line 4"),
        ('["auction-2..3"]', '["auction-2..4"]', "ra/sources.toml:4: no paragraph or example has the anchor 'auction-4'; write it"),
        ('["auction-2..3"]', '["auction-2"]', "ra/hu/01-auction.md:11: nothing in ra/sources.toml names 'auction-3'; add it to the entry"),
        ("source_revision = 1", "source_revision = 2", "ra/sources.toml:1: counted in revision 2 of the source, but book.toml is at 1"),
        ('what = "once round", in', 'what = "once round", at', "ra/sources.toml:11: at: not known here (n, kind, what, in, out)"),
        ('kind = "text", ', "", "ra/sources.toml:11: kind: expected str, found NoneType"),
        ("    { n = 2", "    {n = 2", "ra/sources.toml:1: every entry starts a line of its own with { n = …; 2 entries, 1 such lines"),
        ("[[headings]]", "[[headings]", "ra/sources.toml:1: Expected ']]'"),
    ],
)
def test_a_fault_is_said_with_its_place_and_what_to_do(write_book: Write, before: str, after: str, fault: str) -> None:
    assert before in LIST
    (found,) = faults(write_book, LIST.replace(before, after))
    assert found.startswith(fault)


def test_a_book_without_a_list_is_a_fault(write_book: Write) -> None:
    (found,) = sources.problems("ra", write_book(HU, EN))
    assert found.endswith("ra/sources.toml:1: the book has no list of its source; see rules_docs/README.md")


def test_a_paragraph_that_a_language_lacks_is_a_fault(write_book: Write) -> None:
    lacking = EN.replace("Once round. {#auction-1}\n\n", "")
    assert faults(write_book, LIST, en=lacking) == ["ra/sources.toml:11: 'auction-1' is missing in en; translate it there"]


def test_a_chapter_that_a_language_lacks_is_a_fault(write_book: Write) -> None:
    root = write_book(HU, EN)
    (root / "ra" / sources.FILE).write_text(LIST, "utf-8")
    (root / "ra" / "en" / "01-auction.md").unlink()
    found = sources.problems("ra", root)
    assert found[0].endswith("ra/en/01-auction.md:1: the chapter is missing; write it in 'en'")
    assert len(found) == 4  # its three paragraphs as well


@pytest.mark.parametrize(("hu", "en"), [(1, 0), (0, 1), (2, 1)])
def test_a_chapter_that_lags_behind_its_source_is_a_fault_in_any_language(write_book: Write, hu: int, en: int) -> None:
    found = faults(write_book, LIST, revision=hu, en_revision=en)
    behind = [(lang, revision) for lang, revision in (("hu", hu), ("en", en)) if revision != 1]
    assert found == [
        f"ra/{lang}/01-auction.md:4: written from revision {revision} of the source, but book.toml is at 1; "
        "compare the chapter with the source, then set the number"
        for lang, revision in behind
    ]


def test_a_worked_example_has_to_be_named_as_well(write_book: Write) -> None:
    root = write_book(HU + "\n::example lone\n", EN + "\n::example lone\n")
    (root / "ra" / sources.FILE).write_text(LIST, "utf-8")
    (found,) = sources.problems("ra", root)
    assert "ra/hu/01-auction.md:13: nothing in ra/sources.toml names 'example-lone'" in found


# ---------------------------------------------------------------- the command


def test_the_check_of_the_rule_books_reports_every_fault_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "problems", lambda game: [f"{game}: one", f"{game}: two"])
    out = StringIO()
    with pytest.raises(CommandError, match=r"^ra: one\nra: two$"):
        call_command("load_rules", "ra", "--check", stdout=out)
    assert out.getvalue().startswith("ra: ")


def test_the_check_of_a_book_without_faults_passes() -> None:
    out = StringIO()
    call_command("load_rules", "babel", "--check", stdout=out)
    assert out.getvalue().endswith("; read\n")
