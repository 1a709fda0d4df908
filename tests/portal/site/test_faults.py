"""Errors get a page of ours, in the reader's language, with the right status."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import translation

pytestmark = pytest.mark.django_db

SERVER_FAULT = {"en": "Something went wrong on the server.", "hu": "Hiba történt a kiszolgálón.", "ru": "На сервере произошла ошибка."}
DATABASE_AWAY = {"en": "The database isn't available", "hu": "Az adatbázis most nem érhető el.", "ru": "База данных сейчас недоступна."}


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

    monkeypatch.setattr("portal.tables.lobby_views.table_rows", broken)
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
    for language, begins in SERVER_FAULT.items():
        response = Client(raise_request_exception=False).get("/api/v1/tables/", headers={"accept-language": language})
        assert response.status_code == 500
        assert response.json()["error"]["code"] == "fault"
        assert response.json()["error"]["reason"].startswith(begins)
        assert "boom" not in response.content.decode()


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_an_absent_database_is_said_in_the_readers_language(monkeypatch, error):
    def away(*_args, **_options):
        raise error("connection refused")

    monkeypatch.setattr("portal.tables.api.table_rows", away)
    for language, begins in DATABASE_AWAY.items():
        response = Client(raise_request_exception=False).get("/api/v1/tables/", headers={"accept-language": language})
        assert (response.status_code, response.json()["error"]["code"]) == (503, "away")
        assert response.json()["error"]["reason"].startswith(begins)


def test_a_fault_before_the_language_is_known_is_said_in_english(monkeypatch):
    def away(*_given):
        raise OperationalError("connection refused")

    monkeypatch.setattr("portal.accounts.middleware._from_request", away)
    with translation.override("hu"):  # left over from the request before
        response = Client(raise_request_exception=False).get("/api/v1/tables/", headers={"accept-language": "hu"})
    assert response.status_code == 503
    assert response.json()["error"]["reason"].startswith(DATABASE_AWAY["en"])


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


@pytest.mark.parametrize(
    "address", [*PAGES, "/verify/", "/practice/ra/auction/", "/robots.txt", "/people/nobody/", "/play/ra/", "/ratings/"]
)
def test_head_answers_like_get(client, address):
    got, asked = client.get(address), client.head(address)
    assert asked.status_code == got.status_code
    assert asked.content == b""
    assert {name for name, _ in asked.items()} == {name for name, _ in got.items()}


def test_no_view_takes_a_get_and_refuses_a_head():
    for file in (settings.BASE_DIR / "portal").rglob("*.py"):
        source = file.read_text()
        assert "require_GET" not in source and '["GET", "POST"]' not in source, file
