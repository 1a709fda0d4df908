"""Plays tables in tests without a broker: what a worker would do is done at once."""

from __future__ import annotations

from games.core.contract import SCORER
from games.core.rng import SeededRng
from portal.tables import services, tasks
from portal.tables.loading import load
from portal.tables.models import Table


def step(table_id: int, rng: SeededRng) -> bool:
    """Play one action of whoever is due; False at the end."""
    loaded = load(table_id)
    table = loaded.table
    if table.status != Table.Status.PLAYING:
        return False
    due = table.due[0]
    if due == SCORER:
        tasks.score(table_id, table.version)
    elif loaded.seats[due].user is None:
        tasks.play_bot(table_id, table.version, due)
    else:
        action = loaded.game.sample_action(loaded.state, due, rng)
        services.submit_action(table_id=table_id, user=loaded.seats[due].user, action=str(action), expected_version=table.version)
    return True


def play_on(table_id: int, *, seed: int = 1, until=lambda loaded: False, limit: int = 3000):
    """Play until the condition holds or the game is over; return the table as it is then."""
    rng = SeededRng(seed)
    for _ in range(limit):
        loaded = load(table_id)
        if until(loaded) or not step(table_id, rng):
            return load(table_id)
    raise AssertionError("the game does not end")


def snapshot(table_id: int) -> tuple:
    """Everything stored of a table, to show that a refused request changed nothing."""
    table = Table.objects.filter(pk=table_id).values_list().get()
    seats = list(load(table_id).table.seats.values_list())
    records = list(load(table_id).table.records.values_list())
    return table, seats, records
