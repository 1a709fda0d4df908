"""A token does what its scopes say and no more, at every operation of the schema."""

from __future__ import annotations

import re

import pytest
from drf_spectacular.generators import SchemaGenerator

from portal.accounts.models import ApiToken
from portal.accounts.own_tokens import MOST_TOKENS, make_token
from portal.common.scopes import ALL
from tests.portal.api.asking import Person, code_of
from tests.portal.hostile.conftest import unlimited

__all__ = ["unlimited"]
pytestmark = pytest.mark.django_db
OPEN = {"sign_in"}  # needs no token
READING = {"read", "admin"}


def with_scopes(user, *scopes: str, **more) -> Person:
    person = Person()
    person.client.defaults["HTTP_AUTHORIZATION"] = f"Token {make_token(user=user, scopes=scopes, **more).text}"
    return person


def operations():
    """Yield (id, method, path below the root, scope) of every operation."""
    for path, methods in SchemaGenerator().get_schema(public=True)["paths"].items():
        for method, data in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield data["operationId"], method.upper(), re.sub(r"\{\w+\}", "1", path).removeprefix("/api/v1/"), data


def test_every_operation_refuses_a_token_without_its_scope(alice, unlimited):
    people = {missing: with_scopes(alice, *(scope for scope in ALL if scope != missing)) for missing in ALL}
    seen = set()
    for name, method, path, data in operations():
        if name in OPEN:
            assert "x-scope" not in data
            continue
        scope = data["x-scope"]
        assert (scope in READING) if method == "GET" else (scope != "read"), name
        refused = people[scope].post(path, {}, method)
        assert (refused.status_code, code_of(refused)) == (403, "scope_missing"), (name, refused.content)
        assert f"“{scope}”" in refused.json()["detail"]
        assert "403" in data["responses"], name
        seen.add(scope)
        for other in ALL:
            if other != scope and method == "GET":
                assert b"scope_missing" not in people[other].get(path).content, (name, other)
    assert seen >= {"read", "play", "admin"}


def test_a_session_has_all_scopes_and_a_visitor_reads_what_is_open(client, alice):
    assert client.get("/api/v1/games/").status_code == 200
    client.force_login(alice)
    assert client.get("/api/v1/tokens/").status_code == 200
    assert client.patch("/api/v1/me/", {"takes_invitations": False}, content_type="application/json").status_code == 200


def test_tokens_are_made_listed_and_revoked_by_a_token_with_admin(alice, bob):
    hers = with_scopes(alice, "read", "admin", name="The first")
    made = hers.post("tokens/", {"name": "A second", "scopes": ["admin", "read"], "days": 30})
    assert made.status_code == 201
    told = made.json()
    assert (told["name"], told["scopes"], told["is_this"], told["used_at"]) == ("A second", ["read", "admin"], False, None)
    assert told["expires_at"] is not None
    listed = hers.get("tokens/").json()["results"]
    assert [(row["name"], row["is_this"]) for row in listed] == [("A second", False), ("The first", True)]
    assert all("token" not in row for row in listed)
    second = Person()
    second.client.defaults["HTTP_AUTHORIZATION"] = f"Token {told['token']}"
    assert second.get("me/").json()["username"] == "alice"
    assert with_scopes(bob, "admin").post(f"tokens/{told['id']}/", method="DELETE").status_code == 404
    assert second.get("me/").status_code == 200
    assert hers.post(f"tokens/{told['id']}/", method="DELETE").status_code == 204
    assert second.get("me/").status_code == 401
    assert hers.post(f"tokens/{told['id']}/", method="DELETE").status_code == 404


def test_a_token_makes_none_that_does_more_or_works_longer(alice):
    hers = with_scopes(alice, "read", "admin", days=10)
    refused = hers.post("tokens/", {"name": "More", "scopes": ["read", "play"]})
    assert (refused.status_code, code_of(refused)) == (403, "scope_missing")
    assert ApiToken.objects.count() == 1
    ends = {hers.post("tokens/", {"name": "Long", "scopes": ["read"], "days": days}).json()["expires_at"] for days in (None, 365, 11)}
    assert len(ends) == 1
    assert ApiToken.objects.order_by("pk").first().expires_at == ApiToken.objects.order_by("pk").last().expires_at


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"name": "A bot", "scopes": []},
        {"name": "A bot", "scopes": ["read", "everything"]},
        {"name": " ", "scopes": ["read"]},
        {"name": "x" * 61, "scopes": ["read"]},
        {"name": "A bot", "scopes": ["read"], "days": 0},
        {"name": "A bot", "scopes": ["read"], "days": 366},
    ],
)
def test_what_can_t_be_made_makes_nothing(alice, sent):
    hers = with_scopes(alice, "admin")
    assert hers.post("tokens/", sent).status_code == 400
    assert ApiToken.objects.count() == 1


def test_guests_make_none_and_nobody_makes_too_many(alice, guest):
    assert Person(guest).post("tokens/", {"name": "A bot", "scopes": ["read"]}).status_code == 403
    hers = Person(alice)
    for _ in range(MOST_TOKENS):
        make_token(user=alice)
    assert hers.post("tokens/", {"name": "A bot", "scopes": ["read"]}).status_code == 409
