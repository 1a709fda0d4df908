"""Plays tables in tests without a broker: does at once what a worker would do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from games.core.contract import SCORER
from games.core.rng import SeededRng
from portal.accounts.models import User
from portal.tables import services, tasks
from portal.tables.loading import Loaded, load
from portal.tables.models import Table

POSITIONS = Path(__file__).parents[2] / "browser/positions"


def at_position(owner: User, name: str) -> Table:
    """Return a table of three (two are bots) that starts from a position file: "after_the_flood/equip"."""
    position = json.loads((POSITIONS / f"{name}.json").read_text())
    bots = ["apprentice", "apprentice"]
    opened = services.create_table(owner=owner, game_key=position["game"], seats=3, bots=bots, options={}, position=position)
    return Table.objects.get(pk=opened.table.pk)


def step(table_id: int, rng: SeededRng) -> bool:
    """Play one action for whoever is due; return False at the end."""
    return _after(load(table_id), rng) is not None


def play_on(table_id: int, *, seed: int = 1, until: Callable[[Loaded], bool] = lambda loaded: False, limit: int = 3000) -> Loaded:
    """Play until the condition holds or the game is over; return the table as it is then."""
    rng = SeededRng(seed)
    loaded = load(table_id)
    for _ in range(limit):
        after = None if until(loaded) else _after(loaded, rng)
        if after is None:
            return load(table_id)
        loaded = after
    raise AssertionError("the game does not end")


def _after(loaded: Loaded, rng: SeededRng) -> Loaded | None:
    """Play one action for whoever is due and return the table after it; None at the end. A person's action gives the table itself."""
    table = loaded.table
    if table.status != Table.Status.PLAYING:
        return None
    due = table.due[0]
    if (user := loaded.seats[due].user if due >= 0 else None) is not None:
        action = loaded.game.sample_action(loaded.state, due, rng)
        return services.submit_action(table_id=table.pk, user=user, action=str(action), expected_version=table.version)
    if due == SCORER:
        tasks.score(table.pk, table.version)
    else:
        tasks.play_bot(table.pk, table.version, due)
    return load(table.pk)


def snapshot(table_id: int) -> tuple:
    """Everything stored for a table, to show that a refused request changed nothing."""
    table = Table.objects.filter(pk=table_id).values_list().get()
    seats = list(load(table_id).table.seats.values_list())
    records = list(load(table_id).table.records.values_list())
    return table, seats, records
