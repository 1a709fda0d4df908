"""Games for registry-wide tests, random ones and ones of apprentices; each is played once per process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from games.core.compiled import is_compiled
from games.core.contract import CHANCE, SCORER, Event, Game
from games.core.rng import SeededRng
from games.registry import GAMES

TABLES = [(key, seats) for key, entry in GAMES.items() for seats in entry.game.meta.seats]
every_table = pytest.mark.parametrize(("key", "seats"), TABLES)
every_game = pytest.mark.parametrize("key", GAMES)
GAMES_EACH = 6
ENOUGH_PLIES = 1_200


@dataclass(frozen=True)
class Ply:
    """One applied action of a random game."""

    before: Any
    actor: int
    action: Any
    after: Any
    events: list[Event]


def only_in_plain_python(key: str) -> None:
    """Skip a test that a compiled game (`make fast`) can't pass: its calls are unseen, and it refuses values of another type by a TypeError."""
    if is_compiled(key):
        pytest.skip("only in plain Python")


def options_of(key: str, number: int) -> dict[str, Any]:
    """Return the options of game `number`: every second game has each option at its last choice."""
    return {spec.key: spec.choices[-1] if number % 2 else spec.default for spec in GAMES[key].game.meta.options}


@cache
def random_games(key: str, seats: int) -> list[list[Ply]]:
    """Return some random games, as lists of plies, fewer if they are long. Half of them have every option at its last choice."""
    game = GAMES[key].game
    games: list[list[Ply]] = []
    for seed in range(GAMES_EACH):
        if len(games) % 2 == 0 and sum(map(len, games)) > ENOUGH_PLIES:
            break
        rng = SeededRng(f"{key} {seats} {seed}")
        state, plies = game.setup(seats, options_of(key, seed)), []
        while actors := game.actors(state):
            actor = actors[rng.below(len(actors), "actor")]
            action = pick(game, state, actor, rng)
            after, events = game.apply(state, actor, action)
            plies.append(Ply(state, actor, action, after, events))
            state = after
        games.append(plies)
    return games


def pick(game: Game, state: Any, actor: int, rng: SeededRng) -> Any:
    """Return an action; seats prefer the first legal action (in Ra the draw), so that there are long games as well."""
    if actor == CHANCE:
        return game.sample_chance(state, rng)
    legal = game.legal_actions(state, actor)
    return legal[0] if rng.below(10, "pick") < 6 else legal[rng.below(len(legal), "pick")]


def plies(key: str, seats: int) -> Iterator[Ply]:
    for line in random_games(key, seats):
        yield from line


def phase_of(game: Game, state: Any) -> str:
    """Return the phase as position files name it."""
    phase: str = game.state_to_json(state)["phase"]
    return phase


@cache
def apprentice_games(key: str) -> list[list[tuple[Any, int]]]:
    """Return a game of apprentices for each player count, as (position, actor) before each ply.

    Now and then somebody plays at random, so that positions differ.
    """
    game = GAMES[key].game
    games = []
    for number, seats in enumerate(game.meta.seats):
        rng = SeededRng(f"apprentices {key} {seats}")
        state, line = game.setup(seats, options_of(key, number)), []
        while actors := game.actors(state):
            line.append((state, actors[0]))
            level = "random" if rng.below(6, "odd") == 0 else "apprentice"
            state, _ = game.apply(state, actors[0], bot_action(game, state, actors[0], level, rng))
        assert game.outcome(state) is not None
        games.append(line)
    return games


def bot_action(game: Game, state: Any, actor: int, level: str, rng: SeededRng) -> Any:
    """Return what chance, the scorer or a bot of a level does."""
    if actor == CHANCE:
        return game.sample_chance(state, rng)
    if actor == SCORER:
        return game.legal_actions(state, actor)[0]
    return game.choose_action(game.view_for(state, actor), level, rng).action


@cache
def choices_met(key: str, count: int) -> list[tuple[Any, int]]:
    """Return positions in which an apprentice had a choice, with its seat: at least two for each phase, and others spread evenly."""
    game = GAMES[key].game
    by_phase: dict[str, list[tuple[Any, int]]] = {}
    for line in apprentice_games(key):
        for state, actor in line:
            if actor >= 0 and len(game.legal_actions(state, actor)) > 1:
                by_phase.setdefault(phase_of(game, state), []).append((state, actor))
    share = max(2, count // len(by_phase))
    return [found[at * len(found) // min(share, len(found))] for found in by_phase.values() for at in range(min(share, len(found)))]
