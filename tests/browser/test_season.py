"""A season of a club from its start to the frozen table: a league of two people and four bots, played at tables."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, Visitor, somewhere
from tests.browser.playing import TABLE, Player, play_together
from tests.browser.positions import Positions
from tests.browser.test_accessibility import findings
from tests.running import wait_until


def found_club(host: Visitor, guest: Visitor, city: str) -> str:
    """One person founds a club that is open to everybody, another joins; return its address."""
    host.sign_up(f"Anna-of-{city}")
    page = host.go("/clubs/new/")
    page.locator("#id_name").fill(f"Tablets of {city}")
    page.locator("#id_joining").select_option("open")
    host.press("Create club")
    page.wait_for_url(f"**/clubs/tablets-of-{city.lower()}/")
    address = page.url
    guest.sign_up(f"Ben-of-{city}")
    guest.go(address)
    guest.press("Join club")
    expect(guest.page.get_by_text("You are a member now.")).to_be_visible()
    return address


def begin(host: Visitor) -> None:
    """Create a season with the form as it is, and a league in it with three clicks, with two bots of each level at tables of two."""
    page = host.page
    page.get_by_role("link", name="Seasons", exact=True).click()
    host.press("Create a season", role="link")
    page.locator("#id_name").fill("First season")
    host.press("Create season")
    expect(page.get_by_text("In progress", exact=True)).to_be_visible()
    host.press("New league", role="link")
    page.get_by_label("Rounds at 2-player tables").check(force=True)
    page.get_by_label("Rounds (if the league is played in rounds)").fill("1")
    for level in ("apprentice", "scribe"):
        page.get_by_label(level).fill("2")
    host.press("Draw pairings")
    page.wait_for_url("**/leagues/draw/**")
    drawn = page.url
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    seated = page.locator(".season-names").all_inner_texts()
    page.reload()
    assert (page.url, page.locator(".season-names").all_inner_texts()) == (drawn, seated), "the address holds the draw"
    assert len(seated) == 3
    host.press("Start league")
    expect(page.get_by_text("The league has started.")).to_be_visible()


def play_both(people: list[Visitor], league: str, positions: Positions) -> None:
    """Each opens their table, or joins the one that the other has opened, and plays it to the end."""
    for visitor in people:
        page = visitor.go(league)
        mine = page.get_by_role("region", name="Your games")
        mine.get_by_role("button", name=re.compile("^Play pairing")).or_(mine.get_by_role("link", name=re.compile(r"^Table \d+"))).click()
        page.wait_for_url(TABLE)
    players = [Player(visitor) for visitor in people]
    play_together(players, until=lambda: all(player.has_done("call") for player in players))
    for table in {visitor.table_id() for visitor in people}:
        positions.skip_the_middle(*(visitor for visitor in people if visitor.table_id() == table))
    play_together(players)


def rows_of(page: Page) -> list[str]:
    return page.locator("main table tbody tr").all_inner_texts()


def test_a_season_with_four_bots_and_two_people_from_its_begin_to_the_frozen_table(visitors: Visitors, positions: Positions) -> None:
    host, guest = visitors(), visitors()
    club = found_club(host, guest, somewhere("Ur"))
    begin(host)
    page, league = host.page, host.page.url
    play_both([host, guest], league, positions)

    def is_counted() -> bool:
        return "3 games played" in host.go(league).locator("main").inner_text()

    wait_until(is_counted, within_s=240)  # the workers open and play games of only bots
    table = page.locator("section[aria-labelledby=table] tbody tr")
    expect(table).to_have_count(6)
    points = [float(row.locator("td").nth(2).inner_text()) for row in table.all()]
    assert sum(points) == 3
    assert points == sorted(points, reverse=True)

    page.get_by_role("link", name="First season").click()
    season = page.url
    page.get_by_text("End the season early").click()
    host.press("End season now")

    def is_frozen() -> bool:
        return "The standings became final" in host.go(season).locator("main").inner_text()

    wait_until(is_frozen, within_s=120)
    if page.get_by_role("link", name="With bots").get_attribute("aria-current") is None:
        host.press("With bots", role="link")
    frozen = rows_of(page)
    assert any("Bot, " in row for row in frozen)
    expect(page.get_by_role("heading", name="Honours")).to_be_visible()
    expect(page.get_by_role("link", name="New league")).to_have_count(0)
    expect(page.get_by_text("End the season early")).to_have_count(0)
    theirs = rows_of(guest.go(page.url))
    assert [row.replace(" (you)", "") for row in theirs] == [row.replace(" (you)", "") for row in frozen]

    hall = guest.go(f"{club}honours/").locator("main")
    expect(hall.get_by_role("heading", name="First season")).to_be_visible()
    expect(hall.get_by_role("heading", name=re.compile("Ra league"))).to_be_visible()
    expect(guest.go(league).get_by_text("Finished", exact=True)).to_be_visible()


def test_pages_of_seasons_for_everybody(visitors: Visitors) -> None:
    """What an officer and a member see of seasons and leagues, on a desk and on a phone: no axe findings, nothing cut off."""
    host, guest = visitors(), visitors()
    city = somewhere("Kish")
    club = found_club(host, guest, city)
    begin(host)
    page, league = host.page, host.page.url
    season = page.get_by_role("link", name="First season").get_attribute("href") or ""
    pairing = page.get_by_role("link", name=re.compile("^Change pairing")).first.get_attribute("href") or ""
    page.get_by_text("Withdraw an entrant").click()
    entrant = page.locator("a[href*='/entrants/']").first.get_attribute("href") or ""
    officer = (
        f"{club}seasons/new/",
        f"{season}leagues/new/",
        f"{season}leagues/draw/?form=once&game=ra&who=Anna-of-{city}&seed=a",
        pairing,
        entrant,
    )
    everybody = (f"{club}seasons/", season, league, f"{club}honours/")
    found = []
    for number, (visitor, size) in enumerate(((host, DESK), (guest, PHONE))):
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        with visitor.expecting(422):
            for address in (*everybody, *(officer if number == 0 else ())):
                found += findings(visitor.go(address), f"{address} at {size[0]}")
    host.go(season)
    page.get_by_text("End the season early").click()
    host.press("End season now")
    wait_until(lambda: "The standings became final" in host.go(season).locator("main").inner_text(), within_s=120)
    found += findings(page, "frozen season")
    assert not found, "\n".join(found)
