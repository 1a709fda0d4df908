"""Earlier positions of a table, worked out again from its records.

A record never changes, so the position after it never does: what has been worked out is kept in the process for the next reader.
Positions are states; whoever shows one asks the game for the view of the reader's seat first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final

from games.core.records import start_of_position
from games.registry import game
from portal.tables.loading import Loaded
from portal.tables.models import ActionRecord
from portal.tables.play import BY_HAND
from portal.tables.selectors import effective_line

MAX_KEPT: Final = 2_000  # positions in a process, some kilobytes each
_kept: OrderedDict[tuple[int, str, int], Any] = OrderedDict()  # by table, its seal (numbers return after a restore) and record
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Moment:
    """One record that still counts, and the state after it."""

    seq: int
    version: int
    actor: int
    by: str
    at: datetime
    events: Sequence[Mapping[str, Any]]
    state: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One record that still counts."""

    seq: int
    version: int
    actor: int
    text: str
    by: str
    at: datetime
    events: Sequence[Mapping[str, Any]]


def line_of(loaded: Loaded) -> list[Entry]:
    """Return all that has been played at a table and still counts, oldest first. One statement."""
    rows = (
        ActionRecord.objects.filter(table_id=loaded.table.pk, seq__lte=loaded.table.seq)
        .order_by("seq")
        .values_list("seq", "actor", "text", "by", "version", "at", "events")
    )
    found = {row[0]: row for row in rows}
    kept = effective_line([row[:4] for row in found.values()])
    return [Entry(seq, found[seq][4], actor, text, found[seq][3], found[seq][5], found[seq][6]) for seq, actor, text in kept]


def state_at(loaded: Loaded, line: Sequence[Entry], count: int) -> Any:
    """Return the state after the first `count` entries of the table's whole line, worked out from the nearest one that is kept."""
    if count and line[count - 1].seq == loaded.table.seq and loaded.state is not None:
        _keep(_key(loaded, loaded.table.seq), loaded.state)
        return loaded.state
    start, state = count, None
    while state is None and start:
        state = _kept.get(_key(loaded, line[start - 1].seq))
        start -= state is None
    if state is None and (state := _kept.get(_key(loaded, 0))) is None:
        state = _first(loaded)
        _keep(_key(loaded, 0), state)
    for entry in line[start:count]:
        state = _next(loaded, entry.seq, state, entry.actor, entry.text)
    return state


def moments_since(loaded: Loaded, version: int, most: int, *, own: int | None = None) -> tuple[Any, list[Moment]]:
    """Return the state that the table had at `version`, and what has been played since; what was undone meanwhile is left out.

    If more than `most` records were written since, only those count, and the state is the one before them.
    If something older was undone, the state is the one before it. What was played after the table was read does not count yet. Two statements at most.
    If there is nothing but moves that the seat `own` made by hand, nothing is worked out and nothing returned.
    """
    table = loaded.table
    rows = list(
        ActionRecord.objects.filter(table_id=table.pk, version__gt=version, seq__gt=table.seq - most, seq__lte=table.seq)
        .order_by("seq")
        .values_list("seq", "version", "actor", "text", "by", "events", "at")
    )
    first = rows[0][0] if rows else table.seq + 1
    kept: list[tuple[int, tuple[Any, ...] | None]] = [(first - 1, None)]
    for row in rows:
        if row[4] == "undo":
            back = int(row[3].split()[1])
            while kept and kept[-1][0] > back:
                kept.pop()
            if not kept:
                kept = [(back, None)]
        elif row[4] != "leave":
            kept.append((row[0], row))
    if own is not None and all(row is not None and row[2] == own and row[4] in BY_HAND for _, row in kept[1:]):
        return None, []
    if loaded.state is not None:
        _keep(_key(loaded, table.seq), loaded.state)  # the last step need not be played again
    state = before = state_after(loaded, kept[0][0])
    found = []
    for seq, counts in kept[1:]:
        assert counts is not None
        _, at_version, actor, text, by, events, at = counts
        state = _next(loaded, seq, state, actor, text)
        found.append(Moment(seq, at_version, actor, by, at, events, state))
    return before, found


def state_after(loaded: Loaded, seq: int) -> Any:
    """Return the state after a record (0: the first position)."""
    table = loaded.table
    if seq == table.seq and loaded.state is not None:
        _keep(_key(loaded, seq), loaded.state)
        return loaded.state
    found = _kept.get(_key(loaded, seq))
    if found is not None:
        return found
    entries = ActionRecord.objects.filter(table_id=table.pk, seq__lte=seq).order_by("seq").values_list("seq", "actor", "text", "by")
    state = _first(loaded)
    for entry, actor, text in effective_line(list(entries)):
        state = _next(loaded, entry, state, actor, text)
    _keep(_key(loaded, seq), state)
    return state


def _first(loaded: Loaded) -> Any:
    table = loaded.table
    if table.position is not None:
        return start_of_position(table.position, game)[1]
    return loaded.game.setup(table.seat_count, table.options)


def _next(loaded: Loaded, seq: int, state: Any, actor: int, text: str) -> Any:
    key = _key(loaded, seq)
    found = _kept.get(key)
    if found is None:
        found, _ = loaded.game.apply(state, actor, loaded.game.parse_action(text))
        _keep(key, found)
    return found


def _key(loaded: Loaded, seq: int) -> tuple[int, str, int]:
    return loaded.table.pk, loaded.table.commitment, seq


def _keep(key: tuple[int, str, int], state: Any) -> None:
    with _lock:
        _kept[key] = state
        _kept.move_to_end(key)
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
