"""The rule book: contents, chapters, two languages side by side, search, examples step by step, and play from there."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor


def test_from_the_shelf_into_a_chapter_and_on_to_the_next(visitor: Visitor) -> None:
    page = visitor.go("/")
    visitor.press("Rules", role="link", exact=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Rule books")
    page.locator("main").get_by_role("link", name="Ra", exact=True).first.click()
    chapters = page.locator(".chapters__item")
    assert chapters.count() >= 8
    first = chapters.first.locator(".chapters__title a")
    title = first.inner_text()
    first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    following = page.locator("a[rel=next]").first
    page.locator("nav a[rel=next]").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(title)
    assert following


def test_a_paragraph_has_an_address_of_its_own_in_every_language(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/auction-3/")
    assert page.url.endswith("#auction-3")
    expect(page.locator("#auction-3")).to_be_in_viewport()
    page.get_by_role("navigation", name="Language of the rules").get_by_role("link", name="magyar", exact=True).click()
    page.wait_for_url("**/hu/rules/ra/**#auction-3")
    expect(page.locator("#auction-3")).to_be_in_viewport()
    expect(page.locator("html")).to_have_attribute("lang", "hu")


def test_two_languages_stand_side_by_side(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/auction-3/")
    page.get_by_role("link", name="alongside magyar").click()
    page.wait_for_url("**with=hu**")
    english = page.locator("#auction-3")
    hungarian = page.locator("#auction-3 + .paragraph--second")
    expect(hungarian).to_have_attribute("lang", "hu")
    left, right = english.bounding_box(), hungarian.bounding_box()
    assert left
    assert right
    assert abs(left["y"] - right["y"]) < 4, "the two texts of a paragraph stand in one line"
    assert right["x"] >= left["x"] + left["width"]
    assert english.inner_text() != hungarian.inner_text()


def test_the_map_of_an_example_shows_its_kingdoms(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/tigris_euphrates/wars/")
    realms = page.locator("#example-war .te-map--still .te-realm")
    assert realms.count() == 5
    for realm in realms.all():
        expect(realm).to_be_visible()
        expect(realm).to_have_css("visibility", "visible")


def test_search_finds_a_paragraph_and_leads_to_it(visitor: Visitor) -> None:
    page = visitor.go("/")
    page.locator("#site-search").fill("flood")
    page.locator("#site-search").press("Enter")
    hits = page.locator(".hits__item")
    expect(hits.first).to_be_visible()
    assert "flood" in hits.first.inner_text().lower()
    place = hits.first.locator("a")
    anchor = (place.get_attribute("href") or "").partition("#")[2]
    place.click()
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
    page.locator("#site-search").fill("zzyzx")
    page.locator("#site-search").press("Enter")
    expect(page.locator(".empty")).to_be_visible()


def test_an_example_is_stepped_through_and_played_from_its_first_position(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/gods-1/")
    example = page.locator("figure.example").first
    title = example.get_by_role("heading").inner_text()
    board = example.locator(".example__board")
    before = board.inner_html()
    assert before.count("<use") >= 10
    example.get_by_role("link", name="Next step").click()
    expect(page.locator("figure.example [aria-current=step]").first).to_be_visible()
    assert board.inner_html() != before, "the board shows the position after the step"
    example.get_by_role("link", name="Step back").click()
    expect(page.locator("figure.example [aria-current=step]")).to_have_count(0)
    assert board.inner_html() == before
    example.get_by_role("button", name="Play from the starting position").click()
    if "/practice/" in page.url:
        expect(page.get_by_role("heading", level=1)).to_have_text(title.partition(": ")[2])
        visitor.press("Play from here")
    page.wait_for_url("**/tables/*/")
    expect(page.locator("#action.is-due")).to_be_visible()
    expect(page.locator("#action .choice").filter(has_text="god").first).to_be_visible()


def test_every_chapter_shows_its_examples_on_a_phone(visitors: Visitors) -> None:
    reader = visitors(size=PHONE, lang="hu")
    page = reader.go("/hu/rules/ra/")
    addresses = [link.get_attribute("href") or "" for link in page.locator(".chapters__title a").all()]
    drawn = 0
    for address in addresses:
        reader.go(address)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"), address
        drawn += page.locator("figure.example svg.ra-sky").count()
    assert drawn >= 10
