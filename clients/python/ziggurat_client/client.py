"""Requests to the portal, one class for ordinary programs and one for asyncio. Both know the same operations."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final
from urllib.parse import quote

import httpx

from ziggurat_client.problems import Lost, problem_of
from ziggurat_client.records import Position

ANSWER_WITHIN_S: Final = 30.0
SILENT_FOR_S: Final = 45.0  # the portal says every 15 s that a stream is alive
ROOT: Final = "/api/v1/"


def stream_path(table: int | None, since: Mapping[int, int] | None) -> tuple[str, dict[str, str]]:
    """Return address and query of a stream: of one table, or of all (None). `since` has the version of each table that is known."""
    known = dict(since or {})
    if table is not None:
        return f"tables/{table}/moves/", {"since": str(known[table])} if table in known else {}
    return "stream/", {"since": ",".join(f"{number}:{version}" for number, version in sorted(known.items()))} if known else {}


def values_of(answer: httpx.Response) -> Any:
    """Return the JSON of an answer, None if it has none. Raises Lost if it is something else, such as a page of a proxy."""
    try:
        return answer.json() if answer.content else None
    except ValueError as error:
        raise Lost(f"no JSON at {answer.url}") from error


def position_of(line: str) -> Position:
    """Return a line of a stream. Raises Lost if it is none."""
    try:
        return Position.of(json.loads(line))
    except (ValueError, KeyError) as error:
        raise Lost(f"no line of a stream: {line[:80]}") from error


def _headers(token: str, language: str) -> dict[str, str]:
    headers = {"Accept-Language": language}
    return headers | {"Authorization": f"Token {token}"} if token else headers


class Client:
    """The API of the portal at `site` ("https://play.example.org"), as the person who has `token`; as a visitor without one.

    Every method raises Problem for a refusal, and Lost where there is no answer. `transport` is for tests.
    """

    def __init__(self, site: str, token: str = "", *, language: str = "en", transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(
            base_url=site.rstrip("/") + ROOT, headers=_headers(token, language), timeout=ANSWER_WITHIN_S, transport=transport
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def sign_in(self, username: str, password: str) -> str:
        """Get a token, use it from now on, and return it."""
        token = str(self.ask("POST", "token/", {"username": username, "password": password})["token"])
        self._http.headers["Authorization"] = f"Token {token}"
        return token

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str | int) -> Any:
        """Send a request to an address below `/api/v1/` and return the JSON of the answer; None if it has none."""
        try:
            answer = self._http.request(method, path, json=body, params=query or None)
        except httpx.TransportError as error:
            raise Lost(str(error)) from error
        if not answer.is_success:
            raise problem_of(answer)
        return values_of(answer)

    def rows(self, path: str, **query: str | int) -> Iterator[dict[str, Any]]:
        """Yield all rows of a list, page by page."""
        page = self.ask("GET", path, None, **query)
        yield from page["results"]
        while page["next"]:
            page = self.ask("GET", page["next"])
            yield from page["results"]

    def games(self) -> list[dict[str, Any]]:
        """Return the games with their player counts, options and bot levels."""
        return list(self.ask("GET", "games/"))

    def bots(self, game: str = "") -> Iterator[dict[str, Any]]:
        """Yield people's bot accounts, the newest first; with `game`, those that play it."""
        yield from self.rows("bots/", **({"game": game} if game else {}))

    def challenge(self, name: str, game: str, seats: int, **settings: Any) -> Position:
        """Open a table with a bot account, which sits down at once if its rules allow. `settings` are other fields of `POST bots/{name}/challenges/`."""
        return Position.of(self.ask("POST", f"bots/{quote(name, safe='')}/challenges/", {"game": game, "seats": seats, **settings}))

    def create_table(self, game: str, seats: int, *, bots: tuple[str, ...] = (), **settings: Any) -> Position:
        """Open a table. A full one starts at once. `settings` are other fields of `POST tables/`."""
        return Position.of(self.ask("POST", "tables/", {"game": game, "seats": seats, "bots": list(bots), **settings}))

    def match(self, game: str, bots: Sequence[str], games: int, *, levels: Sequence[str] = (), **settings: Any) -> dict[str, Any]:
        """Start a match of these bot accounts and levels, and return it as `GET matches/17/` does. `settings` are other fields, such as `pace`."""
        body = {"game": game, "bots": list(bots), "games": games, "levels": list(levels), **settings}
        return dict(self.ask("POST", "matches/", body))

    def join(self, table: int) -> Position:
        """Take a seat at an open table."""
        return Position.of(self.ask("POST", f"tables/{table}/join/", {}))

    def come_back(self, table: int) -> Position:
        """Take your seat back from the bot that keeps it since you ran out of time."""
        return Position.of(self.ask("POST", f"tables/{table}/come-back/", {}))

    def table(self, table: int) -> Position:
        """Return a table as you can see it now."""
        return Position.of(self.ask("GET", f"tables/{table}/"))

    def act(self, table: int, action: str, version: int) -> Position:
        """Play an action that was chosen at a version. Problem with status 409: the table has moved on since."""
        return Position.of(self.ask("POST", f"tables/{table}/actions/", {"action": action, "expected_version": version}))

    def record(self, table: int) -> dict[str, Any]:
        """Return the record of a finished game."""
        return dict(self.ask("GET", f"tables/{table}/record/"))

    def stream(self, table: int | None = None, since: Mapping[int, int] | None = None) -> Generator[Position, None, None]:
        """Yield what happens at all your tables, or at one. Ends when the portal ends the stream; raises Lost when it breaks off."""
        path, query = stream_path(table, since)
        limits = httpx.Timeout(ANSWER_WITHIN_S, read=SILENT_FOR_S)
        try:
            with self._http.stream("GET", path, params=query or None, timeout=limits) as answer:
                if not answer.is_success:
                    answer.read()
                    raise problem_of(answer)
                for line in answer.iter_lines():
                    yield position_of(line)
        except httpx.TransportError as error:
            raise Lost(str(error)) from error


class AsyncClient:
    """The same for asyncio."""

    def __init__(self, site: str, token: str = "", *, language: str = "en", transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._http = httpx.AsyncClient(
            base_url=site.rstrip("/") + ROOT, headers=_headers(token, language), timeout=ANSWER_WITHIN_S, transport=transport
        )

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def sign_in(self, username: str, password: str) -> str:
        """Get a token, use it from now on, and return it."""
        token = str((await self.ask("POST", "token/", {"username": username, "password": password}))["token"])
        self._http.headers["Authorization"] = f"Token {token}"
        return token

    async def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str | int) -> Any:
        """Send a request to an address below `/api/v1/` and return the JSON of the answer; None if it has none."""
        try:
            answer = await self._http.request(method, path, json=body, params=query or None)
        except httpx.TransportError as error:
            raise Lost(str(error)) from error
        if not answer.is_success:
            raise problem_of(answer)
        return values_of(answer)

    async def rows(self, path: str, **query: str | int) -> AsyncIterator[dict[str, Any]]:
        """Yield all rows of a list, page by page."""
        page = await self.ask("GET", path, None, **query)
        while True:
            for row in page["results"]:
                yield row
            if not page["next"]:
                return
            page = await self.ask("GET", page["next"])

    async def games(self) -> list[dict[str, Any]]:
        """Return the games with their player counts, options and bot levels."""
        return list(await self.ask("GET", "games/"))

    async def bots(self, game: str = "") -> AsyncIterator[dict[str, Any]]:
        """Yield people's bot accounts, the newest first; with `game`, those that play it."""
        async for row in self.rows("bots/", **({"game": game} if game else {})):
            yield row

    async def challenge(self, name: str, game: str, seats: int, **settings: Any) -> Position:
        """Open a table with a bot account, which sits down at once if its rules allow. `settings` are other fields of `POST bots/{name}/challenges/`."""
        return Position.of(await self.ask("POST", f"bots/{quote(name, safe='')}/challenges/", {"game": game, "seats": seats, **settings}))

    async def create_table(self, game: str, seats: int, *, bots: tuple[str, ...] = (), **settings: Any) -> Position:
        """Open a table. A full one starts at once. `settings` are other fields of `POST tables/`."""
        return Position.of(await self.ask("POST", "tables/", {"game": game, "seats": seats, "bots": list(bots), **settings}))

    async def match(self, game: str, bots: Sequence[str], games: int, *, levels: Sequence[str] = (), **settings: Any) -> dict[str, Any]:
        """Start a match of these bot accounts and levels, and return it as `GET matches/17/` does. `settings` are other fields, such as `pace`."""
        body = {"game": game, "bots": list(bots), "games": games, "levels": list(levels), **settings}
        return dict(await self.ask("POST", "matches/", body))

    async def join(self, table: int) -> Position:
        """Take a seat at an open table."""
        return Position.of(await self.ask("POST", f"tables/{table}/join/", {}))

    async def come_back(self, table: int) -> Position:
        """Take your seat back from the bot that keeps it since you ran out of time."""
        return Position.of(await self.ask("POST", f"tables/{table}/come-back/", {}))

    async def table(self, table: int) -> Position:
        """Return a table as you can see it now."""
        return Position.of(await self.ask("GET", f"tables/{table}/"))

    async def act(self, table: int, action: str, version: int) -> Position:
        """Play an action that was chosen at a version. Problem with status 409: the table has moved on since."""
        return Position.of(await self.ask("POST", f"tables/{table}/actions/", {"action": action, "expected_version": version}))

    async def record(self, table: int) -> dict[str, Any]:
        """Return the record of a finished game."""
        return dict(await self.ask("GET", f"tables/{table}/record/"))

    async def stream(self, table: int | None = None, since: Mapping[int, int] | None = None) -> AsyncGenerator[Position, None]:
        """Yield what happens at all your tables, or at one. Ends when the portal ends the stream; raises Lost when it breaks off."""
        path, query = stream_path(table, since)
        limits = httpx.Timeout(ANSWER_WITHIN_S, read=SILENT_FOR_S)
        try:
            async with self._http.stream("GET", path, params=query or None, timeout=limits) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise problem_of(answer)
                async for line in answer.aiter_lines():
                    yield position_of(line)
        except httpx.TransportError as error:
            raise Lost(str(error)) from error
