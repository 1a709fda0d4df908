"""The glossary: every noun has a definition in the books, and pages, links and drawers lead to it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rules_docs import content, entries, loader, terms
from rules_docs.models import Paragraph
from voice import glossary
from voice.collation import sort_key

BOOKS = content.book_keys()


def text(response: Any) -> str:
    return response.content.decode()


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("game", BOOKS)
def test_every_noun_has_paragraphs_that_define_it(game: str) -> None:
    assert set(terms.definitions(game)) == glossary.noun_ids(game, "en")


@pytest.mark.parametrize(
    ("groups", "fault"),
    [
        ('[[groups]]\nanchors = ["auction-9"]\nids = ["sun"]', "'auction-9' is no paragraph"),
        ('[[groups]]\nanchors = ["auction-1"]\nids = ["moon"]', "no noun 'moon'"),
        ('[[groups]]\nanchors = ["auction-1"]\nids = ["sun", "sun"]', "'sun' is defined twice"),
        ('[[groups]]\nids = ["sun"]', "lacks anchors or ids: sun"),
        ('[[groups]]\nanchors = ["auction-1"]\nids = ["sun"]\nprefix = "card_"', "does not start with 'card_'"),
        ('[[groups]]\nanchors = ["auction-1"]\nids = ["sun"]\nrows = "ra"', "has rows, which means nothing"),
        ("[[groups]\n", "terms.toml:1: "),
    ],
)
@pytest.mark.django_db
def test_a_faulty_file_of_definitions_is_not_loaded(write_book: Any, groups: str, fault: str) -> None:
    root: Path = write_book("Ez egy szabály. {#auction-1}\n", "This is a rule. {#auction-1}\n")
    (root / "ra" / terms.FILE).write_text(groups, "utf-8")
    with pytest.raises(content.ContentError, match=re.escape(fault)):
        loader.load("ra", check=True, root=root)
    terms.forget()


def test_a_noun_is_named_where_the_book_says_its_id() -> None:
    assert {"components-6", "disasters-6"} <= set(terms.mentions("ra")["drought"])
    assert terms.mentions("history_of_the_world")["k_zulu"] == ["cards-6"]


def test_no_chapter_takes_the_address_of_the_glossary() -> None:
    assert not [game for game in content.written_keys() for chapter in content.book(game).chapters if chapter.slug in ("glossary", "p")]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["3 dice", "army", "Yucatán", "zone"]),
        ("hu", ["alap", "álarc", "arc", "cél", "család", "csésze", "dák", "por", "pör", "szám", "szűk", "üröm", "zár", "zseb"]),
        ("hu", ["hossz", "hosszas", "hoszt"]),
        ("ru", ["армия", "ёлка", "ель", "жрец", "язык"]),
    ],
)
def test_words_stand_in_the_order_of_the_language(lang: str, words: list[str]) -> None:
    assert sorted(set(words), key=lambda word: sort_key(word, lang)) == words


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("game", BOOKS)
@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_the_glossary_of_a_game_tells_of_every_noun_in_every_language(client: Client, game: str) -> None:
    for lang in content.book(game).languages:
        page = text(client.get(f"/{lang}/rules/{game}/glossary/"))
        ids = re.findall(r'<section class="entry" id="([^"]+)"', page)
        assert sorted(ids) == sorted(f"{game}-{noun_id}" for noun_id in terms.definitions(game))
        told = [part.count('class="entry__told"') for part in page.split('<section class="entry"')[1:]]
        assert min(told) > 0
        assert set(re.findall(rf'href="#({game}-[^"]+)"', page)) <= set(ids)
        assert 'href="term:' not in page
        assert "sprite:" not in page
        assert len(gzip.compress(page.encode())) < 60_000


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_an_entry_has_picture_definition_languages_and_places() -> None:
    entry = entries.entries("ra", "en", "drought")[0]
    assert entry.noun == "drought"
    assert "#ra-drought" in entry.picture
    assert [told.anchor for told in entry.told] == ["disasters-2", "disasters-6"]
    assert entry.told[0].html.startswith("A disaster costs you two tiles of the family it affects.")
    assert entry.told[1].html == "Number: 2; Affects: the river; Which tiles you lose: floods first, then Niles"
    assert dict(entry.others) == {lang: glossary.noun("ra", "drought", lang) for lang in ("hu", "ru")}
    assert [(use.chapter, [number for number, _ in use.places]) for use in entry.uses] == [
        (content.book("ra").chapter("components").title["en"], [content.places("ra")["components-6"].number])
    ]


@pytest.mark.parametrize(
    ("game", "noun_id", "row"),
    [
        ("babel", "card_medes", "Card: Mede; Number: 12; Land: Media; Power: expelling a people"),
        ("history_of_the_world", "ability_mongols", "Empire: Mongols; Ability: Mangudai: you win tied battles."),
        ("tigris_euphrates", "blue", "Tile: farm; Colour: blue; Number: 36; Its leader: farmer"),
        ("history_of_the_world", "k_shang", "Epoch: I; Start province: Yellow River; Armies: 1; Structure: city°"),
    ],
)
@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_of_a_table_the_row_of_the_noun_is_told(game: str, noun_id: str, row: str) -> None:
    told = entries.entries(game, "en", noun_id)[0].told[0]
    assert re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", told.html)) == row


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_nouns_in_books_and_drawers_lead_to_their_entries_and_read_as_before(client: Client) -> None:
    page = text(client.get("/en/rules/after_the_flood/trading/"))
    assert '<a class="term" href="/en/rules/after_the_flood/glossary/textile/">textile</a>, <a' in page
    drawer = text(client.get("/hu/rules/ra/p/components-6/", headers={"HX-Request": "true"}))
    assert '<a class="term piece-name" href="/hu/rules/ra/glossary/pharaoh/"><svg' in drawer
    row = Paragraph.objects.get(game="after_the_flood", lang="en", anchor="trade-3")
    assert "wood grain, textile, tool metal" in row.text
    beside = text(client.get("/en/rules/after_the_flood/trading/?with=hu"))
    assert 'href="/hu/rules/after_the_flood/glossary/textile/"' in beside


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_an_entry_has_an_address_of_its_own_and_opens_in_a_drawer(client: Client) -> None:
    moved = client.get("/ru/rules/babel/glossary/quarry/")
    assert (moved.status_code, moved.headers["Location"]) == (302, "/ru/rules/babel/glossary/#babel-quarry")
    fragment = client.get("/ru/rules/babel/glossary/quarry/", headers={"HX-Request": "true"})
    assert "<html" not in text(fragment)
    assert glossary.noun("babel", "quarry", "hu") in text(fragment)  # its name in Russian heads the drawer
    assert 'class="rule-link" href="/ru/rules/babel/p/components-3/"' in text(fragment)
    assert "HX-Request" in fragment.headers["Vary"]


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_an_unknown_entry_offers_near_ones(client: Client) -> None:
    answer = client.get("/en/rules/ra/glossary/pharao/")
    assert answer.status_code == 404
    assert 'href="/en/rules/ra/glossary/pharaoh/"' in text(answer)


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_the_glossary_of_a_language_lists_all_games_and_shelf_and_books_lead_there(client: Client) -> None:
    page = text(client.get("/hu/rules/glossary/"))
    for game in BOOKS:
        assert len(re.findall(rf'href="/hu/rules/{game}/glossary/#{game}-', page)) == len(terms.definitions(game))
        assert f'href="/hu/rules/{game}/glossary/"' in text(client.get(f"/hu/rules/{game}/"))
    assert len(gzip.compress(page.encode())) < 60_000
    assert client.get("/hu/rules/glossary/?game=ra").headers["Location"] == "/hu/rules/ra/glossary/"
    assert 'href="/hu/rules/glossary/"' in text(client.get("/hu/rules/"))
    assert client.get("/xx/rules/glossary/").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
def test_a_glossary_that_a_visitor_has_is_not_sent_again(client: Client) -> None:
    first = client.get("/en/rules/ra/glossary/")
    again = client.get("/en/rules/ra/glossary/", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
