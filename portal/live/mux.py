"""The front of the server: event streams go to the hub, static files to their own sender, everything else to Django.

Each of the three has its own places, so that none can crowd out another, nor one address all others. No body above the limit goes any
further, and no reader may keep a connection by reading nothing. Django behind WSGI costs a quarter of Django behind ASGI, so only the rest
uses ASGI.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any

from portal.live import request_ids
from portal.live.files import Files
from portal.live.hub import Hub
from portal.live.places import NoPlace, Places
from portal.live.programs import Programs
from portal.live.protocol import App, Receive, Scope, Send, header, network
from portal.live.turned_away import NO_PLACE, NO_PROGRAM, NO_STREAM, TOO_BIG, TOO_BIG_PICTURE, TOO_SLOW
from portal.metrics.definitions import PLACES, PLACES_TAKEN

BODY_LIMIT = 64 * 1024
PICTURE_PATH = "/settings/profile/"  # the one address that takes a file
PICTURE_LIMIT = 5 * 1024 * 1024 + BODY_LIMIT  # with what a form adds
BODY_WITHIN_S = 30.0
SEND_WITHIN_S = 30.0  # for one piece, at most 64 kB
PROGRAM_PATH = re.compile(r"/api/v1/(stream|tables/\d{1,18}/moves)/")
SWALLOW_LIMIT = 4 * 1024 * 1024  # read and discarded, so that the sender gets to read the answer


class TooBig(Exception):
    """The body has more bytes than its address takes."""


class Gone(Exception):
    """The client went away before the body was complete."""


class Mux:
    """An ASGI application over `hub`, `files`, `pages` and the streams of `programs`; `streams`, `sends`, `asks` and `holds` are the places of each."""

    def __init__(
        self,
        hub: Hub,
        pages: App,
        files: Files | None = None,
        *,
        streams: Places | None = None,
        sends: Places | None = None,
        asks: Places | None = None,
        programs: Programs | None = None,
        holds: Places | None = None,
    ) -> None:
        self.hub = hub
        self.pages = pages
        self.files = files
        self.streams = streams or Places(15_000, 200)
        self.sends = sends or Places(2_000, 100)
        self.asks = asks or Places(500, 50)
        self.programs = programs
        self.holds = holds or Places(1_000, 200)
        self.pictures = Places(8, 2)  # each may fill as much memory as eighty other bodies
        for kind, places in (("streams", self.streams), ("files", self.sends), ("pages", self.asks), ("programs", self.holds)):
            PLACES.labels(kind).set(places.in_all)
            places.tell = PLACES_TAKEN.labels(kind).set

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._lifespan(receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1000})
        scope[request_ids.IN_SCOPE] = request_id = request_ids.of_request(scope)
        send = _in_time(send, (request_ids.HEADER, request_id.encode()))
        is_stream = scope["path"].startswith("/events/")
        program = self.programs if scope["method"] == "GET" and PROGRAM_PATH.fullmatch(scope["path"]) else None
        file = self.files.find(scope["path"]) if self.files else None
        places = self.streams if is_stream else self.sends if file else self.holds if program else self.asks
        try:
            with places.take(network(scope)):
                if is_stream:
                    await self.hub(scope, receive, send)
                elif self.files and file:
                    await self.files.send(file, scope, send)
                elif scope["path"] == PICTURE_PATH and _announced(scope) > BODY_LIMIT:
                    with self.pictures.take(network(scope)):
                        await self._ask(scope, receive, send, PICTURE_LIMIT)
                elif program:
                    await program(scope, receive, send)
                else:
                    await self._ask(scope, receive, send)
        except NoPlace:
            await (NO_STREAM if is_stream else NO_PROGRAM if program else NO_PLACE).answer(scope, send)
        except (TimeoutError, Gone):
            return None  # the server closes the connection

    async def _ask(self, scope: Scope, receive: Receive, send: Send, limit: int = BODY_LIMIT) -> None:
        """Let Django answer, once the body is complete and has at most `limit` bytes."""
        try:
            body = await asyncio.wait_for(_whole_body(scope, receive, limit), BODY_WITHIN_S)
        except TooBig:
            return await (TOO_BIG_PICTURE if scope["path"] == PICTURE_PATH else TOO_BIG).answer(scope, send)
        except TimeoutError:
            return await TOO_SLOW.answer(scope, send)
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
                if self.programs:
                    await self.programs.close()
                return await send({"type": "lifespan.shutdown.complete"})


def _announced(scope: Scope) -> int:
    declared = header(scope, b"content-length")
    return int(declared) if declared.isdecimal() else 0


async def _whole_body(scope: Scope, receive: Receive, limit: int = BODY_LIMIT) -> bytes:
    """Return the body. Raises TooBig after reading a bounded rest of it, Gone when the client left."""
    announced = _announced(scope)
    if scope["method"] in ("GET", "HEAD") and not announced and not header(scope, b"transfer-encoding"):
        return b""
    parts: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Gone
        part = event.get("body", b"")
        size += len(part)
        if size <= limit and announced <= limit:
            parts.append(part)
        if not event.get("more_body") or size > limit + SWALLOW_LIMIT:
            break
    if size > limit or announced > limit:
        raise TooBig
    return b"".join(parts)


def _replay(body: bytes) -> Receive:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _in_time(send: Send, *more: tuple[bytes, bytes]) -> Send:
    """Return `send` with a time limit and more headers. Raises TimeoutError when the reader has not taken a piece in time."""

    async def limited(event: MutableMapping[str, Any]) -> None:
        if event["type"] == "http.response.start":
            event = {**event, "headers": [*event["headers"], *more]}
        await asyncio.wait_for(send(event), SEND_WITHIN_S)

    return limited
