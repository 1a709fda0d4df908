"""The people of the load: players by page and by API, and listeners who watch tables."""

from __future__ import annotations

import asyncio
import html
import random
import re
import secrets
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tools.load.client import Client, Lost, connection
from tools.load.figures import Figures

READS_EACH = 2  # with every action
LONGEST_CHOICE = 40
_ACTION = re.compile(r'name="action"\s+value="([^"]*)"')
_CHOICE = re.compile(r'href="(\?a=[^"]+)"')
_VERSION = re.compile(r'data-version="(\d+)"')
_IS_MINE = re.compile(r'id="table"[^>]* data-mine\b')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken"[^>]*value="([^"]+)"')
_PART = re.compile(r'<[^>]*\bid="([\w-]+)"[^>]*\bdata-h="([0-9a-f]+)"')
_STEPS = re.compile(r'<script id="reel-steps".*?</script>', re.DOTALL)  # markup of other positions
_KEPT = re.compile(r'<i data-keep="([\w -]+)">')
_STREAM = re.compile(r'data-stream="([^"]+)"')


@dataclass
class Moves:
    """When people sent the moves that made each version of a table, and when listeners heard of them."""

    sent: dict[tuple[int, int], float] = field(default_factory=dict)
    heard: list[tuple[int, int, float]] = field(default_factory=list)

    def made(self, table: int, version: int, sent_at: float) -> None:
        self.sent[table, version] = sent_at

    def lags(self) -> list[float]:
        """Return for each move and listener the seconds from sending it to hearing of it."""
        return [at - self.sent[table, version] for table, version, at in self.heard if (table, version) in self.sent]


@dataclass
class Player(ABC):
    """Somebody at one table with bots, who thinks some seconds before each action."""

    client: Client
    game: str
    most_seats: int
    think_s: float
    moves: Moves
    random: random.Random
    table: int = 0

    @abstractmethod
    async def sit_down(self) -> None:
        """Open a table. Raises Lost when the portal refuses."""

    @abstractmethod
    async def turn(self) -> bool:
        """Look at the table and play if it is this person's turn; return whether the game goes on."""

    async def play(self) -> None:
        """Play one game after another until the task is cancelled."""
        await asyncio.sleep(self.random.uniform(0, self.think_s))
        while True:
            try:
                if not self.table or not await self.turn():
                    await self.sit_down()
            except Lost:
                await asyncio.sleep(1.0)
            await asyncio.sleep(self.random.uniform(0.5, 1.5) * self.think_s)


@dataclass
class PagePlayer(Player):
    """A guest with a browser: reads the region of the table, chooses piece by piece, sends the form.

    As the page's script does, each request lists the pieces of markup that the page has, so that only the others are sent, and asks for
    the steps since the version that it shows.
    """

    have: dict[str, str] = field(default_factory=dict)
    shown: str = "0"
    token: str = ""

    async def sit_down(self) -> None:
        await self.client.get("/", "front page")
        answer = await self.client.post_form(f"/play/{self.game}/", "open a table, page", {})
        found = re.search(r"/tables/(\d+)/", answer.headers.get("location", ""))
        if not found:
            raise Lost(f"no table of {self.game}: {answer.status}")
        self.table = int(found[1])

    async def _look(self, address: str) -> str:
        answer = await self.client.get(address, "table, region", **self._listed())
        return self._seen(answer.text())

    def _listed(self) -> dict[str, str]:
        have = ",".join(f"{part}:{digest}" for part, digest in self.have.items())
        return {"HX_Request": "true", "HX_Target": "table", "X_Have": have, "X_Reel": self.shown}

    def _seen(self, page: str) -> str:
        """Note the pieces that the page has now."""
        kept = {part for parts in _KEPT.findall(page) for part in parts.split()}
        self.have = {part: digest for part, digest in self.have.items() if part in kept} | dict(_PART.findall(_STEPS.sub("", page)))
        version = _VERSION.search(page)
        self.shown = version[1] if version else self.shown
        if token := _TOKEN.search(page):  # sent only if the page lacks it
            self.token = token[1]
        return page

    async def turn(self) -> bool:
        self.have = {}
        page = self._seen((await self.client.get(f"/tables/{self.table}/", "table, page")).text())
        for _ in range(READS_EACH - 1):
            page = await self._look(f"/tables/{self.table}/")
        for _ in range(LONGEST_CHOICE):
            if 'class="result__title"' in page:
                return False
            actions, choices = _ACTION.findall(page), _CHOICE.findall(page)
            if not _IS_MINE.search(page):
                return True
            if not (actions or choices):  # the question is the same, so it was not sent again
                self.have = {}
                page = await self._look(f"/tables/{self.table}/")
                if not (_ACTION.search(page) or _CHOICE.search(page)):
                    return True
                continue
            if actions and (not choices or self.random.random() < 0.5):
                await self._send(html.unescape(self.random.choice(actions)), page)
                return True
            page = await self._look(f"/tables/{self.table}/{html.unescape(self.random.choice(choices))}")
        return True

    async def _send(self, action: str, page: str) -> None:
        values = {"action": action, "expected_version": self.shown, "csrfmiddlewaretoken": self.token}
        begin = time.perf_counter()
        answer = await self.client.post_form(f"/tables/{self.table}/act/", "action, page", values, **self._listed())
        if answer.status == 200:
            self.moves.made(self.table, int(answer.headers["x-table-version"]), begin)
        elif answer.status not in (409, 422):  # somebody was faster, or it is not allowed
            self.client.figures.failed("action, page", str(answer.status))


async def sign_up(client: Client) -> None:
    """Create an account with a token, which the client sends from now on. Raises Lost."""
    await client.get("/accounts/signup/", "other")
    name = "load" + secrets.token_hex(6)
    await client.post_form("/accounts/signup/", "other", {"username": name, "password1": secrets.token_urlsafe(16), "email": ""})
    answer = await client.post_form("/settings/tokens/", "other", {"name": "load", "scopes": ["read", "play"]})
    token = re.search(r"\b[0-9a-f]{40}\b", answer.text())
    if not token:
        raise Lost(f"no token: {answer.status}")
    client.headers["Authorization"] = f"Token {token[0]}"
    client.cookies.clear()


class ApiPlayer(Player):
    """A program: reads the table as JSON and sends one of the legal actions."""

    async def sit_down(self) -> None:
        if "Authorization" not in self.client.headers:
            await sign_up(self.client)
        seats = min(3, self.most_seats)
        values = {"game": self.game, "seats": seats, "bots": ["apprentice"] * (seats - 1)}
        answer = await self.client.post_json("/api/v1/tables/", "open a table, API", values)
        if answer.status != 201:
            raise Lost(f"no table of {self.game}: {answer.status} {answer.text()[:200]}")
        self.table = int(str(answer.json()["id"]))

    async def turn(self) -> bool:
        for _ in range(READS_EACH):
            table = (await self.client.get(f"/api/v1/tables/{self.table}/", "table, API")).json()
        if table["status"] != "playing":
            return False
        legal = table["legal"]
        if isinstance(legal, list) and legal:
            values = {"action": self.random.choice(legal), "expected_version": table["version"]}
            begin = time.perf_counter()
            answer = await self.client.post_json(f"/api/v1/tables/{self.table}/actions/", "action, API", values)
            if answer.status == 200:
                self.moves.made(self.table, int(str(answer.json()["version"])), begin)
        return True


@dataclass
class Absent(ApiPlayer):
    """Opens a table with bots of a level and leaves it, so that bots play it to the end among themselves, its own seat by a bot of the usual level; then opens the next."""

    level: str = "apprentice"
    opened: int = 0

    async def play(self) -> None:
        while True:
            try:
                if not self.table or await self._is_over():
                    await self._open()
                await asyncio.sleep(self.think_s)
            except Lost:
                await asyncio.sleep(1.0)

    async def _is_over(self) -> bool:
        answer = await self.client.get(f"/api/v1/tables/{self.table}/", "other")
        return answer.status != 200 or answer.json()["status"] != "playing"

    async def _open(self) -> None:
        if "Authorization" not in self.client.headers:
            await sign_up(self.client)
        values = {"game": self.game, "seats": self.most_seats, "bots": [self.level] * (self.most_seats - 1)}
        answer = await self.client.post_json("/api/v1/tables/", "other", values)
        if answer.status != 201:
            raise Lost(f"no table of {self.game}: {answer.status} {answer.text()[:200]}")
        self.table = int(str(answer.json()["id"]))
        self.opened += 1
        await self.client.post_json(f"/api/v1/tables/{self.table}/leave/", "other", {})


async def listen(site: str, number: int, table: int, moves: Moves, figures: Figures) -> None:
    """Watch a table until the task is cancelled: how long after the answer to a move does its version arrive?"""
    client = Client(site, number, figures)
    while True:
        try:
            page = (await client.get(f"/tables/{table}/", "table, watched")).text()
            found = _STREAM.search(page)
            if not found:
                await asyncio.sleep(2.0)
                continue
            await _hear(site, number, html.unescape(found[1]), table, moves)
        except (Lost, OSError, TimeoutError, asyncio.IncompleteReadError):
            await asyncio.sleep(1.0)


async def _hear(site: str, number: int, stream: str, table: int, moves: Moves) -> None:
    reader, writer = await connection(site, number)
    last: int | None = None  # what the table has at first
    try:
        writer.write(f"GET {stream} HTTP/1.1\r\nHost: {site.partition('//')[2]}\r\n\r\n".encode())
        while True:
            line = await reader.readline()
            if not line:
                raise Lost(f"stream of table {table} ended")
            if line.startswith(b"data: ") and line[6:].strip().isdigit():
                version = int(line[6:])
                if last is not None:  # versions that follow one another quickly are told of at once
                    moves.heard += [(table, told, time.perf_counter()) for told in range(last + 1, version + 1)]
                last = version
    finally:
        writer.close()
