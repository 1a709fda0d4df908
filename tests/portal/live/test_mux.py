"""The front of the server: no body above 64 kB, places for each address, files without a thread."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from whitenoise.base import WhiteNoise

from portal.live import mux as mux_module
from portal.live.files import Files
from portal.live.mux import BODY_LIMIT, PICTURE_LIMIT, PICTURE_PATH, SWALLOW_LIMIT, Mux
from portal.live.places import Places
from portal.live.protocol import network


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


def test_a_picture_may_be_larger_at_its_own_address() -> None:
    body = b"x" * (PICTURE_LIMIT - 10)
    assert ask([body], headers=[length(len(body))], path=PICTURE_PATH).reached == body
    assert ask([body], headers=[length(len(body))], path=PICTURE_PATH + "x/").status == 413
    assert ask([body], headers=[CHUNKED], path=PICTURE_PATH).status == 413  # nobody knows how much will come
    refused = ask([body, body], headers=[length(2 * len(body))], path=PICTURE_PATH)
    assert refused.status == 413
    assert "larger than 5 MB" in refused.text


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


def test_a_reader_that_takes_nothing_is_given_up_and_its_place_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mux_module, "SEND_WITHIN_S", 0.05)
    asks = Places(1, 1)

    async def never(_event: Any) -> None:
        await asyncio.sleep(3600)

    async def pages(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("10.0.0.1", 1)}
    asyncio.run(Mux(None, pages, asks=asks)(scope, never, never))  # type: ignore[arg-type]
    assert asks.taken == 0


def full(path: str, headers: Iterable[tuple[bytes, bytes]] = (), method: str = "GET") -> Answer:
    """Ask a front whose one place for each kind of request is taken by the same address."""
    answer = Answer()
    places = {"streams": Places(5, 1), "sends": Places(5, 1), "asks": Places(5, 1)}

    async def send(event: Any) -> None:
        answer.sent.append(event)

    async def ask_in_vain() -> None:
        with places["streams"].take("10.0.0.1"), places["asks"].take("10.0.0.1"):
            scope = {"type": "http", "method": method, "path": path, "headers": list(headers), "client": ("10.0.0.1", 1)}
            await Mux(None, None, **places)(scope, None, send)  # type: ignore[arg-type]

    asyncio.run(ask_in_vain())
    return answer


@pytest.mark.parametrize(
    ("language", "title"),
    [
        (b"hu-HU,hu;q=0.9", "Túl sok egyszerre"),
        (b"ru", "Слишком много сразу"),
        (b"en", "Too many requests at once"),
        (b"xx", "Too many requests at once"),
    ],
)
def test_who_has_all_places_is_told_when_to_try_again(language: bytes, title: str) -> None:
    answer = full("/tables/1/", [(b"accept-language", language)])
    assert answer.status == 503
    assert dict(answer.sent[0]["headers"])[b"retry-after"] == b"3"
    assert f"<h1>{title}</h1>" in answer.text


def test_the_language_of_the_cookie_comes_first() -> None:
    assert "<h1>Túl sok" in full("/", [(b"accept-language", b"ru"), (b"cookie", b"a=b; django_language=hu")]).text


def test_a_stream_too_many_and_a_program_are_told_in_their_way() -> None:
    stream = full("/events/tables/1/")
    assert (stream.status, dict(stream.sent[0]["headers"])[b"retry-after"]) == (503, b"15")
    refused = full("/api/v1/tables/", method="POST")
    assert (json.loads(refused.text)["error"]["code"], json.loads(refused.text)["status"]) == ("no_place", 503)
    assert dict(refused.sent[0]["headers"])[b"content-type"] == b"application/problem+json"
    assert full("/", method="HEAD").text == ""


@pytest.mark.parametrize(
    ("count", "hops", "expected"),
    [(0, "9.9.9.9", "10.0.0.1"), (1, "9.9.9.9, 8.8.8.8", "8.8.8.8"), (1, "", "10.0.0.1"), (1, "2001:db8::7:1", "2001:db8::/64")],
)
def test_the_address_that_counts_is_what_the_trusted_proxy_saw(settings: Any, count: int, hops: str, expected: str) -> None:
    settings.PROXY_COUNT = count
    assert network({"headers": [(b"x-forwarded-for", hops.encode())], "client": ("10.0.0.1", 1)}) == expected


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """One file of 200,000 bytes, with a compressed copy beside it."""
    text = b"temple " * 28_572
    (tmp_path / "a.css").write_bytes(text)
    (tmp_path / "a.css.gz").write_bytes(gzip.compress(text))
    return Files(WhiteNoise(None, root=str(tmp_path), prefix="/static/"))


def fetch(files: Files, headers: Iterable[tuple[bytes, bytes]] = (), method: str = "GET") -> Answer:
    answer = Answer()

    async def send(event: Any) -> None:
        answer.sent.append(event)

    scope = {"type": "http", "method": method, "path": "/static/a.css", "headers": list(headers)}
    asyncio.run(Mux(None, None, files)(scope, None, send))  # type: ignore[arg-type]
    return answer


def test_files_are_sent_in_pieces_compressed_and_not_again(files: Files) -> None:
    plain = fetch(files)
    head = dict(plain.sent[0]["headers"])
    pieces = [len(event["body"]) for event in plain.sent[1:]]
    assert (plain.status, sum(pieces), max(pieces)) == (200, 200_004, 64 * 1024)
    assert (head[b"content-length"], head[b"x-content-type-options"]) == (b"200004", b"nosniff")
    packed = fetch(files, [(b"accept-encoding", b"gzip")])
    assert dict(packed.sent[0]["headers"])[b"content-encoding"] == b"gzip"
    assert sum(len(event["body"]) for event in packed.sent[1:]) < 2_000
    again = fetch(files, [(b"if-none-match", head[b"etag"])])
    assert (again.status, again.text) == (304, "")
    assert fetch(files, method="HEAD").text == ""
    assert fetch(files, method="POST").status == 405
    part = fetch(files, [(b"range", b"bytes=0-5")])
    assert (part.status, part.text) == (206, "temple")
