"""A random player that prefers lively actions, so that random games are full of wars, monuments and treasures."""

from __future__ import annotations

from typing import Any

from games.core.contract import CHANCE
from games.core.rng import SeededRng
from games.registry import game as find_game
from games.tigris_euphrates.state import ACTION, MONUMENT, TREASURE, WAR_CHOICE, State

game = find_game("tigris_euphrates")


def answer(state: State, actor: int, rng: SeededRng, tries: int = 8) -> Any:
    """Return an action for chance or a seat: the liveliest of some random ones, and any legal action now and then."""
    if actor == CHANCE:
        return game.sample_chance(state, rng)
    action = game.sample_action(state, actor, rng)
    if state.phase == MONUMENT and rng.below(3, "again"):
        return game.sample_action(state, actor, rng)
    if state.phase != ACTION:
        return action
    best = -1
    for _ in range(rng.below(tries + 1, "tries")):
        another = game.sample_action(state, actor, rng)
        worth = _worth(state, game.apply(state, actor, another)[0])
        if worth > best:
            best, action = worth, another
    return action


def _worth(before: State, after: State) -> int:
    if after.phase == WAR_CHOICE:
        return 6
    if after.union >= 0:
        return 5
    if after.phase in (MONUMENT, TREASURE):
        return 4
    if after.phase != ACTION and after.conflict:
        return 1
    return 3 if sum(after.sources) > sum(before.sources) else 0
