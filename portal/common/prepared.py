"""Statements that PostgreSQL parses and plans once per connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor


@contextmanager
def prepared_cursor() -> Iterator[Any]:
    """Give a cursor for a statement that runs often and has one good plan, whatever its values are.

    Other cursors of Django put the values into the text, so that PostgreSQL plans each time, which takes longer than reading a
    page of rows. Here the statement goes to the server apart from its values and is prepared once a connection has run it a few times
    (`prepare_threshold` and `plan_cache_mode` in `portal.settings`). It must be a constant text.
    """
    with connection.cursor():  # connects or reconnects, as any other cursor does
        cursor: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]  # a psycopg cursor
    with connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor) as wrapped:
        yield wrapped
