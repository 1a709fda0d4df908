"""What must hold after everything: no accepted action is lost or doubled, and no table was silent for long.

Plain functions over what was written down and what is in the database. Each returns a line for every breach.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tools.chaos.journal import Attempt, Hold, Record

MOVES = ("player", "bot", "substitute", "scorer", "undo", "redo")  # each has a version of its own
BY_HAND = ("player", "undo")
SILENT_AFTER_S = 30.0


def lost(attempts: Iterable[Attempt], records: Iterable[Record]) -> list[str]:
    """Find accepted actions without a record of the version that the answer named."""
    kept = {(record.table, record.version, *_action(record)) for record in records}
    told = {(one.table, one.counted, one.seat, one.text, one.by) for one in attempts if one.outcome == "accepted"}
    return [f"lost: table {table}, {by} {text!r} of seat {seat} as version {at}" for table, at, seat, text, by in sorted(told - kept)]


def doubled(attempts: Iterable[Attempt], records: Iterable[Record]) -> list[str]:
    """Find versions with more than one move, requests that were accepted twice, and actions of people that nobody sent.

    A request may be sent again after no answer, so all attempts with the same `Attempt.key` explain one record: that of the accepted one, or
    else one after the version that they expected.
    """
    sent: dict[tuple[int, int, int, str, str], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        sent[attempt.key].append(attempt)
    found = [f"doubled: accepted {count} times: {key}" for key, same in sent.items() if (count := _count(same, "accepted")) > 1]
    told = {(one.table, one.counted, one.seat, one.text, one.by) for same in sent.values() for one in same if one.outcome == "accepted"}
    open_ones = [key for key, same in sent.items() if _count(same, "unknown") and not _count(same, "accepted")]
    moves: Counter[tuple[int, int]] = Counter()
    for record in sorted(records, key=lambda record: (record.table, record.seq)):
        if record.by in MOVES:
            moves[record.table, record.version] += 1
        if record.by not in BY_HAND or (record.table, record.version, *_action(record)) in told:
            continue
        fits = [key for key in open_ones if key[0] == record.table and key[1] < record.version and key[2:] == _action(record)]
        if fits:
            open_ones.remove(max(fits))
        else:
            found.append(
                f"never sent, or refused: table {record.table}, {record.by} {record.text!r} of seat {record.actor}, {record.version}"
            )
    return found + [f"doubled: table {table} has {count} moves at version {at}" for (table, at), count in moves.items() if count > 1]


def broken_lines(records: Iterable[Record]) -> list[str]:
    """Find tables whose records are not numbered 1, 2, 3 and so on, or whose versions go back."""
    found = []
    for table, rows in by_table(records).items():
        if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
            found.append(f"broken: the records of table {table} have a gap or a number twice")
        elif any(later.version < earlier.version for earlier, later in itertools.pairwise(rows)):
            found.append(f"broken: a version of table {table} goes back")
    return found


def forgotten(seen: Iterable[Record], records: Iterable[Record]) -> list[str]:
    """Find records, those of bots too, that were in the database once and are not there now."""
    gone = sorted(set(seen) - set(records), key=lambda record: (record.table, record.seq))
    return [f"gone: table {record.table} had record {record.seq}, {record.by} {record.text!r}" for record in gone]


def silences(records: Iterable[Record], holds: Sequence[Hold], until: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """Return for each table its longest silence in seconds, and when it began; spans in which a fault was kept up do not count.

    `until` says how long a table was in play, for tables that did not end.
    """
    found = {}
    for table, rows in by_table(records).items():
        times = sorted({row.at for row in rows} | ({until[table]} if table in until else set()))
        spans = [(_without(begin, end, holds, table), begin) for begin, end in itertools.pairwise(times)]
        found[table] = max(spans, default=(0.0, 0.0))
    return found


def silent(longest: Mapping[int, tuple[float, float]], limit_s: float = SILENT_AFTER_S) -> list[str]:
    """Find tables at which nothing happened for more than `limit_s` seconds."""
    return [
        f"silent: table {table} for {seconds:.1f} s from {time.strftime('%H:%M:%S', time.localtime(begin))}"
        for table, (seconds, begin) in sorted(longest.items())
        if seconds > limit_s
    ]


def by_table(records: Iterable[Record]) -> dict[int, list[Record]]:
    """Return the records of each table, in their order."""
    tables: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        tables[record.table].append(record)
    return {table: sorted(rows, key=lambda row: row.seq) for table, rows in tables.items()}


def _action(record: Record) -> tuple[int, str, str]:
    """Return seat, text and kind as an attempt has them; which action is undone is not in the request."""
    return record.actor, "" if record.by == "undo" else record.text, record.by


def _count(attempts: Iterable[Attempt], outcome: str) -> int:
    return sum(attempt.outcome == outcome for attempt in attempts)


def _without(begin: float, end: float, holds: Sequence[Hold], table: int) -> float:
    """Return the seconds from `begin` to `end` outside the holds that concern a table. Holds follow each other."""
    held = sum(max(0.0, min(end, hold.end) - max(begin, hold.begin)) for hold in holds if hold.table in (None, table))
    return end - begin - held
