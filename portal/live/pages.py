"""Django's pages behind the event loop: a few threads compute them, and no reader, however slow, holds a thread.

An answer is complete before its first byte is sent. Pages are small; the largest, a download of standings, has a few hundred kB.
Visitors have threads of their own: most of their pages are kept and cost next to nothing, so they don't wait for those of people, and however
many of them come, people don't wait for them.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from io import BytesIO
from time import perf_counter
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from a2wsgi.wsgi import build_environ
from structlog.contextvars import bind_contextvars

from portal.live import renewals, request_ids
from portal.live.protocol import Receive, Scope, Send
from portal.metrics.definitions import THREAD_WAIT

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
PROBES = ("/healthz", "/readyz")  # they don't wait for readers of large pages
MOST_RENEWALS = 8  # waiting; beyond that whoever asks waits for the new page


class Pages:
    """An ASGI application over a WSGI application. The body of a request must be complete before it arrives here."""

    def __init__(self, application: WSGIApplication, threads: int, *, visitors: int = 1, session: str = "sessionid") -> None:
        """So many `threads` for people, and for `visitors`: readers without a cookie named `session` and without a token."""
        self.application = application
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self.of_visitors = ThreadPoolExecutor(visitors, thread_name_prefix="visitor")
        self.session = f"{session}="
        self.behind = ThreadPoolExecutor(1, thread_name_prefix="renewal")
        self.renewals: set[asyncio.Future[Answer]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = await self.environ(scope, receive)
        environ[renewals.POSSIBLE] = len(self.renewals) < MOST_RENEWALS
        asked = dict(environ)
        status, headers, body = await self.answer(environ, scope)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        if environ.get(renewals.WANTED):
            again = partial(copy_context().run, self._answer, renewals.environ_of(asked), request_ids.new_id(), None)
            renewal = asyncio.get_running_loop().run_in_executor(self.behind, again)
            self.renewals.add(renewal)
            renewal.add_done_callback(self.renewals.discard)

    async def environ(self, scope: Scope, receive: Receive) -> WSGIEnvironment:
        """Return the environment of a request."""
        environ: WSGIEnvironment = dict(build_environ(scope, None))  # type: ignore[arg-type]
        environ["wsgi.input"] = BytesIO((await receive())["body"])
        environ["wsgi.errors"] = sys.stderr
        return environ

    async def answer(self, environ: WSGIEnvironment, scope: Scope) -> Answer:
        """Return what the application answers; it may leave something in the environment."""
        # A context for this request alone: what is bound to its log lines goes with it.
        compute = partial(copy_context().run, self._answer, environ, scope.get(request_ids.IN_SCOPE), perf_counter())
        pool = self.of_visitors if self._is_of_a_visitor(environ) else self.pool
        return await asyncio.get_running_loop().run_in_executor(pool, compute)

    def _is_of_a_visitor(self, environ: WSGIEnvironment) -> bool:
        is_read = environ["REQUEST_METHOD"] in ("GET", "HEAD") and environ["PATH_INFO"] not in PROBES
        return is_read and "HTTP_AUTHORIZATION" not in environ and self.session not in environ.get("HTTP_COOKIE", "")

    def _answer(self, environ: WSGIEnvironment, request_id: str | None, since: float | None) -> Answer:
        """Compute the whole answer in this thread; a reader has waited for it `since` then."""
        if since is not None:
            THREAD_WAIT.observe(perf_counter() - since)
        if request_id:
            bind_contextvars(**{request_ids.NAME: request_id})
        begun: list[tuple[int, list[tuple[bytes, bytes]]]] = []
        parts: list[bytes] = []

        def start_response(status: str, headers: list[tuple[str, str]], _exc_info: Any = None) -> Callable[[bytes], None]:
            lines = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
            begun[:] = [(int(status.partition(" ")[0]), lines)]
            return parts.append

        chunks: Iterable[bytes] = self.application(environ, start_response)
        try:
            parts += chunks
        finally:
            getattr(chunks, "close", lambda: None)()
        return *begun[0], b"".join(parts)
