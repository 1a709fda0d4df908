"""Positions put together by hand: on the board, by keyboard, on a phone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import scrolls_sideways

PHONE = (390, 844)
TILE = '"pharaoh"'
HOLDS = "part => JSON.stringify(JSON.parse(document.getElementById('text').value).state).includes(part)"


def has(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.locator("#text").input_value())["state"]
    return found


def test_pieces_come_to_the_place_that_is_pressed_and_go_from_it(visitors: Visitors) -> None:
    page = visitors().go("/positions/tigris_euphrates/")
    page.locator("#piece").select_option("farm")
    page.locator("#cell-A4").click()
    expect(page.locator("#text")).to_have_value(has('"A4"'))
    assert state(page)["tiles"]["farm"] == "A4"
    page.locator("#piece").select_option("king_bull")
    page.locator("#cell-A2").click()
    expect(page.locator("#text")).to_have_value(has('"king"'))
    page.locator("#cell-A4").click(modifiers=["Shift"])
    expect(page.locator("#text")).not_to_have_value(has('"A4"'))
    assert state(page)["leaders"][1] == {"king": "A2"}
    with page.expect_navigation():
        page.get_by_role("button", name="Play from here").click()
    assert "/tables/" in page.url


@pytest.mark.parametrize("key", ["ra", "babel"])
def test_lists_are_enough_by_keyboard_and_the_focus_stays(visitors: Visitors, key: str) -> None:
    visitor = visitors(size=PHONE)
    page = visitor.go(f"/positions/{key}/")
    piece, place, field = {"ra": ("pharaoh", "auction_track", "track"), "babel": ("card_medes", "0.hand", "hands")}[key]
    page.locator("#piece").select_option(piece)
    page.locator("#place").select_option(place)
    put = page.get_by_role("button", name="Put", exact=True)
    put.focus()
    for n in (1, 2):
        page.keyboard.press("Enter")
        expect(page.locator("#text")).to_have_value(has(f'"{field}"'))
        expect(put).to_be_focused()
        page.wait_for_function(HOLDS, arg=f'"track":[{",".join(n * [TILE])}]' if key == "ra" else f'"medes":{n}')
    assert not scrolls_sideways(page)
    with visitor.expecting(422):
        page.locator("#place").select_option({"ra": "ra_track", "babel": "0.stock"}[key])
        put.click()
        expect(page.get_by_role("alert")).to_contain_text("This piece doesn't go there")
    assert field in state(page)
