"""The frame of a running table: the page never scrolls, and no part of it moves or changes its size while a game is played."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES, game
from tests.browser.conftest import Visitors
from tests.browser.people import scrolls_sideways
from tests.browser.playing import CHOSEN, Player, new_table, practice
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler

LAPTOP, DESK, TABLET, PHONE = (1366, 768), (1440, 900), (820, 1180), (390, 844)
THUMB_PX = 44
SIZES = (LAPTOP, DESK, TABLET, PHONE)
# Whenever the page shows something new, and many times while moves are shown, the boxes of its parts are noted.
NOTING = """
  window.seen = [];
  const note = () => {
    const parts = ['board', 'reel', 'action', 'players'].map((id) => document.getElementById(id));
    if (parts.includes(null)) return;
    const boxes = parts.map((part) => { const box = part.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round).join(' '); });
    const due = parts[2].classList.contains('is-due');
    const basket = Boolean(document.getElementById('basket'));
    const text = `${due} ${basket} ${boxes.join(', ')}`;
    if (!window.seen.some((one) => one.text === text)) window.seen.push({ text, due, basket, boxes });
  };
  addEventListener('load', () => { note(); setInterval(note, 20); });
  document.addEventListener('htmx:afterSettle', note);
"""
SCROLLS = "document.scrollingElement.scrollHeight > innerHeight"


def bots(visitor: Any, key: str) -> int:
    """Sit down with bots at a table of a game; return its number."""
    seats = min(3, max(game(key).meta.seats))
    new_table(visitor, seats, dict.fromkeys(range(1, seats), "apprentice"), game=key)
    return int(visitor.table_id())


def put(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("key", GAMES)
def test_nothing_jumps_and_the_page_does_not_scroll(visitors: Visitors, positions: Positions, key: str, size: tuple[int, int]) -> None:
    visitor = visitors(size=size, motion=True)
    visitor.context.add_init_script(NOTING)
    number = bots(visitor, key)
    page = visitor.page
    for versions in (1, 8, 8):
        after = positions.play(number, versions)
        expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
        assert Player(visitor).wait_for_turn()
    seen = page.evaluate("window.seen")
    assert {one["due"] for one in seen} == {True, False}, "turns of bots and of the person were seen"
    for kind in (True, False):  # a basket is a question of another kind, and has a higher panel
        alike = [one["boxes"] for one in seen if one["basket"] == kind]
        for part, boxes in zip(("board", "strip", "question", "players"), zip(*alike, strict=True), strict=False):
            assert len(set(boxes)) == 1, f"the {part} moved: {sorted(set(boxes))}"
    for window in SIZES:
        put(page, window)
        assert not page.evaluate(SCROLLS), f"the page scrolls at {window}"
        assert not scrolls_sideways(page), f"the page scrolls sideways at {window}"
        box = page.locator("#board").bounding_box()
        assert box
        assert box["height"] >= 0.3 * window[1], f"the board is small at {window}"


WIDE = (1920, 1080)


def test_in_a_wide_window_the_players_have_a_column_at_the_left(visitors: Visitors) -> None:
    visitor = visitors(size=WIDE)
    for key in GAMES:
        bots(visitor, key)
        assert Player(visitor).wait_for_turn()
        page = visitor.page
        people, board, question = (page.locator(part).bounding_box() for part in ("#players", "#board", "#action"))
        assert people
        assert board
        assert question
        assert people["width"] == 288
        assert people["x"] + people["width"] < board["x"] < board["x"] + board["width"] < question["x"]
        assert page.evaluate(
            "(it => [it.scrollHeight <= it.clientHeight, it.scrollWidth <= it.clientWidth])(document.querySelector('.players'))"
        ) == [True, True]
        assert not page.evaluate(SCROLLS)
        put(page, (1799, 1000))
        assert page.locator("#players").bounding_box()["x"] > board["x"], "one pixel less, and they are at the right"  # type: ignore[index]
        put(page, WIDE)


@pytest.mark.parametrize("size", SIZES, ids=["laptop", "desk", "tablet", "phone"])
def test_a_conflict_covers_no_square_and_nothing_of_it_is_cut(visitors: Visitors, positions: Positions, size: tuple[int, int]) -> None:
    visitor = visitors(size=size, lang="hu", scheme="dark" if size in (LAPTOP, PHONE) else "light", name="Anna")
    for name, action in (("revolt", "leader king G3"), ("war", "tile market I3")):
        page = positions.open(f"tigris_euphrates/{name}", visitor, "apprentice")
        player = Player(visitor)
        assert player.wait_for_turn()
        version = player.look().version
        page.goto(f"{page.url.partition('?')[0]}?a={action.replace(' ', '+')}")
        if size == PHONE:  # where the choice of a square enlarges the map
            page.locator("#size-all").click()
        before = page.locator("#cell-A11").bounding_box()
        page.locator("#confirm").click()
        page.wait_for_function("version => Number(document.querySelector('#table').dataset.version) > version", arg=version)
        if name == "war":
            player.choose("war king")
            player.confirm()
        panel, last = page.locator("#conflict").bounding_box(), page.locator("#cell-A11").bounding_box()
        assert panel
        assert last
        assert before == last, "the map stands still"
        assert last["y"] + last["height"] <= panel["y"] + 1
        board = page.locator("#board").bounding_box()
        assert board
        assert panel["y"] + panel["height"] <= board["y"] + board["height"] + 1
        assert page.evaluate("[conflict.scrollHeight <= conflict.clientHeight, conflict.scrollWidth <= conflict.clientWidth]") == [
            True,
            True,
        ]
        assert not page.evaluate(SCROLLS)


@pytest.mark.parametrize("lang", ["en", "hu"])
def test_the_acts_of_a_turn_are_all_in_view_on_a_phone(visitors: Visitors, positions: Positions, lang: str) -> None:
    """Two leaders to be placed, two to be moved or withdrawn, and a move that can be undone: no more kinds of acts than that."""
    player = Ruler(visitors(size=PHONE, touch=True, lang=lang, name=f"Anna-{lang}"))
    page = positions.open("tigris_euphrates/war", player.visitor, "apprentice", confirm="matters")
    assert player.wait_for_turn()
    for part in ("", "#undo-turn"):
        if part:
            page.locator("#o-hand-settlement").tap()
            page.wait_for_function(CHOSEN, arg="tile settlement")
            page.locator("#cell-I5").tap()
            page.locator("#offer").tap()
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        assert page.locator("#action .choice-group").count() == 5
        assert page.locator("#action").evaluate("it => it.scrollHeight <= it.clientHeight"), "the question scrolls"
        edge = page.locator("#action").bounding_box()
        assert edge
        controls = [*page.locator("#action .choice").all(), *page.locator("#action .button").all()]
        boxes = [box for box in (control.bounding_box() for control in controls) if box]
        assert len(boxes) == len(controls) >= 13
        for box in boxes:
            assert min(box["width"], box["height"]) >= THUMB_PX
            assert edge["y"] <= box["y"] < box["y"] + box["height"] <= PHONE[1]
            assert box["x"] + box["width"] <= PHONE[0]
        for one, other in combinations(boxes, 2):
            is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert is_beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        for title in page.locator("#action .choice-group__title").all():
            assert title.evaluate("it => it.scrollWidth <= it.clientWidth"), title.inner_text()


@pytest.mark.parametrize(
    "name",
    ["babel/long-turn", "after_the_flood/attack", "after_the_flood/trade", "history_of_the_world/march", "history_of_the_world/attack"],
)
def test_the_acts_of_other_games_are_all_in_view_on_a_phone_too(visitors: Visitors, positions: Positions, name: str) -> None:
    visitor = visitors(size=PHONE, touch=True, name="Anna")
    key, _, place = name.partition("/")
    if key == "babel":
        page = practice(visitor, place, key)
    else:
        page = positions.open(name, visitor, "apprentice", "apprentice")
    assert Player(visitor).wait_for_turn()
    controls = [one for one in page.locator("#answers .choice, #action .answers .choice").all() if one.is_visible()]
    assert len(controls) >= 2
    for one in controls:
        box = one.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= THUMB_PX
        assert box["y"] + box["height"] <= PHONE[1], one.inner_text()
    if key == "babel":
        assert page.locator("#board").evaluate("it => it.scrollHeight <= it.clientHeight")


def test_the_undo_of_a_basket_is_beside_its_question(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(size=PHONE, touch=True, name="Anna")
    page, player = positions.open("after_the_flood/equip", visitor, "apprentice", "apprentice"), Player(visitor)
    assert player.wait_for_turn()
    player.act("recruit grain")
    for size in (PHONE, LAPTOP, TABLET):
        put(page, size)
        expect(page.locator("#undo-turn")).to_be_in_viewport(ratio=1)
        box = page.locator("#undo-turn").bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= THUMB_PX
    page.locator("#undo-turn").click()
    expect(page.locator("#redo-turn")).to_be_enabled()


def test_the_menu_shows_what_is_folded_and_low_windows_scroll(visitors: Visitors) -> None:
    visitor = visitors(size=LAPTOP)
    bots(visitor, "ra")
    page = visitor.page
    assert Player(visitor).wait_for_turn()
    expect(page.locator("#log")).to_be_in_viewport()
    page.locator("#site-menu > summary").click()
    page.locator("#table-menu a[href='#leaving']").click()
    expect(page.locator("#leave")).to_be_in_viewport()
    expect(page.locator("#leaving > summary")).to_be_focused()
    for window in ((1280, 560), (683, 384), (320, 568)):  # low windows, and a magnified one: there the page scrolls
        put(page, window)
        for part in ("#turn", "#board", "#action", "#players", "#log", "#leave"):
            page.locator(part).scroll_into_view_if_needed()
            expect(page.locator(part)).to_be_in_viewport()
        assert not scrolls_sideways(page)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["desk", "phone"])
def test_a_question_longer_than_its_panel_scrolls_in_it_and_the_button_stays(visitors: Visitors, size: tuple[int, int]) -> None:
    visitor = visitors(size=size, lang="hu")
    page, player = practice(visitor, "gods"), Player(visitor)
    assert player.wait_for_turn()
    player.choose("god")
    player.choose(next(prefix for prefix in player.look().targets if prefix.startswith("god ")), on_board=True)
    page.evaluate("document.getElementById('action-title').append(' '.concat('hosszú '.repeat(200)))")
    panel = page.locator("#action")
    assert panel.evaluate("it => it.scrollHeight > it.clientHeight")
    expect(page.locator("#confirm")).to_be_in_viewport()
    assert not page.evaluate(SCROLLS)


def test_reasons_that_are_opened_come_into_view(visitors: Visitors, positions: Positions) -> None:
    page = positions.open("history_of_the_world/march", visitors(size=PHONE), "apprentice", "apprentice")
    reasons = '<details class="why-nots" id="why"><summary>Why?</summary><dl class="why-nots__list"><div>This.</div></dl></details>'
    page.evaluate(f"document.getElementById('action').insertAdjacentHTML('beforeend', `<div>{'<br>' * 20}</div>{reasons}`)")
    page.locator("#why > summary").click()
    expect(page.locator(".why-nots__list > div").first).to_be_in_viewport(ratio=0.9)


def test_without_script_the_frame_stands_too(visitors: Visitors) -> None:
    visitor = visitors(size=PHONE, script=False)
    page = visitor.go("/practice/ra/auction/")
    page.locator("main form button").click()
    page.locator("#sheet > summary").click()
    expect(page.locator("#log-title")).to_be_in_viewport()
    page.locator("#sheet > summary").click()
    expect(page.locator("#log-title")).to_be_hidden()
    box = page.locator("#action").bounding_box()
    assert box
    assert round(box["y"] + box["height"]) == PHONE[1], "the question is at the lower edge"
    put(page, LAPTOP)
    for part in ("#board", "#action", "#players", "#log-title", "#leaving"):
        expect(page.locator(part)).to_be_in_viewport()


def test_a_table_that_starts_takes_its_frame_without_a_new_page(visitors: Visitors) -> None:
    visitor = visitors(size=LAPTOP)
    new_table(visitor, 3, {1: "apprentice"})
    page = visitor.page
    leave = page.locator("#table-menu a[href='#leaving']")
    page.locator("#site-menu > summary").click()
    expect(leave).to_be_hidden()
    page.keyboard.press("Escape")
    page.locator("#start").click()
    expect(page.locator("body.is-framed")).to_be_visible()  # before, the reader is to start the game, which counts as a turn
    assert Player(visitor).wait_for_turn()
    assert not page.evaluate(SCROLLS)
    page.locator("#site-menu > summary").click()
    leave.click()
    expect(page.locator("#leave")).to_be_in_viewport()
