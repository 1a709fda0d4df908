"""Goods that are spent together, on the page: with the mouse, by keyboard alone, and without script."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, scrolls_sideways
from tests.browser.playing import NEWER, Player
from tests.browser.positions import Positions

MOST_CLICKS = 5  # for eight goods or more
GOODS = 10
THUMB_PX = 40


def equipping(visitor: Visitor, positions: Positions) -> Page:
    page = positions.open("after_the_flood/equip", visitor, "apprentice", "apprentice")
    assert Player(visitor).wait_for_turn()
    return page


def total(page: Page) -> str:
    return page.locator(".basket__sum b").inner_text()


def sent(page: Page, act: str) -> list[str]:
    """Return what the log says about goods after the basket has been sent by `act`."""
    version = page.locator("#table").get_attribute("data-version")
    if act == "click":
        page.locator("#basket-confirm").click()
    else:
        page.keyboard.press("Enter")
    page.wait_for_function(NEWER, arg=int(version or 0))
    return page.locator("#log .log__text").filter(has_text="on equipment").all_inner_texts()


def test_all_goods_are_two_clicks_and_a_choice_of_them_few_more(visitors: Visitors, positions: Positions) -> None:
    page = equipping(visitors(name="Anna", size=PHONE, touch=True), positions)
    assert not scrolls_sideways(page)
    for button in page.locator("#basket .basket__step").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= THUMB_PX
    assert total(page) == "0"
    clicks = 0

    def tap(control: str) -> None:
        nonlocal clicks
        clicks += 1
        page.locator(control).tap()

    tap("#basket-all")
    assert total(page) == "21"
    expect(page.locator(".basket__level:visible")).to_contain_text("rating A")
    tap("#lot-equip-gold-less")
    tap("#lot-equip-oil-less")
    assert total(page) == "14"
    expect(page.locator("#lot-equip-gold-less")).to_have_attribute("aria-disabled", "true")
    version = page.locator("#table").get_attribute("data-version")
    tap("#basket-confirm")
    page.wait_for_function(NEWER, arg=int(version or 0))
    told = page.locator("#log .log__text").filter(has_text="on equipment").all_inner_texts()
    assert len(told) == GOODS - 2 >= 8
    assert clicks <= MOST_CLICKS
    expect(page.locator("#basket")).to_have_count(0)


def test_a_basket_by_keyboard_alone_and_a_good_of_the_board_in_it(visitors: Visitors, positions: Positions) -> None:
    page = equipping(visitors(name="Anna"), positions)
    page.locator("#good-gold").press("Enter")
    expect(page.locator("#lot-equip-gold")).to_have_value("1")
    page.locator("#good-gold").press("Enter")
    expect(page.locator("#lot-equip-gold")).to_have_value("1")
    page.locator("#lot-equip-grain").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert total(page) == "6"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert total(page) == "7"
    page.locator("#lot-equip-wood").fill("9")
    page.keyboard.press("Tab")
    expect(page.locator("#lot-equip-wood")).to_have_value("2")
    page.locator("#basket-none").press("Enter")
    assert total(page) == "0"
    page.locator("#lot-equip-grain").fill("3")
    told = sent(page, "Enter")
    assert len(told) == 3


def test_a_basket_stays_filled_while_the_question_stays(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna")
    page = equipping(anna, positions)
    page.locator("#lot-equip-tool-more").click()
    page.evaluate("htmx.ajax('GET', document.getElementById('table').dataset.region, {target: '#table', swap: 'outerHTML'})")
    expect(page.locator("#lot-equip-tool")).to_have_value("1")
    assert total(page) == "3"


def test_a_basket_without_script(visitors: Visitors, positions: Positions) -> None:
    page = positions.open("after_the_flood/equip", visitors(name="Anna", script=False), "apprentice", "apprentice")
    expect(page.locator(".basket__step, .basket__fill").first).to_be_hidden()
    page.locator("#lot-equip-grain").fill("2")
    page.locator("#lot-equip-gold").fill("1")
    page.locator("#basket-confirm").click()
    told = page.locator("#log .log__text").filter(has_text="on equipment").all_inner_texts()
    assert len(told) == 3
    expect(page.locator("#basket")).to_have_count(0)
