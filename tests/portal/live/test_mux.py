"""No body above 64 kB reaches Django, whether its length is announced or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from portal.live import mux as mux_module
from portal.live.mux import BODY_LIMIT, SWALLOW_LIMIT, Mux


class Answer:
    """The front's answer, and the body that Django got, if any."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.reached: bytes | None = None
        self.length: bytes | None = None
        self.read = 0

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def text(self) -> str:
        return b"".join(event.get("body", b"") for event in self.sent).decode()


def ask(parts: Iterable[bytes], *, headers: Iterable[tuple[bytes, bytes]] = (), path: str = "/tables/1/", method: str = "POST") -> Answer:
    answer = Answer()
    events = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    events.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Any:
        if answer.read < len(events):
            answer.read += 1
            return events[answer.read - 1]
        await asyncio.sleep(3600)

    async def send(event: Any) -> None:
        answer.sent.append(event)

    async def pages(scope: Any, receive: Any, send: Any) -> None:
        answer.reached = (await receive())["body"]
        answer.length = dict(scope["headers"]).get(b"content-length")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})

    scope = {"type": "http", "method": method, "path": path, "headers": list(headers)}
    asyncio.run(Mux(None, pages)(scope, receive, send))  # type: ignore[arg-type]
    return answer


def length(size: int) -> tuple[bytes, bytes]:
    return (b"content-length", b"%d" % size)


CHUNKED = (b"transfer-encoding", b"chunked")


def test_a_body_at_the_limit_reaches_django_whole() -> None:
    answer = ask([b"a" * 1000, b"b" * (BODY_LIMIT - 1000)], headers=[length(BODY_LIMIT)])
    assert answer.status == 200
    assert answer.reached == b"a" * 1000 + b"b" * (BODY_LIMIT - 1000)


def test_a_chunked_body_reaches_django_with_its_length() -> None:
    answer = ask([b"action=", b"draw"], headers=[CHUNKED])
    assert (answer.reached, answer.length) == (b"action=draw", b"11")


@pytest.mark.parametrize("headers", [[length(BODY_LIMIT + 1)], [CHUNKED], [], [length(10)]])
def test_a_body_above_the_limit_is_refused(headers: list[tuple[bytes, bytes]]) -> None:
    answer = ask([b"x" * 40_000, b"x" * 40_000], headers=headers)
    assert answer.status == 413
    assert answer.reached is None
    assert "larger than 64 kB" in answer.text
    assert "Nothing was changed" in answer.text


def test_an_announced_length_above_the_limit_is_refused_even_if_less_comes() -> None:
    assert ask([b"x"], headers=[length(1_000_000)]).status == 413


def test_a_get_with_a_body_is_measured_too() -> None:
    assert ask([b"x" * (BODY_LIMIT + 1)], headers=[length(BODY_LIMIT + 1)], method="GET").status == 413


def test_clients_of_the_api_get_json() -> None:
    for answer in (
        ask([b"x" * 70_000], headers=[CHUNKED], path="/api/tables/1/actions/"),
        ask([b"x" * 70_000], headers=[CHUNKED, (b"accept", b"application/json")]),
    ):
        assert json.loads(answer.text)["error"]["code"] == "too_big"


def test_an_endless_body_is_not_read_for_ever() -> None:
    part = b"x" * 65_536
    answer = ask([part] * 1000, headers=[CHUNKED])
    assert answer.status == 413
    assert answer.read * len(part) <= SWALLOW_LIMIT + 2 * len(part)


def test_a_body_that_never_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mux_module, "BODY_WITHIN_S", 0.05)
    answer = Answer()

    async def never() -> Any:
        await asyncio.sleep(3600)

    async def send(event: Any) -> None:
        answer.sent.append(event)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [length(5)]}
    asyncio.run(Mux(None, None)(scope, never, send))  # type: ignore[arg-type]
    assert answer.status == 408
