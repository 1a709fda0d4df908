"""Undo and redo on the page: side by side, by keys, a basket as a whole, and nothing moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, scrolls_sideways
from tests.browser.playing import NEWER, Player
from tests.browser.positions import Positions

DESK = (1366, 768)
SPENT = "on equipment"


def after(page: Page, act: str) -> None:
    """Press a key, and wait until the table has changed."""
    version = int(page.locator("#table").get_attribute("data-version") or 0)
    page.keyboard.press(act)
    page.wait_for_function(NEWER, arg=version)


def places(page: Page) -> list[tuple[float, float]]:
    boxes = [page.locator(button).bounding_box() for button in ("#undo-turn", "#redo-turn")]
    return [(box["x"], box["y"]) for box in boxes if box]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_basket_is_undone_and_redone_by_one_key_each(visitors: Visitors, positions: Positions, size: tuple[int, int]) -> None:
    anna = visitors(name="Anna", size=size, lang="hu" if size == PHONE else "en")
    page = positions.open("after_the_flood/equip", anna, "apprentice", "apprentice", confirm="matters")
    assert Player(anna).wait_for_turn()
    expect(page.locator("#undo-turn, #redo-turn")).to_have_count(0)
    page.locator("#lot-equip-grain").fill("2")
    page.locator("#lot-equip-gold").fill("1")
    version = int(page.locator("#table").get_attribute("data-version") or 0)
    page.locator("#basket-confirm").click()
    page.wait_for_function(NEWER, arg=version)
    expect(page.locator("#redo-turn")).to_have_attribute("aria-disabled", "true")
    page.locator("#action-title").focus()
    page.keyboard.press("U")  # there is nothing to redo
    after(page, "u")
    expect(page.locator("#lot-equip-grain")).to_be_visible()
    expect(page.locator("#undo-turn")).to_have_attribute("aria-disabled", "true")
    assert not scrolls_sideways(page)
    before = places(page)
    assert len(before) == 2
    assert before[0][1] == before[1][1], "side by side"
    after(page, "U")
    expect(page.locator("#basket")).to_have_count(0)
    expect(page.locator("#redo-turn")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#undo-turn")).not_to_have_attribute("aria-disabled", "true")
    page.locator("#undo-turn").focus()
    after(page, "Enter")
    assert page.evaluate("document.activeElement.id") == "undo-turn", "the button that can't be used now keeps the focus"
    assert places(page) == before


def test_the_key_takes_back_a_choice_before_a_move(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna")
    page, player = positions.open("tigris_euphrates/war", anna, "apprentice", confirm="always"), Player(anna)
    assert player.wait_for_turn()
    first = next(prefix for prefix in player.look().choices if prefix and prefix not in player.look().posts)
    player.choose(first)
    page.keyboard.press("u")
    page.wait_for_function("() => !location.search && !document.querySelector('#undo')")
