"""Whole games with all their records, played in memory: for tests of what a table's past looks like."""

from __future__ import annotations

from django.db import transaction

from games.core.contract import CHANCE, SCORER
from games.core.rng import SeededRng
from games.core.sealed import SealedRng
from portal.tables.loading import Loaded, load
from portal.tables.play import Turn
from portal.tables.storing import store


@transaction.atomic
def play(table_id: int, *, seed: int = 1, records: int = 10_000) -> Loaded:
    """Play a running table with any allowed actions to its end, or until it has so many records; each record is a version of its own."""
    loaded = load(table_id, lock=True)
    table, rules = loaded.table, loaded.game
    rng, chance = SeededRng(seed), SealedRng(bytes(table.secret), loaded.words, table.counters)
    turn = Turn(loaded)
    while (due := rules.actors(loaded.state)) and (table.seq < records or due[0] < 0):
        table.version += 1
        if due == (CHANCE,):
            turn.act(CHANCE, rules.sample_chance(loaded.state, chance), "chance")
        elif due == (SCORER,):
            turn.act(SCORER, rules.parse_action("score"), "scorer")
        else:
            by = "player" if loaded.seats[due[0]].user_id is not None else "bot"
            turn.act(due[0], rules.sample_action(loaded.state, due[0], rng), by)
    turn.run()
    store(turn, [seat.order for seat in loaded.seats], None)
    return load(table_id)
