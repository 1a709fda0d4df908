"""The Python client against a portal of a few lines: what it sends, and what its bots do when something is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from ziggurat_client import AsyncBot, AsyncClient, Bot, Client, Lost, Position, Problem

SITE = "http://portal.test"
Answer = Callable[[httpx.Request], httpx.Response]


def line(kind: str, table: int, version: int, legal: Sequence[str] = ()) -> dict[str, Any]:
    return {"type": kind, "table": table, "version": version, "game": "ra", "status": "playing", "legal": list(legal)}


def stream(*lines: dict[str, Any], breaks: bool = False) -> httpx.Response:
    """Return a stream of these lines; one that breaks ends with an error of the connection."""

    class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __iter__(self):
            yield from (json.dumps(one).encode() + b"\n" for one in lines)
            if breaks:
                raise httpx.ReadError("broken")

        async def __aiter__(self):
            for part in self:
                yield part

    return httpx.Response(200, stream=Body())


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    told = {"detail": "No.", "rule": "ra#auction-3", "error": {"code": code}}
    return httpx.Response(status, json=told, headers=headers)


def took() -> httpx.Response:
    return httpx.Response(200, json=line("state", 7, 2) | {"id": 7})


class Portal:
    """Gives the answers in their order; an exception is raised. `asked` has what came: method, path with query, body."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode().removeprefix("/api/v1/")
        self.asked.append((request.method, path, json.loads(request.content) if request.content else None))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def paths(self) -> list[str]:
        return [path.replace("%3A", ":").replace("%2C", ",") for _method, path, _body in self.asked]


class Played(Exception):
    """The portal of the test has nothing more to say."""


def sync_run(portal: Portal) -> tuple[list[str], list[float]]:
    """Let a bot play until the portal has no answers left; return what it chose at, and how long it slept."""
    chosen, slept = [], []

    class First(Bot):
        def choose(self, position: Position) -> str:
            chosen.append(f"{position.table}:{position.version}")
            return position.legal[0]

    bot = First(Client(SITE, "secret", transport=httpx.MockTransport(portal)), sleep=slept.append)
    with pytest.raises((IndexError, Problem)):
        bot.run()
    return chosen, slept


def async_run(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[float]]:
    chosen, slept = [], []

    class First(AsyncBot):
        async def choose(self, position: Position) -> str:
            chosen.append(f"{position.table}:{position.version}")
            return position.legal[0]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def play() -> None:
        async with AsyncClient(SITE, "secret", transport=httpx.MockTransport(portal)) as client:
            await First(client).run()

    monkeypatch.setattr("ziggurat_client.bots.asyncio.sleep", sleep)
    with pytest.raises((IndexError, Problem)):
        asyncio.run(play())
    return chosen, slept


@pytest.fixture(params=["sync", "async"])
def run(request, monkeypatch):
    return sync_run if request.param == "sync" else lambda portal: async_run(portal, monkeypatch)


def test_a_bot_answers_and_connects_again_with_what_it_knows(run):
    portal = Portal(
        stream(line("your_move", 7, 1, ["draw", "god"]), line("state", 8, 5), {"type": "alive"}, breaks=True),
        took(),
        stream(line("over", 8, 6), line("your_move", 7, 3, ["god"])),
        took(),
    )
    chosen, slept = run(portal)
    assert chosen == ["7:1", "7:3"]
    assert portal.asked[1] == ("POST", "tables/7/actions/", {"action": "draw", "expected_version": 1})
    assert portal.paths == ["stream/", "tables/7/actions/", "stream/?since=7:1,8:5", "tables/7/actions/", "stream/?since=7:3"]
    assert slept == [0.5, 0.5]  # each time the portal has said something meanwhile


def test_no_version_is_answered_twice(run):
    move = line("your_move", 7, 1, ["draw"])
    portal = Portal(stream(move, move), took(), stream(move))
    assert run(portal)[0] == ["7:1"]


def test_an_answer_that_is_lost_is_sent_again_as_it_was(run):
    portal = Portal(stream(line("your_move", 7, 1, ["draw"])), httpx.ReadError("lost"), refusal(503, "away"), refusal(409, "stale"))
    chosen, slept = run(portal)
    assert chosen == ["7:1"]
    assert [body for method, _path, body in portal.asked if method == "POST"] == [{"action": "draw", "expected_version": 1}] * 3
    assert slept[:2] == [0.5, 1.0]


def test_a_table_that_takes_no_answer_is_told_of_again(run):
    move = line("your_move", 7, 1, ["draw"])
    portal = Portal(stream(move), *[httpx.ConnectError("away")] * 8, stream(move), took())
    chosen, _slept = run(portal)
    assert chosen == ["7:1", "7:1"]
    assert portal.paths[9] == "stream/"


def lost_on_time(version: int) -> dict[str, Any]:
    return line("state", 7, version) | {"my_seat": None, "can_come_back": True}


def back(version: int) -> httpx.Response:
    return httpx.Response(200, json=line("state", 7, version) | {"id": 7, "my_seat": 0, "can_come_back": False})


def test_a_bot_comes_back_to_a_seat_that_was_lost_on_time(run):
    """Once for each time: a line from before the return asks for nothing. After three times the seat stays with the portal's bot."""
    portal = Portal(
        stream(lost_on_time(3), lost_on_time(4), line("your_move", 7, 5, ["draw"]), lost_on_time(8), lost_on_time(11), lost_on_time(14)),
        back(5),
        took(),
        back(9),
        back(12),
    )
    assert run(portal)[0] == ["7:5"]
    posts = [path for method, path, _body in portal.asked if method == "POST"]
    assert posts == ["tables/7/come-back/", "tables/7/actions/", "tables/7/come-back/", "tables/7/come-back/"]


def test_a_seat_that_cannot_be_taken_back_now_is_asked_for_when_it_is_told_of_again(run):
    portal = Portal(stream(lost_on_time(3)), httpx.ConnectError("away"), stream(lost_on_time(3)), back(4))
    run(portal)
    assert portal.paths[:4] == ["stream/", "tables/7/come-back/", "stream/", "tables/7/come-back/"]


def test_pauses_grow_while_the_portal_is_away(run):
    away = httpx.ConnectError("away")
    slept = run(Portal(*[away] * 8, refusal(429, "too_many_streams", **{"retry-after": "60"})))[1]
    assert slept == [0.5, 1, 2, 4, 8, 16, 30, 30, 60]


def test_a_token_that_is_not_valid_ends_the_bot(run):
    portal = Portal(stream({"type": "gone", "table": None}), refusal(401, "authentication_failed"))
    assert run(portal) == ([], [0.5])
    assert not portal.answers


def test_a_refused_answer_is_told_and_not_repeated():
    told = []

    class Stubborn(Bot):
        def choose(self, position: Position) -> str:
            return "nonsense"

        def on_problem(self, position: Position, problem: Problem) -> None:
            told.append((position.version, problem.status, problem.code, problem.rule))
            self.stop()

    portal = Portal(stream(line("your_move", 7, 1, ["draw"])), refusal(422, "illegal"))
    Stubborn(Client(SITE, transport=httpx.MockTransport(portal))).run()
    assert told == [(1, 422, "illegal", "ra#auction-3")]


def test_requests_lists_and_errors():
    page = httpx.Response(200, json={"results": [{"id": 1}], "next": f"{SITE}/api/v1/notices/?cursor=x"})
    portal = Portal(
        httpx.Response(200, json={"token": "t0", "username": "alice"}),
        page,
        httpx.Response(200, json={"results": [{"id": 2}], "next": None}),
        refusal(404, "table_not_found"),
        httpx.Response(502, text="Bad gateway"),
        httpx.ConnectError("away"),
        httpx.Response(204),
    )
    with Client(SITE, transport=httpx.MockTransport(portal)) as client:
        assert client.sign_in("alice", "correct horse") == "t0"
        assert client._http.headers["Authorization"] == "Token t0"
        assert [row["id"] for row in client.rows("notices/", limit=1)] == [1, 2]
        assert portal.paths[1:3] == ["notices/?limit=1", "notices/?cursor=x"]
        with pytest.raises(Problem, match="404 table_not_found"):
            client.table(9)
        with pytest.raises(Problem) as gateway:
            client.table(9)
        assert (gateway.value.status, gateway.value.code, gateway.value.may_pass) == (502, "unknown", True)
        with pytest.raises(Lost):
            client.table(9)
        assert client.ask("POST", "tables/7/leave/", {}) is None


def test_a_stream_of_one_table_says_its_version_alone():
    portal = Portal(stream(line("state", 7, 5)), refusal(404, "table_not_found"))
    client = Client(SITE, transport=httpx.MockTransport(portal))
    assert [position.version for position in client.stream(7, since={7: 4, 8: 1})] == [5]
    with pytest.raises(Problem):
        list(client.stream(7))
    assert portal.paths == ["tables/7/moves/?since=4", "tables/7/moves/"]
