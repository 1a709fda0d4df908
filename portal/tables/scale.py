"""Measures the table service with a million tables: are its statements as fast as with few, are indexes used, does vacuum keep up?"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import connection, reset_queries

from games.core.contract import SCORER
from games.core.rng import SeededRng
from games.registry import GAMES
from portal.accounts.models import User
from portal.common.benches import Say, Times, copies, own_database, own_queues, vacuum
from portal.tables import selectors, services, tasks
from portal.tables.lists import finished_rows, table_rows
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Seat, Table

FEW: Final = 1_000
PLAYING: Final = 0.02  # of all tables; the rest are finished, but for one of a hundred that is open
OPEN: Final = 0.01
RECORDS_OF_FINISHED: Final = 10  # a whole game has some 250; the table of records only has to be large
READS: Final = 300
WARM: Final = 30
ROUNDS: Final = 20  # of the reconciler, which wakes up to 500 tables in each
WRITES: Final = 2_000
SLICE: Final = 20_000
ACTIONS: Final = 40  # of a template in play
MANY_ROWS: Final = 50_000  # a smaller table may be read whole
BIG: Final = ("tables_table", "tables_seat", "tables_actionrecord", "accounts_user")
Bars = Callable[[str, int], Any]


def measure(tables: int, say: Say, bars: Bars) -> dict[str, Any]:
    """Return the figures with `tables` tables beside those with FEW: milliseconds, statements that read a whole table, dead rows.

    Raises Unfit when the databases of Valkey for the measurement are not free.
    """
    found: dict[str, Any] = {"tables": tables}
    with own_queues(), own_database(say):
        templates = _templates(say)
        _people(_crowd(tables))
        _fill(1, FEW, templates, bars)
        found["few"] = _operations(say)
        _fill(FEW + 1, tables, templates, bars)
        found["many"] = _operations(say)
        found["whole_reads"] = _whole_reads()
        found["sizes_mb"] = _sizes()
        found["writes"] = _write_on(bars)
    return found


def _crowd(tables: int) -> int:
    """Return how many people there are: one for each ten tables."""
    return max(100, tables // 10)


def _templates(say: Say) -> dict[str, list[Table]]:
    """Play games of each kind with bots: one that waits for a person in the middle, one that has ended, one that is open."""
    say("playing the games that the others are copies of")
    owner = User.objects.create(username="owner")
    found: dict[str, list[Table]] = {"playing": [], "finished": [], "open": []}
    for key, entry in GAMES.items():
        seats = min(3, max(entry.game.meta.seats))
        for status in found:
            bots = ["apprentice"] * (seats - 1 if status != "open" else seats - 2)
            table_id = services.create_table(owner=owner, game_key=key, seats=seats, bots=bots).table.pk
            if status != "open":
                _play(table_id, ACTIONS if status == "playing" else 100_000)
            table = load(table_id).table
            if table.status == status:  # a game of two that is full at once is never open
                found[status].append(table)
    return found


def _play(table_id: int, actions: int) -> None:
    """Play bots and the person on, at least so many actions, until the person is to decide or the game is over."""
    done = 0
    while True:
        loaded = load(table_id)
        table = loaded.table
        if table.status != "playing":
            return
        due = table.due[0]
        is_person = due >= 0 and loaded.seats[due].user_id is not None
        if is_person and done >= actions:
            return
        done += 1
        if due == SCORER:
            tasks.score(table_id, table.version)
        elif not is_person:
            tasks.play_bot(table_id, table.version, due)
        else:
            rng = SeededRng(7 + done)
            view = loaded.game.view_for(loaded.state, due)
            action = str(loaded.game.choose_action(view, "apprentice", rng).action)
            services.submit_action(table_id=table_id, actor=due, action=action, expected_version=table.version)


def _people(count: int) -> None:
    first = User.objects.create(username="player")
    copies(User, first, {"username": "'player' || n"}, "generate_series(1, %(count)s) n WHERE true", {"count": count})


def _fill(first: int, last: int, templates: Mapping[str, list[Table]], bars: Bars) -> None:
    """Copy the templates until there are `last` tables; the person of each seat is somebody of the crowd."""
    base = User.objects.get(username="player1").pk
    with bars("tables made", last) as bar:
        for begin in range(first, last + 1, SLICE):
            end = min(last, begin + SLICE - 1)
            count = end - begin + 1
            parts = {"playing": round(count * PLAYING), "open": round(count * OPEN)}
            parts["finished"] = count - sum(parts.values())
            for status, number in parts.items():
                kinds = templates[status]
                for at, template in enumerate(kinds):
                    _copy(template, number // len(kinds) + (at < number % len(kinds)), base, _crowd(last))
            bar.at(end)
    vacuum()


def _copy(template: Table, number: int, base: int, people: int) -> None:
    """Copy one table with its seats and records."""
    if not number:
        return
    top = _highest(Table)
    span = {"count": number, "top": top, "base": base, "people": people}
    numbered = {"finish_number": "NULL"} if template.finish_number is not None else {}  # else the reconciler would rate them all
    moments = {name: f"template.\"{name}\" - n * interval '1 minute'" for name in ("created_at", "started_at", "finished_at")}
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the rows below refer to existing rows
    unlike = {"link_code": "''"} | numbered | moments  # a link leads to one table
    copies(Table, template, unlike, "generate_series(1, %(count)s) n WHERE true", span)
    made = "(SELECT id, row_number() OVER (ORDER BY id) n FROM tables_table WHERE id > %(top)s) made WHERE true"
    for seat in Seat.objects.filter(table=template):
        who = {"user_id": f"%(base)s + (made.id * 7919 + {seat.index}) %% %(people)s"} if seat.user_id is not None else {}
        copies(Seat, seat, {"table_id": "made.id", **who}, made, span)
    records = ActionRecord.objects.filter(table=template).order_by("seq")
    if template.status == "finished":
        records = records[:RECORDS_OF_FINISHED]
    for record in records:
        copies(ActionRecord, record, {"table_id": "made.id"}, made, span)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")


def _highest(model: type[Table]) -> int:
    newest = model.objects.order_by("-pk").first()
    return newest.pk if newest is not None else 0


def _some(status: str, number: int, seed: int) -> list[int]:
    """Return some tables of a status, spread over all of them."""
    rng = SeededRng(seed)
    top = _highest(Table)
    found: list[int] = []
    while len(found) < number:
        near = Table.objects.filter(status=status, pk__gte=rng.below(top, "table")).order_by("pk").values_list("pk", flat=True)
        found += near[: 1 + number // 50]
    return found[:number]


def _kinds() -> dict[str, tuple[str, Callable[[int], Any]]]:
    """Return what is measured: name -> which tables, and what is done with each."""

    def person_of(table_id: int) -> User | None:
        seat = Seat.objects.filter(table_id=table_id, user__isnull=False).select_related("user").first()
        return seat.user if seat is not None else None

    def lists_of(table_id: int) -> None:
        person = person_of(table_id)
        assert person is not None
        table_rows(selectors.my_tables(person)[:50], person)

    return {
        "an action": ("playing", _act),
        "a table, for its player": ("playing", lambda table_id: selectors.table_page(table_id, person_of(table_id))),
        "a table, for a visitor": ("finished", lambda table_id: selectors.table_page(table_id, None)),
        "the whole log": ("playing", lambda table_id: selectors.full_log(table_id, None)),
        "a record": ("finished", selectors.record_of),
        "my tables": ("playing", lists_of),
        "open tables": ("open", lambda _table: table_rows(selectors.open_tables(None)[:30], None)),
        "finished games": ("finished", lambda _table: finished_rows(selectors.recent_finished()[:5], None)),
        "the reconciler": ("playing", _reconcile),
    }


def _reconcile(_table_id: int) -> None:
    tasks.reconcile()


def _act(table_id: int) -> None:
    """Play an action of the person, and let the bots answer."""
    loaded = load(table_id)
    if loaded.table.status != "playing":
        return
    due = loaded.table.due[0]
    if due == SCORER:
        tasks.score(table_id, loaded.table.version)
        return
    action = next(iter(loaded.game.legal_actions(loaded.state, due)))
    services.submit_action(table_id=table_id, actor=due, action=str(action), expected_version=loaded.table.version)


def _operations(say: Say) -> dict[str, Times]:
    """Time each kind of operation."""
    found = {}
    for name, (status, do) in _kinds().items():
        seconds = []
        reads = READS if do is not _reconcile else min(READS, ROUNDS)
        for at, table_id in enumerate(_some(status, WARM + reads, seed=at_of(name))):
            if do is _reconcile and at < WARM:
                continue
            begin = time.perf_counter()
            do(table_id)
            if at >= WARM:
                seconds.append(time.perf_counter() - begin)
        found[name] = Times.of(seconds)
        say(f"{name}: p50 {found[name].p50:.2f} ms, p99 {found[name].p99:.2f} ms")
    return found


def at_of(name: str) -> int:
    """Return a number that is the same for the same name in every run."""
    return sum(map(ord, name))


def _whole_reads() -> list[str]:
    """Return the statements whose plan reads a table of many rows from end to end."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relname = ANY(%s) AND reltuples > %s", [list(BIG), MANY_ROWS])
        big = {name for (name,) in cursor.fetchall()}
    was, connection.force_debug_cursor = connection.force_debug_cursor, True
    try:
        for name, (status, do) in _kinds().items():
            reset_queries()
            do(_some(status, 1, seed=at_of(name))[0])
            for query in list(connection.queries):
                sql = query["sql"]
                if not re.match(r"\s*(SELECT|UPDATE|INSERT|DELETE)", sql):
                    continue
                with connection.cursor() as cursor:
                    cursor.execute("EXPLAIN (FORMAT JSON) " + sql.replace("%", "%%"), [])
                    (plan,) = cursor.fetchone()
                found += [f"{name}: {table}: {sql[:200]}" for table in _scanned(plan if isinstance(plan, list) else json.loads(plan)) & big]
    finally:
        connection.force_debug_cursor = was
    return found


def _scanned(plan: Any) -> set[str]:
    """Return the tables that a plan reads from end to end."""
    if isinstance(plan, list):
        return {table for part in plan for table in _scanned(part)}
    node = plan.get("Plan", plan)
    here = {str(node["Relation Name"])} if node.get("Node Type") == "Seq Scan" else set()
    return here | _scanned(node.get("Plans", []))


def _sizes() -> dict[str, float]:
    """Return the megabytes of each big table, with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, pg_total_relation_size(name::regclass) / 1048576.0 FROM unnest(%s::text[]) name", [list(BIG)])
        return {name: float(size) for name, size in cursor.fetchall()}


def _write_on(bars: Bars) -> dict[str, float]:
    """Play many actions at a few tables and at many, and return what that leaves: dead rows before and after autovacuum had its turn."""
    before = _rows()
    size_before = _sizes()["tables_table"]
    chosen = _some("playing", WRITES, seed=1)
    with bars("actions", len(chosen)) as bar:
        for at, table_id in enumerate(chosen):
            _act(table_id)
            bar.at(at + 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
    after = _rows()
    updates = after["updates"] - before["updates"]
    return {
        "actions": float(len(chosen)),
        "updates": float(updates),
        "in_place": (after["hot"] - before["hot"]) / max(1, updates),
        "dead_rows": float(after["dead"] - before["dead"]),
        "grown_mb": _sizes()["tables_table"] - size_before,
    }


def _rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT n_tup_upd, n_tup_hot_upd, n_dead_tup, n_live_tup FROM pg_stat_user_tables WHERE relname = 'tables_table'")
        updates, hot, dead, live = cursor.fetchone()
    return {"updates": updates, "hot": hot, "dead": dead, "live": live}
