"""Links that lead on: to another language, to what took the place of a paragraph, and from other sites."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from rules_docs import content, heads, loader, sitemap
from rules_docs.content import ContentError

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]


def text(response: Any) -> str:
    return response.content.decode()


def in_head(page: str, pattern: str) -> list[Any]:
    return [unescape(one) if isinstance(one, str) else one for one in re.findall(pattern, page[: page.index("</head>")])]


@pytest.fixture
def change_ra(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """The book of Ra with other facts than its file has."""
    whole = content.book

    def change(**facts: Any) -> None:
        def book(game: str, root: Path = content.ROOT) -> content.Book:
            found = whole(game, root)
            return replace(found, **facts) if game == "ra" else found

        monkeypatch.setattr(content, "book", book)

    return change


# ---------------------------------------------------------------- languages


@pytest.mark.parametrize("page", ["", "auction/"])
def test_a_book_that_a_language_lacks_opens_in_one_that_it_has_and_says_so(
    client: Client, change_ra: Callable[..., None], page: str
) -> None:
    change_ra(languages=("hu", "en"))
    response = client.get(f"/ru/rules/ra/{page}")
    assert (response.status_code, response.headers["Location"]) == (302, f"/en/rules/ra/{page}?instead-of=ru")
    shown = text(client.get(response.headers["Location"]))
    assert re.search(r'<p class="notice[^>]* lang="ru">.*?На этом языке этой страницы ещё нет[^<]*English', shown)
    switch = shown[shown.index('aria-label="Language of the rules"') :]
    switch = switch[: switch.index("</nav>")]
    assert [lang for lang in ("hu", "en", "ru") if f'href="/{lang}/rules/ra/{page}"' in switch] == ["hu", "en"]
    assert re.search(r'Not available yet in: <span lang="ru">русский</span>', switch)
    for had in ("xx", "hu"):
        assert '<p class="notice notice--warn' not in text(client.get(f"/en/rules/ra/{page}?instead-of={had}"))


def test_a_paragraph_of_such_a_book_opens_in_its_place(client: Client, change_ra: Callable[..., None]) -> None:
    change_ra(languages=("hu", "en"))
    assert client.get("/ru/rules/ra/p/auction-3/").headers["Location"] == "/en/rules/ra/auction/?instead-of=ru#auction-3"


def test_the_switch_of_the_site_leads_to_the_same_page_of_the_book(client: Client, change_ra: Callable[..., None]) -> None:
    change_ra(languages=("hu", "en"))
    response = client.post("/language/", {"language": "ru", "next": "/en/rules/ra/auction/#auction-3"}, follow=True)
    assert [address for address, _status in response.redirect_chain] == [
        "/ru/rules/ra/auction/#auction-3",
        "/en/rules/ra/auction/?instead-of=ru",  # the browser keeps the paragraph
    ]
    assert response.status_code == 200


@pytest.mark.parametrize("address", ["rules/", "rules/ra/", "rules/ra/auction/"])
def test_a_page_names_its_other_languages_to_search_engines(client: Client, address: str) -> None:
    for asked in (address, f"{address}?with=hu"):
        page = text(client.get(f"/en/{asked}"))
        alternates = dict(in_head(page, r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"'))
        codes = {"hu": "hu", "en": "en", "ru": "ru", "x-default": "en"}
        assert alternates == {code: f"{settings.BASE_URL}/{lang}/{address}" for code, lang in codes.items()}
        assert in_head(page, r'<link rel="canonical" href="([^"]+)"') == [alternates["en"]]


# ---------------------------------------------------------------- retired paragraphs


def test_a_retired_paragraph_leads_to_the_one_in_its_place(client: Client, change_ra: Callable[..., None]) -> None:
    change_ra(retired={"given-up-1": "auction-3"})
    assert client.get("/hu/rules/ra/p/given-up-1/").headers["Location"] == "/hu/rules/ra/auction/#auction-3"
    assert text(client.get("/hu/rules/ra/p/given-up-1/?fragment=1")) == text(client.get("/hu/rules/ra/p/auction-3/?fragment=1"))


@pytest.mark.parametrize(
    ("retired", "said"),
    [
        ('{ auction-13 = "auction-99" }', "leads to 'auction-99', which no chapter has"),
        ('{ auction-13 = "auction-14", auction-14 = "auction-1" }', "'auction-14', which was retired too"),
        ("{ auction-13 = 1 }", "needs the anchor that took its place"),
        ('["auction-13"]', "retired: expected dict, found list"),
    ],
)
def test_a_paragraph_that_leads_nowhere_is_refused(write_book: Callable[..., Path], retired: str, said: str) -> None:
    from tests.rules_docs.conftest import BOOK

    root = write_book("Egy. {#auction-1}\n", toml=BOOK.replace('{ auction-13 = "" }', retired))
    with pytest.raises(ContentError, match=re.escape(said)):
        loader.read("ra", root)


# ---------------------------------------------------------------- from other sites


@pytest.mark.parametrize(
    ("address", "title", "said"),
    [
        ("/en/rules/ra/auction/", "Ra: The auction", ""),
        ("/hu/rules/after_the_flood/trading/", "Az áradás után: ", ""),
        ("/en/rules/ra/", "Ra: the rules", "The auction"),
        ("/ru/rules/", "Книги правил", "После потопа"),
    ],
)
def test_a_link_is_shown_with_what_the_page_is_about(client: Client, address: str, title: str, said: str) -> None:
    page = text(client.get(address))
    facts = {name: unescape(told) for name, told in in_head(page, r'<meta (?:property|name)="([^"]+)" content="([^"]*)"')}
    assert facts["og:title"].startswith(title)
    assert facts["og:url"] == settings.BASE_URL + address
    assert facts["og:locale"] == {"en": "en_GB", "hu": "hu_HU", "ru": "ru_RU"}[address[1:3]]
    assert facts["description"] == facts["og:description"]
    assert said in facts["description"]
    assert 20 <= len(facts["description"]) <= heads.LENGTH
    assert "<" not in facts["description"]
    picture = facts["og:image"].removeprefix(f"{settings.BASE_URL}{settings.STATIC_URL}")
    assert Path(finders.find(picture) or "").read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")


def test_a_game_of_which_no_picture_has_been_made_is_shown_with_that_of_the_site(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    find = finders.find
    monkeypatch.setattr(finders, "find", lambda path: None if path == "art/previews/ra.png" else find(path))
    for game, picture in (("ra", "site"), ("babel", "babel")):
        (shown,) = in_head(text(client.get(f"/en/rules/{game}/")), r'<meta property="og:image" content="([^"]*)"')
        assert shown.endswith(f"art/previews/{picture}.png")


def test_the_sitemap_lists_every_page_in_every_language(client: Client) -> None:
    root = ElementTree.fromstring(client.get("/sitemap.xml").content)
    space = sitemap.SPACES
    listed = {}
    for entry in root.findall("url", space):
        address = entry.findtext("loc", "", space)
        listed[address] = {link.get("hreflang"): link.get("href") for link in entry.findall("xhtml:link", space)}
    wanted = {
        f"{settings.BASE_URL}/{lang}/rules/{game}/{chapter.slug}/"
        for game in content.book_keys()
        for lang in content.book(game).languages
        for chapter in content.book(game).chapters
    }
    assert wanted < set(listed)
    for name in sitemap.ABOUT_THE_SITE:
        assert listed.pop(f"{settings.BASE_URL}/{name}/") == {}
    for address, others in listed.items():
        assert address in others.values()
        assert set(others.values()) <= set(listed)
    assert client.get("/hu/rules/ra/auction/").status_code == 200
    assert f"Sitemap: {settings.BASE_URL}/sitemap.xml" in text(client.get("/robots.txt"))
