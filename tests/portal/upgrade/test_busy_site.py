"""A migration meets somebody who holds what it needs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from portal.common import backups
from portal.configuration import database_session
from tests.portal.upgrade.conftest import rows


def elsewhere(call: Callable[[], None]) -> str:
    """Run in a thread, whose connection has a short limit for locks and ends like that of a command; return the error."""
    said = []

    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 50")
        try:
            call()
        except OperationalError as error:
            said.append(str(error))
        connection.connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return said[0]


def test_an_update_gives_up_soon_changes_nothing_and_can_be_tried_again(released: None) -> None:
    """Otherwise everybody who needs the table would wait behind it."""
    before = rows("SELECT count(*) FROM django_migrations")
    assert "lock_timeout" in database_session("update", remote=False)
    assert "statement_timeout" not in database_session("update", remote=False)
    with psycopg.connect(**backups.database_params()) as other:  # a transaction that stays open
        other.execute("UPDATE accounts_user SET theme = theme")
        assert "lock timeout" in elsewhere(lambda: call_command("migrate", "accounts", verbosity=0))
        assert rows("SELECT count(*) FROM django_migrations WHERE name = '0005_digests_of_tokens'") == [(0,)]
        assert rows("SELECT count(*) FROM authtoken_token") == [(2,)]
    call_command("migrate", verbosity=0)
    assert rows("SELECT count(*) FROM django_migrations") > before
    assert rows("SELECT count(*) FROM accounts_apitoken") == [(2,)]


def test_no_token_is_lost_between_copy_and_emptying(released: None) -> None:
    """Whoever makes one meanwhile waits; reading goes on."""
    told = []

    def make_one(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("TRUNCATE"):
            with psycopg.connect(**backups.database_params(), autocommit=True) as other:
                other.execute("SET lock_timeout = 50")
                told.append(other.execute("SELECT count(*) FROM authtoken_token").fetchone())
                with pytest.raises(psycopg.errors.LockNotAvailable):
                    other.execute("INSERT INTO authtoken_token VALUES ('late', now(), 3)")
        return execute(sql, *rest)

    call_command("migrate", "accounts", "0004", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO authtoken_token VALUES ('early', now(), 3)")
    count = rows("SELECT count(*) FROM authtoken_token")[0]
    with connection.execute_wrapper(make_one):
        call_command("migrate", "accounts", "0005", verbosity=0)
    assert told == [count]
    assert rows("SELECT count(*) FROM authtoken_token") == [(0,)]


def test_whoever_was_never_asked_is_not_asked_now_and_the_earlier_release_can_still_be_run(released: None) -> None:
    call_command("migrate", "accounts", "0006", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET confirm_moves = false WHERE id = (SELECT min(id) FROM accounts_user)")
    call_command("migrate", verbosity=0)
    (quick, *rest) = rows("SELECT confirm FROM accounts_user ORDER BY id")
    assert quick == ("never",)
    assert set(rest) == {("matters",)}
    with connection.cursor() as cursor:  # as the new release and the earlier one write a new person
        columns = "password, is_superuser, first_name, last_name, email, is_staff, is_active, date_joined, is_guest, language, time_zone, theme, hotkeys"
        values = "'', false, '', '', '', false, true, now(), true, '', 'UTC', '', true"
        cursor.execute(f"INSERT INTO accounts_user ({columns}, username, list_first, confirm) VALUES ({values}, 'new', false, 'always')")
        cursor.execute(f"INSERT INTO accounts_user ({columns}, username, list_first, confirm_moves) VALUES ({values}, 'old', false, true)")
    assert rows("SELECT confirm, confirm_moves FROM accounts_user WHERE username IN ('new', 'old') ORDER BY username") == [
        ("always", True),
        ("matters", True),
    ]
