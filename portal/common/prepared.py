"""Statements that PostgreSQL parses and plans once per connection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import JSONField, Model

Row = TypeVar("Row", bound=Model)


class Columns(Generic[Row]):
    """All columns of a model in a written statement, and the instance that a row of them makes.

    Django builds the text of a query again each time, and one instance for each joined model. For what every request reads, that takes
    most of the request's time in the database layer.
    """

    def __init__(self, model: type[Row], alias: str, *, json_if: str = "") -> None:
        """`alias` is the table's name in the statement; JSON is read only from rows for which `json_if` holds."""
        self.model = model
        fields = model._meta.concrete_fields
        self.names = [field.attname for field in fields]
        self.size = len(fields)
        self.key_at = self.names.index(model._meta.pk.attname)
        self._json = [(at, field) for at, field in enumerate(fields) if isinstance(field, JSONField)]
        names = [f'{alias}."{field.column}"' for field in fields]
        for at, _ in self._json if json_if else ():
            names[at] = f"CASE WHEN {json_if} THEN {names[at]} END"
        self.sql = ", ".join(names)

    @property
    def table(self) -> str:
        """The model's table, for the statement."""
        return f'"{self.model._meta.db_table}"'

    def make(self, values: Sequence[Any]) -> Row:
        """Return the instance of one row's values."""
        row = list(values)
        for at, field in self._json:
            row[at] = field.from_db_value(row[at], None, connection)  # type: ignore[arg-type]
        return self.model.from_db(connection.alias, self.names, row)


@contextmanager
def prepared_cursor() -> Iterator[Any]:
    """Give a cursor for a statement that runs often and has one good plan, whatever its values are.

    Other cursors of Django put the values into the text, so that PostgreSQL plans each time, which takes longer than reading a
    page of rows. Here the statement goes to the server apart from its values and is prepared once a connection has run it a few times
    (`prepare_threshold` in `portal.settings`, `plan_cache_mode` in `portal.configuration`). It must be a constant text.
    """
    with connection.cursor() as ordinary:  # connects or reconnects
        if connection.queries_logged:
            yield ordinary  # a prepared one can't tell the log what it ran
            return
    cursor: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]  # a psycopg cursor
    with connection.make_cursor(cursor) as wrapped:
        yield wrapped
