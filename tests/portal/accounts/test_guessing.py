"""Whatever can be guessed has a limit for each address: after it even the right answer is refused, for a while, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import time_machine
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import timezone, translation

from portal.accounts import guessing, tokens
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.clubs import entry_views, services
from portal.common.limits import Guesses, client_network
from portal.common.refusals import TooManyGuesses

pytestmark = pytest.mark.django_db
Door = Callable[[Client, bool, int], HttpResponse]
LANGUAGES = ("en", "hu", "ru")


@pytest.fixture(autouse=True)
def few_guesses(monkeypatch):
    """Three are enough to see that a limit holds; the number at each door has a test of its own."""
    for module, name in ((guessing, "PASSWORDS"), (guessing, "MAILED_LINKS"), (tokens, "GUESSES"), (entry_views, "LINKS")):
        given = getattr(module, name)
        monkeypatch.setattr(module, name, Guesses(given.what, limit=3, window_s=given.window_s))


@pytest.fixture
def people(alice, bob):
    """Alice runs the site; there are enough names for axes to lock none."""
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    return [alice, bob]


def sign_in(client, right, n):
    return client.post(reverse("account_login"), {"login": "alice" if right else f"name{n}", "password": "correct horse"})


def sign_in_to_admin(client, right, n):
    return client.post(reverse("admin:login"), {"username": "alice" if right else f"name{n}", "password": "correct horse"})


def sign_in_by_api(client, right, n):
    body = {"username": "alice" if right else f"name{n}", "password": "correct horse"}
    return client.post(reverse("api-token"), body, content_type="application/json")


def send_token(client, right, n):
    token = make_token(user=User.objects.get(username="alice")).text if right else f"{n:040x}"
    return client.get("/api/v1/tables/?list=mine", headers={"Authorization": f"Token {token}"})


def send_malformed_token(client, right, n):
    return send_token(client, True, n) if right else client.get("/api/v1/tables/", headers={"Authorization": "Token a b"})


def open_reset_link(client, right, n):
    alice = User.objects.get(username="alice")
    key = default_token_generator.make_token(alice) if right else f"key-{n}"
    return client.get(reverse("account_reset_password_from_key", args=[user_pk_to_url_str(alice), key]))


def open_confirmation(client, right, n):
    alice = User.objects.get(username="alice")
    address, _made = EmailAddress.objects.get_or_create(user=alice, email="alice@example.org")
    return client.get(reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key if right else f"key:{n}"]))


def open_club_link(client, right, n):
    club = services.Club.objects.first() or services.create_club(owner=User.objects.get(username="alice"), name="Enlil")
    return client.get(reverse("club-join-link", args=[club.link_code if right else f"code-{n}"]))


def join_by_club_link(client, right, n):
    club = services.Club.objects.first() or services.create_club(owner=User.objects.get(username="alice"), name="Enlil")
    return client.post(reverse("club-join-link", args=[club.link_code if right else f"code-{n}"]))


DOORS: dict[Door, tuple[int, int]] = {  # what a wrong and a right guess are answered before the limit
    sign_in: (200, 302),
    sign_in_to_admin: (200, 302),
    sign_in_by_api: (401, 200),
    send_token: (401, 200),
    send_malformed_token: (401, 200),
    open_reset_link: (200, 302),
    open_confirmation: (200, 200),
    open_club_link: (404, 200),
    join_by_club_link: (404, 403),
}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_an_address_that_guesses_is_refused_for_a_while(people, door):
    wrong, right = DOORS[door]
    with time_machine.travel(timezone.now().replace(minute=1, second=0), tick=False) as clock:
        clients = [Client(REMOTE_ADDR=f"192.0.2.{n}", raise_request_exception=False) for n in (1, 2)]
        assert [door(clients[0], False, n).status_code for n in range(3)] == [wrong] * 3
        for language in LANGUAGES:
            for is_right in (False, True):
                refused = door(Client(REMOTE_ADDR="192.0.2.1", headers={"accept-language": language}), is_right, 9)
                assert refused.status_code == 429
                assert 0 < int(refused["Retry-After"]) <= 3600
                with translation.override(language):
                    said = str(TooManyGuesses())
                told = refused.json()["error"]["reason"] if "json" in refused["Content-Type"] else refused.content.decode()
                assert said in told
        assert door(clients[1], True, 9).status_code == right, "another address is not held up"
        clock.shift(int(refused["Retry-After"]))
        assert door(Client(REMOTE_ADDR="192.0.2.1"), True, 9).status_code == right


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_what_is_right_does_not_count(people, door):
    for n in range(5):
        client = Client(raise_request_exception=False)
        assert door(client, True, n).status_code == DOORS[door][1]


def test_the_docs_list_every_address_with_a_secret_in_it():
    """A part of an address that is called key, code or token."""
    text = (settings.BASE_DIR / "docs" / "operations.md").read_text()
    named = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    secret = {
        name for name in named for _way, given in get_resolver().reverse_dict.getlist(name)[0][0] if {*given} & {"key", "code", "token"}
    }
    assert secret == {
        "account_reset_password_from_key", "account_confirm_email", "club-join-link", "invitation-by-code", "notices-stop",
        "study-by-link", "api-club-link", "api-study-link", "api-link", "api-link-accept", "api-link-decline", "api-link-suggest", "api-link-watch",
    }  # fmt: skip
    for name in secret:
        path = get_resolver().reverse_dict.getlist(name)[0][0][0][0]
        assert f"/{path.partition('%')[0]}" in text, path


def test_wrong_passwords_count_together_wherever_they_are_given(people, client):
    answers = [door(client, False, n).status_code for n, door in enumerate((sign_in, sign_in_to_admin, sign_in_by_api, sign_in_to_admin))]
    assert answers == [200, 200, 401, 429]


def test_one_name_is_locked_in_the_admin_too(people, monkeypatch):
    monkeypatch.setattr(guessing, "PASSWORDS", Guesses("password", limit=100, window_s=900))
    client = Client()
    wrong = {"username": "alice", "password": "wrong"}
    answers = [client.post(reverse("admin:login"), wrong) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429]
    assert answers[-1]["Retry-After"] == "900"
    assert client.post(reverse("admin:login"), wrong | {"password": "correct horse"}).status_code == 429


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_that_allauth_counts_say_when_to_try_again(people, language):
    client = Client(headers={"accept-language": language})
    answer = [client.post(reverse("account_signup"), {"username": "!"}) for _ in range(21)][-1]
    assert answer.status_code == 429
    assert answer["Retry-After"] == "60"
    with translation.override(language):
        assert str(guessing.refusals.TooManyAttempts(retry_after_s=60)) in answer.content.decode()


def test_limits_hold_while_the_cache_is_away(people, client, monkeypatch):
    def away(*_args, **_options):
        raise ConnectionError

    monkeypatch.setattr("portal.common.limits.cache.incr", away)
    assert [sign_in(client, False, n).status_code for n in range(4)] == [200] * 3 + [429]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_an_ipv6_network_counts_as_one(address, network):
    assert client_network(RequestFactory().get("/", REMOTE_ADDR=address)) == network
