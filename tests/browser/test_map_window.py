"""The window of a map: it opens on what is at stake, large enough for fingers; what the person has chosen stays."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, scrolls_sideways
from tests.browser.playing import NEWER, Player
from tests.browser.positions import Positions

FINGER_PX = 40
LATER = "() => new Promise((done) => setTimeout(done, 0))"
VIEW = """() => {
  const [all, board] = ['[data-map-window]', '[data-map-box]'].map((part) => document.querySelector(part).getBoundingClientRect());
  const part = (number) => Math.round(1000 * number) / 1000;
  return { size: part(board.width / all.width), left: part((all.left - board.left) / board.width), top: part((all.top - board.top) / board.height) };
}"""
MIDDLES = """() => [...document.querySelectorAll('[data-map-box] [data-target]')].map((place) => {
  const box = place.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""
CHANGED = f"was => JSON.stringify(({VIEW})()) !== JSON.stringify(was)"


def view(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(VIEW)
    return found


def window(page: Page) -> dict[str, Any]:
    box = page.locator("[data-map-window]").bounding_box()
    assert box
    return dict(box)


def middle(page: Page, place: str) -> tuple[float, float]:
    box = page.locator(place).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_seen(page: Page, place: str) -> bool:
    box, (x, y) = window(page), middle(page, place)
    return bool(box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])


def test_on_a_phone_the_targets_are_in_view_and_as_large_as_a_finger(visitors: Visitors, positions: Positions) -> None:
    for name, verb in (("history_of_the_world/attack", ""), ("after_the_flood/attack", "invade")):
        anna = Player(visitors(name="Anna", size=PHONE, touch=True))
        page = positions.open(name, anna.visitor, "apprentice", "apprentice", confirm="matters")
        assert anna.wait_for_turn()
        if verb:
            anna.choose(verb)
        assert view(page)["size"] > 1.5
        middles = page.evaluate(MIDDLES)
        assert len(middles) > 2
        assert min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(middles, 2)) >= FINGER_PX
        box = window(page)
        seen = [box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"] for x, y in middles]
        assert sum(seen) > len(middles) / 2
        for control in page.locator("[data-map-tools] button").all():
            size = control.bounding_box()
            assert size
            assert min(size["width"], size["height"]) >= FINGER_PX
        assert not scrolls_sideways(page)


def test_the_size_is_the_persons(visitors: Visitors, positions: Positions) -> None:
    anna = Player(visitors(name="Anna"))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    overview = page.locator(".map-mini")
    page.get_by_role("button", name="Whole map").click()
    expect(overview).to_be_hidden()
    whole = view(page)
    assert whole["size"] == 1
    page.get_by_role("button", name="Larger").click()
    expect(overview).to_be_visible()
    chosen = view(page)
    assert chosen["size"] == 1.4
    anna.choose("guard")
    assert view(page) == chosen, "an answer changes nothing"
    page.locator("#undo").click()
    expect(page.locator("#undo")).to_have_count(0)
    anna.choose("conquer zagros land", on_board=True)
    assert anna.wait_for_turn()
    assert view(page) == chosen
    page.reload()
    expect(overview).to_be_visible()
    assert view(page) == chosen
    page.locator("#action-title").focus()
    page.keyboard.press("-")
    assert view(page)["size"] == 1
    page.keyboard.press("+")
    assert view(page) == chosen
    page.keyboard.press("0")
    assert view(page)["size"] == 1
    x, y = middle(page, "#province-tigris")
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(CHANGED, arg=whole)
    after = middle(page, "#province-tigris")
    assert hypot(after[0] - x, after[1] - y) < 2, "what is under the pointer stays there"


def test_a_drag_moves_the_map_and_chooses_nothing(visitors: Visitors, positions: Positions) -> None:
    anna = Player(visitors(name="Anna"))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    page.get_by_role("button", name="Larger").click()
    before, version = view(page), anna.look().version
    x, y = middle(page, "#province-mesopotamia")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y - 30, steps=4)
    page.mouse.up()
    after = middle(page, "#province-mesopotamia")
    assert abs(after[0] - x + 40) < 2
    assert abs(after[1] - y + 30) < 2
    page.evaluate(LATER)
    assert anna.look().version == version
    assert view(page)["size"] == before["size"]
    page.locator("#province-zagros").click()
    page.wait_for_function(NEWER, arg=version)


def test_two_fingers_resize_and_one_that_misses_by_little_still_means_the_place(visitors: Visitors, positions: Positions) -> None:
    anna = Player(visitors(name="Anna", size=PHONE, touch=True))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    page.get_by_role("button", name="Whole map").click()
    assert view(page)["size"] == 1
    box = window(page)
    across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, apart: float) -> None:
        points = [{"x": across + side * apart, "y": down, "id": number} for number, side in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else points})

    touch("touchStart", 40)
    for apart in (50, 60, 80):
        touch("touchMove", apart)
    touch("touchEnd", 80)
    assert 1.8 < view(page)["size"] < 2.2
    page.get_by_role("button", name="Whole map").click()
    x, y = middle(page, "#province-zagros")
    beside = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-k]')?.id", [x + 11, y - 14])
    assert beside != "province-zagros"
    page.touchscreen.tap(x + 11, y - 14)
    expect(page.locator("#offer")).to_have_attribute("value", "conquer zagros land")


def test_the_focus_brings_a_place_into_view(visitors: Visitors, positions: Positions) -> None:
    anna = Player(visitors(name="Anna", size=PHONE))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    page.locator("#province-zagros").focus()
    for _ in range(4):
        page.get_by_role("button", name="Larger").click()
    page.keyboard.press("b")
    seen = set()
    for _ in range(5):
        page.keyboard.press("n")
        place = page.evaluate("document.activeElement.id")
        assert is_seen(page, f"#{place}"), place
        seen.add(place)
    assert len(seen) == 5
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
        assert is_seen(page, f"#{page.evaluate('document.activeElement.id')}")


def test_without_script_the_whole_map_is_there(visitors: Visitors, positions: Positions) -> None:
    for name in ("history_of_the_world/attack", "after_the_flood/attack"):
        anna = visitors(name="Anna", size=PHONE, script=False)
        page = positions.open(name, anna, "apprentice", "apprentice", confirm="matters")
        expect(page.locator("#hits")).to_be_visible()
        expect(page.locator(".map-tools__buttons, .map-mini")).to_have_count(2)
        for part in page.locator(".map-tools__buttons, .map-mini").all():
            expect(part).to_be_hidden()
        small, large = window(page), page.locator("[data-map-box]").bounding_box()
        assert large
        assert abs(small["width"] - large["width"]) < 1
