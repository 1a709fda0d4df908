"""API tokens: named, shown once, kept as digests, expiring, each revoked by itself; those of earlier releases still work."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import ApiToken, User
from portal.accounts.own_tokens import MOST_TOKENS, make_token
from portal.accounts.refusals import NeedsAccount
from portal.accounts.services import SIGN_IN_TOKENS, token_for_sign_in
from portal.accounts.tokens import GUESSES, digest_of

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


def made_on_the_page(client, **more) -> str:
    return shown(client.post(reverse("tokens"), {"name": "A bot", "scopes": ["read", "play"], "days": "90", **more}))


def test_a_token_is_shown_once_listed_and_revoked_by_itself(client, alice):
    client.force_login(alice)
    answer = client.post(reverse("tokens"), {"name": "A <b>bot", "scopes": ["read", "club"], "days": ""})
    first, second = shown(answer), made_on_the_page(client, name="Another")
    assert works(first) and works(second)
    assert "no-store" in answer["Cache-Control"]
    page = client.get(reverse("tokens")).content.decode()
    assert first not in page and second not in page
    assert "A &lt;b&gt;bot" in page and "Another" in page
    rows = {row.name: row for row in ApiToken.objects.all()}
    assert rows["A <b>bot"].scopes == "read club" and rows["A <b>bot"].expires_at is None
    assert timedelta(days=89) < rows["Another"].expires_at - timezone.now() < timedelta(days=91)
    client.post(reverse("tokens"), {"revoke": rows["A <b>bot"].pk})
    assert not works(first)
    assert works(second)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": ""}, "Give the token a name"),
        ({"name": "x" * 61}, "Give the token a name"),
        ({"name": "\u202e"}, "Give the token a name"),
        ({"scopes": []}, "at least one thing"),
        ({"scopes": ["read", "everything"]}, "at least one thing"),
        ({"days": "31"}, "1 to 365 days"),
    ],
)
def test_a_token_that_can_t_be_made_makes_nothing(client, alice, sent, said):
    client.force_login(alice)
    answer = client.post(reverse("tokens"), {"name": "A bot", "scopes": ["read"], "days": "30", **sent})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_nobody_has_more_than_twenty(client, alice):
    client.force_login(alice)
    for _ in range(MOST_TOKENS):
        make_token(user=alice)
    answer = client.post(reverse("tokens"), {"name": "A bot", "scopes": ["read"]})
    assert answer.status_code == 409
    assert "Revoke one first." in answer.content.decode()
    assert ApiToken.objects.count() == MOST_TOKENS


def test_a_token_is_nobody_elses_and_no_guests(client, alice, bob):
    made = make_token(user=alice, name="Alice's bot")
    client.force_login(bob)
    assert "Alice&#x27;s bot" not in client.get(reverse("tokens")).content.decode()
    refused = [client.post(reverse("tokens"), {"revoke": number}) for number in (made.row.pk, "x", "9" * 30, "²")]
    assert {answer.status_code for answer in refused} == {404}
    assert works(made.text)
    guest = Client()
    guest.post(reverse("play-now", args=["ra"]))
    assert guest.post(reverse("tokens"), {"name": "A bot", "scopes": ["read"]}).url == reverse("account_signup")
    with pytest.raises(NeedsAccount):
        make_token(user=User.objects.get(is_guest=True))
    assert Client().post(reverse("tokens")).url.startswith(reverse("account_login"))


def test_the_database_holds_no_token(client, alice):
    client.force_login(alice)
    made, signed_in = made_on_the_page(client), token_for_sign_in(user=alice)
    everything = whole_database()
    assert digest_of(made) in everything
    assert made not in everything
    assert signed_in not in everything


def test_an_expired_token_says_so_and_is_no_guess(alice):
    text = make_token(user=alice, days=30).text
    with time_machine.travel(timezone.now() + timedelta(days=29)):
        assert works(text)
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1)):
        for _ in range(GUESSES.limit + 1):
            answer = Client(headers={"authorization": f"Token {text}"}).get("/api/v1/games/")
            assert answer.status_code == 401
            assert answer.json()["error"]["code"] == "token_expired"
        assert works(make_token(user=alice).text)


def test_the_last_use_is_written_once_an_hour(alice):
    made = make_token(user=alice)
    client = Client(headers={"authorization": f"Token {made.text}"})
    start = timezone.now()
    written = []
    for minutes in (0, 1, 59, 61):
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False), CaptureQueriesContext(connection) as queries:
            assert client.get("/api/v1/me/").status_code == 200
        written.append(sum(query["sql"].startswith("UPDATE") for query in queries))
    assert written == [1, 0, 0, 1]
    made.row.refresh_from_db()
    assert made.row.used_at == start + timedelta(minutes=61)


def test_a_digest_is_no_token(alice):
    make_token(user=alice)
    assert not works(ApiToken.objects.get().digest)


def test_no_two_tokens_are_alike_and_each_is_long(alice):
    tokens = {token_for_sign_in(user=alice) for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch("[0-9a-f]{40}", token) for token in tokens)


def test_the_newest_sign_ins_work_and_always_the_token_of_the_settings(alice, bob):
    of_settings, of_bob = make_token(user=alice).text, token_for_sign_in(user=bob)
    tokens = [token_for_sign_in(user=alice) for _ in range(SIGN_IN_TOKENS + 2)]
    assert [works(token) for token in tokens] == [False] * 2 + [True] * SIGN_IN_TOKENS
    assert works(of_settings)
    assert works(of_bob)


def test_a_token_of_somebody_who_is_locked_out_does_not_work(alice):
    token = make_token(user=alice).text
    alice.is_active = False
    alice.save()
    assert not works(token)


def migrate(to: str, *, fake: bool = False) -> None:
    MigrationExecutor(connection).migrate([("accounts", to)], fake=fake)


def test_a_token_of_an_earlier_release_works_and_is_nowhere_in_plain_text(alice, bob):
    """The data migration, with the table as `rest_framework.authtoken` had made it, and without it.

    All of it is rolled back. The index of `0018_bots_are_found` isn't made here, because it is made outside of transactions.
    """
    migrate("0017_bots", fake=True)
    migrate("0004_api_token")
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE authtoken_token (key varchar(40) PRIMARY KEY, created timestamptz NOT NULL,"
            " user_id bigint NOT NULL UNIQUE REFERENCES accounts_user (id) DEFERRABLE INITIALLY DEFERRED)"
        )
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, now(), %s), (%s, now(), %s)", [OLD, alice.pk, "f" * 40, bob.pk])
    migrate("0017_bots")
    assert works(OLD)
    assert works("f" * 40)
    assert ApiToken.objects.get(digest=digest_of(OLD)).user == alice
    assert OLD not in whole_database()
    assert ApiToken.objects.get(digest=digest_of(OLD)).scopes == "read play club admin"


def test_the_app_that_kept_tokens_in_plain_text_is_gone():
    assert not apps.is_installed("rest_framework.authtoken")
