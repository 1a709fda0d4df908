"""Every way to use the board of squares: keys, typed squares, the list, a thumb on a phone, and no script at all."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, scrolls_sideways
from tests.browser.playing import CHOSEN, NEWER, new_table
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler
from tests.browser.test_keyboard import focused, tab_to
from tests.browser.test_map_window import middle
from tests.browser.test_without_script import load_until_due

THUMB_PX = 40


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def confirm_with_keys(player: Ruler) -> None:
    """Go to the panel and press its button."""
    version = player.look().version
    press(player.page, "a")
    tab_to(player.page, "confirm")
    press(player.page, "Enter")
    player.page.wait_for_function(NEWER, arg=version)
    assert focused(player.page) == "action-title", "the button is gone, so the heading of the panel has the focus"


def test_a_whole_turn_with_keys_alone(visitors: Visitors, positions: Positions) -> None:
    anna = Ruler(visitors(name="Anna"))
    page = positions.open("tigris_euphrates/monument", anna.visitor, "apprentice")
    assert anna.wait_for_turn()

    press(page, "a")
    tab_to(page, anna.look().choices["tile settlement"])
    press(page, "Enter")
    page.wait_for_function(CHOSEN, arg="tile settlement")
    press(page, "b")
    targets = list(anna.look().targets.values())
    squares = [control for control in targets if control.startswith("cell-")]
    assert focused(page) == squares[0]
    for keys, square in (
        ("Control+Home", "A1"),
        ("ArrowUp ArrowLeft", "A1"),
        ("End", "P1"),
        ("ArrowRight ArrowDown Home", "A2"),
        ("Control+End", "P11"),
        ("Control+Home ArrowDown ArrowDown ArrowDown ArrowDown End Home ArrowRight", "B5"),
        ("ArrowRight ArrowRight ArrowRight ArrowRight ArrowRight ArrowRight", "H5"),
    ):
        press(page, keys)
        assert focused(page) == f"cell-{square}"
    at = targets.index("cell-H5")
    press(page, "n")
    assert focused(page) == targets[at + 1]
    press(page, "p p")
    assert focused(page) == targets[at - 1]
    press(page, "n ArrowRight")
    assert focused(page) == "cell-I5", "arrows reach closed squares as well"
    press(page, "n")
    assert focused(page) == targets[at + 1], "and from there one goes on to the next possible one"
    press(page, "p")

    press(page, "Enter")
    page.wait_for_function(CHOSEN, arg="tile settlement H5")
    assert focused(page) == "cell-H5", "the chosen square keeps the focus"
    expect(anna.cell("H5")).to_have_attribute("aria-label", re.compile("^H5, empty land, chosen: 1 point for you"))
    press(page, "Escape")
    page.wait_for_selector("#confirm", state="detached")
    assert anna.look().chosen == [anna.look().choices["tile settlement"]], "one choice back, not two"
    press(page, "Enter")
    page.wait_for_function(CHOSEN, arg="tile settlement H5")
    confirm_with_keys(anna)

    press(page, "a")
    assert focused(page) == anna.look().choices["build black_green"]
    press(page, "Enter")
    page.wait_for_function(CHOSEN, arg="build black_green")
    press(page, "b")
    assert focused(page) == "cell-G4"
    press(page, "ArrowRight Enter")
    page.wait_for_function(CHOSEN, arg="build black_green H4")
    confirm_with_keys(anna)
    expect(page.locator("#log")).to_contain_text("Anna built the black-green monument on H4")

    press(page, "a")
    tab_to(page, anna.look().choices["tile farm"])
    press(page, "Enter")
    page.wait_for_function(CHOSEN, arg="tile farm")
    press(page, "b Control+Home Enter")
    refusal = page.locator("#refusal")
    expect(refusal).to_contain_text("A1 is land. Farms go only on rivers.")
    expect(refusal.locator(".rule-link")).to_have_attribute("href", "/en/rules/tigris_euphrates/p/tiles-2/")
    assert focused(page) == "cell-A1", "a refused square keeps the focus, and the reason is said as an alert"
    expect(page.locator("#confirm")).to_have_count(0)
    press(page, "a Shift+Tab Shift+Tab")
    assert focused(page) == "entry-word", "the refused square stands in the field and can be mended"
    press(page, "Control+a")
    page.keyboard.type("e1")
    press(page, "Enter")
    page.wait_for_selector("#confirm")
    expect(page.locator("#confirm")).to_have_attribute("value", "tile farm E1")
    version = anna.look().version
    tab_to(page, "confirm")
    press(page, "Enter")
    page.wait_for_function(NEWER, arg=version)
    assert anna.wait_for_turn()
    expect(page.locator("#log")).to_contain_text("Anna placed a farm on E1.")


def test_the_list_of_places_does_what_the_board_does(visitors: Visitors, positions: Positions) -> None:
    anna = Ruler(visitors(name="Anna"))
    page = positions.open("tigris_euphrates/revolt", anna.visitor, "apprentice")
    assert anna.wait_for_turn()
    anna.choose("leader king")
    possible = {prefix.split()[-1] for prefix, control in anna.look().targets.items() if control.startswith("cell-")}
    places = anna.places()
    assert {place.square for place in places} == possible
    assert len(places) == len(possible)
    assert {"Revolt against Ninsun", "Starts a kingdom"} <= {re.sub("Nabu|Enki", "Ninsun", place.heading) for place in places}
    link = page.locator("#places a", has_text=re.compile("^G3$"))
    expect(link).to_be_hidden()
    page.locator("#places summary").click()
    link.click()
    page.wait_for_function(CHOSEN, arg="leader king G3")
    expect(page.locator("#places")).to_have_attribute("open", "")
    expect(anna.cell("G3")).to_have_attribute("aria-current", "true")
    page.locator("#places a", has_text=re.compile("^B1$")).click()
    page.wait_for_function(CHOSEN, arg="leader king B1")
    assert "The leader starts a new kingdom." in anna.told()

    page.locator("#others summary").click()
    page.locator("#others a", has_text="temple").first.click()
    page.wait_for_function(CHOSEN, arg="tile temple")
    for typed, said, rule in (
        ("Q3", "Enter a square as a letter from A to P and a number from 1 to 11.", "components-6"),
        ("e1", "E1 is a river. Only farms go on rivers.", "tiles-3"),
        ("F3", "F3 isn't empty. Choose another square.", "tiles-1"),
    ):
        page.locator("#entry-word").fill(typed)
        page.locator("#enter").click()
        expect(page.locator("#refusal")).to_contain_text(said)
        expect(page.locator("#refusal .rule-link")).to_have_attribute("href", f"/en/rules/tigris_euphrates/p/{rule}/")
        expect(page.locator("#entry-word")).to_have_value(typed)
        expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#refusal .rule-link").click()
    expect(page.locator("#rule-drawer")).to_be_visible()
    assert len(page.locator("#rule-body").inner_text()) > 30
    page.locator("#entry-word").fill("g2")
    page.locator("#enter").click()
    expect(page.locator("#confirm")).to_have_attribute("value", "tile temple G2")
    anna.confirm()
    expect(page.locator("#log")).to_contain_text("Anna placed a temple on G2.")


def test_what_cannot_be_done_is_refused_beside_the_board(visitors: Visitors, positions: Positions) -> None:
    """Forms from a stale page or one tampered with: reason, paragraph, and the position unchanged."""
    anna, ben = Ruler(visitors(name="Anna")), Ruler(visitors(name="Ben"))
    page = positions.open("tigris_euphrates/revolt", anna.visitor, ben.visitor)
    assert anna.wait_for_turn()

    def refused(player: Ruler, action: str, said: str, rule: str) -> None:
        before = player.look().version, player.page.locator("#board").inner_text()
        player.page.evaluate("action => { document.getElementById('confirm').value = action; }", action)
        with player.visitor.expecting(422):
            player.page.locator("#confirm").click()
            notice = player.page.locator("#notice")
            expect(notice).to_contain_text(said)
        expect(notice).to_be_focused()
        expect(notice.locator(".rule-link")).to_have_attribute("href", f"/en/rules/tigris_euphrates/p/{rule}/")
        expect(player.page.locator("#rule-drawer")).to_be_visible()
        expect(player.page.locator("#refusal")).to_have_count(0)  # it is announced once
        assert (player.look().version, player.page.locator("#board").inner_text()) == before
        if player.page.locator("#undo").count():
            player.page.locator("#undo").click()
            player.page.wait_for_selector("#undo", state="detached")

    anna.select("tile temple A1")
    refused(anna, "tile temple E1", "E1 is a river. Only farms go on rivers.", "tiles-3")
    for action, said, rule in (
        ("withdraw priest", "Your priest isn't on the board.", "leaders-8"),
        ("catastrophe F3", "There is a treasure on F3.", "catastrophes-2"),
    ):
        anna.choose("pass")
        refused(anna, action, said, rule)

    anna.act("leader king G3")
    anna.choose("support 1 temple")
    refused(anna, "support 1 farm", "Only temples count in a revolt. You can't add this tile: temple.", "revolts-3")
    anna.act("support 1 temple")
    assert ben.wait_for_turn()
    version = ben.look().version
    body = {"action": "support 1 temple", "expected_version": version}
    cookies = {cookie["name"]: cookie["value"] for cookie in anna.visitor.context.cookies()}
    with anna.visitor.expecting(409):
        answer = page.request.post(
            f"/api/v1/tables/{anna.visitor.table_id()}/actions/", data=body, headers={"X-CSRFToken": cookies["csrftoken"]}
        )
    assert answer.status == 409
    error = answer.json()["error"]
    assert error["reason"] == "A conflict is being resolved. Waiting for Ben."
    assert error["rule"] == "tigris_euphrates#conflicts-3"
    assert ben.look().version == version


def test_a_thumb_finds_the_squares_enlarged_and_its_first_tap_is_a_choice(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(name="Anna-hu", lang="hu", size=PHONE, scheme="dark", touch=True)
    anna = Ruler(visitor)
    page = positions.open("tigris_euphrates/revolt", visitor, "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    wait_for_width(anna, "G3", is_large=False)
    anna.choose("leader king")
    wait_for_width(anna, "G3", is_large=True)
    assert not scrolls_sideways(page)
    shown = page.locator(".map-window").bounding_box()
    assert shown
    possible = [control for control in anna.look().targets.values() if control.startswith("cell-")]
    middles = [middle(page, f"#{control}") for control in possible]
    seen = [shown["x"] < x < shown["x"] + shown["width"] and shown["y"] < y < shown["y"] + shown["height"] for x, y in middles]
    assert seen[possible.index("cell-G3")], "it opens where the kingdoms are"
    assert sum(seen) > 5
    page.locator("#cell-G3").tap()
    offer = page.locator("#offer")
    expect(offer).to_have_attribute("value", "leader king G3")
    button = offer.bounding_box()
    assert button
    assert button["height"] >= THUMB_PX
    assert button["x"] + button["width"] <= PHONE[0]

    page.locator("#size-all").tap()
    wait_for_width(anna, "G3", is_large=False)
    expect(page.locator(".map-mini")).to_be_hidden()
    for height in (844, 780, 700, 640):
        page.set_viewport_size({"width": 390, "height": height})
        page.wait_for_function(
            "[...document.querySelectorAll('#cell-P1, #cell-P11')].every((cell) => cell.getBoundingClientRect().width < 30)"
        )
        buttons, first = page.locator(".map-tools__buttons").bounding_box(), page.locator("#cell-P1").bounding_box()
        assert buttons
        assert first
        is_below = buttons["y"] + buttons["height"] <= first["y"]
        assert is_below or first["x"] + first["width"] <= buttons["x"], f"at {height} a square of the whole board is behind the buttons"
        if height > 640:
            expect(page.locator(".te-supply__pic").last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.locator("#cell-H2").tap()  # too small to be hit
    wait_for_width(anna, "H2", is_large=True)
    expect(offer).to_have_attribute("value", "leader king G3")

    version = anna.look().version
    page.locator("#cell-G3").tap()
    page.wait_for_function(NEWER, arg=version)
    expect(page.locator("#conflict")).to_be_visible()
    wait_for_width(anna, "G3", is_large=False)  # no square is asked for
    assert not scrolls_sideways(page)


def test_what_lies_behind_the_buttons_of_an_enlarged_board_can_be_dragged_out(visitors: Visitors, positions: Positions) -> None:
    visitor = visitors(name="Anna", size=PHONE, touch=True)
    anna = Ruler(visitor)
    page = positions.open("tigris_euphrates/revolt", visitor, "apprentice", confirm="matters")
    assert anna.wait_for_turn()
    anna.choose("tile temple")
    wait_for_width(anna, "P1", is_large=True)
    session = page.context.new_cdp_session(page)
    for way in (1, -1):
        for _ in range(6):
            for kind, at in (("touchStart", 0), ("touchMove", 60), ("touchMove", 240), ("touchEnd", 240)):
                points = [] if kind == "touchEnd" else [{"x": 240 - at, "y": 240 + way * at / 2}]
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        tools = page.locator(".map-tools__buttons" if way > 0 else ".map-mini").bounding_box()
        square = page.locator("#cell-P1" if way > 0 else "#cell-P11").bounding_box()
        shown = page.locator(".map-window").bounding_box()
        assert tools
        assert square
        assert shown
        if way > 0:
            assert square["x"] + square["width"] <= tools["x"], "the buttons are a column beside the board of a low phone"
        else:
            assert square["y"] + square["height"] <= tools["y"]
        assert square["x"] + square["width"] <= shown["x"] + shown["width"]
    expect(page.locator("#offer, #confirm")).to_have_count(0)  # a drag is no choice


def wait_for_width(player: Ruler, square: str, *, is_large: bool) -> None:
    """Wait until a square is large enough for a thumb, or is not."""
    script = "([id, px, large]) => (document.getElementById(id).getBoundingClientRect().width >= px) === large"
    player.page.wait_for_function(script, arg=[f"cell-{square}", THUMB_PX, is_large])


def test_a_turn_without_script_by_list_and_by_typed_square(visitors: Visitors) -> None:
    visitor = visitors(script=False)
    new_table(visitor, 2, {1: "apprentice"}, fill=True, game="tigris_euphrates")
    page = visitor.page
    load_until_due(page)
    at_table = re.compile(r"/tables/\d+/$")

    page.locator("#action a.choice[href='?a=leader+king']").click()
    page.locator("#places summary").click()
    place = page.locator("#places button.choice").first
    square = place.inner_text().strip()
    place.click()
    page.wait_for_url(at_table)
    load_until_due(page)
    expect(page.locator("#log")).to_contain_text(re.compile(rf"placed their king \(\w+\) on {square}"))

    page.locator("#action a.choice[href='?a=leader+trader']").click()
    page.locator("#entry-word").fill("E1")
    page.locator("#enter").click()
    expect(page.locator("#refusal")).to_contain_text("E1 is a river. Leaders go only on land.")
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#places summary").click()
    free = page.locator("#places button.choice").last.inner_text().strip()
    page.locator("#entry-word").fill(free.lower())
    page.locator("#enter").click()
    expect(page.locator("#confirm")).to_have_attribute("value", f"leader trader {free}")
    expect(page.locator(f"#cell-{free}")).to_have_attribute("aria-current", "true")
    page.locator("#confirm").click()
    page.wait_for_url(at_table)
    load_until_due(page)
    lines = "\n".join(page.locator("#log .log__line").all_inner_texts())
    assert re.search(rf"placed their trader \(\w+\) on {free}", lines)
    expect(page.locator("#action-title")).to_contain_text(re.compile("Your turn|Your revolt|attacks you|You attack"))


def test_of_two_quick_choices_the_second_counts_and_back_leads_to_the_one_before(visitors: Visitors, positions: Positions) -> None:
    anna = Ruler(visitors(name="Anna"))
    anna.page.route(re.compile("/choices/"), lambda route: route.fulfill(status=204))  # each choice is a request
    page = positions.open("tigris_euphrates/monument", anna.visitor, "apprentice")
    assert anna.wait_for_turn()
    page.evaluate("() => ['settlement', 'farm'].forEach((kind) => document.getElementById(`hand-${kind}`).click())")
    expect(page.locator("#action-title")).to_have_text("Choose a square for the farm")
    page.wait_for_function(CHOSEN, arg="tile farm")
    page.go_back()
    expect(page.locator("#undo")).to_have_count(0)
    page.go_forward()
    expect(page.locator("#action-title")).to_have_text("Choose a square for the farm")
    anna.click_square("E1", "tile farm E1")
    page.go_back()
    expect(page.locator("#confirm")).to_have_count(0)
    press(page, "b n")
    assert focused(page) == list(anna.look().targets.values())[1], "one key is one step"
