"""Plays with the portal's own engines, from what its seat sees: python engine_bot.py SITE TOKEN [GAME [LEVEL]]

Needs the wheel of the engines besides the client (`python clients/games/build.py dist`). The bots of the package think in this process; the
portal only sees the moves.
"""

from __future__ import annotations

import sys
from random import SystemRandom

from ziggurat_client import Bot, Client, Position

from games.core.rng import SeededRng
from games.core.schemas import seen
from games.registry import game


class EngineBot(Bot):
    """Asks the bot of a level in the package."""

    table: int | None = None
    level = "apprentice"

    def choose(self, position: Position) -> str:
        """Return the move that the engine's bot would make with this view."""
        rules = game(position.game)
        choice = rules.choose_action(seen(rules, position.view), self.level, SeededRng(SystemRandom().randrange(2**32)))
        return str(choice.action)

    def on_over(self, position: Position) -> None:
        """Say how the game ended."""
        if position.table == self.table and position.outcome is not None:
            print(f"Table {self.table} is over. Scores: {list(position.outcome['scores'])}, you had seat {position.my_seat}.")
            self.stop()


def main(site: str, token: str, key: str = "babel", level: str = "scribe") -> None:
    """Play one game against apprentices of the portal."""
    with Client(site, token) as client:
        fewest = max(2, min(game(key).meta.seats))
        bot = EngineBot(client)
        bot.level = level
        bot.table = client.create_table(key, fewest, bots=("apprentice",) * (fewest - 1)).table
        bot.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
