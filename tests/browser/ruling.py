"""A table of Tigris & Euphrates as a player uses it: pieces in the hand, squares on the board, answers in the panel."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, expect

from tests.browser.playing import CHOSEN, Player

COLOURS = ("black", "red", "blue", "green")

PLACES = """() => [...document.querySelectorAll('#places .choice-group')].flatMap((group) => {
  const heading = group.querySelector('.choice-group__title')?.textContent ?? '';
  return [...group.querySelectorAll('.choice')].map((choice) => [choice.textContent.trim(), heading]);
})"""
TOTALS = """() => Object.fromEntries([...document.querySelectorAll('.te-points')].flatMap((list) =>
  [...list.querySelectorAll('li')].map((item) => [item.querySelector('svg').getAttribute('aria-label'), Number(item.textContent)])))"""


def plain(text: str) -> str:
    """Return a text with ordinary spaces only."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


@dataclass(frozen=True)
class Place:
    """A square in the list: its name and its heading."""

    square: str
    heading: str


class Ruler(Player):
    """A player at a table of Tigris & Euphrates."""

    # Seeing

    def cell(self, square: str) -> Locator:
        return self.page.locator(f"#cell-{square}")

    def places(self) -> list[Place]:
        """Return the squares that the panel lists, those with points for the player first."""
        return [Place(*entry) for entry in self.page.evaluate(PLACES)]

    def totals(self) -> dict[str, int]:
        """Return the player's points by colour, and the treasures, as drawn."""
        return {str(name): int(count) for name, count in self.page.evaluate(TOTALS).items()}

    def told(self) -> str:
        """Return what the chosen action would do, according to the panel."""
        return plain(self.page.locator("#action .confirm-bar").inner_text())

    def log_text(self) -> str:
        return plain(self.page.locator("#log").inner_text())

    # Doing

    def click_square(self, square: str, chosen: str) -> None:
        """Click on a square of the board and wait until the page shows that choice."""
        seen = self.look()
        self.cell(square).click()
        self.chosen(chosen, seen)

    def select(self, action: str, *, on_board: bool = True) -> None:
        """Choose a complete action: the piece in the hand or in the panel, then the square on the board."""
        *first, last = action.split()
        piece = " ".join(first)
        if not re.fullmatch(r"[A-P]\d+", last):
            self.choose(action)
        elif piece == "treasure":
            self.click_square(last, action)
        else:
            if not self.page.evaluate(CHOSEN, piece):
                self.choose(piece, on_board=on_board and piece != "catastrophe" and not piece.startswith("build"))
            self.click_square(last, action)
        if not self.has_played:
            expect(self.page.locator("#confirm")).to_have_attribute("value", action)

    def act(self, action: str, *, on_board: bool = True) -> None:
        self.select(action, on_board=on_board)
        self.confirm()

    def swap_all(self) -> None:
        """Swap the whole hand."""
        self.choose("swap")
        longest = max((prefix for prefix in self.look().choices if prefix.startswith("swap ")), key=lambda text: len(text.split()))
        self.choose(longest)
        self.confirm()

    def answer(self) -> bool:
        """Answer questions within an action (tiles for a conflict, a war, a monument, a treasure); say whether there was one."""
        seen = self.look()
        support = [prefix for prefix in seen.choices if prefix.startswith("support ")]
        if support:
            self.act(max(support, key=lambda text: int(text.split()[1])))
            return True
        for verb in ("war ", "build ", "treasure "):
            options = [prefix for prefix in (*seen.choices, *seen.targets) if prefix.startswith(verb)]
            if not options:
                continue
            if verb == "build " and len(options[0].split()) == 2:
                self.choose(options[0])
                options = [prefix for prefix in self.look().targets if prefix.startswith("build ")]
                self.click_square(options[0].split()[2], options[0])
                self.confirm()
            else:
                self.act(options[0])
            return True
        return False


class Course:
    """A way to play that soon ends a game: a few turns of all kinds, then swap whole hands until the bag is empty."""

    def __init__(self, plan: str) -> None:
        self.plan = plan.split(", ")
        self.conflicts: list[str] = []  # the headings of squares that started one

    def __call__(self, player: Player) -> None:
        assert isinstance(player, Ruler)
        if player.answer():
            return
        while self.plan:
            if self._act(player, self.plan.pop(0)):
                return
        if "swap" in player.look().choices:
            player.swap_all()
        else:
            player.act("pass")

    def _act(self, player: Ruler, wish: str) -> bool:
        """Do the next step of the plan, if possible."""
        seen = player.look()
        if wish == "swap":
            first = next(prefix for prefix in seen.choices if prefix == "swap")
            player.choose(first)
            player.choose(next(prefix for prefix in player.look().targets if prefix.startswith("swap ")), on_board=True)
            player.confirm()
            return True
        pieces = [prefix for prefix in seen.choices if prefix == wish or prefix.startswith(f"{wish} ")]
        if not pieces:
            return False
        if wish == "withdraw":
            player.act(pieces[0])
            return True
        player.choose(pieces[0])
        places = player.places()
        fights = [place for place in places if place.heading.startswith(("Revolt", "Unites two kingdoms: war"))]
        place = (fights or places)[0]
        if fights:
            self.conflicts.append(place.heading)
        player.click_square(place.square, f"{pieces[0]} {place.square}")
        player.confirm()
        return True
