"""A table as a player uses it: the links and buttons of the page, with the mouse on panel and board.

Possible actions are read from the page, never from the engine; the page's version number shows when an answer has arrived.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.people import Visitor
from tests.running import wait_until

TABLE = re.compile(r"/tables/\d+/$")  # the address of one; not the form for a new one
REGION = "#table"
SETTLED = "#table:not(.htmx-settling)"  # for a moment after a swap htmx gives the new elements the classes of the old ones
READY = f"{SETTLED}.table-over, {SETTLED} #action.is-due"
NEWER = f"version => Number(document.querySelector('{SETTLED}')?.dataset.version) > version && !location.search"
CHOSEN = f"want => new URLSearchParams(location.search).get('a') === want && document.querySelector('{SETTLED} #undo')"


def new_table(visitor: Visitor, seats: int, others: dict[int, str] | None = None, *, fill: bool = False, game: str = "ra") -> None:
    """Open a table with the form: `others` names a bot's level for a seat; other seats stay open."""
    page = visitor.go(f"/tables/new/?game={game}")
    page.locator(f"input[name=seats][value='{seats}']").check(force=True)
    for seat in range(1, seats):
        page.locator(f"select[name=seat-{seat}]").select_option((others or {}).get(seat, "open"))
    page.locator("aside button[name=fill]" if fill else "aside button:not([name])").click()
    page.wait_for_url(TABLE)


def ask_before_moves(visitor: Visitor, when: str = "always") -> None:
    """Choose in the settings when the table asks before a move, and return to the table."""
    table = visitor.page.url
    visitor.go("/settings/")
    visitor.page.locator(f"input[name=confirm][value={when}]").check(force=True)
    visitor.page.locator("main form button[type=submit]").first.click()
    visitor.go(table)


def practice(visitor: Visitor, example: str, game: str = "ra") -> Page:
    """Open a practice table from a worked example."""
    page = visitor.go(f"/practice/{game}/{example}/")
    page.locator("main form button").click()
    page.wait_for_url(TABLE)
    expect(page.locator(REGION)).to_be_visible()
    return page


SEEN = """() => {
  const links = (selector) => Object.fromEntries([...document.querySelectorAll(selector)].map(
    (link) => [link.value ?? new URLSearchParams(link.getAttribute('href')).get('a') ?? '', link.id]));
  return {
    version: Number(document.getElementById('table').dataset.version),
    isOver: Boolean(document.querySelector('#table.table-over')),
    isDue: Boolean(document.querySelector('#action.is-due')),
    chosen: [...document.querySelectorAll('#action .choice[aria-current=true]')].map((link) => link.id),
    choices: links('#action .choice'),
    targets: links('#table [data-target]'),
    posts: [...document.querySelectorAll('#action button.choice[name=action]')].map((button) => button.value),
    track: [...document.querySelectorAll('.ra-slot:has(.ra-slot__tile) .ra-slot__name')].map((name) => name.textContent.trim()),
  };
}"""


@dataclass(frozen=True)
class Seen:
    """What the page shows at one moment. Choices in the panel and on the board: the prefix chosen, and the id of the control."""

    version: int
    is_over: bool
    is_due: bool
    chosen: list[str]
    choices: dict[str, str]
    targets: dict[str, str]
    track: list[str]
    posts: list[str]  # choices that one click plays


class Player:
    """A player at a table of any game, with what Ra needs."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.done: list[str] = []  # the actions sent, in order
        self.has_played = False  # the last choice was played at once

    # Seeing

    def look(self) -> Seen:
        seen = self.page.evaluate(SEEN)
        return Seen(
            seen["version"], seen["isOver"], seen["isDue"], seen["chosen"], seen["choices"], seen["targets"], seen["track"], seen["posts"]
        )

    # Doing

    def wait_for_turn(self, within_ms: int = 60_000) -> bool:
        """Wait until this seat must decide or the game is over; say whether there is something to decide."""
        self.page.wait_for_selector(READY, timeout=within_ms)
        return not self.look().is_over

    def choose(self, prefix: str, *, on_board: bool = False) -> None:
        """Click on a choice, in the panel or on the board, and wait until the page shows it chosen, or played if one click plays it."""
        seen = self.look()
        controls = seen.targets if on_board else seen.choices
        assert prefix in controls, f"{prefix!r} is not in {seen} after {self.done}"
        control = self.page.locator(f"#{controls[prefix]}")
        if not on_board and not control.is_visible():
            self.page.locator("details:not([open]):has(#" + controls[prefix] + ") > summary").first.click()
        control.click()
        self.chosen(prefix, seen)

    def chosen(self, prefix: str, seen: Seen) -> None:
        """Wait until the page shows a choice that was clicked when it showed `seen`."""
        self.has_played = prefix in seen.posts
        if self.has_played:
            self.done.append(prefix)
            self.page.wait_for_function(NEWER, arg=seen.version)
        else:
            self.page.wait_for_function(CHOSEN, arg=prefix)

    def confirm(self, action: str = "") -> None:
        """Send the choice, and wait until the table has accepted it; nothing if one click has played it."""
        if self.has_played:
            self.has_played = False
            return
        if action:
            expect(self.page.locator("#confirm")).to_have_attribute("value", action)
        version = self.look().version
        button = self.page.locator("#confirm")
        self.done.append(button.get_attribute("value") or "")
        button.click()
        self.page.wait_for_function(NEWER, arg=version)

    def act(self, action: str, *, on_board: bool = False) -> None:
        """Choose a complete action and confirm it."""
        verb, *tiles = action.split()
        if verb in ("god", "discard"):
            self._gather(verb, tiles, on_board=on_board)
        else:
            self.choose(action, on_board=on_board)
        self.confirm(action)

    def _gather(self, verb: str, tiles: list[str], *, on_board: bool) -> None:
        if verb == "god":
            self.choose("god")
        for count in range(1, len(tiles) + 1):
            wanted = sorted(tiles[:count])
            seen = self.look()
            offered = seen.targets if on_board else seen.choices
            prefix = next(text for text in offered if text.startswith(verb) and sorted(text.split()[1:]) == wanted)
            self.choose(prefix, on_board=on_board)

    def play(self, decide: Callable[[Player], None], *, until: Callable[[Player], bool] = lambda _player: False) -> None:
        """Keep deciding until the game is over or the condition holds."""
        while self.wait_for_turn() and not until(self):
            decide(self)

    def has_done(self, *verbs: str) -> bool:
        """Say whether actions with all these verbs have been sent."""
        return set(verbs) <= {action.split()[0] for action in self.done}


def hasty(player: Player) -> None:
    """Play so that a game is soon over: call as soon as there are tiles, bid the smallest sun, alternating between panel and board."""
    seen = player.look()
    bids = sorted((prefix for prefix in seen.choices if prefix.startswith("bid ")), key=lambda text: int(text.split()[1]))
    if bids:
        can_be_seen = player.page.locator(f"#{seen.targets[bids[0]]}").is_visible()  # not on a phone, where what players have is folded
        player.act(bids[0], on_board=can_be_seen and len(player.done) % 2 == 0)
    elif "pass" in seen.choices:
        player.act("pass")
    elif any(prefix.startswith("discard") for prefix in seen.choices):
        give_up(player)
    elif "god" in seen.choices:
        use_god(player)
    elif "draw" in seen.choices and len(seen.track) < 3:
        player.act("draw")
    else:
        player.act("call")


def brisk(player: Player) -> None:
    """Play so that a game of Ra ends as soon as possible: call whenever allowed."""
    if "call" in player.look().choices:
        player.act("call")
    else:
        hasty(player)


def play_together(players: list[Player], *, until: Callable[[], bool] = lambda: False, within_s: float = 240) -> None:
    """Let people at one table of Ra play briskly, until the condition holds or the game is over for all of them."""

    def is_done() -> bool:
        for player in players:
            if player.look().is_due and not until():
                brisk(player)
        return until() or all(player.look().is_over for player in players)

    wait_until(is_done, within_s)


def use_god(player: Player) -> None:
    """Take the first tile that the board offers."""
    player.choose("god")
    first = next(prefix for prefix in player.look().targets if prefix.startswith("god "))
    player.choose(first, on_board=True)
    player.confirm()


def give_up(player: Player) -> None:
    """Choose the tiles that a disaster destroys, one by one, until the choice can be confirmed."""
    while not player.page.locator("#confirm").count():
        seen = player.look()
        player.choose(next(prefix for prefix, control in seen.choices.items() if control not in seen.chosen))
    player.confirm()
