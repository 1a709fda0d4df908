"""Finishes tables at once: the game is played in memory, and only its last action goes through the service."""

from __future__ import annotations

from itertools import count
from typing import Any

from games.core.contract import CHANCE, SCORER, AnyGame, Rng
from games.core.rng import SeededRng
from games.core.sealed import SealedRng
from portal.tables import tasks
from portal.tables.loading import kind_due, load


def nearly_end(table_id: int, *, seed: int = 1) -> None:
    """Store the position where the final scoring is due; the log lacks the game before it."""
    loaded = load(table_id)
    table, rules = loaded.table, loaded.game
    drawn = dict(table.counters)
    for attempt in count():  # draws differ from run to run, and now and then a game is won before its last scoring
        table.counters = dict(drawn)
        rng, chance = SeededRng(f"{seed}/{attempt}" if attempt else seed), SealedRng(bytes(table.secret), loaded.words, table.counters)
        state, due = _before_last(rules, loaded.state, rng, chance)
        if due == (SCORER,):
            break
    table.state, table.due, table.waits_for = rules.state_to_json(state), list(due), kind_due(due, loaded.seats)
    table.version += 1
    table.save()


def _before_last(rules: AnyGame, state: Any, rng: Rng, chance: Rng) -> tuple[Any, tuple[int, ...]]:
    """Return the position before the last action of a game that is played anyhow, and who is due in it."""
    while True:
        due = rules.actors(state)
        assert due, "the game is over already"
        if due == (CHANCE,):
            action = rules.sample_chance(state, chance)
        elif due == (SCORER,):
            action = rules.parse_action("score")
        else:
            action = rules.sample_action(state, due[0], rng)
        after, _ = rules.apply(state, due[0], action)
        if not rules.actors(after):
            return state, due
        state = after


def end(table_id: int, *, seed: int = 1) -> None:
    """Play a table to its end."""
    nearly_end(table_id, seed=seed)
    tasks.score(table_id, load(table_id).table.version)
