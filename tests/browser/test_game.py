"""A stranger plays a whole game of Ra, from the front page to the leaderboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import TABLE, Player, hasty, new_table
from tests.browser.positions import Positions


def number(text: str) -> int:
    return int(re.sub(r"[^\d-]", "", text.replace("\N{MINUS SIGN}", "-")))


def shown_points(page: Page) -> dict[str, int]:
    """Return the totals of the podium by name."""
    rows = page.locator(".podium__place").all()
    return {row.locator("p.strong").inner_text().strip(): number(row.locator(".podium__points").inner_text()) for row in rows}


def check_derivations(page: Page, totals: dict[str, int]) -> None:
    """Each line, summed by round and overall, gives the total on the podium."""
    page.locator("#points > summary").click()
    for details in page.locator("details.derivation").all():
        name = details.locator("summary .strong").inner_text().strip()
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        groups = [body for body in details.locator("tbody").all() if body.locator(".table__group").count()]
        assert len(groups) >= 3, "three epochs are told"
        assert sum(body.locator("tr.table__row").count() for body in groups) >= 4
        sums = []
        for body in groups:
            said = number(body.locator("td.table__group").inner_text())
            lines = [number(cell.inner_text()) for cell in body.locator("tr.table__row td:last-child").all()]
            assert sum(lines) == said, f"{name}: {lines} do not add up to {said}"
            sums.append(said)
            for link in body.locator("a.rule-link").all():
                assert re.search(r"/en/rules/ra/p/[a-z0-9-]+/$", link.get_attribute("href") or "")
        total = number(details.locator(".table__row--total td:last-child").inner_text())
        assert sum(sums) == total == totals[name]


def test_a_visitor_plays_a_whole_game_against_two_bots_and_finds_it_on_the_leaderboard(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors()
    visitor.go("/")
    visitor.press("Choose seats and levels", role="link")
    new_table(visitor, 3, {1: "apprentice", 2: "apprentice"}, fill=True)
    page, player = visitor.page, Player(visitor)
    expect(page.locator(".player")).to_have_count(3)
    guest = page.locator(".player__name").first.inner_text()
    address = page.url
    player.play(hasty, until=lambda it: it.has_done("draw", "call", "bid"))
    positions.skip_the_middle(visitor)
    player.play(hasty)

    assert player.has_done("draw", "call", "bid")
    expect(page.get_by_role("heading", name=re.compile("won with"))).to_be_visible()
    expect(page.locator("[data-stream]")).to_have_count(0)
    totals = shown_points(page)
    assert len(totals) == 3
    assert max(totals.values()) == next(iter(totals.values())), "the winner stands first"
    assert guest in totals
    check_derivations(page, totals)

    link = page.locator("#log .rule-link").first
    anchor = (link.get_attribute("href") or "").rstrip("/").rpartition("/")[2]
    text = opened_paragraph(visitor, link.get_attribute("id") or "#log .rule-link", anchor)
    assert len(text) > 30
    page.goto(address)

    page.get_by_role("banner").get_by_role("link", name="Leaderboard").click()
    page.get_by_role("link", name="With bots").click()
    expect(page.get_by_role("rowheader", name="Bot, apprentice")).to_be_visible()
    rows = page.locator("main tbody tr")
    expect(rows.filter(has_text="Your place")).to_have_count(1)
    other = visitors()
    seen_by_other = other.go("/leaderboards/ra/?pool=bots").locator("main tbody tr").filter(has_text=guest)
    expect(seen_by_other).to_have_count(0)
    other.page.get_by_role("combobox", name="Players").select_option(label="include guests")
    other.press("Show", exact=True)
    expect(seen_by_other).to_have_count(1)

    visitor.open_menu()
    visitor.press("Create an account", role="link")
    page.locator("#id_username").fill("Puabi")
    page.locator("#id_password1").fill("lapis-and-gold-9")
    visitor.press("Create an account and keep my games")
    expect(page.get_by_text("Your account is ready")).to_be_visible()
    visitor.go("/people/Puabi/")
    expect(page.locator("main").get_by_role("link", name=re.compile(r"Ra, table \d+")).first).to_be_visible()
    visitor.go("/leaderboards/ra/?pool=bots")
    expect(rows.filter(has_text="Puabi").first).to_contain_text("(you)")
    page.goto(address)
    assert totals | {"Puabi": totals[guest]} == shown_points(page) | {guest: totals[guest]}


def opened_paragraph(visitor: Visitor, selector: str, anchor: str) -> str:
    """Click on a link to a rule and return the paragraph that opens, beside the board or in the book."""
    page = visitor.page
    page.locator(selector).first.click()
    beside = page.locator("#rule-body .rule-paragraph")
    in_book = page.locator(f"main #{anchor}")
    expect(beside.or_(in_book).first).to_be_visible()
    return beside.or_(in_book).first.inner_text()


def test_one_click_on_the_front_page_opens_a_game_against_bots(visitor: Visitor) -> None:
    page = visitor.go("/")
    visitor.press("Play now Ra")
    page.wait_for_url(TABLE)
    player = Player(visitor)
    assert player.wait_for_turn()
    expect(page.locator(".player")).to_have_count(4)
    hasty(player)  # a bot that moved first may have drawn Ra: then there is a bid to make
    assert player.wait_for_turn()
    expect(page.locator("#log")).to_contain_text("drew")
    visitor.go("/")
    visitor.press("Your move", role="link")
    expect(page.locator("#action.is-due")).to_be_visible()
