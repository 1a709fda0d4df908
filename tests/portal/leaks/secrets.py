"""Another table that looks the same: everything that a viewer may not know is changed in the database, nothing else."""

from __future__ import annotations

import secrets
from typing import Any

from games.core.rng import SeededRng
from games.tigris_euphrates.components import KINDS
from portal.tables.loading import Loaded, load
from portal.tables.models import ActionRecord, Seat, Table
from tests.engine.ra import secrets as ra
from tests.engine.tigris_euphrates import secrets as tigris_euphrates

VARY = {"ra": ra.vary, "tigris_euphrates": tigris_euphrates.vary}


def change_secrets(table_id: int, seat: int | None, seed: int) -> Loaded:
    """Write other values for everything that `seat` (None: a spectator) may not know of a running table."""
    loaded = load(table_id)
    other = VARY[loaded.table.game](loaded.state, seat, SeededRng(seed))
    recent = [{**line, "e": [_event(data, seat) for data in line["e"]]} for line in loaded.table.recent]
    Table.objects.filter(pk=table_id).update(
        state=loaded.game.state_to_json(other), recent=recent, secret=secrets.token_bytes(32), counters={"bag": seed}
    )
    for record in ActionRecord.objects.filter(table_id=table_id):
        record.events = [_event(data, seat) for data in record.events]
        record.save(update_fields=["events"])
    Seat.objects.filter(table_id=table_id).exclude(index=-1 if seat is None else seat).update(order=f"secret {seed}", seen_version=seed)
    changed = load(table_id)
    assert changed.state != loaded.state
    return changed


def _event(data: dict[str, Any], seat: int | None) -> dict[str, Any]:
    if "s" not in data:
        return data
    return {**data, "s": {key: values if key == str(seat) else _other(values) for key, values in data["s"].items()}}


def _other(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _other(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_other(part) for part in value]
    if value in KINDS:
        return KINDS[KINDS.index(value) - 1]
    return value + 1003 if isinstance(value, int) and not isinstance(value, bool) else value
