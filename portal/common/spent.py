"""What a request or a task spends in the database: statements, and seconds waiting for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


class _Spent(threading.local):
    statements = 0
    seconds = 0.0


_spent = _Spent()


def so_far() -> tuple[int, float]:
    """Return the statements of this thread since it began, and the seconds they took: two looks tell what lies between."""
    return _spent.statements, _spent.seconds


def _count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    begin = perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        _spent.statements += 1
        _spent.seconds += perf_counter() - begin


def _watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if _count not in connection.execute_wrappers:
        connection.execute_wrappers.append(_count)


connection_created.connect(_watch)
