"""What a migration does to the large tables of a running site: the locks it holds, and what it does while it holds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from django.db import connection, transaction

# Modes in which others can't write, or can't even read.
STOPS_OTHERS = {"ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"}
SMALL = (  # by nature; all others grow with people and games
    "django_*",  # names of migrations and models; sessions have no migrations of ours
    "auth_*",  # rights and groups of the admin
    "rules_docs_*",  # the rule books
    "authtoken_token",  # one row for each person who used the API of release 0.2
    "clubs_club",
    "clubs_season",
    "clubs_league",
    "ratings_ladder",
    "ratings_ratingclock",
    "tables_finishcounter",
)
LOCKS = """
    SELECT c.relname, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE l.pid = pg_backend_pid() AND l.granted AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
"""
WORK = """
    SELECT c.relname, c.oid, c.relfilenode, pg_stat_get_xact_numscans(c.oid),
        pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid)
    FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True)
class Worked:
    """What was done to a table so far."""

    oid: int
    file: int
    scans: int
    changed: int


class Watch:
    """`with connection.execute_wrapper(Watch()) as watch`: `faults` has a sentence for each statement that would stop people.

    A statement outside a transaction gets one of its own, so that its locks can be seen; CREATE INDEX CONCURRENTLY, which can't be in
    one, stops nobody.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.statements = 0
        self._known: set[str] = set()  # tables of before; new ones hold nothing yet, and nobody uses them

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        if connection.in_atomic_block:
            return self._watched(execute, text, sql, params, many, context)
        if "CONCURRENTLY" in text.upper() or not text.strip():
            return execute(sql, params, many, context)
        with transaction.atomic():
            return self._watched(execute, text, sql, params, many, context)

    def _watched(self, execute: Callable[..., Any], text: str, *rest: Any) -> Any:
        before = _work()
        self._known = self._known or {name for name in before if is_large(name)}
        answer = execute(*rest)
        self.statements += 1
        done = _work()
        held = self._known & {name for name, mode in _rows(LOCKS) if mode in STOPS_OTHERS}
        for name in sorted(self._known & set(done)):
            was, now = before[name], done[name]
            shown = " ".join(text.split())[:100]
            if now.changed > was.changed:
                self.faults.append(f"changes rows of {name} and keeps them locked until the end of the migration: {shown}")
            if now.file != was.file:
                self.faults.append(f"writes {name} anew while nobody can use it: {shown}")
            elif now.scans > was.scans and held:
                self.faults.append(f"reads all of {name} while nobody can write to {', '.join(sorted(held))}: {shown}")
        return answer


def is_large(name: str) -> bool:
    return not any(fnmatch(name, pattern) for pattern in SMALL)


def _rows(sql: str) -> list[tuple[Any, ...]]:
    with connection.connection.cursor() as cursor:  # not through Django, which would call us again
        return cursor.execute(sql).fetchall()


def _work() -> dict[str, Worked]:
    return {name: Worked(*rest) for name, *rest in _rows(WORK)}
