"""After the Flood on its page: a whole game against two bots, an attack with its dice, areas by keyboard and with a thumb."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.building import plain
from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, TABLET, Visitor, scrolls_sideways
from tests.browser.playing import NEWER, Player, new_table
from tests.browser.positions import Positions
from tests.browser.test_game import number, shown_points

THUMB_PX = 40
LAPTOP = (1366, 768)
TURNS = 5
ROLL = re.compile(r"([1-6])\s*\+\s*([1-6])\s*=\s*(\d+)\s*(.*)", re.DOTALL)
ONCE_A_TURN = ("build", "found", "place", "scribe", "invade")  # what a hasty settler does before passing
GOING_ON = ("ready", "home", "garrison", "stop", "done", "grow")  # what it answers during an action


class Settler(Player):
    """A player at a table of After the Flood."""

    def turn(self) -> int:
        return int(self.page.locator(".af-turn.is-now .af-turn__number").inner_text())

    def told(self) -> str:
        """Return what the chosen action would do, according to the panel."""
        return plain(self.page.locator("#action .confirm-bar__text").inner_text())

    def go(self, prefix: str) -> str:
        """Choose step by step, on the board whenever it offers the choice, and send the resulting action."""
        self._step(prefix)
        while not (self.has_played or self.page.locator("#confirm").count()):
            prefix = next(text for text in self.look().choices if text.startswith(f"{prefix} "))
            self._step(prefix)
        self.confirm()
        return self.done[-1]

    def _step(self, prefix: str) -> None:
        self.choose(prefix, on_board=prefix in self.look().targets)

    def fill_basket(self) -> list[str]:
        """Take one of the first good, and play it; return the verbs played."""
        version = self.look().version
        good = self.page.locator(".basket__count").first.get_attribute("name") or ""
        last = self.page.locator("#basket-confirm").get_attribute("value") or ""
        self.page.locator("[data-by='1']").first.click()
        self.page.locator("#basket-confirm").click()
        self.page.wait_for_function(NEWER, arg=version)
        played = [good.removeprefix("lot:"), last]
        self.done += played
        return [text.split()[0] for text in played]


class HastySettler:
    """A way to play that soon ends a game and shows much of it: each kind of action once per turn, then pass with a bid."""

    def __init__(self) -> None:
        self.turn = 0
        self.verbs: list[str] = []

    def __call__(self, player: Player) -> None:
        assert isinstance(player, Settler)
        if player.turn() != self.turn:
            self.turn, self.verbs = player.turn(), []
        if player.page.locator("#basket").count():
            self.verbs += player.fill_basket()
            return
        choices = [prefix for prefix in player.look().choices if prefix]
        action = player.go(self._next(choices))
        self.verbs.append(action.split()[0])

    def _next(self, choices: list[str]) -> str:
        for verb in GOING_ON:
            for prefix in choices:
                if prefix.split()[0] == verb:
                    return prefix
        for verb in ONCE_A_TURN:
            for prefix in choices:
                if prefix.split()[0] == verb and verb not in self.verbs:
                    return prefix
        return "pass" if "pass" in choices else choices[0]


def check_result(page: Page) -> None:
    """The podium and the breakdown agree: five turns and the majorities add up to everybody's score."""
    totals = shown_points(page)
    assert len(totals) == 3
    places = [number(row.locator(".podium__rank").inner_text()) for row in page.locator(".podium__place").all()]
    assert places == [1, 2, 3], "equal points are told apart by the order of play"
    assert list(totals.values()) == sorted(totals.values(), reverse=True)
    page.locator("#points > summary").click()
    for details in page.locator("details.derivation").all():
        name = details.locator("summary .strong").inner_text().strip()
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        rounds = [body for body in details.locator("tbody").all() if body.locator(".table__group").count()]
        assert len(rounds) == TURNS + 1
        said = [number(body.locator("td.table__group").inner_text()) for body in rounds]
        for body, sum_of_round in zip(rounds, said, strict=True):
            assert sum(number(cell.inner_text()) for cell in body.locator("tr.table__row td:last-child").all()) == sum_of_round
        assert sum(said) == number(details.locator(".table__row--total td").last.inner_text()) == totals[name]
        for link in details.locator("a.rule-link").all():
            assert re.search(r"/en/rules/after_the_flood/p/(points|growth|end)-\d+/$", link.get_attribute("href") or "")


def test_a_whole_game_against_two_bots(visitor: Visitor, positions: Positions) -> None:
    new_table(visitor, 3, {1: "apprentice", 2: "apprentice"}, fill=True, game="after_the_flood")
    page, player = visitor.page, Settler(visitor)
    assert player.wait_for_turn()
    expect(page.locator("#players .player")).to_have_count(3)
    expect(page.locator("#hits .af-spot")).to_have_count(22)
    player.play(HastySettler(), until=lambda it: it.has_done("build", "found", "ready", "place", "pass", "bid"))
    positions.skip_the_middle(visitor)
    player.play(HastySettler())

    assert player.has_done("build", "found", "ready", "place", "pass", "bid")
    expect(page.get_by_role("heading", name=re.compile("won with"))).to_be_visible()
    expect(page.locator("[data-stream], #board [data-target], #confirm, #undo-turn")).to_have_count(0)
    check_result(page)


def test_dice_are_shown_and_close_the_way_back(visitors: Visitors, positions: Positions) -> None:
    anna = Settler(visitors(name="Anna"))
    page = positions.open("after_the_flood/attack", anna.visitor, "apprentice", "apprentice")
    assert anna.wait_for_turn()
    amorites = page.locator("#info-11")
    expect(page.locator("#dice")).to_be_empty()
    anna.choose("invade")
    anna.choose("invade amorites", on_board=True)
    assert "5" in anna.told()
    expect(page.locator("#area-amorites")).to_have_attribute("aria-current", "true")
    expect(amorites).to_be_visible()
    anna.confirm()
    assert anna.wait_for_turn()
    found = ROLL.search(plain(page.locator("#dice").inner_text()))
    assert found
    first, second, total = int(found[1]), int(found[2]), int(found[3])
    assert first + second == total
    expect(page.locator("#undo-turn")).to_have_count(0)
    armies = page.locator("#people-1 b").nth(1)
    if total >= 5:
        assert "a miss" not in found[4]
        expect(amorites.locator(".af-info__who", has_text="Anna")).to_contain_text("1 army")
        expect(armies).to_have_text("3")
    else:
        assert found[4].startswith("a miss")
        assert "Hits on 5 or more: 83" in found[4]
        expect(armies).to_have_text("3")


def test_areas_are_reached_by_keyboard_and_say_all_that_is_in_them(visitors: Visitors, positions: Positions) -> None:
    anna = Settler(visitors(name="Anna"))
    page = positions.open("after_the_flood/attack", anna.visitor, "apprentice", "apprentice")
    assert anna.wait_for_turn()
    umma = page.get_by_role("img", name=re.compile(r"^Umma, Sumer ?; Anna: city ?; \w+: 2 armies$"))
    expect(umma).to_have_count(1)
    umma.focus()
    expect(page.locator("#info-5")).to_be_visible()
    expect(page.locator("#info-11")).to_be_hidden()
    page.locator("#area-list > summary").click()
    expect(page.locator(".af-info:visible")).to_have_count(22)
    page.locator("#area-list > summary").click()

    page.locator("#o-invade").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#area-kassites[data-target]")).to_be_visible()
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.id") == "area-babylon"
    page.keyboard.press("ArrowUp")
    reached = str(page.evaluate("document.activeElement.id"))
    assert reached in ("area-amorites", "area-hittites", "area-kassites")
    link = page.locator(f"#{reached}")
    expect(link).to_have_accessible_name(re.compile(r"^(Amorites|Hittites|Kassites); sells .*possible"))
    page.keyboard.press("Enter")
    expect(link).to_have_attribute("aria-current", "true")
    expect(page.locator("#confirm")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#area-babylon[data-target]")).to_be_visible()


def test_areas_are_tapped_on_a_phone(visitors: Visitors, positions: Positions) -> None:
    anna = Settler(visitors(name="Anna", size=PHONE, scheme="dark"))
    page = positions.open("after_the_flood/attack", anna.visitor, "apprentice", "apprentice")
    assert anna.wait_for_turn()
    assert not scrolls_sideways(page)
    box = page.locator(".af-window").bounding_box()
    assert box
    assert box["width"] >= PHONE[0] - 2, "the map has the full width"
    page.locator("#area-umma").click()
    expect(page.locator("#info-5")).to_be_visible()
    shown = page.locator("#info-5").bounding_box()
    assert shown
    assert shown["y"] >= box["y"] + box["height"], "what is in it stands below the map"
    for control in page.locator("#action .choice").all():
        size = control.bounding_box()
        assert size
        assert size["height"] >= THUMB_PX
        assert size["x"] + size["width"] <= PHONE[0]

    anna.choose("trade")
    heading = page.locator("#answers .choice-group__title", has_text="Mittani").bounding_box()
    assert heading
    assert heading["width"] > THUMB_PX, "exchanges stand below the name of their area"
    page.locator("#undo").click()
    anna.choose("place wood")
    expect(page.locator("#answers .choice", has_text="Weaving")).to_be_in_viewport(ratio=1)
    lower = page.locator(".af-window").bounding_box()
    assert lower
    assert abs(lower["height"] - box["height"]) < 2, "a question does not make the map higher"
    anna.choose("place wood egypt", on_board=True)
    anna.confirm()
    expect(page.locator("#info-10 .af-info__who", has_text="Anna")).to_contain_text("2 workers")
    assert not scrolls_sideways(page)


def bottom(page: Page, part: str) -> float:
    box = page.locator(part).first.bounding_box()
    assert box
    return float(box["y"] + box["height"])


def nothing_below(end: float, parts: Locator) -> None:
    """Assert that there are such parts, and that each of them ends above a height."""
    boxes = [part.bounding_box() for part in parts.all()]
    assert boxes
    for box in boxes:
        assert box
        assert box["y"] + box["height"] <= end + 1


def test_on_a_laptop_all_players_and_all_goods_of_a_basket_are_in_view(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna", size=LAPTOP)
    page = positions.open("after_the_flood/equip", anna, "apprentice", "apprentice")
    assert Settler(anna).wait_for_turn()
    nothing_below(bottom(page, "#players"), page.locator("#players .player"))
    orders = page.locator("#players .af-standing > div:first-child dd").all_inner_texts()
    assert sorted(orders) == ["1", "2", "3"], "the order of play stands with the players"
    foot = page.locator(".basket__foot").bounding_box()
    assert foot
    nothing_below(foot["y"], page.locator(".basket__lot"))


def test_on_a_tablet_boxes_and_order_of_play_stand_beside_the_map(visitors: Visitors, positions: Positions) -> None:
    anna = visitors(name="Anna", size=TABLET, touch=True)
    page = positions.open("after_the_flood/trade", anna, "apprentice", "apprentice")
    assert Settler(anna).wait_for_turn()
    nothing_below(bottom(page, "#board"), page.locator("#board .af-box, #board .af-ledger__part"))
    stage, boxes = page.locator(".af-stage").bounding_box(), page.locator(".af-boxes").bounding_box()
    assert stage
    assert boxes
    assert stage["x"] + stage["width"] <= boxes["x"] + 1
    assert not scrolls_sideways(page)
