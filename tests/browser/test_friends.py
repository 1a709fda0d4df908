"""Two people become friends: one asks, the other hears of it and accepts, and invites the first from the page of friends."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, somewhere
from tests.browser.test_accessibility import findings
from tests.running import wait_until


def test_friends_find_each_other_at_a_table(visitors: Visitors) -> None:
    desk, phone = visitors(), visitors(size=PHONE)
    dora, erik = somewhere("dora"), somewhere("erik")
    desk.sign_up(dora)
    phone.sign_up(erik)
    assert findings(desk.go("/friends/"), "no friends") == []

    desk.go(f"/people/{erik}/")
    desk.press("Ask to be friends")
    expect(desk.page.get_by_text(f"You have asked {erik}.")).to_be_visible()
    assert findings(desk.go("/friends/"), "a request that was sent") == []

    page = phone.go("/clubs/")
    expect(page.locator("#bell")).to_have_attribute("data-unread", "1")
    page.locator("#bell").click()
    page.locator(".bell-panel").get_by_role("link", name=f"{dora} asks to be friends with you.").click()
    page.wait_for_url("**/friends/#friend-*")
    expect(page.locator("#bell")).to_have_attribute("data-unread", "0")
    assert findings(page, "a request that was received") == []
    phone.press(f"Accept: {dora}")
    expect(page.get_by_text(f"You and {dora} are friends now.")).to_be_visible()
    page.get_by_label("Friends can see when I am here").check()
    phone.press("Save", exact=True)

    page = desk.go("/friends/")
    page.get_by_label("Friends can see when I am here").check()
    desk.press("Save", exact=True)
    page.get_by_role("link", name=f"Invite to a table: {erik}").click()
    page.locator("a[href*='game=ra']").first.click()
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    desk.press("Open table", exact=True)
    number = desk.table_id()
    expect(page.locator("#invited")).to_contain_text(erik)

    page = phone.go("/friends/")
    row = page.locator(".friend", has_text=dora)

    def is_at_table() -> bool:
        page.reload()
        return row.get_by_text("At a table").is_visible()

    wait_until(is_at_table)  # noted a moment after the table was opened
    expect(row.get_by_role("link", name=f"Ra, table {number}")).to_be_visible()
    assert findings(page, "a friend who is here") == []
    row.get_by_role("link", name=dora, exact=True).click()
    phone.press(f"Remove friend: {dora}")
    expect(page.get_by_text(f"You and {dora} are no longer friends.")).to_be_visible()
    expect(phone.go("/friends/").get_by_text("No friends yet.")).to_be_visible()
    assert not page.locator(".friend").count()
    expect(desk.go("/friends/").get_by_text("No friends yet.")).to_be_visible()
