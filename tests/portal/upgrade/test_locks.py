"""The watch over migrations finds what would stop people, and nothing else."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from tests.portal.upgrade.locks import Watch

STOP = {
    "a column that may not be empty": [
        "ALTER TABLE tables_table ADD COLUMN mood int DEFAULT 3",
        "ALTER TABLE tables_table ALTER COLUMN mood SET NOT NULL",
    ],
    "another type": ["ALTER TABLE tables_table ALTER COLUMN seat_count TYPE bigint"],
    "an index": ["CREATE INDEX slow ON tables_actionrecord (at)"],
    "a constraint that reads everything": ["ALTER TABLE tables_seat ADD CONSTRAINT few CHECK (index < 99)"],
    "a foreign key that reads everything": [
        "ALTER TABLE tables_table ADD COLUMN by_id bigint",
        "ALTER TABLE tables_table ADD CONSTRAINT by_fk FOREIGN KEY (by_id) REFERENCES accounts_user (id)",
    ],
    "a volatile default": ["ALTER TABLE tables_seat ADD COLUMN luck float NOT NULL DEFAULT random()"],
    "all rows changed at once": ["UPDATE tables_table SET nudges = 0"],
    "all rows read while it is locked": ["ALTER TABLE tables_table ADD COLUMN mood int", "SELECT state FROM tables_table"],
    "a large table emptied": ["TRUNCATE ratings_ratingchange"],
}
PASS = {
    "an empty column": ["ALTER TABLE tables_table ADD COLUMN mood int"],
    "a column with a constant": ["ALTER TABLE tables_table ADD COLUMN mood int NOT NULL DEFAULT 3"],
    "a constraint for new rows": ["ALTER TABLE tables_seat ADD CONSTRAINT few CHECK (index < 99) NOT VALID"],
    "a constraint proved apart": ["ALTER TABLE tables_seat VALIDATE CONSTRAINT few"],
    "all rows read": ["SELECT state FROM tables_table"],
    "a small table": ["CREATE INDEX slow ON clubs_club (name)", "UPDATE clubs_season SET name = name"],
    "a new table": ["CREATE TABLE moods (id int)", "CREATE INDEX slow ON moods (id)", "UPDATE moods SET id = 1"],
    "a column that goes": ["ALTER TABLE tables_table DROP COLUMN nudges"],
}
FIRST = {"a constraint proved apart": PASS["a constraint for new rows"]}


def faults(statements: list[str], first: list[str]) -> list[str]:
    watch = Watch()
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in first:
            cursor.execute(statement)
    with transaction.atomic(), connection.cursor() as cursor:
        with connection.execute_wrapper(watch):
            for statement in statements:
                cursor.execute(statement)
        transaction.set_rollback(True)
    return watch.faults


@pytest.mark.parametrize("name", STOP)
def test_what_stops_people_is_found(released: None, name: str) -> None:
    assert faults(STOP[name], FIRST.get(name, []))


@pytest.mark.parametrize("name", PASS)
def test_what_stops_nobody_passes(released: None, name: str) -> None:
    assert faults(PASS[name], FIRST.get(name, [])) == []


def test_what_runs_outside_a_transaction_is_seen_too(released: None) -> None:
    watch = Watch()
    with connection.execute_wrapper(watch), connection.cursor() as cursor:
        cursor.execute("CREATE INDEX CONCURRENTLY quick ON tables_actionrecord (at)")
        assert watch.faults == []
        cursor.execute("CREATE INDEX slow ON tables_actionrecord (at)")
    assert len(watch.faults) == 1
