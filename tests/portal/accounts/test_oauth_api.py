"""Applications by the API, and what programs can look up of OAuth."""

from __future__ import annotations

import base64
import json

import pytest
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.test import Client
from django.urls import reverse
from oauth2_provider.models import AccessToken, Application, Grant

from portal.accounts.own_tokens import make_token
from portal.common.scopes import SCOPES
from tests.portal.accounts.test_oauth import BACK, VERIFIER, answer_to, app, asks, bearer, browser, code_for, exchange  # noqa: F401 (fixtures)

pytestmark = pytest.mark.django_db
OWN = "/api/v1/me/applications/"
NEW = {"name": "Clay", "redirects": [BACK, "http://127.0.0.1:8123/back"]}


@pytest.fixture
def client_of(db):
    def client(user, *scopes: str) -> Client:
        return Client(headers={"authorization": f"Token {make_token(user=user, scopes=scopes or ('read', 'admin')).text}"})

    return client


def send(client, method: str, address: str, sent=None):
    return client.generic(method, address, "" if sent is None else json.dumps(sent), content_type="application/json")


def test_what_programs_look_up_is_what_works(browser, app):  # noqa: F811
    found = Client().get("/.well-known/oauth-authorization-server")
    told = found.json()
    assert found["Cache-Control"] == "public, max-age=3600"
    assert not found.cookies and browser.get("/.well-known/oauth-authorization-server", headers={"accept-language": "hu"}).json() == told
    assert told["issuer"] == settings.BASE_URL
    assert told["scopes_supported"] == list(SCOPES)
    assert told["code_challenge_methods_supported"] == ["S256"]
    paths = [told[f"{name}_endpoint"].removeprefix(settings.BASE_URL) for name in ("authorization", "token", "revocation")]
    assert paths == [reverse("oauth-authorize"), reverse("oauth-token"), reverse("oauth-revoke")]
    answer = answer_to(browser, browser.get(asks(app)), allow=True)
    assert f"iss={told['issuer'].replace(':', '%3A').replace('/', '%2F')}" in answer.url
    assert told["authorization_response_iss_parameter_supported"] is True
    assert Client().post("/.well-known/oauth-authorization-server").status_code == 405


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
def test_registered_by_the_api_with_a_secret_that_is_shown_once(client_of, alice, browser, method):  # noqa: F811
    client = client_of(alice)
    made = send(client, "POST", OWN, NEW | {"is_confidential": True})
    assert made.status_code == 201
    secret = made.json()["client_secret"]
    row = Application.objects.get()
    assert check_password(secret, row.client_secret) and row.user == alice
    listed = client.get(OWN).json()
    assert listed["next"] is None
    assert listed["results"] == [{key: value for key, value in made.json().items() if key != "client_secret"}]
    assert listed["results"][0]["redirects"] == NEW["redirects"]
    one = client.get(f"{OWN}{row.pk}/")
    assert one.json() == listed["results"][0]
    assert secret not in one.content.decode() and row.client_secret not in one.content.decode()
    code = code_for(browser, row)
    if method == "client_secret_post":
        assert exchange(row, code=code, client_secret="wrong").status_code == 401
        assert exchange(row, code=code, client_secret=secret).status_code == 200
    else:
        basic = base64.b64encode(f"{row.client_id}:{secret}".encode()).decode()
        sent = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": VERIFIER}
        assert Client(headers={"authorization": f"Basic {basic}"}).post(reverse("oauth-token"), sent).status_code == 200


def test_a_public_one_has_no_secret(client_of, alice):
    assert send(client_of(alice), "POST", OWN, NEW).json()["client_secret"] is None


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"name": ""}, 400, "name"),
        ({"name": "\u200b"}, 422, "name"),
        ({"redirects": ["http://example.org/"]}, 422, "redirects"),
        ({"redirects": ["https://example.org/ https://a\\b/"]}, 422, "redirects"),
        ({"redirects": [f"https://example.org/{n}" for n in range(6)]}, 400, "redirects"),
        ({"redirects": []}, 400, "redirects"),
        ({"redirects": "https://example.org/"}, 400, "redirects"),
    ],
)
def test_what_is_wrong_changes_nothing(client_of, alice, change, status, field):
    client = client_of(alice)
    refused = send(client, "POST", OWN, NEW | change)
    assert refused.status_code == status, refused.content
    assert refused.json()["errors"][0]["field"].split(".")[0] == field
    assert not Application.objects.exists()
    pk = send(client, "POST", OWN, NEW).json()["id"]
    assert send(client, "PATCH", f"{OWN}{pk}/", change).status_code == status
    row = Application.objects.get()
    assert (row.name, row.redirect_uris.split()) == (NEW["name"], NEW["redirects"])


def test_name_and_addresses_change_and_the_rest_stays(client_of, alice, browser):  # noqa: F811
    client = client_of(alice)
    made = send(client, "POST", OWN, NEW | {"is_confidential": True}).json()
    row = Application.objects.get()
    given = exchange(row, code=code_for(browser, row), client_secret=made["client_secret"]).json()
    code = code_for(browser, row)
    changed = send(client, "PATCH", f"{OWN}{row.pk}/", {"redirects": ["https://example.org/other"]})
    assert changed.json() == {key: value for key, value in made.items() if key != "client_secret"} | {
        "redirects": ["https://example.org/other"]
    }
    assert send(client, "PATCH", f"{OWN}{row.pk}/", {"name": " Reed "}).json()["name"] == "Reed"
    assert check_password(made["client_secret"], Application.objects.get().client_secret)
    assert bearer(given["access_token"]).get("/api/v1/me/").status_code == 200
    assert not Grant.objects.exists()
    assert exchange(row, code=code, client_secret=made["client_secret"]).status_code == 400
    assert browser.get(asks(row)).status_code == 400


def test_removed_its_tokens_stop(client_of, alice, browser):  # noqa: F811
    client = client_of(alice)
    send(client, "POST", OWN, NEW)
    row = Application.objects.get()
    given = exchange(row, code=code_for(browser, row)).json()
    assert send(client, "DELETE", f"{OWN}{row.pk}/").status_code == 204
    assert bearer(given["access_token"]).get("/api/v1/me/").status_code == 401
    assert send(client, "DELETE", f"{OWN}{row.pk}/").status_code == 404
    assert client.get(f"{OWN}{10**30}/").status_code == 404


def test_other_peoples_are_not_there(client_of, alice, app):  # noqa: F811
    client = client_of(alice)
    assert client.get(OWN).json()["results"] == []
    for method in ("GET", "PATCH", "DELETE"):
        assert send(client, method, f"{OWN}{app.pk}/", {"name": "Mine"}).status_code == 404
    assert Application.objects.get().name == app.name


def test_an_application_changes_none(browser, alice, app):  # noqa: F811
    acting = bearer(exchange(app, code=code_for(browser, app, scope="read admin")).json()["access_token"])
    assert AccessToken.objects.get().scope == "read admin"
    app.user = alice
    app.save()
    assert acting.get(OWN).json()["results"][0]["id"] == app.pk
    for method, address in (("POST", OWN), ("PATCH", f"{OWN}{app.pk}/"), ("DELETE", f"{OWN}{app.pk}/")):
        refused = send(acting, method, address, NEW)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_allowed")
    assert Application.objects.get().name == app.name


def test_how_often(client_of, alice):
    client = client_of(alice)
    for _ in range(20):
        pk = send(client, "POST", OWN, NEW).json()["id"]
        assert send(client, "DELETE", f"{OWN}{pk}/").status_code == 204
    refused = send(client, "POST", OWN, NEW)
    assert refused.status_code == 429 and 1 <= int(refused["Retry-After"]) <= 3600
