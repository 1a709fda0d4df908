"""Babel on its page: a whole game against a bot, a turn tried and undone, and the long turn of the rule book."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.building import Builder, HastyBuilder, plain
from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, TABLET, Visitor, scrolls_sideways
from tests.browser.playing import ask_before_moves, new_table, practice
from tests.browser.positions import Positions
from tests.browser.test_game import number, shown_points

LANDS = ["Assyria", "Hatti", "Media", "Sumer", "Persia"]
ENDS = {
    "One player had 15 points or more and the other fewer than 10.": r"won with \d+ points while .* had fewer than 10",
    "One player reached 20 points.": r"won with \d+ points\.",
    "The last temple card was revealed.": r"The last temple card was revealed\.",
}


def names(page: Page) -> tuple[str, str]:
    """Return the player's name and the opponent's."""
    own, other = page.locator("#players .player__name").all_inner_texts()
    return own, other


# A whole game


def check_result(page: Page) -> None:
    """The podium, both breakdowns and the log agree: a score is the sum of the heights of the temples."""
    totals = shown_points(page)
    assert len(totals) == 2
    page.locator("#points > summary").click()
    for details in page.locator("details.derivation").all():
        name = details.locator("summary .strong").inner_text().strip()
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        heights = {}
        for row in details.locator("tr.table__row:not(.table__row--total)").all():
            land = plain(row.locator("th").inner_text()).partition("Temple in ")[2].split("\n")[0].strip()
            heights[land] = number(row.locator("td").last.inner_text())
        assert list(heights) == LANDS
        assert all(0 <= height <= 6 for height in heights.values())
        total = number(details.locator(".table__row--total td").last.inner_text())
        assert sum(heights.values()) == total == totals[name]
        shown = page.locator("#players .player", has_text=name).get_by_role("list", name="Temple heights")
        assert [number(text) for text in shown.locator("li").all_inner_texts()] == list(heights.values())
        for link in details.locator("a.rule-link").all():
            assert re.search(r"/en/rules/babel/p/score-1/$", link.get_attribute("href") or "")
    log = plain(page.locator("#log").inner_text())
    lede = plain(page.locator(".lede").inner_text())
    assert [bool(re.search(told, log)) for said, told in ENDS.items() if said in lede] == [True], lede
    winner = page.locator(".podium__place").first.locator("p.strong").inner_text().strip()
    assert winner in page.locator("#action-title").inner_text()


def test_a_whole_game_against_a_bot(visitor: Visitor, positions: Positions) -> None:
    new_table(visitor, 2, {1: "apprentice"}, fill=True, game="babel")
    page, player = visitor.page, Builder(visitor)
    assert player.wait_for_turn()
    expect(page.locator("#players .player")).to_have_count(2)
    expect(page.locator(".ba-land")).to_have_count(5)
    expect(page.locator(".ba-hand")).to_have_count(1)  # one's own
    player.play(HastyBuilder(), until=lambda it: it.has_done("move", "settle", "build", "end"))
    positions.skip_the_middle(visitor)
    player.play(HastyBuilder())

    assert player.has_done("move", "settle", "build", "end")
    expect(page.get_by_role("heading", name=re.compile("won with|Shared"))).to_be_visible()
    expect(page.locator("[data-stream], #board [data-target], #confirm, #undo-turn, #redo-turn")).to_have_count(0)
    check_result(page)


# The long turn of the rule book


def test_a_turn_is_tried_taken_back_and_done_again(visitor: Visitor) -> None:
    page, player = practice(visitor, "long-turn", game="babel"), Builder(visitor)
    assert player.wait_for_turn()
    me, other = names(page)
    before = player.board()
    assert player.can_take_back() == (False, False)
    boards, links = [before], []
    for action in ("switch", "move assyrians", "settle hittites", "steal"):
        player.act(action)
        boards.append(player.board())
        links.append(player.chain()[1][-1])
        assert player.can_take_back() == (True, False)
    assert len(set(boards)) == 5
    assert player.scores() == {me: 3, other: 8}

    player.take_back()
    assert (player.board(), player.can_take_back()) == (boards[3], (True, True))
    assert player.scores() == {me: 0, other: 9}
    player.take_back()
    assert (player.board(), player.chain()[1][-1]) == (boards[2], links[1])
    player.do_again()
    player.do_again()
    assert (player.board(), player.can_take_back()) == (boards[4], (True, False))
    assert player.chain()[1][-4:] == links

    player.choose("end")
    assert player.can_take_back() == (False, False), "what is chosen is let go first"
    page.locator("#undo").click()
    expect(page.locator("#undo-turn")).to_be_visible()
    for step in (3, 2, 1, 0):
        player.take_back()
        assert player.board() == boards[step]
    assert player.can_take_back() == (False, True)
    expect(page.locator("#action .chain")).to_have_count(0)
    page.reload()
    assert (player.board(), player.can_take_back()) == (before, (False, True))

    player.act("settle sumerians")  # another action: after it, what was undone can't be redone
    assert player.can_take_back() == (True, False)
    player.act("end")
    expect(page.locator("#log")).to_contain_text("revealed temple cards")
    assert player.can_take_back() == (False, False), "temple cards were turned up"
    player.wait_for_turn()  # unless the opponent has won in between
    assert player.can_take_back() == (False, False)


def test_the_long_turn_of_the_rule_book_is_played_on_the_board(visitor: Visitor) -> None:
    page, player = practice(visitor, "long-turn", game="babel"), Builder(visitor)
    ask_before_moves(visitor)
    assert player.wait_for_turn()
    me, other = names(page)
    assert player.scores() == {me: 0, other: 9}

    player.choose("switch", on_board=True)
    assert "They go to the outer end of your column here." in player.told()
    player.confirm()
    player.migrate("hittites", "sumerians", on_board=True)
    told = "They go to the outer end of your column in Sumer, in the same order. Cards there: 5. Cards left behind: 4."
    assert f"{told} Runs there: 4 Persians." in player.told()
    player.confirm()
    assert player.column("sumerians") == ["Persian"] * 4 + ["Mede"]
    expect(page.locator(".why-nots")).to_contain_text("Why can't I migrate?")
    player.choose("switch", on_board=True)
    assert "Powers you can then use: destroying a temple." in player.told()
    player.confirm()
    assert player.column("hittites") == ["Sumerian"] * 2 + ["Assyrian"] * 3
    player.choose("destroy", on_board=True)
    assert f"{other}'s temple goes face down on top of the deck. Next levels revealed: 1, 2. Score: 0 to 3." in player.told()
    player.confirm()
    assert player.scores() == {me: 0, other: 3}
    expect(page.locator("#action")).to_contain_text("Known levels on top of the temple deck: 1, 2.")

    player.act("move assyrians", on_board=True)
    player.act("settle hittites", on_board=True)
    player.choose("steal", on_board=True)
    assert f"Your temple here will be 3 high and {other}'s 2. Score: 3 to 2." in player.told()
    player.confirm()
    assert player.scores() == {me: 3, other: 2}
    player.act("move sumerians", on_board=True)
    assert player.can_take_back() == (True, False)

    player.choose("halve persians", on_board=True)
    assert f"{other} chooses the cards and discards them at once; then your turn continues. You can't undo this." in player.told()
    player.confirm()
    assert player.wait_for_turn()
    assert player.can_take_back() == (False, False), "cards of the other hand were shown"
    title, links = player.chain()
    assert title == "Your turn so far"
    assert links[:-1] == [
        "…",
        "won over Mede",
        "migrated from Hatti to Sumer",
        "won over 2 Assyrians",
        f"destroyed {other}'s temple in Hatti",
        "moved to Assyria",
        "settled 1 Hittite",
        f"took level 3 from {other}",
        "moved to Sumer",
        f"halved {other}'s hand",
    ]
    given = re.fullmatch(r"discarded (.+)", links[-1])
    assert given, links
    log = plain(page.locator("#log").inner_text())
    assert f"{other} discarded {given[1]}." in log
    assert f"{me} used a run (Persians) to halve {other}'s hand. {other} must discard 3 people cards." in log
    assert f"{me} used the Hittites in Assyria and took level 3 from {other}'s temple. Score: 3 to 2." in log

    player.act("halve persians")
    assert player.wait_for_turn()
    assert player.column("sumerians") == ["Persian"] * 2 + ["Mede"]
    player.choose("end")
    assert "Their levels are known: 1, 2." in player.told()
    player.confirm()
    expect(page.locator("#log")).to_contain_text(f"{me} revealed temple cards: 2, 1.")


# What is seen of the board

LAPTOP = (1366, 768)
STRIPS = """() => [...document.querySelectorAll('.ba-column')].map((column) => {
  const isFar = Boolean(column.closest('.ba-zone--far'));
  const cards = [...column.children].map((card) => card.getBoundingClientRect());
  return cards.map((card, at) => {
    const next = cards[at + 1];
    if (!next) return { seen: card.height, top: card.top, bottom: card.bottom };
    return { seen: isFar ? card.top - next.top : next.top - card.top, top: card.top, bottom: card.bottom };
  });
})"""


@pytest.mark.parametrize("size", [DESK, LAPTOP, TABLET])
def test_all_cards_of_long_columns_are_in_sight_above_the_hand(visitors: Visitors, positions: Positions, size: tuple[int, int]) -> None:
    anna = visitors(name="Anna", size=size)
    page = positions.open("babel/long_columns", anna, "apprentice")
    assert Builder(anna).wait_for_turn()
    hand, lands = page.locator("#hand").bounding_box(), page.locator(".ba-lands").bounding_box()
    assert hand
    assert lands
    assert hand["y"] >= lands["y"] + lands["height"] - 1, "the hand lies under the lands, not over them"
    assert hand["y"] + hand["height"] <= size[1] + 1, "without scrolling"
    columns = page.evaluate(STRIPS)
    assert sorted(len(column) for column in columns)[-2:] == [10, 15]
    for column in columns:
        assert all(card["seen"] >= 7.9 for card in column), column
        assert all(lands["y"] <= card["top"] and card["bottom"] <= hand["y"] for card in column), column
    panel, end = page.locator("#action").bounding_box(), page.locator("#o-end").bounding_box()
    assert panel
    assert end
    assert end["y"] + end["height"] <= panel["y"] + panel["height"], "the turn can be ended without scrolling"
    assert not scrolls_sideways(page)


def test_the_three_cards_of_a_migration_are_marked_until_it_is_confirmed(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna")
    page, player = positions.open("babel/long_columns", anna, "apprentice"), Builder(anna)
    assert player.wait_for_turn()
    expect(page.locator(".is-source")).to_have_count(0)
    player.choose("migrate hittites", on_board=True)
    source = page.locator(".ba-land--hittites .ba-zone--near")
    for chosen in ("migrate hittites", "migrate hittites medes"):
        if chosen != "migrate hittites":
            player.choose(chosen, on_board=True)
        expect(page.locator(".is-source")).to_have_count(1)
        expect(source).to_have_class(re.compile("is-source"))
        expect(source).to_have_css("outline-style", "solid")
        marked = source.locator(".is-migrant")
        assert marked.locator(".ba-card__name").all_text_contents() == ["Sumerian"] * 3
        expect(marked.last.locator(".ba-card__clip")).to_have_css("outline-style", "solid")
        expect(source.locator(".ba-card:not(.is-migrant) .ba-card__clip").first).to_have_css("outline-style", "none")
        expect(source).to_contain_text("Three cards migrate from here")
    player.confirm()
    expect(page.locator(".is-source")).to_have_count(0)


def test_on_a_phone_the_panel_leaves_the_board_in_sight(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna", lang="hu", size=PHONE)
    page, player = positions.open("babel/long_columns", anna, "apprentice"), Builder(anna)
    assert player.wait_for_turn()

    def share() -> float:
        box = page.locator("#action").bounding_box()
        assert box
        assert box["y"] + box["height"] <= PHONE[1] + 1, "the panel stays at the thumb"
        return float(box["height"] / PHONE[1])

    height = share()
    assert height <= 0.3
    for answers in page.locator("#answers .choice").all():
        box = answers.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0], "no answer is cut at the right"
    player.choose("end")
    expect(page.locator("#confirm")).to_be_in_viewport()
    assert share() == height, "the panel is as high with a choice as without"
    page.locator("#undo").click()
    expect(page.locator("#confirm")).to_have_count(0)
    player.choose("migrate hittites")
    player.choose("migrate hittites medes")
    assert share() == height
    expect(page.locator("#confirm")).to_be_in_viewport()
    assert page.locator("#board").evaluate("it => it.scrollHeight - it.clientHeight") < 200, "long columns come closer"
    assert not scrolls_sideways(page)


def test_on_a_phone_both_stocks_and_the_end_of_the_turn_are_in_view(visitors: Visitors) -> None:
    anna = visitors(name="Anna", lang="hu", size=(390, 844), touch=True)
    page, player = practice(anna, "long-turn", game="babel"), Builder(anna)
    assert player.wait_for_turn()
    for part in (".ba-stock:not(.ba-stock--near)", ".ba-stock--near", "#decks", "#hand"):
        box = page.locator(f"#board {part}").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390, f"{part} is cut"
    decks = page.locator("#decks")
    assert decks.evaluate("decks => decks.scrollWidth <= decks.clientWidth")
    panel, end = page.locator("#action").bounding_box(), page.locator("#o-end").bounding_box()
    assert panel
    assert end
    assert end["y"] + end["height"] <= panel["y"] + panel["height"], "the turn can be ended without scrolling"
    player.act("switch")
    for button in ("#undo-turn", "#redo-turn"):
        box = page.locator(button).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert panel["y"] <= box["y"] <= panel["y"] + 44, "undo and redo stand beside the question"
    expect(page.locator("#undo-turn")).to_have_accessible_name("Lépés vissza")
