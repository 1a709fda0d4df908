"""Every address of the site that is read with GET, with hostile query parameters: an answer, never a fault of the server.

Which parameters there are is told by the code, and which address reads which by watching it. So a new address is covered when it has a
value for each part of its path here, and a new parameter when some address is seen reading it; the tests fail until then.
"""

from __future__ import annotations

import ast
import itertools
import logging
import re
from collections.abc import Iterator
from typing import ClassVar

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator

from portal.accounts.models import User
from portal.clubs.models import Club
from portal.common import limits
from portal.ratings.services import apply_pending
from portal.tables import services
from portal.tables.models import Table
from rules_docs import loader
from tests.portal.clubs.conftest import club, guest, olga, zoe
from tests.portal.clubs.test_hostile import filled, full
from tests.portal.ratings.games import finished
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
__all__ = ["club", "full", "guest", "olga", "zoe"]
LANGUAGES = ("en", "hu", "ru")
SOURCES = ("portal", "rules_docs", "voice")
VALUES = {  # as they are in an address
    "nothing": "",
    "space": "%20",
    "very long": "x" * 3000,
    "hyphens": "-" * 2000,
    "quotes": "%27%22%60%3B%5C",
    "NUL": "a%00b",
    "half of a surrogate pair": "%ed%a0%80",
    "no UTF-8": "%ff%fe%c3%28",
    "half a sequence": "%",
    "huge": "9" * 400,
    "beyond the database": str(2**63),
    "beyond a date": "99999999",
    "negative": "-1",
    "very negative": str(-(2**63) - 1),
    "zero": "0",
    "infinite": "1e999",
    "no number": "NaN",
    "digits of another script": "%D9%A3",
    "a digit that is no number": "%C2%B2",
    "full-width": "%EF%BC%91",
    "search operators": "a%26%21%28b%7C",
    "a search by distance": "%3A*%3CB%27%3C-%3E%29%28",
    "wildcards": "%25_%25%25",
    "path": "..%2F..%2Fetc%2Fpasswd",
    "another site": "%2F%2Fevil.example%2F",
    "header": "a%0D%0ASet-Cookie:%20a=b",
    "right to left": "%E2%80%AEabc",
    "template": "%7B%7B7*7%7D%7D%25(x)s%25s%7B0%7D",
    "markup": "%3Cscript%3Ealert(1)%3C/script%3E",
    "list": "%5B%7B%22a%22:1%7D%5D",
}
SHAPES = ("{0}", "{0}=1&{0}=2&{0}=%ff", "{0}[]=1&{0}[a][b]=2", "{0}=1;{0}=2", "&&={0}&{0}==")
CROWDS = ("&".join(f"x{n}=1" for n in range(150)), "a" * 8000, "%00", "%ff=%ff", "=&=&=")
AWAY = ("readyz", 503)  # no worker runs here
WITHOUT_GET = 405
SOME = 3
A_FORM = 10  # names; what has more fills in a form from its address
HTMX = {"HX-Request": "true"}
ODD_ROUTES = {
    r"^accounts/confirm-email/(?P<key>[-:\w]+)/$": "accounts/confirm-email/a:b/",
    r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "accounts/password/reset/key/1-set-password/",
    r"accounts/^confirm-email/(?P<key>[-:\w]+)/$": "accounts/confirm-email/a:b/",
    r"accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "accounts/password/reset/key/1-x/",
    r"admin/^(?P<app_label>auth|account|axes)/$": "admin/auth/",
    r"admin/(?P<url>.*)$": "admin/nothing",
}


def routes() -> list[str]:
    """Every route of the site, as Django writes it."""

    def below(patterns, start) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                yield start + str(pattern.pattern)
            else:
                yield from below(pattern.url_patterns, start + str(pattern.pattern))

    return list(dict.fromkeys(below(get_resolver().url_patterns, "")))


def names_in_code() -> set[str]:
    """Every query parameter that our code names: in a look-up of `request.GET`, or of a name that was given it."""
    found = set()
    for file in itertools.chain.from_iterable((settings.BASE_DIR / source).rglob("*.py") for source in SOURCES):
        found |= names_in(ast.parse(file.read_text()))
    for methods in SchemaGenerator().get_schema(public=True)["paths"].values():
        for operation in methods.values():
            found |= {value["name"] for value in operation.get("parameters", ()) if value["in"] == "query"}
    return found


def names_in(tree: ast.AST) -> set[str]:
    def is_query(node: ast.AST) -> bool:
        return (isinstance(node, ast.Attribute) and node.attr in ("GET", "query_params")) or (
            isinstance(node, ast.Name) and node.id in given
        )

    def has_query(node: ast.AST) -> bool:
        if isinstance(node, ast.IfExp):
            return is_query(node.body) or is_query(node.orelse)
        return is_query(node) or (isinstance(node, ast.BoolOp) and any(map(is_query, node.values)))

    given: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and has_query(node.value):
            given |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_query(node.func.value):
            found += node.args[:1]
        elif isinstance(node, ast.Subscript) and is_query(node.value):
            found.append(node.slice)
        elif isinstance(node, ast.Compare) and any(map(is_query, node.comparators)):
            found.append(node.left)
    return {node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)}


class Watched(QueryDict):
    """A query that notes what is looked up in it."""

    seen: ClassVar[set[str]] = set()
    is_read = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)  # looks up each name that it is given
        self.is_read = True

    def note(self, key):
        if self.is_read:
            self.seen.add(key)

    def __getitem__(self, key):
        self.note(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        self.note(key)
        return super().get(key, default)

    def getlist(self, key, default=None):
        self.note(key)
        return super().getlist(key, default)

    def items(self):
        """All of them at once, which looks for none."""
        return ((key, super(Watched, self).__getitem__(key)) for key in self)

    def __contains__(self, key):
        self.note(key)
        return super().__contains__(key)


@pytest.fixture
def watched(monkeypatch):
    """The names that the last requests looked up."""
    monkeypatch.setattr("django.core.handlers.wsgi.QueryDict", Watched)
    monkeypatch.setattr(Watched, "seen", set())
    return Watched.seen


@pytest.fixture(autouse=True)
def quiet():
    """A line in the log for each refusal would take longer than the refusals."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def unlimited(monkeypatch):
    """Limits are tested elsewhere; here each request counts for nothing."""
    for module in ("portal.common.api", "portal.ratings.views", "portal.clubs.pages", "portal.tables.api", "portal.tables.lobby_views"):
        monkeypatch.setattr(f"{module}.allow", lambda *_args, **_options: True)
    monkeypatch.setattr(limits.Guesses, "check", lambda *_args: None)


@pytest.fixture
def site(full, alice, bob):
    """The addresses of the site by route, each with something to show."""
    for number in range(101, 104):
        finished(number, [("alice", 1), ("bob", 2)])
    apply_pending()
    ended = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    end(ended.pk)
    playing = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    waiting = services.create_table(owner=alice, game_key="ra", seats=2).table
    found = [address for route in routes() for address in addresses(route, full, bob, (playing, waiting, ended))]
    return list(dict.fromkeys(found))


def addresses(route: str, club: Club, bob: User, tables: tuple[Table, ...]) -> Iterator[str]:
    """Yield the addresses of a route with ids of existing objects."""
    if route in ODD_ROUTES:
        yield ODD_ROUTES[route]
        return
    if (below := route.removeprefix("clubs/<slug:slug>/")) not in (route, ""):
        yield filled(below, club, bob).removeprefix("/")
        return
    playing, waiting, ended = (table.pk for table in tables)
    number = ended if route.endswith("/record/") else waiting if route.endswith("/join/") else playing
    for lang in LANGUAGES if "<language:lang>" in route else [""]:
        values = {
            "pk": number,
            "lang": lang,
            "slug": club.slug,
            "code": club.link_code,
            "game": "ra",
            "chapter": "auction",
            "anchor": "auction-3",
            "example": "auction",
            "username": "bob",
            "other": "alice",
            "content_type_id": 1,
            "object_id": 1,
        }
        yield re.sub(r"<(?:\w+:)?(\w+)>", lambda part, values=values: str(values[part[1]]), route)


@pytest.fixture
def readers(full, alice, bob, olga, guest):
    """Clients by role. The pages of the admin have no reader among them; what they do for its staff is Django's."""
    clients = {role: Client(raise_request_exception=False) for role in ("visitor", "guest", "player", "officer", "owner")}
    for role, user in (("guest", guest), ("player", bob), ("officer", olga), ("owner", alice)):
        clients[role].force_login(User.objects.get(pk=user.pk))
    return clients


def test_no_query_is_a_fault_of_the_server(site, readers, watched, unlimited):
    loader.load("ra")
    faults = []
    turn = itertools.count()

    def ask(client: Client, address: str, query: str, language: str) -> int:
        client.cookies["django_language"] = language
        answer = client.get(f"/{address}?{query}", headers=HTMX if next(turn) % 5 == 4 else {})
        if answer.status_code >= 500 and (address, answer.status_code) != AWAY:
            faults.append((language, f"/{address}?{query[:60]}", answer.status_code))
        return answer.status_code

    in_code = names_in_code()
    everywhere, tried, sample = set(), set(), itertools.count()
    for address in site:
        watched.clear()
        statuses = [ask(client, address, "", LANGUAGES[next(turn) % 3]) for client in readers.values()]
        able = [client for client, status in zip(readers.values(), statuses, strict=True) if status == 200]
        if set(statuses) == {WITHOUT_GET}:
            continue
        for client in able[-1:]:
            ask(client, address, "&".join(f"{name}=1" for name in sorted(in_code)), "en")
        names = sorted(watched)
        everywhere |= watched
        # Everybody, and in every language, with a value in all parameters at once.
        for client, language in zip(readers.values() if names else able[:1], itertools.cycle(LANGUAGES), strict=False):
            value = list(VALUES.values())[next(sample) % len(VALUES)]
            ask(client, address, "&".join(f"{name}={value}" for name in names or ["x"]), language)
        # Every parameter with every value somewhere and with some elsewhere, by somebody who gets to see the page.
        client_of = itertools.cycle(able or list(readers.values()))
        for name in names:
            queries = [f"{name}={value}" for value in VALUES.values()] + [shape.format(name) for shape in SHAPES]
            if name in tried or len(names) > A_FORM:  # the fields of a form are tried one by one in clubs/test_hostile.py
                queries = [queries[(next(sample) * 7) % len(queries)] for _ in range(SOME if len(names) <= A_FORM else 1)]
                clients = client_of
            else:
                tried.add(name)
                clients = itertools.repeat(able[0] if able else readers["visitor"])  # mostly a visitor, who costs least
            for client, query in zip(clients, queries, strict=False):
                ask(client, address, query, LANGUAGES[next(turn) % 3])
        ask(next(client_of), address, CROWDS[next(turn) % len(CROWDS)], LANGUAGES[next(turn) % 3])
    assert faults == []
    assert in_code <= everywhere, "no address was seen reading these"


def test_the_parameters_are_found_in_the_code():
    assert {
        "page",
        "q",
        "game",
        "pool",
        "days",
        "name",
        "with",
        "step",
        "a",
        "w",
        "v",
        "stream",
        "list",
        "limit",
        "offset",
    } <= names_in_code()
    code = 'a = request.GET\nb = posted or a\na.get("one"); b["two"]; "three" in request.GET; request.query_params.get("four", ""); c.get("no")'
    assert names_in(ast.parse(code)) == {"one", "two", "three", "four"}
