"""The bell in the header opens the latest notices where the reader is, by mouse and by keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, scrolls_sideways, somewhere


def test_an_invitation_is_read_in_the_panel_and_answered(visitors: Visitors) -> None:
    host, friend = visitors(), visitors(size=PHONE)
    name = somewhere("dora")
    friend.sign_up(name)
    host.go("/tables/new/?game=ra")
    page = host.page
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.locator("select[name=seat-1]").select_option("invite")
    page.locator("input[name=person-1]").fill(name)
    host.press("Open table", exact=True)
    number = host.table_id()
    expect(page.locator("#invited")).to_contain_text(name)

    page = friend.go("/clubs/")
    bell = page.locator("#bell")
    expect(bell).to_have_attribute("data-unread", "1")
    bell.focus()
    page.keyboard.press("Enter")
    panel = page.locator(".bell-panel")
    expect(panel).to_contain_text("Ra")
    expect(page.locator("#bell-panel-title")).to_be_focused()
    assert not scrolls_sideways(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(bell).to_be_focused()
    bell.click()
    panel.locator("li a").first.click()
    friend.press("Accept")
    friend.page.wait_for_url(f"**/tables/{number}/")
    expect(friend.page.locator("#bell")).to_have_attribute("data-unread", "0")


def test_an_empty_panel_closes_and_leads_to_the_list(visitors: Visitors) -> None:
    visitor = visitors()
    visitor.sign_up(somewhere("vera"))
    page = visitor.go("/clubs/")
    page.locator("#bell").click()
    expect(page.locator(".bell-panel")).to_contain_text("No notices yet")
    page.mouse.click(5, 400)
    expect(page.locator(".bell-panel")).to_be_hidden()
    expect(page.locator("#bell")).to_have_attribute("aria-expanded", "false")
    page.locator("#bell").click()
    page.get_by_role("link", name="All notices").click()
    page.wait_for_url("**/notices/")
