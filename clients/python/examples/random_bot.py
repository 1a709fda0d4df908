"""Opens a table against the portal's own bots and plays at random to the end: python random_bot.py SITE TOKEN [GAME]"""

from __future__ import annotations

import random
import sys

from ziggurat_client import Bot, Client, Position


class RandomBot(Bot):
    """Plays any legal action, and stops after one game."""

    table: int | None = None

    def choose(self, position: Position) -> str:
        """Return any of the legal actions."""
        return random.choice(position.legal)

    def on_over(self, position: Position) -> None:
        """Say how the game ended."""
        if position.table == self.table and position.outcome is not None:
            print(f"Table {self.table} is over. Scores: {list(position.outcome['scores'])}, you had seat {position.my_seat}.")
            self.stop()


def main(site: str, token: str, game: str = "ra") -> None:
    """Play one game."""
    with Client(site, token) as client:
        seats = next(one["seats"] for one in client.games() if one["key"] == game)
        fewest = max(2, min(seats))
        bot = RandomBot(client)
        bot.table = client.create_table(game, fewest, bots=("apprentice",) * (fewest - 1)).table
        bot.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
