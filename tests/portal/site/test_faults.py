"""What went wrong is told on a page of ours, in the reader's language, with the right status."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "hu"])
def test_an_unknown_address(client, language):
    client.cookies["django_language"] = language
    response = client.get("/nothing/here/")
    page = response.content.decode()
    assert response.status_code == 404
    assert f'<html lang="{language}"' in page
    assert reverse("home") in page


def test_a_body_that_is_too_big_is_413_and_changes_nothing(client, alice):
    client.force_login(alice)
    body = "language=" + "x" * 70_000
    response = client.generic("POST", reverse("settings"), body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 413
    assert "64 kB" in response.content.decode()


def test_a_nul_in_the_address_is_400(client):
    for address in ("/people/a%00b/", "/lobby/?page=%00", "/leaderboards/ra/?pool=%00"):
        assert client.get(address).status_code == 400


def test_a_fault_of_the_server_has_a_number_and_both_languages(monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError("boom")

    monkeypatch.setattr("portal.tables.site_views.table_rows", broken)
    client = Client(raise_request_exception=False)
    response = client.get(reverse("lobby"))
    page = response.content.decode()
    assert response.status_code == 500
    assert "boom" not in page
    assert 'lang="hu"' in page
    assert "the number" in page


def test_a_fault_under_the_api_is_json(monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError("boom")

    monkeypatch.setattr("portal.tables.api.table_rows", broken)
    response = Client(raise_request_exception=False).get("/api/v1/tables/")
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "fault"
    assert "boom" not in response.content.decode()


def test_robots_keep_off_tables_and_accounts(client):
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    lines = response.content.decode().splitlines()
    assert "Disallow: /tables/" in lines
    assert "Disallow: /accounts/" in lines
    assert not any(line.startswith("Disallow: /en") for line in lines)


PAGES = [
    "/",
    "/lobby/",
    "/tables/new/",
    "/leaderboards/ra/",
    "/accounts/login/",
    "/accounts/signup/",
    "/api/docs/",
    "/api/docs/try/",
    "/nothing/",
]


@pytest.mark.parametrize("address", PAGES)
def test_no_page_has_inline_script_or_style(client, address):
    response = client.get(address)
    page = response.content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick=" not in page
    assert all("src=" in tag.partition(">")[0] for tag in page.split("<script")[1:])
    policy = response["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "script-src 'self'" in policy
