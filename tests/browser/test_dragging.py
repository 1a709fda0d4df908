"""A piece is dragged to its square, with the mouse and with a finger: it is played once, or goes back with nothing sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visitors
from tests.browser.people import TABLET
from tests.browser.playing import CHOSEN, NEWER
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler
from tests.browser.test_acting import posts, ready
from tests.browser.test_frame import LAPTOP, PHONE

RAISE_PX = 40  # a dragged piece is so far above the finger
LIFT_PX = 12  # more than a tap
STEPS = 8
REST_MS = 300  # in which anything that is sent would have been
Point = tuple[float, float]


def middle(of: Locator) -> Point:
    box = of.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    """Drags as a mouse does."""

    def __init__(self, page: Page) -> None:
        self.mouse = page.mouse

    def press(self, piece: Locator) -> None:
        self.mouse.move(*middle(piece))
        self.mouse.down()

    def over(self, place: Locator) -> None:
        self.mouse.move(*middle(place), steps=STEPS)

    def let_go(self) -> None:
        self.mouse.up()


class Finger:
    """Drags as a finger does: the browser decides whether it is a scroll."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.at: Point = (0, 0)

    def _send(self, kind: str, *points: Point) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def press(self, piece: Locator) -> None:
        self.at = middle(piece)
        self._send("touchStart", self.at)

    def over(self, place: Locator) -> None:
        """Move on to a place; the board stands still under the finger."""
        before = place.bounding_box()
        self._send("touchMove", (self.at[0], self.at[1] - LIFT_PX))
        self.page.wait_for_selector(".lifted")
        self.page.wait_for_selector("#action:not([data-chosen=''])")
        assert place.bounding_box() == before
        (x0, y0), (x1, y1) = self.at, middle(place)
        y1 += RAISE_PX
        for step in range(1, STEPS + 1):
            self._send("touchMove", (x0 + (x1 - x0) * step / STEPS, y0 + (y1 - y0) * step / STEPS))
            self.page.wait_for_timeout(20)
        self.at = (x1, y1)

    def let_go(self) -> None:
        self._send("touchEnd")


WAYS: list[tuple[tuple[int, int], type[Mouse] | type[Finger]]] = [(LAPTOP, Mouse), (TABLET, Finger), (PHONE, Finger)]
BY = pytest.mark.parametrize(("size", "way"), WAYS, ids=["mouse", "tablet", "phone"])


def sit(visitors: Visitors, positions: Positions, size: tuple[int, int], *, confirm: str = "matters", name: str = "monument") -> Ruler:
    player = Ruler(visitors(name="Anna", size=size, touch=size != LAPTOP))
    positions.open(f"tigris_euphrates/{name}", player.visitor, "apprentice", confirm=confirm)
    assert player.wait_for_turn()
    ready(player.page)
    return player


def piece_of(player: Ruler, prefix: str) -> Locator:
    """Return the piece in the hand, or where that is folded, in the question."""
    seen = player.look()
    hand = player.page.locator(f"#{seen.targets.get(prefix, seen.choices[prefix])}")
    return hand if hand.is_visible() else player.page.locator(f"#{seen.choices[prefix]}")


@contextmanager
def nothing_happens(player: Ruler) -> Iterator[None]:
    """Assert that nothing was sent, and that question and address are as before."""
    page, sent, version = player.page, posts(player.page), player.look().version
    address, chosen = page.url, page.locator("#action").get_attribute("data-chosen")
    yield
    expect(page.locator("#action")).to_have_attribute("data-chosen", chosen or "")
    page.wait_for_timeout(REST_MS)
    assert (sent, player.look().version, page.url) == ([], version, address)
    expect(page.locator(".lifted")).to_have_count(0)
    expect(page.locator(".is-aim")).to_have_count(0)
    expect(page.locator("#preview")).to_be_hidden()


@BY
def test_a_tile_is_dragged_to_a_square_and_played_once(
    visitors: Visitors, positions: Positions, size: tuple[int, int], way: Callable[[Page], Mouse | Finger]
) -> None:
    player = sit(visitors, positions, size)
    page, sent, by = player.page, posts(player.page), way(player.page)
    version = player.look().version
    by.press(piece_of(player, "tile settlement"))
    by.over(player.cell("H5"))
    expect(page.locator(".lifted")).to_have_count(1)
    expect(player.cell("H5")).to_have_class(re.compile("is-aim"))
    expect(page.locator("#preview")).to_have_text(re.compile("^H5.*1 point for you"))
    lit = [prefix for prefix in player.look().targets if prefix.startswith("tile settlement ")]
    assert "tile settlement H5" in lit
    assert "tile settlement E1" not in lit
    assert page.evaluate("scrollY") == 0
    assert sent == []
    by.let_go()
    page.wait_for_function(NEWER, arg=version)
    page.wait_for_timeout(REST_MS)
    assert [re.search(r"action=([^&]+)", body or "")[1] for body in sent] == ["tile%20settlement%20H5"]  # type: ignore[index]
    assert player.look().version == version + 1
    expect(page.locator(".lifted")).to_have_count(0)
    expect(page.locator("#board")).not_to_have_class(re.compile("is-aim"))


@BY
def test_let_go_elsewhere_or_stopped_it_goes_back(
    visitors: Visitors, positions: Positions, size: tuple[int, int], way: Callable[[Page], Mouse | Finger]
) -> None:
    player = sit(visitors, positions, size)
    page, by = player.page, way(player.page)

    def drag(to: Locator) -> None:
        by.press(piece_of(player, "tile settlement"))
        by.over(to)

    drag(player.cell("E1"))  # a river: the reason is told, as after a tap
    expect(page.locator(".lifted")).to_have_count(1)
    expect(page.locator(".is-aim")).to_have_count(0)
    by.let_go()
    expect(page.locator("#refusal")).to_contain_text("E1 is a river.")
    expect(page.locator(".lifted")).to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator("#action")).to_have_attribute("data-chosen", "")
    with nothing_happens(player):  # outside the board
        drag(player.cell("H5"))
        by.over(page.locator("#turn"))
        by.let_go()
    with nothing_happens(player):
        drag(player.cell("H5"))
        page.keyboard.press("Escape")
        expect(page.locator(".lifted")).to_have_count(0)
        by.let_go()
    with nothing_happens(player):  # the window loses the focus
        drag(player.cell("H5"))
        page.evaluate("dispatchEvent(new FocusEvent('blur'))")
        by.let_go()
    player.choose("tile farm")
    hand = page.locator("#hand-settlement")
    if size == PHONE:  # there the others are folded while a square is asked for
        expect(hand).to_be_hidden()
        return
    with nothing_happens(player):  # what was chosen before is chosen again
        by.press(hand)
        by.over(player.cell("H5"))
        page.keyboard.press("Escape")
        by.let_go()


def test_doubled_events_play_once(visitors: Visitors, positions: Positions) -> None:
    player = sit(visitors, positions, LAPTOP)
    page, sent, by = player.page, posts(player.page), Mouse(player.page)
    page.evaluate("""() => document.addEventListener('pointerup', (event) => {
      if (!event.isTrusted) return;
      for (let n = 0; n < 3; n += 1) event.target.dispatchEvent(new PointerEvent('pointerup', event));
    })""")
    version = player.look().version
    by.press(page.locator("#hand-settlement"))
    by.over(player.cell("H5"))
    by.let_go()
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function(NEWER, arg=version)
    page.wait_for_timeout(REST_MS)
    assert len(sent) == 1
    assert player.look().version == version + 1


def test_where_a_tap_would_ask_a_drag_asks(visitors: Visitors, positions: Positions) -> None:
    player = sit(visitors, positions, LAPTOP, confirm="always")
    page, sent, by = player.page, posts(player.page), Mouse(player.page)
    by.press(page.locator("#hand-settlement"))
    by.over(player.cell("H5"))
    by.let_go()
    page.wait_for_function(CHOSEN, arg="tile settlement H5")
    expect(page.locator("#confirm")).to_have_attribute("value", "tile settlement H5")
    assert sent == []
    page.go_back()
    expect(page.locator("#action")).to_have_attribute("data-chosen", "")


def test_leaders_on_the_board_and_catastrophes_are_dragged_too(visitors: Visitors, positions: Positions) -> None:
    player = sit(visitors, positions, LAPTOP)
    page, by = player.page, Mouse(player.page)
    version = player.look().version
    by.press(player.cell("F4"))
    by.over(player.cell("E6"))
    expect(page.locator("#action")).to_have_attribute("data-chosen", "leader king")
    by.let_go()
    page.wait_for_function(NEWER, arg=version)
    expect(player.cell("E6")).to_have_attribute("aria-label", re.compile("^E6, king, Anna"))
    choice = page.locator("#action a.choice[href='?a=catastrophe']")
    choice.scroll_into_view_if_needed()
    by.press(choice)
    by.over(player.cell("A11"))
    expect(page.locator("#preview")).to_be_visible()
    by.let_go()
    page.wait_for_function(CHOSEN, arg="catastrophe A11")  # it costs something, so it is asked


def test_a_slow_choice_is_played_when_it_comes_and_a_lost_one_goes_back(visitors: Visitors, positions: Positions) -> None:
    player = sit(visitors, positions, LAPTOP)
    page, sent, by = player.page, posts(player.page), Mouse(player.page)
    page.route("**/choices/**", lambda route: route.fulfill(status=204))
    page.reload()
    held: list[Route] = []
    address = re.compile(r"[?&]a=tile")
    page.route(address, lambda route: held.append(route))
    version = player.look().version

    def drag() -> None:
        by.press(page.locator("#hand-settlement"))
        by.over(player.cell("H5"))
        by.let_go()
        page.wait_for_timeout(REST_MS)
        assert len(held) == 1

    drag()
    player.visitor.quiet = "/"
    held.pop().abort()
    expect(page.locator(".lifted")).to_have_count(0)
    assert sent == []
    drag()
    page.unroute(address)
    held.pop().continue_()
    page.wait_for_function(NEWER, arg=version)
    assert len(sent) == 1


def test_a_position_that_changes_under_a_dragged_piece_ends_the_drag(visitors: Visitors, positions: Positions) -> None:
    player = sit(visitors, positions, LAPTOP)
    page, by = player.page, Mouse(player.page)
    version = player.look().version
    by.press(page.locator("#hand-settlement"))
    by.over(player.cell("H5"))
    with page.context.expect_page() as opened:
        page.evaluate("open(location.pathname)")
    other = opened.value
    other.wait_for_load_state()  # a click before the page's script runs only follows the link
    other.locator("#o-hand-farm").click()
    other.wait_for_function(CHOSEN, arg="tile farm")  # before the answer the square is no choice
    other.locator("#cell-E1").click()
    other.wait_for_function(NEWER, arg=version)
    other.close()
    page.wait_for_function(NEWER, arg=version)
    expect(page.locator(".lifted")).to_have_count(0)
    by.let_go()
    page.wait_for_timeout(REST_MS)
    assert player.look().version == version + 1
