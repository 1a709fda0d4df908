"""Another email address counts once it is confirmed, and the old one is told."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

pytestmark = pytest.mark.django_db
NEW = "new@example.org"
PASSWORD = "correct horse"


@pytest.fixture
def alices(alice):
    cache.clear()
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    return signed_in("alice")


def signed_in(name: str) -> Client:
    client = Client()
    assert client.post(reverse("account_login"), {"login": name, "password": PASSWORD}).status_code == 302
    return client


def mailed_to(outbox: list, address: str) -> str:
    (found,) = [mail for mail in outbox if mail.to == [address]]
    return found.body


def test_the_new_address_is_confirmed_before_it_counts_and_the_old_one_is_told(alices, alice, mailoutbox):
    assert reverse("account_email") in alices.get(reverse("settings")).content.decode()
    assert alices.post(reverse("account_email"), {"email": NEW, "action_add": "1"}).status_code == 302
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert [mail.to for mail in mailoutbox] == [[NEW]]
    assert NEW in alices.get(reverse("account_email")).content.decode()
    link = re.search(r"/accounts/confirm-email/\S+", mailed_to(mailoutbox, NEW))[0]
    alices.post(link)
    alice.refresh_from_db()
    assert alice.email == NEW
    assert list(EmailAddress.objects.values_list("email", "verified")) == [(NEW, True)]
    told = mailed_to(mailoutbox, "alice@example.org")
    assert reverse("settings") in told
    assert NEW not in told  # a thief of the old mailbox learns no address


def test_a_first_address_tells_nobody(bob, mailoutbox):
    cache.clear()
    bob.email = ""
    bob.save()
    client = signed_in("bob")
    client.post(reverse("account_email"), {"email": NEW, "action_add": "1"})
    client.post(re.search(r"/accounts/confirm-email/\S+", mailed_to(mailoutbox, NEW))[0])
    assert len(mailoutbox) == 1


def test_the_old_address_can_be_kept(alices, alice):
    alices.post(reverse("account_email"), {"email": NEW, "action_add": "1"})
    alices.post(reverse("account_email"), {"email": NEW, "action_remove": "1"})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["alice@example.org"]


def test_some_minutes_after_sign_in_another_address_needs_the_password(alices, alice, mailoutbox):
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=False):
        assert alices.get(reverse("account_email")).status_code == 200
        asked = alices.post(reverse("account_email"), {"email": NEW, "action_add": "1"})
        assert asked["Location"].startswith(reverse("account_reauthenticate"))
        assert not mailoutbox
        assert "Confirm that it's you" in alices.get(asked["Location"]).content.decode()
        assert alices.post(asked["Location"], {"password": "guessed"}).status_code == 200
        assert not EmailAddress.objects.filter(email=NEW).exists()
        assert not mailoutbox
        alices.post(asked["Location"], {"password": PASSWORD})  # goes on with what was asked for
        assert [mail.to for mail in mailoutbox] == [[NEW]]
        alices.post(reverse("account_email"), {"email": NEW, "action_remove": "1"})
    assert list(EmailAddress.objects.values_list("email", flat=True)) == [alice.email]


def test_a_stranger_changes_no_address(mailoutbox):
    answer = Client().post(reverse("account_email"), {"email": NEW, "action_add": "1"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert not EmailAddress.objects.exists()
