"""A club from its founding to its ladder: one person invites another, both play a club game, the ladder changes; duplicate tables."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, Visitor, scrolls_sideways, somewhere
from tests.browser.playing import TABLE, Player, play_together
from tests.browser.positions import Positions
from tests.browser.test_accessibility import findings
from tests.running import wait_until


def found_club(host: Visitor, city: str, *, is_private: bool) -> str:
    """Somebody signs up and founds a club; return its path."""
    host.sign_up(f"Anna-of-{city}")
    page = host.go("/clubs/")
    host.press("Create a club", role="link")
    page.locator("#id_name").fill(f"Scribes of {city}")
    page.locator("#id_joining").select_option("invitation")
    if is_private:
        page.locator("#id_is_private").check()
    host.press("Create club")
    page.wait_for_url(f"**/clubs/scribes-of-{city.lower()}*/")
    return urlsplit(page.url).path


def invite(host: Visitor, guest: Visitor, club: str, name: str) -> None:
    """The host invites somebody, who accepts."""
    guest.sign_up(name)
    host.go(club)
    host.press("Invite players", role="link")
    host.page.locator("form[action$='/invite/'] input[name=username]").fill(name)
    host.press("Invite", exact=True)
    expect(host.page.get_by_role("main").get_by_text(name).first).to_be_visible()
    guest.go("/clubs/")
    guest.press("Accept the invitation")
    expect(guest.page.get_by_role("heading", name=re.compile("Scribes of"))).to_be_visible()


def test_a_club_is_founded_a_game_played_in_it_and_its_ladder_moves(visitors: Visitors, positions: Positions) -> None:
    host, guest, stranger = visitors(), visitors(), visitors()
    city = somewhere("Sippar")
    club = found_club(host, city, is_private=True)
    invite(host, guest, club, f"Ben-of-{city}")
    page = host.go(f"{club}leaderboard/all/")
    expect(page.locator("main tbody tr")).to_have_count(0)

    host.go(club)
    host.press("New club table", role="link")
    page.get_by_role("link", name="Ra", exact=True).click()
    expect(page.locator("select[name=club]")).to_have_value(club.strip("/").removeprefix("clubs/"))
    page.locator("input[name=seats][value='2']").check(force=True)
    host.press("Open table", exact=True)
    page.wait_for_url(TABLE)
    number = host.table_id()
    expect(page.get_by_role("link", name=f"Scribes of {city}")).to_be_visible()

    expect(stranger.go("/lobby/").get_by_text(f"Scribes of {city}")).to_have_count(0)
    with stranger.expecting(404):
        for path in (club, f"/tables/{number}/", f"/tables/{number}/region/"):
            stranger.go(path)
            expect(stranger.page.get_by_text(city)).to_have_count(0)

    guest.go("/lobby/")
    expect(guest.page.get_by_text(f"Scribes of {city}")).to_be_visible()
    guest.press(f"Join Ra, table {number}")
    guest.page.wait_for_url(f"**/tables/{number}/")
    players = [Player(host), Player(guest)]
    play_together(players, until=lambda: any(player.has_done("call") for player in players))
    positions.skip_the_middle(host, guest)
    play_together(players)
    winner = page.locator(".podium__place--first p.strong").first.inner_text().strip()
    is_shared = page.locator(".podium__place--first").count() > 1

    def is_counted() -> bool:
        return host.go(f"{club}leaderboard/all/").locator("main tbody tr").count() == 2

    wait_until(is_counted, within_s=30)
    first = page.locator("main tbody tr").first
    if not is_shared:
        expect(first).to_contain_text(winner)
    host.go(club)
    expect(page.get_by_role("link", name=f"Ra, table {number}")).to_be_visible()
    with stranger.expecting(404):
        stranger.go(f"/tables/{number}/record/")
        stranger.go(f"{club}leaderboard/all/")
    expect(stranger.go("/").get_by_role("link", name=f"Ra, table {number}")).to_have_count(0)


def test_duplicate_tables_are_opened_taken_and_kept_from_others(visitors: Visitors) -> None:
    host, guest = visitors(), visitors(size=PHONE)
    city = somewhere("Eridu")
    club = found_club(host, city, is_private=False)
    invite(host, guest, club, f"Ben-of-{city}")
    page = host.go(f"{club}duplicates/")
    host.press("New set", role="link")
    page.get_by_role("link", name="Ra", exact=True).click()
    form, faults = page.url, {}
    page.get_by_label("Name of the set").fill("Week 1")
    page.locator("input[name=seats][value='2']").check(force=True)
    page.locator("select[name=seat-1]").select_option("apprentice")
    host.press("Open these tables", exact=True)
    expect(page.get_by_text("Members can now take their seats.")).to_be_visible()
    address = page.url
    for visitor, number in ((host, 1), (guest, 2)):
        visitor.go(address)
        visitor.press(f"Take seat 1 at table {number}")
        visitor.page.wait_for_url(TABLE)
        visitor.page.locator("#site-menu > summary").click()
        expect(visitor.page.get_by_role("link", name="Duplicate: Week 1")).to_be_visible()
    theirs = guest.page.url
    with host.expecting(404):
        host.go(theirs)
    host.go(address)
    expect(page.get_by_role("button", name=re.compile("^Take seat"))).to_have_count(0)
    for path in (address, f"{club}duplicates/", form):
        for size in (DESK, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            host.go(path)
            if scrolls_sideways(page):
                faults[f"{path} {size}"] = ["scrolls sideways"]
            faults[f"{path} {size} axe"] = findings(page, path)
    assert not any(faults.values()), faults
    host.go(address)
    page.get_by_text("End the set now").click()
    host.press("Stop games and end the set")
    expect(page.get_by_text("nothing to compare")).to_be_visible()
    host.go(theirs)
    expect(page.get_by_text("This table was closed").first).to_be_visible()
