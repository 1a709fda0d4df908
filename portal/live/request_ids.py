"""Each request has an id: in the answer's header, in every log line about it, and in the tasks that it leads to."""

from __future__ import annotations

import re
import secrets
from typing import Final

from django.conf import settings
from structlog.contextvars import get_contextvars

from portal.live.protocol import Scope, header

NAME: Final = "request_id"  # in log lines and in the headers of tasks
HEADER: Final = b"x-request-id"
IN_SCOPE: Final = "ziggurat.request_id"
_GOOD = re.compile(r"[0-9A-Za-z_-]{8,64}")


def new_id() -> str:
    """Return an id that nobody has used, of 16 characters."""
    return secrets.token_hex(8)


def of_request(scope: Scope) -> str:
    """Return the id of a new request: the proxy's if there is one, else our own. Nobody else is believed."""
    if settings.PROXY_COUNT and _GOOD.fullmatch(given := header(scope, HEADER)):
        return given
    return new_id()


def current() -> str | None:
    """Return the id of the request that this code works for, in a web process or a worker."""
    found = get_contextvars().get(NAME)
    return str(found) if found else None
