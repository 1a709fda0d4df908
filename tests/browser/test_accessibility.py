"""Every page, in both languages, by day and by night: no axe findings, nothing that scrolls sideways, nothing cut off."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.building import Builder
from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, scrolls_sideways, somewhere
from tests.browser.playing import Player, new_table, practice
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler

AXE = Axe().axe_script
RUN = "(options) => axe.run(document, options).then((result) => result.violations)"
CUT_OFF = """() => [...document.querySelectorAll('button, .button, .choice, .badge')]
  .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 2).map((it) => it.textContent.trim())"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
AT_REST = "() => document.getAnimations().every((it) => it.playState !== 'running')"
PLAIN = {  # the others are in `test_every_page`
    "leaderboard": "/leaderboards/ra/?pool=bots&players=guests",
    "leaderboard of all games": "/leaderboards/all/?name=nobody",
    "seats and sizes": "/leaderboards/ra/seats/?pool=bots",
    "predicted and real": "/leaderboards/ra/calibration/?pool=bots",
    "how ratings work": "/ratings/",
    "shelf": "/{lang}/rules/",
    "rule book": "/{lang}/rules/ra/",
    "chapter": "/{lang}/rules/ra/gods/",
    "chapter with boards of squares": "/{lang}/rules/tigris_euphrates/wars/?example=war&step=2",
    "two languages": "/{lang}/rules/ra/auction/?with={other}",
    "when a rule applies": "/{lang}/rules/tigris_euphrates/when/wars-7/",
    "example at a step": "/{lang}/rules/ra/scoring/?example=tie&step=1",
    "search": "/{lang}/rules/search/?q=nil",
    "rule books on the device": "/{lang}/rules/offline/",
    "no such chapter": "/{lang}/rules/ra/auctoin/",
    "check of a record": "/verify/",
    "programming interface": "/api/docs/",
}


def findings(page: Page, name: str) -> list[str]:
    """Return what axe and our own checks find on the page as it is: on a phone by night, elsewhere by day."""
    found = []
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    is_phone = page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}
    scheme = "dark" if is_phone else "light"
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.wait_for_function(f"() => matchMedia('(prefers-color-scheme: {scheme})').matches")
    page.evaluate(FRAMES)
    page.wait_for_function(AT_REST)
    for violation in page.evaluate(RUN, {"resultTypes": ["violations"], "preload": False}):
        places = ", ".join(str(node["target"][0]) for node in violation["nodes"][:3])
        found.append(f"{name}, {scheme}: {violation['id']} ({violation['impact']}) at {places}")
    if scrolls_sideways(page):
        found.append(f"{name}: scrolls sideways")
    found += [f"{name}: {text!r} is cut off" for text in page.evaluate(CUT_OFF)]
    return found


# English on a desk, Hungarian on a phone: every page is seen in both languages, both sizes and both themes.
@pytest.mark.parametrize(("lang", "size"), [("en", DESK), ("hu", PHONE)])
class TestPages:
    def test_pages_of_the_site(self, visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
        visitor = visitors(lang=lang, size=size)
        found = []
        with visitor.expecting(404):
            for name, address in PLAIN.items():
                page = visitor.go(address.format(lang=lang, other={"en": "hu", "hu": "en"}[lang]))
                assert page.locator("html").get_attribute("lang") == lang
                found += findings(page, name)
        assert not found, "\n".join(found)

    def test_menu_and_notices_of_somebody_who_is_signed_in(self, visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
        visitor = visitors(lang=lang, size=size)
        visitor.sign_up(somewhere(f"Kubaba-{lang}"))
        visitor.go("/status/")
        visitor.open_menu()
        found = findings(visitor.page, "menu")
        visitor.page.keyboard.press("Escape")
        visitor.page.locator("#bell").click()
        expect(visitor.page.locator(".bell-panel__foot")).to_be_visible()
        found += findings(visitor.page, "notices beside a page")
        assert not found, "\n".join(found)

    def test_a_table_in_all_its_states(self, visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
        owner, watcher = visitors(lang=lang, size=size), visitors(lang=lang, size=size)
        player = Player(owner)
        page = owner.page
        found = []

        def check(state: str, look: Page = page) -> None:
            nonlocal found
            found += findings(look, state)

        new_table(owner, 3, {1: "apprentice"})
        check("open table")
        check("open table, a visitor", watcher.go(f"/tables/{owner.table_id()}/"))

        practice(owner, "auction")
        assert player.wait_for_turn()
        check("a turn")
        player.choose("call")
        check("a call chosen")
        player.confirm()
        assert player.wait_for_turn()
        check("an auction")
        page.locator("#site-menu > summary").click()
        check("the menu of a table")
        page.keyboard.press("Escape")
        if size == PHONE:
            page.locator("#sheet > summary").click()
            check("the log in its sheet")
        page.locator("#log .rule-link").first.click()
        page.wait_for_selector("#rule-drawer:not([hidden])")
        check("a rule beside the board")
        check("watching", watcher.go(f"/tables/{owner.table_id()}/"))
        check("whole log", watcher.go(f"/tables/{owner.table_id()}/log/"))

        practice(owner, "gods")
        assert player.wait_for_turn()
        player.choose("god")
        check("gods")
        practice(owner, "full-track")
        assert player.wait_for_turn()
        player.choose("call")
        page.evaluate("document.getElementById('confirm').value = 'draw'")
        with owner.expecting(422):
            page.locator("#confirm").click()
            page.wait_for_selector("#notice")
        check("refused")
        assert not found, "\n".join(found)

    def test_a_table_of_tigris_and_euphrates_in_all_its_states(
        self, visitors: Visitors, positions: Positions, lang: str, size: tuple[int, int]
    ) -> None:
        visitor = visitors(name=f"Anna-{lang}", lang=lang, size=size)
        player, page = Ruler(visitor), visitor.page
        found = []

        def check(state: str) -> None:
            nonlocal found
            found += findings(page, f"Tigris & Euphrates, {state}")

        positions.open("tigris_euphrates/war", visitor, "apprentice")
        assert player.wait_for_turn()
        page.locator("#kingdom-list > summary").click()
        check("a turn")
        player.choose("tile temple")
        page.locator("#places > summary").click()
        page.locator("#others > summary").click()
        page.locator("#entry-word").fill("E1")
        page.locator("#enter").click()
        expect(page.locator("#refusal")).to_be_visible()
        check("a piece chosen, a square refused, the list of places open")
        page.locator("#places a", has_text=re.compile("^I3$")).click()
        page.wait_for_selector("#confirm")
        player.confirm()
        player.choose("war king")
        player.confirm()
        check("a war")

        positions.open("tigris_euphrates/monument", visitor, "apprentice")
        assert player.wait_for_turn()
        player.choose("tile settlement")
        page.locator("#entry-word").fill("H5")
        page.locator("#enter").click()
        page.wait_for_selector("#confirm")
        player.confirm()
        player.choose("build black_red")
        check("a place for a monument")

        positions.open("tigris_euphrates/last_swap", visitor, "apprentice")
        assert player.wait_for_turn()
        player.choose("swap")
        player.choose("swap farm")
        player.choose("swap farm farm")
        player.confirm()
        assert not player.wait_for_turn()
        page.locator("#points > summary").click()
        page.locator("details.derivation summary").last.click()
        check("game over")
        assert not found, "\n".join(found)

    def test_a_table_of_babel_in_all_its_states(self, visitors: Visitors, positions: Positions, lang: str, size: tuple[int, int]) -> None:
        visitor = visitors(name=f"Anna-{lang}", lang=lang, size=size)
        player, page = Builder(visitor), visitor.page
        found = []

        def check(state: str) -> None:
            nonlocal found
            found += findings(page, f"Babel, {state}")

        positions.open("babel/long_columns", visitor, "apprentice")
        assert player.wait_for_turn()
        check("a turn with long columns")
        player.choose("migrate hittites")
        check("where a migration goes")
        player.choose("migrate hittites medes")
        check("a migration to confirm")
        player.confirm()
        check("a turn told as a chain")

        positions.open("babel/halved", visitor, "apprentice")
        assert player.wait_for_turn()
        player.choose("discard medes")
        check("half of a hand")

        positions.open("babel/last_level", visitor, "apprentice")
        assert player.wait_for_turn()
        player.act("build own")
        assert not player.wait_for_turn()
        check("game over")

        visitor.go("/ru/rules/babel/example/?example=long-turn&step=5")
        check("the long example")
        assert not found, "\n".join(found)

    def test_a_finished_game(self, visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
        visitor = visitors(lang=lang, size=size)
        page = practice(visitor, "tie")
        assert not Player(visitor).wait_for_turn(), "nothing but the points was left to do"
        page.locator("#points > summary").click()
        page.locator("details.derivation summary").last.click()
        found = findings(page, "finished game")
        page.locator("#result-replay").click()
        expect(page.locator("#replay-play")).to_be_visible()
        found += findings(page, "replay")
        page.locator(".replay__study a").nth(1).click()
        expect(page.get_by_role("heading", name=re.compile("Play on from here|Továbbjátszás innen"))).to_be_visible()
        found += findings(page, "playing on")
        page.go_back()
        page.locator(".replay__study a").last.click()
        expect(page.get_by_role("heading", name=re.compile("Position editor|Állásszerkesztő"))).to_be_visible()
        found += findings(page, "position editor")
        page.go_back()
        page.locator(".replay__study a").first.click()
        expect(page.get_by_role("heading", name=re.compile("Start a study|Új elemzés"))).to_be_visible()
        found += findings(page, "starting a study")
        assert not found, "\n".join(found)
