"""Every number that processes count, by name. Each label has a small, fixed set of values: views, tasks, games, never what somebody sends.

None says who, which table, or anything about a position. `docs/monitoring/` shows what to make of them.
"""

from __future__ import annotations

from typing import Final

from portal.metrics import folder  # isort: skip - chooses where numbers are kept, before the first is defined

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

assert folder  # imported for what it does
disable_created_metrics()  # a series more for each: when it began

REGISTRY: Final = CollectorRegistry()
NO_VIEW: Final = "none"  # for an address without a page
PAGE_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds, as below
WAIT_BUCKETS: Final = (0.001, 0.01, 0.05, 0.25, 1.0, 5.0, 30.0)
TASK_BUCKETS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
BOT_BUCKETS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)


def _counter(name: str, says: str, *labels: str) -> Counter:
    return Counter(f"ziggurat_{name}", says, labels, registry=REGISTRY)


def _gauge(name: str, says: str, *labels: str) -> Gauge:
    """A number of now, added up over the processes that are there."""
    return Gauge(f"ziggurat_{name}", says, labels, registry=REGISTRY, multiprocess_mode="livesum")


def _histogram(name: str, says: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(f"ziggurat_{name}", says, labels, registry=REGISTRY, buckets=buckets)


# The front of the server
PLACES: Final = _gauge("places", "Places there are.", "kind")
PLACES_TAKEN: Final = _gauge("places_taken", "Places taken.", "kind")
TURNED_AWAY: Final = _counter("turned_away", "Requests turned away before Django.", "reason")
FILES: Final = _counter("files", "Static files sent.", "status")
STREAMS: Final = _gauge("streams_open", "Event streams open.")
STREAMS_OPENED: Final = _counter("streams_opened", "Event streams opened.")
WATCHERS: Final = _gauge("people_watching", "People signed in with a table open.")
PROGRAMS: Final = _gauge("programs_open", "Streams of programs open.")
PROGRAMS_OPENED: Final = _counter("programs_opened", "Streams of programs opened.")
PROGRAM_LINES: Final = _counter("program_lines", "Lines sent to programs.", "type")
PROGRAM_WAIT: Final = _histogram("program_wait_seconds", "From a version to its line at a program.", WAIT_BUCKETS)
THREAD_WAIT: Final = _histogram("page_wait_seconds", "Wait for a page thread.", WAIT_BUCKETS)

# Pages
REQUESTS: Final = _counter("requests", "Requests answered by Django.", "view", "status")
REQUEST_SECONDS: Final = _histogram("request_seconds", "Time in Django.", PAGE_BUCKETS, "view")
STATEMENTS: Final = _counter("statements", "Database statements.", "work")
STATEMENT_SECONDS: Final = _counter("statement_seconds", "Time waiting for database statements.", "work")

# Games and tasks
MOVES: Final = _counter("moves", "Versions of tables committed.", "game")
PUBLISHED: Final = _counter("published", "Versions told to open pages.", "outcome")
TASKS: Final = _counter("tasks", "Tasks ended.", "task", "outcome")
TASK_SECONDS: Final = _histogram("task_seconds", "Run time of tasks.", TASK_BUCKETS, "task")
TASK_WAIT: Final = _histogram("task_wait_seconds", "Time tasks waited in a queue.", WAIT_BUCKETS, "queue")
NOT_ENQUEUED: Final = _counter("not_enqueued", "Tasks that the broker did not take.")
BOT_SECONDS: Final = _histogram("bot_seconds", "Time a bot needed to choose.", BOT_BUCKETS, "game", "level")
BOT_FAULTS: Final = _counter("bot_faults", "Moves made by a substitute.", "game", "level", "reason")
