"""Without script a table is played with links, forms and reloading the page."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PATIENCE_MS
from tests.browser.playing import new_table


def load_until_due(page: Page) -> None:
    """Reload the page, as its reader would, until there is something to decide."""
    end = time.monotonic() + 2 * PATIENCE_MS / 1000
    while not page.locator("#action.is-due").count():
        assert time.monotonic() < end, page.locator("#turn").inner_text()
        page.wait_for_timeout(200)
        page.reload()


def act(page: Page, prefix: str) -> None:
    """Press the action's button, or choose it and confirm it."""
    button = page.locator(f"#action button.choice[value='{prefix}']")
    if button.count():
        button.click()
    else:
        page.locator(f"#action a.choice[href='?a={prefix}']").click()
        expect(page.locator("#confirm")).to_be_visible()
        page.locator("#confirm").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))


def test_a_guest_plays_up_to_the_end_of_an_auction(visitors: Visitors) -> None:
    visitor = visitors(script=False)
    visitor.go("/")
    visitor.press("Choose seats and levels", role="link")
    new_table(visitor, 3, {1: "apprentice", 2: "apprentice"}, fill=True)
    page = visitor.page
    lines = page.locator("#log .log__line")
    load_until_due(page)
    assert page.locator("#log").inner_text().count("\n") >= 1
    for _turn in range(40):
        offered = [link.get_attribute("href") or "" for link in page.locator("#action a.choice").all()]
        bids = [button.get_attribute("value") or "" for button in page.locator("#action button.choice[value^='bid']").all()]
        bids += [href.removeprefix("?a=").replace("+", " ") for href in offered if href.startswith("?a=bid")]
        if bids:
            act(page, bids[-1])
        elif "?a=call" in offered and page.locator(".ra-slot__tile").count():
            act(page, "call")
        else:
            act(page, "draw")
        load_until_due(page)
        page.goto(page.url + "log/")
        is_sold = re.search(r"(won|takes?|took) ", page.locator("main").inner_text())
        page.go_back()
        if is_sold:
            break
    assert is_sold
    assert lines.count() >= 5


def test_a_call_goes_together_with_the_bid_that_is_given_now(visitors: Visitors) -> None:
    visitor = visitors(script=False)
    page = visitor.go("/practice/ra/lone-call/")
    page.locator("main form button").click()
    load_until_due(page)
    page.locator("#action a.choice[href='?a=call']").click()
    field = page.locator("#then")
    expect(field).to_be_visible()
    field.select_option(index=1)
    page.locator("#confirm").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    for _load in range(50):
        if "answered in advance" in page.locator("#log").inner_text():
            return
        page.wait_for_timeout(200)
        page.reload()
    raise AssertionError(page.locator("#log").inner_text())
