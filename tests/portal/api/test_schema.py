"""The schema describes the API; generated requests find no server error."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from importlib import import_module
from urllib.parse import quote, urlencode

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.tables import api_docs
from portal.tables import services as tables
from tests.portal.hostile.conftest import unlimited

__all__ = ["unlimited"]
pytestmark = pytest.mark.django_db
APPS = (
    "accounts",
    "archives",
    "books",
    "bots",
    "clubs",
    "contests",
    "matching",
    "notices",
    "people",
    "ratings",
    "studies",
    "tables",
    "talk",
)
EXAMPLES = 6 * int(os.environ.get("HOSTILE") or 1)  # of each sort, each sent by everybody; `make hostile` sends more
PARTS = 6


@pytest.fixture(scope="module")
def schema():
    from drf_spectacular.generators import SchemaGenerator

    return SchemaGenerator().get_schema(public=True)


def test_the_schema_is_made_without_a_warning(tmp_path, capsys):
    call_command("spectacular", file=str(tmp_path / "schema.yml"), validate=True, fail_on_warn=True)
    assert "Warning" not in capsys.readouterr().err


def test_schema_and_pages_are_served_to_everybody(client):
    assert client.get("/api/schema/?format=json").json()["info"]["title"] == "Ziggurat"
    page = client.get("/api/docs/").content.decode()
    for operation in ("sign_in", "tables", "create_table", "act", "undo", "redo", "set_order", "stream", "record"):
        assert f'id="op-{operation}"' in page
    tried = client.get("/api/docs/try/").content.decode()
    script = client.get("/api/docs/try/?script=")
    assert "/api/docs/try/?script=" in tried
    assert script["Content-Type"].startswith("application/javascript")
    assert b"SwaggerUIBundle(" in script.content


def test_each_address_of_the_api_is_described(schema):
    described = {re.sub(r"\{\w+\}", "{}", path) for path in schema["paths"]}
    served = {
        "/api/v1/" + re.sub(r"<\w+:\w+>", "{}", str(pattern.pattern).removeprefix("v1/"))
        for app in APPS
        for pattern in import_module(f"portal.{app}.api_urls").urlpatterns
        if app != "tables" or str(pattern.pattern).startswith("v1/")
    }
    assert served == described
    operations, parts = api_docs.described()
    assert len(operations) == sum(method in methods for methods in schema["paths"].values() for method in api_docs.METHODS)
    assert all(operation.title for operation in operations)
    assert len({operation.title for operation in operations}) == len(operations), "the page has a section for each, told apart by its title"
    assert {part.name for part in parts} >= {"TableAnswer", "ErrorAnswer"}


def test_every_value_of_every_enum_is_explained(schema):
    enums = {name: data for name, data in schema["components"]["schemas"].items() if any(data.get("enum", ()))}  # not the one for null
    assert {"TableStatus", "PaceKind", "MarkKind", "NoticeKind"} <= set(enums)
    for name, data in enums.items():
        told = dict(api_docs.CHOICE.findall(data.get("description", "")))
        assert set(told) == {value for value in data["enum"] if value} | ({""} & set(told)), name
        assert all(len(meaning) > len(value) + 2 or value == "" for value, meaning in told.items() if name != "GameEnum"), name
    for path, methods in schema["paths"].items():
        for method in methods.values():
            for parameter in method.get("parameters", ()):
                assert all(f"`{value}`" in parameter["description"] for value in parameter["schema"].get("enum", ())), (path, parameter)


@cache
def operations():
    """Return the operations of the schema by name. Schema and generator are expensive to load, so only processes that need them do."""
    import schemathesis
    from drf_spectacular.generators import SchemaGenerator

    loaded = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
    found = [result.ok() for result in loaded.get_all_operations()]
    return {f"{operation.method.upper()} {operation.path}": operation for operation in found}


@pytest.fixture
def everybody(alice, duel, charlie, unlimited):
    """Clients of a visitor, a guest, a player, an officer of a club with a table, and staff; no limit stops them. And what is there, for addresses."""
    club = clubs.create_club(owner=alice, name="Enlil")
    officer, clerk = (User.objects.create_user(name, f"{name}@example.org", "correct horse") for name in ("olga", "clerk"))
    ways_in.join_by_link(code=club.link_code, user=officer)
    clubs.set_officer(club=club, actor=alice, member=officer, is_officer=True)
    User.objects.filter(pk=clerk.pk).update(is_staff=True, is_superuser=True)
    people = {"guest": User.objects.create(username="guest-abcde", is_guest=True), "officer": officer, "staff": clerk}
    clients = {role: Client(raise_request_exception=False) for role in ("visitor", *people)}
    for role, user in people.items():
        clients[role].force_login(User.objects.get(pk=user.pk))
    clients["player"] = Client(headers={"authorization": f"Token {make_token(user=alice).text}"}, raise_request_exception=False)
    at = [duel.pk, tables.create_table(owner=officer, game_key="babel", seats=2, club=club).table.pk]
    return clients, [{"slug": club.slug, "username": "alice", "game": "ra", "number": number} for number in at]


@pytest.mark.parametrize("part", range(PARTS))
def test_generated_requests_find_no_fault(part, everybody):
    """Requests made from the schema, and against it, by everybody: never a 5xx, always a documented status, errors always in the one shape."""
    clients, at = everybody
    for name in sorted(operations())[part::PARTS]:
        for mode in modes():
            send_generated(operations()[name], mode, clients, at)


def modes():
    from schemathesis.generation import GenerationMode

    return list(GenerationMode)


def send_generated(operation, mode, clients, at):
    described = {int(status) for status in operation.definition.raw["responses"] if status.isdigit()}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode), real=st.sampled_from([*at, None]))
    def send(case, real):
        path = case.path
        for key, value in (case.path_parameters or {}).items():
            path = path.replace("{" + key + "}", str(value if real is None else real.get(key, real["number"])))
        raw = case.body if isinstance(case.body, (str, bytes)) else json.dumps(case.body, default=str) if _has(case.body) else ""
        query = {
            key: value for key, value in (case.query or {}).items() if "%00" not in urlencode({key: value}, doseq=True)
        }  # refused anywhere
        for role, client in clients.items():
            with transaction.atomic():
                answer = client.generic(case.method, _quoted(path), raw, content_type="application/json", query_params=query)
                transaction.set_rollback(True)
            assert answer.status_code in described | {404}, (role, answer.status_code, case.method, path, query, raw, answer.content[:300])
            if answer.status_code >= 400:
                assert set(answer.json()["error"]) == {"code", "reason", "rule", "rule_url"}

    if mode.is_positive or can_be_wrong(operation):
        send()


def can_be_wrong(operation) -> bool:
    """Say whether there is anything in a request that the schema could refuse."""
    parameters = operation.definition.raw.get("parameters", ())
    in_path = [one["schema"] for one in parameters if one["in"] == "path"]
    return bool(operation.query or operation.body) or any(one["type"] != "string" or "enum" in one for one in in_path)


def _has(body) -> bool:
    return body is not None and type(body).__name__ != "NotSet"


def _quoted(path: str) -> str:
    return quote(path, safe="/-_.~%")


@pytest.mark.parametrize("version", ["1", "a%0D%0ASet-Cookie:%20a=b", "%22", ""])
def test_no_version_gets_into_the_name_of_the_file(client, version):
    asked = client.get(f"/api/schema/?version={version}")
    assert asked.status_code == 200
    assert asked["Content-Disposition"] == client.get("/api/schema/")["Content-Disposition"]
