"""Tigris & Euphrates on its page: whole games against bots, and conflicts, monuments and treasures from position files."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import SETTLED, TABLE
from tests.browser.positions import Positions
from tests.browser.ruling import COLOURS, Course, Ruler
from tests.browser.test_game import number

AT = f"version => Number(document.querySelector('{SETTLED}')?.dataset.version) === version"
COURSE = "leader king, withdraw, leader king, leader trader, leader priest, leader farmer, tile, tile, tile, catastrophe, swap, tile"
ENDS = {
    "Fewer than three treasures": "The game ended. Treasures left on the board",
    "The bag couldn't fill": "The game ended: the bag couldn't fill every hand",
    "The bag couldn't replace": "The game ended at once: the bag couldn't replace",
}


# Whole games


def check_result(page: Page, seats: int) -> None:
    """The podium, every seat's breakdown and the log agree: the weakest colour counts, then the next weakest."""
    podium = {}
    for row in page.locator(".podium__place").all():
        name = row.locator("p.strong").inner_text().strip()
        ascending = re.search(r"ascending order: ([\d, ]+)", row.inner_text())
        assert ascending, row.inner_text()
        vector = [int(count) for count in ascending[1].split(", ")]
        assert number(row.locator(".podium__points").inner_text()) == vector[0] == min(vector)
        podium[name] = (int(row.locator(".podium__rank").inner_text()), vector)
    assert len(podium) == seats
    order = list(podium.values())
    assert order == sorted(order, key=lambda entry: (entry[0], [-count for count in entry[1]]))
    for place, vector in order:
        assert place == 1 + sum(other > vector for _, other in order)
    page.locator("#points > summary").click()
    for details in page.locator("details.derivation").all():
        name = details.locator("summary .strong").inner_text().strip()
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        groups = [body for body in details.locator("tbody").all() if body.locator(".table__group").count()]
        assert [body.locator("th.table__group").inner_text().lower() for body in groups] == list(COLOURS)
        sums = [number(body.locator("td.table__group").inner_text()) for body in groups]
        for body, said in zip(groups, sums, strict=True):
            assert sum(number(cell.inner_text()) for cell in body.locator("tr.table__row td:last-child").all()) == said
        assert sorted(sums) == podium[name][1]
        total = details.locator(".table__row--total")
        assert number(total.locator("td").last.inner_text()) == min(sums)
        least = [body.locator("th.table__group").inner_text() for body, said in zip(groups, sums, strict=True) if said == min(sums)]
        assert all(colour in total.inner_text() for colour in least)
        assert details.locator(".table__row--least th").all_inner_texts() == least
        for link in details.locator("a.rule-link").all():
            assert re.search(r"/en/rules/tigris_euphrates/p/[a-z0-9-]+/$", link.get_attribute("href") or "")
    winners = [name for name, (place, _) in podium.items() if place == 1]
    heading = page.locator("#action-title").inner_text()
    assert all(name in heading for name in winners)
    assert f"won with {order[0][1][0]} point" in heading
    log = page.locator("#log").inner_text()
    assert f"Weakest colour: {order[0][1][0]}." in log
    lede = page.locator(".lede").inner_text()
    assert [told in log for said, told in ENDS.items() if said in lede] == [True], lede


def test_a_whole_game_against_bots(visitor: Visitor, positions: Positions) -> None:
    visitor.go("/")
    visitor.press("Play now Tigris & Euphrates")
    visitor.page.wait_for_url(TABLE)
    page, player, seats = visitor.page, Ruler(visitor), 4
    assert player.wait_for_turn()
    expect(page.locator(".player")).to_have_count(seats)
    expect(page.locator(".te-points")).to_have_count(1)  # one's own
    expect(page.locator("#status")).not_to_contain_text("won")
    course = Course(COURSE)
    player.play(course, until=lambda _it: not course.plan)
    positions.skip_the_middle(visitor)
    player.play(course)

    assert player.has_done("leader", "tile", "swap", "catastrophe")  # a leader may have been removed before it could be withdrawn
    expect(page.locator("[data-stream], #board [data-target], #confirm")).to_have_count(0)
    page.locator("#replay-last").click()  # the page opens before the scoring
    expect(page.locator(".te-points")).to_have_count(seats)
    check_result(page, seats)


def test_a_swap_ends_the_game_at_once_and_the_next_weakest_colour_decides(visitors: Visitors, positions: Positions) -> None:
    anna = Ruler(visitors(name="Anna"))
    page = positions.open("tigris_euphrates/last_swap", anna.visitor, "apprentice")
    assert anna.wait_for_turn()
    anna.choose("swap")
    anna.choose("swap farm", on_board=True)
    anna.choose("swap farm farm", on_board=True)
    assert "Tiles in the bag: 1, not enough to replace those swapped. The game will end at once." in anna.told()
    anna.confirm()
    assert not anna.wait_for_turn(), "no second action, no points from the monument"
    check_result(page, 2)
    ascending = [re.search(r"ascending order: ([\d, ]+)", row.inner_text()) for row in page.locator(".podium__place").all()]
    assert [found and found[1] for found in ascending] == ["7, 8, 9, 10", "7, 7, 8, 9"]
    expect(page.locator("#action-title")).not_to_contain_text("Anna")


# From position files


def test_a_revolt_that_fails_and_one_that_succeeds(visitors: Visitors, positions: Positions) -> None:
    anna, ben = Ruler(visitors(name="Anna")), Ruler(visitors(name="Ben"))
    positions.open("tigris_euphrates/revolt", anna.visitor, ben.visitor)
    assert anna.wait_for_turn()

    anna.choose("leader king", on_board=True)
    assert "Revolt against Ben" in (anna.cell("G3").get_attribute("aria-label") or "")
    anna.select("leader king G3")
    assert "Revolt (temples): you have 2 on the board and 1 in hand; Ben has 1 and can add at most 6. You lose ties." in anna.told()
    anna.confirm()
    expect(anna.page.locator("#action-title")).to_have_text("You attack Ben in a revolt (king). How many temples do you add?")
    assert sides(anna) == [("Anna", "attacks, G3", "2", "up to 1", "2"), ("Ben", "defends, F4", "1", "up to 6", "1")]
    ben.page.wait_for_function(AT, arg=anna.look().version)
    assert sides(ben) == [("Anna", "attacks, G3", "2", "up to 6", "2"), ("Ben", "defends, F4", "1", "up to 2", "1")]
    expect(ben.page.locator("#action.is-due")).to_have_count(0)

    anna.choose("support 1 temple", on_board=True)  # a tile from the hand adds one
    assert "You have 3; Ben has 1 and can add at most 6. To win, Ben must add 2." in anna.told()
    anna.confirm()
    assert ben.wait_for_turn()
    expect(ben.page.locator("#action-title")).to_have_text("Anna attacks you in a revolt (king). How many temples do you add?")
    expect(ben.page.locator("#action")).to_contain_text("you 1, Anna 2 plus 1 added. You win ties.")
    assert sides(ben)[0] == ("Anna", "attacks, G3", "2", "+1", "3")
    ben.choose("support 1 temple")
    assert "You lose 3 to 2. Your leader is withdrawn and Anna gets 1 red point." in ben.told()
    ben.choose("support 2 temple")
    assert "3 to 3: the defender wins ties, so you get 1 red point. The attacking leader is withdrawn." in ben.told()
    ben.confirm()

    assert anna.wait_for_turn()
    assert "Ben won 3 to 3 and scored +1 (red). Anna had to withdraw their king (archer)." in anna.log_text()
    assert (anna.totals()["red"], ben.totals()["red"]) == (0, 1)
    expect(anna.page.locator("#conflict")).to_have_count(0)
    expect(anna.page.locator("#action-title")).to_have_text("Choose your second action, or end your turn")
    anna.act("leader king G3")
    anna.act("support 0 temple")
    assert ben.wait_for_turn()
    ben.choose("support 0 temple")
    assert "You lose 2 to 1." in ben.told()
    ben.confirm()
    expect(anna.page.locator("#log")).to_contain_text("Anna won 2 to 1 and scored +1 (red). Ben had to withdraw their king (bull).")
    assert (anna.totals()["red"], ben.totals()["red"]) == (1, 1)
    assert anna.cell("F4").get_attribute("aria-label") == "F4, empty land"
    assert "king, Anna, kingdom" in (ben.cell("G3").get_attribute("aria-label") or "")
    assert ben.wait_for_turn(), "the turn of two actions is over"


def sides(player: Ruler) -> list[tuple[str, ...]]:
    """Return the rows of the conflict: name, role and square, on the board, added, strength."""
    rows = []
    for row in player.page.locator("#conflict tbody tr").all():
        who = row.locator(".te-sides__name").inner_text().strip()
        rows.append((who, row.locator("th .note").inner_text(), *(cell.inner_text().strip() for cell in row.locator("td").all())))
    return rows


def test_two_wars_over_one_tile_in_the_order_that_the_active_player_picks(visitors: Visitors, positions: Positions) -> None:
    anna, ben, watcher = Ruler(visitors(name="Anna")), Ruler(visitors(name="Ben")), Ruler(visitors())
    page = positions.open("tigris_euphrates/war", anna.visitor, ben.visitor)
    watcher.visitor.go(page.url)
    assert anna.wait_for_turn()

    anna.choose("tile temple", on_board=True)
    assert "Unites two kingdoms: war" in (anna.cell("I3").get_attribute("aria-label") or "")
    anna.select("tile temple I3")
    told = anna.told()
    assert "Two kingdoms unite. You score no points, and wars break out. You choose which is resolved first." in told
    assert "War (king): you have 1 on the board and 2 in hand; Ben has 2 and can add at most 6. You lose ties." in told
    assert "War (trader): you have 2 on the board and 1 in hand; Ben has 2 and can add at most 6. You lose ties." in told
    anna.confirm()

    expect(page.locator("#action-title")).to_have_text("Which war is resolved next?")
    assert {prefix for prefix in anna.look().choices if prefix} == {"war king", "war trader"}
    expect(page.locator("#marks use[href='#te-union']")).to_have_count(1)
    anna.choose("war trader")
    assert "War (trader)" in anna.told()
    anna.choose("war king", on_board=True)  # by one of the two leaders
    anna.confirm()
    assert sides(anna) == [("Anna", "attacks, F4", "1", "up to 2", "1"), ("Ben", "defends, K2", "2", "up to 6", "2")]
    expect(page.locator("#action")).to_contain_text("Points if you win: 3; for Ben if you lose: 2 (black).")
    anna.act("support 2 settlement")
    assert ben.wait_for_turn()
    assert sides(ben)[0] == ("Anna", "attacks, F4", "1", "+2", "3")
    ben.choose("support 0 settlement")
    assert "You lose 3 to 2 and your leader is withdrawn. Points for Anna: 3 (black). Tiles removed: 2." in ben.told()
    assert "There is still a war to resolve: trader." in ben.told()
    ben.confirm()

    assert anna.wait_for_turn(), "the second war begins by itself"
    assert "Anna won 3 to 2 and scored +3 (black). Tiles removed: 2. Ben had to withdraw their king (bull)." in anna.log_text()
    assert anna.totals()["black"] == 3
    for square in ("K3", "L2"):
        assert anna.cell(square).get_attribute("aria-label") == f"{square}, empty land"
    assert sides(anna) == [("Anna", "attacks, G3", "2", "up to 1", "2"), ("Ben", "defends, J1", "2", "up to 6", "2")]
    anna.choose("support 0 market")
    assert "You have 2 and Ben has 2: you lose even if they add nothing." in anna.told()
    anna.confirm()
    assert ben.wait_for_turn()
    ben.choose("support 1 market", on_board=True)
    assert "You win 3 to 2. Points: 3 (green). The attacking leader is withdrawn. Tiles removed: 2." in ben.told()
    ben.confirm()

    assert anna.wait_for_turn()
    line = "Ben won 3 to 2 and scored +3 (green). Tiles removed: 2. Anna had to withdraw their trader (archer)."
    for player in (anna, ben, watcher):
        expect(player.page.locator("#log")).to_contain_text(line)
    assert (anna.totals(), ben.totals()) == (
        {"black": 3, "red": 0, "blue": 0, "green": 0, "treasure": 0},
        {"black": 0, "red": 0, "blue": 0, "green": 3, "treasure": 0},
    )
    assert watcher.totals() == {}
    for square in ("H3", "H4"):
        assert watcher.cell(square).get_attribute("aria-label") == f"{square}, empty land"
    expect(page.locator("#marks use")).to_have_count(0)
    expect(page.locator("#action-title")).to_have_text("Choose your second action, or end your turn")


def test_a_monument_on_one_of_two_squares_of_four(visitors: Visitors, positions: Positions) -> None:
    anna = Ruler(visitors(name="Anna"))
    page = positions.open("tigris_euphrates/monument", anna.visitor, "apprentice")
    assert anna.wait_for_turn()
    anna.select("tile settlement H5")
    assert "You get 1 black point. This completes a square of four: you may build a monument." in anna.told()
    anna.confirm()
    expect(page.locator("#action-title")).to_have_text("You have completed a square of four. Build a monument?")
    assert anna.totals()["black"] == 1
    assert {prefix for prefix in anna.look().choices if prefix} == {"build black_green", "build black_blue", "build black_red", "decline"}
    anna.choose("decline")
    assert "You can't build a monument on any of these squares of four later." in anna.told()

    anna.choose("build black_red")
    assert [place.square for place in anna.places()] == ["G4", "H4"]
    anna.click_square("H4", "build black_red H4")
    assert "you get 1 black point at the end of each of your turns" in anna.told()
    assert "you get 1 red point at the end of each of your turns" in anna.told()
    anna.confirm()
    expect(page.locator("#log")).to_contain_text("Anna built the black-red monument on H4.")
    expect(page.locator("#tiles use[href='#te-monument-black-red']")).to_have_count(1)
    expect(page.locator("#supply").get_by_role("img", name="black-red monument, built")).to_have_count(1)
    for square in ("H4", "I4", "H5", "I5"):
        expect(anna.cell(square)).to_have_attribute("aria-label", re.compile("black-red monument"))
    expect(anna.cell("G4")).to_have_attribute("aria-label", re.compile("settlement"))

    anna.choose("pass")
    assert "Monuments give you +1 (black) at the end of this turn. Monuments give you +1 (red) at the end of this turn." in anna.told()
    anna.confirm()
    assert anna.wait_for_turn()
    expect(page.locator("#log")).to_contain_text("Anna got 1 red point from the black-red monument.")
    totals = anna.totals()
    assert (totals["black"], totals["red"]) == (2, 1)


def test_treasures_are_taken_at_once_by_a_player_who_is_not_on_turn(visitors: Visitors, positions: Positions) -> None:
    anna, ben = Ruler(visitors(name="Anna")), Ruler(visitors(name="Ben"))
    positions.open("tigris_euphrates/treasure", anna.visitor, ben.visitor)
    assert anna.wait_for_turn()
    anna.select("tile market F2")
    assert "Two kingdoms unite in peace. You score no points. Ben takes 2 treasures." in anna.told()
    anna.confirm()
    expect(anna.page.locator("#turn")).to_contain_text("Waiting for Ben")

    assert ben.wait_for_turn()
    expect(ben.page.locator("#log")).to_contain_text("Ben took the treasure on B2. Treasures left on the board: 9. (only possible move)")
    expect(ben.page.locator("#action-title")).to_have_text("Choose a treasure for your trader. Still to take: 1")
    assert set(ben.look().targets) == {"treasure F3", "treasure K1"}
    ben.cell("P2").click()
    refusal = ben.page.locator("#refusal")
    expect(refusal).to_contain_text("There is no treasure on P2 in your trader's kingdom.")
    expect(refusal.locator(".rule-link")).to_have_attribute("href", "/en/rules/tigris_euphrates/p/treasures-1/")
    ben.select("treasure K1")
    assert "You take the treasure on K1. At the end of the game it counts as 1 point in any colour." in ben.told()
    ben.confirm()

    assert anna.wait_for_turn()
    expect(anna.page.locator("#log")).to_contain_text("Ben took the treasure on K1. Treasures left on the board: 8.")
    expect(anna.page.locator("#supply")).to_contain_text("8 on the board")
    assert ben.totals()["treasure"] == 2
    assert "Anna got" not in anna.log_text()
    expect(anna.cell("K1")).to_have_attribute("aria-label", re.compile("K1, temple, kingdom"))
    expect(anna.page.locator("#action-title")).to_have_text("Choose your second action, or end your turn")


# From the rule book


def test_an_example_of_the_book_is_stepped_through_and_played_from_there(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/tigris_euphrates/p/wars-9/")
    example = page.locator("figure.example", has_text="One tile, two wars")
    board = example.locator(".example__board")
    before = board.inner_html()
    example.get_by_role("link", name="Next step").click()
    expect(example.locator("[aria-current=step]")).to_be_visible()
    assert board.inner_html() != before, "the board shows the union"
    expect(board.locator("use[href$='#te-union']")).to_have_count(1)
    example.get_by_role("link", name="Step back").click()
    expect(example.locator("[aria-current=step]")).to_have_count(0)
    assert board.inner_html() == before
    example.get_by_role("button", name="Play from the starting position").click()
    if "/practice/" in page.url:
        visitor.press("Play from here")
    page.wait_for_url(TABLE)

    david = Ruler(visitor)
    assert david.wait_for_turn()
    david.act("tile settlement K6")
    david.act("war trader")
    david.choose("support 4 market")
    assert "You have 5;" in david.told()
    david.confirm()
    log = page.locator("#log")
    expect(log).to_contain_text(re.compile(r"won 5 to [23] and scored \+3 \(green\)\. Tiles removed: 2\."))
    expect(log).to_contain_text("There was no further war, because the kingdoms had split (king).")
    assert david.totals()["green"] == 4
