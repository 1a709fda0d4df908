"""Log lines: JSON for machines, plain text with DEBUG; structlog events and the standard library's look alike."""

from __future__ import annotations

import logging
import re
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


_BEHIND_HOST = re.compile(r"(https?://[^\s/?#]+)[^\s]*")


def route_of(request: Any) -> str:
    """Return which page a request asks for, without what stands in its address: that may be a join code, or the key of a mailed link."""
    match = getattr(request, "resolver_match", None)
    return f"/{match.route}" if match else "no page"


def hosts_only(text: str) -> str:
    """Return a text in which addresses end after their host: the rest of a foreign page's address is nobody's business."""
    return _BEHIND_HOST.sub(r"\1", text)


class Discreet(logging.Filter):
    """Takes addresses out of the lines that Django writes about a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            path = getattr(request, "path", None)
            record.args = tuple(route_of(request) if arg == path else hosts_only(str(arg)) for arg in record.args)
        return True


def logging_config(debug: bool) -> dict[str, Any]:
    """Configure structlog and return the LOGGING setting: warnings and worse, and our own information."""
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.captureWarnings(not debug)  # of Python and its libraries: lines like all others
    renderer: Any = structlog.dev.ConsoleRenderer() if debug else structlog.processors.JSONRenderer()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            }
        },
        "filters": {"discreet": {"()": Discreet}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["discreet"]}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
            "portal": {"level": "INFO"},
            "celery": {"level": "INFO"},
            "celery.beat": {"level": "WARNING"},  # one line every five seconds
            "celery.app.trace": {"level": "WARNING"},  # a line for each task is too much
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }
