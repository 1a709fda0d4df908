"""Games that bots play against each other, as rows of an archive: the draws are sealed as at a table, so each can be checked like a game of people."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from archives.rows import BOT, Row, row
from games.core.contract import CHANCE, SCORER, AnyGame
from games.core.rng import SeededRng
from games.core.sealed import SealedRng, commitment

STRAYS_AMONG: Final = 1000


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: bots of `levels`, which move on by one seat from game to game; one move in `STRAYS_AMONG` / `strays` is a random legal one."""

    game: str
    levels: tuple[str, ...]  # one for each seat
    seed: int
    strays: int = 0

    @property
    def name(self) -> str:
        return f"{self.game}/{','.join(self.levels)}/{self.seed}/{self.strays}"


def play(game: AnyGame, plan: Plan, number: int) -> Row:
    """Play game `number` of a plan; it is the same whoever plays it. Chance, strays and each seat have their own generators."""
    seats = len(plan.levels)
    name = f"{plan.name}/{number}"
    levels = [plan.levels[(seat + number) % seats] for seat in range(seats)]
    secret = hashlib.sha256(name.encode()).digest()
    words = [""] * seats
    chance, straying = SealedRng(secret, words), SeededRng(f"{name}/strays")
    rngs = [SeededRng(f"{name}/seat {seat}") for seat in range(seats)]
    options = {spec.key: spec.default for spec in game.meta.options}
    state = game.setup(seats, options)
    actors, actions = [], []
    while due := game.actors(state):
        actor = due[0]
        if actor == CHANCE:
            action = game.sample_chance(state, chance)
        elif actor == SCORER:
            action = game.legal_actions(state, actor)[0]
        elif plan.strays and straying.below(STRAYS_AMONG, "stray") < plan.strays:
            action = game.sample_action(state, actor, straying)
        else:
            action = game.choose_action(game.view_for(state, actor), levels[actor], rngs[actor]).action
        actors.append(actor)
        actions.append(str(action))
        state, _ = game.apply(state, actor, action)
    outcome = game.outcome(state)
    assert outcome is not None
    return row(
        table=number,
        game=plan.game,
        rules_version=game.meta.rules_version,
        options=options,
        seats=seats,
        players=levels,
        kinds=[BOT] * seats,
        levels=levels,
        left=[False] * seats,
        is_rated=False,
        started_at=None,
        finished_at=None,
        actors=actors,
        actions=actions,
        places=list(outcome.places),
        scores=list(outcome.scores),
        reason=outcome.reason,
        commitment=commitment(secret),
        secret=secret.hex(),
        words=words,
    )
