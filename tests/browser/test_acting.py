"""Acting at the table: choices without a request, effects before the click, a moment to stop, and answers that get lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import NEWER, Player, practice
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler

LONG_MS = 600_000
HAS_BUNDLE = "() => performance.getEntriesByType('resource').some((it) => it.name.includes('/choices/?v=') && it.responseEnd)"
TAP = """(control) => {
  control.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true }));
  control.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true, cancelable: true }));
}"""


def posts(page: Page) -> list[str]:
    """Return a list that grows with each action that the page sends."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    return sent


def asked(page: Page) -> list[str]:
    """Return a list that grows with each request for a choice."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if re.search(r"[?&]a=|/region/", request.url) else None)
    return sent


def ready(page: Page) -> None:
    """Load the page again, and wait until its script has what the question leads to."""
    page.reload()
    page.wait_for_function(HAS_BUNDLE)
    page.wait_for_timeout(100)


def ruler(visitors: Visitors, positions: Positions, name: str = "monument") -> Ruler:
    player = Ruler(visitors(name="Anna"))
    positions.open(f"tigris_euphrates/{name}", player.visitor, "apprentice", confirm="matters")
    assert player.wait_for_turn()
    ready(player.page)
    return player


def test_choosing_and_going_back_need_no_request_and_show_what_a_request_would(visitors: Visitors, positions: Positions) -> None:
    player = ruler(visitors, positions)
    page, requests = player.page, asked(player.page)
    seen = {}
    pieces = [prefix for prefix in player.look().choices if prefix.startswith(("tile", "leader", "catastrophe"))][:3]
    for prefix in pieces:
        player.choose(prefix)
        seen[prefix] = page.locator("#action, #board, #players").evaluate_all("(parts) => parts.map((part) => part.innerHTML)")
    page.go_back()
    page.wait_for_function("want => new URLSearchParams(location.search).get('a') === want", arg=pieces[1])
    assert player.look().chosen == [player.look().choices[pieces[1]]]
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.search")
    assert player.look().chosen == []
    assert requests == []
    for prefix, parts in seen.items():
        page.goto(f"{page.url.partition('?')[0]}?a={prefix.replace(' ', '+')}")
        tabs = re.compile(r' tabindex="-?\d"| open=""| aria-describedby="preview"')
        now = page.locator("#action, #board, #players").evaluate_all("(parts) => parts.map((part) => part.innerHTML)")
        assert [tabs.sub("", part) for part in now] == [tabs.sub("", part) for part in parts]


def test_a_tile_is_placed_by_two_clicks_and_can_be_undone(visitors: Visitors, positions: Positions) -> None:
    player = ruler(visitors, positions)
    page, sent = player.page, posts(player.page)
    player.choose("tile settlement", on_board=True)
    version = player.look().version
    player.cell("H5").click()
    page.wait_for_function(NEWER, arg=version)
    assert len(sent) == 1
    assert "action=tile%20settlement%20H5" in sent[0]
    page.locator("#undo-turn").click()
    page.wait_for_function(NEWER, arg=version + 1)
    expect(player.cell("H5")).to_have_attribute("aria-label", re.compile("^H5, empty land"))


def test_focus_and_pointer_show_the_effect_and_a_first_tap_offers_the_move(visitors: Visitors, positions: Positions) -> None:
    player = ruler(visitors, positions)
    page, sent = player.page, posts(player.page)
    player.choose("tile settlement", on_board=True)
    tip = page.locator("#preview")
    player.cell("H5").focus()
    expect(tip).to_have_text(re.compile("1 .*point for you"))
    expect(player.cell("H5")).to_have_attribute("aria-describedby", "preview")
    player.cell("H5").blur()
    expect(tip).to_be_hidden()
    player.cell("H5").hover()
    expect(tip).to_be_visible()
    page.mouse.move(0, 0)
    expect(tip).to_be_hidden()
    player.cell("H5").evaluate(TAP)
    expect(page.locator("#offer")).to_have_attribute("value", "tile settlement H5")
    expect(player.cell("H5")).to_have_class(re.compile("is-aim"))
    expect(page.locator("#offer")).to_have_text("Place tile: H5")
    expect(tip).to_be_visible()
    other = next(place.square for place in player.places() if place.square != "H5")
    player.cell(other).evaluate(TAP)
    expect(page.locator("#offer")).to_have_attribute("value", f"tile settlement {other}")
    expect(page.locator("#board .is-aim")).to_have_count(1)
    assert sent == []
    version = player.look().version
    player.cell(other).evaluate(TAP)
    page.wait_for_function(NEWER, arg=version)
    assert len(sent) == 1


@pytest.mark.parametrize("stop", ["press", "escape", "choice"])
def test_a_draw_waits_and_can_be_stopped(visitor: Visitor, stop: str) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    sent, version = posts(page), player.look().version
    page.evaluate("(ms) => { document.getElementById('live').dataset.recall = ms; }", LONG_MS)
    draw = page.locator("#o-bag")
    words = draw.inner_text()
    draw.click()
    expect(draw).to_have_text("Undo")
    expect(page.locator("#live")).to_have_text("This will be played in a moment. Press again to undo.")
    if stop == "press":
        draw.click()
    elif stop == "escape":
        page.keyboard.press("Escape")
    else:
        page.locator("#o-figure").click()
        expect(page.locator("#confirm")).to_be_visible()
    expect(draw).to_have_text(words.strip())
    assert (sent, player.look().version) == ([], version)
    page.evaluate("document.getElementById('live').dataset.recall = 40")
    draw.click()
    page.wait_for_function(NEWER, arg=version)
    assert len(sent) == 1


def test_who_leaves_within_the_moment_has_played(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    url = page.url
    page.evaluate("(ms) => { document.getElementById('live').dataset.recall = ms; }", LONG_MS)
    page.locator("#o-bag").click()
    expect(page.locator("#o-bag")).to_have_text("Undo")
    page.goto("/lobby/")
    page.goto(url)
    expect(page.locator("#log")).to_contain_text("drew")


def test_a_lost_answer_never_plays_twice(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    visitor.quiet = "/"
    page.route("**/events/**", lambda route: route.abort())
    page.reload()
    accepted: list[int] = []
    before = player.look()

    def lose(route: Route) -> None:
        accepted.append(route.fetch().status)
        route.abort()

    page.route("**/act/", lose)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/act/")):
        page.locator("#o-bag").click()
    expect(page.locator("#connection")).to_be_visible()
    page.unroute("**/act/")
    with visitor.expecting(409):
        page.locator("#o-bag").click()
        expect(page.locator("#notice")).to_contain_text(re.compile("The game has moved on|It isn't your turn"))
    assert accepted == [200]
    assert player.look().version > before.version, "the page shows the table as it is"
    page.unroute("**/events/**")


def test_a_page_that_meets_a_newer_server_reloads_itself_with_a_word(visitor: Visitor) -> None:
    page, player = practice(visitor, "auction"), Player(visitor)
    assert player.wait_for_turn()
    expect(page.locator("#updated")).to_be_hidden()
    page.evaluate("document.getElementById('table').dataset.site = 'old'")
    with page.expect_navigation():
        page.locator("#o-bag").click()
    expect(page.locator("#updated")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("drew")
    page.reload()
    expect(page.locator("#updated")).to_be_hidden()
