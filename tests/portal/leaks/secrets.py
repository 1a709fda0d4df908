"""Another table that looks the same: everything that a viewer may not know is changed in the database, and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from games.babel.components import PEOPLES
from games.core.contract import CHANCE
from games.core.rng import SeededRng
from games.history_of_the_world.components import EMPIRE_OF, EVENT_OF, GUARDS
from games.tigris_euphrates.components import KINDS
from portal.tables import past
from portal.tables.loading import Loaded, load
from portal.tables.models import ActionRecord, Seat, Table
from tests.engine.babel import secrets as babel
from tests.engine.history_of_the_world import secrets as history_of_the_world
from tests.engine.ra import secrets as ra
from tests.engine.tigris_euphrates import secrets as tigris_euphrates
from tests.portal.tables.driver import snapshot

from .eyes import Eyes, assert_closed, assert_not_kept, differences

VARY = {"ra": ra.vary, "tigris_euphrates": tigris_euphrates.vary, "babel": babel.vary, "history_of_the_world": history_of_the_world.vary}
WORDS = (KINDS, PEOPLES, tuple(EMPIRE_OF), tuple(EVENT_OF), GUARDS)  # characters of a secret

HIDDEN_ACTORS = {"history_of_the_world": range(6)}  # seats whose actions have texts that are secret themselves
SEATS = {"alice": 0, "bob": 1, "charlie": None, "visitor": None}
KEPT = ("state", "barrier", "recent", "secret", "counters")


def compare(
    table_id: int, viewers: dict[str, Eyes], names: Iterable[str], seats: Mapping[str, int | None] = SEATS, *, at_table: bool = False
) -> dict[str, dict]:
    """See the table, change what each viewer may not know, and check for the same bytes again; return what was seen.

    With `at_table` the lists that mention the table are left out (`Eyes.see`). No answer may be cached for others, the record is closed,
    and the sealed secret is nowhere.
    """
    shown = {}
    stored = Table.objects.filter(pk=table_id).values(*KEPT, "version").get()
    records = list(ActionRecord.objects.filter(table_id=table_id))
    for name in names:
        rows = snapshot(table_id)
        before = shown[name] = viewers[name].see(table_id, at_table=at_table)
        assert snapshot(table_id)[2] == rows[2], "a refused request has changed the table"
        assert_closed(before, table_id, bytes(stored["secret"]))
        assert_not_kept(before, table_id)
        change_secrets(table_id, seats[name], seed=77)
        assert differences(before, viewers[name].see(table_id, at_table=at_table)) == [], name
        Table.objects.filter(pk=table_id).update(**{key: stored[key] for key in KEPT})
        ActionRecord.objects.bulk_update(records, ["events", "text"])
        Seat.objects.filter(table_id=table_id).update(order="", seen_version=stored["version"])
        past._kept.clear()
    return shown


def change_secrets(table_id: int, seat: int | None, seed: int) -> Loaded:
    """Write other values for everything that `seat` (None: a spectator) may not know about a running table."""
    loaded = load(table_id)
    other = VARY[loaded.table.game](loaded.state, seat, SeededRng(seed))
    recent = [{**line, "e": [_event(data, seat) for data in line["e"]]} for line in loaded.table.recent]
    stored = loaded.game.state_to_json(other)
    barrier = None if loaded.table.barrier is None else stored
    Table.objects.filter(pk=table_id).update(
        state=stored, barrier=barrier, recent=recent, secret=secrets.token_bytes(32), counters={"bag": seed}
    )
    for record in ActionRecord.objects.filter(table_id=table_id):
        events = [_event(data, seat) for data in record.events]
        if record.actor in (CHANCE, *HIDDEN_ACTORS.get(loaded.table.game, ())) and record.actor != seat and events != record.events:
            record.text = f"chance {seed}"  # what was drawn or chosen in secret is in the record as well
        record.events = events
        record.save(update_fields=["events", "text"])
    Seat.objects.filter(table_id=table_id).exclude(index=-1 if seat is None else seat).update(order=f"secret {seed}", seen_version=seed)
    for key, state in list(past._kept.items()):  # every earlier position that the reel shows has other secrets as well
        if key[0] == table_id:
            past._kept[key] = VARY[loaded.table.game](state, seat, SeededRng(f"{seed} {key[2]}"))
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
    for words in WORDS:
        if value in words:
            return words[words.index(value) - 1]
    return value + 1003 if isinstance(value, int) and not isinstance(value, bool) else value
