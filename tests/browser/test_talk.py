"""Two people talk at a table: what one says arrives at the other, on a phone too, without a jump of the board; and without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, scrolls_sideways, somewhere
from tests.browser.test_accessibility import findings


def table_of_two(host: Visitor, friend: Visitor) -> str:
    """Let two guests sit down at a table; return its path."""
    host.go("/tables/new/?game=ra")
    host.page.get_by_role("radio", name="2", exact=True).check(force=True)
    host.press("Open table", exact=True)
    path = f"/tables/{host.table_id()}/"
    link = host.page.get_by_label("Invite by link").input_value()
    friend.go("/invite/" + link.partition("/invite/")[2])
    friend.press("Take seat")
    friend.page.wait_for_url(f"**{path}")
    return path


def open_chat(page: Page) -> None:
    page.locator("#site-menu > summary").click()
    page.locator("#table-menu [data-talk-open]").click()
    expect(page.locator("#talk [data-talk-panel]")).to_be_visible()


def test_two_people_talk_beside_the_board(visitors: Visitors) -> None:
    host, friend = visitors(), visitors(size=PHONE, scheme="dark")
    path = table_of_two(host, friend)
    for visitor in (host, friend):
        visitor.go(path)
        expect(visitor.page.locator(".player")).to_have_count(2)
    desk, phone = host.page, friend.page
    board = desk.locator("#board").bounding_box()
    open_chat(desk)
    expect(desk.locator("#talk-title")).to_be_focused()
    desk.get_by_label("Your message, Players' chat").fill("<b>Good</b> evening")
    desk.keyboard.press("Enter")
    expect(desk.locator("#talk .talk__text")).to_have_text("<b>Good</b> evening")
    expect(desk.get_by_label("Your message, Players' chat")).to_have_value("")
    assert desk.locator("#board").bounding_box() == board

    expect(phone.locator("#site-menu")).to_have_attribute("data-said", "")  # a dot at the menu
    open_chat(phone)
    expect(phone.locator("#site-menu")).not_to_have_attribute("data-said", re.compile(".*"))
    assert not scrolls_sideways(phone)
    for page in (desk, phone):
        assert findings(page, "chat") == []
    phone.get_by_role("button", name="Thanks!").click()
    expect(desk.locator("#talk .talk__text")).to_have_text(["<b>Good</b> evening", "Thanks!"])
    desk.keyboard.press("Escape")
    expect(desk.locator("#talk")).to_be_hidden()
    expect(desk.locator("#site-menu > summary")).to_be_focused()

    with host.expecting(422):
        open_chat(desk)
        desk.locator("#say-players").evaluate("(it) => { it.removeAttribute('maxlength'); it.value = 'x'.repeat(501); }")
        desk.get_by_role("button", name="Send").click()
        expect(desk.locator("[data-talk-fault]")).to_contain_text("at most 500 characters")
    expect(desk.get_by_label("Your message, Players' chat")).to_have_value("x" * 501)


def test_players_see_who_watches_and_when_they_have_gone(visitors: Visitors) -> None:
    host, friend, guest, nobody = visitors(), visitors(size=PHONE), visitors(size=PHONE), visitors()
    path = table_of_two(host, friend)
    expect(friend.page.locator(".player")).to_have_count(2)
    desk, phone = host.page, friend.page
    host.go(path)
    link = desk.locator("[data-talk-open=watching]")
    expect(link).to_be_hidden()
    name = somewhere("olga")
    guest.sign_up(name)
    for visitor in (guest, nobody):
        visitor.go(path)
        expect(visitor.page.locator(".player")).to_have_count(2)
    expect(link).to_have_text("Watching: 2")
    expect(phone.locator("[data-talk-open=watching]")).to_have_text("Watching: 2")
    link.click()
    shown = desk.locator("#talk-watching")
    expect(shown.locator("summary")).to_be_focused()
    expect(shown.locator("li")).to_have_text([name, "1 without a name"])
    assert findings(desk, "watching") == []
    nobody.page.goto("about:blank")
    expect(shown.locator("li")).to_have_text([name])
    expect(link).to_have_text("Watching: 1")
    guest.page.goto("about:blank")
    expect(shown).to_be_hidden()
    expect(link).to_be_hidden()
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize("size", [PHONE])
def test_without_script_the_chat_is_a_page(visitors: Visitors, size: tuple[int, int]) -> None:
    host, friend = visitors(script=False, size=size), visitors()
    path = table_of_two(host, friend)
    host.go(f"{path}talk/")
    page = host.page
    page.get_by_label("Your message, Players' chat").fill("Hello")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".talk__text")).to_have_text("Hello")
    friend.go(f"{path}talk/")
    friend.page.get_by_role("link", name=re.compile("Report")).click()
    friend.page.get_by_label("Insults or hate").check()
    friend.page.get_by_role("button", name="Report", exact=True).click()
    expect(friend.page.get_by_role("status").filter(has_text="Thank you")).to_be_visible()
    page.locator("#talk-notes > summary").click()
    page.get_by_label("Notes to yourself").fill("watch the pharaohs")
    page.get_by_role("button", name="Save notes").click()
    expect(page.get_by_label("Notes to yourself")).to_have_value("watch the pharaohs")
    assert not scrolls_sideways(page)
