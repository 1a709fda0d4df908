"""`make check-rules`: what is wrong, missing or out of date, told with file, line and what to do."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules_docs import checks, content

Write = Callable[..., Path]
TWO = "Egyszer körbe. {#auction-1}\n\n## Kettő\n\nMég egyszer. {#auction-2}\n"


def found(root: Path) -> checks.Findings:
    return checks.check("ra", root)


def test_all_faults_are_told_at_once(write_book: Write) -> None:
    root = write_book("[[auction-9]] {#auction-1}\n", "No anchor.\n")
    (hu, en) = found(root).faults
    assert hu.endswith("ra/hu/01-auction.md:7: [[auction-9]] leads to no paragraph; did you mean auction-1?")
    assert en.endswith(
        "ra/en/01-auction.md:7: ends with no anchor; end it with the one of this paragraph in the source language, like {#auction-3}"
    )


def test_a_file_that_is_not_utf_8_is_named_with_its_line(write_book: Write) -> None:
    root = write_book(TWO, TWO)
    (root / "ra" / "en" / "01-auction.md").write_bytes(b"---\ntitle: x\nsource: \xe1\n---\n")
    (fault,) = found(root).faults
    assert fault.endswith("ra/en/01-auction.md:3: is not UTF-8; save the file in this encoding")


def test_a_book_that_cannot_be_opened_is_one_fault(write_book: Write) -> None:
    root = write_book(TWO, toml="title = ")
    (fault,) = found(root).faults
    assert "ra/book.toml:1: " in fault


def test_a_source_without_its_chapter_is_told(write_book: Write) -> None:
    root = write_book(TWO)
    (root / "ra" / "hu" / "01-auction.md").unlink()
    (fault,) = found(root).faults
    assert fault.endswith("ra/hu/01-auction.md:1: the chapter has no text in the source language; write it")


def test_a_translator_is_told_what_is_missing_and_where_it_goes(write_book: Write) -> None:
    lines = found(write_book(TWO, "Once round. {#auction-1}\n")).open["en"]
    assert [line.partition("ra/en/")[2] for line in lines[:2]] == [
        "01-auction.md:7: below here a heading is missing; translate 01-auction.md:9",
        "01-auction.md:7: below here auction-2 is missing; translate 01-auction.md:11 and end it with {#auction-2}",
    ]


def test_a_chapter_that_nobody_has_translated_is_told(write_book: Write) -> None:
    lines = found(write_book(TWO)).open["en"]
    assert lines[0].endswith("ra/en/01-auction.md:1: is missing; translate 01-auction.md of 'hu', anchors included")


def test_a_chapter_behind_its_source_is_told(write_book: Write) -> None:
    lines = found(write_book(TWO, TWO, revision=3, en_revision=2)).open["en"]
    assert lines[0].endswith(
        "ra/en/01-auction.md:4: is translated from revision 2, and the source is at 3; "
        "see what has changed in 01-auction.md, then write source_revision: 3"
    )


def test_every_language_of_the_site_has_the_title_of_a_book(write_book: Write) -> None:
    assert [line.partition("book.toml:1: ")[2] for line in found(write_book(TWO, TWO)).open["ru"]] == [
        "title.ru is missing; every language of the site has it, even without the text",
        "source_edition.ru is missing; every language of the site has it, even without the text",
    ]


def test_a_broken_example_and_one_without_a_language_are_told(write_book: Write) -> None:
    root = write_book(TWO, TWO)
    folder = root / "ra" / "examples"
    folder.mkdir()
    whole = (content.ROOT / "ra" / "examples" / "auction.json").read_text("utf-8")
    (folder / "bad.json").write_text("{", "utf-8")
    (folder / "other.json").write_text(whole.replace('"en": "A whole auction"', '"xx": "A whole auction"'), "utf-8")
    told = found(root)
    assert any("bad.json:1: ra/examples/bad.json: is no JSON" in line for line in told.faults)
    assert any("other.json:1: anchor 'auction-" in line for line in told.faults)
    assert any('title has no text in this language; add "en": "…" to it' in line for line in told.open["en"])


def test_a_sound_book_has_no_fault_and_drafts_are_counted(write_book: Write) -> None:
    told = found(write_book(TWO, TWO, state="draft"))
    assert told.faults == []
    assert told.drafts == {"hu": 1, "en": 1}


def test_the_command_fails_at_a_fault_and_passes_over_what_is_missing(write_book: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = checks.check, StringIO()
    root = write_book(TWO, "Once round. {#auction-1}\n")
    monkeypatch.setattr(checks, "check", lambda game: whole("ra", root))
    call_command("check_rules", "ra", "--lang=en", stdout=out)
    assert "below here auction-2 is missing" in out.getvalue()
    assert "title.ru" not in out.getvalue()
    assert "ra: 3 things to translate" in out.getvalue()
    write_book("Szöveg.\n")
    with pytest.raises(CommandError, match="2 faults"):
        call_command("check_rules", "ra", "--faults", stdout=out)
    with pytest.raises(CommandError, match="no rule book 'chess'"):
        call_command("check_rules", "chess")


def test_the_check_of_the_repository_reads_the_rule_books() -> None:
    makefile = (content.ROOT.parent.parent / "Makefile").read_text("utf-8")
    lint = makefile[makefile.index("\nlint:") : makefile.index("\ntypes:")]
    assert "manage.py check_rules --faults" in lint
