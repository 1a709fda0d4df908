"""How many clicks typical turns take: with a question before each move, as it was once, and as it is by default.

The games have their turns in `TURNS`, other tests count those that need a position of their own; `docs/clicks.md` has the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.building import Builder
from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.browser.playing import Player, ask_before_moves, new_table, practice
from tests.browser.positions import Positions
from tests.browser.ruling import Ruler

TABLE = Path(__file__).parents[2] / "docs" / "clicks.md"
COUNTING = "window.clicks = 0; addEventListener('click', (event) => { if (event.isTrusted) window.clicks += 1; }, true);"
Opener = Callable[[Visitor, Positions, str], Player]


@dataclass(frozen=True)
class Turn:
    """A turn: how its table is opened, how it is played, its clicks with and without a question before each move, the most there may be."""

    name: str
    open: Opener
    play: Callable[[Player], None]
    before: int
    after: int
    most: int


def guest_at(game: str, kind: type[Player] = Player) -> Opener:
    """Return how a guest opens a table with a bot."""

    def opened(visitor: Visitor, _positions: Positions, confirm: str) -> Player:
        new_table(visitor, 2, {1: "apprentice"}, fill=True, game=game)
        ask_before_moves(visitor, confirm)
        return kind(visitor)

    return opened


def practised(example: str) -> Opener:
    """Return how a guest practises an example of Ra, in which it is their turn: a bot that began could have called Ra already."""

    def opened(visitor: Visitor, _positions: Positions, confirm: str) -> Player:
        practice(visitor, example)
        ask_before_moves(visitor, confirm)
        return Player(visitor)

    return opened


def seated_at(position: str, kind: type[Player] = Player) -> Opener:
    """Return how somebody sits down at a position with a bot."""

    def opened(visitor: Visitor, positions: Positions, confirm: str) -> Player:
        positions.open(position, visitor, "apprentice", confirm=confirm)
        return kind(visitor)

    return opened


def one(action: str) -> Callable[[Player], None]:
    return lambda player: player.act(action)


def two_tiles(player: Player) -> None:
    assert isinstance(player, Ruler)
    for _ in range(2):
        assert player.wait_for_turn()
        tile = next(prefix for prefix in player.look().choices if prefix.startswith("tile "))
        player.choose(tile, on_board=True)
        place = next(place for place in player.places() if not place.heading.startswith("Unites"))
        player.click_square(place.square, f"{tile} {place.square}")
        player.confirm()


def a_turn_in_babel(player: Player) -> None:
    for verb in ("move", "settle", "build", "end"):
        player.act(next(prefix for prefix in player.look().choices if prefix.split()[0] == verb))


TURNS = {
    "Ra": [
        Turn("draw a tile", practised("auction"), one("draw"), 2, 1, 1),
        Turn("call Ra", practised("auction"), one("call"), 2, 2, 2),
    ],
    "Tigris & Euphrates": [
        Turn("place two tiles", seated_at("tigris_euphrates/monument", Ruler), two_tiles, 6, 4, 5),
        Turn("pass", seated_at("tigris_euphrates/monument", Ruler), one("pass"), 2, 2, 2),
    ],
    "Babel": [
        Turn("move, settle, build, end", guest_at("babel", Builder), a_turn_in_babel, 8, 5, 5),
    ],
}
CASES = [pytest.param(game, turn, id=f"{game}: {turn.name}") for game, turns in TURNS.items() for turn in turns]


@pytest.mark.parametrize(("game", "turn"), CASES)
def test_a_turn_takes_as_many_clicks_as_the_table_says(game: str, turn: Turn, visitors: Visitors, positions: Positions) -> None:
    for confirm, clicks in (("always", turn.before), ("matters", turn.after)):
        visitor = visitors(name="Anna")
        visitor.context.add_init_script(COUNTING)
        player = turn.open(visitor, positions, confirm)
        assert player.wait_for_turn()
        visitor.page.evaluate("window.clicks = 0")
        turn.play(player)
        assert visitor.page.evaluate("window.clicks") == clicks, confirm
    assert turn.after <= turn.most
    assert f"| {game} | {turn.name} | {turn.before} | {turn.after} | {turn.most} |" in TABLE.read_text()
