"""The replay in a browser: slider, keys, links, with and without script and motion; every step is what the server draws for it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES, game
from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, somewhere
from tests.browser.positions import Positions
from tests.browser.test_map_window import view
from tests.browser.test_reel import HASTE

BOARD = "document.querySelector('[data-replay-board]').innerHTML"
DRAWN = """async (address) => {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
  const text = (id) => page.getElementById(id).textContent.replace(/\\s+/g, ' ').trim();
  return [page.querySelector('[data-replay-board]').innerHTML, page.querySelector('[data-replay-players]').innerHTML, text('replay-said')];
}"""
SHOWN = """() => [document.querySelector('[data-replay-board]').innerHTML, document.querySelector('[data-replay-players]').innerHTML,
  document.getElementById('replay-said').textContent.replace(/\\s+/g, ' ').trim()]"""
# What flies over the page, as it begins: points as a text, pieces as the name of their drawing.
FLIGHTS = """
  window.flights = [];
  addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
    for (const it of changes.flatMap((change) => [...change.addedNodes])) {
      if (it.classList?.contains('flight')) window.flights.push(it.textContent || it.querySelector('use').getAttribute('href'));
    }
  }).observe(document.body, { childList: true }));
"""
STEPS = """async ([address, count]) => {
  const found = [];
  while (found.length < count) found.push(...(await (await fetch(`${address}?step=${found.length + 1}&seat=1`)).json()).steps);
  return found;
}"""
RESTS = "() => !document.querySelector('.flight, [data-flying]') && !document.getAnimations().length"
# Of the places that the step marks: how many, and how many of these are out of sight.
MARKED = """(frame) => {
  const all = document.querySelector(frame).getBoundingClientRect();
  const places = [...document.querySelectorAll('#marks > *')].map((it) => it.getBoundingClientRect()).filter((it) => it.width);
  const isIn = (it) => it.x + it.width / 2 > all.x && it.x + it.width / 2 < all.right && it.y + it.height / 2 > all.y && it.y + it.height / 2 < all.bottom;
  return [places.length, places.filter((it) => !isIn(it)).length];
}"""
# What the script of a board adds for the keyboard, and a step does not draw.
FOCUS = re.compile(r' tabindex="-?\d"')


def at(page: Page, step: int) -> None:
    """The page tells this step, and its board is there."""
    expect(page.locator("#replay-name")).to_have_text(re.compile(rf"^Step {step} of \d+$"))
    expect(page.locator("#replay-slider")).to_have_attribute("aria-valuetext", re.compile(rf"^Step {step} of \d+: ."))


def count_of(page: Page) -> int:
    return int(page.locator("#replay-slider").get_attribute("max") or 0)


def same(page: Page, table: int, step: int, seat: str) -> None:
    """What the script shows is the page of this step, as the server draws it."""
    at(page, step)
    drawn = page.evaluate(DRAWN, f"/tables/{table}/replay/?step={step}&seat={seat}")
    shown = page.evaluate(SHOWN)
    assert [FOCUS.sub("", part) for part in shown] == [FOCUS.sub("", part) for part in drawn], step


@pytest.mark.parametrize("key", GAMES)
def test_a_game_from_the_first_to_the_last_position(visitors: Visitors, positions: Positions, key: str) -> None:
    """By keys, by the slider across chunks, from a seat: always the picture that the server draws for that step."""
    visitor = visitors()
    table = positions.finished(key, visitor, min(3, max(game(key).meta.seats)))
    page = visitor.go(f"/tables/{table}/replay/?step=0")
    last = count_of(page)
    same_seat = "1"
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        same(page, table, step, same_seat)
    page.keyboard.press("ArrowLeft")
    same(page, table, 2, same_seat)
    for step in (24, 25, last // 2, last // 2 + 1, last // 3):
        page.locator("#replay-slider").fill(str(step))
        same(page, table, step, same_seat)
    page.keyboard.press("End")
    same(page, table, last, same_seat)
    page.wait_for_url(f"**/replay/?step={last}&seat=1")
    page.keyboard.press("Home")
    same(page, table, 0, same_seat)
    page.keyboard.press("PageDown")
    expect(page.locator("#replay-name")).not_to_have_text(f"Step 0 of {last}")
    turn = int((page.locator("#replay-name").text_content() or "").split()[1])
    assert page.locator(f".replay__turn[data-step='{turn}']").count() == 1


def test_scrubbing_needs_few_requests(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors()
    table = positions.finished("babel", visitor, 2)
    page = visitor.go(f"/tables/{table}/replay/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/steps/" in request.url else None)
    for step in range(1, 49):
        page.keyboard.press("ArrowRight")
        at(page, step)
    assert len(asked) == len(set(asked)) <= 3, asked


def test_it_plays_pauses_and_ends_at_the_last_step(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(motion=True)
    table = positions.finished("babel", visitor, 2)
    page = visitor.go(f"/tables/{table}/replay/?step=0")
    last = count_of(page)
    page.locator("#replay-slider").fill(str(last - 3))
    at(page, last - 3)
    page.locator("#replay-speed").select_option(label="Very quick")
    page.locator("#replay-play").click()
    expect(page.locator("#replay-play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("#replay-text")).to_have_attribute("aria-live", "off")
    at(page, last)
    expect(page.locator("#replay-play")).to_have_attribute("aria-label", "Play")
    page.locator("body").press("Home")
    page.locator("body").press(" ")
    expect(page.locator("#replay-name")).not_to_have_text(re.compile(r"^Step 0 of"))
    page.locator("body").press(" ")
    expect(page.locator("#replay-play")).to_have_attribute("aria-label", "Play")
    shown = page.locator("#replay-name").text_content()
    page.wait_for_timeout(600)
    assert page.locator("#replay-name").text_content() == shown
    assert page.evaluate("document.getAnimations().filter((it) => it.effect.target?.closest('.replay')).length") == 0


@pytest.mark.parametrize(("key", "comes"), [("tigris_euphrates", " placed "), ("history_of_the_world", " occupied ")])
def test_one_step_on_is_the_reels_and_a_jump_is_a_still_picture(visitors: Visitors, positions: Positions, key: str, comes: str) -> None:
    visitor = visitors(motion=True)
    table = positions.finished(key, visitor, 3)
    visitor.context.add_init_script(HASTE + FLIGHTS)
    page = visitor.go(f"/tables/{table}/replay/?step=0")
    told = page.evaluate(STEPS, [f"/tables/{table}/replay/steps/", count_of(page)])
    late = [(number, step) for number, step in enumerate(told, 1) if number > 30]
    wanted = {
        "points": next(number for number, step in late if step["gains"] and step["gains"][0][1] > 0),
        "piece": next(number for number, step in late if "board" in step and comes in step["text"]),
        "dice": next((number for number, step in late if step["dice"]), None),
    }
    assert (wanted["dice"] is None) == (key == "tigris_euphrates")
    for kind, number in wanted.items():
        if number is None:
            continue
        step = told[number - 1]
        page.locator("#replay-slider").fill(str(number - 1))
        at(page, number - 1)
        assert page.evaluate("window.flights") == [], "a jump has no motion"
        page.keyboard.press("ArrowRight")
        at(page, number)
        if kind == "dice":
            assert page.locator("#replay-dice .die").all_text_contents() == [str(face) for side in step["dice"] for face in side["faces"]]
            assert page.locator("#replay-dice .die.is-best").count() == len(step["dice"])
        page.wait_for_function(RESTS)
        flown = page.evaluate("window.flights")
        assert [text for text in flown if not text.startswith("#")] == [f"+{points}" for _, points in step["gains"] if points > 0]
        assert kind != "piece" or flown, "no piece was seen on its way"
        same(page, table, number, "1")
        page.evaluate("window.flights.length = 0")
    page.keyboard.press("Home")
    at(page, 0)
    for _ in range(6):  # the next one does not wait for the one before
        page.keyboard.press("ArrowRight")
    same(page, table, 6, "1")
    page.wait_for_function(RESTS)
    same(page, table, 6, "1")


@pytest.mark.parametrize(("key", "larger"), [("history_of_the_world", 4), ("tigris_euphrates", 2)])  # so that some steps are in sight
def test_a_step_out_of_sight_is_brought_into_the_window(visitors: Visitors, positions: Positions, key: str, larger: int) -> None:
    """On a phone's enlarged map; its size stays, and what is in sight moves nothing."""
    for motion in (True, False):
        visitor = visitors(size=PHONE, touch=True, motion=motion)
        table = positions.finished(key, visitor, 3)
        visitor.context.add_init_script(HASTE)
        page = visitor.go(f"/tables/{table}/replay/?step=0")
        for _ in range(larger):
            page.get_by_role("button", name="Larger").click()
        size, moved, marked = view(page)["size"], 0, 0
        assert size > 0.75 * larger
        for step in range(1, 31):
            before = view(page)
            page.locator("#replay-on").click()
            at(page, step)
            page.wait_for_function(RESTS)
            places, out = page.evaluate(MARKED, "[data-map-window]")
            marked += places > 0
            moved += view(page) != before
            assert places > 1 or not out, f"step {step} is out of sight"
            assert view(page)["size"] == size
        assert 0 < moved < marked


def test_without_a_connection_the_step_stays_and_says_so(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors()
    table = positions.finished("babel", visitor, 2)
    page = visitor.go(f"/tables/{table}/replay/?step=2")
    visitor.is_offline = True
    visitor.context.set_offline(True)
    board = page.evaluate(BOARD)
    page.locator("#replay-slider").fill("60")
    expect(page.locator("#replay-said")).to_have_text("No connection. Try again in a moment.")
    assert page.evaluate(BOARD) == board
    visitor.context.set_offline(False)
    page.keyboard.press("ArrowRight")
    at(page, 61)


def test_another_seat_keeps_the_step(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors()
    table = positions.finished("ra", visitor, 3)
    page = visitor.go(f"/tables/{table}/replay/?step=5")
    page.keyboard.press("ArrowRight")
    at(page, 6)
    page.get_by_role("navigation", name="Seen from").get_by_role("link").nth(2).click()
    page.wait_for_url("**/replay/?step=6&seat=2")
    expect(page.locator(".replay__seat[aria-current]")).to_have_count(1)
    at(page, 6)


def test_the_result_plays_the_rounds_of_its_table_of_points(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(name=somewhere("Nanna"), size=PHONE)  # who is in no other game with bots
    table = positions.finished("ra", visitor, 3)
    page = visitor.go(f"/tables/{table}/")
    expect(page.locator(".result__acts")).to_be_in_viewport(ratio=1)
    cell = page.locator(".matrix__link").first
    step = int(cell.get_attribute("data-replay-to") or 0)
    cell.click()
    same(page, table, step, "1")
    page.wait_for_url(f"**/tables/{table}/")
    page.locator("#result-study").click()
    page.wait_for_url(f"**/tables/{table}/studies/new/?step={step}*")
    page.get_by_role("link", name="Play on from here").click()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#table[data-stream]")).to_be_visible()


def test_a_number_of_points_leads_to_its_steps_one_after_the_other(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors()
    table = positions.finished("tigris_euphrates", visitor, 3)
    page = visitor.go(f"/tables/{table}/")
    cells = page.locator(".matrix__link")
    steps = max(([int(step) for step in (cell.get_attribute("data-replay-to") or "").split()] for cell in cells.all()), key=len)
    assert len(steps) > 1
    cell = page.locator(f".matrix__link[data-replay-to='{' '.join(map(str, steps))}']").first
    for step in [*steps, steps[0]]:
        cell.click()
        at(page, step)
    same(page, table, steps[0], "1")


def test_without_script_links_and_a_form_lead_to_every_step(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(script=False)
    table = positions.finished("babel", visitor, 2)
    page = visitor.go(f"/tables/{table}/")
    page.locator("#result-replay").click()
    page.wait_for_url("**/replay/?step=0&seat=1")
    page.get_by_role("link", name="One step on").click()
    page.wait_for_url("**/replay/?step=1&seat=1")
    expect(page.locator("#replay-name")).to_have_text(re.compile("^Step 1 of"))
    page.locator("#replay-slider").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Go to this step").click()
    page.wait_for_url("**/replay/?seat=1&step=5")
    page.get_by_role("link", name="Last position").click()
    expect(page.get_by_role("link", name="One step on")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#replay-play, #replay-speed")).to_have_count(2)
    expect(page.locator("#replay-play")).to_be_hidden()
