"""From files to rows: format, faults with file and line, languages that lag behind, loading twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from rules_docs import content, loader
from rules_docs.content import ContentError
from rules_docs.models import Book, Chapter, Paragraph, Root

Write = Callable[..., Path]
GOOD = "## Ki licitál\n\nEgyszer körbe. {#auction-1}\n\nLásd [[auction-1]]. {#auction-2}\n"


def chapter(root: Path, lang: str = "hu") -> content.Chapter:
    book = content.book("ra", root)
    return content.read_chapter(book, book.chapters[0], lang, root)


def test_blocks_carry_anchor_kind_section_and_plain_text(write_book: Write) -> None:
    root = write_book(
        "Előszó. {#auction-1}\n\n"
        "## Ki *licitál*\n\n"
        "Egy **napkővel**, két\nsorban. {#auction-2}\n\n"
        "- első\n- második {#auction-3}\n\n"
        "| a | b |\n| --- | ---: |\n| [[term:pharaoh]] | 1 |\n| minden, ami egy lapon elfér | 2 |\n\n{#auction-4}\n\n"
        "> Értelmezésünk. {#auction-5}\n"
    )
    blocks = chapter(root).blocks
    assert [(b.kind, b.anchor, b.section) for b in blocks] == [
        ("text", "auction-1", ""),
        ("heading", "on-auction-2", "Ki licitál"),
        ("text", "auction-2", "Ki licitál"),
        ("list", "auction-3", "Ki licitál"),
        ("table", "auction-4", "Ki licitál"),
        ("note", "auction-5", "Ki licitál"),
    ]
    assert blocks[2].html == "Egy <strong>napkővel</strong>, két\nsorban."
    assert blocks[2].text == "Egy napkővel, két sorban."
    assert '<td class="table__cell table__cell--num">1</td>' in blocks[4].html
    assert '<td class="table__cell">' in blocks[4].html
    assert '<td class="table__cell table__cell--long">minden' in blocks[4].html
    assert "fáraó" in blocks[4].text
    assert [content.places("ra", root)[f"auction-{n}"].number for n in range(1, 6)] == [1, 2, 3, 4, 5]


def test_a_chapter_without_rules_says_so_in_the_book_and_an_unknown_kind_is_a_fault(write_book: Write) -> None:
    from tests.rules_docs.conftest import BOOK

    root = write_book(GOOD, toml=BOOK + 'kind = "advice"\n')
    assert [(info.kind, info.is_rules) for info in content.book("ra", root).chapters] == [("advice", False)]
    root = write_book(GOOD)
    assert [(info.kind, info.is_rules) for info in content.book("ra", root).chapters] == [("rules", True)]
    root = write_book(GOOD, toml=BOOK + 'kind = "gossip"\n')
    with pytest.raises(ContentError, match=r"chapter 1 is of kind 'gossip', which is not one of rules, advice, background, variants"):
        content.book("ra", root)


@pytest.mark.parametrize("slug", ["p", "when", "whole", "aid", "glossary"])
def test_a_chapter_may_not_have_the_address_of_another_page(write_book: Write, slug: str) -> None:
    from tests.rules_docs.conftest import BOOK

    root = write_book(GOOD, toml=BOOK.replace('slug = "auction"', f'slug = "{slug}"'))
    with pytest.raises(ContentError, match=f"chapter 1: '{slug}' is the address of another page; choose another slug"):
        content.book("ra", root)


@pytest.mark.parametrize("key", ["search", "glossary", "offline"])
def test_a_book_may_not_have_the_address_of_another_page(write_book: Write, key: str) -> None:
    root = write_book(GOOD)
    (root / "ra").rename(root / key)
    with pytest.raises(ContentError, match=f"'{key}' is the address of another page; choose another key for the game"):
        content.book(key, root)


def test_an_anchor_right_under_a_table_is_no_row_of_it(write_book: Write) -> None:
    block = chapter(write_book("| a |\n| --- |\n| 1 |\n{#auction-1}\n")).blocks[0]
    assert (block.kind, block.html.count("<tr")) == ("table", 2)


def test_links_show_the_number_in_the_chapter_or_words(write_book: Write) -> None:
    root = write_book("Egy. {#auction-7}\n\n[[auction-7]] és [[auction-7|az első]] {#auction-2}\n")
    html = chapter(root).blocks[1].html
    assert (
        html == '<a class="rule-ref" href="/hu/rules/ra/auction/#auction-7">1</a> és <a href="/hu/rules/ra/auction/#auction-7">az első</a>'
    )


def test_a_tile_is_a_picture_with_its_noun(write_book: Write) -> None:
    html = chapter(write_book("[[tile:mon_statues]] {#auction-1}\n")).blocks[0].html
    assert '<use href="sprite:ra-mon-statue"/>' in html
    assert html.startswith('<a class="term piece-name" href="term:mon_statues/"><svg')
    assert html.endswith("szobor</a>")


def test_a_noun_leads_to_its_entry_and_reads_as_without_the_link(write_book: Write) -> None:
    block = chapter(write_book("A [[term:sun]], az. {#auction-1}\n")).blocks[0]
    assert block.html == 'A <a class="term" href="term:sun/">napkő</a>, az.'
    assert block.text == "A napkő, az."


def test_markup_of_the_text_is_shown_and_not_run(write_book: Write) -> None:
    html = chapter(write_book('<script>alert(1)</script> <b onclick="x()">a</b> [x](javascript:alert(1)) {#auction-1}\n')).blocks[0].html
    assert "<script" not in html
    assert "<b " not in html
    assert 'href="javascript' not in html


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("Szöveg horgony nélkül.\n", 7, "ends with no anchor"),
        ("Egy. {#auction-1}\n\nKettő. {#auction-1}\n", 9, "stands already"),
        ("Egy. {#Auction 1}\n", 7, "is no anchor"),
        ("Egy. {#auction-13}\n", 7, "was retired"),
        ("Egy. {#auction-1}\n\n[[auction-9]] {#auction-2}\n", 9, "leads to no paragraph"),
        ("[[tile:spaceship]] {#auction-1}\n", 7, "no noun 'spaceship'"),
        ("[[tile:epoch]] {#auction-1}\n", 7, "no picture of 'epoch'"),
        ("::example nothing\n\nEgy. {#auction-1}\n", 7, "no example 'nothing'"),
        ("## Cím\n", 7, "no paragraph stands under this heading"),
        ("## Cím {#auction-1}\n\nEgy. {#auction-2}\n", 7, "a heading takes no anchor"),
        ("Egy. {#auction-1}\n\n---\n", 9, "is not used in rule books"),
        ("{#auction-1}\n", 7, "belongs to no paragraph"),
        ("- egy {#auction-1}\n- két {#auction-2}\n", 7, "has 2 anchors"),
    ],
)
def test_a_fault_is_told_with_file_and_line(write_book: Write, body: str, line: int, message: str) -> None:
    with pytest.raises(ContentError, match=message) as caught:
        chapter(write_book(body))
    assert f"ra/hu/01-auction.md:{line}: " in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no front matter", "expected front matter"),
        ("---\ntitle: x\n", "not closed"),
        ("---\ntitle\n---\n", "expected 'key: value'"),
        ("---\ntitle: Az árverés\n---\n", "lacks 'source'"),
        ("---\ntitle: a\nsource: b\nsource_revision: c\nstate: draft\n---\n", "is no number"),
        ("---\ntitle: a\nsource: b\nsource_revision: 1\nstate: wild\n---\n", "state 'wild'"),
    ],
)
def test_faulty_front_matter_is_told(write_book: Write, text: str, message: str) -> None:
    root = write_book(GOOD)
    (root / "ra" / "hu" / "01-auction.md").write_text(text, "utf-8")
    content.forget()
    with pytest.raises(ContentError, match=message):
        chapter(root)


def test_a_translation_may_not_invent_anchors(write_book: Write) -> None:
    root = write_book(GOOD, "Once round. {#auction-1}\n\nMore. {#auction-9}\n")
    with pytest.raises(ContentError, match=r"ra/en/01-auction\.md:9: 'auction-9' is not an anchor of the source language"):
        chapter(root, "en")


def test_what_a_language_lacks_is_the_source_text_marked(write_book: Write, db: None) -> None:
    report = loader.load("ra", root=write_book(GOOD, "## Who bids\n\nOnce round. {#auction-1}\n"))
    assert report.missing == {"en": ["auction-2"]}
    rows = {row.anchor: row for row in Paragraph.objects.filter(lang="en")}
    assert (rows["auction-1"].text, rows["auction-1"].is_untranslated) == ("Once round.", False)
    assert (rows["auction-2"].text, rows["auction-2"].text_lang, rows["auction-2"].is_untranslated) == ("Lásd 1.", "hu", True)
    assert rows["on-auction-1"].section == "Who bids"
    assert not Chapter.objects.filter(is_missing=True).exists()


def test_a_chapter_without_translation_is_marked(write_book: Write, db: None) -> None:
    loader.load("ra", root=write_book(GOOD))
    assert Chapter.objects.get(lang="en").is_missing
    assert set(Paragraph.objects.filter(lang="en").values_list("text_lang", flat=True)) == {"hu"}


def test_a_translation_of_an_older_source_says_so(write_book: Write, db: None) -> None:
    english = "## Who\n\nOnce. {#auction-1}\n\nSee [[auction-1]]. {#auction-2}\n"
    loader.load("ra", root=write_book(GOOD, english, revision=2, en_revision=1))
    assert dict(Chapter.objects.values_list("lang", "is_outdated")) == {"hu": False, "en": True}


def test_loading_again_changes_no_row_and_a_change_replaces_all(write_book: Write, db: None) -> None:
    root = write_book(GOOD)
    assert loader.load("ra", root=root).changed
    first = list(Paragraph.objects.values_list("pk", flat=True))
    changed_at = Book.objects.get().changed_at
    assert not loader.load("ra", root=root).changed
    assert list(Paragraph.objects.values_list("pk", flat=True)) == first
    assert loader.load("ra", root=write_book(GOOD + "\nÚj. {#auction-3}\n")).changed
    assert Paragraph.objects.filter(anchor="auction-3").count() == 2
    assert not Paragraph.objects.filter(pk__in=first).exists()
    assert changed_at < Book.objects.get().changed_at <= timezone.now()


def test_a_new_title_is_loaded_for_the_search_finds_its_words(write_book: Write, db: None) -> None:
    from tests.rules_docs.conftest import BOOK

    assert loader.load("ra", root=write_book(GOOD)).changed
    assert loader.load("ra", root=write_book(GOOD, toml=BOOK.replace('title.en = "Ra"', 'title.en = "The Sun God"'))).changed


def test_a_word_too_long_for_the_index_is_left_out_of_it(write_book: Write, db: None) -> None:
    long = "megszentségteleníthetetlenségeskedéseitekért" * 2
    loader.load("ra", root=write_book(f"A {long} licitál. {{#auction-1}}\n"))
    assert long in Paragraph.objects.get(lang="hu", anchor="auction-1").text
    assert Root.objects.filter(lang="hu", root="licital").exists()


def test_a_faulty_book_leaves_the_loaded_one_as_it_was(write_book: Write, db: None) -> None:
    loader.load("ra", root=write_book(GOOD))
    with pytest.raises(ContentError):
        loader.load("ra", root=write_book(GOOD + "\nHorgony nélkül.\n"))
    assert Paragraph.objects.filter(anchor="auction-2").count() == 2


def test_a_book_whose_game_is_not_registered_is_written_but_not_offered(write_book: Write) -> None:
    root = write_book(GOOD)
    (root / "ra").rename(root / "chess")
    assert content.written_keys(root) == ["chess"]
    assert content.book_keys(root) == []
    assert content.book_keys(write_book(GOOD)) == ["ra"]


def run(*args: str) -> str:
    out = StringIO()
    call_command("load_rules", *args, stdout=out)
    return out.getvalue()


def test_the_command_loads_all_books_once(db: None) -> None:
    Book.objects.all().delete()
    assert run().endswith("; loaded\n")
    assert run().endswith("; unchanged\n")
    assert Book.objects.filter(game="ra").exists()


def test_the_check_writes_nothing_and_needs_no_database() -> None:
    assert run("--check").endswith("; read\n")  # no database mark: a query would raise


def test_the_report_as_json(db: None) -> None:
    report = json.loads(run("--json", "ra"))[0]
    assert report["game"] == "ra"
    assert report["missing"] == {}
    assert report["paragraphs"] == len(content.places("ra"))


def test_an_unknown_book_is_refused() -> None:
    with pytest.raises(CommandError, match="no rule book 'chess'"):
        run("chess")


def test_books_of_the_site_are_complete_in_their_languages() -> None:
    for game in content.book_keys():
        assert loader.read(game)[1] == {}
