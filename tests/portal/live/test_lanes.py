"""Readers without a session and people don't wait for each other's pages."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from portal.live.pages import Pages

PERSON = [(b"cookie", b"theme=dark; sessionid=abc")]
TOKEN = [(b"authorization", b"Bearer abc")]
VISITOR = [(b"cookie", b"theme=dark")]


@pytest.mark.parametrize(
    ("held", "free"),
    [
        (("GET", PERSON), ("GET", VISITOR)),
        (("GET", VISITOR), ("GET", PERSON)),
        (("GET", VISITOR), ("GET", TOKEN)),
        (("GET", VISITOR), ("POST", VISITOR)),
    ],
)
def test_a_page_that_takes_long_holds_up_only_readers_of_its_kind(held: Any, free: Any) -> None:
    release = threading.Event()
    order: list[str] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/long/":
            assert release.wait(20)
        order.append(environ["PATH_INFO"])
        start_response("200 OK", [])
        return []

    async def ask() -> None:
        pages = Pages(application, 1)
        first = [asyncio.create_task(asked(pages, "/long/", *held)), asyncio.create_task(asked(pages, "/alike/", *held))]
        await asyncio.sleep(0)
        await asked(pages, "/other/", *free)
        release.set()
        await asyncio.gather(*first)

    asyncio.run(ask())
    assert order == ["/other/", "/long/", "/alike/"]


def test_probes_do_not_wait_for_visitors() -> None:
    pages = Pages(lambda _environ, _start_response: [], 1)
    kinds = {path: pages._is_of_a_visitor({"REQUEST_METHOD": "GET", "PATH_INFO": path}) for path in ("/", "/healthz", "/readyz")}
    assert kinds == {"/": True, "/healthz": False, "/readyz": False}


async def asked(pages: Pages, path: str, method: str, headers: list[tuple[bytes, bytes]]) -> None:
    async def receive() -> Any:
        return {"body": b""}

    async def send(_message: Any) -> None:
        return None

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers, "http_version": "1.1"}
    await pages(scope, receive, send)
