"""Every error of the API has one shape, whoever made it, in the reader's language; and each name is explained."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re

import pytest
from django.test import Client
from rest_framework import exceptions

import portal
from portal.accounts.models import User
from portal.accounts.services import token_for_sign_in
from portal.accounts.tokens import TokenExpired
from portal.common.limits import Use
from portal.common.refusals import every_refusal
from portal.live import problems, turned_away
from portal.tables.api_problems import PROBLEMS

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}
SAID = {"en": "There is nothing at this address.", "hu": "Ezen a címen nincs semmi.", "ru": "По этому адресу ничего нет."}


def told(response, status: int, code: str) -> dict:
    """Return an error, after a look at its shape."""
    assert response.status_code == status, response.content[:300]
    assert response["Content-Type"] == problems.CONTENT_TYPE
    body = response.json()
    assert set(body) == {"type", "title", "status", "detail", "rule", "errors", "error"}
    assert set(body["error"]) == {"code", "reason", "rule", "rule_url"}
    assert body["type"].endswith(f"/api/docs/#problem-{code}")
    assert (body["status"], body["error"]["code"]) == (status, code)
    assert body["detail"] == body["error"]["reason"] and body["rule"] == body["error"]["rule"]
    assert body["title"]
    return body


def bearer(user) -> Client:
    return Client(headers={"authorization": f"Token {token_for_sign_in(user=user)}"}, raise_request_exception=False)


@pytest.mark.parametrize("path", ["/api/", "/api/v1/", "/api/v1/nothing/", "/api/v2/tables/", "/api/v1/tables/x/", "/api/docs/nothing"])
def test_unknown_addresses(client, path):
    told(client.get(path), 404, "not_found")
    told(client.post(path, "{", **JSON), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"), [("DELETE", "/api/v1/games/"), ("PUT", "/api/v1/token/"), ("POST", "/api/docs/"), ("POST", "/api/schema/")]
)
def test_methods_that_an_address_does_not_take(alice, method, path):
    answer = bearer(alice).generic(method, path, "{}", **JSON)
    told(answer, 405, "method_not_allowed")
    assert "GET" in answer["Allow"] or "POST" in answer["Allow"]


def test_bodies_and_formats(alice):
    hers = bearer(alice)
    told(hers.post("/api/v1/tables/", "<a/>", content_type="application/xml"), 415, "unsupported_media_type")
    told(hers.post("/api/v1/tables/", "{", **JSON), 400, "parse_error")
    told(hers.post("/api/v1/tables/", "{}", **JSON), 400, "invalid")
    told(hers.post("/api/v1/tables/", '"' + "x" * 100_000 + '"', **JSON), 413, "too_big")
    told(hers.get("/api/v1/games/", headers={"accept": "text/csv"}), 406, "not_acceptable")
    told(hers.get("/api/v1/tables/?list=%00"), 400, "bad_request")


def test_who_is_not_let_in(client, alice):
    told(client.post("/api/v1/tables/", "{}", **JSON), 401, "not_authenticated")
    told(client.get("/api/v1/games/", headers={"authorization": "Token nonsense"}), 401, "authentication_failed")
    told(client.post("/api/v1/token/", {"username": "alice", "password": "no"}, **JSON), 401, "wrong_password")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    told(browser.post("/api/v1/tables/", "{}", **JSON), 403, "permission_denied")


def test_limits_say_how_long_to_wait(client, alice, monkeypatch):
    for _ in range(5):
        locked = client.post("/api/v1/token/", {"username": "alice", "password": "no"}, **JSON)
    told(locked, 429, "locked_out")
    monkeypatch.setattr("portal.common.api_views.use", lambda *_args, **_options: Use(-1, 17))
    throttled = bearer(alice).get("/api/v1/games/")
    told(throttled, 429, "throttled")
    assert (locked["Retry-After"], throttled["Retry-After"]) == ("900", "17")


def test_faults_and_an_absent_database(client, monkeypatch):
    from django.db import OperationalError

    client.raise_request_exception = False
    for error, status, code in ((RuntimeError("boom"), 500, "fault"), (OperationalError("gone"), 503, "away")):

        def broken(*_args, error=error, **_options):
            raise error

        monkeypatch.setattr("portal.tables.api.table_rows", broken)
        assert "boom" not in json.dumps(told(client.get("/api/v1/tables/"), status, code))


def test_each_wrong_field_is_named_with_its_path(alice):
    hers = bearer(alice)
    wrong = {"game": "ra", "pace": {"kind": "slow", "bank_s": "x"}, "invite": ["bob", "x" * 999], "seats": 0}
    body = told(hers.post("/api/v1/tables/", wrong, **JSON), 400, "invalid")
    assert [one["field"] for one in body["errors"]] == ["seats", "pace.kind", "pace.bank_s", "invite.1"]
    assert all(set(one) == {"field", "reason"} and one["reason"] in body["detail"] for one in body["errors"])
    whole = told(hers.post("/api/v1/tables/", "[]", **JSON), 400, "invalid")
    assert [one["field"] for one in whole["errors"]] == [""]
    query = told(hers.get("/api/v1/notices/?limit=x"), 400, "invalid")
    assert [one["field"] for one in query["errors"]] == ["limit"]
    assert told(hers.get("/api/v1/nothing/"), 404, "not_found")["errors"] == []


def test_a_refusal_names_the_field_that_has_to_change(alice):
    body = told(bearer(alice).post("/api/v1/tokens/", {"name": "\u202e", "scopes": ["read"]}, **JSON), 422, "bad_value")
    assert body["errors"] == [{"field": "name", "reason": body["detail"]}]


@pytest.mark.parametrize("language", ["en", "hu", "ru"])
def test_in_the_readers_language(client, language):
    body = told(client.get("/api/v1/nothing/", headers={"accept-language": language}), 404, "not_found")
    assert body["detail"] == SAID[language]
    assert (body["title"] == "Not found") == (language == "en")


def test_a_refusal_of_the_rules_has_its_paragraph(duel, alice, bob):
    from tests.portal.tables.driver import play_on

    table = play_on(duel.pk, until=lambda now: now.table.due == [0]).table
    body = {"action": "bid 12", "expected_version": table.version}
    assert told(bearer(alice).post(f"/api/v1/tables/{table.pk}/actions/", body, **JSON), 422, "refused")["rule"].startswith("ra#")


def test_every_name_is_explained(client):
    for module in pkgutil.walk_packages(portal.__path__, "portal."):
        if module.name.endswith("refusals"):
            importlib.import_module(module.name)
    names = {refusal.code: refusal.status for refusal in every_refusal() if refusal.__module__.startswith("portal.")}
    names |= {one.code: one.status for one in vars(turned_away).values() if isinstance(one, turned_away.TurnedAway)}
    framework = (
        *(exceptions.ValidationError, exceptions.ParseError, exceptions.AuthenticationFailed, exceptions.NotAuthenticated),
        *(exceptions.PermissionDenied, exceptions.NotFound, exceptions.MethodNotAllowed, exceptions.NotAcceptable),
        *(exceptions.UnsupportedMediaType, exceptions.Throttled, TokenExpired),
    )
    names |= {one.default_code: one.status_code for one in framework}
    told_here = {"bad_request": 400, "forbidden": 403, "csrf": 403, "locked_out": 429, "fault": 500, "away": 503, "maintenance": 503}
    assert {name: int(text[:3]) for name, text in PROBLEMS.items()} == names | told_here
    page = client.get("/api/docs/").content.decode()
    assert set(re.findall(r'id="problem-(\w+)"', page)) == set(PROBLEMS)


def test_pages_of_people_are_not_touched(client):
    assert client.get("/nothing/")["Content-Type"].startswith("text/html")


def test_a_token_brings_language_and_time_zone_of_its_person(alice):
    User.objects.filter(pk=alice.pk).update(language="hu", time_zone="Asia/Tokyo")
    client = bearer(alice)
    answer = client.get("/api/v1/nothing/", headers={"accept-language": "ru"})
    assert told(client.get("/api/v1/tables/999999/", headers={"accept-language": "ru"}), 404, "table_not_found")["detail"].startswith(
        "Nincs ilyen asztal"
    )
    made = client.post("/api/v1/tables/", {"game": "ra", "seats": 2}, **JSON).json()
    assert client.get(f"/api/v1/tables/{made['id']}/").json()["created_at"].endswith("+09:00")
    assert client.get(f"/api/v1/tables/{made['id']}/")["Content-Language"] == "hu"
    User.objects.filter(pk=alice.pk).update(language="")
    assert answer.status_code == 404
    assert client.get("/api/v1/me/", headers={"accept-language": "ru"})["Content-Language"] == "ru"
