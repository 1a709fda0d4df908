"""Sign-in asks for a second factor once there is one, nothing goes around it, and its keys leave the database nowhere."""

from __future__ import annotations

import json
import re
import time
import zipfile
from io import BytesIO

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from portal.accounts import second_factor, services
from portal.accounts.deleting import delete_person
from portal.accounts.models import SignIn, User
from portal.accounts.own_tokens import make_token

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
NOON = "2026-03-05 12:00:10+00:00"
PAGES = (
    "mfa_index", "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes", "mfa_add_webauthn", "mfa_reauthenticate", "mfa_reauthenticate_webauthn",
)  # fmt: skip


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def app(alice):
    """Alice's app and her recovery codes."""
    totp.TOTP.activate(alice, SECRET)
    return RecoveryCodes.activate(alice)


def code(steps: int = 0) -> str:
    return totp.format_hotp_value(totp.hotp_value(SECRET, int(time.time()) // 30 + steps))


def with_password(name: str = "alice", client: Client | None = None, **more: str) -> Client:
    client = client or Client()
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD, "remember": "on", **more})
    assert answer.status_code == 302
    return client


def with_code(given: str, client: Client | None = None):
    client = client or with_password()
    return client, client.post(reverse("mfa_authenticate"), {"code": given})


def is_in(client: Client) -> bool:
    return client.get(reverse("settings")).status_code == 200


def test_the_password_alone_signs_nobody_in(app):
    client = with_password()
    assert not is_in(client)
    assert not SignIn.objects.exists()
    page = client.get(reverse("mfa_authenticate"))
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]


def test_the_code_of_the_app_signs_in_and_the_browser_is_listed(app):
    client, answer = with_code(code())
    assert answer.status_code == 302
    assert is_in(client)
    assert SignIn.objects.get().key == client.session.session_key


def test_whoever_signs_in_goes_where_they_wanted(app):
    client = with_password(next=reverse("rest"))
    assert with_code(code(), client)[1]["Location"] == reverse("rest")


def test_a_code_counts_once_even_without_the_cache(app, fresh):
    used = code()
    with_code(used)
    cache.clear()
    fresh.shift(25)
    client, answer = with_code(used)
    assert answer.status_code == 200
    assert "used already" in answer.content.decode()
    assert not is_in(client)
    assert is_in(with_code(code(1), client)[0])


@pytest.mark.parametrize("steps", [-1, 1])
def test_a_clock_may_differ_by_half_a_minute(app, steps):
    assert is_in(with_code(code(steps))[0])


@pytest.mark.parametrize("given", ["", "000000", "x", "²²²²²²", code.__name__ * 30, "1" * 5000])
def test_a_wrong_code_signs_nobody_in(app, given):
    client, answer = with_code(given)
    assert answer.status_code == 200
    assert not is_in(client)


def test_codes_are_guessed_ten_times_then_the_right_one_waits_too(app):
    for _ in range(2):
        client = with_password()
        for _ in range(5):
            with_code("123456", client)
    assert with_code(code())[1].status_code == 429
    assert "Retry-After" in with_code(code())[1].headers


def test_guesses_at_one_person_count_from_all_addresses(app, settings):
    for number in range(10):
        client = with_password()
        client.post(reverse("mfa_authenticate"), {"code": "123456"}, REMOTE_ADDR=f"192.0.2.{number}")
    assert client.post(reverse("mfa_authenticate"), {"code": code()}, REMOTE_ADDR="192.0.2.99").status_code == 429


def test_a_recovery_code_works_once(app):
    spare = app.get_unused_codes()[0]
    assert is_in(with_code(spare)[0])
    client, answer = with_code(spare)
    assert answer.status_code == 200
    assert not is_in(client)
    assert len(Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()) == 9


def test_a_guest_can_sign_in_to_such_an_account(app):
    client = Client()
    guest = services.create_guest(address="192.0.2.1")
    client.force_login(guest)
    with_password(client=client)
    assert int(client.session["_auth_user_id"]) == guest.pk
    with_code(code(), client)
    assert ">alice<" in client.get(reverse("settings")).content.decode()


def test_guests_have_no_second_factor():
    client = Client()
    client.force_login(services.create_guest(address="192.0.2.1"))
    for name in PAGES:
        assert client.get(reverse(name))["Location"] == reverse("account_signup")


@pytest.mark.parametrize("name", PAGES)
def test_strangers_are_asked_to_sign_in(name):
    assert Client().get(reverse(name))["Location"].startswith(reverse("account_login"))


@pytest.mark.django_db(transaction=True)
def test_it_is_turned_on_with_a_code_and_said_by_mail(alice, mailoutbox):
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    client = with_password()
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = re.search(r'class="token"[^>]*>([A-Z2-7]+)<', page)[1]
    assert client.post(reverse("mfa_activate_totp"), {"code": "12"}).status_code == 200
    assert not second_factor.is_on(alice)
    right = totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))
    answer = client.post(reverse("mfa_activate_totp"), {"code": right})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    assert second_factor.is_on(alice)
    codes = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert codes.count("codes__code") == 10
    assert "recovery-codes.txt" in client.get(reverse("mfa_download_recovery_codes"))["Content-Disposition"]
    (mail,) = mailoutbox
    assert mail.to == ["alice@example.org"]
    assert "authenticator app was added" in mail.body
    assert secret not in mail.body
    kept = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in kept


def test_an_open_address_has_to_be_confirmed_first(alice):
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=False)
    client = with_password()
    for name in ("mfa_activate_totp", "mfa_add_webauthn"):
        answer = client.post(reverse(name), {"code": "1"}, follow=True)
        assert answer.redirect_chain[0][0] == reverse("mfa_index")
        assert "Confirm your email address first" in answer.content.decode()


@pytest.mark.parametrize("name", ["mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_view_recovery_codes", "mfa_add_webauthn"])
def test_changes_need_the_second_factor_again_after_some_minutes(app, fresh, alice, name):
    client, _ = with_code(code())
    assert client.get(reverse(name)).status_code == 200
    fresh.shift(360)
    again = client.get(reverse(name))
    assert again["Location"].startswith(reverse("mfa_reauthenticate"))
    assert client.get(reverse("account_reauthenticate"))["Location"].startswith(reverse("mfa_reauthenticate"))  # no password in its place
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse(name)).status_code == 302
    client.post(reverse("mfa_reauthenticate"), {"code": "000000"})
    assert client.get(reverse(name)).status_code == 302
    client.post(again["Location"], {"code": code()})
    assert client.get(reverse(name)).status_code == 200


def test_without_the_app_the_password_is_enough_again(app, alice):
    client, _ = with_code(code())
    assert client.post(reverse("mfa_deactivate_totp"))["Location"] == reverse("mfa_index")
    assert not Authenticator.objects.exists()  # recovery codes go with it
    assert is_in(with_password())


def test_a_token_works_as_before_but_a_password_makes_none(app, alice):
    token = make_token(user=alice).text
    mine = Client().get("/api/v1/tables/?list=mine", headers={"Authorization": f"Token {token}"})
    assert mine.status_code == 200
    refused = Client().post(reverse("api-token"), {"username": "alice", "password": PASSWORD}, content_type="application/json")
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "second_factor"
    Authenticator.objects.all().delete()
    assert (
        Client().post(reverse("api-token"), {"username": "alice", "password": PASSWORD}, content_type="application/json").status_code == 200
    )


def test_the_admin_has_no_door_with_a_password_alone(app, alice):
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    client = Client()
    refused = client.post(reverse("admin:login"), {"username": "alice", "password": PASSWORD})
    assert refused.status_code == 200
    assert "second factor" in refused.content.decode()
    assert client.get(reverse("admin:index")).status_code == 302
    assert with_code(code())[0].get(reverse("admin:index")).status_code == 200


def test_an_operator_can_remove_a_factor_but_read_none(app, alice, bob):
    User.objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(User.objects.get(pk=bob.pk))
    row = Authenticator.objects.get(type="totp")
    pages = [
        client.get(reverse("admin:mfa_authenticator_changelist")),
        client.get(reverse("admin:mfa_authenticator_change", args=[row.pk])),
    ]
    for page in pages:
        assert page.status_code == 200
        assert row.data["secret"] not in page.content.decode()
    assert client.get(reverse("admin:mfa_authenticator_add")).status_code == 403
    client.post(reverse("admin:mfa_authenticator_delete", args=[row.pk]), {"post": "yes"})
    assert is_in(with_password())


def test_the_export_names_it_and_has_no_key(app, alice):
    client, _ = with_code(code())
    archive = zipfile.ZipFile(BytesIO(client.post(reverse("export")).content))
    told = "".join(archive.read(name).decode() for name in archive.namelist())
    assert [one["type"] for one in json.loads(archive.read("profile.json"))["second_factors"]] == ["totp", "recovery_codes"]
    kept = [row.data.get("secret") or row.data["seed"] for row in Authenticator.objects.all()]
    for secret in (SECRET, *kept, *app.get_unused_codes()):
        assert secret not in told


def test_a_deleted_account_keeps_no_factor(app, alice):
    delete_person(user=alice)
    assert not Authenticator.objects.exists()


def test_the_settings_say_whether_it_is_on(app, alice, bob):
    def said(client):
        page = client.get(reverse("settings")).content.decode()
        assert reverse("mfa_index") in page
        return re.search(r"Second factor</dt>\s*<dd>\s*(\w+)", page)[1]

    assert said(with_code(code())[0]) == "on"
    assert said(with_password("bob")) == "off"


def test_after_another_secret_key_no_code_is_right(app, settings):
    settings.SECRET_KEY = "k" * 50
    client, answer = with_code(code())
    assert answer.status_code == 200
    assert not is_in(client)


@pytest.mark.parametrize("credential", ["", "x", "[]", "{}", "1", '{"id": 1}', '{"response": {"userHandle": "AAAA"}}', "null", '"\\u0000"'])
def test_a_passkey_that_is_none_is_refused(alice, credential):
    client = Client()
    assert "publicKey" in client.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"}).json()["request_options"]
    assert client.post(reverse("mfa_login_webauthn"), {"credential": credential})["Location"] == reverse("account_login")
    assert not is_in(client)
    with_password(client=client)
    client.get(reverse("mfa_add_webauthn"))
    assert client.post(reverse("mfa_add_webauthn"), {"name": "key", "credential": credential}).status_code == 200
    assert not Authenticator.objects.exists()


def test_no_page_is_allauths_own(app):
    client, _ = with_code(code())
    for name in PAGES[:-1]:
        answer = client.get(reverse(name), follow=True)
        if "text/html" in answer["Content-Type"]:
            page = answer.content.decode()
            assert '<section class="card' in page
            assert all('type="application/json"' in kind or "src=" in kind for kind in re.findall(r"<script([^>]*)>", page))
