"""A study of two people: what one plays and says arrives at the other, who follows; by keys, on a phone, and without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, scrolls_sideways, somewhere
from tests.browser.positions import Positions
from tests.browser.test_accessibility import findings


def started(visitor: Visitor, positions: Positions, game: str = "babel") -> str:
    """Let somebody start a study of a finished game; return its path."""
    table = positions.finished(game, visitor, 3 if game == "history_of_the_world" else 2)
    page = visitor.go(f"/tables/{table}/replay/?step=4")
    page.get_by_role("link", name="Study from here").click()
    page.get_by_label("Title").fill("What else?")
    visitor.press("Start the study")
    page.wait_for_url("**/studies/*/")
    return page.url.removeprefix(visitor.url)


def play_any(page: Page) -> None:
    """Play something: the first choices that are offered, until a move is there."""
    before = page.locator(".study-tree__move").count()
    for _ in range(8):
        page.locator("#study-play :is(#confirm, #answers .choice, .places .choice)").first.click()
        page.wait_for_timeout(300)
        if page.locator(".study-tree__move").count() > before:
            return
    raise AssertionError("no move was played")


def test_two_people_follow_live(visitors: Visitors, positions: Positions) -> None:
    owner, friend = visitors(name=somewhere("Nanna")), visitors(name=somewhere("Ningal"), size=PHONE, scheme="dark")
    path = started(owner, positions)
    desk, phone = owner.page, friend.page
    play_any(desk)
    friend.sign_up(friend.name)
    owner.go(f"{path}settings/")
    desk.get_by_label("Name").fill(friend.name)
    desk.get_by_label("What they can do").select_option("add")
    owner.press("Add person")
    expect(desk.get_by_text("adds moves and comments", exact=True)).to_be_visible()

    friend.go("/studies/")
    phone.get_by_role("link", name="What else?").click()
    expect(phone.locator(".study-tree__move")).to_have_count(2)
    phone.get_by_role("button", name=re.compile("Follow")).click()
    owner.go(path)
    expect(phone.locator("#m-0[aria-current]")).to_be_visible()
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("#m-1[aria-current]")).to_be_visible()
    expect(phone.locator("#m-1[aria-current]")).to_be_visible()
    play_any(desk)
    expect(phone.locator("#m-2[aria-current]")).to_be_visible()
    phone.wait_for_url(f"**{path}2/")

    phone.locator("#study-comment").fill("not sent yet")  # what is being written stays
    desk.get_by_label("Comment").fill("<b>A strong</b> start")
    desk.get_by_label("Mark").select_option("!")
    desk.locator("#study-save").click()
    expect(phone.locator(".study-tree__said")).to_have_text("<b>A strong</b> start")
    expect(phone.locator("#study-mark")).to_have_count(0)  # it is the owner's comment now

    desk.keyboard.press("Escape")
    desk.locator("#study-told-title").click()
    desk.keyboard.press("ArrowLeft")
    expect(phone.locator("#m-1[aria-current]")).to_be_visible()
    phone.locator("#m-0").click()  # goes where they like, and follows no longer
    expect(phone.get_by_role("button", name=re.compile("Follow"))).to_have_attribute("aria-pressed", "false")
    play_any(phone)
    expect(desk.locator(".study-tree__move")).to_have_count(phone.locator(".study-tree__move").count())
    for page in (desk, phone):
        assert not scrolls_sideways(page)
        assert findings(page, "study") == []
    owner.go(f"{path}settings/")
    assert findings(desk, "settings of a study") == []
    owner.go("/studies/")
    assert findings(desk, "list of studies") == []


@pytest.mark.parametrize("game", ["ra", "history_of_the_world"])
def test_a_bot_moves_and_a_line_is_deleted(visitors: Visitors, positions: Positions, game: str) -> None:
    visitor = visitors(name=somewhere("Nanna"))
    started(visitor, positions, game)
    page = visitor.page
    page.get_by_text("Let a bot move").click()
    page.locator("#study-ask-bot").click()
    expect(page.locator(".study-tree__move")).to_have_count(2)
    page.locator("#m-1").click()
    expect(page.locator("#study-play")).to_be_visible()
    assert findings(page, f"study of {game}") == []
    page.get_by_text("Delete", exact=True).click()
    page.locator("#study-delete").click()
    expect(page.locator(".study-tree__move")).to_have_count(1)
    start = page.url
    page.go_back()  # to the deleted move
    page.wait_for_function("() => document.querySelector('#study').dataset.url === location.pathname")
    assert page.url == start


def test_without_script(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(name=somewhere("Nanna"), script=False)
    started(visitor, positions)
    page = visitor.page
    play_any(page)
    expect(page.locator("#m-1[aria-current]")).to_be_visible()
    page.get_by_label("Comment").fill("fine")
    page.locator("#study-save").click()
    expect(page.locator(".study-tree__said")).to_have_text("fine")
    page.locator("#study-back").click()
    expect(page.locator("#m-0[aria-current]")).to_be_visible()
