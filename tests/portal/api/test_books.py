"""Rule books in the API: everything that their pages have, for everybody alike, kept by caches where the address names the language."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.registry import GAMES
from portal.accounts.models import User
from rules_docs import content, examples, loader, reading, search
from rules_docs.models import Paragraph
from tests.portal.api.asking import ROOT, Person, code_of
from tests.rules_docs.conftest import _loaded, rules

__all__ = ["_loaded", "rules"]
pytestmark = pytest.mark.usefixtures("rules")
PUBLIC = "public, max-age=300"
ADDRESSES = {  # without `?lang=`: statements, without those of a token
    "books/": 1,
    "books/ra/": 2,
    "books/ra/chapters/auction/": 1,
    "books/ra/paragraphs/auction-3/": 1,
    "books/ra/examples/": 0,
    "books/ra/examples/pharaohs/": 0,
    "books/ra/glossary/": 0,
    "books/ra/glossary/pharaoh/": 1,
    "books/ra/aid/": 0,
    "books/search/?q=ra&game=ra": 2,
}


def joined(address: str, query: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{query}"


@pytest.fixture
def anybody():
    return Person()


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
def test_every_part_is_the_same_for_everybody_and_may_be_kept(anybody, alice, address, lang, django_assert_num_queries):
    User.objects.filter(pk=alice.pk).update(language="hu")
    asked = joined(address, f"lang={lang}")
    anybody.get(asked)  # what a process keeps is kept
    with django_assert_num_queries(ADDRESSES[address]):
        answer = anybody.get(asked)
    assert (answer.status_code, answer["Cache-Control"]) == (200, PUBLIC)
    hers = Person(alice).get(asked)
    assert (hers.content, hers["ETag"]) == (answer.content, answer["ETag"])
    again = anybody.client.get(ROOT + asked, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content, again["ETag"], again["Cache-Control"]) == (304, b"", answer["ETag"], PUBLIC)
    other = anybody.client.get(ROOT + asked, headers={"if-none-match": '"another"'})
    assert (other.status_code, other.content) == (200, answer.content)


def test_without_a_language_the_answer_is_in_the_reader_s_and_no_cache_keeps_it(alice, anybody):
    User.objects.filter(pk=alice.pk).update(language="hu")
    hers = Person(alice).get("books/ra/paragraphs/auction-3/")
    assert hers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Accept-Language", "Cookie"} <= set(re.split(r",\s*", hers["Vary"]))
    assert hers.json() == anybody.get("books/ra/paragraphs/auction-3/?lang=hu").json()
    russian = Client(headers={"accept-language": "ru"}).get(f"{ROOT}books/ra/")
    assert russian.json() == anybody.get("books/ra/?lang=ru").json()
    unchanged = Person(alice).client.get(f"{ROOT}books/ra/paragraphs/auction-3/", headers={"if-none-match": hers["ETag"]})
    assert (unchanged.status_code, unchanged["Cache-Control"]) == (304, "private, no-cache")


def test_a_changed_book_has_another_etag_and_version(anybody):
    address = "books/ra/paragraphs/auction-3/?lang=en"
    before = anybody.get(address)
    Paragraph.objects.filter(game="ra", lang="en", anchor="auction-3").update(text="Bids go round once.")
    after = anybody.client.get(ROOT + address, headers={"if-none-match": before["ETag"]})
    assert (after.status_code, after.json()["text"]) == (200, "Bids go round once.")
    assert after["ETag"] != before["ETag"]
    assert anybody.get("books/ra/?lang=en").json()["version"]


def test_errors_are_kept_by_nobody(anybody):
    for address in ("books/chess/", "books/ra/chapters/nothing/", "books/ra/paragraphs/auction-999/", "books/chess/paragraphs/auction-3/"):
        answer = anybody.get(f"{address}?lang=en")
        assert (answer.status_code, code_of(answer), answer["Cache-Control"]) == (404, "not_written", "no-store"), address
        assert not answer.has_header("ETag")
    for address in (
        "books/ra/examples/nothing/",
        "books/ra/examples/..%2f/",
        "books/ra/glossary/nothing/",
        "books/chess/aid/",
        "books/chess/glossary/",
    ):
        assert anybody.get(f"{address}?lang=en").status_code == 404, address
    for address in ADDRESSES:
        answer = anybody.get(joined(address, "lang=de"))
        assert (answer.status_code, code_of(answer), answer["Cache-Control"]) == (400, "invalid", "no-store"), address
    for query in ("", "?q=", "?q=%20", f"?q={'a' * 201}", "?q=sun&game=chess", "?q=sun&exact=perhaps", "?q=sun&limit=0", "?q=sun&cursor=x"):
        assert anybody.get(f"books/search/{query}").status_code == 400, query
    assert anybody.post("books/ra/").status_code == 401  # nobody writes here
    assert loader.Book.objects.filter(game="babel").delete()[0]
    assert code_of(anybody.get("books/babel/")) == "not_written"
    assert "babel" not in [one["game"] for one in anybody.get("books/").json()]


@pytest.mark.parametrize("game", GAMES)
def test_a_book_has_every_chapter_and_each_chapter_every_paragraph_of_its_page(anybody, game):
    book = anybody.get(f"books/{game}/?lang=en").json()
    assert [chapter["id"] for chapter in book["chapters"]] == [chapter.slug for chapter in content.book(game).chapters]
    seen = []
    for chapter in book["chapters"]:
        told = anybody.get(f"books/{game}/chapters/{chapter['id']}/?lang=en").json()
        assert [one["id"] for one in told["paragraphs"]] == chapter["paragraphs"]
        page = Client().get(chapter["path"]).content.decode()
        for one in told["paragraphs"]:
            assert f'id="{one["id"]}"' in page, one["id"]
            assert one["text"], one["id"]
            assert one["kind"] in ("example", "heading") or " ".join(strip_tags(one["html"]).split())[:20].split()[0] in one["text"]
            assert "term:" not in one["html"] and "sprite:" not in one["html"]
            assert all(content.places(link.partition("#")[0])[link.partition("#")[2]] for link in one["links"])
        seen += [one["id"] for one in told["paragraphs"] if one["number"] is not None]
    assert seen == list(content.places(game))


def test_what_a_rule_names_can_be_read_in_every_language(anybody):
    answers = {lang: anybody.get(f"books/ra/paragraphs/auction-3/?lang={lang}").json() for lang in ("en", "hu", "ru")}
    assert len({one["text"] for one in answers.values()}) == 3
    assert {one["id"] for one in answers.values()} == {"auction-3"}
    assert [one["lang"] for one in answers.values()] == ["en", "hu", "ru"]


def test_a_retired_paragraph_leads_to_the_one_that_took_its_place(anybody, monkeypatch):
    book = replace(content.book("ra"), retired={"auction-98": "auction-3", "auction-99": ""})
    monkeypatch.setattr(reading, "_book", lambda _game: book)
    assert anybody.get("books/ra/paragraphs/auction-98/?lang=en").json()["id"] == "auction-3"
    assert anybody.get("books/ra/paragraphs/auction-99/?lang=en").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_examples_come_with_position_and_steps(anybody, game):
    listed, following = [], f"{ROOT}books/{game}/examples/?lang=en&limit=7"
    while following:
        page = anybody.client.get(following).json()
        listed += page["results"]
        following = page["next"]
    assert [one["id"] for one in listed] == examples.example_names(game)
    for row in listed[::9]:
        told = anybody.get(f"books/{game}/examples/{row['id']}/?lang=en").json()
        shown = examples.example(game, row["id"])
        assert told["position"] == shown.position and {key: told[key] for key in row} == row
        assert [(step["actor"], step["action"], step["refused"] or "") for step in told["steps"]] == [
            (step.actor, step.action, step.refused) for step in shown.steps
        ]
        assert all(step["text"] for step in told["steps"] if step["refused"])
    page = Client().get(told["path"].partition("#")[0])
    assert page.status_code == 200 and f'id="{told["path"].partition("#")[2]}"' in page.content.decode()


def test_the_search_finds_what_its_page_finds_page_by_page(anybody):
    q = "who bids when"
    wanted = [hit.anchor for hit in search.search(q, "en", "ra", limit=120).hits]
    found, following, pages = [], f"{ROOT}books/search/?q={q}&game=ra&lang=en&limit=4", 0
    while following:
        page = anybody.client.get(following).json()
        found += page["results"]
        following, pages = page["next"], pages + 1
    assert [hit["id"] for hit in found] == wanted
    assert pages == -(-len(wanted) // 4) > 1
    assert "<mark>" in found[0]["excerpt"]
    other = anybody.client.get(f"{ROOT}books/search/?q={q}&lang=en&limit=4").json()["next"]
    assert anybody.client.get(other.replace("who", "how")).status_code == 400  # a cursor of another list


def test_the_search_says_what_it_took_a_word_for(anybody):
    page = anybody.get("books/search/?q=pharaho&lang=en").json()
    assert page["meant"] == [{"said": "pharaho", "meant": "pharaoh", "is_translated": False}]
    assert anybody.get("books/search/?q=pharaho&lang=en&exact=true").json()["meant"] == []
    assert {"game": "ra", "id": "pharaoh", "noun": "pharaoh"} in anybody.get("books/search/?q=pharaoh&lang=en").json()["terms"]


def test_the_glossary_has_every_noun_in_all_languages(anybody):
    page = anybody.get("books/ra/glossary/?lang=hu&limit=100").json()
    assert page["next"] is None
    pharaoh = next(one for one in page["results"] if one["id"] == "pharaoh")
    assert (pharaoh["noun"], [other["lang"] for other in pharaoh["others"]]) == ("fáraó", ["en", "ru"])
    entry = anybody.get("books/ra/glossary/unrest/?lang=en").json()
    assert entry["definitions"] and entry["uses"]
    for rule in [entry["definitions"][0]["paragraph"], *entry["uses"][:3]]:
        assert anybody.get(f"books/ra/paragraphs/{rule.partition('#')[2]}/").status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_aids_are_plain_text_and_html(anybody, game):
    for lang in ("en", "hu", "ru"):
        told = anybody.get(f"books/{game}/aid/?lang={lang}").json()
        rows = [row for section in told["sections"] for row in section["rows"]]
        assert told["sections"][0]["key"] == "turn" and len(rows) > 5
        assert not any("[[" in row["text"] or "<" in row["text"] or "[[" in row["html"] for row in rows)
        assert all(rule.startswith(f"{game}#") for row in rows for rule in row["rules"])
