"""On a phone, in Hungarian, by night: a turn and an auction are played with a thumb."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, scrolls_sideways
from tests.browser.playing import Player, hasty, new_table, practice

THUMB_PX = 40


def test_a_turn_and_an_auction_are_played_on_a_phone(visitors: Visitors) -> None:
    visitor = visitors(lang="hu", size=PHONE, scheme="dark")
    page = visitor.go("/")
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    new_table(visitor, 3, {1: "apprentice", 2: "apprentice"}, fill=True)
    player = Player(visitor)
    assert player.wait_for_turn()
    panel = page.locator("#action")
    box = panel.bounding_box()
    assert box
    assert box["y"] < 2 * PHONE[1], "what may be done is no further than a flick away"
    sizes = [control.bounding_box() for control in panel.locator(".choice").all()]
    assert all(size and size["height"] >= THUMB_PX and size["x"] + size["width"] <= PHONE[0] for size in sizes)
    player.play(hasty, until=lambda now: any(text.startswith("bid") for text in now.done))
    assert not scrolls_sideways(page)
    sheet = page.locator("#sheet > summary")
    sheet.click()
    expect(page.locator("#log")).to_be_in_viewport()
    page.locator("#log .rule-link").first.click()
    expect(page.locator("#rule-drawer")).to_be_in_viewport()
    page.locator("#close-rule").click()
    expect(page.locator("#rule-drawer")).to_be_hidden()
    sheet.click()
    expect(page.locator("#log")).to_be_hidden()
    page.locator("#site-menu > summary").click()
    page.locator("#table-menu a[href='#leaving']").click()  # the menu leads into the same sheet
    expect(page.locator("#leave")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#leave")).to_be_hidden()
    page.locator("#players-all > summary").click()  # and what the players have comes from above
    expect(page.locator("#tiles-2")).to_be_in_viewport()


def test_the_menu_of_a_phone_holds_all_ways(visitors: Visitors) -> None:
    visitor = visitors(lang="hu", size=PHONE, scheme="dark")
    page = visitor.go("/")
    for address in ("/lobby/", "/hu/rules/", "/leaderboards/ra/", "/accounts/login/"):
        visitor.open_menu()
        link = page.locator(f".site-menu__panel a[href='{address}']")
        expect(link).to_be_in_viewport()
        link.click()
        page.wait_for_url(f"**{address}")
        assert not scrolls_sideways(page)
    visitor.open_menu()
    page.locator(".site-menu__panel").get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_hint_and_chances_are_in_the_menu_of_a_practice_game(visitors: Visitors) -> None:
    visitor = visitors(lang="hu", size=PHONE, scheme="dark")
    visitor.go("/")
    page = practice(visitor, "auction")
    expect(page.locator("#hint")).to_be_hidden()  # the question has no room for it
    for name in ("hint", "chances"):
        visitor.open_menu()
        page.locator(f"#table-menu a[href$='/{name}/']").click()
        expect(page.locator("#site-menu[open]")).to_have_count(0)
        expect(page.locator("#rule-drawer")).to_be_in_viewport()
        expect(page.locator("#rule-body [data-wait]")).to_have_count(0, timeout=30_000)
        expect(page.locator("#rule-body .hint__step, #rule-body .chances")).not_to_have_count(0)
        assert not scrolls_sideways(page)
        page.locator("#close-rule").click()
        expect(page.locator("#site-menu > summary")).to_be_focused()
