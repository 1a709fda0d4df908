"""The reel: the moves of bots are shown one by one, with their dice and points, and every way out of it ends in the true position."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES, game
from tests.browser.conftest import Visitors
from tests.browser.playing import new_table
from tests.browser.positions import Positions

# Twenty times as fast, and everything that the strip says is noted.
HASTE = """
  const later = window.setTimeout;
  window.setTimeout = (work, ms, ...more) => later(work, ms / 20, ...more);
  const move = Element.prototype.animate;
  Element.prototype.animate = function (looks, how) { return move.call(this, looks, { ...how, duration: how.duration / 20 }); };
"""
NOTING = """
  window.told = [];
  window.flights = [];
  addEventListener('DOMContentLoaded', () => {
    const [text, count] = ['reel-text', 'reel-count'].map((id) => document.getElementById(id));
    new MutationObserver(() => {
      const at = parseInt(count.textContent.match(/\\d+/), 10);
      if (at !== window.told.at(-1)?.at) window.told.push({ at, text: text.textContent });
    }).observe(count, { childList: true });
    new MutationObserver((changes) => {
      for (const it of changes.flatMap((change) => [...change.addedNodes])) if (it.classList?.contains('flight')) window.flights.push(it.textContent);
    }).observe(document.body, { childList: true });
  });
"""
STRIP_PX = 68
SHOWN = "() => document.querySelector('#board.is-reeling') === null && document.querySelectorAll('#reel-turns > li').length > 0"
BOARD = "document.getElementById('board').innerHTML"


def steps_since(page: Page, version: int) -> list[dict[str, Any]]:
    """What the server tells this reader since a version."""
    told = page.evaluate(
        """async (version) => {
          const region = document.getElementById('table').dataset.region;
          const answer = await fetch(`${region}?v=${version}`, { headers: { 'HX-Request': 'true', 'X-Reel': String(version) } });
          const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
          return JSON.parse(page.getElementById('reel-steps').textContent);
        }""",
        version,
    )
    return list(told["steps"])


def board_of_a_new_page(page: Page, version: int) -> str:
    """The board as a new page shows it; a page kept for visitors may be a second old, and follows at once."""
    page.evaluate("localStorage.setItem('reel-speed', '0')")
    page.reload()
    expect(page.locator(f"#table[data-version='{version}']")).to_be_attached()
    return str(page.evaluate(BOARD))


def last_roll(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The dice that stay in the tray."""
    return next((step["dice"] for step in reversed(steps) if step["dice"]), [])


def watching(visitors: Visitors, positions: Positions, key: str, *, script: str = "", **options: Any) -> tuple[Page, int, int]:
    """A table of a game that waits for its person, and the page of somebody who watches; returns page, number of the table and version."""
    host, watcher = visitors(), visitors(**options)
    seats = min(3, max(game(key).meta.seats))
    new_table(host, seats, dict.fromkeys(range(1, seats), "apprentice"), game=key)
    number = host.table_id()
    host.page.goto("about:blank")
    version = positions.play(number, 0)
    if script:
        watcher.context.add_init_script(script)
    page = watcher.go(f"/tables/{number}/")
    expect(page.locator(f"#table[data-stream][data-version='{version}']")).to_be_attached()
    return page, number, version


@pytest.mark.parametrize("key", GAMES)
def test_a_turn_of_bots_is_shown_step_by_step(visitors: Visitors, positions: Positions, key: str) -> None:
    page, number, before = watching(visitors, positions, key, motion=True, script=HASTE + NOTING)
    after = positions.play(number, 12)
    expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
    page.wait_for_function(SHOWN)
    told = page.evaluate("window.told")
    steps = steps_since(page, before)
    assert len(steps) >= 5
    # Between two requests the strip may have been told of the same steps at once or in parts: the order is that of the server.
    texts = [" ".join(filter(None, (step["text"], step["by"]))) for step in steps]
    assert [one["text"] for one in told] == texts
    drawn = [line.locator(".reel__picture").count() for line in page.locator("#reel-turns > li").all()]
    assert 0 < max(drawn) <= 2, drawn
    assert page.evaluate("document.querySelectorAll('.reel__picture use').values().every((it) => it.getBBox().width > 0)"), (
        "a picture is missing"
    )
    assert (page.locator("#reel").bounding_box() or {})["height"] == STRIP_PX
    assert page.locator("#reel-dice .die").all_text_contents() == [str(face) for side in last_roll(steps) for face in side["faces"]]
    gained = [f"+{points}" for step in steps for _, points in step["gains"] if points > 0]
    assert [text for text in page.evaluate("window.flights") if text.startswith("+")] == gained
    assert page.locator(".flight").count() == 0
    assert page.evaluate("(it => it.scrollWidth - it.clientWidth - it.scrollLeft)(document.getElementById('reel-turns'))") < 2, (
        "the latest turn is in view"
    )
    assert page.evaluate(
        "steps.pieces(document.getElementById('board')).every(({ it }) => it.checkVisibility({ visibilityProperty: true }))"
    ), "what nobody sees doesn't fly"
    shown = page.evaluate(BOARD)
    assert board_of_a_new_page(page, after) == shown


def test_skip_pause_and_single_steps(visitors: Visitors, positions: Positions) -> None:
    page, number, _ = watching(visitors, positions, "tigris_euphrates", motion=True, script="localStorage.setItem('reel-speed', '-1')")
    after = positions.play(number, 6)
    expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
    expect(page.locator("#board.is-reeling")).to_be_attached()
    first = page.locator("#reel-text").text_content()
    number_of = re.compile(r"Step (\d+) of \d+")
    at = int(number_of.match(page.locator("#reel-count").text_content() or "")[1])  # type: ignore[index]
    page.keyboard.press("ArrowRight")
    expect(page.locator("#reel-count")).to_contain_text(f"Step {at + 1} of ")
    page.get_by_role("button", name="One step back").click()
    expect(page.locator("#reel-text")).to_have_text(first or "")
    page.get_by_role("button", name="Skip to now").click()
    expect(page.locator("#board.is-reeling")).not_to_be_attached()
    shown = page.evaluate(BOARD)
    page.locator("#reel-turns button").first.click()
    expect(page.locator("#board.is-reeling")).to_be_attached()
    page.locator("#board").click(position={"x": 5, "y": 5})  # reaching for the board jumps to now
    expect(page.locator("#board.is-reeling")).not_to_be_attached()
    assert page.evaluate(BOARD) == shown


def test_without_motion_the_steps_are_told_and_shown_as_still_pictures(visitors: Visitors, positions: Positions) -> None:
    page, number, _ = watching(visitors, positions, "ra", script=NOTING)
    after = positions.play(number, 4)
    expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
    expect(page.locator("#board.is-reeling")).not_to_be_attached()
    assert page.evaluate("window.told.length") == 0
    assert page.locator("#reel-turns > li").count() > 0
    texts = [
        " ".join(filter(None, (step["text"], step["by"]))) for step in steps_since(page, 0)
    ]  # who only watches is told of the last records from the start
    page.locator("#reel-speed").select_option("-1")
    page.locator("#reel-turns button").first.click()
    expect(page.locator("#reel-text")).to_have_text(re.compile(r"\S"))
    begun = texts.index(page.locator("#reel-text").text_content() or "")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#reel-text")).to_have_text(texts[begun + 1])
    page.get_by_role("button", name="Skip to now").click()
    assert page.evaluate("window.flights") == []


def test_a_stream_that_breaks_in_the_middle_ends_in_the_true_position(visitors: Visitors, positions: Positions) -> None:
    page, number, _ = watching(visitors, positions, "ra", motion=True)
    watcher = visitors.all[-1]
    positions.play(number, 3)
    expect(page.locator("#board.is-reeling")).to_be_attached()
    with watcher.offline():
        after = positions.play(number, 8)
        expect(page.locator("#connection")).to_be_visible()
    expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
    page.get_by_role("button", name="Skip to now").click()
    shown = page.evaluate(BOARD)
    assert board_of_a_new_page(page, after) == shown
