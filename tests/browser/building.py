"""A table of Babel as a player uses it: pieces on the board, answers in the panel, and moves undone within a turn."""

from __future__ import annotations

from tests.browser.playing import NEWER, Player

FIRST = ("skip", "steal", "build", "destroy", "switch", "expel")  # what a hasty builder does whenever possible
ONCE = ("switch", "expel")  # but these only once per turn
BUSY = 4  # actions after which it ends the turn
BOARD = """() => [...document.querySelectorAll('.ba-land, .ba-stock, .ba-hand, .ba-score')].map((part) =>
  [...part.querySelectorAll('use, b, text, .ba-card__name, [role=img]')].map((node) =>
    [node.getAttribute('href') ?? '', node.getAttribute('aria-label') ?? '', node.children.length ? '' : node.textContent].join(' ')
  ).filter((text) => !/#ba-power/.test(text)).join('|')).join('\\n')"""


def plain(text: str) -> str:
    """Return a text with ordinary spaces only."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


class Builder(Player):
    """A player at a table of Babel."""

    # Seeing

    def told(self) -> str:
        """Return what the chosen action would do, according to the panel."""
        return plain(self.page.locator("#action .confirm-bar__text").inner_text())

    def chain(self) -> tuple[str, list[str]]:
        """Return the heading of the chain of a turn and its links."""
        chain = self.page.locator("#action .chain")
        return chain.locator(".chain__title").inner_text(), [plain(text) for text in chain.locator(".chain__step").all_inner_texts()]

    def scores(self) -> dict[str, int]:
        """Return the scores beside the board by name."""
        rows = self.page.locator(".ba-score__row").all()
        return {row.locator(".ba-score__name").inner_text(): int(row.locator(".ba-score__points").inner_text()) for row in rows}

    def column(self, people: str) -> list[str]:
        """Return the cards of the player's own column in a land from the inside out."""
        return [text.strip() for text in self.page.locator(f".ba-land--{people} .ba-zone--near .ba-card__name").all_text_contents()]

    def board(self) -> str:
        """Return what the lands, stocks and the hand show, ignoring what can be clicked there now."""
        return str(self.page.evaluate(BOARD))

    def can_take_back(self) -> tuple[bool, bool]:
        """Return whether a move can be undone, and whether one can be redone."""
        undo, redo = (self.page.locator(f"{button}:not([aria-disabled])").count() for button in ("#undo-turn", "#redo-turn"))
        return bool(undo), bool(redo)

    # Doing

    def take_back(self) -> None:
        self._press("#undo-turn")

    def do_again(self) -> None:
        self._press("#redo-turn")

    def _press(self, button: str) -> None:
        version = self.look().version
        self.page.locator(button).click()
        self.page.wait_for_function(NEWER, arg=version)

    def migrate(self, source: str, target: str, *, on_board: bool = False) -> None:
        """Choose a migration in its two steps, without confirming it."""
        self.choose(f"migrate {source}", on_board=on_board)
        self.choose(f"migrate {source} {target}", on_board=on_board)

    def give_up(self) -> None:
        """Choose the first cards that can be discarded, one by one, until they are half of the hand."""
        while not self.page.locator("#confirm").count():
            seen = self.look()
            self.choose(next(prefix for prefix, control in seen.choices.items() if control not in seen.chosen))
        self.confirm()


class HastyBuilder:
    """A way to play that soon ends a game: build and use powers whenever possible, settle a little, move on."""

    def __init__(self) -> None:
        self.turn: list[str] = []  # the verbs of the turn so far

    def __call__(self, player: Player) -> None:
        assert isinstance(player, Builder)
        seen = player.look()
        if any(prefix.startswith("discard") for prefix in seen.choices):
            player.give_up()
            return
        action = self._next([prefix for prefix in seen.choices if prefix])
        self.turn.append(action.split()[0])
        player.act(action, on_board=len(player.done) % 2 == 0 and action in seen.targets)
        if action == "end":
            self.turn = []

    def _next(self, choices: list[str]) -> str:
        for verb in FIRST:
            for prefix in choices:
                if prefix.split()[0] == verb and (verb not in ONCE or verb not in self.turn):
                    return prefix
        settles = [prefix for prefix in choices if prefix.startswith("settle ")]
        moves = [prefix for prefix in choices if prefix.startswith("move ")]
        if "end" in choices and len(self.turn) >= BUSY:
            return "end"
        if settles and self.turn.count("settle") < 2:
            return settles[0]
        if moves and "move" not in self.turn:
            return moves[-1]
        return "end" if "end" in choices else (settles or moves)[0]
