"""History of the World on its page: a whole game against two bots, an attack with its dice, the draft of two people, a thumb on the map."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.building import plain
from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, TABLET, Visitor, scrolls_sideways
from tests.browser.playing import NEWER, Player, new_table
from tests.browser.positions import Positions
from tests.browser.test_frame import LAPTOP
from tests.browser.test_game import number, shown_points

EPOCHS = 5
PROVINCES = 64
ROLLED = re.compile(r"rolled ([\d, +]+) and \S+ ([\d, +]+) \(Nile\)\. Result: (\d+) to (\d+)")
ORDER = (  # what a hasty conqueror answers, whichever comes first
    *("take", "look", "keep", "found", "start", "bring", "conquer", "occupy", "pass", "retreat", "ruin", "skip", "monument", "up", "down"),
    *("target", "zone", "done", "end"),
)
CONQUESTS = 2  # per turn
ARMIES = 12  # of the position "march"
SPARE_CLICKS = 3
INSIDE = """id => {
  const place = document.getElementById(id), box = place.getBoundingClientRect();
  for (let down = 0.5; down < 1; down += 0.04) for (const across of [0.5, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]) for (const side of [down, 1 - down]) {
    const [x, y] = [box.x + across * box.width, box.y + side * box.height];
    if (document.elementFromPoint(x, y)?.closest('[data-k]') === place) return [x, y];
  }
}"""


class Conqueror(Player):
    """A player at a table of History of the World."""

    clicks = 0

    def go(self, prefix: str) -> str:
        """Choose step by step, on the board whenever it offers the choice, and send the resulting action."""
        self._step(prefix)
        while not (self.has_played or self.page.locator("#confirm").count()):
            prefix = next(text for text in self.look().choices if text.startswith(f"{prefix} "))
            self._step(prefix)
        self.confirm()
        return self.done[-1]

    def _step(self, prefix: str) -> None:
        """Choose in the panel, or on the map by its key: the centre of a province that bends around another is outside it."""
        seen = self.look()
        control = seen.targets.get(prefix)
        if control is None:
            self.choose(prefix)
            return
        self.page.locator(f"#{control}").press("Enter")
        self.chosen(prefix, seen)

    def click_province(self, name: str) -> None:
        """Click once inside a province, and wait until it has been attacked or conquered."""
        seen = self.look()
        x, y = self.page.evaluate(INSIDE, f"province-{name}")
        self.page.mouse.click(x, y)
        self.page.wait_for_function(NEWER, arg=seen.version)
        self.clicks += 1


def hasty_conqueror(player: Player) -> None:
    """Take the first card, found, conquer two provinces per turn, end."""
    assert isinstance(player, Conqueror)
    choices = [prefix for prefix in player.look().choices if prefix and not prefix.startswith("guard")]
    takes = [prefix for prefix in choices if prefix.startswith("take ")]
    if takes:  # every card that can be taken is on the board
        expect(player.page.locator("#draft .hw-card [data-target]")).to_have_count(len(takes))
    begun = max((at for at, text in enumerate(player.done) if text == "found"), default=0)
    is_tired = sum(text.startswith("conquer") for text in player.done[begun:]) >= CONQUESTS
    for verb in ORDER:
        for prefix in choices:
            if prefix.split()[0] == verb and not (verb == "conquer" and is_tired):
                player.go(prefix)
                return
    player.go(choices[0])


def check_result(page: Page) -> None:
    """The podium and the breakdown agree: the start and five epochs add up to everybody's score."""
    totals = shown_points(page)
    assert len(totals) == 3
    assert len(set(totals.values())) == 3, "no two markers share a space"
    assert list(totals.values()) == sorted(totals.values(), reverse=True)
    page.locator("#points > summary").click()
    for details in page.locator("details.derivation").all():
        name = details.locator("summary .strong").inner_text().strip()
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        rounds = [body for body in details.locator("tbody").all() if body.locator(".table__group").count()]
        said = [number(body.locator("td.table__group").inner_text()) for body in rounds]
        assert 1 < len(said) <= 1 + EPOCHS
        assert sum(said) == number(details.locator(".table__row--total td").last.inner_text()) == totals[name]


def test_a_whole_game_against_two_bots(visitor: Visitor, positions: Positions) -> None:
    new_table(visitor, 3, {1: "apprentice", 2: "apprentice"}, fill=True, game="history_of_the_world")
    page, player = visitor.page, Conqueror(visitor)
    assert player.wait_for_turn()
    expect(page.locator("#players .player")).to_have_count(3)
    expect(page.locator("#hits .hw-spot[id^=province]")).to_have_count(PROVINCES)
    expect(page.locator("#order .hw-slot")).to_have_count(8)
    player.play(hasty_conqueror, until=lambda it: it.has_done("take", "found", "conquer", "end"))
    positions.skip_the_middle(visitor)
    player.play(hasty_conqueror)

    assert player.has_done("take", "found", "conquer", "end")
    expect(page.get_by_role("heading", name=re.compile("won with"))).to_be_visible()
    expect(page.locator("[data-stream], #board [data-target], #confirm, #undo-turn")).to_have_count(0)
    check_result(page)


def test_a_battle_shows_its_dice_and_what_comes_of_it(visitors: Visitors, positions: Positions) -> None:
    anna = Conqueror(visitors(name="Anna"))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    expect(page.locator("#fight")).to_be_empty()
    expect(page.locator("#province-nile")).to_have_accessible_name(re.compile(r"^Nile ?; \w+: inactive army possible"))
    page.locator("#province-nile").focus()
    preview = page.locator("#preview")
    expect(preview).to_contain_text("58%")
    expect(preview.locator(".odds rect")).to_have_count(3)
    parts = [float(part.get_attribute("width") or 0) for part in preview.locator(".odds rect").all()]
    assert parts == [58, 17, 25]
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    anna.choose("conquer nile land", on_board=True)
    assert anna.wait_for_turn()
    found = ROLLED.search(plain(page.locator("#table").inner_text()))
    assert found
    mine, theirs = ([int(die) for die in re.findall(r"\d", found[at])] for at in (1, 2))
    assert (len(mine), len(theirs)) == (2, 1)
    assert (max(mine), max(theirs)) == (int(found[3]), int(found[4]))
    expect(page.locator("#undo-turn")).to_have_count(0)
    nile = page.locator("#info-8")
    if max(mine) > max(theirs):
        expect(nile).to_contain_text("Anna: active army")
    elif max(mine) == max(theirs):
        expect(nile).to_contain_text("no army")
    else:
        expect(nile).to_contain_text("inactive army")
        expect(page.locator("#fight .hw-die")).to_have_count(3)
        expect(page.locator("#fight .hw-fight__sum")).to_contain_text([str(max(mine)), str(max(theirs))])
        anna.choose("retreat")
        expect(page.locator("#fight")).to_be_empty()
    expect(page.locator("#means dd").first).to_have_text("2")


def test_regions_show_themselves_large_and_tell_their_provinces(visitors: Visitors, positions: Positions) -> None:
    anna = Conqueror(visitors(name="Anna", size=PHONE, scheme="dark"))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    assert not scrolls_sideways(page)
    crete = page.locator("#province-crete")
    page.locator("#size-all").click()
    small = crete.bounding_box()
    assert small
    expect(page.locator("#info-13")).to_be_hidden()
    page.locator("#open-3 > summary").click()
    large = crete.bounding_box()
    assert large
    assert large["width"] > 3 * small["width"]
    expect(page.locator("#info-13")).to_be_visible()
    expect(page.locator("#info-13")).to_contain_text("monument")
    row = page.locator("#region-3 tbody tr").nth(1)
    expect(row).to_contain_text("dominance")
    expect(page.locator("#region-3 .hw-region__steps")).to_contain_text("With another of your armies here: presence")
    expect(page.locator("#hits [tabindex='0']")).to_have_count(1)
    page.mouse.move(0, 0)  # whatever scrolls below the pointer would be told instead
    crete.focus()
    page.keyboard.press("ArrowRight")  # outside the window: it moves to the next place
    expect(page.locator("#province-levant")).to_be_focused()
    expect(page.locator("#province-levant")).to_be_in_viewport()
    expect(page.locator("#open-3")).to_have_attribute("open", "")
    expect(page.locator("#info-2")).to_have_class(re.compile("is-told"))
    assert not scrolls_sideways(page)
    page.locator("#open-1 > summary").click()
    anna.click_province("zagros")
    expect(page.locator("#open-1")).to_have_attribute("open", "")
    expect(page.locator("#info-6")).to_contain_text("Anna: active army")
    assert not scrolls_sideways(page)


def test_twelve_armies_need_a_click_each(visitors: Visitors, positions: Positions) -> None:
    anna = Conqueror(visitors(name="Anna"))
    page = positions.open("history_of_the_world/march", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    taken = []
    for left in range(ARMIES, 0, -1):
        expect(page.locator("#action-title")).to_contain_text(f"Armies on the card: {left}")
        name = next(text.split()[1] for text, place in anna.look().targets.items() if place.startswith("province-"))
        page.locator(f"#province-{name}").focus()  # it is brought into view
        anna.click_province(name)
        taken.append(name)
    assert len(set(taken)) == ARMIES
    assert anna.clicks <= ARMIES + SPARE_CLICKS
    expect(page.locator("#means")).not_to_contain_text(re.compile(r"on the card\s*[1-9]"))


def test_a_turn_by_keyboard_alone(visitors: Visitors, positions: Positions) -> None:
    anna = Conqueror(visitors(name="Anna"))
    page = positions.open("history_of_the_world/march", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    page.keyboard.press("b")
    for left in (ARMIES, ARMIES - 1, ARMIES - 2):
        version = anna.look().version
        expect(page.locator("#action-title")).to_contain_text(f"Armies on the card: {left}")
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.id").startswith("province-")
        page.keyboard.press("Enter")
        page.wait_for_function(NEWER, arg=version)


def test_on_touch_the_first_tap_tells_and_the_second_conquers(visitors: Visitors, positions: Positions) -> None:
    anna = Conqueror(visitors(name="Anna", size=PHONE, touch=True))
    page = positions.open("history_of_the_world/attack", anna.visitor, "apprentice", "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    version = anna.look().version
    x, y = page.evaluate(INSIDE, "province-zagros")
    page.touchscreen.tap(x, y)
    expect(page.locator("#preview")).to_contain_text("Zagros")
    expect(page.locator("#offer")).to_be_visible()
    assert anna.look().version == version
    page.touchscreen.tap(x, y)
    page.wait_for_function(NEWER, arg=version)
    expect(page.locator("#info-6")).to_contain_text("Anna: active army")


def test_a_province_is_conquered_without_script(visitors: Visitors, positions: Positions) -> None:
    page = positions.open("history_of_the_world/attack", visitors(name="Anna", script=False), "apprentice", "apprentice", confirm="matters")
    page.locator("#places > summary").click()
    page.locator("#o-province-zagros").click()
    expect(page.locator("#info-6")).to_contain_text("Anna: active army")
    x, y = page.evaluate(INSIDE, "province-mesopotamia")
    page.mouse.click(x, y)
    page.locator("#confirm").click()
    expect(page.locator("#info-4")).to_contain_text("Anna: active army")


def test_two_people_choose_cards_at_the_same_time(visitors: Visitors, positions: Positions) -> None:
    anna, ben = Conqueror(visitors(name="Anna")), Conqueror(visitors(name="Ben"))
    positions.open("history_of_the_world/draft", anna.visitor, ben.visitor, "apprentice")
    for player in (anna, ben):
        assert player.wait_for_turn()
    cards = {player: player.page.locator("#draft .hw-card__name").all_inner_texts() for player in (anna, ben)}
    assert len(cards[anna]) == len(cards[ben]) == 3
    assert not set(cards[anna]) & set(cards[ben]), "they look at different piles"
    taken = take_first(anna)
    expect(anna.page.locator("#draft")).not_to_contain_text(cards[anna][0])
    assert taken not in ben.page.locator("#table").inner_html()
    take_first(ben)


def take_first(player: Conqueror) -> str:
    """Take the first card on the board, and return its name. If another seat's choice came first, the site asks again."""
    prefix = next(prefix for prefix in player.look().targets if prefix.startswith("take"))
    with player.visitor.expecting(409):
        for _ in range(5):
            player.choose(prefix, on_board=True)
            player.confirm()
            if prefix not in player.look().targets:
                break
    return prefix.split()[1]


def test_all_four_players_are_in_view_late_in_a_game(visitors: Visitors, positions: Positions) -> None:
    """On a laptop and on a tablet, in the longer language: with all the events that four can hold, and with the list of what was missed."""
    visitor = visitors(size=LAPTOP, lang="hu", name="Anna")
    page = positions.open("history_of_the_world/late", visitor, *["apprentice"] * 3)
    assert Conqueror(visitor).wait_for_turn()
    for hidden in page.locator("#players .hw-held .note:not(.sr-only)").all_inner_texts():
        assert hidden == "(I, II, III, IV, V)"
    all_are_in_view(page)
    later = visitors(size=LAPTOP, lang="hu")  # Anna sits at more tables of the run than one may have
    page = later.page
    new_table(later, 4, dict.fromkeys(range(1, 4), "apprentice"), game="history_of_the_world")
    number = later.table_id()
    assert Conqueror(later).wait_for_turn()
    for _ in range(10):  # right after a move of one's own nothing was missed
        page.goto("about:blank")
        positions.play(number, 40)
        page.goto(f"/tables/{number}/")
        if page.locator("#missed").count():
            break
    page.locator("#missed > summary").click()
    all_are_in_view(page)


def all_are_in_view(page: Page) -> None:
    for size in (LAPTOP, TABLET):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#players .player")).to_have_count(4)
        assert page.locator("#players .players").evaluate("it => it.scrollHeight <= it.clientHeight"), f"players are cut at {size}"
