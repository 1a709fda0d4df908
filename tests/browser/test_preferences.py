"""Preferences at the table, sounds, and the mark in title and icon."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, Visitor, somewhere
from tests.browser.playing import new_table
from tests.browser.positions import Positions
from tests.browser.test_accessibility import findings
from tests.browser.test_reel import watching
from tests.browser.test_two_people import sit_down_together

# Counts what would be heard. Nobody listens to a test.
EARS = """
  window.heard = [];
  window.contexts = 0;
  const loudness = () => ({ gain: { setValueAtTime() {}, linearRampToValueAtTime(value) { window.heard.push(value); }, exponentialRampToValueAtTime() {} }, connect: (next) => next });
  const tone = () => ({ frequency: {}, connect: (next) => next, start() {}, stop() {} });
  window.AudioContext = class { constructor() { window.contexts += 1; this.currentTime = 0; this.state = 'running'; this.destination = {}; } createGain() { return loudness(); } createOscillator() { return tone(); } };
"""
TURN = "document.dispatchEvent(new CustomEvent('table:mine'))"


def show_button(page: Page) -> None:
    """Open the menu that has the button of the panel."""
    if not page.locator("#open-preferences").is_visible():
        page.locator("#site-menu > summary").click()


def open_panel(page: Page) -> None:
    show_button(page)
    page.locator("#open-preferences").click()
    expect(page.locator("#preferences")).to_be_visible()


def choose(page: Page, name: str, value: str) -> None:
    """Choose as a person does, by the label, and wait until it is kept."""
    said = page.locator("#preferences-said")
    said.evaluate("it => { it.textContent = '' }")
    page.locator(f"#preferences label:has([name={name}][value={value}])").click()
    expect(said).to_have_text("Saved.")


def chosen(page: Page) -> dict[str, str]:
    return dict(page.locator("#preferences :checked").evaluate_all("els => els.map((el) => [el.name, el.value])"))


def at_a_table(visitor: Visitor, game: str = "ra") -> Page:
    new_table(visitor, 2, {1: "apprentice"}, game=game)
    expect(visitor.page.locator("#table[data-stream]")).to_be_attached()
    return visitor.page


def test_preferences_survive_a_reload_and_are_there_in_another_browser(visitors: Visitors) -> None:
    here, there = visitors(), visitors()
    name = somewhere("Enheduanna")
    here.sign_up(name)
    page = at_a_table(here, "tigris_euphrates")
    address = page.url
    open_panel(page)
    looks = {"colours": "safe", "pieces": "bold", "board_size": "large"}
    wanted = {"pace": "steps", "confirm": "always", "sound": "on", **looks, "log_detail": "all"}
    for key, value in wanted.items():
        choose(page, key, value)
    volume = page.locator("#preferences [name=volume]")
    volume.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#open-preferences")).to_have_attribute("data-volume", "10")
    page.wait_for_load_state("networkidle")
    page.reload()
    there.sign_in(name)
    there.go(address)
    for look in (page, there.page):
        for key, value in looks.items():
            expect(look.locator("html")).to_have_attribute(f"data-{key}", value)
        expect(look.locator("#reel-speed")).to_have_value("-1")
        expect(look.locator("#open-preferences")).to_have_attribute("data-volume", "10")
        open_panel(look)
        assert chosen(look) == wanted
        expect(look.locator("#preferences [name=volume]")).to_have_value("10")


def test_a_visitor_keeps_them_in_the_browser(visitors: Visitors, positions: Positions) -> None:
    page, _, _ = watching(visitors, positions, "babel")
    open_panel(page)
    assert page.locator("#preferences [name=confirm], #preferences [name=log_detail]").count() == 0
    wanted = {"pace": "quick", "sound": "on", "colours": "safe", "pieces": "bold", "board_size": "large"}
    for name, value in wanted.items():
        page.locator(f"#preferences label:has([name={name}][value={value}])").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-colours", "safe")
    expect(page.locator("#reel-speed")).to_have_value("0.5")
    expect(page.locator("#open-preferences")).to_have_attribute("data-volume", "60")
    open_panel(page)
    assert chosen(page) == wanted
    page.goto("/en/rules/ra/gods/")  # the boards of the rule books as well
    expect(page.locator("html")).to_have_attribute("data-colours", "safe")


def test_the_speed_beside_the_moves_and_the_one_in_the_panel_are_the_same(visitors: Visitors) -> None:
    page = at_a_table(visitors())
    with page.expect_response("**/preferences/") as answer:
        page.locator("#reel-speed").select_option("0.5")
    assert answer.value.status == 204
    open_panel(page)
    assert chosen(page)["pace"] == "quick"
    choose(page, "pace", "once")
    expect(page.locator("#reel-speed")).to_have_value("0")


def test_without_a_connection_the_panel_says_that_nothing_was_saved(visitors: Visitors) -> None:
    visitor = visitors()
    page = at_a_table(visitor)
    open_panel(page)
    with visitor.offline():
        page.locator("#preferences label:has([name=pace][value=quick])").click()
        expect(page.locator("#preferences-said")).to_have_text("Not saved: there is no connection.")


@pytest.mark.parametrize(("lang", "size"), [("en", DESK), ("hu", PHONE)])
def test_the_open_panel_is_accessible_and_closes_by_key(visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
    page = at_a_table(visitors(lang=lang, size=size))
    show_button(page)
    page.locator("#open-preferences").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#preferences")).to_be_visible()
    expect(page.locator("#preferences-title")).to_be_focused()
    assert not findings(page, "preferences at the table")
    page.keyboard.press("Escape")
    expect(page.locator("#preferences")).to_be_hidden()
    expect(page.locator("#site-menu > summary")).to_be_focused()


def test_sounds_are_heard_only_when_they_are_on_and_the_page_was_touched(visitors: Visitors) -> None:
    visitor = visitors()
    visitor.context.add_init_script(EARS)
    page = at_a_table(visitor)
    page.locator("h1").click()
    page.evaluate(TURN)
    assert page.evaluate("[window.contexts, window.heard.length]") == [0, 0]  # off
    open_panel(page)
    choose(page, "sound", "on")
    assert page.evaluate("window.heard.length") == 2  # so that one knows what to expect
    page.reload()
    page.evaluate(TURN)
    assert page.evaluate("[window.contexts, window.heard.length]") == [0, 0]  # on, and nobody has touched the page
    page.locator("h1").click()
    for number, event in enumerate(
        (
            "{sound: 'war', dice: [], gains: []}",
            "{sound: '', dice: [{}], gains: [[1, 2]]}",
            "{sound: '', dice: [], gains: [[1, 2]]}",
            "{sound: '', dice: [], gains: []}",
        )
    ):
        page.wait_for_timeout(100)  # sounds of one moment are one
        page.evaluate(f"document.dispatchEvent(new CustomEvent('reel:step', {{ detail: {event} }}))")
        assert page.evaluate("window.heard.length") == (2, 6, 8, 8)[number]
    loud = max(page.evaluate("window.heard"))
    page.evaluate("document.getElementById('open-preferences').dataset.volume = '20'; window.heard.length = 0")
    page.wait_for_timeout(100)
    page.evaluate("document.dispatchEvent(new CustomEvent('table:over'))")
    assert 0 < max(page.evaluate("window.heard")) < loud
    assert page.evaluate("window.contexts") == 1


def test_title_and_icon_have_a_mark_while_it_is_the_readers_move(visitors: Visitors) -> None:
    mover, other, watcher = sit_down_together(visitors)
    marked = re.compile("^● ")
    for player in (mover, other):
        player.page.evaluate("window.turns = 0; document.addEventListener('table:mine', () => { window.turns += 1; })")
    plain = other.page.locator("link[rel=icon]").get_attribute("href") or ""
    expect(mover.page).to_have_title(marked)
    expect(mover.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))
    assert not any(marked.match(page.title()) for page in (other.page, watcher.page))
    mover.act("call")
    expect(other.page).to_have_title(marked)
    expect(other.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))
    expect(mover.page).not_to_have_title(marked)
    expect(mover.page.locator("link[rel=icon]")).to_have_attribute("href", plain)
    assert [player.page.evaluate("window.turns") for player in (mover, other)] == [0, 1]
    other.visitor.go("/")
    expect(other.page).to_have_title("(1) Ziggurat")
    expect(other.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))


def test_a_larger_board_has_the_height_of_the_strip_and_nothing_scrolls(visitors: Visitors, positions: Positions) -> None:
    page, _, _ = watching(visitors, positions, "babel")
    sizes = (
        "() => ['.table-page__board', '#reel', '.action-panel'].map((it) => document.querySelector(it).getBoundingClientRect().toJSON())"
    )
    open_panel(page)
    page.locator("#preferences label:has([name=board_size][value=usual])").click()
    board, strip, _ = page.evaluate(sizes)
    assert strip["top"] > board["bottom"]
    page.locator("#preferences label:has([name=board_size][value=large])").click()
    larger, strip, question = page.evaluate(sizes)
    assert larger["height"] > board["height"] + 60
    assert larger["width"] > board["width"]
    assert strip["left"] == question["left"] > larger["right"]
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


def test_bold_lines_are_drawn_otherwise(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/gods/")
    page.wait_for_load_state("networkidle")
    picture = page.locator("main svg:has(use[href^='#ra-'])").first
    fine = picture.screenshot()
    page.evaluate("() => localStorage.setItem('preferences', JSON.stringify({ pieces: 'bold' }))")
    page.reload(wait_until="networkidle")
    assert picture.screenshot() != fine
    page.evaluate("() => document.documentElement.removeAttribute('data-pieces')")
    assert picture.screenshot() == fine  # so it was the lines
