"""The schema is kept in docs/api-schema.json, and nothing that programs rely on leaves it unannounced."""

from __future__ import annotations

import copy
import json
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from portal.common import api_schema
from portal.common.api_schema import KEPT_IN, POLICY, broken, schema_now
from portal.common.deprecating import NOTICE, Deprecation
from portal.people.api import MeAnswer
from portal.tables.api import GamesView

TODAY = date(2026, 6, 1)
HOW = Deprecation(since=date(2026, 1, 1), until=date(2026, 8, 1))


@pytest.fixture(scope="module")
def now():
    return schema_now()


@pytest.fixture
def kept(now):
    return json.loads(now)


def test_the_schema_is_as_it_is_kept(now):
    before = KEPT_IN.read_text()
    lost = broken(json.loads(before), json.loads(now), date.today())
    assert not lost, "\n".join([*lost, POLICY])
    assert before == now, "Something was added to the API, or explained in other words: run `manage.py api_schema`."


def _without_operation(schema):
    del schema["paths"]["/api/v1/friends/"]["get"]
    return "GET /api/v1/friends/ is gone"


def _without_field(schema):
    del schema["components"]["schemas"]["MeAnswer"]["properties"]["is_guest"]
    return "MeAnswer.is_guest is gone"


def _without_value(schema):
    schema["components"]["schemas"]["PaceKind"]["enum"].remove("days")
    return "PaceKind.'days' is gone"


def _without_parameter(schema):
    operation = schema["paths"]["/api/v1/people/"]["get"]
    operation["parameters"] = [one for one in operation["parameters"] if one["name"] != "q"]
    return "GET /api/v1/people/ (query q) is gone"


def _of_another_type(schema):
    schema["components"]["schemas"]["MeAnswer"]["properties"]["is_guest"]["type"] = "string"
    return 'MeAnswer.is_guest has changed: {"required": true, "type": "boolean"} became {"required": true, "type": "string"}'


def _no_longer_sure(schema):
    schema["components"]["schemas"]["MeAnswer"]["required"].remove("is_guest")
    return 'MeAnswer.is_guest has changed: {"required": true, "type": "boolean"} became {"type": "boolean"}'


def _newly_required(schema):
    body = schema["components"]["schemas"][
        "TableRequestRequest" if "TableRequestRequest" in schema["components"]["schemas"] else "TableRequest"
    ]
    body["properties"]["mood"] = {"type": "string"}
    body.setdefault("required", []).append("mood")
    return ".mood is new, and required: programs don't send it"


def _another_scope(schema):
    schema["paths"]["/api/v1/friends/"]["get"]["x-scope"] = "admin"
    return "GET /api/v1/friends/ has changed: "


CHANGES = [
    _without_operation,
    _without_field,
    _without_value,
    _without_parameter,
    _of_another_type,
    _no_longer_sure,
    _newly_required,
    _another_scope,
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_breaks_programs_is_named(kept, change):
    other = copy.deepcopy(kept)
    said = change(other)
    lost = broken(kept, other, TODAY)
    assert [line for line in lost if said in line], lost


def test_more_of_anything_and_other_words_break_nothing(kept):
    other = copy.deepcopy(kept)
    other["paths"]["/api/v1/new/"] = other["paths"]["/api/v1/friends/"]
    parts = other["components"]["schemas"]
    parts["MeAnswer"]["properties"]["mood"] = {"type": "string"}
    parts["MeAnswer"]["description"] = parts["MeAnswer"]["properties"]["is_guest"]["description"] = "Other words."
    parts["PaceKind"]["enum"].append("weeks")
    assert broken(kept, other, TODAY) == []


def test_what_was_announced_may_go_on_its_day(kept):
    kept["components"]["schemas"]["MeAnswer"]["properties"]["is_guest"] |= HOW.marks
    kept["paths"]["/api/v1/friends/"]["get"] |= HOW.marks
    other = copy.deepcopy(kept)
    _without_field(other), _without_operation(other)
    assert {line.rpartition(" is gone")[0] for line in broken(kept, other, HOW.until - timedelta(days=1))} >= {
        "MeAnswer.is_guest",
        "GET /api/v1/friends/",
    }
    assert broken(kept, other, HOW.until) == []


def test_the_command_writes_what_is_new_and_refuses_what_breaks(kept, now, tmp_path, monkeypatch):
    file = tmp_path / "schema.json"
    monkeypatch.setattr(api_schema, "KEPT_IN", file)
    call_command("api_schema")
    assert file.read_text() == now
    _without_field(kept)
    file.write_text(json.dumps(kept))
    call_command("api_schema")
    assert file.read_text() == now
    kept["components"]["schemas"]["MeAnswer"]["properties"]["soul"] = {"type": "string"}
    file.write_text(before := json.dumps(kept))
    with pytest.raises(CommandError, match=r"MeAnswer\.soul is gone\n.*deprecate it"):
        call_command("api_schema")
    assert file.read_text() == before


def test_less_than_half_a_year_is_no_notice():
    Deprecation(since=TODAY, until=TODAY + NOTICE)
    with pytest.raises(ValueError, match="182 days of notice, not 181"):
        Deprecation(since=TODAY, until=TODAY + NOTICE - timedelta(days=1))


def test_a_deprecated_operation_says_so_in_headers_and_schema(client, monkeypatch, db):
    monkeypatch.setattr(GamesView, "leaving", {"GET": HOW})
    answer = client.get("/api/v1/games/")
    assert (answer["Deprecation"], answer["Sunset"]) == ("@1767225600", "Sat, 01 Aug 2026 00:00:00 GMT")
    assert answer["Link"].endswith('/api/docs/>; rel="deprecation"; type="text/html"')
    operation = json.loads(schema_now())["paths"]["/api/v1/games/"]["get"]
    assert (operation["deprecated"], operation["x-sunset"]) == (True, "2026-08-01")
    assert "Deprecation" not in client.post("/api/v1/games/")
    assert "Deprecation" not in client.get("/api/v1/tables/")


def test_a_deprecated_field_says_so_in_the_schema(monkeypatch):
    monkeypatch.setattr(MeAnswer, "leaving", {"is_guest": HOW})
    field = json.loads(schema_now())["components"]["schemas"]["MeAnswer"]["properties"]["is_guest"]
    assert (field["deprecated"], field["x-sunset"], field["type"]) == (True, "2026-08-01", "boolean")
