"""Keyboard only: a turn and an auction are played without a mouse, and the focus is never lost."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.people import Visitor
from tests.browser.playing import CHOSEN, NEWER, Player, practice


def focused(page: Page) -> str:
    """Return the id of the focused element, or its tag name if it has none."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def tab_to(page: Page, wanted: str, *, within: int = 12) -> None:
    for _step in range(within):
        if focused(page) == wanted:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not within {within} steps; the focus is on {focused(page)}")


def test_a_call_and_a_bid_are_made_with_keys_alone(visitor: Visitor) -> None:
    page, player = practice(visitor, "last-sun"), Player(visitor)
    keys = page.keyboard
    assert player.wait_for_turn()

    keys.press("a")
    call = player.look().choices["call"]
    tab_to(page, call)
    keys.press("Enter")
    page.wait_for_function(CHOSEN, arg="call")
    assert focused(page) == call, "after the swap the same control has the focus"
    keys.press("Escape")
    page.wait_for_function("() => !location.search && !document.querySelector('#undo')")
    expect(page.locator("#confirm")).to_have_count(0)
    assert focused(page) == call
    keys.press("Enter")
    page.wait_for_function(CHOSEN, arg="call")
    tab_to(page, "confirm")
    version = player.look().version
    keys.press("Enter")
    page.wait_for_function(NEWER, arg=version)
    assert focused(page) == "action-title", "the button is gone, so the heading of the panel has the focus"

    assert player.wait_for_turn()
    assert list(player.look().targets) == ["bid 12"]
    keys.press("b")
    assert focused(page) == player.look().targets["bid 12"]
    keys.press("Enter")
    page.wait_for_function(CHOSEN, arg="bid 12")
    assert focused(page) == player.look().targets["bid 12"]
    keys.press("a")
    tab_to(page, "confirm")
    version = player.look().version
    keys.press("Enter")
    page.wait_for_function(NEWER, arg=version)
    expect(page.locator("#log")).to_contain_text(re.compile(r"\b12\b"))
    assert focused(page) not in ("BODY", "content")


def test_targets_of_the_board_are_walked_and_chosen_with_keys(visitor: Visitor) -> None:
    page, player = practice(visitor, "gods"), Player(visitor)
    keys = page.keyboard
    assert player.wait_for_turn()
    player.choose("god")
    targets = [control for prefix, control in player.look().targets.items() if prefix.startswith("god ")]
    assert len(targets) >= 2
    keys.press("b")
    assert focused(page) == targets[0]
    keys.press("n")
    assert focused(page) == targets[1]
    keys.press("p")
    assert focused(page) == targets[0]
    keys.press("p")
    assert focused(page) == targets[-1]
    keys.press("n")
    keys.press("ArrowRight")
    assert focused(page) == targets[1]
    keys.press("ArrowLeft")
    assert focused(page) == targets[0]
    keys.press("Enter")
    page.wait_for_selector("#confirm")
    assert focused(page) == targets[0], "the chosen tile keeps the focus"
    keys.press("Escape")
    page.wait_for_selector("#confirm", state="detached")
    assert player.look().chosen == []
    assert focused(page) == targets[0]


def test_keys_lead_to_log_rule_and_help(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    player.act("call")
    assert player.wait_for_turn()
    page.keyboard.press("l")
    assert focused(page) == "log"
    page.keyboard.press("?")
    help_list = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help_list).to_be_visible()
    page.keyboard.press("a")
    expect(help_list).to_be_visible()
    assert page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(help_list).to_be_hidden()
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.matches('[data-target], #board')")
    page.locator("#site-search").focus()
    page.keyboard.type("abl?")
    expect(page.locator("#site-search")).to_have_value("abl?")
    expect(help_list).to_be_hidden()


def test_the_first_stop_of_a_page_skips_to_its_content(visitor: Visitor) -> None:
    page = visitor.go("/lobby/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert focused(page) == "content"
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_every_stop_shows_where_the_focus_is(visitor: Visitor) -> None:
    page, player = practice(visitor, "gods"), Player(visitor)
    assert player.wait_for_turn()
    seen: list[str] = []
    for _step in range(60):
        page.keyboard.press("Tab")
        mark = page.evaluate(
            "() => { const at = document.activeElement, style = getComputedStyle(at);"
            " const inner = at.matches('input') ? getComputedStyle(at.parentElement) : style;"
            " return [at.tagName, at.id, [style, inner].some((it) => it.outlineStyle !== 'none' && parseFloat(it.outlineWidth) >= 2)]; }"
        )
        if mark[0] == "BODY":
            break
        assert mark[2], f"no ring round {mark}"
        seen.append(mark[1])
    assert {"site-search", *player.look().choices.values()} <= set(seen)
    assert len(seen) > 6
