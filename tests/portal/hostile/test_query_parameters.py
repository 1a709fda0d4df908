"""Every address of the site that is read with GET, with hostile query parameters: an answer, never a fault of the server.

Which parameters there are is told by the code, and which address reads which by watching it. So a new address is covered when it has a
value for each part of its path here, and a new parameter when some address is seen reading it; the tests fail until then.
"""

from __future__ import annotations

import ast
import itertools
from typing import ClassVar

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from rules_docs import loader
from tests.portal.hostile.addresses import LANGUAGES, VALUES
from tests.portal.hostile.conftest import AWAY, World

pytestmark = pytest.mark.django_db
SOURCES = ("portal", "rules_docs", "voice")
SHAPES = ("{0}", "{0}=1&{0}=2&{0}=%ff", "{0}[]=1&{0}[a][b]=2", "{0}=1;{0}=2", "&&={0}&{0}==")
CROWDS = ("&".join(f"x{n}=1" for n in range(150)), "a" * 8000, "%00", "%ff=%ff", "=&=&=")
WITHOUT_GET = 405
READERS = ("visitor", "owner", "officer", "player", "guest")  # in the order in which they are asked whether they see a page
SOME = 3
A_FORM = 10  # names; what has more fills in a form from its address
HTMX = {"HX-Request": "true"}


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


def test_no_query_is_a_fault_of_the_server(world: World, watched, unlimited):
    """The pages of the admin are `test_crawler.py`'s; no parameter of theirs is in our code."""
    loader.load("ra")
    readers = {role: world.client(role) for role in READERS}
    faults = []
    turn = itertools.count()

    def ask(client: Client, address: str, query: str, language: str) -> int:
        client.cookies["django_language"] = language
        answer = client.get(f"/{address}?{query}", headers=HTMX if next(turn) % 5 == 4 else {})
        if answer.status_code >= 500 and (f"/{address}", answer.status_code) != AWAY:
            faults.append((language, f"/{address}?{query[:60]}", answer.status_code))
        return answer.status_code

    in_code = names_in_code()
    everywhere, tried, sample = set(), set(), itertools.count()
    for address in world.addresses:
        if address.startswith("admin/"):
            continue
        watched.clear()
        statuses, able = set(), []
        for client in readers.values():  # test_crawler.py opens each page as everybody
            status = ask(client, address, "", LANGUAGES[next(turn) % 3])
            statuses.add(status)
            able += [client] if status == 200 else []
            if able and client is not readers["visitor"]:
                break
        if statuses == {WITHOUT_GET}:
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
