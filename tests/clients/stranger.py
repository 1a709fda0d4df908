"""A bot as a stranger writes it: plays at random at all its tables until so many games are over. `python stranger.py SITE TOKEN GAMES SEED`

Prints a line of JSON for each answer that it chose and for each game that ended.
"""

import json
import random
import sys

from ziggurat_client import Bot, Client

site, token, games, seed = sys.argv[1:]
dice = random.Random(int(seed))


class Stranger(Bot):
    over = 0

    def choose(self, position):
        print(json.dumps({"chose": [position.table, position.version]}), flush=True)
        return dice.choice(position.legal)

    def on_problem(self, position, problem):
        print(json.dumps({"problem": str(problem)}), flush=True)

    def on_over(self, position):
        print(json.dumps({"over": position.table, "outcome": position.outcome}), flush=True)
        self.over += 1
        if self.over == int(games):
            self.stop()


with Client(site, token) as client:
    Stranger(client).run()
