"""Every answer of the API says how many requests are left, for each token by itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from portal.accounts.own_tokens import make_token
from portal.common import api_views
from tests.portal.api.asking import ROOT, Person, code_of

pytestmark = pytest.mark.django_db
MOMENT = datetime(2026, 3, 1, 12, 0, 19, tzinfo=UTC)  # 41 seconds before the next minute


@pytest.fixture(autouse=True)
def _frozen():
    cache.clear()
    with time_machine.travel(MOMENT, tick=False):
        yield


def with_token(user) -> Person:
    person = Person()
    person.client.defaults["HTTP_AUTHORIZATION"] = f"Token {make_token(user=user).text}"
    return person


def test_it_counts_down_and_starts_again(alice):
    hers = with_token(alice)
    told = [hers.get("me/") for _ in range(2)]
    assert [answer["RateLimit"] for answer in told] == ['"api";r=599;t=41', '"api";r=598;t=41']
    assert {answer["RateLimit-Policy"] for answer in told} == {'"api";q=600;w=60'}
    with time_machine.travel(MOMENT.replace(minute=1, second=0), tick=False):
        assert hers.get("me/")["RateLimit"] == '"api";r=599;t=60'


def test_each_token_session_and_address_has_its_own(alice, client):
    first, second = with_token(alice), with_token(alice)
    client.force_login(alice)
    visitor = Client()
    asked = [first.get("games/"), first.get("games/"), second.get("games/"), client.get(ROOT + "games/"), visitor.get(ROOT + "games/")]
    assert [answer["RateLimit"].split(";")[1] for answer in asked] == ["r=599", "r=598", "r=599", "r=599", "r=599"]


def test_refusals_of_every_kind_say_it_too(alice, monkeypatch):
    monkeypatch.setattr(api_views, "REQUESTS_A_MINUTE", 5)
    hers, nobody, wrong = with_token(alice), Person(), Client(headers={"authorization": "Token wrong"})
    answers = [
        *(hers.get("tables/999999/"), hers.post("tables/", {}), hers.get("tables/?cursor=x&list=x"), hers.post("me/")),
        *(nobody.get("me/"), wrong.get(ROOT + "games/")),
    ]
    assert [answer.status_code for answer in answers] == [404, 400, 400, 405, 401, 401]
    assert [answer["RateLimit"] for answer in answers] == [f'"api";r={left};t=41' for left in (4, 3, 2, 1, 4, 3)]


def test_one_too_many_says_when_to_come_back_and_changes_nothing(alice, monkeypatch):
    monkeypatch.setattr(api_views, "REQUESTS_A_MINUTE", 1)
    hers = with_token(alice)
    assert hers.get("me/").status_code == 200
    refused = hers.post("me/", {"takes_invitations": False}, "PATCH")
    assert (refused.status_code, code_of(refused), refused["Retry-After"], refused["RateLimit"]) == (
        429,
        "throttled",
        "41",
        '"api";r=0;t=41',
    )
    alice.refresh_from_db()
    assert alice.takes_invitations
    with time_machine.travel(MOMENT.replace(minute=1, second=0), tick=False):
        assert hers.get("me/").status_code == 200


def test_without_the_cache_it_is_counted_here(alice, monkeypatch):
    def down(*_args, **_options):
        raise ConnectionError

    monkeypatch.setattr("portal.common.limits.cache.incr", down)
    hers = with_token(alice)
    assert [hers.get("me/")["RateLimit"] for _ in range(2)] == ['"api";r=599;t=41', '"api";r=598;t=41']
