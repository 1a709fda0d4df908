"""The schema describes the API; generated requests find no server error."""

from __future__ import annotations

import json
from functools import cache

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from portal.accounts.services import renew_token
from portal.tables import api_docs

pytestmark = pytest.mark.django_db
EXAMPLES = 12
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
    from portal.tables.api_urls import urlpatterns

    described = {path.replace("{id}", "<int:pk>") for path in schema["paths"]}
    assert {"/api/" + str(pattern.pattern) for pattern in urlpatterns if str(pattern.pattern).startswith("v1/")} <= described
    operations, parts = api_docs.described()
    assert len(operations) == sum(method in methods for methods in schema["paths"].values() for method in api_docs.METHODS)
    assert all(operation.title for operation in operations)
    assert {part.name for part in parts} >= {"TableAnswer", "ErrorAnswer"}


@cache
def operations():
    """Return the operations of the schema by name. Schema and generator are expensive to load, so only processes that need them do."""
    import schemathesis
    from drf_spectacular.generators import SchemaGenerator

    loaded = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
    found = [result.ok() for result in loaded.get_all_operations()]
    return {f"{operation.method.upper()} {operation.path}": operation for operation in found}


@pytest.mark.parametrize("part", range(PARTS))
def test_generated_requests_find_no_fault(part, alice, turn_table, monkeypatch):
    """Requests made from the schema: never a 5xx, always a documented status, errors always in the one shape."""
    monkeypatch.setattr("portal.common.api.allow", lambda *_args, **_options: True)
    monkeypatch.setattr("portal.tables.api.allow", lambda *_args, **_options: True)
    token = renew_token(user=alice)
    for name in sorted(operations())[part::PARTS]:
        client = Client(headers={"authorization": f"Token {token}"}, raise_request_exception=False)
        with transaction.atomic():
            send_generated(operations()[name], client, turn_table)
            transaction.set_rollback(True)


def send_generated(operation, client, turn_table):
    described = {int(status) for status in operation.definition.raw["responses"] if status.isdigit()}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), at_the_table=st.booleans())
    def send(case, at_the_table):
        path = case.path
        for key, value in (case.path_parameters or {}).items():
            path = path.replace("{" + key + "}", str(turn_table.pk if at_the_table else value))
        raw = case.body if isinstance(case.body, (str, bytes)) else json.dumps(case.body, default=str) if _has(case.body) else ""
        query = {key: str(value) for key, value in (case.query or {}).items()}
        answer = client.generic(
            case.method,
            _quoted(path),
            raw,
            content_type="application/json",
            query_params={k: v for k, v in query.items() if "\x00" not in k},
        )
        assert answer.status_code in described | {404}, (answer.status_code, case.method, path, raw, answer.content[:300])
        if answer.status_code >= 400:
            assert set(answer.json()["error"]) == {"code", "reason", "rule", "rule_url"}

    send()


def _has(body) -> bool:
    return body is not None and type(body).__name__ != "NotSet"


def _quoted(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/-_.~%")


@pytest.fixture
def turn_table(duel):
    return duel


@pytest.mark.parametrize("version", ["1", "a%0D%0ASet-Cookie:%20a=b", "%22", ""])
def test_no_version_gets_into_the_name_of_the_file(client, version):
    asked = client.get(f"/api/schema/?version={version}")
    assert asked.status_code == 200
    assert asked["Content-Disposition"] == client.get("/api/schema/")["Content-Disposition"]
