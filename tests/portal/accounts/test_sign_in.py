"""Sign-up, sign-in, the lockout, a new password by mail, sign-out."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from portal.accounts import tasks
from portal.accounts.models import OutgoingMail, User

pytestmark = pytest.mark.django_db
LOGIN = {"login": "alice", "password": "correct horse", "remember": "on"}


def signed_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_sign_up_makes_an_account_and_signs_in(client):
    response = client.post(reverse("account_signup"), {"username": "Nofret", "password1": "papyrus and reed"})
    assert response.status_code == 302
    assert response.url == reverse("home")
    user = User.objects.get()
    assert (user.username, user.is_guest) == ("Nofret", False)
    assert signed_in(client)


def test_sign_up_without_a_mail_address_sends_none(client):
    client.post(reverse("account_signup"), {"username": "Nofret", "password1": "papyrus and reed", "email": ""})
    assert not mail.outbox
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("name", ["guest-abcde", "Alice", "a", "x" * 25, "a b", "<b>", "a/b", "a\x00b", "-a"])
def test_a_name_that_cannot_be_is_refused(client, alice, name):
    response = client.post(reverse("account_signup"), {"username": name, "password1": "papyrus and reed"})
    assert response.status_code == 200
    assert b'aria-invalid="true"' in response.content
    assert User.objects.count() == 1


@pytest.mark.parametrize("login", ["alice", "alice@example.org"])
def test_name_or_address_signs_in(client, alice, login):
    assert client.post(reverse("account_login"), LOGIN | {"login": login}).status_code == 302
    assert signed_in(client)


def test_next_leads_on_only_within_the_site(client, alice):
    page = reverse("lobby")
    assert client.post(reverse("account_login"), LOGIN | {"next": page}).url == page
    client.logout()
    assert client.post(reverse("account_login"), LOGIN | {"next": "https://evil.example/"}).url == reverse("home")


@pytest.mark.parametrize("wanted", ["lobby", "-1", "%", "x" * 3000, "rules:shelf", "\u0663"])
def test_next_that_is_no_address_is_left_out(client, alice, wanted):
    """A redirect takes a word for the name of a view."""
    client.force_login(alice)
    assert client.get(reverse("account_login"), {"next": wanted}).url == reverse("home")
    assert client.get(reverse("account_signup"), {"next": wanted}).url == reverse("home")
    assert client.post(reverse("set-theme"), {"theme": "dark", "next": wanted}).url == reverse("home")


def test_not_to_be_remembered_ends_with_the_browser(client, alice):
    client.post(reverse("account_login"), {"login": "alice", "password": "correct horse"})
    assert client.session.get_expire_at_browser_close()


def test_wrong_passwords_close_the_sign_in_for_a_while_and_for_that_name(client, alice, bob):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(4):
            assert client.post(reverse("account_login"), LOGIN | {"password": "wrong"}).status_code == 200
        locked = client.post(reverse("account_login"), LOGIN | {"password": "wrong"})
        assert locked.status_code == 429
        assert locked["Retry-After"] == "900"
        assert b"15 minutes" in locked.content
        still = client.post(reverse("account_login"), LOGIN)
        assert still.status_code == 429
        assert not signed_in(client)
        assert client.post(reverse("account_login"), LOGIN | {"login": "ALICE"}).status_code == 429
        client.post(reverse("account_login"), LOGIN | {"login": "bob"})
        assert signed_in(client), "others are not shut out"
        client.logout()
        clock.shift(timedelta(minutes=16))
        client.post(reverse("account_login"), LOGIN)
        assert signed_in(client)


def test_a_right_password_forgets_the_wrong_ones(client, alice):
    for _ in range(3):
        for _ in range(4):
            client.post(reverse("account_login"), LOGIN | {"password": "wrong"})
        assert client.post(reverse("account_login"), LOGIN).status_code == 302
        client.logout()


@pytest.fixture
def queued(settings):
    settings.EMAIL_BACKEND = "portal.accounts.mail.QueuedMailBackend"
    settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def test_a_forgotten_password_is_replaced_by_mail(client, alice, queued, settings):
    response = client.post(reverse("account_reset_password"), {"email": "alice@example.org"})
    assert response.url == reverse("account_reset_password_done")
    assert not mail.outbox, "the page does not wait for the mail server"
    assert tasks.send_due_mail() == 1
    link = re.search(rf"{settings.BASE_URL}(\S+)", mail.outbox[0].body).group(1)
    form = client.get(link, follow=True)
    done = client.post(form.request["PATH_INFO"], {"password1": "a new papyrus", "password2": "a new papyrus"})
    assert done.url == reverse("account_reset_password_from_key_done")
    client.post(reverse("account_login"), LOGIN | {"password": "a new papyrus"})
    assert signed_in(client)
    client.logout()
    again = client.get(link, follow=True)
    assert b"has already been used" in again.content, "the link works once"


@pytest.mark.parametrize("address", ["alice@example.org", "nobody@example.org"])
def test_links_in_mail_lead_home_whatever_host_was_asked(client, alice, queued, settings, address):
    settings.BASE_URL, settings.ALLOWED_HOSTS = "https://games.example.org", ["*"]
    client.post(reverse("account_reset_password"), {"email": address}, headers={"Host": "evil.example.com"})
    tasks.send_due_mail()
    assert "https://games.example.org/accounts/" in mail.outbox[0].body
    assert "evil" not in mail.outbox[0].body + mail.outbox[0].subject


def test_an_unknown_address_gets_the_same_answer(client, alice, queued):
    known = client.post(reverse("account_reset_password"), {"email": "alice@example.org"})
    unknown = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)


def test_sign_out_needs_a_post(client, alice):
    client.force_login(alice)
    assert client.get(reverse("account_logout")).status_code == 200
    assert signed_in(client)
    client.post(reverse("account_logout"))
    assert not signed_in(client)


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_who_is_signed_in_is_sent_on(client, alice, name):
    client.force_login(alice)
    assert client.get(reverse(name)).url == reverse("home")


PAGES = [
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "account_inactive",
    "account_email_verification_sent",
]


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize("name", PAGES)
def test_each_page_has_our_frame_and_one_heading(client, name, language):
    client.cookies["django_language"] = language
    content = client.get(reverse(name)).content.decode()
    assert content.count("<h1") == 1
    assert f'<html lang="{language}"' in content
    assert "site-header" in content
    assert "style=" not in content
    assert "<script>" not in content


@pytest.mark.parametrize("name", ["account_change_password", "account_email", "account_reauthenticate"])
def test_each_page_of_an_account_has_our_frame(client, alice, name):
    assert client.get(reverse(name)).url.startswith(reverse("account_login"))
    client.force_login(alice)
    content = client.get(reverse(name)).content.decode()
    assert content.count("<h1") == 1
    assert "site-header" in content
    assert 'name="csrfmiddlewaretoken"' in content


def test_the_password_is_changed_only_with_the_old_one(client, alice):
    client.force_login(alice)
    new = {"password1": "a new papyrus", "password2": "a new papyrus"}
    assert client.post(reverse("account_change_password"), new | {"oldpassword": "wrong"}).status_code == 200
    assert client.post(reverse("account_change_password"), new | {"oldpassword": "correct horse"}).url == reverse("settings")
    alice.refresh_from_db()
    assert alice.check_password("a new papyrus")
