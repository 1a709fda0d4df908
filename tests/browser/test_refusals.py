"""Refusals appear beside the board, with the reason and the paragraph."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.people import Visitor
from tests.browser.playing import Player, practice


def test_a_second_tab_that_is_behind_gets_the_new_position_and_a_notice(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    behind = visitor.context.new_page()
    visitor.quiet = "/events/"
    behind.route("**/events/**", lambda route: route.abort())  # this tab gets no updates
    behind.goto(page.url)
    player.act("call")
    with visitor.expecting(409):
        behind.locator("#action button.choice", has_text="Draw").click()
        notice = behind.locator("#notice")
        expect(notice).to_be_visible()
    expect(notice).to_contain_text("The game has moved on")
    expect(notice).to_be_focused()
    expect(behind.locator("#log")).to_contain_text("called Ra")
    assert Player(visitor).look().track == Player(visitor).look().track
    assert "drew" not in page.locator("#log .log__line[data-mine]").first.inner_text()


def test_a_refused_action_tells_the_reason_and_opens_the_paragraph_beside_the_board(visitor: Visitor) -> None:
    page, player = practice(visitor, "full-track"), Player(visitor)
    assert player.wait_for_turn()
    before = player.look()
    assert "draw" not in before.choices
    expect(page.locator("details.why-nots")).to_be_attached()
    player.choose("call")
    page.evaluate("document.getElementById('confirm').value = 'draw'")  # a form from a stale page
    with visitor.expecting(422):
        page.locator("#confirm").click()
        notice = page.locator("#notice")
        expect(notice).to_be_visible()
    expect(notice).to_be_focused()
    expect(notice.locator("a.rule-link")).to_have_attribute("href", re.compile(r"/en/rules/ra/p/draw-4/"))
    drawer = page.locator("#rule-drawer")
    expect(drawer).to_be_visible()
    assert len(drawer.locator("#rule-body").inner_text()) > 30
    board, beside = page.locator("#board").bounding_box(), drawer.bounding_box()
    assert board
    assert beside
    assert beside["x"] >= board["x"] + board["width"], "the paragraph stands beside the board"
    after = player.look()
    assert (after.version, after.track) == (before.version, before.track), "nothing was done"
    player.act("call")


def test_a_rule_link_of_the_table_opens_beside_the_board_and_is_closed_again(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    address = page.url
    page.locator("#action .rule-link").first.click()
    drawer = page.locator("#rule-drawer")
    expect(drawer).to_be_visible()
    assert len(drawer.locator("#rule-body").inner_text()) > 30
    assert page.url == address
    page.keyboard.press("r")
    expect(page.locator("#rule-title")).to_be_focused()
    page.locator("#close-rule").click()
    expect(drawer).to_be_hidden()


def test_a_wrong_address_says_what_to_do(visitor: Visitor) -> None:
    with visitor.expecting(404):
        page = visitor.go("/tables/999999/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.locator("main a").count() >= 1
        page = visitor.go("/en/rules/ra/auctoin/")
        expect(page.locator("main").get_by_role("link", name="The auction")).to_be_visible()
