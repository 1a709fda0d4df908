"""Follows tasks: from the request that wants one, through the queue, to its end. Each is counted and timed, and its log lines say whose it is."""

from __future__ import annotations

import time
from typing import Any

from celery import current_app
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import before_task_publish, task_failure, task_postrun, task_prerun, worker_process_init, worker_ready
from structlog.contextvars import bind_contextvars, reset_contextvars, unbind_contextvars

from portal.common import spent
from portal.common.health import QUEUES
from portal.live import request_ids
from portal.metrics import folder
from portal.metrics.definitions import STATEMENT_SECONDS, STATEMENTS, TASK_SECONDS, TASK_WAIT, TASKS

SENT_AT = "sent_at"  # a header: seconds since 1970
_running: dict[str, tuple[Any, float, tuple[int, float]]] = {}  # what is to be undone and compared at the end of a task


def short(name: str) -> str:
    """Return a task's name for people: `tables.play_bot`."""
    return name.removeprefix("portal.").replace(".tasks.", ".")


@before_task_publish.connect
def _tell_origin(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None:
        headers[SENT_AT] = time.time()
        if request_id := request_ids.current():
            headers[request_ids.NAME] = request_id


@task_prerun.connect
def _begin(task_id: str, task: Any, **_: Any) -> None:
    about = {"task": short(task.name), "task_id": task_id}
    if isinstance(request_id := task.request.get(request_ids.NAME), str):
        about[request_ids.NAME] = request_id
    sent_at = task.request.get(SENT_AT)
    if isinstance(sent_at, float):
        queue = (task.request.get("delivery_info") or {}).get("routing_key")
        if queue in QUEUES:
            TASK_WAIT.labels(queue).observe(max(0.0, time.time() - sent_at))
    _running[task_id] = bind_contextvars(**about), time.perf_counter(), spent.so_far()


@task_postrun.connect
def _end(task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    if task_id not in _running:
        return
    tokens, begin, (statements, seconds) = _running.pop(task_id)
    name = short(task.name)
    TASKS.labels(name, (state or "unknown").lower()).inc()
    TASK_SECONDS.labels(name).observe(time.perf_counter() - begin)
    statements_now, seconds_now = spent.so_far()
    STATEMENTS.labels(name).inc(statements_now - statements)
    STATEMENT_SECONDS.labels(name).inc(seconds_now - seconds)
    unbind_contextvars("table")  # which the task itself bound
    reset_contextvars(**tokens)


@task_failure.connect
def _killed(sender: Any = None, exception: BaseException | None = None, **_: Any) -> None:
    """Count a task whose process had to be ended: its end is told by the worker, not by the process."""
    if isinstance(exception, (TimeLimitExceeded, WorkerLostError)):
        TASKS.labels(short(sender.name), "killed").inc()


@worker_ready.connect
@worker_process_init.connect
def _say_which(**_: Any) -> None:
    folder.use("worker-" + "-".join(current_app.amqp.queues.consume_from))
