"""Count how often each empire of History of the World passes over each province in bots' games, for the file `data/passages.json`.

python -m games.history_of_the_world.passage_counts GAMES SEED > games/history_of_the_world/data/passages.json
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import Final

from games.core.contract import CHANCE, NO_SEAT, SCORER
from games.core.rng import SeededRng
from games.history_of_the_world import game
from games.history_of_the_world.components import EMPIRES, PROVINCES
from games.history_of_the_world.state import State

SEATS: Final = 4
TABLES: Final = (("scribe", "apprentice", "apprentice", "apprentice"), ("scribe", "apprentice", "scribe", "apprentice"))
EMPTY_SHARE: Final = 0.3  # weight of entering an empty province, relative to driving out an army
EMPTY_MOST: Final = 3.0
DOUBT: Final = 2.0  # cases without a passage added, so that few cases do not count as certainty


@dataclass
class Counts:
    """Turns of an empire in which a province held another seat's army, or none, and how often it was taken; by province."""

    held: list[int] = field(default_factory=lambda: [0] * len(PROVINCES))
    driven_out: list[int] = field(default_factory=lambda: [0] * len(PROVINCES))
    empty: list[int] = field(default_factory=lambda: [0] * len(PROVINCES))
    entered: list[int] = field(default_factory=lambda: [0] * len(PROVINCES))

    def share(self, province: int) -> float:
        """Return how often an army in a province is driven out."""
        empty = min(EMPTY_MOST, EMPTY_SHARE * self.empty[province])
        entered = empty * self.entered[province] / self.empty[province] if empty else 0.0
        return (self.driven_out[province] + entered) / (self.held[province] + empty + DOUBT)


def others_of(state: State, seat: int) -> int:
    """Return where the others have armies."""
    return sum(mask for other, mask in enumerate(state.armies) if other != seat)


def count_turn(counts: Counts, before: State, after: State) -> None:
    """Count a turn, from the positions at its start and its end."""
    seat = after.active
    others, still, own = others_of(before, seat), others_of(after, seat), after.armies[seat]
    for province in range(len(PROVINCES)):
        bit = 1 << province
        if others & bit and not before.forts & bit:
            counts.held[province] += 1
            counts.driven_out[province] += not still & bit
        elif not (others | before.armies[seat]) & bit:
            counts.empty[province] += 1
            counts.entered[province] += bool(own & bit)


def count_game(counts: list[Counts], seed: str, number: int) -> None:
    """Play one game and count its turns."""
    bots, name = TABLES[number % 2], f"{seed}/{number}"
    chance, rngs = SeededRng(name), [SeededRng(f"{name}/{seat}") for seat in range(SEATS)]
    state, begun = game.setup(SEATS, {"draft": "standard"}), None
    while due := game.actors(state):
        actor = due[0]
        if state.active != NO_SEAT and begun is None:
            begun = state
        if actor == CHANCE:
            action = game.sample_chance(state, chance)
        elif actor == SCORER:
            assert begun is not None
            count_turn(counts[state.empires[state.active]], begun, state)
            begun = None
            action = game.legal_actions(state, actor)[0]
        else:
            action = game.choose_action(game.view_for(state, actor), bots[(actor - number) % SEATS], rngs[actor]).action
        state, _ = game.apply(state, actor, action)


def table(counts: list[Counts]) -> dict[str, dict[str, int]]:
    """Return the percentages by empire and province; a start is always taken."""
    found = {}
    for realm, count in zip(EMPIRES, counts, strict=True):
        shares = {at: 100 if at in realm.starts else round(100 * count.share(at)) for at in range(len(PROVINCES))}
        found[realm.name] = {PROVINCES[at]: share for at, share in shares.items() if share >= 2}
    return found


def main(games: int, seed: str) -> None:
    """Print the table."""
    counts = [Counts() for _ in EMPIRES]
    for number in range(games):
        count_game(counts, seed, number)
    rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in table(counts).items()]
    sys.stdout.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
