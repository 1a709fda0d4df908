"""Counts and times every page, and says in the log which were slow. No line for each page: a proxy writes those better."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, unbind_contextvars

from portal.common import spent
from portal.live import request_ids
from portal.metrics.definitions import NO_VIEW, REQUEST_SECONDS, REQUESTS, STATEMENT_SECONDS, STATEMENTS

log = structlog.get_logger(__name__)

SLOW_S = 1.0


class Measured:
    """Stands before all other middleware, so it measures them too. Outside the web server it also gives the request its id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_ours = request_ids.current() is None
        if is_ours:
            bind_contextvars(**{request_ids.NAME: request_ids.new_id()})
        statements, seconds = spent.so_far()
        begin = perf_counter()
        try:
            response = self.get_response(request)
            took_s = perf_counter() - begin
            statements_now, seconds_now = spent.so_far()
            _note(request, response.status_code, took_s, statements_now - statements, seconds_now - seconds)
        finally:
            unbind_contextvars("table", *([request_ids.NAME] if is_ours else []))
        return response

    def process_view(self, _request: HttpRequest, view: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        """Bind the table's number to the log lines of a request to a table."""
        if "pk" in kwargs and str(getattr(view, "__module__", "")).startswith("portal.tables."):
            bind_contextvars(table=kwargs["pk"])


@cache
def _numbers(view: str) -> tuple[Callable[[float], None], ...]:
    """Return what counts seconds, statements and seconds of statements of a view. Views are few: those in the lists of addresses."""
    return REQUEST_SECONDS.labels(view).observe, STATEMENTS.labels(view).inc, STATEMENT_SECONDS.labels(view).inc


@cache
def _answers(view: str, status: int) -> Callable[[], None]:
    return REQUESTS.labels(view, f"{status}xx").inc


def _note(request: HttpRequest, status: int, took_s: float, statements: int, statements_s: float) -> None:
    view = request.resolver_match.view_name if request.resolver_match else NO_VIEW
    _answers(view, status // 100)()
    observe, add_statements, add_seconds = _numbers(view)
    observe(took_s)
    if statements:
        add_statements(statements)
        add_seconds(statements_s)
    if took_s > SLOW_S:
        log.warning(
            "slow request", view=view, status=status, ms=round(took_s * 1000), statements=statements, database_ms=round(statements_s * 1000)
        )
