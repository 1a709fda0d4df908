"""Two people with a phone each, one in Hungarian by night: from the lobby by a link to a table, a game to its end, a word in the chat, a rematch."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, scrolls_sideways
from tests.browser.playing import Player, play_together


def fits(page: Page) -> None:
    assert not scrolls_sideways(page), page.url


def say(visitor: Visitor, text: str) -> None:
    """Open the chat from the menu, say something, and close it."""
    page = visitor.page
    visitor.open_menu()
    page.locator("#table-menu [data-talk-open]").click()
    field = page.locator("#talk textarea, #talk input[name=text]").first
    field.fill(text)
    field.press("Enter")
    expect(page.locator("#talk-body")).to_contain_text(text)
    fits(page)
    page.locator("#close-talk").click()


def test_two_phones_meet_play_talk_and_play_again(visitors: Visitors) -> None:
    host, friend = visitors(lang="hu", size=PHONE, scheme="dark"), visitors(size=PHONE)
    page = host.go("/lobby/")
    fits(page)
    page.locator("main a[href='/tables/new/']").first.click()
    page.locator("input[name=seats][value='2']").check(force=True)
    page.locator("input[name=who][value=link]").check(force=True)
    fits(page)
    page.locator("aside button:not([name])").click()
    number = host.table_id()
    link = page.locator("#table-link").input_value()
    fits(page)

    page = friend.go("/invite/" + link.partition("/invite/")[2])
    fits(page)
    friend.press("Take seat")
    page.wait_for_url(f"**/tables/{number}/")
    players = [Player(host), Player(friend)]
    for player in players:
        player.page.wait_for_selector("#table.table-page, #table")
        fits(player.page)
    say(friend, "Good luck")
    say(host, "Sok szerencsét")
    play_together(players)
    for player in players:
        expect(player.page.locator("#result-share")).to_be_visible()
        fits(player.page)
    host.page.locator("form[action$='/rematch/'] button, button[formaction$='/rematch/']").first.click()
    host.page.wait_for_url(lambda url: f"/tables/{number}/" not in url)
    friend.page.reload()
    friend.page.locator("form[action$='/rematch/'] button, button[formaction$='/rematch/']").first.click()
    friend.page.wait_for_url(lambda url: f"/tables/{number}/" not in url)
    assert friend.table_id() == host.table_id() != number
    fits(friend.page)
