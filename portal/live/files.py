"""Static files and archives, sent by the event loop: WhiteNoise chooses file and headers, and no thread of the pages takes part."""

from __future__ import annotations

from typing import BinaryIO

from whitenoise.base import WhiteNoise
from whitenoise.responders import StaticFile

from portal.live.protocol import Scope, Send
from portal.live.shelf import PREFIX, Shelf
from portal.metrics.definitions import FILES

CHUNK = 64 * 1024  # bytes; a slow reader holds no more than this
CONDITIONS = {  # what WhiteNoise asks of a request, by the header's name
    b"accept-encoding": "HTTP_ACCEPT_ENCODING",
    b"if-modified-since": "HTTP_IF_MODIFIED_SINCE",
    b"if-none-match": "HTTP_IF_NONE_MATCH",
    b"range": "HTTP_RANGE",
}


class Files:
    """The files that WhiteNoise knows, and those of archives."""

    def __init__(self, known: WhiteNoise, shelf: Shelf | None = None) -> None:
        self.known, self.shelf = known, shelf

    def find(self, path: str) -> StaticFile | None:
        """Return the file at an address; while developing (DEBUG) it is looked for each time."""
        if self.shelf is not None and path.startswith(PREFIX):
            return self.shelf.find(path)
        found: StaticFile | None = self.known.find_file(path) if self.known.autorefresh else self.known.files.get(path)
        return found

    async def send(self, file: StaticFile, scope: Scope, send: Send) -> None:
        """Answer a request for a file that was found."""
        asked = {CONDITIONS[name]: value.decode("latin-1") for name, value in scope["headers"] if name in CONDITIONS}
        answer = file.get_response(scope["method"], asked)
        FILES.labels(f"{int(answer.status) // 100}xx").inc()
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
        headers.append((b"x-content-type-options", b"nosniff"))
        await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
        await self._send_file(answer.file, send)

    async def _send_file(self, file: BinaryIO | None, send: Send) -> None:
        """Send the file piece by piece. Reading does not block the loop for long: static files are few and stay in the system's memory, and of an archive a piece is read at a time."""
        if file is not None:
            with file:
                while part := file.read(CHUNK):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
