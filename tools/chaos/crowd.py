"""Clients that hold connections: they read nothing, or send half of something."""

from __future__ import annotations

import contextlib
import resource
import socket
from collections.abc import Iterator, Sequence

from tools.chaos.client import Person
from tools.chaos.host import Host

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:"
HALF_BODY = b"POST /tables/1/act/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\naction="
EACH_ADDRESS = 220


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


@contextlib.contextmanager
def holding(port: int, sent: Sequence[bytes], each: int = EACH_ADDRESS) -> Iterator[None]:
    """Hold a connection for each text, which it has sent; `each` of them share an address of this machine. None reads anything."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.ExitStack() as stack:
        for number, text in enumerate(sent):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind((f"127.0.4.{1 + number // each}", 0))
            connection.settimeout(10)
            connection.connect(("127.0.0.1", port))
            connection.sendall(text)
        yield


def largest_file(host: Host) -> str:
    """Return the address of the largest static file."""
    root = host.portal.folder / "staticfiles"
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix not in (".gz", ".br")]
    return "/static/" + max(files, key=lambda path: path.stat().st_size).relative_to(root).as_posix()


def stream_paths(person: Person, tables: Sequence[int]) -> list[str]:
    """Return the addresses of the event streams of tables in play; of those that have ended meanwhile there is none."""
    answers = [person.api("GET", f"tables/{table}/stream/") for table in tables]
    return [str(answer.json()["url"]) for answer in answers if answer.status == 200]
