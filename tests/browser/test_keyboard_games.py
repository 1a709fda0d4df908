"""Two people with nothing but a keyboard, at a table of each game: they open it, sit down, play by turns, and read the log."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import NEWER, TABLE, Player
from tests.running import wait_until

FOCUSED = "want => document.activeElement?.matches(want) ?? false"
LATER = ("undo", "swap", "call", "pass", "discard", "end", "stop", "done")  # what is chosen only if there is nothing else
STEPS = 14  # at most so many choices make one action
MOVES = 3  # of each person
AT_ONCE = ("history_of_the_world",)  # seats decide at once there, so the bot may be faster than a person, who is asked again


def tab_to(page: Page, wanted: str, *, within: int = 90) -> None:
    """Press Tab until what has the focus matches a selector."""
    for _step in range(within):
        if page.evaluate(FOCUSED, wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not within {within} stops of {page.url}")


class Typist(Player):
    """Somebody who plays with keys alone, any game."""

    def choose(self, prefix: str, *, on_board: bool = False) -> None:
        seen = self.look()
        control = (seen.targets if on_board else seen.choices)[prefix]
        if on_board:
            self.walk_to(control, len(seen.targets))
        else:
            self.page.keyboard.press("a")
            fold = f"details:not([open]):has(#{control})"
            if self.page.locator(fold).count():
                tab_to(self.page, f"{fold} > summary")
                self.page.keyboard.press("Enter")
            tab_to(self.page, f"#{control}")
        self.page.keyboard.press("Enter")
        self.chosen(prefix, seen)

    def walk_to(self, control: str, count: int) -> None:
        """Go from one target of the board to the next until it is this one."""
        self.page.keyboard.press("b")
        for _step in range(count + 1):
            if self.page.evaluate(FOCUSED, f"#{control}"):
                return
            self.page.keyboard.press("n")
        raise AssertionError(f"{control} is no stop of the board")

    def send(self) -> None:
        if not self.has_played:
            self.page.keyboard.press("a")
            tab_to(self.page, "#confirm")
            version = self.look().version
            self.done.append(self.page.locator("#confirm").get_attribute("value") or "")
            self.page.keyboard.press("Enter")
            self.page.wait_for_function(NEWER, arg=version)
        self.has_played = False
        assert self.page.evaluate("document.activeElement !== document.body"), "the focus is never lost"

    def fill_basket(self) -> None:
        version = self.look().version
        self.done.append(self.page.locator("#basket-confirm").get_attribute("value") or "")
        self.page.keyboard.press("a")
        tab_to(self.page, "[data-by='1']")
        self.page.keyboard.press("Enter")
        tab_to(self.page, "#basket-confirm")
        self.page.keyboard.press("Enter")
        self.page.wait_for_function(NEWER, arg=version)

    def move(self) -> None:
        """Make one move: the first that is offered, on the board where it is offered there."""
        if self.page.locator("#basket").count():
            self.fill_basket()
            return
        chosen = ""
        for _step in range(STEPS):
            seen = self.look()
            offered = [text for text in (*seen.targets, *seen.choices) if text.startswith(f"{chosen} " if chosen else "") and text]
            offered = [text for text in offered if seen.choices.get(text) not in seen.chosen]
            assert offered, f"nothing follows {chosen!r} in {seen}"
            chosen = min(offered, key=lambda text: text.split()[0] in LATER)
            self.choose(chosen, on_board=chosen in seen.targets)
            if self.has_played or self.page.locator("#confirm").count():
                self.send()
                return
        raise AssertionError(f"{chosen!r} is no whole action")


def open_table(visitor: Visitor, game: str, seats: int) -> None:
    """Open a table with the form: a seat for another person, and a bot in the third one if the game needs it."""
    page = visitor.go(f"/tables/new/?game={game}")
    tab_to(page, "[name=seats]")
    for _step in range(6):
        if page.evaluate("document.activeElement.value") == str(seats):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(f"[name=seats][value='{seats}']")).to_be_checked()
    if seats > 2:
        tab_to(page, f"[name=seat-{seats - 1}]")
        page.keyboard.type("Bot: A")
        expect(page.locator(f"[name=seat-{seats - 1}]")).to_have_value("apprentice")
    tab_to(page, "aside button:not([name])")
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)


def sit_down(visitor: Visitor, number: int) -> None:
    """Join a table from the lobby, which visitors may get as it was two seconds ago."""
    join = f"form[action='/lobby/{number}/join/'] button"
    wait_until(lambda: visitor.go("/lobby/").locator(join).count() == 1, 20)
    page = visitor.page
    tab_to(page, join)
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_with_keys_alone(visitors: Visitors, game: str) -> None:
    host, guest = visitors(), visitors()
    open_table(host, game, GAMES[game].game.meta.seats[0])
    sit_down(guest, host.table_id())
    players = [Typist(host), Typist(guest)]
    for player in players:
        expect(player.page.locator(".table-page__players, .player").first).to_be_visible()

    def by_turns() -> bool:
        """Whoever has made their moves goes on while the other waits for it."""
        for player in players:
            if player.look().is_due:
                player.move()
        return all(len(player.done) >= MOVES for player in players)

    overtaken = (409,) if game in AT_ONCE else ()
    with host.expecting(*overtaken), guest.expecting(*overtaken):
        wait_until(by_turns, 180)
    for player in players:
        page = player.page
        page.keyboard.press("l")
        assert page.evaluate(FOCUSED, "#log")
        expect(page.locator("#log")).to_contain_text(re.compile(r"\w"))
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        page.keyboard.press("Escape")
        assert not player.visitor.faults
