"""Search: stems of each language, queries without accents, prefixes, similar words, odd input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rules_docs import loader
from rules_docs.models import Paragraph
from rules_docs.search import MAX_HITS, search

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]


def anchors(q: str, lang: str) -> list[str]:
    return [hit.anchor for group in search(q, lang).groups for hit in group.hits]


@pytest.mark.parametrize("q", ["napkő", "napkövek", "NAPKÖVEK", "napkovek", "napkövekkel"])
def test_hungarian_words_are_found_by_stem_and_without_accents(q: str) -> None:
    assert search(q, "hu").alike == ""
    assert "suns-2" in anchors(q, "hu") or "auction-3" in anchors(q, "hu")


@pytest.mark.parametrize("form", ["áradások", "áradást", "aradasok", "ARADASSAL"])
def test_forms_of_one_hungarian_word_find_the_same_paragraphs(form: str) -> None:
    base = anchors("áradás", "hu")
    assert "niles-1" in base
    assert set(anchors(form, "hu")) == set(base)


def test_a_form_that_the_stemmer_cuts_otherwise_is_found_by_its_beginning() -> None:
    """lapka is cut to "lap", lapkák to "lapk": the whole words beside the stems match both."""
    assert "draw-1" in anchors("lapka szomszéd", "hu")
    singular = {hit.excerpt for group in search("lapkák szomszéd", "hu").groups for hit in group.hits if hit.anchor == "draw-1"}
    assert singular
    assert all("<mark>" in excerpt for excerpt in singular)


@pytest.mark.parametrize(("q", "anchor"), [("passing", "auction-3"), ("floods", "niles-1"), ("monument", "monuments-1")])
def test_english_words_are_found_by_stem(q: str, anchor: str) -> None:
    assert anchor in anchors(q, "en")


def test_a_word_that_has_only_begun_finds_the_rest() -> None:
    assert search("astrono", "en").alike == ""
    assert anchors("astrono", "en")


def test_all_words_must_be_there_and_a_phrase_as_it_stands() -> None:
    both = set(anchors("flood nile", "en"))
    assert both
    assert both <= set(anchors("flood", "en")) & set(anchors("nile", "en"))
    assert anchors('"centre sun"', "en")
    assert not set(anchors('"sun centre"', "en")) & set(anchors('"centre sun"', "en"))


def test_a_word_can_be_shut_out() -> None:
    without = set(anchors("flood -drought", "en"))
    assert without
    assert not without & set(anchors("drought", "en"))


def test_a_misspelt_word_finds_what_is_like_it() -> None:
    result = search("pharoahs", "en")
    assert result.alike == "pharaohs"
    assert any(hit.anchor.startswith("pharaohs-") for group in result.groups for hit in group.hits)


@pytest.mark.parametrize(
    "q", ["", "   ", "???", "\x07", "xqzwvk", "' OR 1=1 --", "a & | ! ( )", "\\", "%s {0}", "<->", "x" * 5000, ":*", '"']
)
def test_odd_questions_are_answered_calmly(q: str, client: Client) -> None:
    response = client.get("/en/rules/search/", {"q": q})
    assert response.status_code == 200


def test_no_more_hits_than_a_page_holds() -> None:
    assert search("a tile the player", "en").count <= MAX_HITS


def test_the_words_are_marked_and_the_text_is_escaped(client: Client) -> None:
    excerpts = [hit.excerpt for group in search("flood", "en").groups for hit in group.hits]
    assert any("<mark>flood</mark>" in excerpt for excerpt in excerpts)
    assert "<b>boo</b>" not in client.get("/en/rules/search/", {"q": "<b>boo</b>"}).content.decode()


def test_signs_of_html_in_a_paragraph_are_shown_as_they_are() -> None:
    Paragraph.objects.filter(game="ra", lang="en", anchor="niles-1").update(text="A flood is worth something if 4 < 5 & 5 > 4.")
    excerpts = {hit.anchor: hit.excerpt for group in search("flood", "en").groups for hit in group.hits if group.game == "ra"}
    assert excerpts["niles-1"] == "A <mark>flood</mark> is worth something if 4 &lt; 5 &amp; 5 &gt; 4."


def test_another_language_is_another_book() -> None:
    assert anchors("napkő", "en") == []
    assert search("flood", "ru").count == 0
    assert search("flood", "xx").count == 0


def test_a_paragraph_without_translation_is_found_in_its_own_language_only(write_book: Callable[..., Path]) -> None:
    loader.load("ra", root=write_book("Egyszer. {#auction-1}\n\nKalapot emel. {#auction-2}\n", "Once. {#auction-1}\n"))
    assert anchors("kalapot", "hu") == ["auction-2"]
    assert anchors("kalapot", "en") == []


def test_one_query_finds_and_two_more_look_for_likeness(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        search("flood", "en")
    with django_assert_num_queries(3):
        search("pharoahs", "en")
    with django_assert_num_queries(2):
        search("xqzwvk", "en")
    with django_assert_num_queries(0):
        search("", "en")


def test_the_index_serves_the_search() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN SELECT id FROM rules_docs_paragraph WHERE search @@ websearch_to_tsquery('hu_un', 'napkő')")
        stems = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("EXPLAIN SELECT id FROM rules_docs_word WHERE folded % 'napko'")
        likeness = "\n".join(row[0] for row in cursor.fetchall())
    assert "paragraph_search" in stems
    assert "word_trigrams" in likeness


def test_the_page_says_which_word_it_looked_for_instead(client: Client) -> None:
    page = client.get("/en/rules/search/", {"q": "pharoahs"}).content.decode()
    assert "No paragraph contains “pharoahs”. These match “pharaohs”" in page


def test_hits_are_grouped_by_game_and_lead_to_their_paragraph(client: Client) -> None:
    page = client.get("/hu/rules/search/", {"q": "napkő"}).content.decode()
    assert page.count('id="hits-ra"') == 1
    assert 'href="/hu/rules/ra/auction/#auction-8"' in page


def test_the_page_says_when_nothing_was_found(client: Client) -> None:
    page = client.get("/en/rules/search/", {"q": "xqzwvk"}).content.decode()
    assert "No paragraph contains these words" in page
    assert 'href="/en/rules/ra/"' in page


def test_the_language_switch_keeps_the_question(client: Client) -> None:
    page = client.get("/en/rules/search/", {"q": "sun & moon"}).content.decode()
    assert 'href="/hu/rules/search/?q=sun%20%26%20moon"' in page


@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
@pytest.mark.parametrize(
    "q", ["-" * 33 + "nil", "- " * 60 + "nil", "(-" * 60 + "nil", '-"' * 60 + "nil", "-nil " * 30, "\"'\\-" * 40 + "nil"]
)
def test_no_heap_of_hyphens_is_a_fault(client: Client, lang: str, q: str) -> None:
    assert client.get(f"/{lang}/rules/search/", {"q": q}).status_code == 200


def test_a_run_of_hyphens_is_read_as_a_dash_and_one_hyphen_excludes() -> None:
    found = set(anchors("flood", "en"))
    assert found
    assert set(anchors("--flood", "en")) == set(anchors("- flood", "en")) == set(anchors("---- (flood)", "en")) == found
    assert not found & set(anchors("nile -flood", "en"))
