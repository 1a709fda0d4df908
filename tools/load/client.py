"""A small HTTP client for many people at once: one connection each, from an address of their own, with cookies."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from tools.load.figures import Figures

WITHIN_S = 60.0


class Lost(Exception):
    """The portal closed the connection, or did not answer in time."""


@dataclass
class Answer:
    """What came back; `took_s` from the first byte sent to the last one read."""

    status: int
    headers: dict[str, str]
    body: bytes
    took_s: float

    def text(self) -> str:
        return self.body.decode()

    def json(self) -> dict[str, object]:
        return dict(json.loads(self.body))


@dataclass
class Client:
    """A person's browser or program. `number` chooses its address in 127.0.0.0/8, so that limits per address don't count all as one."""

    site: str
    number: int
    figures: Figures
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    is_busy: bool = False  # a request waits for its answer; a connection carries one at a time
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, kind: str, **headers: str) -> Answer:
        return await self.ask("GET", path, kind, b"", headers)

    async def post_form(self, path: str, kind: str, values: Mapping[str, str | Sequence[str]], **headers: str) -> Answer:
        form = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", ""), **values}
        return await self.ask(
            "POST",
            path,
            kind,
            urlencode(form, doseq=True).encode(),
            {"Content-Type": "application/x-www-form-urlencoded", "Referer": self.site + "/", **headers},
        )

    async def post_json(self, path: str, kind: str, values: dict[str, object]) -> Answer:
        return await self.ask("POST", path, kind, json.dumps(values).encode(), {"Content-Type": "application/json"})

    async def ask(self, method: str, path: str, kind: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Send one request and note under `kind` how long it took. Raises Lost."""
        begin = time.perf_counter()
        self.is_busy = True
        try:
            answer = await asyncio.wait_for(self._exchange(kind, method, path, body, headers), WITHIN_S)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as error:
            self.close()
            self.figures.failed(kind, f"no answer ({type(error).__name__})")
            raise Lost(f"{method} {path}: {type(error).__name__}") from None
        finally:
            self.is_busy = False
        answer.took_s = time.perf_counter() - begin
        self.figures.add(kind, answer.took_s)
        if answer.status >= 500 or answer.status == 429:
            self.figures.failed(kind, str(answer.status))
        return answer

    async def _exchange(self, kind: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        reader, writer = await self._connected()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(self.site).netloc}", "Accept-Encoding: gzip"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in (self.headers | headers).items()]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if body or method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        told: dict[str, str] = {}
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                self._keep(value)
            elif name:
                told[name.lower()] = value
        answered = await reader.readexactly(int(told.get("content-length", "0")))
        self.figures.sizes[kind] += len(answered)
        if told.get("content-encoding") == "gzip":
            answered = gzip.decompress(answered)
        return Answer(int(head[0].split()[1]), told, answered, 0.0)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None or self._reader.at_eof() or self._writer.is_closing():
            self._reader, self._writer = await connection(self.site, self.number)
        return self._reader, self._writer

    def _keep(self, line: str) -> None:
        name, _, value = line.partition(";")[0].partition("=")
        if value.strip('"'):
            self.cookies[name] = value
        else:
            self.cookies.pop(name, None)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def connection(site: str, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to the site; to one on this machine, from the address with this number."""
    parts = urlsplit(site)
    host = parts.hostname or "127.0.0.1"
    own = (f"127.{2 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}", 0) if host in ("127.0.0.1", "localhost") else None
    secure = parts.scheme == "https"
    return await asyncio.open_connection(host, parts.port or (443 if secure else 80), ssl=secure or None, local_addr=own, limit=1 << 20)
