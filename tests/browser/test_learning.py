"""A newcomer learns a game: the overview, the guided first game at a real table, the player aid, and a first free game to its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules_docs.teaching import teaching_of
from tests.browser.building import Builder, HastyBuilder
from tests.browser.conftest import Visitors
from tests.browser.people import DESK
from tests.browser.playing import SETTLED, TABLE, Player, hasty
from tests.browser.positions import Positions
from tests.browser.ruling import Course, Ruler
from tests.browser.test_after_the_flood import HastySettler, Settler
from tests.browser.test_history_of_the_world import Conqueror, hasty_conqueror

HANDHELD = (390, 844)
SCROLLS = "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
FADED = "selector => getComputedStyle(document.querySelector(selector)).opacity"


def press_what_is_meant(page: Page) -> None:
    """Do what "Show me" says, and wait until the table has moved on."""
    if page.locator("#way").get_attribute("open") is None:
        page.locator("#way > summary").click()
    meant = page.locator("#action .is-meant").first
    expect(meant).to_be_visible()
    version = page.locator("#table").get_attribute("data-version")
    meant.click()
    page.wait_for_function(
        "version => document.getElementById('table').dataset.version !== version || location.search || document.querySelector('#confirm')",
        arg=version,
    )
    if page.locator("#confirm").count():
        page.locator("#confirm").click()


def play_to_the_end(player: Player, decide: Callable[[Player], None], positions: Positions) -> None:
    """Finish the free game: its middle without a page, as the apprentice plays it, its last part on the page."""
    positions.skip_the_middle(player.visitor)
    player.play(decide)
    page = player.page
    expect(page.locator("[data-stream], .coach, #confirm")).to_have_count(0)
    page.locator("#points > summary").click()
    expect(page.locator("#points details.derivation > summary").first).to_be_visible()


def test_a_newcomer_goes_from_the_overview_through_a_guided_game_to_a_free_one(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(size=HANDHELD, touch=True)
    page = visitor.go("/")
    page.locator(".offer[data-game=ra] a[href$='/learn/']").click()
    for number in range(1, 6):
        told = page.locator(f"#told-{number}")
        expect(told).to_be_visible()
        assert page.locator(".learn__screen:visible").count() == 1
        assert not page.evaluate(SCROLLS)
        if number == 2:  # the bids are meant, the sky isn't
            page.wait_for_function(f"() => ({FADED})('.ra-sky > path') === '0.28'")
            assert page.evaluate(FADED, ".ra-berth") == "1"
        if number < 5:
            told.locator(".button--primary").click()
    page.locator("#screen-5").press("ArrowLeft")
    expect(page.locator("#told-4")).to_be_visible()
    page.locator("#told-4 .button--primary").click()
    page.locator("#start-lesson").click()
    page.wait_for_url(TABLE)
    assert not page.evaluate(SCROLLS)

    # a legal move that is not the lesson's is not played, and the coach says why
    steps = page.locator(".coach__count > span")
    expect(steps).to_have_text("Step 1 of 11")
    page.locator("#o-figure").click()
    page.locator("#confirm").click()
    expect(page.locator("#notice")).to_contain_text("two tiles are hardly worth a sun")
    assert ["answer 422" in fault for fault in visitor.faults] == [True]
    visitor.faults.clear()
    expect(steps).to_have_text("Step 1 of 11")
    page.reload()
    for number in range(1, 12):
        expect(steps).to_have_text(f"Step {number} of 11")
        assert not page.evaluate(SCROLLS)
        press_what_is_meant(page)
        if number == 6:  # the god takes a tile: another choice
            page.wait_for_function("() => location.search !== '' || document.querySelector('.coach__asked')")
            press_what_is_meant(page)

    # the aid opens beside the board
    expect(page.locator("#play-on")).to_be_visible()
    page.locator("#site-menu > summary").click()
    page.locator("#table-menu a[data-drawer]").click()
    expect(page.locator("#rule-body .aid__row").first).to_be_visible()
    page.locator("#close-rule").click()

    lesson = page.url
    page.locator("#play-on").click()
    page.wait_for_url(lambda url: url != lesson and "/tables/" in url)
    expect(page.locator("#action.is-due")).to_be_visible()
    expect(page.locator(".coach")).to_have_count(0)
    version = page.locator("#table").get_attribute("data-version")
    page.locator("#o-bag").click()
    page.wait_for_function("version => document.getElementById('table').dataset.version !== version", arg=version)
    play_to_the_end(Player(visitor), hasty, positions)


INSIDE = """place => {
  const box = place.getBoundingClientRect();
  for (let down = 0.5; down < 1; down += 0.04) for (const across of [0.5, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]) for (const side of [down, 1 - down]) {
    const [x, y] = [box.x + across * box.width, box.y + side * box.height];
    if (place.contains(document.elementFromPoint(x, y))) return [x, y];
  }
}"""
STATE = "() => [document.getElementById('table').dataset.version, location.search, document.getElementById('action').textContent].join()"


def press(page: Page, css: str) -> None:
    """Press the first control in sight, and wait until the table has moved on or asks for more."""
    before = page.evaluate(STATE)
    control = page.locator(f"{css} >> visible=true").first
    expect(control).to_be_in_viewport()
    if control.evaluate("it => it.matches('[data-map-box] *')"):  # a place may be bent, so that its middle lies outside
        page.mouse.click(*control.evaluate(INSIDE))
    else:
        control.click()
    page.wait_for_function(f"before => !document.querySelector('.htmx-request') && ({STATE})() !== before", arg=before)


@pytest.mark.parametrize(
    ("game", "size", "of", "decide"),
    [
        ("tigris_euphrates", DESK, Ruler, Course("swap")),
        ("babel", HANDHELD, Builder, HastyBuilder()),
        ("after_the_flood", DESK, Settler, HastySettler()),
        ("history_of_the_world", HANDHELD, Conqueror, hasty_conqueror),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_a_newcomer_learns_the_other_games_as_they_are_told(
    visitors: Visitors, positions: Positions, game: str, size: tuple[int, int], of: type[Player], decide: Callable[[Player], None]
) -> None:
    """Overview, every step of the guided game by pressing what "Show me" means, and a free game to its end."""
    visitor = visitors(size=size, touch=size == HANDHELD, lang="hu")
    page = visitor.go(f"/games/{game}/learn/")
    for number in range(1, 6):
        told = page.locator(f"#told-{number}")
        expect(told).to_be_visible()
        assert not page.evaluate(SCROLLS)
        if number < 5:
            told.locator(".button--primary").click()
    page.locator("#start-lesson").click()
    page.wait_for_url(TABLE)
    table, steps = page.url, page.locator(".coach__count > span")
    lesson = teaching_of(game).lesson  # type: ignore[union-attr]
    told_steps = []
    for _ in range(80):
        page.wait_for_selector(f"{SETTLED} #play-on, {SETTLED} .coach__way", timeout=20_000)
        if page.locator("#play-on").count():
            break
        told_steps.append(steps.inner_text())
        if page.locator("#way").get_attribute("open") is None:
            page.locator("#way > summary").click()
        if page.locator("#basket-confirm.is-meant").count():
            step = len(set(told_steps)) - 1
            lot = page.locator(".basket__lot:has(.is-meant) input")
            plays = lesson.script[lesson.steps[step].start : lesson.steps[step + 1].start]
            for _ in range(plays.count((lesson.seat, (lot.get_attribute("name") or "").removeprefix("lot:")))):
                page.locator(".basket__step.is-meant").click()
            press(page, "#basket-confirm")
        else:
            press(page, ".is-meant")
    steps_of_it = len(lesson.steps)
    assert list(dict.fromkeys(told_steps)) == [f"{number}. lépés, összesen {steps_of_it}" for number in range(1, steps_of_it + 1)]
    page.locator("#play-on").click()
    page.wait_for_url(lambda url: "/tables/" in url and not url.startswith(table))
    player = of(visitor)
    assert player.wait_for_turn()
    before = player.look().version
    for _ in range(8):
        press(page, "#confirm" if page.locator("#confirm").count() else "#action .choice, #answers .choice, [data-target]")
        if player.look().version > before:
            break
    assert player.look().version > before
    play_to_the_end(player, decide, positions)


def test_the_overview_works_without_script(visitors: Visitors) -> None:
    page = visitors(script=False).go("/games/ra/learn/?screen=3")
    expect(page.locator("#told-3")).to_be_visible()
    page.locator("#told-3 .button--primary").click()
    expect(page.locator("#told-4")).to_be_visible()
    page.locator("#screen-1").check()
    expect(page.locator("#told-1")).to_be_visible()
