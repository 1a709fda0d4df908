"""Chains of trades and several workers on the page: gathered, changed and played together, in few clicks; by keyboard and without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, scrolls_sideways
from tests.browser.playing import CHOSEN, NEWER, Player
from tests.browser.positions import Positions
from tests.browser.test_clicks import COUNTING

DESK = (1366, 768)
TRADES_BEFORE, TRADES = 8, 5  # docs/clicks.md
WORKERS_BEFORE, WORKERS = 9, 5
OIL, GOLD, LAPIS = "trade amorites oil textile", "trade egypt gold oil", "trade kassites lapis gold"
CHAIN = f"{OIL} then {GOLD} then {LAPIS}"
GATHERED = "place textile irrigation 2 then scribe available egypt then scribe available kassites"


def market(visitor: Visitor, positions: Positions) -> tuple[Page, Player]:
    visitor.context.add_init_script(COUNTING)
    page = positions.open("after_the_flood/trade", visitor, "apprentice", "apprentice", confirm="matters")
    player = Player(visitor)
    assert player.wait_for_turn()
    return page, player


def choose(page: Page, prefix: str, *, on_board: bool = False) -> None:
    """Click on the control that leads to a prefix, and wait until it is chosen."""
    area = "#board" if on_board else "#action"
    page.locator(f"{area} a[href='?a={prefix.replace(' ', '+')}']").first.click()
    page.wait_for_function(CHOSEN, arg=prefix)


def send(page: Page) -> list[str]:
    """Press the button that plays it all; return the log, newest first."""
    version = int(page.locator("#table").get_attribute("data-version") or 0)
    page.locator("#confirm").click()
    page.wait_for_function(NEWER, arg=version)
    return page.locator("#log .log__text").all_inner_texts()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_three_trades_are_five_clicks(visitors: Visitors, positions: Positions, size: tuple[int, int]) -> None:
    page, _ = market(visitors(name="Anna", size=size, touch=size == PHONE), positions)
    choose(page, "trade")
    choose(page, OIL)
    choose(page, f"{OIL} then {GOLD}")
    choose(page, CHAIN)
    expect(page.locator("#plan > li")).to_have_count(3)
    held = page.locator("#plan > li").last.locator(".plan__held")
    expect(held).to_have_text(re.compile(r"You then have:\s*grain\s*2\s*metal\s*1\s*textile\s*1\s*tool\s*1\s*lapis lazuli\s*1"))
    assert not scrolls_sideways(page)
    for control in page.locator("#plan a").all():
        box = control.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    told = send(page)
    assert sum("traded" in line for line in told) == 3
    assert page.evaluate("window.clicks") == TRADES < TRADES_BEFORE


def test_workers_in_three_places_are_five_clicks_on_the_board(visitors: Visitors, positions: Positions) -> None:
    page, _ = market(visitors(name="Anna", size=DESK), positions)
    choose(page, "place textile")
    choose(page, "place textile irrigation", on_board=True)
    choose(page, "place textile irrigation 2 then scribe available egypt", on_board=True)
    choose(page, GATHERED, on_board=True)
    told = send(page)
    assert sum("scribe" in line for line in told) >= 2
    assert page.evaluate("window.clicks") == WORKERS < WORKERS_BEFORE


def test_a_chain_is_played_and_gone_on_with_and_taken_back_whole(visitors: Visitors, positions: Positions) -> None:
    page, player = market(visitors(name="Anna", size=PHONE, touch=True), positions)
    for prefix in ("trade", OIL, f"{OIL} then {GOLD}"):
        choose(page, prefix)

    def press(button: str) -> tuple[str, str]:
        """Press a button; return the question and one's goods then."""
        version = int(page.locator("#table").get_attribute("data-version") or 0)
        page.locator(button).tap()
        page.wait_for_function(NEWER, arg=version)
        assert player.look().is_due
        return page.locator("#action-title").inner_text(), goods()

    def goods() -> str:
        return " ".join((page.locator("#goods-1").text_content() or "").split())

    before = goods()
    title, after = press("#go-on")
    assert title == "Keep trading?"
    assert after != before
    expect(page.locator("#plan")).to_have_count(0)  # all of it has been played
    assert press("#undo-turn") == ("Your turn: choose an action", before)
    assert press("#redo-turn") == ("Keep trading?", after)
    choose(page, LAPIS)
    told = send(page)
    assert sum("traded" in line for line in told) == 2 + 2 + 1  # the log keeps what was redone


def test_a_chain_is_changed_by_keyboard_alone(visitors: Visitors, positions: Positions) -> None:
    page, player = market(visitors(name="Anna", size=DESK), positions)
    page.locator("#o-trade").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(CHOSEN, arg="trade")
    for prefix in (OIL, f"{OIL} then {GOLD}"):
        page.locator(f"#action a[href='?a={prefix.replace(' ', '+')}']").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(CHOSEN, arg=prefix)
    page.locator("#plan-1-change").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(CHOSEN, arg=f"trade then {GOLD}")
    expect(page.locator("#confirm")).to_have_count(0)
    page.keyboard.press("u")  # back to what was chosen otherwise
    page.wait_for_function("gold => new URLSearchParams(location.search).get('a') === gold", arg=GOLD)
    expect(page.locator("#refusal")).to_be_visible()
    assert player.look().is_due


def test_numbers_of_workers_have_more_and_less(visitors: Visitors, positions: Positions) -> None:
    page, _ = market(visitors(name="Anna", size=PHONE, touch=True), positions)
    choose(page, "place tool")
    page.locator("#places > summary").click()
    page.locator("#places a[href='?a=place+tool+egypt']").click()
    page.wait_for_function(CHOSEN, arg="place tool egypt")
    expect(page.locator("#plan-1-more")).to_have_attribute("aria-disabled", "true")
    page.locator("#plan-1-less").click()
    page.wait_for_function(CHOSEN, arg="place tool egypt 2")
    page.locator("#plan-1-less").click()
    page.wait_for_function(CHOSEN, arg="place tool egypt 1")
    page.locator("#plan-1-more").click()
    page.wait_for_function(CHOSEN, arg="place tool egypt 2")
    expect(page.locator(".plan__count b")).to_have_text("2")
    send(page)
    assert "placed 2 workers (Egypt)" in " ".join(page.locator("#log").inner_text().replace("\xa0", " ").split())


def test_a_chain_without_script(visitors: Visitors, positions: Positions) -> None:
    page = positions.open("after_the_flood/trade", visitors(name="Anna", script=False), "apprentice", "apprentice", confirm="matters")
    for prefix in ("trade", OIL, f"{OIL} then {GOLD}", CHAIN):
        page.locator(f"#action a[href='?a={prefix.replace(' ', '+')}']").first.click()
    page.locator("#plan-2-drop").click()
    expect(page.locator("#plan > li")).to_have_count(1)
    expect(page.locator("#refusal")).to_be_visible()
    page.go_back()
    page.locator("#confirm").click()
    assert sum("traded" in line for line in page.locator("#log .log__text").all_inner_texts()) == 3
