"""The webhook by the API: seen without its secret, turned on and off, removed."""

from __future__ import annotations

import pytest

from portal.accounts.own_tokens import make_token
from portal.notices.models import Hook
from tests.portal.api.asking import Person

pytestmark = pytest.mark.django_db
AT = "notices/webhook/"


@pytest.fixture
def hers(alice):
    return Person(alice)


def test_moves_are_turned_on_and_off(hook, hers):
    before = hers.get(AT)
    assert before.json() == {"url": hook.url, "posts_moves": False, "is_on": True, "failures": 0, "said": "", "said_at": None}
    assert hook.secret not in before.content.decode()
    assert hers.post(AT, {"posts_moves": True}, "PATCH").json() == before.json() | {"posts_moves": True}
    assert Hook.objects.get().takes_moves
    assert hers.post(AT, {}, "PATCH").json()["posts_moves"] is True
    assert hers.post(AT, {"posts_moves": False}, "PATCH").json() == before.json()


def test_turned_on_again_its_failures_are_forgotten(hook, hers):
    Hook.objects.update(failures=10)
    assert hers.post(AT, {"is_on": False}, "PATCH").json()["is_on"] is False
    assert Hook.objects.get().off_at is not None
    after = hers.post(AT, {"is_on": True}, "PATCH").json()
    assert (after["is_on"], after["failures"]) == (True, 0)


@pytest.mark.parametrize("sent", [{"posts_moves": "perhaps"}, {"is_on": None}, ["posts_moves"]])
def test_what_is_wrong_changes_nothing(hook, hers, sent):
    assert hers.post(AT, sent, "PATCH").status_code == 400
    assert (Hook.objects.get().takes_moves, Hook.objects.get().off_at) == (False, None)


def test_removed(hook, hers):
    assert hers.post(AT, method="DELETE").status_code == 204
    assert not Hook.objects.exists()
    for refused in (hers.get(AT), hers.post(AT, {"posts_moves": True}, "PATCH"), hers.post(AT, {}, "PATCH")):
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")
    assert hers.post(AT, method="DELETE").status_code == 204


def test_other_people_have_none_of_it(hook, bob):
    his = Person(bob)
    assert his.get(AT).status_code == 404
    assert his.post(AT, method="DELETE").status_code == 204
    assert Hook.objects.count() == 1


def test_reading_needs_the_scope_of_the_account(hook, alice, client):
    token = make_token(user=alice, scopes=["read", "play"]).text
    refused = client.get(f"/api/v1/{AT}", headers={"authorization": f"Token {token}"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "scope_missing")
