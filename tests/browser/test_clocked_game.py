"""Two people play a game with clocks from the invitation to the rematch; one of them vanishes on the way, and comes back."""

from __future__ import annotations

import re

import psycopg
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.playing import Player, play_together
from tests.running import RunningPortal, wait_until

CLOCK = re.compile(r"^\d+:\d\d$")


def use_up_the_time(portal: RunningPortal, number: int, seat: int) -> None:
    """Leave the running clock of a seat nothing, as after minutes without a move."""
    with psycopg.connect(portal.state.database_url(), autocommit=True) as line:
        line.execute(
            "UPDATE tables_table SET clocks = jsonb_set(clocks, ARRAY['left', %s], '0'), alarm_at = now() WHERE id = %s",
            [str(seat), number],
        )


def seats_due(portal: RunningPortal, number: int) -> list[int]:
    with psycopg.connect(portal.state.database_url(), autocommit=True) as line:
        row = line.execute("SELECT due FROM tables_table WHERE id = %s", [number]).fetchone()
    assert row is not None
    return list(row[0])


def test_a_live_game_with_somebody_who_vanishes(visitors: Visitors, portal: RunningPortal) -> None:
    host, friend = visitors(), visitors()
    page = host.go("/tables/new/?game=ra")
    page.locator("input[name=seats][value='2']").check(force=True)
    page.get_by_role("radio", name="Only by link").check(force=True)
    page.locator("input[name=pace][value=live]").check(force=True)
    host.press("Open table", exact=True)
    number = host.table_id()
    friend.go("/invite/" + page.get_by_label("Invite by link").input_value().partition("/invite/")[2])
    expect(friend.page.locator("main")).to_contain_text("min")  # the pace is said before one agrees
    friend.press("Take seat")
    friend.page.wait_for_url(f"**/tables/{number}/")
    expect(page.locator("#turn time.is-running")).to_have_text(CLOCK)
    first = page.locator("#turn time.is-running").inner_text()
    expect(page.locator("#turn time.is-running")).not_to_have_text(first)

    # The others give more time while a clock runs.
    people = [Player(host), Player(friend)]
    (due,) = seats_due(portal, number)
    mover, other = people[due], people[1 - due]
    mover.page.locator("#site-menu > summary").click()
    mover.page.locator("#table-menu a[href='#asking']").click()
    mover.page.locator(f"#ask-time-{due}").click()
    expect(mover.page.locator("#asking")).to_contain_text("Still to answer")
    expect(other.page.locator("#vote")).to_contain_text("asks for more time")
    other.page.locator("#agree").click()
    expect(other.page.locator("#vote")).to_have_count(0)
    expect(mover.page.locator("#log")).to_contain_text("got more time")

    # Somebody vanishes: the bot plays on, the game doesn't end, and one click brings them back.
    use_up_the_time(portal, number, due)
    expect(mover.page.locator("#come-back")).to_be_visible()
    expect(other.page.locator("#log")).to_contain_text("A bot plays until they come back")
    wait_until(lambda: other.look().is_due or seats_due(portal, number) == [1 - due], 60)
    assert other.wait_for_turn()
    mover.page.locator("#come-back").click()
    expect(mover.page.locator("#come-back")).to_have_count(0)
    expect(other.page.locator("#log")).to_contain_text("came back to the table")

    play_together(people)
    for visitor in (host, friend):
        expect(visitor.page.locator("#table.table-over")).to_be_visible()
        expect(visitor.page.locator("main")).not_to_contain_text("A bot took over")
    host.page.locator("#rematch").click()
    host.page.wait_for_url(lambda url: not url.endswith(f"/tables/{number}/"))
    friend.page.locator("#rematch").click()
    friend.page.wait_for_url(host.page.url)
    expect(host.page.locator("#turn time.is-running")).to_have_text(CLOCK)  # at the same pace
