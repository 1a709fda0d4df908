"""People see where they are signed in, and sign out there."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from portal.accounts import services
from portal.accounts.models import SignIn
from portal.site.cleaning import clean_up

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
DESK = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
PASSWORD = "correct horse"


def signed_in(name: str, agent: str) -> Client:
    client = Client(headers={"user-agent": agent})
    assert client.post(reverse("account_login"), {"login": name, "password": PASSWORD, "remember": "on"}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("settings")).status_code == 200


@pytest.fixture
def phone(alice):
    return signed_in("alice", PHONE)


@pytest.fixture
def desk(alice):
    return signed_in("alice", DESK)


def test_both_are_listed_and_this_one_is_marked(phone, desk):
    page = desk.get(reverse("sign-ins")).content.decode()
    assert page.index("Chrome, Linux") < page.index("this device") < page.index("Firefox, Android")
    assert reverse("sign-ins") in desk.get(reverse("settings")).content.decode()


def test_one_can_be_ended_and_the_others_stay(phone, desk, alice):
    other = SignIn.objects.get(browser="Firefox, Android")
    assert desk.post(reverse("sign-ins"), {"end": other.pk}).status_code == 302
    assert not is_in(phone)
    assert is_in(desk)
    assert desk.post(reverse("sign-ins"), {"end": other.pk}).status_code == 404


def test_everything_else_can_be_ended_at_once(phone, desk):
    third = signed_in("alice", DESK)
    desk.post(reverse("sign-ins"), {"others": "1"})
    assert [is_in(client) for client in (phone, desk, third)] == [False, True, False]
    assert SignIn.objects.count() == 1


def test_a_new_password_ends_all_others(phone, desk):
    is_in(phone)
    new = {"oldpassword": PASSWORD, "password1": "papyrus and reed", "password2": "papyrus and reed"}
    assert desk.post(reverse("account_change_password"), new).status_code == 302
    assert not is_in(phone)
    assert is_in(desk)
    assert list(SignIn.objects.values_list("browser", flat=True)) == ["Chrome, Linux"]
    assert SignIn.objects.get().key == desk.session.session_key


def test_nobody_ends_what_is_somebody_elses(phone, bob):
    own = SignIn.objects.get()
    other = signed_in("bob", DESK)
    assert "Firefox" not in other.get(reverse("sign-ins")).content.decode()
    assert other.post(reverse("sign-ins"), {"end": own.pk}).status_code == 404
    other.post(reverse("sign-ins"), {"others": "1"})
    assert is_in(phone)


@pytest.mark.parametrize("value", ["", "0", "-1", "x", "1.5", "²", "9" * 30])
def test_bad_values_change_nothing(desk, value):
    assert desk.post(reverse("sign-ins"), {"end": value}).status_code == 404
    assert SignIn.objects.count() == 1


def test_strangers_and_guests_have_no_list(client):
    assert client.get(reverse("sign-ins")).url.startswith(reverse("account_login"))
    client.force_login(services.create_guest(address="198.51.100.7"))
    assert client.get(reverse("sign-ins")).url == reverse("account_signup")
    client.get(reverse("home"))
    assert not SignIn.objects.exists()


def test_no_page_asks_for_it_and_once_an_hour_it_is_written(desk, django_assert_num_queries):
    client = desk
    before = SignIn.objects.get(key=client.session.session_key).seen_at
    client.get(reverse("preferences"))
    with django_assert_num_queries(1):  # the person
        client.get(reverse("preferences"))
    assert SignIn.objects.get(key=client.session.session_key).seen_at == before
    session = client.session
    session["sign_in"][1] -= 3601
    session.save()
    client.get(reverse("preferences"))
    assert SignIn.objects.get(key=client.session.session_key).seen_at > before


def test_signing_out_and_time_take_rows_off_the_list(phone, desk):
    phone.post(reverse("account_logout"))
    assert SignIn.objects.count() == 1
    SignIn.objects.update(seen_at="2020-01-01T00:00:00Z")
    assert clean_up()["sign_ins"] == 1
