"""Two people find each other: both press "Find me a table" and sit opposite each other, without a word about a table."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitors


def test_two_who_look_for_a_table_meet(visitors: Visitors) -> None:
    first, second = visitors(), visitors()
    for visitor in (first, second):
        page = visitor.go("/lobby/")
        form = page.locator("form[action='/find/look/']")
        form.locator("select[name=game]").select_option("ra")
        form.locator("select[name=seats]").select_option("2")
        form.locator("button").press("Enter")
        visitor.page.wait_for_url("**/find/")
    for visitor in (first, second):
        visitor.page.wait_for_url("**/tables/*/", timeout=30_000)
        expect(visitor.page.locator(".player")).to_have_count(2)
    assert first.table_id() == second.table_id()
