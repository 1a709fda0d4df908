"""Finishes tables at once: the game is played in memory, and only its last action goes through the service."""

from __future__ import annotations

from games.core.contract import CHANCE, SCORER
from games.core.rng import SeededRng
from games.core.sealed import SealedRng
from portal.tables import tasks
from portal.tables.loading import kind_due, load


def nearly_end(table_id: int, *, seed: int = 1) -> None:
    """Store the position where the final scoring is due; the log lacks the game before it."""
    loaded = load(table_id)
    table, rules, state = loaded.table, loaded.game, loaded.state
    rng, chance = SeededRng(seed), SealedRng(bytes(table.secret), loaded.words, table.counters)
    while True:
        due = rules.actors(state)
        if due == (CHANCE,):
            action = rules.sample_chance(state, chance)
        elif due == (SCORER,):
            action = rules.parse_action("score")
        else:
            action = rules.sample_action(state, due[0], rng)
        after, _ = rules.apply(state, due[0], action)
        if not rules.actors(after):
            break
        state = after
    assert due == (SCORER,)
    table.state, table.due, table.waits_for = rules.state_to_json(state), list(due), kind_due(due, loaded.seats)
    table.version += 1
    table.save()


def end(table_id: int, *, seed: int = 1) -> None:
    """Play a table to its end."""
    nearly_end(table_id, seed=seed)
    tasks.score(table_id, load(table_id).table.version)
