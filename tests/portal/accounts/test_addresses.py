"""Another email address counts once it is confirmed, and the old one is told."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
NEW = "new@example.org"


@pytest.fixture
def alices(alice):
    cache.clear()
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    client = Client()
    client.force_login(alice)
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
    client = Client()
    client.force_login(bob)
    client.post(reverse("account_email"), {"email": NEW, "action_add": "1"})
    client.post(re.search(r"/accounts/confirm-email/\S+", mailed_to(mailoutbox, NEW))[0])
    assert len(mailoutbox) == 1


def test_the_old_address_can_be_kept(alices, alice):
    alices.post(reverse("account_email"), {"email": NEW, "action_add": "1"})
    alices.post(reverse("account_email"), {"email": NEW, "action_remove": "1"})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["alice@example.org"]
