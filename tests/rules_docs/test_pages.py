"""Rule pages as readers see them: addresses, languages, missing content, caching, and cost."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.template.loader import get_template
from django.test import Client
from django.utils.html import escape
from django.utils.translation import gettext, override

from games import registry
from rules_docs import content, loader, pages, terms
from rules_docs.models import Book, Chapter, Paragraph

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]

PAGES = [
    "/en/rules/",
    "/hu/rules/",
    "/en/rules/ra/",
    "/hu/rules/ra/",
    "/en/rules/search/?q=sun",
    *(f"/{lang}/rules/ra/{chapter.slug}/" for lang in content.book("ra").languages for chapter in content.book("ra").chapters),
    "/en/rules/ra/auction/?with=hu",
]


def text(response: Any) -> str:
    return response.content.decode()


@pytest.fixture
def ra_without_russian(monkeypatch: pytest.MonkeyPatch) -> None:
    """The book of Ra in Hungarian and English only: a language of the site that a book lacks."""
    whole = content.book

    def book(game: str, root: Path = content.ROOT) -> content.Book:
        found = whole(game, root)
        return replace(found, languages=("hu", "en")) if game == "ra" else found

    monkeypatch.setattr(content, "book", book)


@pytest.mark.parametrize("address", PAGES)
def test_every_page_opens_in_its_language_without_inline_script_or_style(client: Client, address: str) -> None:
    response = client.get(address)
    page = text(response)
    assert response.status_code == 200
    assert response.headers["Content-Language"] == address[1:3]
    assert f'<html lang="{address[1:3]}"' in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert " style=" not in page
    assert not re.search(r"\son\w+=", page)
    assert page.count("<h1") == 1
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert sorted({one for one in ids if ids.count(one) > 1}) == []


def test_the_shelf_leads_to_every_language_of_every_book(client: Client) -> None:
    page = text(client.get("/hu/rules/"))
    for lang in content.book("ra").languages:
        assert f'href="/{lang}/rules/ra/"' in page


@pytest.mark.parametrize("game", content.book_keys())
def test_chapters_without_rules_are_marked_in_the_contents_and_on_their_page(client: Client, game: str) -> None:
    apart = [chapter for chapter in content.book(game).chapters if not chapter.is_rules]
    contents = text(client.get(f"/hu/rules/{game}/"))
    assert contents.count("nem szabály</span>") == len(apart) > 0
    for chapter in apart:
        page = text(client.get(f"/hu/rules/{game}/{chapter.slug}/"))
        assert {"advice": "Tanácsok, nem", "background": "Háttér, nem", "variants": "Változatok, nem"}[chapter.kind] in page
        assert page.count("nem szabály</span>") == 2 * len(apart)  # the contents stand twice, for phones and for wide screens
    rules = text(client.get(f"/hu/rules/{game}/overview/"))
    assert not re.search(r"(Tanácsok|Háttér|Változatok), nem", rules)


def test_a_chapter_that_has_left_its_book_is_taken_for_rules() -> None:
    assert Chapter(book_id="ra", slug="background").kind == "background"
    assert Chapter(book_id="ra", slug="gone").kind == "rules"
    assert Chapter(book_id="gone", slug="background").kind == "rules"


@pytest.mark.parametrize("lang", sorted(dict(settings.LANGUAGES)))
def test_the_shelf_names_every_book_in_the_language_of_the_page(client: Client, lang: str) -> None:
    page = text(client.get(f"/{lang}/rules/"))
    for key in content.book_keys():
        book = content.book(key)
        assert escape(book.title[lang]) in page and escape(book.source_edition[lang]) in page
        with override(lang):
            assert book.title[lang] == gettext(registry.game(key).meta.title)
    assert ("After the Flood" in page) == (lang == "en")


def test_the_shelf_shows_each_book_with_the_picture_of_its_game(client: Client) -> None:
    page = text(client.get("/hu/rules/"))
    for key in content.book_keys():
        book = page[page.index(f'data-game="{key}" aria-labelledby="book-{key}"') :]
        assert get_template(registry.entry(key).plate_template).render().strip() in book[: book.index("</section>")]


def test_the_contents_lead_to_chapters_and_headings(client: Client) -> None:
    page = text(client.get("/hu/rules/ra/"))
    places = [page.index(f'href="/hu/rules/ra/{chapter.slug}/"') for chapter in content.book("ra").chapters]
    assert places == sorted(places)
    assert 'href="/hu/rules/ra/auction/#on-auction-1"' in page


def test_a_chapter_shows_its_paragraphs_in_order_with_numbers_and_anchors(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/"))
    own = [anchor for anchor, place in content.places("ra").items() if place.chapter == "auction"]
    places = [page.index(f'id="{anchor}"') for anchor in own]
    assert places == sorted(places)
    assert ">3</a>" in page[page.index('id="auction-3"') :][:400]


def test_before_and_after_lead_through_the_book(client: Client) -> None:
    slugs = [chapter.slug for chapter in content.book("ra").chapters]
    for before, here in pairwise(slugs):
        assert f'rel="next" href="/en/rules/ra/{here}/"' in text(client.get(f"/en/rules/ra/{before}/"))
        assert f'rel="prev" href="/en/rules/ra/{before}/"' in text(client.get(f"/en/rules/ra/{here}/"))
    assert 'rel="prev"' not in text(client.get(f"/en/rules/ra/{slugs[0]}/"))
    assert 'rel="next"' not in text(client.get(f"/en/rules/ra/{slugs[-1]}/"))


@pytest.mark.parametrize("game", content.book_keys())
def test_every_link_of_the_book_leads_to_a_paragraph_or_a_noun(client: Client, game: str) -> None:
    for lang in content.book(game).languages:
        told = Paragraph.objects.filter(game=game, lang=lang).values_list("html", flat=True)
        assert told
        for html in told:
            for address in re.findall(r'<a[^>]* href="([^"]+)"', html):
                if address.startswith("term:"):
                    assert address.removeprefix("term:").removesuffix("/") in terms.definitions(game)
                    continue
                path, _, anchor = address.partition("#")
                assert path == f"/{lang}/rules/{game}/{content.places(game)[anchor].chapter}/"


def test_two_languages_stand_side_by_side_row_by_row(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/?with=hu"))
    english = Paragraph.objects.get(lang="en", anchor="auction-3")
    hungarian = Paragraph.objects.get(lang="hu", anchor="auction-3")
    row = page[page.index('id="auction-3"') : page.index('id="auction-12"')]
    assert english.html in row
    assert hungarian.html in row
    assert row.index(english.html) < row.index(hungarian.html)
    assert 'class="paragraph paragraph--second" lang="hu"' in row
    assert '?with=hu" ' not in text(client.get("/en/rules/ra/auction/?with=xx")).split('rel="next"', 1)[1][:80]


def test_side_by_side_goes_on_in_the_next_chapter(client: Client) -> None:
    assert 'rel="next" href="/en/rules/ra/disasters/?with=hu"' in text(client.get("/en/rules/ra/auction/?with=hu"))


def test_the_language_switch_keeps_the_chapter_and_its_script_the_anchor(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/"))
    assert re.search(r'href="/hu/rules/ra/auction/" lang="hu" hreflang="hu" data-keep-anchor', page)
    assert "js/book.js" in page


def test_pictures_of_pieces_point_at_the_sprite_file(client: Client) -> None:
    page = text(client.get("/en/rules/ra/components/"))
    assert "art/ra.svg#ra-pharaoh" in page
    assert pages.SPRITE_MARK not in page


# ---------------------------------------------------------------- one paragraph


def test_the_lasting_address_leads_to_the_place_in_the_chapter(client: Client) -> None:
    response = client.get("/hu/rules/ra/p/auction-3/")
    assert (response.status_code, response.headers["Location"]) == (302, "/hu/rules/ra/auction/#auction-3")
    beside = client.get("/hu/rules/ra/p/auction-3/?with=en")
    assert beside.headers["Location"] == "/hu/rules/ra/auction/?with=en#auction-3"
    assert client.get("/hu/rules/ra/p/auction-3").headers["Location"] == "/hu/rules/ra/p/auction-3/"


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_fragment_is_only_the_paragraph(client: Client, headers: dict[str, str]) -> None:
    page = text(client.get("/hu/rules/ra/p/auction-3/" + ("" if headers else "?fragment=1"), headers=headers))
    assert Paragraph.objects.get(lang="hu", anchor="auction-3").html in page
    assert "<html" not in page
    assert "<h1" not in page
    assert 'href="/hu/rules/ra/auction/#auction-3"' in page
    assert 'href="/en/rules/ra/p/auction-3/" lang="en"' in page
    assert 'id="' not in page
    assert 'class="rule-paragraph" lang="hu"' in page
    assert 'lang=""' not in page
    assert len(page) < 2500


@pytest.mark.usefixtures("ra_without_russian")
def test_a_book_that_a_language_of_the_site_lacks_is_linked_in_english(client: Client) -> None:
    assert content.paragraph_address("ra", "auction-3", "ru") == "/en/rules/ra/auction/#auction-3"
    assert content.paragraph_label("ra", "auction-3", "ru") == content.paragraph_label("ra", "auction-3", "en")
    assert client.get("/ru/rules/ra/p/auction-3/").headers["Location"] == "/en/rules/ra/auction/?instead-of=ru#auction-3"
    page = text(client.get("/ru/rules/ra/p/auction-3/?fragment=1"))
    assert Paragraph.objects.get(lang="en", anchor="auction-3").html in page
    assert 'class="rule-paragraph" lang="en"' in page
    assert 'href="/hu/rules/ra/p/auction-3/" lang="hu"' in page
    assert 'href="/en/rules/ra/"' in text(client.get("/ru/rules/"))


def test_a_book_without_english_is_shown_in_its_source_language() -> None:
    book = replace(content.book("ra"), languages=("hu",))
    assert [book.shown_in(lang) for lang in ("hu", "en", "ru")] == ["hu", "hu", "hu"]


def test_a_fragment_of_a_table_is_a_table(client: Client) -> None:
    assert "<table" in text(client.get("/en/rules/ra/p/setup-9/?fragment=1"))


# ---------------------------------------------------------------- missing content


@pytest.mark.parametrize(
    ("address", "said", "link"),
    [
        ("/en/rules/ra/p/auctoin-3/", "no paragraph “auctoin-3”", "/en/rules/ra/auction/#auction-3"),
        ("/en/rules/ra/p/auctoin-3/?fragment=1", "no paragraph “auctoin-3”", "/en/rules/ra/auction/#auction-3"),
        ("/en/rules/ra/auctions/", "no chapter “auctions”", "/en/rules/ra/auction/"),
        ("/en/rules/ra/qqqq/", "no chapter “qqqq”", "/en/rules/ra/overview/"),
        ("/en/rules/chess/", "no rule book for “chess”", "/en/rules/ra/"),
        ("/en/rules/chess/auction/", "no rule book for “chess”", "/en/rules/ra/"),
        ("/en/rules/chess/p/auction-3/", "no rule book for “chess”", "/en/rules/ra/"),
        ("/xx/rules/ra/p/auction-3/", "available in the language “xx”", "/en/rules/ra/p/auction-3/"),
        ("/xx/rules/", "no rule pages in “xx”", "/en/rules/"),
        ("/xx/rules/search/?q=sun", "no rule pages in “xx”", "/en/rules/"),
    ],
)
def test_what_is_not_there_is_told_on_a_page_that_helps(client: Client, address: str, said: str, link: str) -> None:
    response = client.get(address, headers={"Accept-Language": "en"})
    assert response.status_code == 404
    assert said in text(response)
    assert f'href="{link}"' in text(response)
    assert 'role="search"' in text(response)


def test_a_retired_paragraph_says_that_it_was_given_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    retired = replace(content.book("ra"), retired={"given-up-1": ""})
    monkeypatch.setattr(content, "book", lambda game, root=content.ROOT: retired)
    response = client.get("/en/rules/ra/p/given-up-1/")
    assert response.status_code == 404
    assert "was removed" in text(response)


def test_a_site_without_loaded_books_says_what_its_host_can_do(client: Client) -> None:
    Book.objects.all().delete()
    for address in ("/en/rules/ra/", "/en/rules/ra/auction/", "/en/rules/ra/p/auction-3/?fragment=1"):
        response = client.get(address)
        assert response.status_code == 404
        assert "load_rules" in text(response)


@pytest.mark.parametrize("address", PAGES[:6])
def test_rule_pages_only_answer_reading(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405


def test_a_paragraph_without_translation_is_shown_marked_in_the_source_language(client: Client, write_book: Callable[..., Path]) -> None:
    loader.load("ra", root=write_book("Egyszer körbe. {#auction-1}\n\nKettő. {#auction-2}\n", "Once round. {#auction-1}\n"))
    content.forget()
    page = text(client.get("/en/rules/ra/auction/"))
    assert re.search(
        r'id="auction-2" lang="hu"><a[^>]*>2</a><span class="badge badge--warn" lang="en">not translated yet</span> Kettő', page
    )
    assert not re.search(r'id="auction-1" lang', page)


@pytest.mark.parametrize(
    ("english", "more", "said"),
    [
        (None, {}, "has not been translated yet"),
        ("Once. {#auction-1}\n", {"revision": 2}, "has changed since this chapter was translated"),
        ("Once. {#auction-1}\n", {"state": "draft"}, "is a draft"),
        ("Once. {#auction-1}\n", {}, None),
    ],
)
def test_a_chapter_tells_its_state(
    client: Client, write_book: Callable[..., Path], english: str | None, more: dict[str, Any], said: str | None
) -> None:
    loader.load("ra", root=write_book("Egy. {#auction-1}\n", english, **more))
    content.forget()
    page = text(client.get("/en/rules/ra/auction/"))
    assert ("notice" in page.split("<article")[0].split("</template>")[1]) == (said is not None)
    assert said is None or said in page


# ---------------------------------------------------------------- worked examples


def test_an_example_is_drawn_with_the_board_of_the_game_and_told_step_by_step(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/"))
    example = page[page.index('id="example-auction"') :]
    example = example[: example.index("</figure>")]
    assert 'class="ra-board"' in example
    assert "Ben bids his 6." in example
    assert "not allowed" in example
    assert "before the first step" in example
    assert "aria-current" not in example
    assert 'href="#ra-writing"' not in page
    assert '<symbol id="ra-civ-writing"' in page


def test_steps_are_addresses_that_work_without_script(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/?example=auction&step=2"))
    example = page[page.index('id="example-auction"') :]
    assert "step 2 of 6" in example
    assert re.search(r'aria-current="step"><span><a[^>]*>Ben bids his 6\.', example)
    for step in (1, 3):
        assert f'href="/en/rules/ra/auction/?example=auction&amp;step={step}#example-auction"' in example
    assert "before the first step" in page[: page.index('id="example-auction"')]  # the other examples are at their start


def test_the_board_changes_with_the_step(client: Client) -> None:
    boards = []
    for step in range(7):
        page = text(client.get(f"/en/rules/ra/auction/?example=auction&step={step}"))
        figure = page[page.index('id="example-auction"') :]
        boards.append(figure[figure.index('class="figure') : figure.index("example__steps")])
    assert boards[0] != boards[1] != boards[2]
    assert boards[2] == boards[3], "the third step is refused and changes nothing"
    assert boards[5] != boards[6]


@pytest.mark.parametrize("step", ["99", "-1", "x", "", "²", "9" * 400])
def test_a_step_that_does_not_exist_is_the_nearest_one(client: Client, step: str) -> None:
    page = text(client.get("/en/rules/ra/auction/", {"example": "auction", "step": step}))
    assert ("step 6 of 6" if step == "99" else "before the first step") in page[page.index('id="example-auction"') :]


def test_htmx_gets_the_example_alone_with_its_symbols(client: Client) -> None:
    address = "/en/rules/ra/auction/?example=auction&step=2"
    response = client.get(address, headers={"HX-Request": "true", "HX-Target": "example-auction"})
    page = text(response)
    assert page.lstrip().startswith('<figure class="example parallel__full" id="example-auction"')
    assert "<symbol" in page
    assert "<html" not in page
    assert "HX-Target" in response.headers["Vary"]


def test_side_by_side_keeps_its_second_language_through_the_steps(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/?with=hu"))
    assert "/en/rules/ra/auction/?with=hu&amp;example=auction&amp;step=1#example-auction" in page


@pytest.mark.parametrize(
    ("address", "example", "hands", "step"),
    [
        ("babel/settling", "settling", {"A": "2 Assyrians, 2 Sumerians, 1 Persian"}, 0),
        ("babel/settling", "settling", {"A": "1 Assyrian, 2 Sumerians, 1 Persian"}, 1),
        (
            "babel/example",
            "long-turn",
            {"A": "1 Assyrian, 1 Hittite, 1 Sumerian", "B": "2 Assyrians, 1 Hittite, 2 Medes, 1 Sumerian, 1 Persian"},
            0,
        ),
    ],
)
def test_hands_of_which_the_text_tells_are_drawn_and_no_others(
    client: Client, address: str, example: str, hands: dict[str, str], step: int
) -> None:
    page = text(client.get(f"/en/rules/{address}/?example={example}&step={step}"))
    figure = page[page.index(f'id="example-{example}"') :]
    figure = figure[: figure.index("</figure>")]
    drawn = {}
    for player in figure.split('role="group" class="player')[1:]:
        name = re.search(r'class="player__name">([^<]*)<', player)
        held = re.search(r'<ul class="ba-hand__cards[^>]*>(.*?)</ul>', player)
        if name and held:
            drawn[name[1]] = ", ".join(f"{n} {noun}" for noun, n in re.findall(r'aria-label="([^"]*)">.*?<b[^>]*>(\d+)</b>', held[1]))
    assert drawn == hands


def test_the_tiles_of_a_hand_of_which_the_text_tells_are_drawn(client: Client) -> None:
    page = text(client.get("/en/rules/tigris_euphrates/wars/"))
    figure = page[page.index('id="example-war"') :]
    hands = re.findall(r'<ul class="holdings te-hand"[^>]*>(.*?)</ul>', figure[: figure.index("</figure>")])
    assert len(hands) == 4
    assert [len(re.findall("<li", hand)) for hand in hands] == [1, 1, 4, 4], "two hands with their tiles, two behind the screen"


@pytest.mark.parametrize(
    ("step", "armies"),
    [
        (0, {"1": ["1", "2", "1"], "2": ["1"]}),
        (1, {"1": ["1", "2", "1"], "2": ["1"]}),  # refused
        (3, {"1": ["1", "1", "1"], "2": ["1"]}),  # the first hit
        (5, {"1": ["1", "1", "1"], "2": ["1"]}),  # a miss
        (7, {"1": ["1", "1"], "2": ["1", "1"]}),  # the second hit, and exactly one army enters
    ],
)
def test_the_armies_of_a_fight_are_drawn_as_they_stand_at_each_step(client: Client, step: int, armies: dict[str, list[str]]) -> None:
    page = text(client.get(f"/en/rules/after_the_flood/expanding/?example=invade-two&step={step}"))
    figure = page[page.index('id="example-invade-two"') :]
    figure = figure[: figure.index("</figure>")]
    drawn = {
        seat: sorted(re.findall(r'class="af-shield"[^>]*/><text[^>]*>(\d)<', pieces))
        for seat, pieces in re.findall(r'<g class="af-own" data-seat="(\d)">(.*?)(?=<g class="af-own"|</svg>)', figure, re.DOTALL)
    }
    assert {seat: counts for seat, counts in drawn.items() if counts} == {seat: sorted(counts) for seat, counts in armies.items()}


def test_only_an_example_with_something_to_decide_can_be_played(client: Client) -> None:
    assert 'action="/practice/ra/auction/"' in text(client.get("/en/rules/ra/auction/"))
    assert "/practice/" not in text(client.get("/en/rules/ra/scoring/"))


# ---------------------------------------------------------------- caching, cost


@pytest.mark.parametrize("address", ["/en/rules/ra/", "/en/rules/ra/auction/", "/en/rules/ra/p/auction-3/?fragment=1"])
def test_an_unchanged_page_is_not_sent_again(client: Client, address: str) -> None:
    first = Client().get(address)
    etag, changed = first.headers["ETag"], first.headers["Last-Modified"]
    assert Client().get(address, headers={"If-None-Match": etag}).status_code == 304
    assert Client().get(address, headers={"If-Modified-Since": changed}).status_code == 304
    Book.objects.update(digest="new")
    again = Client().get(address, headers={"If-None-Match": etag})
    assert again.status_code == 200
    assert again.headers["ETag"] != etag


def test_a_page_is_sent_again_when_anything_that_it_is_made_of_has_changed() -> None:
    base = Path(settings.BASE_DIR)
    looked_at = {str(file.relative_to(base)) for file in pages.look_files(base)}
    book = "rules_docs/content/ra"
    assert looked_at >= {
        *("templates/base.html", "static/css/rules.css", "static/js/book.js", "static/art/ra.svg", "games/ra/scene.py"),
        *("voice/drawing.py", "voice/glossary/hu.toml", "rules_docs/entries.py", "portal/common/templatetags/site.py"),
        *(f"{book}/book.toml", f"{book}/terms.toml", f"{book}/held.json", f"{book}/examples/auction.json"),
    }
    assert len(looked_at) == len(pages.look_files(base)), "each file once"


def test_each_language_and_theme_has_its_own_copy(client: Client) -> None:
    assert client.get("/en/rules/ra/").headers["ETag"] != client.get("/hu/rules/ra/").headers["ETag"]
    night = Client()
    night.cookies["theme"] = "dark"
    assert night.get("/en/rules/ra/").headers["ETag"] != Client().get("/en/rules/ra/").headers["ETag"]


def test_pages_stay_with_the_reader_and_fragments_may_be_shared(client: Client) -> None:
    page = client.get("/en/rules/ra/auction/").headers["Cache-Control"]
    assert {"private", "must-revalidate", "max-age=0"} <= set(page.split(", "))
    fragment = client.get("/en/rules/ra/p/auction-3/?fragment=1")
    assert {"public", "max-age=300"} == set(fragment.headers["Cache-Control"].split(", "))
    assert "csrf" not in text(fragment)
    assert settings.CSRF_COOKIE_NAME not in fragment.cookies


def test_a_signed_in_reader_never_gets_an_old_page(client: Client) -> None:
    etag = Client().get("/en/rules/ra/").headers["ETag"]
    client.force_login(get_user_model().objects.create_user("alice"))
    response = client.get("/en/rules/ra/", headers={"If-None-Match": etag})
    assert response.status_code == 200
    assert "ETag" not in response.headers
    assert "alice" in text(response)


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        ("/en/rules/", 0),
        ("/en/rules/ra/", 2),
        ("/en/rules/ra/auction/", 2),
        ("/en/rules/ra/overview/", 2),
        ("/en/rules/ra/auction/?with=hu", 2),
        ("/en/rules/ra/auction/?example=auction&step=3", 2),
        ("/en/rules/ra/p/auction-3/", 0),
        ("/en/rules/ra/p/auction-3/?fragment=1", 1),
        ("/en/rules/search/?q=sun", 3),
        ("/en/rules/search/", 0),
        ("/en/rules/ra/p/nothing-1/", 0),
    ],
)
def test_pages_cost_an_exact_number_of_queries(client: Client, django_assert_num_queries: Any, address: str, queries: int) -> None:
    with django_assert_num_queries(queries):
        client.get(address)


def test_a_page_that_is_still_right_costs_one_query(client: Client, django_assert_num_queries: Any) -> None:
    etag = client.get("/en/rules/ra/auction/").headers["ETag"]
    fresh = Client()
    with django_assert_num_queries(1):
        fresh.get("/en/rules/ra/auction/", headers={"If-None-Match": etag})


def test_a_chapter_loads_the_styles_of_its_own_game_only(client: Client) -> None:
    assert re.findall(r"css/games/(\w+)\.css", text(client.get("/en/rules/ra/auction/"))) == ["ra"]
