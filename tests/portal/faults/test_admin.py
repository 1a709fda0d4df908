"""The admin's pages are Django's, but their faults would be ours."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from tests.portal.clubs.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail(db):
    root = person("root", is_staff=True, is_superuser=True)
    return EmailAddress.objects.create(user=root, email="root@example.org")


@pytest.fixture
def client(mail):
    client = Client(raise_request_exception=False)
    client.force_login(mail.user)
    return client


@pytest.mark.parametrize("page", ["change", "delete", "history"])
def test_an_empty_name_of_a_field_is_refused(client, mail, page):
    address = f"/admin/account/emailaddress/{mail.pk}/{page}/"
    assert client.get(f"{address}?_to_field=").status_code == 400
    assert client.get(f"{address}?_to_field=id&_to_field=").status_code == 400
    assert client.post(address, {"_to_field": "", "post": "yes"}).status_code == 400
    assert client.get(f"{address}?_to_field=email").status_code in (200, 400)
    assert client.get(f"{address}?_to_field=id").status_code == 200
    assert EmailAddress.objects.filter(pk=mail.pk).exists()


@pytest.mark.parametrize("name", ["email__regex", "email__iregex", "user__username__regex"])
def test_a_pattern_is_no_search(client, name):
    assert client.get("/admin/account/emailaddress/", {name: "("}).status_code == 400
    assert client.get("/admin/account/emailaddress/", {"email__contains": "("}).status_code in (200, 302)


def test_other_pages_take_any_name(client):
    assert client.get("/lobby/?_to_field=&a__regex=(").status_code == 200
