"""Two people at one table: each sees the other's moves arrive, and nobody sees hidden information."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import SETTLED, Player, hasty, new_table, practice
from tests.running import wait_until

AT = f"version => Number(document.querySelector('{SETTLED}')?.dataset.version) === version"
UNTOUCHED = "window.untouched = true"


def is_untouched(page: Page) -> bool:
    """Say whether the page has not been reloaded since it was marked."""
    return bool(page.evaluate("window.untouched === true"))


def sit_down_together(visitors: Visitors) -> tuple[Player, Player, Visitor]:
    """Two people at a table for two, and a spectator; the starting player comes first."""
    host, guest, watcher = visitors(), visitors(), visitors()
    new_table(host, 2)
    number = host.table_id()
    host.page.evaluate(UNTOUCHED)
    guest.go("/lobby/")
    guest.press(f"Join Ra, table {number}")
    guest.page.wait_for_url(f"**/tables/{number}/")
    expect(host.page.locator(".player")).to_have_count(2)
    assert is_untouched(host.page), "the host's page followed by itself"
    expect(host.page.locator("#table[data-stream]")).to_be_attached()
    watcher.go(f"/tables/{number}/")
    for visitor in (host, guest, watcher):
        visitor.page.evaluate(UNTOUCHED)
    players = [Player(host), Player(guest)]
    lay_tiles(players)
    return *players, watcher  # type: ignore[return-value]


def lay_tiles(players: list[Player], wanted: int = 2) -> None:
    """Draw until there are some tiles and the next turn has started; `players` is sorted so that the player due comes first."""
    while True:
        wait_until(lambda: any(player.look().is_due for player in players))
        players.sort(key=lambda player: not player.look().is_due)
        first, second = players
        second.page.wait_for_function(AT, arg=first.look().version)
        seen = first.look()
        if "pass" in seen.choices:
            first.act("pass")
        elif "draw" in seen.choices and len(seen.track) < wanted:
            first.act("draw")
        elif "call" in seen.choices:
            return
        else:
            hasty(first)


def test_moves_arrive_at_the_other_page_a_call_is_taken_back_and_a_bid_given_in_advance(visitors: Visitors) -> None:
    first, second, watcher = sit_down_together(visitors)
    pages = [first.page, second.page, watcher.page]
    log = [page.locator("#log") for page in pages]

    first.act("call")
    for page in pages[1:]:
        expect(page.locator("#log")).to_contain_text("called Ra")
    assert second.wait_for_turn()
    expect(second.page.locator("#live")).to_contain_text("Your move.")
    assert any(prefix.startswith("bid ") for prefix in second.look().choices)

    first.page.locator("#undo-turn").click()
    assert first.wait_for_turn()
    expect(second.page.locator("#action.is-due")).to_have_count(0)
    expect(watcher.page.locator("#log .log__line").first).to_contain_text("undid the last action")

    first.act("call")
    assert second.wait_for_turn()
    in_advance = first.page.get_by_role("group", name="Answer in advance")
    in_advance.get_by_role("button", name="Pass", exact=True).click()
    expect(in_advance.locator("[aria-pressed=true]")).to_have_count(1)
    for page in (second.page, watcher.page):
        expect(page.get_by_role("group", name="Answer in advance")).to_have_count(0)
        expect(page.locator("main")).not_to_contain_text("answered in advance")
    second.act(min((prefix for prefix in second.look().choices if prefix.startswith("bid ")), key=lambda text: int(text.split()[1])))
    for lines in log:
        expect(lines).to_contain_text("(answered in advance)")
    versions = {player.look().version for player in (first, second)}
    expect(watcher.page.locator("#table")).to_have_attribute("data-version", str(max(versions)))
    assert all(is_untouched(page) for page in pages)


def test_who_watches_never_sees_hidden_fame(visitors: Visitors) -> None:
    owner, watcher = visitors(), visitors()
    practice(owner, "last-sun")
    player = Player(owner)
    watcher.go(f"/tables/{owner.table_id()}/")
    scored = re.compile("was scored")

    player.play(hasty, until=lambda now: now.page.locator("#log", has_text=scored).count() > 0)
    expect(owner.page.locator("#log")).to_contain_text(scored)
    expect(watcher.page.locator("#log")).to_contain_text(scored)
    expect(owner.page.locator(".player__note", has_text=re.compile(r"\d+ fame"))).to_have_count(1)
    expect(owner.page.locator(".player").first).to_contain_text(re.compile(r"you, -?\d+ fame"))
    for address in ("", "log/"):
        page = watcher.go(f"/tables/{owner.table_id()}/{address}")
        expect(page.locator("main")).to_contain_text(scored)  # visitors may get a page that is a second old; the news follow at once
        text = page.locator("main").inner_text()
        assert not re.search(r"\d+ fame\b", text), "no number of fame before the end"


def test_a_lost_connection_is_told_and_what_was_missed_comes_after_it(visitors: Visitors) -> None:
    first, second, _watcher = sit_down_together(visitors)
    bar = second.page.locator("#connection")
    expect(bar).to_be_hidden()
    with second.visitor.offline():
        expect(bar).to_be_visible()
        first.act("call")
        assert second.look().version < first.look().version
    expect(second.page.locator("#table")).to_have_attribute("data-version", str(first.look().version))
    expect(second.page.locator("#log")).to_contain_text("called Ra")
    expect(bar).to_be_hidden()
    assert is_untouched(second.page)


def test_a_stream_whose_address_has_expired_goes_on_with_a_new_one_and_the_page_stays(visitors: Visitors) -> None:
    host, guest = visitors(), visitors()
    asked: list[str] = []

    def expired_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.continue_()
        else:
            route.fulfill(headers={"Content-Type": "text/event-stream"}, body="event: reload\ndata: expired\n\n")

    host.page.route("**/events/**", expired_at_first)
    renewed: list[str] = []
    host.page.on("request", lambda request: renewed.append(request.method) if "stream=1" in request.url else None)
    new_table(host, 2)
    number = host.table_id()
    host.page.evaluate(UNTOUCHED)
    wait_until(lambda: host.page.evaluate("1") == 1 and len(asked) > 1)
    guest.go("/lobby/")
    guest.press(f"Join Ra, table {number}")
    expect(host.page.locator(".player")).to_have_count(2)  # the second stream announced it
    assert renewed == ["HEAD"] and len(asked) == 2
    assert is_untouched(host.page)
