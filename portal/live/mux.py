"""The front of the server: event streams go to the hub, everything else to Django, and neither gets a body above the limit.

Django behind WSGI costs a quarter of Django behind ASGI, so only the streams use ASGI.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from portal.live.hub import Hub, Receive, Scope, Send

BODY_LIMIT = 64 * 1024
BODY_WITHIN_S = 30.0
SWALLOW_LIMIT = 4 * 1024 * 1024  # read and discarded, so that the sender gets to read the answer
_TOO_BIG = "The request is larger than 64 kB, which no page of this site sends. Nothing was changed."
_TOO_SLOW = "The request did not arrive in time. Nothing was changed. Please send it again."

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class TooBig(Exception):
    """The body has more than BODY_LIMIT bytes."""


class Gone(Exception):
    """The client went away before the body was complete."""


class Mux:
    """An ASGI application over `hub` and `pages`."""

    def __init__(self, hub: Hub, pages: App) -> None:
        self.hub = hub
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1000})
        if scope["path"].startswith("/events/"):
            return await self.hub(scope, receive, send)
        try:
            body = await asyncio.wait_for(_whole_body(scope, receive), BODY_WITHIN_S)
        except TooBig:
            return await _refuse(scope, send, 413, "too_big", _TOO_BIG)
        except TimeoutError:
            return await _refuse(scope, send, 408, "too_slow", _TOO_SLOW)
        except Gone:
            return None
        if body:  # a chunked body gets its length here, because WSGI reads no further than that
            headers = [(name, value) for name, value in scope["headers"] if name not in (b"content-length", b"transfer-encoding")]
            scope = {**scope, "headers": [*headers, (b"content-length", b"%d" % len(body))]}
        await self.pages(scope, _replay(body), send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif event["type"] == "lifespan.shutdown":
                await self.hub.close()
                return await send({"type": "lifespan.shutdown.complete"})


async def _whole_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body. Raises TooBig after reading a bounded rest of it, Gone when the client left."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    announced = int(declared) if declared.isdigit() else 0
    if scope["method"] in ("GET", "HEAD") and not announced and not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        return b""
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Gone
        part = event.get("body", b"")
        size += len(part)
        if size <= BODY_LIMIT and announced <= BODY_LIMIT:
            parts.append(part)
        if not event.get("more_body") or size > SWALLOW_LIMIT:
            break
    if size > BODY_LIMIT or announced > BODY_LIMIT:
        raise TooBig
    return b"".join(parts)


def _replay(body: bytes) -> Receive:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _refuse(scope: Scope, send: Send, status: int, code: str, reason: str) -> None:
    accepts = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if scope["path"].startswith("/api/") or b"json" in accepts:
        kind = b"application/json"
        text = json.dumps({"error": {"code": code, "reason": reason, "rule": None, "rule_url": None}}).encode()
    else:
        kind = b"text/html; charset=utf-8"
        title = "Too large" if status == 413 else "Too slow"
        text = f'<!doctype html><html lang="en"><title>{title}</title><h1>{title}</h1><p>{reason}</p><p><a href="/">Home</a></p></html>'.encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(text)), (b"cache-control", b"no-store"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
