"""One person who opens everything and sends whatever comes to mind. Nothing they do lasts; every fault is noted."""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

from django.core.signals import got_request_exception
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

from tests.portal.clubs.test_permissions import taken_back
from tests.portal.hostile.addresses import ODD_ROUTES
from tests.portal.hostile.conftest import AWAY, EACH, LONG, World
from tests.portal.hostile.reading import Form, Page

HUGE = "9" * 400
SENT = (  # in a field of a form
    "", "a\x00b", "x" * 10_000, "\U0001f3fa\u0301" * 40, "\u202eabc\u2066", "-1", HUGE, "1e999", "NaN", "[]", "on", "9999-12-31T23:59", "0001-01-01",
    "{{7*7}}%s{0}", "'\";--", "<script>alert(1)</script>", "٣", "²", "../../etc/passwd", "a\r\nSet-Cookie: a=b", "\\", "%00", "\ud83d",
)  # fmt: skip
PARTS = {  # in the place of a part of an address, by its converter
    "int": ("0", "987654321", str(2**63 - 1), str(2**63), HUGE, "9" * 5000),
    "other": ("x", "x" * 3000, "a%00b", "%ff%fe", "%F0%9F%8F%BA", "%E2%80%AEabc", "-", "0", "..", "%2e%2e", "_", "_00", "%25s", "%D9%A3", "a%0D%0Ab", "~", "%27%22", HUGE),
}  # fmt: skip
METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "POST", "BREW")
BODIES = (
    ("application/json", b'{"a": '),
    ("application/json", b"[" * 30_000),
    ("application/json; charset=klingon", b"{}"),
    ("text/xml", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    ("multipart/form-data", b"x"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"; filename="\x00"\r\n\r\nhalf'),
    ("multipart/form-data; boundary=" + "x" * 300, b"--x--"),
    ("application/x-www-form-urlencoded", b"&".join(b"x%d=1" % n for n in range(2000))),
    ("application/x-www-form-urlencoded; charset=utf-7", b"name=%ff%fe&username=%ED%A0%80&a=+ADw-"),
    ("application/x-www-form-urlencoded", b"a=" + b"x" * 70_000),
    ("nonsense", b"\x00\xff"),
    ("", b""),
)  # fmt: skip
HEADERS: tuple[dict[str, str], ...] = (
    {"Accept-Language": "xx;q=9, *;q=-1, hu-" + "a" * 4000 + ", \u00e9"},
    {"Accept-Language": ",".join(["en"] * 3000)},
    {"Range": "bytes=5-1,0-,-99999999999999999999"},
    {"If-None-Match": '"a", W/"', "If-Match": "*"},
    {"If-Modified-Since": "Sun, 99 Foo 99999 99:99:99 GMT", "If-Unmodified-Since": "x"},
    {"HX-Request": "true", "HX-Target": "\u00e9" * 200, "HX-Current-URL": "http://[::1", "HX-Trigger": "<b>", "HX-Prompt": "%ff"},
    {"HX-Request": "true", "HX-Current-URL": "//evil.example/", "HX-History-Restore-Request": "true", "HX-Boosted": "yes"},
    {"HX-Request": "nonsense", "HX-Current-URL-URI-AutoEncoded": "true", "HX-Current-URL": "%ed%a0%80%00"},
    {"Accept": "application/xml;q=0, */*;q=NaN", "Accept-Encoding": "br;q=x, gzip;q=0.0000001, *"},
    {"Authorization": "Token \u00ff\u0000", "X-CSRFToken": "\u00e9"},
    {"Authorization": "Basic %%%", "X-Requested-With": "XMLHttpRequest"},
    {"X-Forwarded-For": "1.2.3.4.5, ::g, " + "x" * 2000, "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "evil.example"},
    {"Referer": "javascript:alert(1)", "Origin": "null"},
    {"Content-Length": "-1"},
    {"Content-Length": "many"},
    {"Host": "evil.example"},
    {"Host": "127.0.0.1:99999999"},
    {"X-HTTP-Method-Override": "DELETE", "Cache-Control": "only-if-cached"},
)
SIGNED: Final = "/notices/stop/"  # the signed link is what allows it: mail programs send this request without a page
COOKIES: tuple[dict[str, str], ...] = (
    {"sessionid": "x" * 200},
    {"sessionid": "a\u00e9b'\"; DROP"},
    {"csrftoken": "\u00ff" * 64, "messages": "W1siX19qc29uX21lc3NhZ2UiLDAsMjUsIngiXV0:broken:x"},
    {"messages": "[" * 4000},
    {"django_language": "../../etc", "theme": "x" * 4000},
    {f"c{n}": "x" * 4000 for n in range(30)},
)


class Crawler:
    """`faults` lists what the site did wrong: an error of the server, or something that this person must not read."""

    def __init__(self, world: World, role: str, language: str) -> None:
        self.world, self.role = world, role
        self.client = world.client(role)
        self.client.cookies["django_language"] = language
        self.hidden = world.hidden_from(role)
        self.faults: list[str] = []
        self.shown: set[str] = set()  # secrets that this person may read, and has read
        self.forms: dict[tuple[str, str, tuple[str, ...]], Form] = {}
        self.opened: Counter[str] = Counter()  # by route
        self._errors: list[str] = []
        self._guarded = world.client(role, enforce_csrf_checks=True)

    def ask(self, method: str, address: str, *, client: Client | None = None, **more: Any) -> HttpResponse:
        """Send one request, look at the answer, and undo what it did to the database and to us."""
        client = client or self.client
        cookies = copy(client.cookies)
        self._errors.clear()
        got_request_exception.connect(self._note)
        try:
            with taken_back():
                answer = client.generic(method, address, **more)
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # some are read from the database
        finally:
            got_request_exception.disconnect(self._note)
            client.cookies = cookies
        told = f"{self.role}: {method} {ascii(address)[:90]} {ascii(more)[:160]}"
        if answer.status_code >= 500 and (address, answer.status_code) != AWAY:
            self.faults.append(f"{told} -> {answer.status_code} {self._errors}")
        sent = f"{address} {more}".encode(errors="replace")  # whoever knows it already, such as the link of a club, may read it
        seen = body + repr([*answer.headers.items(), *answer.cookies.values()]).encode()
        self.faults += [f"{told} shows the {what}" for what, text in self.hidden.items() if text in seen and text not in sent]
        self.shown |= {what for what, (text, _roles) in self.world.secrets.items() if text.encode() in seen} - self.hidden.keys()
        return answer

    def _note(self, sender: object, **_more: object) -> None:
        self._errors.append(repr(sys.exc_info()[1])[:200])

    # Following links

    def crawl(self, start: tuple[str, ...], each: int) -> None:
        """Follow every link from these pages, at most `each` pages of a kind."""
        queue = deque(start)
        seen = set(queue)
        while queue:
            address = queue.popleft()
            if self.opened[kind := kind_of(address)] >= each and address not in start:
                continue
            self.opened[kind] += 1
            for link in self.open(address):
                if link not in seen:
                    seen.add(link)
                    queue.append(link)

    def open(self, address: str) -> list[str]:
        """Open a page, note its forms, and return its links."""
        answer = self.ask("GET", address)
        if answer.status_code in (301, 302, 303):
            return [answer["Location"]] if answer["Location"].startswith("/") and not answer["Location"].startswith("//") else []
        if answer.status_code != 200 or answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
            return []
        page = Page(address, answer.content.decode())
        for form in page.forms:
            self.forms.setdefault((form.method, kind_of(form.action), form.names), form)
        return page.links

    # Forms

    def send_forms(self, values: Iterator[str]) -> None:
        """Send each form as it is, with a hostile value in each field, without its token, and with other bodies."""
        bodies = itertools.cycle(BODIES)
        for form in list(self.forms.values()):
            if form.method != "post":
                self.ask("GET", form.action.partition("?")[0] + "?" + encoded([(name, next(values)) for name in form.names]).decode())
                continue
            self._post(form, form.fields)
            for name in form.names:
                for value in itertools.islice(values, EACH):
                    changed = [(key, value if key == name else old) for key, old in form.fields]
                    self._post(form, changed)
            self._post(form, [(name, next(values)) for name in form.names for _ in range(3)])
            refused = self.ask("POST", form.action, client=self._guarded, **as_form(form.fields))
            if refused.status_code != 403 and not form.action.startswith(SIGNED):
                self.faults.append(f"{self.role}: POST {form.action} without a token -> {refused.status_code}")
            for kind, body in itertools.islice(bodies, EACH):
                self.ask("POST", form.action, data=body, content_type=kind)

    def _post(self, form: Form, fields: list[tuple[str, str]]) -> None:
        self.ask("POST", form.action, **as_form(fields))

    # Addresses

    def misuse(self, route: str, address: str, turns: Counter[object]) -> None:
        """Ask for an address with ids of nothing, by other methods, with odd bodies, headers and cookies: `EACH` of every sort."""

        def some(every: tuple[Any, ...], sort: str = "") -> Iterator[Any]:
            """Yield the next ones; all of them have their turn."""
            for _ in range(min(EACH, len(every))):
                yield every[turns[sort or id(every)] % len(every)]
                turns[sort or id(every)] += 1

        for wrong in some(tuple(misspelt(route, address)), "misspelt") if "<" in route else ():
            self.ask("GET", wrong)
            self.ask("POST", wrong)
        for method in some(METHODS):
            self.ask(method, address)
        for kind, body in some(BODIES):
            self.ask("POST", address, data=body, content_type=kind)
        for headers in some(HEADERS):
            self.ask("GET", address, headers={**headers} if "Host" not in headers else None, **host_of(headers))
        for cookies in some(COOKIES):
            client = self.world.client(self.role) if "sessionid" in cookies else self.client
            before = copy(client.cookies)
            client.cookies.load(cookies)
            self.ask("GET", address, client=client)
            client.cookies = before


def host_of(headers: Mapping[str, str]) -> dict[str, str]:
    return {"HTTP_HOST": headers["Host"]} if "Host" in headers else {}


def as_form(fields: list[tuple[str, str]]) -> dict[str, Any]:
    return {"data": encoded(fields), "content_type": "application/x-www-form-urlencoded"}


def encoded(fields: list[tuple[str, str]]) -> bytes:
    """Return what a browser sends; half of a surrogate pair goes as it is."""
    return "&".join(f"{quote(name, errors='surrogatepass')}={quote(value, errors='surrogatepass')}" for name, value in fields).encode()


def kind_of(address: str) -> str:
    """Return the route of an address, with the names of its parameters."""
    path, _, query = address.partition("?")
    try:
        route = resolve(urlsplit(path).path).route
    except Resolver404:
        return "nothing"
    names = sorted({name for name, _ in parse_qsl(query, keep_blank_values=True)}) if LONG else []
    return f"{route}?{'&'.join(names)}"


def misspelt(route: str, address: str) -> Iterator[str]:
    """Yield the address with other words in its parts: all of them at once, then each."""
    if route in ODD_ROUTES:
        yield from (f"{address}{value}/" for value in PARTS["other"])
        return
    parts = re.findall(r"<(?:(\w+):)?\w+>", route)
    pattern = re.compile(re.sub(r"\\<(?:\w+:)?\w+\\>|<(?:\w+:)?\w+>", "(.+)", re.escape(route)))
    found = pattern.fullmatch(address.removeprefix("/"))
    assert found, (route, address)
    for at, converter in enumerate(parts, 1):
        for value in PARTS.get(converter, PARTS["other"]):
            start, end = found.span(at)
            yield f"/{found.string[:start]}{value}{found.string[end:]}"
