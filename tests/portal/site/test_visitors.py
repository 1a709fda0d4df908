"""Pages kept for visitors: rendered once for all, with a form token for each, and nothing of anyone who is signed in."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from portal import settings as real
from portal.accounts.models import User
from portal.common import visitors
from portal.common.visitors import Page, Shelf, shelf
from portal.live import renewals
from portal.live.pages import Pages
from portal.tables import services
from rules_docs import loader
from tests.sessions import let_in

pytestmark = pytest.mark.django_db
TOKEN = re.compile(rb'name="csrfmiddlewaretoken"[^>]*? value="(\w{64})"')


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(visitors, "time", clock)
    return clock


@pytest.fixture(autouse=True)
def _kept(settings: Any) -> Iterator[None]:
    settings.VISITOR_PAGES = real.VISITOR_PAGES
    shelf.clear()
    yield
    shelf.clear()


@pytest.fixture
def addresses(alice: User) -> dict[str, str]:
    """Return an address of each kind of page that is kept."""
    loader.load("ra")
    table = services.create_table(owner=alice, game_key="ra", seats=3, bots=[]).table.pk
    return {
        "home": "/",
        "lobby": "/lobby/",
        "table": f"/tables/{table}/",
        "leaderboard": "/leaderboards/ra/",
        "profile": "/people/alice/",
        "clubs": "/clubs/",
        "how": "/games/ra/how/",
        **{name: f"/{name}/" for name in ("about", "help", "privacy", "terms", "contact")},
        "rules:shelf": "/en/rules/",
        "rules:book": "/en/rules/ra/",
        "rules:chapter": "/en/rules/ra/gods/",
    }


def bare(response: Any) -> bytes:
    body = gzip.decompress(response.content) if response.headers.get("Content-Encoding") == "gzip" else response.content
    return TOKEN.sub(b"", body)


def statements(client: Client, address: str, **headers: str) -> tuple[Any, int]:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        response = client.get(address, headers=headers)
    return response, len(seen)


def test_each_kind_of_page_is_rendered_once_for_all_visitors(addresses: dict[str, str]) -> None:
    assert set(addresses) == set(real.VISITOR_PAGES)
    for name, address in addresses.items():
        first = Client().get(address)
        second, asked = statements(Client(), address)
        packed, asked_too = statements(Client(), address, accept_encoding="gzip")
        assert (first.status_code, second.status_code, packed.status_code) == (200, 200, 200), name
        assert (asked, asked_too) == (0, 0), name
        assert bare(first) == bare(second) == bare(packed), name
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.content)
        for header in (
            "Content-Type",
            "Content-Language",
            "Cache-Control",
            "Content-Security-Policy",
            "X-Frame-Options",
            "X-Table-Version",
        ):
            assert first.headers.get(header) == second.headers.get(header), (name, header)
        assert {"Cookie", "Accept-Encoding"} <= set(packed.headers["Vary"].split(", "))
        tokens = [TOKEN.findall(response.content) for response in (first, second)]
        assert len(tokens[0]) == len(tokens[1]) >= 1, name
        assert not set(tokens[0]) & set(tokens[1]), "no visitor gets the token of another"


def test_the_forms_of_a_kept_page_work_for_whoever_got_it(addresses: dict[str, str]) -> None:
    Client().get("/")
    visitor = Client(enforce_csrf_checks=True)
    token = TOKEN.findall(visitor.get("/").content)[0].decode()
    assert Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark", "csrfmiddlewaretoken": token}).status_code == 403
    assert visitor.post("/theme/", {"theme": "dark", "csrfmiddlewaretoken": token}).status_code == 302
    secret = visitor.cookies["csrftoken"].value
    again = visitor.get("/lobby/")
    assert visitor.get("/lobby/").wsgi_request.META["CSRF_COOKIE"] == secret, "a visitor keeps the secret they have"
    assert TOKEN.findall(again.content)[0].decode() != token, "masked anew each time"


def test_what_a_visitor_may_choose_is_kept_apart(addresses: dict[str, str]) -> None:
    seen = set()
    for cookies, headers in (({}, {}), ({"theme": "dark"}, {}), ({"django_language": "hu"}, {}), ({}, {"accept-language": "ru"})):
        visitor = Client()
        for name, value in cookies.items():
            visitor.cookies[name] = value
        page = visitor.get("/lobby/", headers=headers)
        assert bare(visitor.get("/lobby/", headers=headers)) == bare(page)
        seen.add(bare(page))
    assert len(seen) == 4
    assert bare(Client().get("/lobby/?page=1")) != b""
    assert len({key[2] for key in shelf._pages}) == 2


def test_the_signed_in_neither_get_nor_leave_anything(alice: User) -> None:
    at_home = Client()
    let_in(at_home, alice)
    assert b"alice" in at_home.get("/").content
    assert not shelf._pages
    visitor = Client()
    assert b"alice" not in visitor.get("/").content
    assert b"alice" in at_home.get("/").content


@pytest.mark.parametrize(
    "asked",
    [
        {"headers": {"HX-Request": "true"}},
        {"headers": {"Authorization": "Token 1"}},
        {"headers": {"Range": "bytes=0-9"}},
        {"cookie": "sessionid"},
        {"cookie": "messages"},
        {"cookie": "anything"},
        {"address": "/lobby/?x=" + 200 * "x"},
        {"method": "head"},
    ],
)
def test_who_asks_otherwise_gets_a_page_of_their_own(asked: dict[str, Any]) -> None:
    visitor = Client()
    if "cookie" in asked:
        visitor.cookies[asked["cookie"]] = "x"
    response = getattr(visitor, asked.get("method", "get"))(asked.get("address", "/lobby/"), headers=asked.get("headers"))
    assert response.status_code == 200
    assert not shelf._pages


def test_a_page_is_rendered_again_when_its_time_is_over_and_only_once(clock: Clock, alice: User) -> None:
    Client().get("/lobby/")
    services.create_table(owner=alice, game_key="ra", seats=3, bots=[])
    assert b"alice" not in Client().get("/lobby/").content
    clock.now += real.VISITOR_PAGES["lobby"]
    key = next(iter(shelf._pages))
    assert shelf.take(key, clock.now, renews=False) == (None, True), "this one has to render it"
    assert b"alice" not in Client().get("/lobby/").content, "meanwhile the others get the old page"
    clock.now += visitors.RENEW_WITHIN_S  # the one who had to never did
    assert b"alice" in Client().get("/lobby/").content
    assert b"alice" in Client().get("/lobby/").content


def test_nobody_waits_for_the_new_page_where_the_server_renders_it_behind_the_answer(clock: Clock, alice: User) -> None:
    Client().get("/lobby/")
    services.create_table(owner=alice, game_key="ra", seats=3, bots=[])
    clock.now += real.VISITOR_PAGES["lobby"]
    with CaptureQueriesContext(connection) as asked:
        old, second = (Client().get("/lobby/", **{renewals.POSSIBLE: True}) for _ in range(2))  # type: ignore[arg-type]
    assert not len(asked)
    assert b"alice" not in old.content
    assert [bool(answer.wsgi_request.META.get(renewals.WANTED)) for answer in (old, second)] == [True, False], "one is enough"
    etag = {"HTTP_IF_NONE_MATCH": "*", "HTTP_IF_MODIFIED_SINCE": "now"}
    again = renewals.environ_of({**old.wsgi_request.META, **etag})
    assert not set(again) & {*etag, renewals.WANTED}
    assert b"alice" in Client().get("/lobby/", **again).content
    assert b"alice" in Client().get("/lobby/").content
    clock.now += real.VISITOR_PAGES["lobby"] + visitors.OLD_S
    services.create_table(owner=alice, game_key="babel", seats=2, bots=[])
    answer = Client().get("/lobby/", **{renewals.POSSIBLE: True})  # type: ignore[arg-type]
    assert b"Babel" in answer.content, "long after its time a page is given to nobody"


def test_the_server_renders_an_old_page_again_once_it_is_answered() -> None:
    asked: list[dict[str, Any]] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        asked.append(environ)
        assert renewals.IS_ONE in environ or environ[renewals.POSSIBLE]
        environ[renewals.WANTED] = renewals.IS_ONE not in environ
        start_response("200 OK", [])
        return [b"old"]

    async def ask() -> list[Any]:
        pages, sent = Pages(application, 1), []

        async def send(message: Any) -> None:
            sent.append((message["type"], len(asked)))

        async def receive() -> Any:
            return {"body": b""}

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [(b"if-none-match", b"*")],
            "http_version": "1.1",
        }
        await pages(scope, receive, send)
        assert len(pages.renewals) == 1
        await asyncio.gather(*pages.renewals)
        return sent

    assert asyncio.run(ask())[-1] == ("http.response.body", 1), "answered before it is rendered again"
    assert [renewals.IS_ONE in environ for environ in asked] == [False, True]
    assert "HTTP_IF_NONE_MATCH" not in asked[1]


def test_a_page_that_is_gone_is_given_to_nobody(clock: Clock, alice: User, addresses: dict[str, str]) -> None:
    assert Client().get("/people/alice/").status_code == 200
    alice.delete()
    clock.now += 1.0
    assert [Client().get("/people/alice/").status_code for _ in range(2)] == [404, 404]
    assert not [key for key in shelf._pages if "alice" in key[2]]


def test_whoever_has_the_page_is_told_that_it_is_still_good(addresses: dict[str, str]) -> None:
    for encoding in ("", "gzip"):
        first = Client().get("/en/rules/ra/gods/", headers={"Accept-Encoding": encoding})
        kept = Client().get("/en/rules/ra/gods/", headers={"Accept-Encoding": encoding})
        assert first.headers["ETag"] == kept.headers["ETag"]
        again, asked = statements(Client(), "/en/rules/ra/gods/", if_none_match=kept.headers["ETag"])
        assert (again.status_code, again.content, asked) == (304, b"", 0)


def test_a_page_with_a_token_outside_a_form_is_not_kept() -> None:
    request = RequestFactory().get("/")
    token = get_token(request)
    form = f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
    assert Page.of(f"<p>{form}</p>{form}".encode(), {}, 0.0) is not None
    assert Page.of(f"<p>{'0f' * 32}</p>{form}".encode(), {}, 0.0) is not None, "a digest is no token"
    assert Page.of(f'<body data-token="{get_token(request)}">{form}</body>'.encode(), {}, 0.0) is None


@pytest.mark.parametrize("body", [b"", b"x", b"<p>" * 30_000 + "őrtorony".encode() * 9, bytes(range(256)) * 300])
def test_packed_pages_unpack_to_the_same_with_any_token(body: bytes) -> None:
    old, new = b"A" * 32 + b"b" * 32, b"Q" * 64
    form = b'<input type="hidden" name="csrfmiddlewaretoken" value="%s">'
    whole = body + form % old + body + form % old + body
    page = Page.of(whole, {}, 0.0)
    assert page is not None
    assert page.plain(old) == whole
    assert gzip.decompress(page.packed(new)) == whole.replace(old, new)
    assert page.packed(new) == page.packed(old).replace(old, new)[:-8] + page.packed(new)[-8:]


def test_the_oldest_pages_make_room() -> None:
    few = Shelf(3_000)
    for number in range(10):
        page = Page.of(b"%d" % number * 1_000, {}, 1.0)
        assert page is not None
        few.put((str(number),), page)
        few.take(("0",), 0.0, renews=False)  # asked for again and again
    assert few._bytes == sum(page.size for page in few._pages.values()) <= 3_000
    assert ("0",) in few._pages
    assert ("9",) in few._pages
    assert ("1",) not in few._pages


def test_an_answer_that_sets_a_cookie_or_must_not_be_stored_is_not_kept() -> None:
    for spoil in (
        lambda r: r.set_cookie("a", "b"),
        lambda r: r.headers.setdefault("Cache-Control", "no-store"),
        lambda r: setattr(r, "status_code", 503),
    ):
        response = HttpResponse("page")
        spoil(response)
        visitors._keep(("key",), 1.0, response)
        assert not shelf._pages
    visitors._keep(("key",), 1.0, HttpResponse("page"))
    assert list(shelf._pages) == [("key",)]
    assert shelf._pages["key",].until > time.monotonic()
