"""Two people: one opens a table for two and sends the link, the other follows it, takes the seat, and both play."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import scrolls_sideways, somewhere


def test_from_new_table_by_link_to_sitting_together(visitors: Visitors) -> None:
    host, friend, stranger = visitors(), visitors(), visitors()
    host.go("/tables/new/?game=ra")
    page = host.page
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_role("radio", name="Only by link").check(force=True)
    expect(page.locator("#help-link")).to_be_visible()
    host.press("Open table", exact=True)
    number = host.table_id()
    page.evaluate("window.untouched = true")
    link = page.get_by_label("Invite by link").input_value()
    assert f"/invite/{link.rstrip('/').rpartition('/')[2]}/" in link
    page.get_by_text("QR code", exact=True).click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.inviting__qr').naturalWidth > 0")
    assert not scrolls_sideways(page)

    path = "/invite/" + link.partition("/invite/")[2]
    with stranger.expecting(404):
        stranger.go(f"/tables/{number}/")
    friend.go(path)
    expect(friend.page.locator("h1")).to_contain_text("invites you to Ra")
    friend.press("Take seat")
    friend.page.wait_for_url(f"**/tables/{number}/")
    for visitor in (host, friend):
        expect(visitor.page.locator(".player")).to_have_count(2)
    assert page.evaluate("window.untouched === true"), "the host's page followed by itself"
    with stranger.expecting(404):
        stranger.go(f"/tables/{number}/")


def test_an_invitation_by_name_is_answered_from_the_lobby(visitors: Visitors) -> None:
    host, friend = visitors(), visitors()
    name = somewhere("dora")
    friend.sign_up(name)
    host.go("/tables/new/?game=ra")
    host.page.get_by_role("radio", name="2", exact=True).check(force=True)
    host.press("Open table", exact=True)
    number = host.table_id()
    box = host.page.locator("#who")
    box.fill(name)
    box.press("Enter")
    expect(host.page.locator("#invited")).to_contain_text("No answer yet")

    friend.go("/lobby/")
    friend.press("Answer", role="link", exact=True)
    friend.page.get_by_text("Suggest a change").click()
    friend.page.get_by_role("radio", name="3", exact=True).check(force=True)
    friend.page.get_by_label("Message (optional)").fill("With a third?")
    friend.press("Send suggestion")
    expect(friend.page.locator("main")).to_contain_text("You asked for this: 3 players.")

    expect(host.page.locator("#invited")).to_contain_text("With a third?")
    host.press("Change the table")
    expect(host.page.locator("#board")).to_contain_text(name)
    expect(host.page.locator("#board")).to_contain_text("1 seat is free")
    friend.go(f"/tables/{number}/")
    expect(friend.page.locator("#action-title")).to_have_text("You are at this table")
