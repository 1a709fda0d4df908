"""Receivers on loopback: a mail server that keeps what it accepts, and a web address that notices are posted to."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class MailCatcher(socketserver.ThreadingTCPServer):
    """Speaks as much SMTP as is needed to accept mail. `refuses`: recipients whose mail is refused for good."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.mails: list[Message] = []
        self.refuses: set[str] = set()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Talk(socketserver.StreamRequestHandler):
    server: MailCatcher

    def handle(self) -> None:
        self._say("220 catcher")
        while line := self.rfile.readline().decode().strip():
            verb = line.split(" ", 1)[0].upper()
            if verb == "DATA":
                self._say("354 go on")
                body = bytearray()
                while (part := self.rfile.readline()) not in (b".\r\n", b""):
                    body += part[1:] if part.startswith(b"..") else part
                self.server.mails.append(message_from_bytes(bytes(body)))
                self._say("250 kept")
            elif verb == "RCPT" and any(f"<{one}>" in line for one in self.server.refuses):
                self._say("550 no such mailbox")
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class HookCatcher(ThreadingHTTPServer):
    """Keeps what is posted to it, and answers `status`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.posts: list[tuple[bytes, dict[str, str]]] = []
        self.status = 204
        self.location = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/in?x=1"

    @property
    def said(self) -> list[dict[str, Any]]:
        return [json.loads(body) for body, _ in self.posts]


class _Answer(BaseHTTPRequestHandler):
    server: HookCatcher

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append((body, {name.lower(): value for name, value in self.headers.items()}))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        raise AssertionError("nothing asks for a page here")

    def log_message(self, *_args: Any) -> None:
        pass


@contextmanager
def running(server: Any) -> Iterator[Any]:
    """Serve in a thread until the block is left."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
