"""API tokens: shown once, kept as digests, revoked by their owner; those of earlier releases still work."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from portal.accounts.models import ApiToken
from portal.accounts.services import SIGN_IN_TOKENS, renew_token, token_for_sign_in
from portal.accounts.tokens import digest_of

pytestmark = pytest.mark.django_db
OLD = "0123456789abcdef0123456789abcdef01234567"


def works(token: str) -> bool:
    answer = Client(headers={"authorization": f"Token {token}"}).get("/api/v1/tables/?list=mine")
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def shown(response) -> str:
    """Return the token that a page shows, or nothing."""
    found = re.search(r'<p class="token">(\w+)</p>', response.content.decode())
    return found[1] if found else ""


def whole_database() -> str:
    """Return every row of every table as text."""
    with connection.cursor() as cursor:
        rows = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{name}" t')
            rows += [text for (text,) in cursor.fetchall()]
    return "\n".join(rows)


def test_a_token_is_shown_once_renewed_and_revoked(client, alice):
    client.force_login(alice)
    made = client.post(reverse("settings-token"), {"do": "renew"})
    first = shown(made)
    assert works(first)
    assert "no-store" in made["Cache-Control"]
    for address in ("settings", "settings-token"):
        page = client.get(reverse(address), follow=True).content.decode()
        assert first not in page
        assert "You have 1 token." in page
    second = shown(client.post(reverse("settings-token"), {"do": "renew"}))
    assert works(second)
    assert not works(first)
    client.post(reverse("settings-token"), {"do": "remove"})
    assert not works(second)


def test_a_token_is_nobody_elses_and_no_guests(client, alice, bob):
    token = renew_token(user=alice)
    client.force_login(bob)
    assert "You have 1 token." not in client.get(reverse("settings")).content.decode()
    client.post(reverse("settings-token"), {"do": "remove"})
    client.post(reverse("settings-token"), {"do": "renew"})
    assert works(token)
    guest = Client()
    guest.post(reverse("play-now", args=["ra"]))
    assert guest.post(reverse("settings-token"), {"do": "renew"}).status_code == 403
    assert Client().post(reverse("settings-token")).url.startswith(reverse("account_login"))


def test_the_database_holds_no_token(client, alice):
    client.force_login(alice)
    made = shown(client.post(reverse("settings-token"), {"do": "renew"}))
    signed_in = token_for_sign_in(user=alice)
    everything = whole_database()
    assert digest_of(made) in everything
    assert made not in everything
    assert signed_in not in everything


def test_a_digest_is_no_token(alice):
    renew_token(user=alice)
    assert not works(ApiToken.objects.get().digest)


def test_no_two_tokens_are_alike_and_each_is_long(alice):
    tokens = {token_for_sign_in(user=alice) for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch("[0-9a-f]{40}", token) for token in tokens)


def test_the_newest_sign_ins_work_and_always_the_token_of_the_settings(alice, bob):
    of_settings, of_bob = renew_token(user=alice), token_for_sign_in(user=bob)
    tokens = [token_for_sign_in(user=alice) for _ in range(SIGN_IN_TOKENS + 2)]
    assert [works(token) for token in tokens] == [False] * 2 + [True] * SIGN_IN_TOKENS
    assert works(of_settings)
    assert works(of_bob)
    renew_token(user=alice)
    assert not works(tokens[-1])


def test_a_token_of_somebody_who_is_locked_out_does_not_work(alice):
    token = renew_token(user=alice)
    alice.is_active = False
    alice.save()
    assert not works(token)


def test_a_token_of_an_earlier_release_works_and_is_nowhere_in_plain_text(alice, bob):
    """The data migration, with the table as `rest_framework.authtoken` had made it, and without it."""
    MigrationExecutor(connection).migrate([("accounts", "0004_api_token")])
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE authtoken_token (key varchar(40) PRIMARY KEY, created timestamptz NOT NULL,"
            " user_id bigint NOT NULL UNIQUE REFERENCES accounts_user (id) DEFERRABLE INITIALLY DEFERRED)"
        )
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, now(), %s), (%s, now(), %s)", [OLD, alice.pk, "f" * 40, bob.pk])
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes("accounts"))
    assert works(OLD)
    assert works("f" * 40)
    assert ApiToken.objects.get(digest=digest_of(OLD)).user == alice
    assert OLD not in whole_database()
    renew_token(user=alice)
    assert not works(OLD)


def test_the_app_that_kept_tokens_in_plain_text_is_gone():
    assert not apps.is_installed("rest_framework.authtoken")
